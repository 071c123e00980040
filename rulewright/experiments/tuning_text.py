"""What a tuning says, as text and as JSON."""

from __future__ import annotations

import math

from dsl.wording import counted
from rulewright.experiments.comparison_text import interval_object
from rulewright.experiments.tuning import Candidate, Tuned, by_size
from validators.experiments.statistics import Interval

SHORTEST = 36
"""How wide the column of the changes is at least."""


def tuning_text(found: Tuned, target: str, command: str) -> str:
    """The answer first, then all that was tried, and the command that makes it again."""
    lines, tried = _answer(found, target), by_size(found)
    if tried:
        width = max(SHORTEST, *(len(_named(found, candidate)) + 1 for candidate in tried))
        lines += ["", f"{'change':>8}   {'':<{width}}{'measure':>9}   95 % interval"]
        lines += [_line(found, candidate, width) for candidate in tried]
    faults = [(c, c.first_fault) for c in tried if c.first_fault is not None]
    for candidate, (seed, fault) in faults[:1]:
        lines += ["", f"the first fault with {_named(found, candidate)}, seed {seed}: {fault}"]
    refuted = ", ".join(_named(found, c) for c in found.refuted)
    if refuted:
        lines += ["", f"reached with the first seeds, but not with fresh ones: {refuted}"]
    return "\n".join([*lines, "", f"again: {command}"])


def _answer(found: Tuned, target: str) -> list[str]:
    plan, answer = found.plan, found.answer
    if answer is None or answer.seen is None:
        nearest = found.nearest
        if found.interrupted or found.failure is not None:
            return _ended_early(found, target)
        if nearest is None or nearest.seen is None:
            return [f"`{target}` cannot be told: with these numbers no match came to an end"]
        near = f"the nearest is {_mean(found, nearest)}"
        why = [] if found.refuted else [f"  {_why_not(found)}"]
        return [f"`{target}` is not reached by any change that was tried; {near}", *why]
    value, between = _shown(found, answer.seen.anytime())
    sure = "confirmed" if found.confirmed else "likely, but its interval reaches beyond the target"
    change = plan.size(answer.values)
    what = f"with {_named(found, answer)}" if change else "already, nothing needs to change"
    return [
        f"`{target}` is reached {what}",
        f"  {sure}: {value} ({between}) in {counted(answer.seen.n, 'fresh playout')}",
    ]


def _mean(found: Tuned, candidate: Candidate) -> str:
    """The measure of a candidate, and its values."""
    mean = candidate.seen.mean if candidate.seen is not None else math.nan
    return f"{_shown(found, Interval(mean, 0, 0))[0]} with {_named(found, candidate)}"


def _why_not(found: Tuned) -> str:
    """Whether the target was jumped over or is beyond all that was tried, and what may help."""
    below, above = found.beside
    if below is not None and above is not None:
        ends = f"from {_mean(found, below)} to {_mean(found, above)}"
        return f"it is jumped over, {ends}: a wider range, or finer numbers"
    bounds = ", ".join(f"{n.name} {n.low} to {n.high}" for n in found.plan.numbers)
    side = "below" if below is not None else "above"
    return f"all that was tried is {side} it, within {bounds}: wider bounds, or other numbers"


def _ended_early(found: Tuned, target: str) -> list[str]:
    why, playing = "interrupted" if found.interrupted else "play ended early", found.playing
    if not by_size(found):
        return [f"{why} before a match had ended"]
    if playing is None or playing.seen is None or playing.values not in found.tried:
        return [f"{why}: `{target}` was not reached so far"]
    value, between = _shown(found, playing.seen.anytime())
    return [
        f"{why}: `{target}` is reached with {_named(found, playing)}, but that is not confirmed",
        f"  so far: {value} ({between}) in {counted(playing.seen.n, 'fresh playout')}",
    ]


def _named(found: Tuned, candidate: Candidate) -> str:
    pairs = zip(found.plan.numbers, candidate.values, strict=True)
    changed = [f"{n.name} {v} for {n.value}" for n, v in pairs if v != n.value]
    return ", ".join(changed) or "nothing changed"


def _line(found: Tuned, candidate: Candidate, width: int) -> str:
    change = found.plan.size(candidate.values)
    if candidate.seen is None:
        none = "no end" if candidate.faults else "no game"
        return f"{change:>8}   {_named(found, candidate):<{width}}{none:>9}"
    value, between = _shown(found, candidate.seen.interval())
    faults = f"   {counted(candidate.faults, 'fault')}" if candidate.faults else ""
    if candidate.stopped:
        faults += f"   the first {candidate.seen.n:,} of {counted(found.plan.number, 'match')}"
    return f"{change:>8}   {_named(found, candidate):<{width}}{value:>9}   {between}{faults}"


def _shown(found: Tuned, interval: Interval) -> tuple[str, str]:
    """The estimate and its interval in the measure's own units."""
    scaled = interval.scaled(1 / found.plan.target.resolution)
    return f"{scaled.estimate:.1f}", f"{scaled.low:.1f} to {scaled.high:.1f}"


def tuning_object(found: Tuned, target: str, command: str) -> dict[str, object]:
    """The tuning for programs; shares are parts of one."""
    return {
        "target": target,
        "reached": found.answer is not None,
        "confirmed": found.confirmed,
        "interrupted": found.interrupted,
        "failure": found.failure.code if found.failure is not None else None,
        "answer": _object(found, found.answer, sequential=True) if found.answer is not None else None,
        "tried": [_object(found, candidate) for candidate in by_size(found)],
        "refuted": [_object(found, candidate, sequential=True) for candidate in found.refuted],
        "again": command,
    }


def _object(found: Tuned, candidate: Candidate, sequential: bool = False) -> dict[str, object]:
    seen = candidate.seen
    interval = None if seen is None else seen.anytime() if sequential else seen.interval()
    return {
        "numbers": {n.name: v for n, v in zip(found.plan.numbers, candidate.values, strict=True)},
        "change": found.plan.size(candidate.values),
        "matches": seen.n if seen is not None else 0,
        "measure": interval_object(interval) if interval is not None else None,
        "faults": candidate.faults,
        "stopped": candidate.stopped,
    }
