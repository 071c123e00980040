"""The row of a clause in the trace: its duties, and whether they are met."""

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
"""The duties of each kind of clause."""


@dataclass(frozen=True, slots=True)
class ClauseRow:
    """What is known of one clause.

    `played` is the number of playouts that reached one of its lines, `seen_by` the scenarios that did.
    `stands`: it is rendered only by declarations and static promises, which need no execution. `cited_by` are
    the scenarios that cite it, `asserted_by` those of them that hold and reach one of its lines. If only
    promises (`always`) render it, citing is enough. `failing` do not hold.
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
        """Its duties, without the excluded ones."""
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
