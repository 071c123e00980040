"""What a simulation says, as text and as JSON."""

from __future__ import annotations

from dataclasses import dataclass

import click

from dsl.wording import counted
from interpreter.messages import Fault
from rulewright.commands.playout_tally import Figures, Tally
from rulewright.processes.early_end import EarlyEnd
from rulewright.terminal.output import complain, diagnostic_objects, json_text

MOST_FAILED = 100
"""The faults after which a simulation ends."""
SHOWN = 10
"""How many seeds of faults are shown."""


@dataclass(frozen=True)
class FailedPlayout:
    """A playout with a fault: its number (from 1), its seed, and how many decisions it took."""

    number: int
    seed: int
    fault: Fault
    decisions: int | None = None


@dataclass(frozen=True)
class Heading:
    """The game that is simulated, how many playouts are asked for, and the seed of the first."""

    title: str
    name: str
    digest: str
    seats: int
    number: int
    seed: int
    bots: tuple[str, ...] = ()


def show(
    game: Heading, tally: Tally, failed: list[FailedPlayout], command: str, end: EarlyEnd, as_json: bool
) -> None:
    """Prints what playouts came to; faults go to the error stream. `command` repeats the first of them."""
    if as_json:
        first = _fault(failed[0], command) if failed else None
        seeds = [one.seed for one in failed]
        answer = json_text(_object(game, tally, end) | {"fault": first, "failed": seeds})
        click.echo(answer)
    else:
        parts = [_text(game, tally)] if tally.decisions else []
        parts += [_ended(game, len(tally.decisions) + len(failed), end)] if end.early else []
        if parts:
            click.echo("\n".join(parts))
    if failed:
        kinds = {(d.code, d.span): d for d in (one.fault.diagnostic for one in reversed(failed))}
        complain(list(kinds.values())[::-1])
        click.echo(_failed(failed, command), err=True)


def _ended(game: Heading, played: int, end: EarlyEnd) -> str:
    if not played:
        return f"{end.why} before a playout had ended"
    seeds = f"seeds {game.seed} to {game.seed + played - 1}"
    return f"{end.why}: these are the first {played:,} of {counted(game.number, 'playout')}, {seeds}"


def _failed(failed: list[FailedPlayout], command: str) -> str:
    """Which playouts ended in a fault, and how to see the first of them again."""
    first = failed[0]
    made = counted(first.decisions or 0, "decision")
    lines = [f"  in playout {first.number} (seed {first.seed}), after {made}"]
    if len(failed) > 1:
        seeds = ", ".join(str(one.seed) for one in failed[:SHOWN])
        more = ", ..." if len(failed) > SHOWN else ""
        many = "; the simulation ended there" if len(failed) == MOST_FAILED else ""
        number = counted(len(failed), "playout")
        lines.append(f"  {number} ended in a fault and are not counted, seeds {seeds}{more}{many}")
    return "\n".join([*lines, f"  to see it again: {command}"])


def _text(game: Heading, tally: Tally) -> str:
    played = len(tally.decisions)
    lines = [
        f"{game.title}: {counted(played, 'playout')} in {tally.seconds:.1f} s",
        f"  {_rate(played, tally):,.1f} playouts/s, {_rate(sum(tally.decisions), tally):,.0f} decisions/s",
        *([f"  at the seats in order: {', '.join(game.bots)}"] if game.bots else []),
        "",
        f"{'seat':<6}{'wins':>9}{'':>8}{'score mean':>14}{'min':>7}{'max':>7}",
    ]
    wins = tally.wins
    for seat, scores in tally.scores.items():
        share, stats = wins[seat], Figures.of(scores)
        lines.append(
            f"{seat:<6}{share:>9.1f}{share / played:>8.1%}{stats.mean:>z14.1f}{stats.least:>7}{stats.most:>7}"
        )
    if tally.won_by_nobody:
        lines.append(f"nobody{tally.won_by_nobody:>9}{tally.won_by_nobody / played:>8.1%}")
    width = max(map(len, tally.ended), default=0)
    for name, times in sorted(tally.ended.items()):
        lines.append(f"{name:<{width}} {times:>{max(1, 14 - width)}}{times / played:>8.1%}")
    lines += ["", f"{'per playout':<20}{'min':>7}{'median':>9}{'mean':>9}{'max':>7}"]
    lines += [
        _numbers_line("decisions", tally.decisions),
        _numbers_line("outcomes of chance", tally.outcomes),
    ]
    per = tally.offered / max(1, tally.asked)
    return "\n".join([*lines, "", f"choices per decision: {per:.1f} on average, at most {tally.widest}"])


def _numbers_line(name: str, numbers: list[int]) -> str:
    stats = Figures.of(numbers)
    return f"{name:<20}{stats.least:>7}{stats.median:>9.1f}{stats.mean:>9.1f}{stats.most:>7}"


def _rate(number: int, tally: Tally) -> float:
    return number / max(tally.seconds, 1e-9)


def _object(game: Heading, tally: Tally, end: EarlyEnd) -> dict[str, object]:
    played = len(tally.decisions)
    return {
        "game": game.name,
        "rules": game.digest,
        "seats": game.seats,
        "seed": game.seed,
        **({"bots": list(game.bots)} if game.bots else {}),
        "playouts": played,
        "interrupted": end.interrupted,
        "failure": end.failure.code if end.failure is not None else None,
        "seconds": round(tally.seconds, 3),
        "playouts_per_second": round(_rate(played, tally), 1),
        "decisions_per_second": round(_rate(sum(tally.decisions), tally), 1),
        "wins": {seat: round(share, 6) for seat, share in tally.wins.items()},
        "won_by_nobody": tally.won_by_nobody,
        "won_by": {" ".join(seats): times for seats, times in sorted(tally.won.items()) if seats},
        "ended": dict(sorted(tally.ended.items())),
        "scores": {seat: _numbers(scores) for seat, scores in tally.scores.items()},
        "decisions": _numbers(tally.decisions),
        "outcomes": _numbers(tally.outcomes),
        "choices": {"mean": round(tally.offered / max(1, tally.asked), 3), "max": tally.widest},
    }


def _numbers(numbers: list[int]) -> dict[str, float]:
    if not numbers:
        return {}
    stats = Figures.of(numbers)
    return {"min": stats.least, "median": stats.median, "mean": round(stats.mean, 3), "max": stats.most}


def _fault(failed: FailedPlayout, command: str) -> dict[str, object]:
    (found,) = diagnostic_objects([failed.fault.diagnostic])
    return {"playout": failed.number, "seed": failed.seed, "again": command, **found}
