"""What an analysis says, as JSON: the figures of its page; shares and parts are of one."""

from __future__ import annotations

from rulewright.experiments.analysis import Analysed
from rulewright.experiments.arena import Met
from rulewright.experiments.comparison_text import interval_object
from validators.experiments.course import MILLE
from validators.experiments.findings import Effect, luck, win_share
from validators.experiments.statistics import Evidence, median_interval, wilson
from validators.experiments.tallies import ChoiceTally, MatchTally, unit


def analysis_object(found: Analysed, page: str, command: str) -> dict[str, object]:
    """All figures with their intervals, numbers of matches and the command that makes them again."""
    plan, size = found.plan, len(found.plan.seats)
    lucky = luck(found.luck, size)
    return {
        "game": {"digest": plan.variant.digest, "seats": size, "options": plan.options},
        "bots": list(plan.bots),
        "comparisons_by": list(plan.plain.bots),
        "seed": plan.first,
        "matches": found.main.matches,
        "shares": _shares(found, found.main),
        "shares_at_random": _shares(found, found.uniform) if found.uniform is not None else None,
        "length": interval_object(median_interval(found.main.lengths)) if found.main.matches else None,
        "luck": interval_object(lucky) if lucky is not None else None,
        "against_random": _against_random(found.against_random, size),
        "skill": [_doubling(budget, met.score(size)) for budget, met in sorted(found.skill.items())],
        "course": _course(found),
        "choices": {
            name: _choice(choice, size, found.main.matches)
            for name, choice in sorted(found.main.choices.items())
        },
        "effects": [_effect(one) for one in found.effects],
        "not_tried": found.left_out,
        "not_played": found.unplayed,
        "not_forbidden": found.unforbidden,
        "faults": {text: sorted(fault.seeds) for text, fault in sorted(found.main.faults.items())},
        "faults_elsewhere": {part: tally.failed for part, tally in found.faults.items()},
        "interrupted": found.interrupted,
        "failure": found.failure.code if found.failure is not None else None,
        "page": page,
        "again": command,
    }


def _shares(found: Analysed, tally: MatchTally) -> dict[str, object]:
    seats = found.plan.seats
    by_seat = zip(seats, tally.shares, strict=False)
    shares: dict[str, object] = {n: interval_object(win_share(m, len(seats))) for n, m in by_seat}
    return {**shares, "nobody": interval_object(wilson(tally.winners.get(0, 0), tally.matches))}


def _against_random(met: Met | None, size: int) -> dict[str, object] | None:
    if met is None or not (seen := met.score(size)).n:
        return None
    return {"pairs": seen.n, "points": interval_object(seen.regularized.interval().within(0.0, 1.0))}


def _doubling(budget: int, seen: Evidence) -> dict[str, object]:
    points = seen.regularized.interval() if seen.n else None
    return {
        "budgets": [budget, 2 * budget],
        "pairs": seen.n,
        "points": interval_object(points) if points is not None else None,
    }


def _course(found: Analysed) -> dict[str, object] | None:
    course = found.course
    if not course.matches:
        return None
    return {
        "matches": course.matches,
        "decided_after": interval_object(
            course.decided.evidence(MILLE).regularized.interval().within(0.0, 1.0)
        ),
        "drama": interval_object(course.drama.evidence(MILLE).regularized.interval().within(0.0, 1.0)),
        "comebacks": interval_object(wilson(course.comebacks, course.matches)),
        "lead_changes": {str(n): times for n, times in sorted(course.lead_changes.items())},
    }


def _choice(choice: ChoiceTally, seats: int, matches: int) -> dict[str, object]:
    worth = choice.worth(unit(seats))
    return {
        "offered": choice.offered,
        "taken": choice.taken,
        "taken_when_offered": interval_object(wilson(choice.taken, choice.offered)),
        "each_match_and_seat": round(choice.taken / matches / seats, 6),
        "after_taking": interval_object(worth.interval()) if worth is not None and worth.n > 1 else None,
    }


def _effect(one: Effect) -> dict[str, object]:
    return {
        "kind": str(one.kind),
        "name": one.name,
        "measure": one.measure,
        "observations": one.n,
        "change": interval_object(one.interval),
        "p": round(one.p, 6),
        "finding": one.flagged,
    }
