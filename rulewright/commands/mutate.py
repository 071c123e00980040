"""`rulewright mutate`: whether the scenarios of a game notice when its rules change."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter

import click

from dsl.diagnostics import Diagnostic, DiagnosticError, did_you_mean
from dsl.source import NOWHERE, Source
from interpreter.game import ExecutorKind
from rulewright.library import files_of, find, folder, scenario_sources, source_beside
from rulewright.parameters import SEED, Real, Whole, executor_option, json_option
from rulewright.terminal import complain, counted, diagnostic_objects, echo_json, progress
from rulewright.workers import in_processes
from validators.mutate.equivalents import FILE, Equivalent, excused, mistaken, read_equivalents
from validators.mutate.messages import FailsUnchanged, NothingToMutate, Survived
from validators.mutate.mutant import Mutant
from validators.mutate.operators import OPERATORS
from validators.mutate.running import MutantVerdict, MutationRunner, Outcome
from validators.mutate.score import ClauseScore, JudgedMutant, by_clause, score

FINDINGS, INTERRUPTED = 1, 130
MOST_JOBS = 64
PASSABLE = 90.0
"""The least score that is good, if nothing else is said."""


@dataclass(frozen=True)
class WorkerArgs:
    """What a worker needs to make a runner of its own."""

    name: str
    files: dict[str, bytes]
    scenarios: tuple[tuple[str, str], ...]
    executor: ExecutorKind

    def runner(self) -> MutationRunner:
        texts = tuple(Source(name, text) for name, text in self.scenarios)
        return MutationRunner(self.name, self.files, texts, self.executor)


@dataclass(frozen=True)
class MutateArgs:
    """Which mutants are to be judged."""

    clauses: tuple[str, ...]
    operators: tuple[str, ...]
    sample: int | None
    seed: int

    @property
    def whole(self) -> bool:
        return not self.clauses and not self.operators and self.sample is None


@dataclass(frozen=True)
class MutationReport:
    """All that was found: the mutants that were judged, and what is wrong with `mutants.yaml`."""

    runner: MutationRunner
    judged: tuple[JudgedMutant, ...]
    wrong: tuple[Diagnostic, ...]
    wanted: int
    seconds: float

    @property
    def score(self) -> float:
        return score(self.judged)

    @property
    def interrupted(self) -> bool:
        return len(self.judged) < self.wanted


@click.command(short_help="Whether the scenarios notice when the rules change.")
@click.argument("game")
@click.option("--clause", "clauses", multiple=True, metavar="ID", help="Only mutants of this clause.")
@click.option(
    "--operator",
    "operators",
    multiple=True,
    type=click.Choice([operator.name for operator in OPERATORS]),
    metavar="NAME",
    help="Only mistakes of this kind.",
)
@click.option("--sample", type=Whole(1), metavar="N", help="Only N of them, at random.")
@click.option("--seed", type=SEED, default=0, show_default=True, help="The seed of the sample.")
@click.option(
    "--jobs",
    type=Whole(1, MOST_JOBS),
    default=1,
    show_default=True,
    help="Number of processes.",
)
@executor_option("wasm", "What plays the scenarios.")
@click.option(
    "--score",
    "least",
    type=Real(0, 100),
    default=PASSABLE,
    show_default=True,
    metavar="PERCENT",
    help="The score below which it fails.",
)
@click.option("--survivors", is_flag=True, help="Show only the mutants that nothing has detected.")
@json_option
@click.pass_context
def mutate(
    ctx: click.Context,
    game: str,
    clauses: tuple[str, ...],
    operators: tuple[str, ...],
    sample: int | None,
    seed: int,
    jobs: int,
    executor: ExecutorKind,
    least: float,
    survivors: bool,
    as_json: bool,
) -> None:
    """Put small mistakes into the rules of a game, and look whether its scenarios notice.

    Each mutant is the ruleset with one edit: a `needs` left out, a number off by one, the opponent for me. It
    is killed if a scenario fails. One that survives shows what no scenario asks. Those that make no
    difference to play are listed in `mutants.yaml`, with the reason.

    The score is the share of mutants that were killed. Exits with 1 if it is less than `--score`, or if
    something is wrong with `mutants.yaml`.

    \b
    Examples:
      rulewright mutate my_game --jobs 2
      rulewright mutate my_game --clause §4.3 --survivors
      rulewright mutate my_game --sample 50
    """
    setting = _setting(game, executor)
    runner, entries = setting.runner(), _entries(game)
    numbers = _wanted(runner, MutateArgs(clauses, operators, sample, seed))
    _holds(runner)
    began = perf_counter()
    verdicts = _judged(setting, runner, numbers, jobs)
    found = _session(runner, entries, numbers, verdicts, perf_counter() - began)
    if as_json:
        echo_json(_object(found))
    else:
        _show(found, least, survivors)
    failed = found.score < least or found.wrong
    ctx.exit(INTERRUPTED if found.interrupted else FINDINGS if failed else 0)


# ---- before


def _setting(game: str, executor: ExecutorKind) -> WorkerArgs:
    """The files of a game. Raises `ErrorsReported` or `DiagnosticError` if it has mistakes."""
    path = find(game)
    texts = tuple((source.name, source.text) for source in scenario_sources(path))
    return WorkerArgs(folder(path).name, files_of(path), texts, executor)


def _entries(game: str) -> tuple[Equivalent, ...]:
    source = source_beside(find(game), FILE)
    return read_equivalents(source) if source is not None else ()


def _wanted(runner: MutationRunner, wish: MutateArgs) -> list[int]:
    """The numbers of the mutants that are to be judged. Raises `DiagnosticError` if there are none."""
    if not runner.scenarios:
        raise DiagnosticError(NothingToMutate(NOWHERE, ": there are no scenarios", "write some first"))
    known = {clause for mutant in runner.mutants for clause in mutant.clauses}
    for clause in wish.clauses:
        if clause not in known:
            hint = did_you_mean(clause, known) or "name a clause that a line of the rules cites"
            raise DiagnosticError(NothingToMutate(NOWHERE, f" at `{clause}`", hint))
    found = [i for i, mutant in enumerate(runner.mutants) if _meant(mutant, wish)]
    if not found:
        raise DiagnosticError(NothingToMutate(NOWHERE, "", "leave out `--clause` or `--operator`"))
    if wish.sample is not None and wish.sample < len(found):
        found = sorted(random.Random(wish.seed).sample(found, wish.sample))
    return found


def _meant(mutant: Mutant, wish: MutateArgs) -> bool:
    named = not wish.clauses or bool(set(wish.clauses) & set(mutant.clauses))
    return named and (not wish.operators or mutant.operator in wish.operators)


def _holds(runner: MutationRunner) -> None:
    """Raises `DiagnosticError` if a scenario fails without any change."""
    for one in runner.performed:
        if not one.result.holds:
            raise DiagnosticError(FailsUnchanged(one.result.scenario.span, one.result.scenario.name))


# ---- judging


def _judged(
    setting: WorkerArgs, runner: MutationRunner, numbers: Sequence[int], jobs: int
) -> dict[int, MutantVerdict]:
    """The verdicts on mutants, by number; fewer than were asked for if it was interrupted."""
    verdicts: dict[int, MutantVerdict] = {}
    with progress(f"judging {counted(len(numbers), 'mutant')}", len(numbers)) as done:
        try:
            for i, verdict in _verdicts(setting, runner, numbers, jobs):
                verdicts[i] = verdict
                done()
        except KeyboardInterrupt:
            click.echo("interrupted: partial results follow", err=True)
    return verdicts


def _verdicts(
    setting: WorkerArgs, runner: MutationRunner, numbers: Sequence[int], jobs: int
) -> Iterator[tuple[int, MutantVerdict]]:
    if jobs == 1:
        yield from ((i, runner.judge(runner.mutants[i])) for i in numbers)
        return
    yield from zip(numbers, in_processes(jobs, _begin, (setting,), _judge, numbers, 4), strict=True)


_runner: list[MutationRunner] = []
"""The runner of a worker process."""


def _begin(setting: WorkerArgs) -> None:
    """A worker begins."""
    _runner.append(setting.runner())


def _judge(number: int) -> MutantVerdict:
    return _runner[0].judge(_runner[0].mutants[number])


def _session(
    runner: MutationRunner,
    entries: Sequence[Equivalent],
    numbers: Sequence[int],
    verdicts: dict[int, MutantVerdict],
    seconds: float,
) -> MutationReport:
    excuses = excused(entries, runner.mutants)
    judged = tuple(
        JudgedMutant(runner.mutants[i], verdict, excuses[i].why if i in excuses else "")
        for i, verdict in verdicts.items()
    )
    wrong = tuple(mistaken(entries, runner.mutants, verdicts))
    return MutationReport(runner, judged, wrong, len(numbers), seconds)


# ---- showing


def _show(found: MutationReport, least: float, survivors: bool) -> None:
    lines = by_clause(found.judged, found.runner.rules.clauses)
    if not survivors:
        click.echo("\n".join(_clause(found, line) for line in lines))
        click.echo()
    shown: set[int] = set()
    for line in lines:
        new = [one for one in line.survivors if id(one) not in shown]
        shown.update(id(one) for one in new)
        if new:
            click.echo(click.style(_heading(found, line), bold=True))
            complain([_survived(one) for one in new], err=False)
            click.echo()
    if found.wrong:
        complain(found.wrong, err=False)
        click.echo()
    click.echo("\n".join(_sum(found, least)))


def _clause(found: MutationReport, line: ClauseScore) -> str:
    return f"{line.noticed:>4}/{line.total:<4} {_heading(found, line)}"


def _heading(found: MutationReport, line: ClauseScore) -> str:
    clause = found.runner.rules.clauses.get(line.clause)
    return f"{line.clause or 'no clause'} {clause.heading if clause is not None else ''}".rstrip()


def _survived(one: JudgedMutant) -> Diagnostic:
    does = "notices" if one.verdict.outcome is Outcome.SURVIVED else "comes here to notice"
    where = f"{one.mutant.operator} in `{one.mutant.header}`"
    return Survived(one.mutant.span, one.mutant.says, where, does)


def _sum(found: MutationReport, least: float) -> Iterator[str]:
    """The account, in words."""
    outcomes = Counter(one.verdict.outcome for one in found.judged)
    excused = sum(one.verdict.survived and bool(one.excuse) for one in found.judged)
    survivors = [one.verdict.outcome for one in found.judged if one.survived]
    killed = outcomes[Outcome.KILLED] + outcomes[Outcome.TIMED_OUT]
    yield f"{found.runner.rules.title}: {counted(len(found.judged), 'mutant')} in {found.seconds:.0f} s"
    yield f"  {killed} killed, of which {outcomes[Outcome.TIMED_OUT]} timed out"
    yield f"  {len(survivors)} survived, {survivors.count(Outcome.UNREACHED)} of them unreached by scenarios"
    yield f"  {excused} make no difference, as `{FILE}` says"
    same, no_game = outcomes[Outcome.SAME], outcomes[Outcome.NO_GAME]
    yield f"  {same} compile to the same machine, {no_game} are not a game"
    if not any(one.counts for one in found.judged):
        yield "no score: no mutant that counts was judged"
    else:
        yield f"score {found.score:.1f} of 100" + (f", less than {least:g}" if found.score < least else "")


def _object(found: MutationReport) -> dict[str, object]:
    clauses = by_clause(found.judged, found.runner.rules.clauses)
    return {
        "game": found.runner.rules.name,
        "score": round(found.score, 2) if any(one.counts for one in found.judged) else None,
        "complete": not found.interrupted,
        "seconds": round(found.seconds, 1),
        "clauses": [{"clause": x.clause or None, "killed": x.noticed, "total": x.total} for x in clauses],
        "mutants": [_mutant(one) for one in found.judged],
        "findings": diagnostic_objects(found.wrong),
    }


def _mutant(one: JudgedMutant) -> dict[str, object]:
    mutant, span = one.mutant, one.mutant.span
    line, column = span.source.position(span.start)
    return {
        "in": mutant.header,
        "clauses": list(mutant.clauses),
        "operator": mutant.operator,
        "old": mutant.old,
        "new": mutant.new,
        "file": span.source.name,
        "line": line,
        "column": column,
        "outcome": "equivalent" if one.excuse and one.verdict.survived else str(one.verdict.outcome),
        "by": one.verdict.by or None,
        "why": one.excuse or None,
    }
