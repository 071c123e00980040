"""D001 to D008 and D070 to D074: unreadable files, and text and YAML that are refused."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.diagnostics import Diagnostic, Label
from dsl.source import Span


@dataclass(frozen=True)
class CannotRead(Diagnostic):
    """A file that the ruleset needs cannot be read.

    It is missing, is a folder, may not be opened, or lies outside the ruleset's folder: a ruleset holds
    all its files, so that it can be copied, hashed and shared as a whole.

    Example:

        rules: [main.rulse]

    Check the name and its ending. Paths are relative to the folder of `game.yaml`.
    """

    code = "D001"
    slug = "cannot-read"
    title = "`{path}` cannot be read: {why}"
    advice = "{hint}"
    path: str
    why: str
    hint: str = ""


@dataclass(frozen=True)
class NotText(Diagnostic):
    """A file is not UTF-8 text.

    A ruleset is text. A picture or a document of a word processor is not, and neither is text saved in
    another encoding or with zero bytes in it. Tables alone may have other encodings, or be workbooks.

    Example:

        rules: [rules.docx]

    Save text as UTF-8.
    """

    code = "D002"
    slug = "not-text"
    title = "`{path}` {what} (byte {offset})"
    advice = "save it as UTF-8 text"
    path: str
    offset: int
    what: str = "is not UTF-8 text"


@dataclass(frozen=True)
class TooLarge(Diagnostic):
    """A file is larger than any ruleset needs.

    The limit keeps a wrong file from filling the memory and from keeping everybody waiting. The largest
    tables and rulebooks known are twenty times smaller.

    Example:

        clauses: rulebook-scan.yaml

    Check that it is the file you meant; a table that really is this large can be split in two.
    """

    code = "D003"
    slug = "too-large"
    title = "`{path}` has at least {size} bytes; the limit is {most}"
    advice = "is this the file you meant?"
    path: str
    size: int
    most: int


@dataclass(frozen=True)
class TooDeep(Diagnostic):
    """Brackets, blocks, or operators in a row are nested too deeply.

    A long sum counts as nested, because `a + b + c` means `(a + b) + c`. The limit also keeps a hostile
    file from exhausting the stack.

    Example:

        value v = ((((((((((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))))))))))))

    Name an inner part with `value` or `procedure`; add up a collection with `sum(... for ...)`.
    """

    code = "D004"
    slug = "too-deep"
    title = "nested more than {most} levels deep"
    advice = "move an inner part into a definition of its own"
    most: int


@dataclass(frozen=True)
class BrokenYaml(Diagnostic):
    """The YAML cannot be parsed.

    Usually an indentation that does not line up, a bracket or quote that is not closed, or a `: ` inside a
    text that needs quotes.

    Example:

        title: Hearts: the game

    Put the text in quotes: `title: "Hearts: the game"`.
    """

    code = "D005"
    slug = "broken-yaml"
    title = "{why}"
    advice = "{hint}"
    why: str
    hint: str = ""
    until: Span | None = None

    @property
    def others(self) -> tuple[Label, ...]:
        return (Label(self.until, "still open here"),) if self.until is not None else ()


@dataclass(frozen=True)
class DuplicateKey(Diagnostic):
    """A mapping contains the same key twice.

    YAML readers silently keep only the last of the two, so half of what was written would be lost.

    Example:

        counters:
          gold: {range: 0..9}
          gold: {range: 0..20}

    Keep one of the two, or give the second another name.
    """

    code = "D006"
    slug = "duplicate-key"
    title = "duplicate key `{key}`"
    label = "the second one"
    advice = "keep one of the two"
    key: str
    first: Span

    @property
    def others(self) -> tuple[Label, ...]:
        return (Label(self.first, "the first one"),)


@dataclass(frozen=True)
class YamlTrap(Diagnostic):
    """A word means something else in YAML than it seems to.

    Bare `no`, `yes`, `on` and `off` mean false and true to many YAML readers, `1:30` is ninety in base
    sixty, `010` is eight, `2024-01-01` is a date, `~` is nothing. Another tool that reads the file would
    see another value than the game does.

    Example:

        options:
          trading: {default: no}

    Write `true` or `false`; put text in quotes; write numbers in plain digits.
    """

    code = "D007"
    slug = "yaml-trap"
    title = "bare `{text}` means {meaning} to YAML readers"
    advice = "{hint}"
    text: str
    meaning: str
    hint: str


@dataclass(frozen=True)
class UnsupportedYaml(Diagnostic):
    """YAML anchors, aliases, tags, merge keys and multiple documents in one file are not supported.

    They hide where a value comes from, they let a small file expand into a huge one, and tags can refer
    to things that are not data.

    Example:

        zones:
          hand: &private {holds: card, of: seat, seen_by: owner}
          gift: *private

    Write the value out where it is needed; put text that begins with `&`, `*` or `!` in quotes.
    """

    code = "D008"
    slug = "unsupported-yaml"
    title = "{what} is not supported in a ruleset"
    advice = "{hint}"
    what: str
    hint: str = "write the value out where it is needed"


@dataclass(frozen=True)
class ForbiddenCharacter(Diagnostic):
    """A text contains a character that controls its display or hides text.

    Control characters move a terminal's cursor, change its title, or clear it. Bidirectional overrides show
    a line in another order than it has. Tags and the like are invisible text. A ruleset often comes from
    somebody else, so none of its texts may contain such a character, neither directly nor as a YAML escape.
    Letters of every script, combining marks, directional marks and joined emoji are ordinary text.

    Example:

        title: "Hearts\\e[2J"

    Remove the character. A line ends with a line feed, with or without a carriage return before it.
    """

    code = "D070"
    slug = "forbidden-character"
    title = "{character} is not allowed in text"
    label = "here"
    advice = "remove it"
    character: str


@dataclass(frozen=True)
class LeadsOutside(Diagnostic):
    """A file of the ruleset lies outside its folder, behind a symbolic link.

    A ruleset is self-contained. If a link could lead out of the folder, a ruleset from somebody else could
    have any of your files read, and their lines shown in messages. Links within the folder are followed.

    Example:

        labels -> /home/you/notes

    Put the file itself into the folder.
    """

    code = "D071"
    slug = "leads-outside"
    title = "`{path}` cannot be read: a symbolic link leads out of the ruleset's folder"
    advice = "put the file itself into the folder"
    path: str


@dataclass(frozen=True)
class NotAFile(Diagnostic):
    """A file of the ruleset is not a regular file but a named pipe, a socket, a device or a link.

    Reading one can block or never end, so only regular files are read. A symbolic link is reported here
    only where it cannot be followed: in an older revision of the folder.

    Example:

        rules.rules is a named pipe

    Put a regular file in its place.
    """

    code = "D072"
    slug = "not-a-file"
    title = "`{path}` cannot be read: it is {what}, not a regular file"
    advice = "put a regular file in its place"
    path: str
    what: str


@dataclass(frozen=True)
class TooMuch(Diagnostic):
    """A ruleset has more files, or more bytes in total, than any ruleset needs.

    Each file has its own limit; this one applies to all of them together, and to the entries of a listed
    folder such as `scenarios`. The largest ruleset known is twenty times smaller.

    Example:

        rules: [a.rules, a.rules, a.rules, ...]

    Remove what does not belong to the ruleset, or merge several files into one.
    """

    code = "D073"
    slug = "too-much"
    title = "`{path}` has more than {most} {what}"
    advice = "does all of it belong to the ruleset?"
    path: str
    most: int
    what: str


@dataclass(frozen=True)
class SeveralLines(Diagnostic):
    """A title, heading or label spans several lines.

    Such texts are shown within lines of output, in lists, and during a match. A second line would look
    like a message from Rulewright itself.

    Example:

        title: |
          Hearts
          checked: no mistakes

    Write it on one line. Longer texts belong in `says`, `why`, and `help` of the labels.
    """

    code = "D074"
    slug = "several-lines"
    title = "{where} spans several lines"
    advice = "write it on one line; a block that begins with `>-` counts as one"
    where: str
