"""D030 to D035: names, clause marks, placeholders in phrases."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.diagnostics import Diagnostic, Label
from dsl.source import Span


@dataclass(frozen=True)
class UnknownName(Diagnostic):
    """A name that is not declared, or not for use in this place.

    Names come from `game.yaml`, from definitions, and from `let`, `choose`, `draw`, parameters and loops.
    The scope of a chosen name is the block under its choice; that of a `let` is the enclosing block.

    Example:

        choose die from dics of me

    Correct the name, declare it, or move the line into the scope of the name.
    """

    code = "D030"
    slug = "unknown-name"
    title = "unknown {what} `{name}`{where}"
    advice = "{hint}"
    name: str
    what: str
    hint: str
    where: str = ""


@dataclass(frozen=True)
class NameTaken(Diagnostic):
    """Two things have the same name in the same place.

    All declarations in `game.yaml` and all definitions share one namespace, whatever their section, so
    that a name in the rules has one meaning. Locals may not shadow counters, zones and the like.

    Example:

        counters:
          gold: {of: seat, range: 0..99}
        marks:
          gold: {of: seat}

    Rename one of them.
    """

    code = "D031"
    slug = "name-taken"
    title = "`{name}` is already {what}"
    advice = "choose another name"
    name: str
    what: str
    first: Span

    @property
    def others(self) -> tuple[Label, ...]:
        return (Label(self.first, "declared here"),) if self.first.source.text else ()


@dataclass(frozen=True)
class ReservedWord(Diagnostic):
    """A word of the language is used as a name.

    The words of statements (`move`, `choose`, `if` ...) and the built-in names (`me`, `opponent`,
    `seats`, `next` ...) are reserved.

    Example:

        counters:
          score: {of: seat, range: 0..99}

    Choose another name.
    """

    code = "D032"
    slug = "reserved-word"
    title = "`{name}` is reserved: it is a word of the language"
    advice = "choose another name, for example `{name}_` or `the_{name}`"
    name: str


@dataclass(frozen=True)
class CyclicDefinition(Diagnostic):
    """Definitions depend on each other in a cycle, so they have no value.

    Every step of the cycle is shown. A value may not depend on itself through its modifiers either: a
    modifier would have to be known before the value that it modifies. Nor may what an action may choose, in
    its header, depend on whether the action `can` be carried out, or one that asks for the first.

    Example:

        value attack = defence + 1
        value defence = attack - 1

    Break the cycle at one of the places shown, for example with a counter. What searches by calling itself
    is a procedure that `nests up to` a number, and keeps its result in a counter.
    """

    code = "D033"
    slug = "definitions-in-a-circle"
    title = "`{name}` is defined in terms of itself"
    label = "needs `{next}`"
    advice = "break the cycle at one of these places"
    name: str
    next: str
    path: tuple[Label, ...]

    @property
    def others(self) -> tuple[Label, ...]:
        return self.path


@dataclass(frozen=True)
class UnknownClause(Diagnostic):
    """A clause mark cites a clause that the rulebook file does not list.

    Every `§` mark cites a clause of the file given by `clauses` in `game.yaml`, so that each rule can be
    compared with the rulebook.

    Example:

        needs money of me >= card.cost      §4.33

    Correct the mark, or add the clause.
    """

    code = "D034"
    slug = "unknown-clause"
    title = "unknown clause `{clause}`"
    advice = "{hint}"
    clause: str
    hint: str


@dataclass(frozen=True)
class UnknownPlaceholder(Diagnostic):
    """A phrase of the labels has a placeholder that nothing can fill.

    The name in braces is a parameter of the routine or value that has the phrase, an index of the counter,
    mark, pointer or zone, a key of the table, or, for a column, the thing that has it.

    Example:

        phrases:
          defence: "the defence of {crd}"

    Use the name that the rules use.
    """

    code = "D035"
    slug = "strange-hole"
    title = "unknown placeholder `{placeholder}` in the phrase of `{name}`"
    advice = "{hint}"
    name: str
    placeholder: str
    hint: str


@dataclass(frozen=True)
class BadLanguageTag(Diagnostic):
    """A key of `labels` or `clauses` is not a language tag.

    With labels or clauses in several languages, each file stands under the tag of its language as BCP 47
    writes it, so that programs can tell which one a reader wants: the language in small letters, then a
    script (`Latn`) or a region (`BR`), if they matter.

    Example:

        labels: {english: labels/en.yaml, hungarian: labels/hu.yaml}

    Write `en` and `hu`.
    """

    code = "D090"
    slug = "bad-language-tag"
    title = "`{tag}` is not a language tag"
    advice = "{hint}"
    tag: str
    hint: str


@dataclass(frozen=True)
class NothingToTranslate(Diagnostic):
    """A translation has a text of something that the game does not have.

    A translated rulebook file has the clauses of the first one, and the rulings and tables of `game.yaml`.
    What it has beside those, nobody would read: a mark is misspelt, or the clause has been renumbered.

    Example:

        # rulebook.yaml                        # rulebook.hu.yaml
        clauses:                               clauses:
          §1: {heading: Who begins}              §2: {heading: Ki kezd}

    Correct the name, or remove it.
    """

    code = "D136"
    slug = "nothing-to-translate"
    title = "there is no {what} to translate"
    advice = "{hint}"
    what: str
    hint: str
