"""Every D-code: one class per mistake. The docstring is its explanation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dsl.diagnostics import Label, Mistake, Severity
from dsl.source import Span

# ---- files and YAML


@dataclass(frozen=True)
class CannotRead(Mistake):
    """A file that the ruleset needs cannot be read.

    The file is missing, is a folder, or may not be opened. Check the path, and that `game.yaml` lists
    the file by its right name.
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

    Rulesets are text. A picture, an archive or a spreadsheet in its own format is not; export the
    table as CSV, and save text as UTF-8.
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

    The limit keeps a wrong file from filling the memory. Split a table that is really so large.
    """

    code = "D003"
    slug = "too-large"
    title = "`{path}` has {size} bytes; at most {most} are read"
    mend = "is this the file you meant?"
    path: str
    size: int
    most: int


@dataclass(frozen=True)
class TooDeep(Mistake):
    """Brackets or blocks are nested deeper than anybody can read.

    The limit keeps the parser safe. Give the inner part a name with `value` or `procedure`.
    """

    code = "D004"
    slug = "too-deep"
    title = "this is nested more than {most} levels deep"
    mend = "give an inner part a name of its own"
    most: int


@dataclass(frozen=True)
class BrokenYaml(Mistake):
    """The YAML cannot be parsed.

    Usually an indentation that does not line up, a bracket that is not closed, or a `: ` inside a text
    that should stand in quotes.
    """

    code = "D005"
    slug = "broken-yaml"
    title = "this is not YAML: {why}"
    mend = "check the indentation, the brackets, and quotes around texts with `: ` or `#`"
    why: str


@dataclass(frozen=True)
class DuplicateKey(Mistake):
    """A mapping has the same key twice.

    YAML libraries would silently keep the last one. Remove or rename one of the two.
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
    would get another value. Write `true` or `false`, put a text in quotes, write a number plainly.
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

    They hide where a value comes from, and aliases can blow a small file up into a huge one.
    """

    code = "D008"
    slug = "unsupported-yaml"
    title = "{what} cannot be used in a ruleset"
    mend = "write the value out where it is needed"
    what: str


@dataclass(frozen=True)
class UnknownKey(Mistake):
    """A mapping has a key that means nothing there.

    Usually a slip of the pen, or a key on the wrong level.
    """

    code = "D009"
    slug = "unknown-key"
    title = "`{key}` is no key of {where}"
    mend = "{hint}"
    key: str
    where: str
    hint: str


@dataclass(frozen=True)
class MissingKey(Mistake):
    """A mapping lacks a key that it cannot do without."""

    code = "D010"
    slug = "missing-key"
    title = "{where} lacks `{key}`"
    mend = "{hint}"
    where: str
    key: str
    hint: str = ""


@dataclass(frozen=True)
class WrongShape(Mistake):
    """A value has another shape than its key asks for: a list where one word is wanted, and so on."""

    code = "D011"
    slug = "wrong-shape"
    title = "{where} must be {wanted}"
    mend = "{hint}"
    where: str
    wanted: str
    hint: str = ""


@dataclass(frozen=True)
class BadTable(Mistake):
    """A CSV file does not have the shape of its table.

    The first line names the columns, the first column names the rows. Each row has as many cells as
    the first line, row names are words with underscores, and no row name stands twice.
    """

    code = "D012"
    slug = "bad-table"
    title = "{why}"
    mend = "{hint}"
    why: str
    hint: str = ""


@dataclass(frozen=True)
class BadCell(Mistake):
    """A cell of a table holds something that its column does not allow."""

    code = "D013"
    slug = "bad-cell"
    title = "`{cell}` is no value for column `{column}`: {why}"
    mend = "{hint}"
    cell: str
    column: str
    why: str
    hint: str = ""


@dataclass(frozen=True)
class TableNotTotal(Mistake):
    """A table has no row for a value that its domain contains.

    Tables are total, so that looking something up can never fail in play. Add the row, or widen a
    range of keys: `5..7: revolt`.
    """

    code = "D014"
    slug = "table-not-total"
    title = "table `{table}` has no row for {missing}"
    mend = "add a row, or widen the keys of another one"
    table: str
    missing: str


@dataclass(frozen=True)
class RowTwice(Mistake):
    """Two rows of a table cover the same value, so one of them could never be used."""

    code = "D015"
    slug = "row-twice"
    title = "`{key}` is covered by an earlier row of `{table}`"
    mend = "let the keys of the rows not overlap"
    table: str
    key: str


# ---- rules text


@dataclass(frozen=True)
class TabInRules(Mistake):
    """A rules file contains a tab.

    Editors show tabs with different widths, so a block would look different from what it means.
    """

    code = "D020"
    slug = "tab"
    title = "a tab cannot be used in rules"
    mend = "indent with spaces"


@dataclass(frozen=True)
class Indentation(Mistake):
    """A line is indented to no level that is open.

    Every line of a block begins in the same column.
    """

    code = "D021"
    slug = "indentation"
    title = "this line is indented by {width}, which matches no block above it"
    mend = "line it up with the lines of its block"
    width: int
    wanted: int


@dataclass(frozen=True)
class StrangeCharacter(Mistake):
    """A character that the language does not use."""

    code = "D022"
    slug = "strange-character"
    title = "`{character}` has no meaning in rules"
    mend = "names are words with underscores; texts belong into labels"
    character: str


@dataclass(frozen=True)
class NotAllowedHere(Mistake):
    """The text cannot be parsed at this place.

    `docs/language.md` shows the form of every statement.
    """

    code = "D023"
    slug = "not-allowed-here"
    title = "{found} cannot stand here"
    mend = "{hint}"
    found: str
    hint: str


# ---- names


@dataclass(frozen=True)
class UnknownName(Mistake):
    """A name that nothing has declared, at least not for this place.

    Names come from `game.yaml`, from definitions, from `let`, `choose`, parameters and loops. A chosen
    name lives in the block under its choice only.
    """

    code = "D030"
    slug = "unknown-name"
    title = "`{name}` is no {what} here"
    mend = "{hint}"
    name: str
    what: str
    hint: str


@dataclass(frozen=True)
class NameTaken(Mistake):
    """Two things have the same name in the same place."""

    code = "D031"
    slug = "name-taken"
    title = "`{name}` is already the name of {what}"
    mend = "choose another name"
    name: str
    what: str
    first: Span

    @property
    def others(self) -> tuple[Label, ...]:
        return (Label(self.first, "declared here"),) if self.first.source.text else ()


@dataclass(frozen=True)
class ReservedWord(Mistake):
    """A word of the language is used as a name."""

    code = "D032"
    slug = "reserved-word"
    title = "`{name}` is a word of the language and cannot be a name"
    mend = "choose another name, for example `the_{name}` or `{name}_here`"
    name: str


@dataclass(frozen=True)
class DefinitionsInCircle(Mistake):
    """Definitions that need each other in a circle have no value.

    Every hop of the circle is shown. A value may not, through its modifiers, ask for itself.
    """

    code = "D033"
    slug = "definitions-in-a-circle"
    title = "`{name}` is defined by itself"
    label = "needs `{next}`"
    mend = "break the circle at one of these places"
    name: str
    next: str
    hops: tuple[Label, ...]

    @property
    def others(self) -> tuple[Label, ...]:
        return self.hops


@dataclass(frozen=True)
class UnknownClause(Mistake):
    """A clause mark that the rulebook file does not list.

    Every `§` mark names a clause of `rulebook.yaml`, so that each rule can be held against the
    rulebook.
    """

    code = "D034"
    slug = "unknown-clause"
    title = "`{clause}` is no clause of the rulebook"
    mend = "{hint}"
    clause: str
    hint: str


# ---- types


@dataclass(frozen=True)
class WrongType(Mistake):
    """An expression has another type than its place asks for."""

    code = "D040"
    slug = "wrong-type"
    title = "{wanted} is wanted here, but this is {found}"
    mend = "{hint}"
    wanted: str
    found: str
    hint: str = ""


@dataclass(frozen=True)
class CannotCompare(Mistake):
    """The two sides of a comparison have nothing in common, so the answer would always be the same."""

    code = "D041"
    slug = "cannot-compare"
    title = "{left} and {right} cannot be compared"
    mend = "{hint}"
    left: str
    right: str
    hint: str = ""


@dataclass(frozen=True)
class NotInRange(Mistake):
    """A value can never lie in the range that its place allows."""

    code = "D042"
    slug = "not-in-range"
    title = "{found} does not fit into {wanted}"
    mend = "{hint}"
    found: str
    wanted: str
    hint: str = ""


@dataclass(frozen=True)
class MayBeNone(Mistake):
    """Something is asked of a thing that may not be there.

    A place of size 1 may be empty, a pointer may point at nothing. Say what happens then: `needs x
    exists`, or `if x exists`.
    """

    code = "D043"
    slug = "may-be-none"
    title = "`{text}` may be empty here"
    mend = "ask `{text} exists` first, in `needs`, `if` or `where`"
    text: str


@dataclass(frozen=True)
class WrongIndex(Mistake):
    """A counter, zone, mark or pointer is addressed with words that its declaration does not have.

    `of` says whose, `at` says where; each stands at most once, and only if it is declared. `plan of me
    at target of me` names two owners: brackets are needed around `(target of me)`.
    """

    code = "D044"
    slug = "wrong-index"
    title = "{why}"
    mend = "{hint}"
    why: str
    hint: str = ""


@dataclass(frozen=True)
class WrongArguments(Mistake):
    """A call gives another number of arguments than the definition has parameters.

    Actions and effects may be given fewer: whoever acts chooses the rest. Procedures and values choose
    nothing and must be given everything.
    """

    code = "D045"
    slug = "wrong-arguments"
    title = "`{name}` takes {wanted}, but {found} given"
    mend = "{hint}"
    name: str
    wanted: str
    found: str
    hint: str = ""


@dataclass(frozen=True)
class UnboundedRange(Mistake):
    """A choice whose values have no known bounds.

    A decision has a finite domain. Give the range an upper bound that follows from declared ranges, or
    write one: `from 0..min(20, n)`.
    """

    code = "D046"
    slug = "unbounded-choice"
    title = "the values of this choice have no bound"
    mend = "bound it, for example with `min(20, ...)`"


@dataclass(frozen=True)
class Ambiguous(Mistake):
    """A name means different things, and the place does not say which."""

    code = "D047"
    slug = "ambiguous"
    title = "`{name}` may be {readings}"
    mend = "{hint}"
    name: str
    readings: str
    hint: str = ""


# ---- statements


@dataclass(frozen=True)
class NeedsTooLate(Mistake):
    """A `needs` comes after a decision or a throw of chance, so nobody can be refused any more.

    Conditions for an offer are tried from the choice of its parameters to the first stop beyond them.
    """

    code = "D050"
    slug = "needs-too-late"
    title = "this need comes after {stop}, so nobody can be refused any more"
    mend = "move it up, or use `if`"
    stop: str
    at: Span

    @property
    def others(self) -> tuple[Label, ...]:
        return (Label(self.at, "the stop"),)


@dataclass(frozen=True)
class WrongStatement(Mistake):
    """A statement is used in a way that it does not have.

    For example a block under a plain `choose`, an `else` where nothing can be declined, `needs` in a
    trigger, or `together` inside `together`.
    """

    code = "D051"
    slug = "wrong-statement"
    title = "{why}"
    mend = "{hint}"
    why: str
    hint: str = ""


@dataclass(frozen=True)
class CannotChange(Mistake):
    """Something that cannot be written is written.

    Counters, pointers, locals that `let` made, the face of a die, and marks (with `set` and `clear`) can
    be changed; values, tables, options and constants cannot.
    """

    code = "D052"
    slug = "cannot-change"
    title = "{what} cannot be changed"
    mend = "{hint}"
    what: str
    hint: str = ""


@dataclass(frozen=True)
class CallsInCircle(Mistake):
    """Routines call each other in a circle, and nothing says how deep.

    State is finite, so the depth must be declared: `procedure act(x) nests up to 6`.
    """

    code = "D053"
    slug = "calls-in-a-circle"
    title = "`{name}` calls itself, and nothing bounds how deep"
    mend = "write `nests up to N` in the header of one of them"
    name: str
    hops: tuple[Label, ...]

    @property
    def others(self) -> tuple[Label, ...]:
        return self.hops


@dataclass(frozen=True)
class UnequalPieces(Mistake):
    """A number of pieces is moved out of a place whose pieces differ, so it is not said which ones.

    `move n from Z` takes from the top of a pile, by chance from a shuffled zone, or any of equal pieces.
    """

    code = "D054"
    slug = "unequal-pieces"
    title = "the pieces in `{zone}` differ, and it is not said which are moved"
    mend = "choose them one by one, or move all"
    zone: str


@dataclass(frozen=True)
class SharedWrite(Mistake):
    """Inside `together`, something is written that belongs to all.

    Several seats act at once there; what the branches share needs a word in its declaration: `shared:
    first come` or `shared: by priority`.
    """

    code = "D055"
    slug = "shared-write"
    title = "two seats may change `{name}` at the same time"
    mend = "say `shared: first come` at its declaration, or write to a place of `me`"
    name: str


@dataclass(frozen=True)
class UnboundedLoop(Mistake):
    """Nothing says how often a loop may go round.

    A game is a finite machine; write `while C, at most n times`. The run stops with an error if the
    bound is exceeded, so a wrong bound is noticed.
    """

    code = "D056"
    slug = "unbounded-loop"
    title = "nothing bounds how often this loop goes round"
    mend = "add `, at most n times`"


@dataclass(frozen=True)
class ComesToLittle(Mistake):
    """A warning: something is declared and never used."""

    code = "D057"
    slug = "never-used"
    severity: ClassVar[Severity] = Severity.WARNING
    title = "{what} `{name}` is never used"
    mend = "remove it, or use it"
    what: str
    name: str


@dataclass(frozen=True)
class CannotOffer(Mistake):
    """Something that is no action is offered, or something that is no effect stands in a table.

    Actions are offered (`do`, `may do`, the flow); effects are named by table cells; procedures are
    called.
    """

    code = "D058"
    slug = "cannot-offer"
    title = "`{name}` is {what}"
    mend = "{hint}"
    name: str
    what: str
    hint: str


# ---- flow and configuration


@dataclass(frozen=True)
class BadFlow(Mistake):
    """The flow of phases cannot be followed.

    Every phase says what is done and which phase comes next; one phase scores; `then` with conditions
    ends with `otherwise`.
    """

    code = "D060"
    slug = "bad-flow"
    title = "{why}"
    mend = "{hint}"
    why: str
    hint: str = ""


@dataclass(frozen=True)
class BadOption(Mistake):
    """An option, ruling or number of seats that the game does not have."""

    code = "D061"
    slug = "bad-option"
    title = "{why}"
    mend = "{hint}"
    why: str
    hint: str = ""


@dataclass(frozen=True)
class NoSuchGame(Mistake):
    """There is no game of this name, and no ruleset at this path.

    A ruleset is a folder with a `game.yaml`. `rulewright list` names the bundled games; `rulewright
    new NAME` makes one to start from.
    """

    code = "D062"
    slug = "no-such-game"
    title = "there is no game or ruleset `{name}`"
    mend = "{hint}"
    name: str
    hint: str
