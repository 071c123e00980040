"""T-codes: differences between a rulebook and its rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dsl.diagnostics import Diagnostic, Label, Severity


@dataclass(frozen=True)
class TraceDiagnostic(Diagnostic):
    """A finding of the trace between a rulebook and its rules."""

    severity: ClassVar[Severity] = Severity.WARNING


@dataclass(frozen=True)
class TextsNotInstalled(Diagnostic):
    """A library for human languages is required but not installed.

    Libraries split sentences and recognise words for numbers, since every language has its own abbreviations
    and numerals. They are an optional extra: `pip install "rulewright[texts]"`.
    """

    code = "T301"
    slug = "texts-not-installed"
    title = "the library `{library}` is not installed"
    advice = 'install it with `pip install "rulewright[texts]"`'
    library: str


@dataclass(frozen=True)
class Unclaimed(TraceDiagnostic):
    """Sentences of the rulebook's text belong to no clause.

    So it is unknown which rule renders them, or that none has to. Add their numbers to the `at` of the
    clauses that say them, or to a clause of kind `flavour` if they have no effect on play.
    `rulewright locate FILE --language LANGUAGE --for GAME --unclaimed` shows them.
    """

    code = "T302"
    slug = "unclaimed-sentences"
    title = "in text `{text}`, {count} claimed by no clause: {numbers}"
    advice = "add them to `at` of clauses; use a clause of kind `flavour` for what has no effect on play"
    text: str
    count: str
    numbers: str


@dataclass(frozen=True)
class Changed(TraceDiagnostic):
    """A sentence that clauses claim has changed in this text.

    The text is of another edition, or has been corrected. Read the sentence again; if the rules and the
    summary still match it, `rulewright locate --yaml` prints the new fingerprints.
    """

    code = "T303"
    slug = "changed-sentence"
    title = "sentence {old} of text `{text}` has changed{now}; {clauses}"
    advice = "read it again, then use the fingerprints that `rulewright locate --yaml` prints"
    old: int
    text: str
    now: str
    clauses: str
    claimed: tuple[Label, ...] = ()

    @property
    def others(self) -> tuple[Label, ...]:
        return self.claimed


@dataclass(frozen=True)
class Moved(TraceDiagnostic):
    """Sentences that clauses claim have the same words but other numbers in this text.

    Something before them was added, removed, or moved.
    """

    code = "T304"
    slug = "moved-sentences"
    title = "sentences of text `{text}` have moved: {moves}"
    advice = "`rulewright locate FILE --language LANGUAGE --for GAME` prints `at` with the new numbers"
    text: str
    moves: str


@dataclass(frozen=True)
class Gone(TraceDiagnostic):
    """A sentence that clauses claim is missing in this text.

    The fingerprint matches no sentence, and none is similar enough to be the same one, changed. The nearest
    one is named, with how many of the 32 bits of similarity differ: 16 is random.
    """

    code = "T305"
    slug = "sentence-gone"
    title = "missing sentence {old} of text `{text}`; {clauses}"
    advice = "{nearest}"
    old: int
    text: str
    clauses: str
    nearest: str


@dataclass(frozen=True)
class NotLocated(TraceDiagnostic):
    """A clause claims no sentence of the text.

    Only rulings have no place in a rulebook: they cover what it does not say. For all other clauses `at`
    names the sentences that state them. What is in one edition or translation but not in another has no
    sentences there: `at: {en: 7, ro: []}`.
    """

    code = "T306"
    slug = "clause-not-located"
    title = "clause `{clause}` claims no sentence of text `{text}`"
    advice = "add `at: {{{text}: [...]}}`, with nothing between the brackets if only other texts say it"
    clause: str
    text: str


@dataclass(frozen=True)
class NotRendered(TraceDiagnostic):
    """No line of the rules and no declaration cites this clause.

    Either the rules omit it, or the line that renders it lacks its mark. If nothing has to render it, give
    the reason: `excluded: {rendered: why}`.
    """

    code = "T307"
    slug = "not-rendered"
    title = "no line renders clause `{clause}`"
    advice = "cite it where it is rendered, or give the reason: `excluded: {{rendered: why}}`"
    clause: str


@dataclass(frozen=True)
class NotExecuted(TraceDiagnostic):
    """No playout and no scenario reaches the lines that render this clause.

    It is unknown whether they are correct. A scenario that depends on them helps most.
    """

    code = "T308"
    slug = "not-executed"
    title = "no playout and no scenario reaches the lines of clause `{clause}`"
    advice = "write a scenario that reaches them, or give the reason: `excluded: {{executed: why}}`"
    clause: str
    rendered: tuple[Label, ...] = ()

    @property
    def others(self) -> tuple[Label, ...]:
        return self.rendered


@dataclass(frozen=True)
class NotAsserted(TraceDiagnostic):
    """No scenario would detect an error in the rendering of this clause.

    A scenario asserts a clause if it cites it, reaches one of the lines that render it, and makes an
    assertion.
    """

    code = "T309"
    slug = "not-asserted"
    title = "no scenario asserts clause `{clause}`{but}"
    advice = (
        "write one that cites it and reaches its lines, or give the reason: `excluded: {{asserted: why}}`"
    )
    clause: str
    but: str


@dataclass(frozen=True)
class RendersNothing(TraceDiagnostic):
    """A line of the rules renders no clause: neither the line nor its definition cites one.

    So no sentence of the rulebook requires it. Cite the clause or the ruling that it renders.
    """

    code = "T310"
    slug = "renders-nothing"
    title = "this {what} renders no clause"
    advice = "cite the clause that it renders: {where}"
    what: str
    where: str


@dataclass(frozen=True)
class OtherNumbers(TraceDiagnostic):
    """A number is in a clause's sentences, but in no line that renders the clause.

    Numbers of an example may also be in a scenario that asserts it. Either the rules or the scenario have
    another number, or the sentence is about something that they do not need. In that case, state it:
    `numbers: {3: why}`.
    """

    code = "T311"
    slug = "other-numbers"
    title = "{number} is in sentence {sentence} of text `{text}`, but in no {where}"
    advice = "correct it there, or give the reason: `numbers: {{{number}: why}}`"
    sentence: int
    text: str
    number: int
    where: str
    rendered: tuple[Label, ...] = ()

    @property
    def others(self) -> tuple[Label, ...]:
        return self.rendered


@dataclass(frozen=True)
class CitedTwice(TraceDiagnostic):
    """One line cites the same clause twice.

    The second mark is redundant. Usually another one was intended.
    """

    code = "T312"
    slug = "cited-twice"
    title = "clause `{clause}` is cited twice here"
    advice = "remove one mark, or correct it"
    clause: str


@dataclass(frozen=True)
class NeedlessReason(TraceDiagnostic):
    """A clause gives a reason for an exclusion that is not needed.

    A needless reason hides the next mistake. Remove it.
    """

    code = "T313"
    slug = "needless-reason"
    title = "needless reason in clause `{clause}`: {what}"
    advice = "remove the reason"
    clause: str
    what: str


@dataclass(frozen=True)
class NoSuchText(Diagnostic):
    """A text is not listed in the rulebook file.

    `texts` of the rulebook file lists the texts that clauses are located in, with the fingerprints of their
    sentences. `rulewright locate FILE --language LANGUAGE --yaml` prints such an entry.
    """

    code = "T314"
    slug = "no-such-text"
    title = "{what}"
    advice = "{hint}"
    what: str
    hint: str


@dataclass(frozen=True)
class UnknownLanguage(Diagnostic):
    """The libraries do not support the language of a text.

    A language is named by its ISO 639 code: `hu`, `ro`, `en`.
    """

    code = "T315"
    slug = "unknown-language"
    title = "`{name}` is not a language code"
    advice = "use an ISO 639 code, such as `hu`, `ro` or `en`"
    name: str


@dataclass(frozen=True)
class TranslationsDiffer(TraceDiagnostic):
    """Two texts of one rulebook disagree on a number: one has it in some clauses, the other does not.

    One of the translations may be wrong, or one of the two is located at the wrong sentence. If both are
    right, state it in the clause: `numbers: {3: why}`.
    """

    code = "T316"
    slug = "translations-differ"
    title = "for {clauses}, text `{says}` has {number}, but text `{other}` does not"
    advice = "compare both; if both are right, give the reason: `numbers: {{{number}: why}}`"
    clauses: str
    number: int
    says: str
    other: str


@dataclass(frozen=True)
class BriefNumber(TraceDiagnostic):
    """A line that sums up the game has a number that is nowhere in the rules.

    The lines under `brief` are the designer's own words, and stand at the beginning of the generated
    rulebook. Their names and clauses are checked when a ruleset is loaded; their numbers are compared with
    those of all lines and declarations, and with how many may play. A constant is best written by its name,
    `{rounds}`: then it follows the rules.
    """

    code = "T317"
    slug = "brief-number"
    title = "`{key}` of `brief` says {number}, which is nowhere in the rules"
    advice = "correct it; a constant can be named: `{{NAME}}`"
    key: str
    number: int


@dataclass(frozen=True)
class OtherAmount(TraceDiagnostic):
    """A summary of a clause or a help text says how much is gained or paid, and all of its lines otherwise.

    Only numbers that count the thing itself are compared, *three coins*, not bounds such as *more than three
    coins*, and only with lines that gain, pay or lose a number of it. Correct the one or the other, or give
    the reason in the clause: `numbers: {3: why}`.
    """

    code = "T318"
    slug = "other-amount"
    title = "the {of} says {number} of `{noun}`, but its lines say {found}"
    advice = "correct the text or the rules"
    of: str
    number: str
    noun: str
    found: str
    rendered: tuple[Label, ...] = ()

    @property
    def others(self) -> tuple[Label, ...]:
        return self.rendered


@dataclass(frozen=True)
class OtherFreedom(TraceDiagnostic):
    """By a summary or a help text somebody may do something, but its lines leave no choice.

    Each `choose` and `do` of the clause, or of the action with the help, must be done. `may choose` and
    `may do` leave it free; a summary of what must be done says *chooses*.
    """

    code = "T319"
    slug = "other-freedom"
    title = "the {of} says “{words}”, but its lines leave no choice"
    advice = "write `may` in the rules, or what must be done in the text"
    of: str
    words: str
    rendered: tuple[Label, ...] = ()

    @property
    def others(self) -> tuple[Label, ...]:
        return self.rendered


@dataclass(frozen=True)
class OtherFace(TraceDiagnostic):
    """The clause of a place says that pieces lie face down there, but everybody sees them; or face up, but
    nobody does.

    The generated rulebook has the clause beside the place and tells who sees it by its declaration, so it
    would say both. Correct `seen_by` or the summary.
    """

    code = "T320"
    slug = "other-face"
    title = "the summary of `{clause}` says that `{zone}` is {words}, but {seen}"
    advice = "correct `seen_by` or the summary"
    clause: str
    words: str
    zone: str
    seen: str
