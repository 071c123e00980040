"""T340 to T344: results of mutation testing."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.diagnostics import Diagnostic, Label, Severity
from dsl.source import Span


@dataclass(frozen=True)
class Survived(Diagnostic):
    """A mutant survived: a mistake was put into the rules, and every scenario still holds.

    So nothing would detect this change of the rule. Usually a scenario is missing: a position in which the
    changed rule gives another result; perhaps no scenario reaches this place at all. Sometimes the change
    makes no difference to play; then list it in `mutants.yaml`, with the reason.
    """

    code = "T340"
    slug = "mutant-survived"
    severity = Severity.WARNING
    title = "no scenario {does} {what}"
    label = "{operator}"
    advice = "write a scenario that fails, or give the reason why it makes no difference in `mutants.yaml`"
    what: str
    operator: str
    does: str = "notices"


@dataclass(frozen=True)
class NoSuchMutant(Diagnostic):
    """An entry of `mutants.yaml` matches no mutant.

    Perhaps the rule has been rewritten since. `rulewright mutate GAME --json` lists all mutants in the words
    that an entry uses.
    """

    code = "T341"
    slug = "no-such-mutant"
    title = "no mutant of {where} matches this entry"
    advice = "{hint}"
    where: str
    hint: str


@dataclass(frozen=True)
class NotEquivalent(Diagnostic):
    """An entry of `mutants.yaml` claims that a mutant makes no difference, but it does, or is not a game.

    A scenario has detected it. Or none of the matching mutants is a valid game, or each compiles to the same
    machine, which is found without an entry.
    """

    code = "T342"
    slug = "not-equivalent"
    title = "needless entry: {why}"
    advice = "remove the entry; if it matches several mutants, choose one with `nth`"
    why: str
    mutant: Span

    @property
    def others(self) -> tuple[Label, ...]:
        return (Label(self.mutant, "the mutant"),)


@dataclass(frozen=True)
class NothingToMutate(Diagnostic):
    """There is no mutant to test.

    The requested clause, operator or sample leaves none, or the ruleset has no scenarios that could detect
    one.
    """

    code = "T343"
    slug = "nothing-to-mutate"
    title = "nothing to mutate{why}"
    advice = "{hint}"
    why: str
    hint: str


@dataclass(frozen=True)
class FailsUnchanged(Diagnostic):
    """A scenario fails in the unchanged ruleset, so it says nothing about mutants."""

    code = "T344"
    slug = "fails-unchanged"
    title = "`{name}` fails in the unchanged ruleset"
    advice = "correct it first: `rulewright test` shows what fails"
    name: str
