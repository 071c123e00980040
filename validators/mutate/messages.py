"""What is found by putting mistakes into a ruleset, as mistakes with codes."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.diagnostics import Label, Mistake, Severity
from dsl.source import Span


@dataclass(frozen=True)
class Survived(Mistake):
    """A mistake was put into the rules, and every scenario holds all the same.

    So nothing would notice if the rule were changed in this way. Mostly a scenario is missing: a position in
    which the changed rule comes to something else; perhaps no scenario comes to this place at all. Sometimes
    the change makes no difference to play; then `mutants.yaml` can say so, with the reason.
    """

    code = "T340"
    slug = "mutant-survived"
    severity = Severity.WARNING
    title = "no scenario {does} {what}"
    label = "{operator}"
    mend = "show it in a scenario, or say in `mutants.yaml` why it makes no difference"
    what: str
    operator: str
    does: str = "notices"


@dataclass(frozen=True)
class NoSuchMutant(Mistake):
    """An entry of `mutants.yaml` says of a mutant that makes no difference, but there is no such mutant.

    Perhaps the rule was written anew since. `rulewright mutate GAME --json` lists all mutants in the words
    that an entry uses.
    """

    code = "T341"
    slug = "no-such-mutant"
    title = "there is no mutant of {where} that fits this entry"
    mend = "{hint}"
    where: str
    hint: str


@dataclass(frozen=True)
class NotEquivalent(Mistake):
    """An entry of `mutants.yaml` says that a mutant makes no difference, but it does, or it is none.

    A scenario has noticed it. Or all that the entry fits are no games at all, or come to the same machine,
    which is found without an entry.
    """

    code = "T342"
    slug = "not-equivalent"
    title = "this mutant needs no reason: {why}"
    mend = "take the entry out; if it fits several mutants, `nth` says which one is meant"
    why: str
    mutant: Span

    @property
    def others(self) -> tuple[Label, ...]:
        return (Label(self.mutant, "the mutant"),)


@dataclass(frozen=True)
class NothingToMutate(Mistake):
    """No mutant is left to look at.

    The clause, operator or sample that was asked for leaves none, or the ruleset has no scenarios that
    could notice one.
    """

    code = "T343"
    slug = "nothing-to-mutate"
    title = "there is nothing to mutate{why}"
    mend = "{hint}"
    why: str
    hint: str


@dataclass(frozen=True)
class FailsUnchanged(Mistake):
    """A scenario does not hold in the ruleset as it is, so it can say nothing of its mutants."""

    code = "T344"
    slug = "fails-unchanged"
    title = "`{name}` does not hold before anything is changed"
    mend = "mend it first: `rulewright test` shows what is not so"
    name: str
