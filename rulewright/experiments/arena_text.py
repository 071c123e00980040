"""What an arena says, as text and as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from dsl.wording import counted
from rulewright.experiments.arena import ArenaPlan, ArenaResult, Meeting, Met
from rulewright.experiments.comparison_text import ended_early, interval_object
from validators.experiments.statistics import Rating, SequentialVerdict, normal_interval


def arena_text(found: ArenaResult, title: str, command: str) -> str:
    """The ratings, best first; each meeting; the command that makes it again."""
    plan, ratings = found.plan, found.ratings
    width = max(map(len, plan.bots))
    lines = [
        f"{title}, {counted(plan.variant.seats, 'seat')}",
        "",
        f"{'':<{width}}{'Elo':>8}   95 % interval",
    ]
    for i in best_first(ratings):
        lines.append(f"{plan.bots[i]:<{width}}{_rated(ratings[i])}")
    lines.append("")
    lines += [line for meeting, met in found.met.items() for line in _meeting(plan, meeting, met)]
    lines += ended_early(found, sum(met.played for met in found.met.values()))
    return "\n".join([*lines, "", f"again: {command}"])


def best_first(ratings: Sequence[Rating]) -> list[int]:
    """The bots by number, the highest rating first."""
    return sorted(range(len(ratings)), key=lambda i: -ratings[i].elo)


def _rated(rating: Rating) -> str:
    interval = normal_interval(rating.elo, rating.error)
    return f"{rating.elo:>+8.0f}   {interval.low:+.0f} to {interval.high:+.0f}"


def _meeting(plan: ArenaPlan, meeting: Meeting, met: Met) -> list[str]:
    first, second = (plan.bots[i] for i in meeting)
    seen = met.score(plan.variant.seats)
    if not seen.n:
        return [f"{first} against {second}: not played"]
    elo = met.elo(plan)
    shown = "  ".join(f"{points:g}: {times:,}" for points, times in met.pentanomial(plan).items())
    strength = f"normalised Elo {elo.estimate:+.0f} ({elo.low:+.0f} to {elo.high:+.0f})"
    return [
        f"{first} against {second}: {verdict(plan, meeting, met)}",
        f"  {counted(seen.n, 'pair')}, {100 * seen.mean:.1f} % of the points, {strength}",
        f"  points of {first} in a pair, and how often  {shown}",
    ]


def verdict(plan: ArenaPlan, meeting: Meeting, met: Met) -> str:
    """Who is better, in words."""
    first, second = (plan.bots[i] for i in meeting)
    match met.verdict(plan):
        case SequentialVerdict.HIGHER:
            return f"{first} is better"
        case SequentialVerdict.LOWER:
            return f"{second} is better"
        case SequentialVerdict.SAME:
            return f"equal within {plan.margin:g}"
        case SequentialVerdict.UNDECIDED:
            return "undecided"


def arena_object(found: ArenaResult, command: str) -> dict[str, object]:
    """The arena for programs."""
    plan = found.plan
    return {
        "digest": plan.variant.digest,
        "seats": plan.variant.seats,
        "options": dict(plan.variant.options),
        "seed": plan.first,
        "interrupted": found.interrupted,
        "failure": found.failure.code if found.failure is not None else None,
        "ratings": [
            {"bot": bot, "elo": interval_object(normal_interval(rating.elo, rating.error))}
            for bot, rating in zip(plan.bots, found.ratings, strict=True)
        ],
        "meetings": [_meeting_object(plan, meeting, met) for meeting, met in found.met.items()],
        "again": command,
    }


def _meeting_object(plan: ArenaPlan, meeting: Meeting, met: Met) -> dict[str, object]:
    seen = met.score(plan.variant.seats)
    return {
        "bots": [plan.bots[i] for i in meeting],
        "pairs": seen.n,
        "share": round(seen.mean, 6) if seen.n else None,
        "normalised_elo": interval_object(met.elo(plan)) if seen.n else None,
        "points": {f"{points:g}": times for points, times in met.pentanomial(plan).items()},
        "verdict": str(met.verdict(plan)),
        "faults": {text: sorted(fault.seeds) for text, fault in sorted(met.tally.faults.items())},
    }
