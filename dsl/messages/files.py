"""D001 to D008 and D070 to D074: files that cannot be read, text and YAML that cannot be trusted."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.diagnostics import Label, Mistake
from dsl.source import Span


@dataclass(frozen=True)
class CannotRead(Mistake):
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
    mend = "{hint}"
    path: str
    why: str
    hint: str = ""


@dataclass(frozen=True)
class NotText(Mistake):
    """A file is not UTF-8 text.

    A ruleset is text. A picture, an archive or a spreadsheet in its own format is not, and neither is text
    saved in another encoding or with zero bytes in it.

    Example:

        components:
          card: {table: cards.xlsx}

    Export spreadsheets as CSV, and save text as UTF-8.
    """

    code = "D002"
    slug = "not-text"
    title = "`{path}` is not UTF-8 text (byte {offset})"
    mend = "save it as UTF-8 text; export spreadsheets as CSV"
    path: str
    offset: int


@dataclass(frozen=True)
class TooLarge(Mistake):
    """A file is larger than any ruleset needs.

    The limit keeps a wrong file from filling the memory and from keeping everybody waiting. The largest
    tables and rulebooks known are twenty times smaller.

    Example:

        clauses: rulebook-scan.yaml

    Check that it is the file you meant; a table that is really so large can be split in two.
    """

    code = "D003"
    slug = "too-large"
    title = "`{path}` has at least {size} bytes, but at most {most} are read"
    mend = "is this the file you meant?"
    path: str
    size: int
    most: int


@dataclass(frozen=True)
class TooDeep(Mistake):
    """Brackets, blocks, or operators in a row are nested deeper than anybody can read.

    A long sum counts as nested, because `a + b + c` means `(a + b) + c`. The limit also keeps a hostile
    file from exhausting the stack.

    Example:

        value v = ((((((((((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))))))))))))

    Give an inner part a name with `value` or `procedure`; add up a collection with `sum(... for ...)`.
    """

    code = "D004"
    slug = "too-deep"
    title = "this is nested more than {most} levels deep"
    mend = "give an inner part a name of its own"
    most: int


@dataclass(frozen=True)
class BrokenYaml(Mistake):
    """The YAML cannot be parsed.

    Usually an indentation that does not line up, a bracket or quote that is not closed, or a `: ` inside a
    text that should stand in quotes.

    Example:

        title: Hearts: the game

    Put the text in quotes: `title: "Hearts: the game"`.
    """

    code = "D005"
    slug = "broken-yaml"
    title = "{why}"
    mend = "{hint}"
    why: str
    hint: str = ""
    until: Span | None = None

    @property
    def others(self) -> tuple[Label, ...]:
        return (Label(self.until, "still open here"),) if self.until is not None else ()


@dataclass(frozen=True)
class DuplicateKey(Mistake):
    """A mapping has the same key twice.

    YAML readers keep the last of the two without a word, so half of what was written would be lost.

    Example:

        counters:
          gold: {range: 0..9}
          gold: {range: 0..20}

    Keep one of the two, or give the second another name.
    """

    code = "D006"
    slug = "duplicate-key"
    title = "`{key}` stands here twice"
    label = "the second one"
    mend = "keep one of the two"
    key: str
    first: Span

    @property
    def others(self) -> tuple[Label, ...]:
        return (Label(self.first, "the first one"),)


@dataclass(frozen=True)
class YamlTrap(Mistake):
    """A word that YAML reads as something else than it looks.

    Bare `no`, `yes`, `on` and `off` mean false and true to many YAML readers, `1:30` is ninety in base
    sixty, `010` is eight, `2024-01-01` a date, `~` nothing. Whoever reads the file with another tool
    would get another value than the game does.

    Example:

        options:
          trading: {default: no}

    Write `true` or `false`; put a text in quotes; write a number plainly.
    """

    code = "D007"
    slug = "yaml-trap"
    title = "YAML readers take a bare `{text}` for {meaning}"
    mend = "{hint}"
    text: str
    meaning: str
    hint: str


@dataclass(frozen=True)
class UnsupportedYaml(Mistake):
    """YAML anchors, aliases, tags, merge keys and several documents in one file are not read.

    They hide where a value comes from, they let one small file unfold into a huge one, and tags can name
    what is no data at all.

    Example:

        zones:
          hand: &private {holds: card, of: seat, seen_by: owner}
          gift: *private

    Write the value out where it is needed; put a text that begins with `&`, `*` or `!` in quotes.
    """

    code = "D008"
    slug = "unsupported-yaml"
    title = "{what} cannot be used in a ruleset"
    mend = "{hint}"
    what: str
    hint: str = "write the value out where it is needed"


@dataclass(frozen=True)
class ForbiddenCharacter(Mistake):
    """A text holds a character that is not read but steers what shows it, or hides text.

    Control characters move a terminal's cursor, change its title, or clear it. Bidirectional overrides show
    a line in another order than it has. Tags and the like are text that nobody sees. A ruleset comes from
    somebody else as often as not, so none of its texts holds one: neither as it is nor as an escape of YAML.
    Letters of every script, combining marks, directional marks and joined emoji are text like any other.

    Example:

        title: "Hearts\\e[2J"

    Remove the character. A line ends with a line feed, with or without a carriage return before it.
    """

    code = "D070"
    slug = "forbidden-character"
    title = "{character} cannot stand in a text"
    label = "here"
    mend = "remove it"
    character: str


@dataclass(frozen=True)
class LeadsOutside(Mistake):
    """A file that the ruleset names lies outside of its folder, behind a symbolic link.

    A ruleset is data of its own. If a link could lead out of the folder, a ruleset from somebody else could
    have any file of yours read, and its lines shown in messages. Links from one place in the folder to
    another are followed.

    Example:

        labels -> /home/you/notes

    Put the file itself into the folder.
    """

    code = "D071"
    slug = "leads-outside"
    title = "`{path}` cannot be read: a symbolic link leads out of the ruleset's folder"
    mend = "put the file itself into the folder"
    path: str


@dataclass(frozen=True)
class NotAFile(Mistake):
    """What has the name of a file of the ruleset is none: it is a named pipe, a socket, a device or a link.

    Reading such a thing can wait for ever or never end, so only regular files are read. A symbolic link
    counts as one here only where it cannot be followed: in an older revision of the folder.

    Example:

        rules.rules is a named pipe

    Put a regular file in its place.
    """

    code = "D072"
    slug = "not-a-file"
    title = "`{path}` cannot be read: it is {what}, not a regular file"
    mend = "put a regular file in its place"
    path: str
    what: str


@dataclass(frozen=True)
class TooMuch(Mistake):
    """A ruleset has more files, or more bytes in all, than any ruleset needs.

    Each file has its own limit; this one is for all of them together, and for the entries of a folder that
    is listed, such as `scenarios`. The largest ruleset known is twenty times smaller.

    Example:

        rules: [a.rules, a.rules, a.rules, ...]

    Leave out what does not belong to the ruleset, or put several files into one.
    """

    code = "D073"
    slug = "too-much"
    title = "`{path}` comes to more than {most} {what}"
    mend = "does all of it belong to the ruleset?"
    path: str
    most: int
    what: str


@dataclass(frozen=True)
class SeveralLines(Mistake):
    """A title, heading or label goes over several lines.

    Such texts stand within lines of output, in lists, and in the course of a match. A second line would look
    like something that Rulewright itself says.

    Example:

        title: |
          Hearts
          checked: no mistakes

    Write it in one line. Longer texts have a place of their own: `says`, `why`, and `help` of the labels.
    """

    code = "D074"
    slug = "several-lines"
    title = "{where} goes over several lines"
    mend = "write it in one line; a block that begins with `>-` is one"
    where: str
