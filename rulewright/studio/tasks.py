"""What takes long, as functions of values: they run in worker processes, and tell what they have found so
far. Each yields JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from time import monotonic, sleep

from dsl.diagnostics import Diagnostic, DiagnosticError, ErrorsReported, Severity
from dsl.folder import BASE, Folder
from dsl.load import load
from dsl.rules import Rules
from dsl.source import Source, Span
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from interpreter.log import read, write
from rulewright.learn.policy_names import player_named
from rulewright.studio import experiments
from rulewright.studio.clauses import traced
from rulewright.studio.graph import drawn
from rulewright.studio.line_changes import changed_files
from rulewright.studio.loading import FrozenRuleset, loaded
from rulewright.studio.numbers import numbers_in, simulated
from rulewright.studio.playing import follow as follow_log
from rulewright.studio.reaching import LineSearch
from rulewright.studio.rpc import Json
from rulewright.studio.scenarios import PastRun, keys_of, scenario_run
from rulewright.versions.objects import comparison_object
from rulewright.versions.revisions import at_revision
from validators.check import CheckContext
from validators.checks import CHECKS
from validators.diff.compare import compare
from validators.explore.explore import explore
from validators.explore.messages import unseen
from validators.explore.search import Bounds
from validators.explore.witness import moves_on, replayable, witness
from validators.run_checks import CheckRun, run_checks
from validators.witness import random_match

Texts = Mapping[str, str]
COMMITTED = "HEAD"
MEMORY = "memory"
"""The key of what a task wants to know again the next time; no page is told."""
LONGEST_WITNESS = 4_000
"""The most choices of a random match that is shown."""


def follow(
    ruleset: FrozenRuleset, before: FrozenRuleset | None, tests: Texts, root: str, past: PastRun | None = None
) -> Iterator[Json]:
    """What follows an edit: the scenarios, the drawing of phases, what has changed since the last commit.

    `past` is what it remembered the last time, by the key `MEMORY`.
    """
    rules, questions = loaded(ruleset)
    old = None
    if before is not None and before.digest != ruleset.digest:
        try:
            old = loaded(before)[0]
        except ErrorsReported:
            old = None
    run = scenario_run(rules, questions, old, past)
    if past is None:
        yield {"graph": drawn(rules)}
    for number, found in enumerate(run.carry_out(tests)):
        yield {"scenarios": found}
        if number == 0 and past is not None:
            yield {"graph": drawn(rules)}
    yield {MEMORY: PastRun(keys_of(run.points), run.reached)}
    yield {"trace": traced(rules, run.watched)}
    yield changes(ruleset, rules, tests, root)


def changes(ruleset: FrozenRuleset, rules: Rules, tests: Texts, root: str) -> Json:
    """What has changed since the last commit: by meaning, and by lines of files.

    `why` says why that is not known; of rules that cannot be read the lines are known all the same.
    """
    try:
        folder = at_revision(ruleset.name, root, COMMITTED)
    except DiagnosticError as error:
        return {"changes": {"why": error.diagnostic.message}, "edits": {}}
    texts = {path: data.decode("utf-8", "replace") for path, data in ruleset.files if is_own(path)}
    return {"changes": _meaning(folder, rules), "edits": changed_files(folder, {**texts, **tests})}


def _meaning(committed: Folder, rules: Rules) -> Json:
    try:
        before = load(committed)[0]
    except ErrorsReported as stop:
        return {"why": f"the committed rules have mistakes: {stop.report.first.message}"}
    except DiagnosticError as error:
        return {"why": error.diagnostic.message}
    return dict(comparison_object(compare(before, rules), (COMMITTED, "now"), None))


def is_own(path: str) -> bool:
    """Whether a file is one of the folder, and not of a game below."""
    return not path.startswith(BASE)


# ---- checks and exploration


def check(ruleset: FrozenRuleset, seconds: float, plays: bool) -> Iterator[Json]:
    """The findings of the checks of a game; a fault in random play has the match that leads to it.

    First those of checks that look at the default options alone and play nothing.
    """
    rules, _ = loaded(ruleset)
    context = CheckContext(rules, plain_only=True)
    quick = run_checks(context, seconds, False, [check for check in CHECKS if not check.tries])
    slow = len([check for check in CHECKS if check.plays <= plays]) - len(quick.done)
    yield {**_found(quick), "left": [], "played": False, "more": slow}
    context.plain_only = False
    result = run_checks(context, seconds, plays)
    yield {**_found(result), "left": list(result.left), "played": plays, "more": 0}


def _found(run: CheckRun) -> Json:
    return {
        "findings": [_finding(finding) for finding in run.findings],
        "allowed": len(run.allowed),
        "checks": len(run.done),
    }


def _finding(finding: Diagnostic) -> Json:
    return {
        "code": finding.code,
        "severity": "error" if finding.severity is Severity.ERROR else "warning",
        "message": finding.message,
        "help": finding.help,
        "place": place_of(finding.span),
        "path": [{"place": place_of(label.span), "text": label.text} for label in finding.others],
        "match": getattr(finding, "match", None),
    }


def place_of(span: Span) -> str | None:
    """`file:line:column`; none for what lies nowhere."""
    return span.place if span.source.text else None


def fault(ruleset: FrozenRuleset, seats: int, seed: int) -> Iterator[Json]:
    """A random match up to the choice at which it fails, as a log."""
    rules, _ = loaded(ruleset)
    match = random_match(Game(rules, compile_rules(rules, seats)), seed, LONGEST_WITNESS)
    yield {"log": write(match, {}, [])}


def explored(ruleset: FrozenRuleset, seats: int, options: Texts, seconds: float) -> Iterator[Json]:
    """What an exploration of every position finds, each with the shortest path to it as a log."""
    rules, _ = loaded(ruleset)
    game = Game(rules, compile_rules(rules, seats, options))
    found = explore(game, Bounds(seconds=seconds), "wasm")
    shown: list[Json] = []
    for finding in found.findings:
        one = _finding(finding.diagnostic)
        if finding.path is not None:
            moves = moves_on(found.steps, finding.path, finding.last)
            one["words"] = list(witness(game, moves).words)
            one["log"] = write(replayable(game, moves), dict(options), [])
        shown.append(one)
    graph = found.found.graph
    yield {
        "findings": shown,
        "positions": len(graph),
        "exhaustive": found.found.exhaustive,
        "unseen": [unseen(diagnostic) for diagnostic in found.unseen],
    }


# ---- reaching a line


def reach(
    ruleset: FrozenRuleset, seats: int, options: Texts, path: str, line: int, seconds: float, log: str | None
) -> Iterator[Json]:
    """A match of random choices that comes to a line, as a log: on from a match, or from the start."""
    rules, _ = loaded(ruleset)
    search = LineSearch(rules, seats, options, f"{ruleset.name}/{path}", line)
    found = search.carry_out(monotonic() + seconds, Source("the match", log) if log else None)
    if found is None:
        yield {"log": None, "tried": search.tried, "why": search.why}
    else:
        game = Game(rules, compile_rules(rules, seats, options))
        known = read(Source("the match", write(found, dict(options), [])), trusted=True)
        plain = follow_log(game, known, known.entries).match
        yield {"log": write(plain, dict(options), []), "tried": search.tried}


# ---- choosing


def bot_choices(
    ruleset: FrozenRuleset, seats: int, options: Texts, log: str, bots: Mapping[int, str], pace: float
) -> Iterator[Json]:
    """The choices of bots as long as they are asked, at most one in so many seconds.

    Raises `DiagnosticError` if a bot needs what is not installed.
    """
    rules, _ = loaded(ruleset)
    game = Game(rules, compile_rules(rules, seats, options))
    known = read(Source("the match", log), trusted=True)
    match = follow_log(game, known, known.entries).match
    players = {seat: player_named(name) for seat, name in bots.items()}
    while not match.over:
        waiting = next((one for one in match.waiting() if one.seat in players), None)
        if waiting is None:
            return
        begun = monotonic()
        option = players[waiting.seat].choose(match, waiting, match.seed)
        sleep(max(0.0, pace - (monotonic() - begun)))
        yield {"seat": waiting.seat, "option": option}
        match.take(waiting, option)


# ---- another value of a number


def simulate(
    ruleset: FrozenRuleset, tests: Texts, seats: int, options: Texts, name: str, value: int, pairs: int
) -> Iterator[Json]:
    """Pairs of random matches with and without another value of a number, and the scenarios that break."""
    yield from simulated(ruleset, tests, seats, options, name, value, pairs)


def numbers(ruleset: FrozenRuleset, seats: int, options: Texts) -> Iterator[Json]:
    """The numbers that have a name."""
    yield {"numbers": numbers_in(ruleset, seats, options)}


Task = Callable[..., Iterator[Json]]
TASKS: dict[str, Task] = {
    "follow": follow,
    "check": check,
    "fault": fault,
    "explore": explored,
    "reach": reach,
    "bots": bot_choices,
    "simulate": simulate,
    "numbers": numbers,
    "analyse": experiments.analysed,
    "playtests": experiments.playtested,
    "differ": experiments.differing,
    "compare": experiments.matched,
    "costs": experiments.bot_costs,
}
