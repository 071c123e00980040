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
from dsl.wording import counted
from interpreter.game import ExecutorKind
from rulewright.library import files_of, find, folder, scenario_sources, source_beside
from rulewright.processes.interrupts import INTERRUPTED
from rulewright.processes.workers import in_processes
from rulewright.terminal.output import activity, complain, diagnostic_objects, echo_json, progress
from rulewright.terminal.parameters import SEED, Real, Whole, executor_option, jobs_option, json_option
from validators.mutate.equivalents import FILE, Equivalent, excused, mistaken, read_equivalents
from validators.mutate.messages import FailsUnchanged, NothingToMutate, Survived
from validators.mutate.mutant import Mutant
from validators.mutate.operators import OPERATORS
from validators.mutate.running import MutantVerdict, MutationRunner, Outcome
from validators.mutate.score import ClauseScore, JudgedMutant, by_clause, score

FINDINGS = 1
MOST_JOBS = 64
DEFAULT_SCORE = 90.0
"""The score that is required by default."""


@dataclass(frozen=True)
class WorkerArgs:
    """The arguments from which a worker process builds its runner."""

    name: str
    files: dict[str, bytes]
    scenarios: tuple[tuple[str, str], ...]
    executor: ExecutorKind

    def runner(self) -> MutationRunner:
        texts = tuple(Source(name, text) for name, text in self.scenarios)
        return MutationRunner(self.name, self.files, texts, self.executor)


@dataclass(frozen=True)
class Selection:
    """Which mutants to judge."""

    clauses: tuple[str, ...]
    operators: tuple[str, ...]
    sample: int | None
    seed: int


@dataclass(frozen=True)
class MutationReport:
    """The judged mutants, and the errors of `mutants.yaml`."""

    runner: MutationRunner
    judged: tuple[JudgedMutant, ...]
    wrong: tuple[Diagnostic, ...]
    selected: int
    seconds: float

    @property
    def score(self) -> float:
        return score(self.judged)

    @property
    def interrupted(self) -> bool:
        return len(self.judged) < self.selected


@click.command(short_help="Show which mistakes in the rules no scenario detects.")
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
@jobs_option(MOST_JOBS, "Number of processes.")
@executor_option("wasm", "What plays the scenarios.")
@click.option(
    "--score",
    "least",
    type=Real(0, 100),
    default=DEFAULT_SCORE,
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
    """Put small mistakes into the rules of a game, and see whether its scenarios detect them.

    Each mutant is the ruleset with one edit: a `needs` left out, a number off by one, the opponent for me. It
    is killed if a scenario fails. One that survives shows what no scenario tests. Those that make no
    difference to play are listed in `mutants.yaml`, with the reason.

    The score is the share of mutants that were killed. Exits with 1 if it is less than `--score`, or if
    something is wrong with `mutants.yaml`.

    \b
    Examples:
      rulewright mutate my_game --jobs 2
      rulewright mutate my_game --clause §4.3 --survivors
      rulewright mutate my_game --sample 50
    """
    args = _worker_args(game, executor)
    with activity("reading the rules and making the mutants"):
        runner, entries = args.runner(), _entries(game)
        numbers = _selected(runner, Selection(clauses, operators, sample, seed))
    _check_unchanged(runner)
    began = perf_counter()
    verdicts = _judge_all(args, runner, numbers, jobs)
    report = _build_report(runner, entries, numbers, verdicts, perf_counter() - began)
    if as_json:
        echo_json(_object(report, survivors))
    else:
        _show(report, least, survivors)
    failed = report.score < least or report.wrong
    ctx.exit(INTERRUPTED if report.interrupted else FINDINGS if failed else 0)


# ---- preparation


def _worker_args(game: str, executor: ExecutorKind) -> WorkerArgs:
    """The files of a game. Raises `ErrorsReported` or `DiagnosticError` if it has mistakes."""
    path = find(game)
    texts = tuple((source.name, source.text) for source in scenario_sources(path))
    return WorkerArgs(folder(path).name, files_of(path), texts, executor)


def _entries(game: str) -> tuple[Equivalent, ...]:
    source = source_beside(find(game), FILE)
    return read_equivalents(source) if source is not None else ()


def _selected(runner: MutationRunner, selection: Selection) -> list[int]:
    """The numbers of the mutants to judge. Raises `DiagnosticError` if there are none."""
    if not runner.scenarios:
        raise DiagnosticError(NothingToMutate(NOWHERE, ": there are no scenarios", "write some first"))
    known = {clause for mutant in runner.mutants for clause in mutant.clauses}
    for clause in selection.clauses:
        if clause not in known:
            hint = did_you_mean(clause, known) or "name a clause that a line of the rules cites"
            raise DiagnosticError(NothingToMutate(NOWHERE, f" at `{clause}`", hint))
    numbers = [i for i, mutant in enumerate(runner.mutants) if _is_selected(mutant, selection)]
    if not numbers:
        raise DiagnosticError(NothingToMutate(NOWHERE, "", "leave out `--clause` or `--operator`"))
    if selection.sample is not None and selection.sample < len(numbers):
        numbers = sorted(random.Random(selection.seed).sample(numbers, selection.sample))
    return numbers


def _is_selected(mutant: Mutant, selection: Selection) -> bool:
    named = not selection.clauses or bool(set(selection.clauses) & set(mutant.clauses))
    return named and (not selection.operators or mutant.operator in selection.operators)


def _check_unchanged(runner: MutationRunner) -> None:
    """Raises `DiagnosticError` if a scenario fails for the unchanged rules."""
    with activity(f"playing {counted(len(runner.scenarios), 'scenario')} of the unchanged rules"):
        performed = runner.performed
    for one in performed:
        if not one.result.holds:
            raise DiagnosticError(FailsUnchanged(one.result.scenario.span, one.result.scenario.name))


# ---- judging


def _judge_all(
    args: WorkerArgs, runner: MutationRunner, numbers: Sequence[int], jobs: int
) -> dict[int, MutantVerdict]:
    """The verdicts by number of the mutant; incomplete if it was interrupted."""
    verdicts: dict[int, MutantVerdict] = {}
    with progress(f"judging {counted(len(numbers), 'mutant')}", len(numbers)) as done:
        try:
            for i, verdict in _verdicts(args, runner, numbers, jobs):
                verdicts[i] = verdict
                done()
        except KeyboardInterrupt:
            click.echo("interrupted: partial results follow", err=True)
    return verdicts


def _verdicts(
    args: WorkerArgs, runner: MutationRunner, numbers: Sequence[int], jobs: int
) -> Iterator[tuple[int, MutantVerdict]]:
    if jobs == 1:
        yield from ((i, runner.judge(runner.mutants[i])) for i in numbers)
        return
    yield from zip(numbers, in_processes(jobs, _begin_worker, (args,), _judge, numbers, 4), strict=True)


_runner: list[MutationRunner] = []
"""The runner of a worker process."""


def _begin_worker(args: WorkerArgs) -> None:
    _runner.append(args.runner())


def _judge(number: int) -> MutantVerdict:
    return _runner[0].judge(_runner[0].mutants[number])


def _build_report(
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


# ---- output


def _show(report: MutationReport, least: float, survivors: bool) -> None:
    lines = by_clause(report.judged, report.runner.rules.clauses)
    if not survivors:
        click.echo("\n".join(_clause(report, line) for line in lines))
        click.echo()
    shown: set[int] = set()
    for line in lines:
        new = [one for one in line.survivors if id(one) not in shown]
        shown.update(id(one) for one in new)
        if new:
            click.echo(click.style(_heading(report, line), bold=True))
            complain([_survived(one) for one in new], err=False)
            click.echo()
    if report.wrong:
        complain(report.wrong, err=False)
        click.echo()
    click.echo("\n".join(_summary(report, least)))


def _clause(report: MutationReport, line: ClauseScore) -> str:
    return f"{line.noticed:>4}/{line.total:<4} {_heading(report, line)}"


def _heading(report: MutationReport, line: ClauseScore) -> str:
    clause = report.runner.rules.clauses.get(line.clause)
    return f"{line.clause or 'no clause'} {clause.heading if clause is not None else ''}".rstrip()


def _survived(one: JudgedMutant) -> Diagnostic:
    does = "notices" if one.verdict.outcome is Outcome.SURVIVED else "comes here to notice"
    where = f"{one.mutant.operator} in `{one.mutant.header}`"
    return Survived(one.mutant.span, one.mutant.says, where, does)


def _summary(report: MutationReport, least: float) -> Iterator[str]:
    """The totals, as text."""
    outcomes = Counter(one.verdict.outcome for one in report.judged)
    excused = sum(one.verdict.survived and bool(one.excuse) for one in report.judged)
    survivors = [one.verdict.outcome for one in report.judged if one.survived]
    killed = outcomes[Outcome.KILLED] + outcomes[Outcome.TIMED_OUT]
    yield f"{report.runner.rules.title}: {counted(len(report.judged), 'mutant')} in {report.seconds:.0f} s"
    yield f"  {killed} killed, of which {outcomes[Outcome.TIMED_OUT]} timed out"
    yield f"  {len(survivors)} survived, {survivors.count(Outcome.UNREACHED)} of them unreached by scenarios"
    yield f"  {excused} make no difference, as `{FILE}` says"
    same, no_game = outcomes[Outcome.SAME], outcomes[Outcome.NO_GAME]
    yield f"  {same} compile to the same machine, {no_game} are not a game"
    if not any(one.counts for one in report.judged):
        yield "no score: no mutant that counts was judged"
    else:
        yield f"score {report.score:.1f} of 100" + (f", less than {least:g}" if report.score < least else "")


def _object(report: MutationReport, survivors: bool) -> dict[str, object]:
    clauses = by_clause(report.judged, report.runner.rules.clauses)
    return {
        "game": report.runner.rules.name,
        "score": round(report.score, 2) if any(one.counts for one in report.judged) else None,
        "complete": not report.interrupted,
        "seconds": round(report.seconds, 1),
        "clauses": [{"clause": x.clause or None, "killed": x.noticed, "total": x.total} for x in clauses],
        "mutants": [_mutant(one) for one in report.judged if one.survived or not survivors],
        "findings": diagnostic_objects(report.wrong),
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
