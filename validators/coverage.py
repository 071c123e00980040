"""Which places of the rules are executed: by random playouts, and by each scenario.

A point of cover (`interpreter.ir.coverage`) is a routine, a parameter, a statement, a `needs`, a case or
modifier of a value, a table, a trigger, a score line, an invariant, a phase, a step of the flow, or an effect
that cells name. Its number is the same for every configuration of a game.

What counts as executed (`RAN`):

* a statement, a step, a phase: a run came by. One that was run only on a copy of the state, to find out
  whether something can be done, was `TRIED`.
* a routine: its body was begun; a trigger: its block was.
* a parameter: somebody, or a trial, looked for what can be chosen for it.
* a `needs`: it was asked, in a trial too.
* a case or modifier of a value: its amount was worked out; a table: it was looked up. It does not matter by
  whom: for an offer, in a trial, by a trigger, or by a question that a scenario asks.
* a score line: an account was made. Playouts make one for each seat when they end.
* an invariant: it was looked at. Playouts do so once, when they end; scenarios after each choice.
* an effect that cells name: it was done; if it was only offered or asked about, it was `TRIED`.

`HELD` and `FAILED` say that a condition was true and that it was false: of `needs`, `if`, `while`, the cases
and modifiers of values, triggers and invariants. Conditions behind `where`, and those inside of an
expression, have no points of their own. Nothing is executed by noting at the start which triggers hold
already.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

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
    """In how many playouts each point came to something, by its number.

    `reached` counts those in which it came to anything at all. `faults` are the playouts that ended with a
    fault; what they executed before it counts.
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
    """How a scenario went, and the outcomes of each point; none if its game could not be made."""

    result: Result
    outcomes: bytes

    @property
    def ran(self) -> frozenset[int]:
        """The points that were executed."""
        return frozenset(i for i, bits in enumerate(self.outcomes) if bits & ir.RAN)

    @property
    def reached(self) -> frozenset[int]:
        """The points that came to anything: without a change at one of them it cannot go otherwise."""
        return frozenset(i for i, bits in enumerate(self.outcomes) if bits)


# ---- playouts


def playouts_covered(
    rules: Rules,
    seats: int | None = None,
    options: Mapping[str, str | int] | None = None,
    number: int = 1000,
    seed: int = 0,
) -> Coverage:
    """What the playouts of the seeds `seed`, `seed + 1`, ... execute, on the fast executor.

    They are those of a machine without cover. Raises `ErrorsReported` if the configuration does not exist.
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
    """In how many playouts each point has one of some bits: sums of bytes that lie in one large number."""
    flags = bytes(int(bool(byte & mask)) for byte in range(256))
    found = [0] * len(points)
    for first in range(0, len(played), LANES):
        some = played[first : first + LANES]
        total = sum(int.from_bytes(outcomes.translate(flags), "little") for outcomes in some)
        lanes = total.to_bytes(len(points), "little")
        found = [x + y for x, y in zip(found, lanes, strict=True)]
    return tuple(found)


def joined(found: Iterable[Coverage]) -> Coverage:
    """The playouts of several configurations of one game taken together. There is at least one."""
    first, *others = found
    for other in others:
        first = replace(
            first,
            playouts=first.playouts + other.playouts,
            faults=first.faults + other.faults,
            reached=_sums(first.reached, other.reached),
            ran=_sums(first.ran, other.ran),
            tried=_sums(first.tried, other.tried),
            held=_sums(first.held, other.held),
            failed=_sums(first.failed, other.failed),
        )
    return first


def _sums(one: tuple[int, ...], two: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(x + y for x, y in zip(one, two, strict=True))


# ---- scenarios


def perform(runner: ScenarioRunner, scenario: Scenario) -> Performed:
    """Runs a scenario in a runner with `cover`, on either executor, and says what it has executed."""
    try:
        game = runner.game(scenario)
    except ErrorsReported:
        return Performed(runner.run(scenario), b"")
    game.executor.clear_cover()
    result = runner.run(scenario)
    return Performed(result, game.executor.covered())


# ---- which points a change of the text concerns


def concerned(points: tuple[ir.CoveragePoint, ...], span: Span) -> frozenset[int] | None:
    """The points of which one must be reached for a change within a span to matter; none: that is not known.

    These are the innermost points that hold the span; in the head of a routine all points of the routine. It
    is not known of declarations, of `goal`, and of the place that a trigger watches.
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
    """Every point of the routines in whose heads a change lies."""
    names = {points[i].name for i in found if points[i].kind == "routine"}
    own = ("parameter", "statement", "needs")
    return (i for i, point in enumerate(points) if point.kind in own and point.name in names)
