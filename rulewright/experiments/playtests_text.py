"""What records of playtests say, as a text for a terminal."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import assert_never

from dsl import rules as r
from dsl.wording import counted
from rulewright.experiments.playtests import ENOUGH_TIMES, Answers, Marked, Stumbling, Summary, Thinking
from rulewright.experiments.playtests_compared import FEW, ComparedRules, PlaytestChange
from rulewright.experiments.playtests_folder import FolderShown
from rulewright.experiments.playtests_object import heading

MOST_SHOWN = 12
"""The lines of a table that are shown."""
MOST_CONDITIONS = 3
SHORT = 8
"""The digits of a digest that are shown."""


def newest(shown: FolderShown) -> Iterator[str]:
    """What comes first of the last version of the rules, and which that is if there are several."""
    (digest, found), several = list(shown.versions.items())[-1], len(shown.versions) > 1
    lead = f"{version_name(digest, shown.rules)}: " if several else ""
    yield from (f"{lead}{line}" for line in _first_of_all(found, shown.rules))


def version_name(digest: str, rules: r.Rules) -> str:
    """A version of the rules by its digest, and whether it is the present one."""
    return f"rules {digest[:SHORT]}{' (the present ones)' if digest == rules.digest else ''}"


def _first_of_all(found: Summary, rules: r.Rules) -> Iterator[str]:
    """A line each of where most are held up, and what is thought about longest."""
    if found.stumbling:
        yield f"most refused or asked about: {_held_up(found.stumbling[0], found.matches, rules)}"
    timed = [one for one in found.thinking if one.times >= ENOUGH_TIMES]
    if timed:
        one = timed[0]
        of = counted(one.times, "choice")
        yield f"longest thought about: `{one.action}`{_cited(one.clauses)}, median {one.median:.1f} s of {of}"


def summary_text(found: Summary, rules: r.Rules, said: bool = True) -> Iterator[str]:
    """Tables of clauses and actions; and, with `said`, marks and answers."""
    yield f"median of {found.minutes:.1f} minutes, {found.agreed} of {counted(found.seats, 'seat')} agreed"
    if found.stumbling:
        yield "\nrefused, or asked why not, by clause:"
        yield from _shown([_clause_lines(one, found.matches, rules) for one in found.stumbling])
    if found.thinking:
        width = max(6, *(len(one.action) for one in found.thinking[:MOST_SHOWN]))
        yield f"\n  {'action':<{width}}{'choices':>9}{'median':>10}{'90 %':>10}{'undone':>8}{'hints':>7}"
        yield from _shown([[_action_line(one, width)] for one in found.thinking])
    if said and found.marks:
        yield "\nmarks:"
        yield from _shown([[_mark(one)] for one in found.marks])
    for one in found.answers if said else ():
        yield from _answers(one)


def comparison_text(found: ComparedRules, rules: r.Rules) -> Iterator[str]:
    """What rose and fell, and what may be chance."""
    old, new = found.matches
    yield f"from rules {found.old[:SHORT]} to {found.new[:SHORT]}: {old} and {counted(new, 'match')}"
    if found.few:
        yield f"these are few (below {FEW}): what is not shown to differ may differ all the same"
    changed = [one for one in found.changes if one.verdict]
    yield from (f"  {one.verdict}: {_change(one, rules)}" for one in changed)
    if not changed:
        yield "  nothing is shown to differ"
    others = [[_change(one, rules)] for one in found.changes if not one.verdict and one.old != one.new]
    if others:
        yield "may be chance:"
        yield from _shown(others)


def _change(one: PlaytestChange, rules: r.Rules) -> str:
    name = f"{one.name} {heading(one.name, rules)}".rstrip()
    match one.what:
        case "clause":
            what = f"held up at {name}" if name else "held up by what no clause says"
        case "undo" | "hint":
            what = f"`{name}` taken back" if one.what == "undo" else f"hints before `{name}`"
        case "time":
            what = f"seconds of thought about `{name}`"
        case "minutes":
            what = "minutes of a match"
        case "answer":
            what = f"answers to “{name}”"
        case _:
            assert_never(one.what)
    if one.what == "clause":
        numbers = f"{one.old:.1f} to {one.new:.1f} times a match, of {one.observed[0]} and {one.observed[1]}"
    elif one.apart is None:
        numbers = f"median {one.old:.1f} to {one.new:.1f}, of {one.observed[0]} and {one.observed[1]}"
    else:
        low, high = (f"{100 * bound:+z.0f}" for bound in (one.apart.low, one.apart.high))
        numbers = f"{one.old:.0%} to {one.new:.0%} of matches, {low} to {high} points"
    return f"{what}: {numbers}, p = {one.p:.2g}"


def _shown(entries: Sequence[Sequence[str]]) -> Iterator[str]:
    for lines in entries[:MOST_SHOWN]:
        yield from (f"  {line}" for line in lines)
    if len(entries) > MOST_SHOWN:
        yield f"  and {len(entries) - MOST_SHOWN} more, which --json tells"


def _clause_lines(one: Stumbling, of: int, rules: r.Rules) -> list[str]:
    conditions = [(text, number) for text, number in one.conditions.items() if text]
    told = [f"    {number} × {text}" for text, number in conditions[:MOST_CONDITIONS]]
    return [_held_up(one, of, rules), *told]


def _held_up(one: Stumbling, of: int, rules: r.Rules) -> str:
    name = f"{one.clause} {heading(one.clause, rules)}".rstrip() if one.clause else "what no clause says"
    numbers = f"{counted(one.refused, 'refusal')}, {counted(one.asked, 'question')}"
    share = f"{one.matches} of {counted(of, 'match')} ({one.matches / of:.0%})"
    return f"{name}: {numbers} of {counted(one.players, 'player')} in {share}"


def _action_line(one: Thinking, width: int) -> str:
    times = f"{one.median:>8.1f} s{one.ninetieth:>8.1f} s" if one.times else f"{'':>20}"
    line = f"{one.action or '-':<{width}}{one.times:>9,}{times}{one.undone:>8,}{one.hints:>7,}"
    return f"{line}  {' '.join(one.clauses)}".rstrip()


def _mark(one: Marked) -> str:
    where = f"after `{one.action}`{_cited(one.clauses)}" if one.action else "before the first choice"
    said = f": “{one.text}”" if one.text else ""
    return f"{one.match}, rules {one.rules[:SHORT]}, entry {one.entry}, {where}{said}"


def _answers(one: Answers) -> Iterator[str]:
    yield f"\n“{one.question}”: {counted(len(one.numbers) + len(one.texts), 'answer')}"
    if one.numbers:
        yield f"  {counted(len(one.numbers), 'number')}, median {statistics.median(one.numbers):g}"
    said = Counter(one.texts).most_common()
    yield from (f"  “{text}”{f' {times} times' if times > 1 else ''}" for text, times in said)


def _cited(clauses: Sequence[str]) -> str:
    return f" ({' '.join(clauses)})" if clauses else ""
