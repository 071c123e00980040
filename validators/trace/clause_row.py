"""What is known of one clause of the rulebook, and what is asked of it."""

from __future__ import annotations

from dataclasses import dataclass

from dsl import rules as r
from validators.scenarios.scenario import Scenario
from validators.trace.sites import RuleSite

ASKED: dict[str, tuple[r.Duty, ...]] = {
    "rule": ("rendered", "executed", "asserted"),
    "component": ("rendered",),
    "definition": ("rendered",),
    "example": ("asserted",),
    "ruling": ("asserted",),
    "flavour": (),
}
"""What is asked of each kind of clause."""


@dataclass(frozen=True, slots=True)
class ClauseRow:
    """What is known of one clause.

    `played` is the number of playouts that came to one of its lines, `seen_by` the scenarios that did.
    `stands`: only declarations render it, and promises that play cannot break, which hold at all times.
    `cited_by` are the scenarios that cite it, `asserted_by` those of them that hold and come to one of its
    lines. Promises (`always`) are not looked at in scenarios; to cite a clause that only they render is
    enough. `failing` do not hold.
    """

    clause: r.Clause
    sites: tuple[RuleSite, ...]
    stands: bool
    played: int
    seen_by: tuple[Scenario, ...]
    cited_by: tuple[Scenario, ...]
    asserted_by: tuple[Scenario, ...]
    failing: tuple[Scenario, ...] = ()

    @property
    def asked(self) -> tuple[r.Duty, ...]:
        """What is asked of it, without what it is excluded from."""
        return tuple(duty for duty in ASKED[self.clause.kind] if duty not in self.clause.excluded)

    def holds(self, duty: r.Duty) -> bool:
        match duty:
            case "rendered":
                return bool(self.sites)
            case "executed":
                return bool(self.sites) and (self.stands or self.played > 0 or bool(self.seen_by))
            case "asserted":
                return bool(self.asserted_by)

    @property
    def missing(self) -> tuple[r.Duty, ...]:
        return tuple(duty for duty in self.asked if not self.holds(duty))
