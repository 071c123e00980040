"""D030 to D035: names, clause marks, holes of phrases."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.diagnostics import Label, Mistake
from dsl.source import Span


@dataclass(frozen=True)
class UnknownName(Mistake):
    """A name that nothing has declared, at least not for this place.

    Names come from `game.yaml`, from definitions, and from `let`, `choose`, `draw`, parameters and loops.
    A chosen name lives in the block under its choice, a `let` in the block in which it stands.

    Example:

        choose die from dics of me

    Correct the name, declare it, or move the line into the block where the name lives.
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
    """Two things have the same name in the same place.

    Everything that `game.yaml` declares and every definition shares one set of names, whatever its
    section, so that a name in the rules never has to be guessed. Locals may not hide counters, zones and
    their like.

    Example:

        counters:
          gold: {of: seat, range: 0..99}
        marks:
          gold: {of: seat}

    Choose another name for one of them.
    """

    code = "D031"
    slug = "name-taken"
    title = "`{name}` is already {what}"
    mend = "choose another name"
    name: str
    what: str
    first: Span

    @property
    def others(self) -> tuple[Label, ...]:
        return (Label(self.first, "declared here"),) if self.first.source.text else ()


@dataclass(frozen=True)
class ReservedWord(Mistake):
    """A word that means something in the language is used as a name.

    The words of statements (`move`, `choose`, `if` ...) and the names that are always there (`me`,
    `opponent`, `seats`, `next` ...) cannot be given to anything else.

    Example:

        counters:
          score: {of: seat, range: 0..99}

    Choose another name.
    """

    code = "D032"
    slug = "reserved-word"
    title = "`{name}` is a word of the language and cannot be a name"
    mend = "choose another name, for example `{name}_` or `the_{name}`"
    name: str


@dataclass(frozen=True)
class DefinitionsInCircle(Mistake):
    """Definitions that need each other in a circle have no value.

    Every hop of the circle is shown. A value may not ask for itself through its modifiers either: what
    modifies it would have to be known before it is.

    Example:

        value attack = defence + 1
        value defence = attack - 1

    Break the circle at one of the places shown, for example with a counter.
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

    Every `§` mark names a clause of the file that `clauses` in `game.yaml` names, so that each rule can be
    held against the rulebook.

    Example:

        needs money of me >= card.cost      §4.33

    Correct the mark, or add the clause.
    """

    code = "D034"
    slug = "unknown-clause"
    title = "`{clause}` is no clause of the rulebook"
    mend = "{hint}"
    clause: str
    hint: str


@dataclass(frozen=True)
class StrangeHole(Mistake):
    """A phrase of the labels has a hole that nothing can fill.

    What stands in braces is a parameter of the routine or value that has the phrase, an index of the counter,
    mark, pointer or zone, a key of the table, or for a column the thing that has it.

    Example:

        phrases:
          defence: "the defence of {crd}"

    Name it as it is named in the rules.
    """

    code = "D035"
    slug = "strange-hole"
    title = "the phrase of `{name}` has a hole `{hole}` that nothing fills"
    mend = "{hint}"
    name: str
    hole: str
    hint: str
