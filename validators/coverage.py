"""Coverage of the rules: which points are executed by random playouts, and by each scenario.

A coverage point (`interpreter.ir.coverage`) is a routine, a parameter, a statement, a `needs`, a case or
modifier of a value, a table, a trigger, a score line, an invariant, a phase, a step of the flow, or an effect
that cells name. Its number is the same for every configuration of a game.

What counts as executed (`RAN`):

* a statement, a step, a phase: a run reached it. One that was run only in a trial, on a copy of the state,
  was `TRIED`.
* a routine or trigger: its body was entered.
* a parameter: its options were determined, perhaps in a trial.
* a `needs`: it was evaluated, perhaps in a trial.
* a case or modifier of a value: its amount was evaluated; a table: it was looked up. It does not matter by
  what: an offer, a trial, a trigger, or a question of a scenario.
* a score line: it was evaluated. Playouts evaluate the scores of each seat at their end.
* an invariant: it was evaluated. Playouts do so once, at their end; scenarios after each choice.
* an effect that cells name: it was run; if it was only offered or tried, it was `TRIED`.

`HELD` and `FAILED` say that a condition was true, and that it was false: of `needs`, `if`, `while`, the cases
and modifiers of values, triggers and invariants. Conditions after `where`, and those inside of an expression,
have no points. The initial evaluation of triggers executes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dsl.diagnostics import ErrorsReported
from dsl.rules import Rules
from dsl.source import Span
from interpreter import ir
from interpreter.compile.program import compile_rules
from validators.scenarios.running import Result, ScenarioRunner
from validators.scenarios.scenario import Scenario

LANES = 255
"""The most playouts that a byte for each point can count."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """In how many playouts each point had each outcome, by its number.

    `reached` counts those with any outcome. `faults` are the playouts that ended with a fault; what they
    executed before it counts.
    """

    points: tuple[ir.CoveragePoint, ...]
    playouts: int
    faults: int
    reached: tuple[int, ...]
    ran: tuple[int, ...]
    tried: tuple[int, ...]
    held: tuple[int, ...]
    failed: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Performed:
    """The result of a scenario, and the outcomes of each point; none if its game does not exist."""

    result: Result
    outcomes: bytes

    @property
    def ran(self) -> frozenset[int]:
        """The points that were executed."""
        return frozenset(i for i, bits in enumerate(self.outcomes) if bits & ir.RAN)

    @property
    def reached(self) -> frozenset[int]:
        """The points with any outcome: a change elsewhere cannot change the result."""
        return frozenset(i for i, bits in enumerate(self.outcomes) if bits)


# ---- playouts


def playouts_covered(
    rules: Rules,
    seats: int | None = None,
    options: Mapping[str, str | int] | None = None,
    number: int = 1000,
    seed: int = 0,
) -> Coverage:
    """The coverage of playouts with the seeds `seed`, `seed + 1`, ... on the fast executor.

    The playouts are the same as without coverage. Raises `ErrorsReported` if the configuration does not
    exist.
    """
    from interpreter.wasm.program import CoveredProgram

    machine = compile_rules(rules, seats, options, cover=True)
    program = CoveredProgram(machine)
    played = [program.playout(seed + i) for i in range(number)]
    faults = sum(rows.record is not None for rows, _ in played)
    return _coverage(machine.cover, faults, [outcomes for _, outcomes in played])


def _coverage(points: tuple[ir.CoveragePoint, ...], faults: int, played: list[bytes]) -> Coverage:
    masks = (sum(ir.OUTCOMES), *ir.OUTCOMES)
    return Coverage(points, len(played), faults, *(_counted(points, played, mask) for mask in masks))


def _counted(points: tuple[ir.CoveragePoint, ...], played: list[bytes], mask: int) -> tuple[int, ...]:
    """In how many playouts each point has one of some bits: bytes are added as one large number."""
    flags = bytes(int(bool(byte & mask)) for byte in range(256))
    found = [0] * len(points)
    for first in range(0, len(played), LANES):
        some = played[first : first + LANES]
        total = sum(int.from_bytes(outcomes.translate(flags), "little") for outcomes in some)
        lanes = total.to_bytes(len(points), "little")
        found = [x + y for x, y in zip(found, lanes, strict=True)]
    return tuple(found)


def joined(found: Sequence[Coverage]) -> Coverage:
    """The coverage of several configurations of one game together. There is at least one."""
    playouts, faults = sum(one.playouts for one in found), sum(one.faults for one in found)
    names = ("reached", "ran", "tried", "held", "failed")
    counts = (zip(*(getattr(one, name) for one in found), strict=True) for name in names)
    return Coverage(found[0].points, playouts, faults, *(tuple(map(sum, count)) for count in counts))


# ---- scenarios


def perform(runner: ScenarioRunner, scenario: Scenario) -> Performed:
    """Runs a scenario in a runner with `cover`, on either executor, and records what it executes."""
    try:
        game = runner.game(scenario)
    except ErrorsReported:
        return Performed(runner.run(scenario), b"")
    game.executor.clear_cover()
    result = runner.run(scenario)
    return Performed(result, game.executor.covered())


# ---- points of a change


def concerned(points: tuple[ir.CoveragePoint, ...], span: Span) -> frozenset[int] | None:
    """The points of which one must be reached for a change within a span to matter; none if unknown.

    These are the innermost points around the span; in the header of a routine all points of the routine. They
    are unknown for declarations, for `eventually`, and for the place that a trigger watches.
    """
    inside = [i for i, point in enumerate(points) if point.kind != "cell" and _holds(point.span, span)]
    if not inside:
        return None
    shortest = min(points[i].span.end - points[i].span.start for i in inside)
    found = {i for i in inside if points[i].span.end - points[i].span.start == shortest}
    if any(points[i].kind == "trigger" and not points[i].asks for i in found):
        return None
    return frozenset(found | set(_of_heads(points, found)))


def _holds(outer: Span, inner: Span) -> bool:
    return outer.source.name == inner.source.name and outer.start <= inner.start and inner.end <= outer.end


def _of_heads(points: tuple[ir.CoveragePoint, ...], found: set[int]) -> Iterator[int]:
    """Every point of the routines with a change in the header."""
    names = {points[i].name for i in found if points[i].kind == "routine"}
    own = ("parameter", "statement", "needs")
    return (i for i, point in enumerate(points) if point.kind in own and point.name in names)
