"""The page of `analyse`: pictures of what many matches show, each with its intervals and how it was made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dsl.wording import counted
from rulewright.experiments.analysis import Analysed
from rulewright.pages.analysis_figures import FEW, PERCENT, PageSection, bounded, evidence, of, part_of_one
from rulewright.pages.analysis_matches import course_figures, random_wins, seat_figures, skill_figures
from rulewright.pages.analysis_rules import choice_figures, rule_figures
from rulewright.pages.rendering import render
from validators.experiments.findings import ENOUGH, LEAST, Effect, Kind, findings, luck, too_few, win_share
from validators.experiments.statistics import Interval, median_interval, wilson
from validators.experiments.tallies import MatchTally, Moments, PairTally

MOST_SEEDS = 12
"""How many seeds of a fault are shown."""
TOO_FEW = f"Too few matches for findings, which rest on at least {LEAST}."
NOTHING = "No match came to its end within the time: give more time, or bots that search less."


@dataclass(frozen=True)
class Headline:
    """A number at the top, with its interval."""

    label: str
    value: str
    between: str


def page(found: Analysed, title: str, command: str) -> str:
    """The page, without external resources. Raises `DiagnosticError` if no pages can be rendered."""
    effects, matches = found.effects, found.main.matches
    shown = f"what {of(matches, 'matches')} {'shows' if matches == 1 else 'show'}"
    sections = [
        PageSection("seats", "Seats" if len(found.plan.seats) > 1 else "Results", tuple(seat_figures(found))),
        PageSection("skill", "Skill and luck", tuple(skill_figures(found))),
        PageSection("course", "The course of a match", tuple(course_figures(found))),
        PageSection("choices", "Choices", tuple(choice_figures(found, effects))),
        PageSection("rules", "Options, rulings, numbers", tuple(rule_figures(found, effects))),
    ]
    return render(
        "analysis.html",
        title=f"{title}: {shown if matches else 'no match has ended'}",
        found=found,
        bots=" and ".join(dict.fromkeys(found.plan.bots)),
        options=" ".join(f"{name}={value}" for name, value in found.plan.options.items()),
        command=command,
        headlines=list(headlines(found)),
        flags=[
            (effect, verdict(effect), evidence(effect, found.plan.plainly_played(effect.kind)))
            for effect in findings(effects)
        ],
        nothing=TOO_FEW if too_few(effects) else "Nothing stands out.",
        tested=len(effects),
        least=LEAST,
        sections=[section for section in sections if section.figures],
        faults=list(_faults(found)),
        state=_state(found),
    )


def _state(found: Analysed) -> str:
    """Why not all has been played, if that is so."""
    if not found.playing:
        return "" if found.main.matches or found.main.faults else NOTHING
    if found.failure is not None:
        return f"This is what was finished when play ended during “{found.playing}”: {found.failure.message}."
    if found.interrupted:
        return f"This is what was finished when it was stopped during “{found.playing}”."
    return f"More is being played, now “{found.playing}”: reload this page. Findings may still change."


def _faults(found: Analysed) -> Iterator[tuple[str, str, str]]:
    """Of each fault: what is not counted, its text, the seeds."""
    parts: dict[str, MatchTally | PairTally] = {"": found.main, **found.faults}
    for part, tally in parts.items():
        for text, fault in sorted(tally.faults.items()):
            where = f"of “{part}” " if part else ""
            number = counted(len(fault.seeds), "match")
            seeds = ", ".join(map(str, sorted(fault.seeds)[:MOST_SEEDS]))
            more = ", …" if len(fault.seeds) > MOST_SEEDS else ""
            are = "is" if len(fault.seeds) == 1 else "are"
            yield f"{number} {where}ended in a fault and {are} not counted", text, seeds + more


def verdict(effect: Effect) -> str:
    """A flagged effect in a sentence."""
    change = effect.interval.estimate
    points = f"{abs(PERCENT * change):.1f} percentage points"
    if effect.kind is Kind.SEAT:
        return f"Seat {effect.name} wins {points} {'more' if change > 0 else 'less'} than an even share"
    if effect.kind is Kind.CHOICE and change > 0:
        return f"A seat that may never choose `{effect.name}` loses {points} of its share of the win"
    if effect.kind is Kind.CHOICE:
        return f"A seat that never chooses `{effect.name}` gains {points} of the share of the win"
    if effect.measure.startswith("share"):
        return f"With `{effect.name}` the {effect.measure} {'rises' if change > 0 else 'falls'} by {points}"
    if effect.measure == "total":
        return f"With `{effect.name}` the total {'rises' if change > 0 else 'falls'} by {abs(change):.1f}"
    amount = f"{abs(change):.1f} decisions"
    return f"With `{effect.name}` matches are {amount} {'longer' if change > 0 else 'shorter'}"


def headlines(found: Analysed) -> Iterator[Headline]:
    """The figures of the game as a whole, as far as they are known."""
    main, course = found.main, found.course
    if not main.matches:
        return
    seats = len(found.plan.seats)
    if seats > 1:
        first = win_share(main.shares[0], seats)
        yield _headline(f"share of {found.plan.seats[0]}", first, PERCENT, " %")
    yield _headline("decisions, median", median_interval(main.lengths), 1, "", 0)
    widths = _all(main.course).evidence()
    yield _headline("choices of a decision", widths.interval(), 1)
    if found.skill:
        budget = max(found.skill)
        seen = found.skill[budget].score(seats)
        if seen.n >= ENOUGH:
            doubled = bounded(seen.regularized.interval())
            yield _headline(f"won by {2 * budget} iterations against {budget}", doubled, PERCENT, " %", 0)
    beaten = random_wins(found)
    if beaten is not None and found.against_random is not None and found.against_random.played >= ENOUGH:
        yield _headline("won by random choices", beaten, PERCENT, " %", 0)
    if found.luck.pairs >= LEAST and (lucky := luck(found.luck, seats)) is not None:
        shown = Interval(max(0.0, lucky.estimate), max(0.0, lucky.low), max(0.0, lucky.high))
        yield _headline("decided by chance alone", shown, PERCENT, " %", 0)
    if course.matches >= FEW and seats > 1:
        yield _headline("decided after", part_of_one(course.decided), PERCENT, " %", 0)
        yield _headline("comebacks", wilson(course.comebacks, course.matches), PERCENT, " %", 0)


def _headline(label: str, interval: Interval, scale: float, unit: str = "", digits: int = 1) -> Headline:
    found = interval.scaled(scale)
    return Headline(
        label, f"{found.estimate:.{digits}f}{unit}", f"{found.low:.{digits}f} to {found.high:.{digits}f}"
    )


def _all(parts: object) -> Moments:
    assert isinstance(parts, dict)
    whole = Moments()
    for moments in parts.values():
        whole += moments
    return whole
