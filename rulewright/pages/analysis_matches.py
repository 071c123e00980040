"""Figures of whole matches: seats, skill and luck, the course."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulewright.experiments.analysis import Analysed
from rulewright.experiments.charts import Row, curve, histogram, interval_chart
from rulewright.pages.analysis_figures import (
    FEW,
    PERCENT,
    Figure,
    bounded,
    of,
    part_of_one,
    percent,
    plain,
    rests_on,
)
from validators.experiments.course import POINTS
from validators.experiments.findings import luck, win_share
from validators.experiments.recorder import PLACES
from validators.experiments.statistics import Interval, median_interval, quantile_of, wilson
from validators.experiments.tallies import MatchTally, Moments, PairTally, total


def seat_figures(found: Analysed) -> Iterator[Figure]:
    """Who wins, by whom it is played; totals, how close it is, how matches end."""
    if len(found.plan.seats) > 1:
        yield from _shares(found)
    if found.main.matches:
        yield from _totals(found)
        yield from _ends(found)


def _shares(found: Analysed) -> Iterator[Figure]:
    """The share of the win of each seat by the bots, all on one scale, so that they can be compared."""
    plan = found.plan
    played = [(found.main, plan.bots, _share_rows(found, found.main, 0))]
    if found.uniform is not None:
        played.append((found.uniform, ("random",) * len(plan.seats), _share_rows(found, found.uniform, 1)))
    by_budget = _rows_by_budget(found)
    beside = [row for _, _, rows in played for row in rows] + by_budget
    for group, (tally, bots, rows) in enumerate(played):
        if tally.matches:
            even = PERCENT * (1 - tally.winners.get(0, 0) / tally.matches) / len(plan.seats)
            says = (
                "The share of the win of each seat; a shared win counts in parts. The line is an even share."
            )
            title = "Who wins" if not group else "Who wins when all choose at random"
            chart = interval_chart(rows, even, " %", (0, PERCENT), beside)
            yield Figure(title, says, rests_on(found, tally.matches, bots), chart)
    if by_budget:
        most = max(met.played for met in found.skill.values())
        says = (
            "The share of the win of a seat, on the mean, in the matches in which one search thinks twice "
            "as long as the other and they change seats. Does its advantage stay when play becomes better?"
        )
        basis = rests_on(found, most, ("search",), "pairs for each row at most")
        even = PERCENT * (1 - _won_by_nobody(found)) / len(plan.seats)
        chart = interval_chart(by_budget, even, " %", (0, PERCENT), beside)
        yield Figure("Who wins, the better the play", says, basis, chart)


def _share_rows(found: Analysed, tally: MatchTally, group: int) -> list[Row]:
    """The share of each seat, and of nobody if that happens."""
    seats, rows = found.plan.seats, []
    for name, moments in zip(seats, tally.shares, strict=False):
        interval = win_share(moments, len(seats))
        rows.append(Row(name, interval.scaled(PERCENT), percent(interval), group=group))
    nobody = tally.winners.get(0, 0)
    if nobody:
        interval = wilson(nobody, tally.matches)
        rows.append(Row("nobody", interval.scaled(PERCENT), percent(interval), group=group))
    return rows


def _won_by_nobody(found: Analysed) -> float:
    """The part of the matches of doubled budgets that nobody wins."""
    whole = total([PairTally(), *(met.tally for met in found.skill.values())])
    lost = sum(times * ((not key >> 16) + (not key & 0xFFFF)) for key, times in whole.winners.items())
    return lost / max(1, 2 * whole.pairs)


def _rows_by_budget(found: Analysed) -> list[Row]:
    """The seats between searches that think more and more; each meeting has both on every seat."""
    seats, rows = found.plan.seats, []
    for budget, met in sorted(found.skill.items()):
        for i, name in enumerate(seats if len(seats) > 2 else seats[:1]):
            half = [0.5 * (i == seat) for seat in range(len(seats))]
            seen = met.tally.share(half, half)
            if seen.n:
                interval = bounded(seen.regularized.interval())
                label = f"{name}, {budget} and {2 * budget} iterations"
                rows.append(Row(label, interval.scaled(PERCENT), percent(interval), of(seen.n, "pairs")))
    return rows


def _totals(found: Analysed) -> Iterator[Figure]:
    main, plan = found.main, found.plan
    basis = rests_on(found, main.matches, plan.bots)
    ends = [value for counts in main.scores for value in counts]
    low, high = min(ends), max(ends)
    if low < high:
        bars = (
            histogram(counts, _summed_up(name, counts), 0, (low, high))
            for name, counts in zip(plan.seats, main.scores, strict=True)
        )
        says = "How often a seat ends with which total, and its mean with an interval."
        yield Figure("Totals", says, basis, bars=tuple(b for b in bars if b is not None))
    close = histogram(main.margins)
    if close is not None and len(close.bars) > 1:
        says = f"How far the best total is from the next; the median is {quantile_of(main.margins, 0.5):.0f}."
        yield Figure("How close it is", says, basis, bars=(close,))


def _summed_up(name: str, totals: Mapping[int, int]) -> str:
    """The mean of the totals of a seat, and their median."""
    n = sum(totals.values())
    weighted = sum(times * value for value, times in totals.items())
    squares = sum(times * value * value for value, times in totals.items())
    mean = Moments(n, weighted, squares).evidence().interval()
    return f"{name}: mean {plain(mean)}, median {quantile_of(totals, 0.5):.0f}"


def _ends(found: Analysed) -> Iterator[Figure]:
    main, plan = found.main, found.plan
    counts = [(plan.endings[number - 1], times) for number, times in sorted(main.endings.items())]
    shared = sum(times for bits, times in main.winners.items() if bits.bit_count() > 1)
    nobody = main.winners.get(0, 0)
    counts += [(name, n) for name, n in (("nobody wins", nobody), ("the win is shared", shared)) if n]
    if not counts or (len(plan.seats) == 1 and not main.endings):
        return
    rows = []
    for name, times in counts:
        interval = wilson(times, main.matches)
        rows.append(Row(name, interval.scaled(PERCENT), percent(interval), of(times, "matches")))
    says = "How often matches end in which way: ends with a name in the rules, wins of several or of nobody."
    chart = interval_chart(rows, 0, " %", (0, PERCENT))
    yield Figure("How it ends", says, rests_on(found, main.matches, plan.bots), chart)


def random_wins(found: Analysed) -> Interval | None:
    """The share of the points of bots that choose at random against those of the main part."""
    if found.against_random is None:
        return None
    seen = found.against_random.score(len(found.plan.seats))
    if not seen.n:
        return None
    won = bounded(seen.regularized.interval())
    return Interval(1 - won.estimate, 1 - won.high, 1 - won.low)


def skill_figures(found: Analysed) -> Iterator[Figure]:
    """What thinking brings, and how much is chance."""
    plan = found.plan
    if (beaten := random_wins(found)) is not None and found.against_random is not None:
        pairs = found.against_random.tally.pairs
        says = (
            "The share of the points of a seat that chooses at random against one that thinks, in pairs of "
            "matches with swapped seats. At 0 thinking always wins; at the line nothing depends on what is "
            "chosen, and the game is luck alone."
        )
        row = Row("random", beaten.scaled(PERCENT), percent(beaten), of(pairs, "pairs"), group=1)
        basis = rests_on(found, pairs, ("random", plan.bots[0]), "pairs")
        chart = interval_chart([row], PERCENT / 2, " %", (0, PERCENT))
        yield Figure("What random choices still win", says, basis, chart)
    yield from _doublings(found)
    yield from _luck(found)


def _doublings(found: Analysed) -> Iterator[Figure]:
    rows = []
    for budget, met in sorted(found.skill.items()):
        seen = met.score(len(found.plan.seats))
        if seen.n:
            interval = bounded(seen.regularized.interval())
            label = f"{2 * budget} against {budget}"
            rows.append(Row(label, interval.scaled(PERCENT), percent(interval), of(seen.n, "pairs")))
    if rows:
        says = (
            "The share of the points of a search with twice the iterations, in pairs of matches with swapped "
            "seats. As long as doubling pays, there is more to find; at the line it brings nothing."
        )
        most = max(met.played for met in found.skill.values())
        basis = rests_on(found, most, ("search",), "pairs for each row at most")
        chart = interval_chart(rows, PERCENT / 2, " %", (0, PERCENT))
        yield Figure("What a doubling of the budget brings", says, basis, chart)


def _luck(found: Analysed) -> Iterator[Figure]:
    plan, pairs = found.plan, found.luck.pairs
    lucky = luck(found.luck, len(plan.seats))
    if lucky is None:
        return
    says = (
        "How far dice, piles and deals decide by themselves, whatever is chosen: the correlation of the "
        "result between two matches with the same chance and other choices of the same bots. At 100 the "
        "chance decides alone, or the bots have chosen the same both times. About 0, and below it by "
        "accident, either the choices decide, or each choice changes who meets which chance, as when a turn "
        "that goes on takes the throws of the next: then look at what random choices still win."
    )
    row = Row(
        "chance alone",
        lucky.scaled(PERCENT),
        percent(lucky, 0),
        f"{found.luck.same:,} of {of(pairs, 'pairs')} end the same",
    )
    chart = interval_chart([row], 0, " %", (-PERCENT, PERCENT))
    yield Figure("What chance decides alone", says, rests_on(found, pairs, plan.bots, "pairs"), chart)


def course_figures(found: Analysed) -> Iterator[Figure]:
    """Lengths, choices, chances from the beginning to the end."""
    main, course, plan = found.main, found.course, found.plan
    if not main.matches:
        return
    basis = rests_on(found, main.matches, plan.bots)
    length = median_interval(main.lengths)
    bars = histogram(main.lengths)
    if bars is not None:
        says = f"Decisions of a match: the median is {plain(length, 0)}, nine of ten have at most "
        says += f"{quantile_of(main.lengths, 0.9):.0f}."
        yield Figure("Length", says, basis, bars=(bars,))
    widths = ((k, moments.evidence()) for k, moments in sorted(main.course.items()))
    line = curve([(PERCENT * k / (PLACES - 1), seen.interval()) for k, seen in widths])
    if line is not None:
        says = "How many choices a decision has on the mean, from the beginning of a match to its end."
        yield Figure("Choices", says, basis, line=line, across=("first decision", "last decision"))
    if course.matches >= FEW and len(plan.seats) > 1:
        yield from _chances(found)
    elif len(plan.seats) > 1:
        followed = of(course.matches, "matches") if course.matches else "none"
        says = f"To tell this, {FEW} matches with one winner have to be followed; here it is {followed}."
        yield Figure("When it is decided", says, "")


def _chances(found: Analysed) -> Iterator[Figure]:
    course, plan = found.course, found.plan
    basis = rests_on(found, course.matches, plan.bots) + ", 32 playouts at each point"
    says = (
        "The chances of the later winner, estimated by random playouts from the position as it is; what "
        "nobody wins there is shared evenly. The broken line is an even chance. Where the curve rises early, "
        "matches are decided early."
    )
    places = [
        (PERCENT * k / POINTS, part_of_one(moments).scaled(PERCENT))
        for k, moments in sorted(course.curve.items())
    ]
    end = (float(PERCENT), Interval(PERCENT, PERCENT, PERCENT))
    chances = curve([*places, end], " %", (0, PERCENT), PERCENT / len(plan.seats))
    yield Figure("When it is decided", says, basis, line=chances, across=("beginning", "end"))
    rows = [
        (
            "decided after",
            part_of_one(course.decided),
            "part of a match, then the winner leads",
        ),
        (
            "drama",
            part_of_one(course.drama),
            "how far the winner is behind on the mean",
        ),
        (
            "comebacks",
            wilson(course.comebacks, course.matches),
            "had less than half of even chances",
        ),
    ]
    chart = interval_chart(
        [Row(name, i.scaled(PERCENT), percent(i), note) for name, i, note in rows], 0, " %", (0, PERCENT)
    )
    says = "Estimates at few playouts err a little, so that some comebacks and leads are accidents of them."
    yield Figure("Decisiveness, drama, comebacks", says, basis, chart)
    bars = histogram(course.lead_changes)
    if bars is not None:
        says = "How often the clear lead passes to another seat in a match."
        yield Figure("Lead changes", says, basis, bars=(bars,))
