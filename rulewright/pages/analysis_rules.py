"""Figures of choices, options, rulings and numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from dsl.wording import counted
from rulewright.experiments.analysis import Alternative, Analysed
from rulewright.experiments.charts import Row, interval_chart
from rulewright.pages.analysis_figures import PERCENT, Figure, flag, p_text, part, percent, plain, rests_on
from validators.experiments.findings import (
    Effect,
    Kind,
    company_effects,
    ends_with_number,
    hardly_taken,
    opening_effects,
)
from validators.experiments.statistics import wilson
from validators.experiments.tallies import ChoiceTally

READINGS, NUMBERS = "Options and rulings", "Numbers"
MOST_OPENINGS = 16
MOST_CHOICES = 40
MOST_NUMBERED = 16
"""The fewest choices of numbers and places that have room, however many others there are."""
MANY = 16
"""Of more choices, those of things with a name have a picture of their own."""
MOST_HARDLY = 24
AFTERWARDS = {
    READINGS: " To play on until one of them is known better: `rulewright compare`.",
    NUMBERS: " To find the smallest change that reaches a target: `rulewright tune`.",
}
SHARES = "shares of the win"
MARKED = "Marked is what stands out, corrected for all rows of this picture."


def choice_figures(found: Analysed, effects: Sequence[Effect]) -> Iterator[Figure]:
    """How often choices are taken, what goes together with them, what they are worth; openings."""
    main = found.main
    if not main.matches:
        return
    named, numbered = _often(main.choices)
    yield from _taken(found, named, numbered)
    yield from _hardly_taken(found)
    yield from _forbidden(found, effects)
    yield from _in_company(found, [*named, *numbered])
    yield from _openings(found)


def _often(choices: Mapping[str, ChoiceTally]) -> tuple[list[str], list[str]]:
    """The choices that are taken most often: of things with a name, as cards, and of numbers and places."""
    ordered = sorted(choices, key=lambda name: _by_use(name, choices[name]))
    named = [name for name in ordered if not ends_with_number(name)][:MOST_CHOICES]
    numbered = list(filter(ends_with_number, ordered))
    return named, numbered[: max(MOST_NUMBERED, MOST_CHOICES - len(named))]


def _by_use(name: str, choice: ChoiceTally) -> tuple[int, float, str]:
    """A key that puts first what was taken most often, then what was declined least often."""
    return -choice.taken, -choice.taken / max(1, choice.offered), name


def _taken(found: Analysed, named: Sequence[str], numbered: Sequence[str]) -> Iterator[Figure]:
    left = len(found.main.choices) - len(named) - len(numbered)
    says = (
        "How often a choice is taken when it is offered beside others; pieces count by their class, not by "
        "their place."
    )
    if left:
        says += f" These are the most frequent; not shown: {counted(left, 'other')}."
    if named and numbered and len(named) + len(numbered) > MANY:
        yield _parts_taken(found, "What is taken", says, named)
        says = "The same of choices that end with a number or a place."
        yield _parts_taken(found, "Which numbers and places are taken", says, numbered)
    elif found.main.choices:
        both = sorted((*named, *numbered), key=lambda name: _by_use(name, found.main.choices[name]))
        yield _parts_taken(found, "What is taken", says, both)


def _hardly_taken(found: Analysed) -> Iterator[Figure]:
    names = hardly_taken(found.main, MOST_HARDLY)
    if names and not found.plan.uniform:
        says = (
            "What was often offered and hardly ever taken. A player who looks ahead sees no use in it: it "
            "may be too dear, too weak, or there may always be something better."
        )
        yield _parts_taken(found, "What is hardly ever taken", says, names)


def _parts_taken(found: Analysed, title: str, says: str, names: Sequence[str]) -> Figure:
    main, plan, rows = found.main, found.plan, []
    for name in names:
        choice = main.choices[name]
        interval = wilson(choice.taken, choice.offered)
        each = choice.taken / main.matches / len(plan.seats)
        time = "a match and seat" if len(plan.seats) > 1 else "a match"
        note = f"{each:.2f} {time}" if each >= 0.005 else f"{choice.taken:,} of {choice.offered:,}"
        rows.append(Row(name, interval.scaled(PERCENT), part(interval), note))
    chart = interval_chart(rows, 0, " %", (0, PERCENT))
    return Figure(title, says, rests_on(found, main.matches, plan.bots), chart)


def _in_company(found: Analysed, names: Sequence[str]) -> Iterator[Figure]:
    plan = found.plan
    seen = company_effects(found.main, names, len(plan.seats)) if len(plan.seats) > 1 else []
    if seen:
        says = (
            "The share of the win after a choice was taken, less that after it was declined. This tells what "
            "goes together, not what causes it: good positions have other choices. What causes it is above. "
            + MARKED
        )
        chart = interval_chart(_effect_rows(seen), 0, " %")
        basis = rests_on(found, found.main.matches, plan.bots)
        yield Figure("After taking and after declining", says, basis, chart)


def _effect_rows(effects: Sequence[Effect]) -> list[Row]:
    """Rows of shares, the greatest first."""
    ordered = sorted(effects, key=lambda e: -e.interval.estimate)
    return [
        Row(e.name, e.interval.scaled(PERCENT), percent(e.interval, 1, True), p_text(e), flag(e))
        for e in ordered
    ]


def _forbidden(found: Analysed, effects: Sequence[Effect]) -> Iterator[Figure]:
    plan = found.plan
    chosen = [e for e in effects if e.kind is Kind.CHOICE]
    if found.unforbidden:
        names = ", ".join(found.unforbidden)
        yield Figure("Not forbidden", f"For these choices there was no time: {names}.", "")
    if chosen:
        says = (
            "What a choice is worth: the share of the win that a seat loses if it alone may never take it, "
            "in pairs of matches with the same chance. Left of the line, a seat does better without it. "
            "P-values are corrected for all effects on this page."
        )
        basis = rests_on(found, max(e.n for e in chosen), plan.plain.bots, "pairs for each row at most")
        yield Figure("What forbidding it changes", says, basis, interval_chart(_effect_rows(chosen), 0, " %"))


def _openings(found: Analysed) -> Iterator[Figure]:
    """What each seat chooses first. Where all is open and fixed, this is the question of the best opening."""
    plan, main = found.plan, found.main
    for seat in plan.seats if len(plan.seats) > 1 else ():
        seen = opening_effects(main, seat, len(plan.seats), MOST_OPENINGS)
        rows = []
        for e in sorted(seen, key=lambda e: -e.interval.estimate):
            times = main.openings[f"{seat}: {e.name}"].n
            note = f"{counted(times, 'time')}, {p_text(e)}"
            rows.append(Row(e.name, e.interval.scaled(PERCENT), percent(e.interval, 1, True), note, flag(e)))
        if len(rows) > 1:
            says = (
                f"The share of the win of {seat} after what it chose in its first decision, less that after "
                "everything else. Where chance comes first, good luck has other openings than bad luck. "
                + MARKED
            )
            basis = rests_on(found, main.matches, plan.bots)
            yield Figure(f"Openings of {seat}", says, basis, interval_chart(rows, 0, " %"))


def rule_figures(found: Analysed, effects: Sequence[Effect]) -> Iterator[Figure]:
    """What other values of options, rulings and numbers change."""
    about = {one.name: one for one in found.alternatives}
    for kind, title in ((Kind.READING, READINGS), (Kind.NUMBER, NUMBERS)):
        chosen = [e for e in effects if e.kind is kind and e.n]
        for measure in dict.fromkeys(_pictured(found, e) for e in chosen):
            shown = [e for e in chosen if _pictured(found, e) == measure]
            yield _changes(found, title, measure, shown, about)
    if found.left_out:
        names = ", ".join(found.left_out)
        yield Figure("Not tried", f"With these values it is no game: {names}.", "")
    if failed := [one.name for one in found.alternatives if one.tally.failed and not one.tally.pairs]:
        names = ", ".join(failed)
        yield Figure("Only faults", f"With these values every match ended in a fault: {names}.", "")
    if found.unplayed:
        names = ", ".join(found.unplayed)
        yield Figure("Not played", f"For these values there was no time: {names}.", "")


def _pictured(found: Analysed, effect: Effect) -> str:
    """The measure of the picture that an effect is in: of many seats, the shares are in one."""
    many = len(found.plan.seats) > 2 and effect.measure.startswith("share of ")
    return SHARES if many else effect.measure


def _changes(
    found: Analysed, title: str, measure: str, chosen: Sequence[Effect], about: dict[str, Alternative]
) -> Figure:
    share, rows, told = measure.startswith("share"), list[Row](), set[str]()
    for e in chosen:
        one = about[e.name]
        text = percent(e.interval, 1, True) if share else plain(e.interval, 2, True)
        same = f"{one.tally.same:,} of {one.tally.pairs:,} end the same"
        failed = f"{one.tally.failed:,} ended in a fault" if one.tally.failed else ""
        failed += ", so that this is no finding" if e.selected else ""
        parts = (one.about, same, failed, p_text(e)) if e.name not in told else (p_text(e),)
        note = "; ".join(part for part in parts if part)
        told.add(e.name)
        label = f"{e.name}, {e.measure.removeprefix('share of ')}" if measure == SHARES else e.name
        rows.append(Row(label, e.interval.scaled(PERCENT if share else 1), text, note, flag(e)))
    says = f"What changes in the {measure} with another value, in pairs of matches with the same chance."
    says += AFTERWARDS[title]
    basis = rests_on(found, max(e.n for e in chosen), found.plan.plain.bots, "pairs for each row at most")
    unit = " in decisions" if measure == "length" else ""
    return Figure(f"{title}: {measure}{unit}", says, basis, interval_chart(rows, 0, " %" if share else ""))
