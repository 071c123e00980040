"""What can be wrong between a rulebook and its rules, as mistakes with codes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dsl.diagnostics import Label, Mistake, Severity


@dataclass(frozen=True)
class Traced(Mistake):
    """Something that the trace of a rulebook finds in rules that have a meaning."""

    severity: ClassVar[Severity] = Severity.WARNING


@dataclass(frozen=True)
class TextsNotInstalled(Mistake):
    """A library that knows human languages is wanted, and it is not installed.

    Sentences are split and words for numbers are known by libraries, since every language has its own
    abbreviations and numerals. They are an extra of their own: `pip install "rulewright[texts]"`.
    """

    code = "T301"
    slug = "texts-not-installed"
    title = "the library `{library}` is not installed"
    mend = 'it comes with `pip install "rulewright[texts]"`'
    library: str


@dataclass(frozen=True)
class Unclaimed(Traced):
    """Sentences of the rulebook's text are claimed by no clause.

    So nobody can say which rule renders them, or that none has to. Add their numbers to the `at` of the
    clauses that say them, or to a clause of kind `flavour` if they have no effect on play.
    `rulewright locate FILE --lang LANGUAGE --for GAME --unclaimed` shows them.
    """

    code = "T302"
    slug = "unclaimed-sentences"
    title = "in text `{text}`, {count} claimed by no clause: {numbers}"
    mend = "add them to `at` of clauses; what has no effect on play belongs to one of kind `flavour`"
    text: str
    count: str
    numbers: str


@dataclass(frozen=True)
class Changed(Traced):
    """A sentence that clauses claim reads otherwise in this text.

    The text is of another edition, or has been corrected. Read the sentence again; where the rules and the
    summary still say the same, `rulewright locate --yaml` prints the fingerprints anew.
    """

    code = "T303"
    slug = "changed-sentence"
    title = "sentence {old} of text `{text}` reads otherwise{now}; {clauses}"
    mend = "read it again, then take the fingerprints that `rulewright locate --yaml` prints"
    old: int
    text: str
    now: str
    clauses: str
    claimed: tuple[Label, ...] = ()

    @property
    def others(self) -> tuple[Label, ...]:
        return self.claimed


@dataclass(frozen=True)
class Moved(Traced):
    """Sentences that clauses claim have the same words and other numbers in this text.

    Something before them was added, taken out, or put elsewhere.
    """

    code = "T304"
    slug = "moved-sentences"
    title = "sentences of text `{text}` have moved: {moves}"
    mend = "`rulewright locate FILE --lang LANGUAGE --for GAME` prints `at` with the new numbers"
    text: str
    moves: str


@dataclass(frozen=True)
class Gone(Traced):
    """A sentence that clauses claim is nowhere in this text.

    The fingerprint matches no sentence, and none is so like it that it must be the same one, changed. The
    nearest one is named, with how many of the 32 bits of likeness differ: 16 is chance.
    """

    code = "T305"
    slug = "sentence-gone"
    title = "sentence {old} of text `{text}` is nowhere in it; {clauses}"
    mend = "{nearest}"
    old: int
    text: str
    clauses: str
    nearest: str


@dataclass(frozen=True)
class NotLocated(Traced):
    """A clause claims no sentence of the text.

    Only rulings have no place in a rulebook: they are about what it does not say. For all other clauses
    `at` names the sentences that say it. What stands in one edition or translation and not in another has no
    sentences there: `at: {en: 7, ro: []}`.
    """

    code = "T306"
    slug = "clause-not-located"
    title = "clause `{clause}` claims no sentence of text `{text}`"
    mend = "add `at: {{{text}: [...]}}`, with nothing between the brackets if only other texts say it"
    clause: str
    text: str


@dataclass(frozen=True)
class NotRendered(Traced):
    """No line of the rules and no declaration cites this clause.

    So either the rules leave it out, or the line that says it lacks its mark. If nothing has to say it,
    give the reason: `excluded: {rendered: why}`.
    """

    code = "T307"
    slug = "not-rendered"
    title = "no line renders clause `{clause}`"
    mend = "cite it where it is rendered, or say why it is not: `excluded: {{rendered: why}}`"
    clause: str


@dataclass(frozen=True)
class NotExecuted(Traced):
    """The lines that render this clause were reached by no playout and by no scenario.

    Nobody knows whether they do what they say. A scenario that needs them helps most.
    """

    code = "T308"
    slug = "not-executed"
    title = "no playout and no scenario comes to the lines of clause `{clause}`"
    mend = "write a scenario that comes to them, or say why there is none: `excluded: {{executed: why}}`"
    clause: str
    rendered: tuple[Label, ...] = ()

    @property
    def others(self) -> tuple[Label, ...]:
        return self.rendered


@dataclass(frozen=True)
class NotAsserted(Traced):
    """No scenario would notice if this clause were rendered wrongly.

    A scenario asserts a clause if it cites it, comes to one of the lines that render it, and says what must
    be true.
    """

    code = "T309"
    slug = "not-asserted"
    title = "no scenario asserts clause `{clause}`{but}"
    mend = "write one that cites it and comes to its lines, or say why not: `excluded: {{asserted: why}}`"
    clause: str
    but: str


@dataclass(frozen=True)
class RendersNothing(Traced):
    """A line of the rules renders no clause: neither the line nor what it stands in cites one.

    So no sentence of the rulebook asks for it. Cite the clause or the ruling that it renders.
    """

    code = "T310"
    slug = "renders-nothing"
    title = "this {what} renders no clause"
    mend = "cite the clause that it renders: {where}"
    what: str
    where: str


@dataclass(frozen=True)
class OtherNumbers(Traced):
    """A number stands in a clause's sentences, and in no line that renders the clause.

    Numbers of an example may also stand in a scenario that asserts it. Either the rules or the scenario have
    another number, or the sentence speaks of something that they need not know. Then the clause says so:
    `numbers: {3: why}`.
    """

    code = "T311"
    slug = "other-numbers"
    title = "sentence {sentence} of text `{text}` says {number}, and no {where} does"
    mend = "correct it there, or say why the number is not wanted there: `numbers: {{{number}: why}}`"
    sentence: int
    text: str
    number: int
    where: str
    rendered: tuple[Label, ...] = ()

    @property
    def others(self) -> tuple[Label, ...]:
        return self.rendered


@dataclass(frozen=True)
class CitedTwice(Traced):
    """One line cites the same clause twice.

    The second mark says nothing. Most often another one was meant.
    """

    code = "T312"
    slug = "cited-twice"
    title = "clause `{clause}` is cited twice here"
    mend = "take one mark away, or correct it"
    clause: str


@dataclass(frozen=True)
class NeedlessReason(Traced):
    """A clause has a reason why something is not asked of it, or a number not wanted in the rules; but it is.

    A reason for nothing hides the next mistake. Take it away.
    """

    code = "T313"
    slug = "needless-reason"
    title = "clause `{clause}` gives a reason for nothing: {what}"
    mend = "take the reason away"
    clause: str
    what: str


@dataclass(frozen=True)
class NoSuchText(Mistake):
    """A text is given that the rulebook file does not know.

    `texts` of the rulebook file lists the texts that clauses are located in, with the fingerprints of their
    sentences. `rulewright locate FILE --lang LANGUAGE --yaml` prints such an entry.
    """

    code = "T314"
    slug = "no-such-text"
    title = "{what}"
    mend = "{hint}"
    what: str
    hint: str


@dataclass(frozen=True)
class UnknownLanguage(Mistake):
    """Sentences or numerals of a language are wanted that the libraries do not know.

    A language is named by its ISO 639 code: `hu`, `ro`, `en`.
    """

    code = "T315"
    slug = "unknown-language"
    title = "`{name}` is not the code of a language"
    mend = "name it by its ISO 639 code, such as `hu`, `ro` or `en`"
    name: str


@dataclass(frozen=True)
class TranslationsDiffer(Traced):
    """Two texts of one rulebook disagree on a number: one says it of some clauses, the other does not.

    One of the translations may be wrong, or one of the two is located at the wrong sentence. If both are
    right, the clause says so: `numbers: {3: why}`.
    """

    code = "T316"
    slug = "translations-differ"
    title = "for {clauses}, text `{says}` says {number} and text `{other}` does not"
    mend = "look at both; if both are right, say why: `numbers: {{{number}: why}}`"
    clauses: str
    number: int
    says: str
    other: str
