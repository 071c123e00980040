"""What many matches show, of bots or of people, and how another version differs: tasks of worker processes.

All is about the rules as they are edited. They tell what they have so far every `EVERY` seconds, so that who
stops them keeps that. Experiments need the extra `arrays`.
"""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from dsl.diagnostics import Diagnostic, DiagnosticError, ErrorsReported
from dsl.folder import Folder
from dsl.load import load
from dsl.rules import Rules
from dsl.source import Span
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from interpreter.log import read
from rulewright.learn.policy_names import player_named
from rulewright.library import folder
from rulewright.studio.loading import FrozenRuleset, loaded
from rulewright.studio.numbers import check_installed, experimental, measure_json
from rulewright.studio.rpc import Json
from rulewright.versions.objects import comparison_object
from rulewright.versions.revisions import at_revision, open_version
from validators.diff.compare import compare

if TYPE_CHECKING:
    from rulewright.experiments.analysis import Analysed
    from rulewright.experiments.compared import Compared
    from validators.experiments.findings import Effect

EVERY = 0.5
"""Seconds between two times that a task tells what it has found."""
MOST = 60
"""The most choices that are listed."""
TRIED = "search:100"
"""The search that is timed; those with other budgets take as much longer."""
REVISION = "@"
"""Before a revision of the repository of the ruleset itself."""


Progress = Callable[[Callable[[], Json]], None]
"""Tells what work has found so far. What makes the JSON is called only if it is to be told."""


def told_while(work: Callable[[Progress], Json]) -> Iterator[Json]:
    """What work tells while it goes on, at most once in `EVERY` seconds, and its result."""
    told: queue.SimpleQueue[Json | None] = queue.SimpleQueue()

    def carry_out() -> Json:
        next_time = monotonic()

        def tell(make: Callable[[], Json]) -> None:
            nonlocal next_time
            if monotonic() >= next_time:
                told.put(make())
                next_time = monotonic() + EVERY

        try:
            return work(tell)
        finally:
            told.put(None)

    with ThreadPoolExecutor(1, "experiment") as pool:
        result = pool.submit(carry_out)
        yield from iter(told.get, None)
        yield result.result()


# ---- matches of bots


def analysed(
    ruleset: FrozenRuleset, seats: int, options: Mapping[str, str], bots: str, number: int, command: str
) -> Iterator[Json]:
    """What `rulewright analyse` finds in `number` matches of each part; at the end its page, too."""
    check_installed()
    from rulewright.experiments.analysis import PARTS, analyse
    from rulewright.experiments.analysis_plan import planned
    from rulewright.experiments.running import LocalRunner
    from rulewright.pages.analysis import page

    own = experimental(ruleset)
    plan = planned(own, seats, options, bots, number)
    where = LocalRunner()
    where.learn([own])
    names = list(PARTS)

    def shown(found: Analysed) -> Json:
        part = names.index(found.playing) if found.playing else len(names)
        return {
            **_analysis(found),
            "part": found.playing,
            "part_number": part,
            "parts": len(names),
            "number": number,
        }

    def work(tell: Progress) -> Json:
        found = analyse(where, plan, seen=lambda so_far: tell(lambda: shown(so_far)))
        if found.failure is not None:
            raise DiagnosticError(found.failure)
        try:
            document = page(found, plan.rules.title, command)
        except DiagnosticError as error:  # the library for pages is not installed: the figures are there
            return {**shown(found), "page_missing": _said(error.diagnostic)}
        return {**shown(found), "page": document}

    return told_while(work)


def _analysis(found: Analysed) -> Json:
    from rulewright.pages.analysis import headlines, verdict
    from validators.experiments.findings import findings, too_few

    rules, effects = found.plan.rules, found.effects
    return {
        "matches": found.main.matches,
        "headlines": [[one.label, one.value, one.between] for one in headlines(found)],
        "shown": [
            {
                "text": verdict(one),
                "measure": one.measure,
                "plain": found.plan.plainly_played(one.kind),
                "p": one.p,
                "place": _place_of_effect(one, rules),
            }
            for one in findings(effects)
        ],
        "too_few": too_few(effects),
        "choices": [
            {"name": name, "offered": one.offered, "taken": one.taken, "place": place_of_name(name, rules)}
            for name, one in sorted(found.main.choices.items(), key=lambda item: -item[1].offered)[:MOST]
        ],
        "faults": [
            {"text": text, "seeds": len(fault.seeds)} for text, fault in sorted(found.main.faults.items())
        ],
    }


def _place_of_effect(effect: Effect, rules: Rules) -> str | None:
    """The line that an effect is about: of a choice, an option or a number."""
    return place_of_name(effect.name.partition(" = ")[0], rules)


def place_of_name(name: str, rules: Rules) -> str | None:
    """The line of an action, an option, a constant or a kind of piece; none for what has no line."""
    first = name.partition(".")[0]
    for declared in (rules.routines, rules.options, rules.constants, rules.phases, rules.components):
        if first in declared:
            return _place(declared[first].span)
    return next((_place(c.span) for c in rules.components.values() if first in c.classes), None)


def _place(span: Span) -> str | None:
    return span.place if span.source.text else None


# ---- matches of people


def playtested(ruleset: FrozenRuleset, records: str) -> Iterator[Json]:
    """What `rulewright analyse --logs` says of the records in a folder, each with its line.

    Raises `DiagnosticError` if there are none.
    """
    from rulewright.experiments.playtests_folder import shown_by
    from rulewright.experiments.playtests_text import comparison_text, newest

    rules, _ = loaded(ruleset)
    found = shown_by(Path(records), rules)
    whole = found.as_json()
    total = whole["all"]
    assert isinstance(total, dict)
    for one in total["clauses"]:
        clause = rules.clauses.get(one["clause"] or "")
        one["place"] = _place(clause.span) if clause is not None else None
    for kind in ("actions", "marks"):
        for one in total[kind]:
            one["place"] = place_of_name(one["action"], rules)
    yield {
        "all": total,
        "first": list(newest(found)) if found.versions else [],
        "versions": [
            {"rules": digest, "matches": part.matches, "present": digest == rules.digest}
            for digest, part in found.versions.items()
        ],
        "between": ["\n".join(comparison_text(one, rules)) for one in found.comparisons],
        "unread": [_said(one) for one in found.unread],
    }


def _said(why: Diagnostic) -> str:
    return f"{why.code}: {why.message}" + (f"; {why.help}" if why.help else "")


# ---- another version


def other_version(root: str, name: str) -> Folder:
    """The files of a version: as they are saved (an empty name), at a `@REVISION` of their repository, or a
    folder, a game or a `FOLDER@REVISION`. Raises `DiagnosticError`."""
    if not name:
        return folder(Path(root))
    if name.startswith(REVISION):
        return at_revision(f"{Path(root).name}{name}", root, name.removeprefix(REVISION))
    return open_version(name)


def differing(ruleset: FrozenRuleset, root: str, old: str) -> Iterator[Json]:
    """What has changed in meaning since another version, as `rulewright diff` says it; or `why` not."""
    rules, _ = loaded(ruleset)
    try:
        before = load(other_version(root, old))[0]
    except ErrorsReported as stop:
        yield {"changes": {"why": f"the rules of before have mistakes: {stop.report.first.message}"}}
    except DiagnosticError as error:
        yield {"changes": {"why": _said(error.diagnostic)}}
    else:
        yield {"changes": comparison_object(compare(before, rules), (old, "now"), None)}


def matched(
    ruleset: FrozenRuleset, root: str, old: str, bots: str, pairs: int, margin: float
) -> Iterator[Json]:
    """What `rulewright compare` finds between another version and the rules as they are edited."""
    check_installed()
    from rulewright.experiments.compared import ComparisonPlan, carry_out
    from rulewright.experiments.comparison_text import summed_up
    from rulewright.experiments.rulesets import ruleset_of
    from rulewright.experiments.running import LocalRunner
    from rulewright.experiments.sides import sides_of
    from validators.experiments.jobs import PairJob

    before, own = ruleset_of(other_version(root, old)), experimental(ruleset)
    sides = sides_of(before, (old or "saved", {}), own, ("now", {}), None, bots)
    if sides.old == sides.new:
        yield {"pairs": 0, "played": 0, "measures": [], "said": "Both have the same rules."}
        return
    where = LocalRunner()
    where.learn(sides.rulesets)
    plan = ComparisonPlan(PairJob(sides.old, sides.new, 0, pairs), sides.seats, margin / 100)

    def shown(found: Compared) -> Json:
        seen = found.measures if found.tally.pairs else []
        return {
            "pairs": found.tally.pairs,
            "same": found.tally.same,
            "played": found.played,
            "measures": [measure_json(one) for one in seen],
            "said": summed_up(seen) if seen else "",
            "note": sides.note,
            "faults": sorted(found.tally.faults),
        }

    def work(tell: Progress) -> Json:
        found = carry_out(where, plan, seen=lambda so_far: tell(lambda: shown(so_far)))
        if found.failure is not None:
            raise DiagnosticError(found.failure)
        return shown(found)

    yield from told_while(work)


# ---- what bots cost


def bot_costs(ruleset: FrozenRuleset, seats: int, options: Mapping[str, str], log: str) -> Iterator[Json]:
    """How long each bot thinks at most about the choice that is asked for at the table, in seconds."""
    check_installed()
    from dsl.source import Source
    from interpreter.bots.names import STRENGTHS
    from rulewright.studio.playing import LOG, follow

    rules, _ = loaded(ruleset)
    game = Game(rules, compile_rules(rules, seats, options))
    known = read(Source(LOG, log), trusted=True)
    match = follow(game, known, known.entries).match
    if match.over:
        yield {"costs": {}}
        return
    waiting, bot = match.waiting()[0], player_named(TRIED)
    bot.choose(match, waiting, match.seed)  # with what is made once
    begun = monotonic()
    player_named(TRIED).choose(match, waiting, match.seed)
    each = (monotonic() - begun) / int(TRIED.partition(":")[2])
    yield {"costs": {"random": 0.0, **{name: each * budget for name, budget in STRENGTHS.items()}}}
