"""The flow of phases, and the typed rules of a game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace
from typing import Literal, Protocol, TypeGuard

from dsl.domains import EffectType
from dsl.frozen import dataclass
from dsl.rules.about import About
from dsl.rules.declarations import (
    BriefKey,
    BriefLine,
    Carries,
    Clause,
    Component,
    Constant,
    Counter,
    History,
    Mark,
    Option,
    Pointer,
    Provenance,
    Row,
    Sight,
    Table,
    Text,
    TypeDecl,
    Zone,
)
from dsl.rules.definitions import Invariant, NamedCollection, Routine, ScoreLine, Trigger, Value
from dsl.rules.expressions import Expr, SlotPiece, Var
from dsl.rules.look import Look
from dsl.rules.statements import Strength
from dsl.source import Span
from dsl.wording import counts_text

Best = Literal["highest", "lowest", "none"]
"""Which total wins in a phase that scores; with `none` totals are not compared."""


@dataclass(frozen=True, slots=True)
class CallStep:
    name: str
    routine: str
    span: Span


@dataclass(frozen=True, slots=True)
class OfferStep:
    name: str
    strength: Strength
    routines: tuple[str, ...]
    option: str | None
    span: Span
    clauses: tuple[str, ...] = ()
    otherwise: tuple[FlowStep, ...] | None = None
    """The steps if nothing has been done; none of them: then nothing happens."""
    most: Expr | None = None
    """How often at most."""


@dataclass(frozen=True, slots=True)
class IfStep:
    """Steps that are taken if a condition holds, and others if it does not."""

    condition: Expr
    steps: tuple[FlowStep, ...]
    otherwise: tuple[FlowStep, ...]
    span: Span
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SeatsStep:
    """A list of steps for each seat in turn; the seat is `active` and `me`.

    `candidate` is the seat that the keys and the condition are evaluated for, before the first seat acts.
    """

    steps: tuple[FlowStep, ...]
    start: Expr | None
    candidate: Var
    keys: tuple[Expr, ...]
    where: Expr | None
    span: Span
    clauses: tuple[str, ...] = ()


FlowStep = CallStep | OfferStep | IfStep | SeatsStep


@dataclass(frozen=True, slots=True)
class Turn:
    """Whose turn a phase is, each time it is entered.

    `first` has the first turn of the match, by default seat A; `next` follows the seat that had the last
    turn, which is `active` in it, by default the next in seat order. A `candidate` for which `where` does
    not hold is skipped: `next` follows it.
    """

    first: Expr | None
    next: Expr | None
    candidate: Var
    where: Expr | None
    span: Span

    @property
    def is_plain(self) -> bool:
        """Whether all seats have their turns in seat order, and A the first: `seat: rotates`."""
        return self.first is None and self.next is None and self.where is None


@dataclass(frozen=True, slots=True)
class Transition:
    """A phase that comes next if a condition holds; without one it always does."""

    condition: Expr | None
    to: str


@dataclass(frozen=True, slots=True)
class Phase:
    name: str
    turn: Turn | None
    steps: tuple[FlowStep, ...]
    then: tuple[Transition, ...]
    scores: Best | None
    span: Span
    clauses: tuple[str, ...]
    counted: tuple[str, ...] | None = None
    """The score lines and tie-breaks that count at this end; none: all of them."""

    @property
    def rotates(self) -> bool:
        """Whether it is a turn of a seat."""
        return self.turn is not None

    def all_steps(self) -> Iterator[FlowStep]:
        """The steps in order; those within another step follow it."""
        return inner_steps(self.steps)


def inner_steps(steps: tuple[FlowStep, ...]) -> Iterator[FlowStep]:
    """Some steps in order, each followed by those within it."""
    for step in steps:
        yield step
        match step:
            case SeatsStep(steps=inner):
                yield from inner_steps(inner)
            case IfStep(steps=inner, otherwise=otherwise):
                yield from inner_steps((*inner, *otherwise))
            case OfferStep(otherwise=otherwise):
                yield from inner_steps(otherwise or ())


@dataclass(frozen=True, slots=True)
class Suppression:
    """A finding that the author allows: its code, what it is about, and the reason."""

    code: str
    about: str
    why: str
    span: Span


Pick = Literal["first", "last", "lowest", "highest", "any"]
"""Which of several choices is made for a seat that stays away."""


@dataclass(frozen=True, slots=True)
class Preference:
    """What is chosen for a seat that stays away: a choice with these words; of several, by `pick`.

    Without words every choice but passing fits.
    """

    words: tuple[str, ...]
    pick: Pick
    span: Span


NO_LANGUAGE = "und"
"""The tag of labels whose language is not known."""


def qualified_line(name: str) -> str:
    """The key of the labels for a line of the account alone: `score.NAME`, for a score or a tie-break."""
    return f"score.{name}"


def key_of_line(name: str, labels: Mapping[str, str]) -> str:
    """The key of a line of the account in these labels: `score.NAME` if it is there, or else `NAME`."""
    own = qualified_line(name)
    return own if own in labels else name


def key_of_number(of: str, number: int) -> str:
    """The key of the label of a number of a type or column: `permit.1`."""
    return f"{of}.{number}"


def key_of_text(of: str, row: str, column: str) -> str:
    """The key of the label with the text of a row in a column of text: `card.smith.flavour`."""
    return f"{of}.{row}.{column}"


def labelled_numbers(labels: Iterable[str]) -> frozenset[str]:
    """The types and columns of which some numbers have labels."""
    parts = (key.rpartition(".") for key in labels)
    return frozenset(of for of, dot, number in parts if dot and number.removeprefix("-").isdecimal())


@dataclass(frozen=True, slots=True)
class Untranslated:
    """A word whose `kind` of text, `label` or `help`, only one of two languages has.

    `extra`: it is the default language that lacks it.
    """

    kind: str
    name: str
    span: Span
    extra: bool


@dataclass(frozen=True, slots=True)
class TranslatedText:
    """A text of the rulebook, of a ruling or of `provenance` in the first language and in another one.

    `section` is that of the rulebook file, `name` the clause, ruling or table, `key` which of its texts it
    is, such as `says` or `readings.NAME`. `translated` is empty where there is no translation; `span` is
    where it is, or else where the first text is.
    """

    section: str
    name: str
    key: str
    text: str
    translated: str
    span: Span


@dataclass(frozen=True, slots=True)
class Translation:
    """What people read in another language than the default one.

    `clauses`, `options`, `provenance` and `brief` are complete: with the texts of `clauses_in` where there is
    no translation. `span` is where `game.yaml` names it, `written` where a text of each word is.
    """

    labels: dict[str, str]
    helps: dict[str, str]
    nouns: dict[str, str]
    phrases: dict[str, str]
    span: Span
    untranslated: tuple[Untranslated, ...] = ()
    written: dict[str, Span] = field(default_factory=dict)
    clauses: dict[str, Clause] = field(default_factory=dict)
    options: dict[str, Option] = field(default_factory=dict)
    provenance: tuple[Provenance, ...] = ()
    brief: dict[BriefKey, BriefLine] = field(default_factory=dict)
    clauses_in: str = NO_LANGUAGE
    texts: tuple[TranslatedText, ...] = ()
    """The texts of clauses, rulings and tables with their translations."""
    forms: dict[str, str] = field(default_factory=dict)
    """Words of the language with their principal parts."""


class ConfiguredRules(Protocol):
    """Readings of a ruleset for its configurations."""

    def rules(self, seats: int, options: dict[str, int]) -> Rules:
        """The rules of one configuration. Raises `ErrorsReported`."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The typed rules of a game. `digest` is the content hash of its files, but for those of translations,
    of its look and of what it is about.

    `labels`, `helps`, `nouns`, `phrases` and the texts of `clauses`, `options` and `provenance` are what
    people read in the chosen `language`, a tag of BCP 47; `translations` has the others. Where numbers of
    declarations depend on options or the number of seats, these are the rules of the largest number of seats
    and the defaults, and `configurations` has the others.
    """

    name: str
    title: str
    seat_counts: tuple[int, ...]
    """The numbers of seats that a match may have, rising."""
    longest: int
    types: dict[str, TypeDecl]
    components: dict[str, Component]
    zones: dict[str, Zone]
    counters: dict[str, Counter]
    marks: dict[str, Mark]
    pointers: dict[str, Pointer]
    tables: dict[str, Table]
    options: dict[str, Option]
    constants: dict[str, Constant]
    cells: tuple[tuple[str, tuple[int, ...]], ...]
    routines: dict[str, Routine]
    values: dict[str, Value]
    collections: dict[str, NamedCollection]
    triggers: tuple[Trigger, ...]
    scores: tuple[ScoreLine, ...]
    invariants: tuple[Invariant, ...]
    phases: dict[str, Phase]
    clauses: dict[str, Clause]
    labels: dict[str, str]
    helps: dict[str, str]
    span: Span
    digest: str
    bases: tuple[tuple[str, str], ...] = ()
    """The games that an overlay changes, by name and title; the nearest is last."""
    allowed: tuple[Suppression, ...] = ()
    provenance: tuple[Provenance, ...] = ()
    """The rows of tables that are not known to be those of the published game."""
    goals: tuple[Invariant, ...] = ()
    texts: dict[str, Text] = field(default_factory=dict)
    brief: dict[BriefKey, BriefLine] = field(default_factory=dict)
    rows: tuple[Row, ...] = ()
    nouns: dict[str, str] = field(default_factory=dict)
    phrases: dict[str, str] = field(default_factory=dict)
    look: Look = field(default_factory=Look)
    about: About = field(default_factory=About)
    absent: dict[str, tuple[Preference, ...]] = field(default_factory=dict)
    """By decision what is chosen for a seat that stays away, in order of preference."""
    language: str = NO_LANGUAGE
    translations: dict[str, Translation] = field(default_factory=dict)
    spoken: Translation | None = None
    """The texts of the chosen language alone, if it is not the first one."""
    first_language: str = NO_LANGUAGE
    """The language in which the game was written, if another one is chosen."""
    teams: tuple[int, ...] = ()
    """The team of each seat; none if there are no teams."""
    clauses_in: str = NO_LANGUAGE
    """The language of the clauses, which is another one where they are not translated."""
    translatable: tuple[TranslatedText, ...] = ()
    """The texts of clauses, rulings and tables in the first language, without translations."""
    written: dict[str, Span] = field(default_factory=dict)
    """Where a text of each word is, in the files of labels."""
    histories: dict[str, History] = field(default_factory=dict)
    carries: Carries | None = None
    text_columns: dict[str, dict[str, str]] = field(default_factory=dict)
    """The columns of text of types and components, each with the owner in the keys of its labels."""
    computed_from: frozenset[str] = frozenset()
    """The constants and options that are named in numbers of declarations."""
    configurations: ConfiguredRules | None = field(default=None, compare=False, repr=False)

    def configured(self, seats: int, options: dict[str, int]) -> Rules:
        """The rules of one configuration, in the same language. Raises `ErrorsReported`."""
        if self.configurations is None:
            return self
        found = replace(self.configurations.rules(seats, options), look=self.look, about=self.about)
        return found if found.language == self.language else found.in_language(self.language)

    @property
    def seats(self) -> tuple[int, int]:
        """The smallest and the largest number of seats."""
        return self.seat_counts[0], self.seat_counts[-1]

    @property
    def played_by(self) -> str:
        """The numbers of seats: `2`, `2 to 4`, `2 or 4`."""
        return counts_text(self.seat_counts)

    @property
    def shared(self) -> frozenset[str]:
        """The zones, counters, marks and pointers with `shared: first come`."""
        kinds = (self.zones, self.counters, self.marks, self.pointers)
        return frozenset(x.var.name for kind in kinds for x in kind.values() if x.var.shared is not None)

    @property
    def stores(self) -> tuple[Counter | Mark | Pointer, ...]:
        """All counters, marks and pointers."""
        return (*self.counters.values(), *self.marks.values(), *self.pointers.values())

    @property
    def effect_component(self) -> str | None:
        """The component whose rows have effects, if there is exactly one."""
        columns = {name: component.columns.values() for name, component in self.components.items()}
        found = [
            name for name, cells in columns.items() if any(isinstance(x.type, EffectType) for x in cells)
        ]
        return found[0] if len(found) == 1 else None

    @property
    def hidden_words(self) -> dict[str, Sight]:
        """The counters, marks and pointers that not everybody sees, and who does."""
        return {x.name: x.seen_by for x in self.stores if x.seen_by != "all"}

    def is_open_top(self, node: object) -> TypeGuard[SlotPiece]:
        """Whether an expression is the topmost piece of a zone of which all see that one."""
        if not isinstance(node, SlotPiece) or node.zone.zone not in self.zones:
            return False
        return self.zones[node.zone.zone].seen_by == "top"

    @property
    def has_secrets(self) -> bool:
        """Whether anything is hidden from somebody by its declaration."""
        return bool(self.hidden_words) or any(zone.seen_by != "all" for zone in self.zones.values())

    @property
    def languages(self) -> tuple[str, ...]:
        """The tags of all languages that there are labels or clauses in; the first is the chosen one."""
        return (self.language, *self.translations)

    def language_for(self, tag: str) -> str | None:
        """The language that serves for a tag: the same, or a more general one, `hu` for `hu-HU`; or none."""
        known = {language.lower(): language for language in self.languages}
        parts = tag.lower().replace("_", "-").split("-")
        shorter = ("-".join(parts[:length]) for length in range(len(parts), 0, -1))
        return next((known[one] for one in shorter if one in known), None)

    def in_first_language(self) -> Rules:
        """The same rules with the texts in which the game was written."""
        if self.spoken is None:
            return self
        others = {self.language: self.spoken, **self.translations}
        found = others.pop(self.first_language)
        return self._saying(self.first_language, found, spoken=None, translations=others)

    def in_language(self, tag: str) -> Rules:
        """The same rules with the texts of another language chosen. A word that it lacks keeps its own.

        Raises `KeyError` if there are neither labels nor clauses in that language.
        """
        chosen = self.language_for(tag)
        if chosen is None:
            raise KeyError(tag)
        if chosen == self.language:
            return self
        if self.spoken is not None:
            return self.in_first_language().in_language(chosen)
        found = self.translations[chosen]
        before = Translation(
            self.labels,
            self.helps,
            self.nouns,
            self.phrases,
            self.span,
            written=self.written,
            clauses=self.clauses,
            options=self.options,
            provenance=self.provenance,
            brief=self.brief,
            clauses_in=self.clauses_in,
        )
        others = {self.language: before, **self.translations}
        del others[chosen]
        whole = replace(
            found,
            labels={**self.labels, **found.labels},
            helps={**self.helps, **found.helps},
            nouns={**self.nouns, **found.nouns},
            phrases={**self.phrases, **found.phrases},
            written={**self.written, **found.written},
        )
        told = self._saying(chosen, whole, spoken=found, translations=others)
        return replace(told, first_language=self.language)

    def _saying(
        self,
        language: str,
        texts: Translation,
        spoken: Translation | None,
        translations: dict[str, Translation],
    ) -> Rules:
        """The same rules with other texts; `spoken` are those of a language that is not the first."""
        return replace(
            self,
            language=language,
            spoken=spoken,
            translations=translations,
            clauses_in=texts.clauses_in,
            labels=texts.labels,
            helps=texts.helps,
            nouns=texts.nouns,
            phrases=texts.phrases,
            written=texts.written,
            clauses=texts.clauses,
            options=texts.options,
            provenance=texts.provenance,
            brief=texts.brief,
        )
