"""The page of `analyse`: pictures of what many matches show, each with its intervals and how it was made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rulewright.experiments.analysis import Alternative, Analysed
from rulewright.experiments.charts import (
    Curve,
    Histogram,
    IntervalChart,
    Row,
    curve,
    histogram,
    interval_chart,
)
from rulewright.pages.rendering import render
from validators.experiments.course import MILLE, POINTS
from validators.experiments.findings import Effect, Kind, luck, win_share
from validators.experiments.recorder import PARTS
from validators.experiments.statistics import (
    Evidence,
    Interval,
    median_interval,
    quantile_of,
    wilson,
)
from validators.experiments.tallies import MatchTally, Moments, unit

PERCENT = 100
MOST_OPENINGS = 16
MOST_CHOICES = 40


@dataclass(frozen=True)
class Figure:
    """A picture with a heading, how to read it, and what it rests on."""

    title: str
    says: str
    basis: str
    rows: IntervalChart | None = None
    bars: tuple[Histogram, ...] = ()
    line: Curve | None = None
    across: tuple[str, str] = ("", "")


@dataclass(frozen=True)
class PageSection:
    """Figures about one thing."""

    id: str
    title: str
    figures: tuple[Figure, ...]


@dataclass(frozen=True)
class Headline:
    """A number at the top, with its interval."""

    label: str
    value: str
    between: str


def page(found: Analysed, title: str, command: str) -> str:
    """The page, without external resources. Raises `DiagnosticError` if no pages can be rendered."""
    effects = found.effects
    sections = [
        PageSection("seats", "Seats", tuple(_seats(found))),
        PageSection("skill", "Skill and luck", tuple(_skill(found))),
        PageSection("course", "The course of a match", tuple(_course(found))),
        PageSection("choices", "Choices", tuple(_choices(found, effects))),
        PageSection("rules", "Options, rulings, numbers", tuple(_alternatives(found, effects))),
    ]
    return render(
        "analysis.html",
        title=f"{title}: what {found.main.matches} matches show",
        found=found,
        bots=" and ".join(dict.fromkeys(found.plan.bots)),
        options=" ".join(f"{name}={value}" for name, value in found.plan.options.items()),
        command=command,
        headlines=list(_headlines(found)),
        flags=[(effect, verdict(effect)) for effect in effects if effect.flagged],
        tested=len(effects),
        sections=[section for section in sections if section.figures],
        faults=sorted(found.main.faults.items()),
    )


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
    amount = f"{abs(change):.1f} decisions"
    return f"With `{effect.name}` matches are {amount} {'longer' if change > 0 else 'shorter'}"


# ---- words for numbers


def _percent(interval: Interval, digits: int = 1, plus: bool = False) -> str:
    sign = "+" if plus else ""
    low, high = 100 * interval.low, 100 * interval.high
    return (
        f"{100 * interval.estimate:{sign}z.{digits}f} % ({low:{sign}z.{digits}f} to {high:{sign}z.{digits}f})"
    )


def _plain(interval: Interval, digits: int = 1, plus: bool = False) -> str:
    sign = "+" if plus else ""
    form = f"{sign}z.{digits}f"
    return f"{interval.estimate:{form}} ({interval.low:{form}} to {interval.high:{form}})"


def _basis(found: Analysed, number: int, bots: Sequence[str], what: str = "matches") -> str:
    first = found.plan.first
    names = ", ".join(dict.fromkeys(bots))
    return f"{number} {what}, seeds from {first} on, {names}; 95 % intervals"


# ---- sections


def _headlines(found: Analysed) -> Iterator[Headline]:
    main, course = found.main, found.course
    if not main.matches:
        return
    seats = len(found.plan.seats)
    first = win_share(main.shares[0], seats)
    yield _headline(f"share of {found.plan.seats[0]}", first, PERCENT, " %")
    yield _headline("decisions, median", median_interval(main.lengths), 1, "", 0)
    widths = _all(main.course).evidence()
    yield _headline("choices of a decision", widths.interval(), 1)
    if (lucky := luck(found.luck, seats)) is not None:
        yield _headline("luck", lucky, PERCENT, " %", 0)
    if course.matches:
        yield _headline("decided after", course.decided.evidence(MILLE).interval(), PERCENT, " %", 0)
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


def _seats(found: Analysed) -> Iterator[Figure]:
    plan = found.plan
    played = [(found.main, plan.bots, 0)]
    if found.uniform is not None:
        played.append((found.uniform, ("random",) * len(plan.seats), 1))
    for tally, bots, group in played:
        if tally.matches and len(plan.seats) > 1:
            yield _seat_shares(found, tally, bots, group)
    if not found.main.matches:
        return
    ends = [value for counts in found.main.scores for value in counts]
    low, high = min(ends), max(ends)
    if low < high:
        bars = (
            histogram(counts, f"{name}, median {quantile_of(counts, 0.5):.0f}", 0, (low, high))
            for name, counts in zip(plan.seats, found.main.scores, strict=True)
        )
        yield Figure(
            "Totals",
            "How often a seat ends with which total.",
            _basis(found, found.main.matches, plan.bots),
            bars=tuple(b for b in bars if b is not None),
        )


def _seat_shares(found: Analysed, tally: MatchTally, bots: Sequence[str], group: int) -> Figure:
    seats = len(found.plan.seats)
    rows = []
    for name, moments in zip(found.plan.seats, tally.shares, strict=True):
        interval = win_share(moments, seats)
        rows.append(Row(name, interval.scaled(PERCENT), _percent(interval), group=group))
    nobody = tally.winners.get(0, 0)
    if nobody:
        interval = wilson(nobody, tally.matches)
        rows.append(Row("nobody", interval.scaled(PERCENT), _percent(interval), group=group))
    even = PERCENT * (1 - nobody / tally.matches) / seats
    says = "The share of the win of each seat; a shared win counts in parts. The line is an even share."
    title = "Who wins" if not group else "Who wins when all choose at random"
    return Figure(
        title, says, _basis(found, tally.matches, bots), interval_chart(rows, even, " %", (0, PERCENT))
    )


def _skill(found: Analysed) -> Iterator[Figure]:
    plan = found.plan
    rows = []
    for budget, met in sorted(found.skill.items()):
        seen = met.score(len(plan.seats))
        if seen.n:
            interval = Evidence(seen.n, seen.mean, seen.regular).interval()
            label = f"{2 * budget} against {budget}"
            rows.append(Row(label, interval.scaled(PERCENT), _percent(interval), f"{seen.n} pairs"))
    if rows:
        says = (
            "The share of the points of a search with twice the iterations, in pairs of matches with swapped "
            "seats. As long as doubling pays, there is more to find; at the line it brings nothing."
        )
        most = max(met.played for met in found.skill.values())
        basis = _basis(found, most, ("search",), "pairs for each row")
        yield Figure("What a doubling of the budget brings", says, basis, interval_chart(rows, 50, " %"))
    lucky = luck(found.luck, len(plan.seats))
    if lucky is not None:
        row = Row("luck", lucky.scaled(PERCENT), _percent(lucky, 0))
        says = (
            "How far dice, piles and deals decide by themselves: the correlation of the result between two "
            "matches with the same chance and other choices of the same bots. At 0 it is all choices, at 100 "
            "the chance of the rules decides alone."
        )
        chart = interval_chart([row], 0, " %", (-PERCENT, PERCENT))
        yield Figure("Luck", says, _basis(found, found.luck.pairs, plan.bots, "pairs"), chart)


def _course(found: Analysed) -> Iterator[Figure]:
    main, course, plan = found.main, found.course, found.plan
    if not main.matches:
        return
    basis = _basis(found, main.matches, plan.bots)
    length = median_interval(main.lengths)
    bars = histogram(main.lengths)
    if bars is not None:
        says = f"Decisions of a match: the median is {_plain(length, 0)}, nine of ten have at most "
        says += f"{quantile_of(main.lengths, 0.9):.0f}."
        yield Figure("Length", says, basis, bars=(bars,))
    places = [(PERCENT * (k + 0.5) / PARTS, moments) for k, moments in sorted(main.course.items())]
    yield Figure(
        "Choices",
        "How many choices a decision has on the mean, from the beginning of a match to its end.",
        basis,
        line=curve(places),
        across=("first decision", "last decision"),
    )
    if course.matches:
        yield from _chances(found)


def _chances(found: Analysed) -> Iterator[Figure]:
    course, plan = found.course, found.plan
    basis = _basis(found, course.matches, plan.bots) + ", 32 playouts at each point"
    says = (
        "The chances of the later winner, estimated by random playouts from the position as it is. Where the "
        "curve rises early, matches are decided early."
    )
    places = [(PERCENT * k / POINTS, moments) for k, moments in sorted(course.curve.items())]
    chances = curve(places, MILLE / PERCENT, " %", (0, PERCENT))
    yield Figure("When it is decided", says, basis, line=chances, across=("beginning", "end"))
    rows = [
        (
            "decided after",
            course.decided.evidence(MILLE).interval(),
            "part of a match, then the winner leads",
        ),
        ("drama", course.drama.evidence(MILLE).interval(), "how far the winner is behind on the mean"),
        (
            "comebacks",
            wilson(course.comebacks, course.matches),
            "had less than half of even chances",
        ),
    ]
    chart = interval_chart(
        [Row(name, i.scaled(PERCENT), _percent(i), note) for name, i, note in rows], 0, " %", (0, PERCENT)
    )
    says = "Estimates at few playouts err a little, so that some comebacks and leads are accidents of them."
    yield Figure("Decisiveness, drama, comebacks", says, basis, chart)
    bars = histogram(course.lead_changes)
    if bars is not None:
        says = "How often the clear lead passes to another seat in a match."
        yield Figure("Lead changes", says, basis, bars=(bars,))


def _choices(found: Analysed, effects: Sequence[Effect]) -> Iterator[Figure]:
    main, plan = found.main, found.plan
    if not main.matches:
        return
    seats = len(plan.seats)
    named = sorted(main.choices.items(), key=lambda item: (-item[1].taken, item[0]))[:MOST_CHOICES]
    rows = []
    for name, choice in named:
        interval = wilson(choice.taken, choice.offered)
        each = choice.taken / main.matches / seats
        rows.append(
            Row(name, interval.scaled(PERCENT), _percent(interval, 0), f"{each:.2f} a match and seat")
        )
    left = len(main.choices) - len(rows)
    more = f" The {left} rarest are left out." if left else ""
    says = "How often a choice is taken when it is offered; pieces count by their class, not by their place."
    basis = _basis(found, main.matches, plan.bots)
    if rows:
        yield Figure("What is taken", says + more, basis, interval_chart(rows, 0, " %", (0, PERCENT)))
    worth = []
    for name, choice in named:
        seen = choice.worth(unit(seats))
        if seen is not None and seen.n > 1:
            interval = seen.interval()
            worth.append(Row(name, interval.scaled(PERCENT), _percent(interval, 1, True)))
    if worth and seats > 1:
        says = (
            "The share of the win after a choice was taken, less that after it was declined. This tells what "
            "goes together, not what causes it: good positions have other choices. What causes it is below."
        )
        rows = sorted(worth, key=lambda row: -row.interval.estimate)
        yield Figure("After taking and after declining", says, basis, interval_chart(rows, 0, " %"))
    yield from _forbidden(found, effects)
    yield from _openings(found)


def _forbidden(found: Analysed, effects: Sequence[Effect]) -> Iterator[Figure]:
    plan = found.plan
    chosen = sorted((e for e in effects if e.kind is Kind.CHOICE and e.n), key=lambda e: -e.interval.estimate)
    rows = [
        Row(e.name, e.interval.scaled(PERCENT), _percent(e.interval, 1, True), _p(e), _flag(e))
        for e in chosen
    ]
    if rows:
        says = (
            "What a choice is worth: the share of the win that a seat loses if it alone may never take it, "
            "in pairs of matches with the same chance. Left of the line, a seat does better without it. "
            "P-values are corrected for all effects on this page."
        )
        basis = _basis(found, max(e.n for e in chosen), plan.plain.bots, "pairs for each row")
        yield Figure("What forbidding it changes", says, basis, interval_chart(rows, 0, " %"))


def _openings(found: Analysed) -> Iterator[Figure]:
    seats, main = len(found.plan.seats), found.main
    for seat in found.plan.seats if seats > 1 else ():
        named = {
            n.removeprefix(f"{seat}: "): m for n, m in main.openings.items() if n.startswith(f"{seat}: ")
        }
        often = sorted(named.items(), key=lambda item: -item[1].n)[:MOST_OPENINGS]
        shown = sorted(
            ((win_share(m, seats), name, m.n) for name, m in often), key=lambda item: -item[0].estimate
        )
        rows = [Row(name, i.scaled(PERCENT), _percent(i), f"{n} times") for i, name, n in shown]
        if len(rows) > 1:
            says = f"The share of the win of {seat} after its first decision, by what it chose there."
            basis = _basis(found, main.matches, found.plan.bots)
            chart = interval_chart(rows, PERCENT / seats, " %", (0, PERCENT))
            yield Figure(f"Openings of {seat}", says, basis, chart)


def _alternatives(found: Analysed, effects: Sequence[Effect]) -> Iterator[Figure]:
    plan = found.plan
    about = {one.name: one for one in found.alternatives}
    for kind, title in ((Kind.READING, "Options and rulings"), (Kind.NUMBER, "Numbers")):
        chosen = [e for e in effects if e.kind is kind and e.n]
        for measure in dict.fromkeys(e.measure for e in chosen):
            yield _changes(found, title, measure, [e for e in chosen if e.measure == measure], about)
    if found.left_out:
        names = ", ".join(found.left_out)
        yield Figure("Not tried", f"With these numbers it is no game: {names}.", _basis(found, 0, plan.bots))


def _changes(
    found: Analysed, title: str, measure: str, chosen: Sequence[Effect], about: dict[str, Alternative]
) -> Figure:
    share = measure.startswith("share")
    rows = []
    for e in chosen:
        one = about[e.name]
        text = _percent(e.interval, 1, True) if share else _plain(e.interval, 2, True)
        same = f"{one.tally.same} of {one.tally.pairs} end the same"
        note = "; ".join(part for part in (one.about, same, _p(e)) if part)
        rows.append(Row(e.name, e.interval.scaled(PERCENT if share else 1), text, note, _flag(e)))
    says = f"What changes in the {measure} with another value, in pairs of matches with the same chance."
    basis = _basis(found, max(e.n for e in chosen), found.plan.plain.bots, "pairs for each row")
    return Figure(f"{title}: {measure}", says, basis, interval_chart(rows, 0, " %" if share else ""))


def _p(effect: Effect) -> str:
    return "p < 0.001" if effect.p < 0.001 else f"p = {effect.p:.3f}"


def _flag(effect: Effect) -> str:
    if not effect.flagged:
        return ""
    return "up" if effect.interval.estimate > 0 else "down"
