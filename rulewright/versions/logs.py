"""Saved logs on disk, and their verdicts under two versions of the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from dsl.declare.presets import ChosenPreset
from dsl.diagnostics import Diagnostic, DiagnosticError, ErrorsReported
from dsl.folder import Folder, fetch_of
from dsl.load import load
from dsl.messages import CannotRead, TooMuch
from dsl.source import NOWHERE
from interpreter.log import Log
from interpreter.messages import Fault
from rulewright.files.reading import TooMany, files_below, plain_file, why_not
from rulewright.matches.log_file import LOG_PREFIX
from rulewright.matches.saves import read_log
from rulewright.processes.workers import in_processes
from validators.diff.compare import Comparison, compare
from validators.diff.log_replay.first_difference import FirstDifference
from validators.diff.log_replay.verdicts import CompatChecker, Divergence, Verdict, VerdictKind
from validators.diff.messages import NoLogs

MOST_ENTRIES = 200_000
"""The largest number of files and folders that are searched for logs."""
LOGS_PER_TASK = 8
"""The number of logs that a worker process takes at a time."""


@dataclass(frozen=True, slots=True)
class LogError:
    """An error of a log; its line, if it is at one."""

    code: str
    message: str
    help: str
    line: int | None


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdict on a log, with its path."""

    log: str
    kind: VerdictKind
    steps: int
    sealed: str
    parting: FirstDifference | None
    divergence: Divergence | None
    diagnostic: LogError | None


@dataclass(frozen=True)
class Files:
    """The files of a version, from which worker processes load the same rules."""

    name: str
    files: dict[str, bytes]

    @classmethod
    def of(cls, folder: Folder) -> Files:
        return cls(folder.name, dict(folder.files))

    def folder(self) -> Folder:
        return Folder(self.name, fetch_of(self.files), with_look=False)


# ---- search


def find_logs(place: str) -> list[Path]:
    """All logs below a folder, or a single log. Raises `DiagnosticError`."""
    path = Path(place)
    if path.is_file():
        return [path]
    try:
        found = sorted(file for file in files_below(path, MOST_ENTRIES) if _is_log(file))
    except TooMany:
        raise DiagnosticError(TooMuch(NOWHERE, place, MOST_ENTRIES, "files")) from None
    except OSError as error:
        where = str(error.filename or place)
        raise DiagnosticError(CannotRead(NOWHERE, where, why_not(error), "check its name")) from None
    if not found:
        raise DiagnosticError(NoLogs(NOWHERE, place))
    return found


def _is_log(file: Path) -> bool:
    """Whether a file has the ending or the first bytes of a log."""
    if file.suffix == ".log":
        return True
    try:
        return plain_file(file, len(LOG_PREFIX)) == LOG_PREFIX
    except OSError:
        return False


# ---- verdicts


class CompatPool:
    """Judges logs by their paths. The versions are compared once for each preset of the logs.

    `named` is the argument of the command: a log, or the folder in which logs were found.
    """

    def __init__(self, old: Files, new: Files, named: Path, comparison: Comparison | None = None) -> None:
        self.old, self.new, self.named = old, new, named
        self.checker = cache(self._checker)
        self.whole = CompatChecker(comparison) if comparison is not None else None

    def _checker(self, small: str | None) -> CompatChecker:
        if small is None and self.whole is not None:
            return self.whole
        wanted = ChosenPreset(small) if small is not None else None
        rules = [load(version.folder(), wanted)[0] for version in (self.old, self.new)]
        return CompatChecker(compare(*rules))

    def judged(self, path: Path) -> Judged:
        try:
            log = read_log(path, found=path != self.named)
            return _judged_log(path, self._verdict(log))
        except (DiagnosticError, Fault) as error:
            return _judged_log(path, Verdict("incomparable", diagnostic=error.diagnostic))

    def _verdict(self, log: Log) -> Verdict:
        try:
            checker = self.checker(log.small)
        except ErrorsReported as stop:
            return Verdict("incomparable", len(log.entries), diagnostic=stop.report.first)
        return checker.judge(log)


def _judged_log(path: Path, verdict: Verdict) -> Judged:
    diagnostic = _log_error(verdict.diagnostic) if verdict.diagnostic is not None else None
    return Judged(
        str(path),
        verdict.kind,
        verdict.steps,
        verdict.sealed,
        verdict.parting,
        verdict.divergence,
        diagnostic,
    )


def _log_error(diagnostic: Diagnostic) -> LogError:
    span = diagnostic.span
    line = span.line if span.source.text else None
    return LogError(diagnostic.code, diagnostic.message, diagnostic.help, line)


def judge_all(
    place: str,
    paths: Sequence[Path],
    versions: tuple[Folder, Folder],
    comparison: Comparison,
    jobs: int,
    done: Callable[[], None],
) -> list[Judged]:
    """The verdicts on all logs, in order; each log is named by its path within the folder."""
    old, new = (Files.of(folder) for folder in versions)
    found: list[Judged] = []
    pool = CompatPool(old, new, Path(place), comparison)
    for one in _verdicts(paths, pool, min(jobs, -(-len(paths) // LOGS_PER_TASK))):
        found.append(replace(one, log=_within(place, one.log)))
        done()
    return found


def _within(place: str, log: str) -> str:
    path = Path(log)
    return path.relative_to(place).as_posix() if path != Path(place) else path.name


def _verdicts(paths: Sequence[Path], pool: CompatPool, jobs: int) -> Iterator[Judged]:
    if jobs < 2:
        yield from map(pool.judged, paths)
        return
    files = pool.old, pool.new, pool.named
    yield from in_processes(jobs, _begin_worker, files, _judge_in_worker, paths, LOGS_PER_TASK)


_pool: list[CompatPool] = []
"""The pool of a worker process."""


def _begin_worker(old: Files, new: Files, named: Path) -> None:
    _pool[:] = [CompatPool(old, new, named)]


def _judge_in_worker(path: Path) -> Judged:
    return _pool[0].judged(path)
