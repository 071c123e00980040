"""Change the engine at random, one place at a time, and see whether the tests of `make test` notice.

    .venv/bin/python tools/engine_mutants.py --count 100 --seed 1
    .venv/bin/python tools/engine_mutants.py --count 20 --within interpreter/wasm --quick
    .venv/bin/python tools/engine_mutants.py --count 20 --within dsl/sheets tests/sheets

Each mutant is one operator of mutation testing (DeMillo, Lipton and Sayward 1978: relations, connectives,
constants, arithmetic, statements left out), applied at a place drawn with equal chances from all that there
are, in a clone of what is committed. Tests that execute the line are tried first (`engine_map.py`: one run of
the tests, kept in `build/`), those that execute little else before others; then all. The first that fails
ends the mutant. With `--quick` not all are tried, and what is caught is a lower bound. What survives is
printed as a difference, to be looked at: a hole in the tests, or a change that makes no difference. A hang
counts as caught. Each line of output is one mutant. In the end the tests that failed run without a change:
one that fails then has caught nothing.
"""

import argparse
import ast
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import cache_from_source
from itertools import accumulate
from pathlib import Path
from types import CodeType

import engine_map
import live_mutants
import pytest
from engine_map import EngineMap
from live_mutants import NEVER_ENDS

ROOT = Path(__file__).resolve().parent.parent
ENGINE = ("dsl", "interpreter", "validators")

#: Asks where the environment's own packages stand, which a clone does not change.
NOT_OF_A_CLONE = "tests/test_architecture.py::test_packages_are_ours"

MOST_MEMORY = 6 << 30
"""Of a process of the tests, in bytes: what grows without end is stopped before others notice."""
ALL_SECONDS = 1800
"""Of processor time, after which a process of a run of all tests counts as hanging."""

RELATIONS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.Is: "is not",
    ast.IsNot: "is",
    ast.In: "not in",
    ast.NotIn: "in",
}
ARITHMETIC: dict[type[ast.operator], str] = {ast.Add: "-", ast.Sub: "+", ast.Mult: "+", ast.FloorDiv: "*"}


@dataclass(frozen=True)
class Mutant:
    """One change: the characters `start` to `end` of the file at `path` are replaced by `text`."""

    path: Path
    line: int
    start: int
    end: int
    text: str


def mutants_of(path: Path, text: str) -> Iterator[Mutant]:
    """All changes of a file. Annotations and what only a reader sees are left alone."""
    lines = [0]
    for line in text.splitlines(keepends=True):
        lines.append(lines[-1] + len(line))

    def offset(line: int, column: int) -> int:
        row = text[lines[line - 1] : lines[line]]
        return lines[line - 1] + len(row.encode()[:column].decode())

    def replaced(first: tuple[int, int], last: tuple[int, int], new: str) -> Mutant:
        return Mutant(path, first[0], offset(*first), offset(*last), new)

    for node in _executed(ast.parse(text)):
        match node:
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in RELATIONS:
                between = text[offset(*_end(left)) : offset(*_start(right))]
                if not set(between) & set("()"):
                    yield replaced(_end(left), _start(right), f" {RELATIONS[type(op)]} ")
            case ast.BoolOp(op=op, values=[left, right, *_]):
                between = text[offset(*_end(left)) : offset(*_start(right))]
                if not set(between) & set("()"):
                    yield replaced(_end(left), _start(right), " or " if isinstance(op, ast.And) else " and ")
            case ast.UnaryOp(op=ast.Not()):
                yield replaced(_start(node), (node.lineno, node.col_offset + len("not")), "")
            case ast.BinOp(left=left, op=op, right=right) if type(op) in ARITHMETIC:
                between = text[offset(*_end(left)) : offset(*_start(right))]
                if not set(between) & set("()"):
                    yield replaced(_end(left), _start(right), f" {ARITHMETIC[type(op)]} ")
            case ast.Constant(value=int(value)):
                new = str(not value) if isinstance(value, bool) else str(value + 1)
                yield replaced(_start(node), _end(node), new)
            case ast.Expr(value=ast.Call()):
                yield replaced(_start(node), _end(node), "pass")
            case ast.Continue():
                yield replaced(_start(node), _end(node), "break")


def _executed(node: ast.AST) -> Iterator[ast.AST]:
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns", "decorator_list"}:
            continue
        for child in value if isinstance(value, list) else [value]:
            match child:
                case ast.JoinedStr() | ast.ImportFrom() | ast.Import() | ast.Raise():
                    pass
                case ast.Expr(value=ast.Constant() | ast.Call(func=ast.Name(id="assert_never"))):
                    pass
                case ast.AST():
                    yield child
                    yield from _executed(child)


def _start(node: ast.expr | ast.stmt) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _end(node: ast.expr | ast.stmt) -> tuple[int, int]:
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return node.end_lineno, node.end_col_offset


class Tests:
    """Runs of the tests in a clone."""

    def __init__(self, clone: Path, place: Path, workers: str, every: list[str]) -> None:
        self.clone = clone
        self.place = place
        self.workers = workers
        self.every = every

    def failing(self, tests: list[str] | None, seconds: int, *options: str) -> list[str]:
        """What failed, of some tests in one process or of all in several; or how the run ended otherwise.

        `seconds` bounds the processor time of a process, so that it does not matter how busy the machine is.
        Nothing that one run has cached is seen by another.
        """
        with tempfile.TemporaryDirectory(dir=self.place) as own:
            command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--basetemp", f"{own}/tests"]
            command += ["-n", "0" if tests else self.workers, "--deselect", NOT_OF_A_CLONE, *options]
            if not tests:
                command += self.every
            else:
                names = Path(own, "names")
                names.write_text("\n".join(tests), encoding="utf-8")
                command.append(f"@{names}")
            env = os.environ | {"PYTHONPATH": f"{self.clone}{os.pathsep}{Path(__file__).parent}"}
            env.pop("PYTHONDONTWRITEBYTECODE", None)
            env |= {"HYPOTHESIS_STORAGE_DIRECTORY": f"{own}/hypothesis", "XDG_CACHE_HOME": f"{own}/cache"}
            run = subprocess.run(
                command, cwd=self.clone, env=env, capture_output=True, text=True, preexec_fn=_bounded(seconds)
            )
        no_tests = run.returncode == 5 or "ERROR: not found" in run.stdout + run.stderr
        if run.returncode == 0 or (tests and no_tests):
            return []
        failed = [line for line in run.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
        return failed or [NEVER_ENDS if run.returncode < 0 else f"pytest ended with {run.returncode}"]


def _limits(seconds: int) -> dict[int, int]:
    return {resource.RLIMIT_CPU: seconds, resource.RLIMIT_DATA: MOST_MEMORY}


def _bounded(seconds: int) -> Callable[[], None]:
    def bound() -> None:
        for number, most in _limits(seconds).items():
            resource.setrlimit(number, (most, most))

    return bound


def map_of(place: Path, workers: str, every: list[str]) -> EngineMap:
    """The map of the engine as it is committed, made where there is none; kept if it is of all tests."""
    trees = [git(ROOT, "rev-parse", f"HEAD:{folder}").strip() for folder in ENGINE]
    folder = ROOT / "build" / f"engine_map-{'-'.join(tree[:8] for tree in trees)}"
    if folder.exists() and not every:
        return engine_map.read(folder)
    print("a run of the tests, to see what each executes", flush=True)
    clone, new = cloned(place / "probed"), place / "map"
    engine_map.prepare(clone, ENGINE, new)
    os.environ[engine_map.PLACE] = str(new)
    Tests(clone, place, workers, every).failing(None, ALL_SECONDS, "-p", "engine_map")
    del os.environ[engine_map.PLACE]
    if not every:
        shutil.copytree(new, folder, ignore=shutil.ignore_patterns("*.hits"))
    return engine_map.read(new)


def cloned(place: Path) -> Path:
    git(ROOT, "clone", "--quiet", "--shared", str(ROOT), str(place))
    return place


def git(folder: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout


@dataclass
class Rounds:
    """A plugin of pytest that, instead of running the tests once, runs some of them for each mutant."""

    tests: Tests
    known: EngineMap
    drawn: list[Mutant]
    first: int
    """How many seconds of tests are tried first."""
    quick: bool
    """Whether all others are left out."""
    caught: int = 0

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.session = session
        self.items = {item.nodeid: item for item in session.items}
        by: list[str] = []
        for number, mutant in enumerate(self.drawn, 1):
            text = mutant.path.read_text(encoding="utf-8")
            after = text[: mutant.start] + mutant.text + text[mutant.end :]
            write(mutant.path, after)
            reason = self.reason(mutant, text, after)
            where = f"{mutant.path.relative_to(self.tests.clone)}:{mutant.line}"
            print(f"{number} {where} {'survived' if reason is None else reason[:150]}", flush=True)
            if reason is None:
                print(git(self.tests.clone, "diff", "--unified=1"), flush=True)
            else:
                by.append(reason)
            write(mutant.path, text)
        flaky = {reason for reason in set(by) & self.items.keys() if self.live([reason], {}) is not None}
        for reason in sorted(flaky):
            print(f"fails without a change: {reason}")
        self.caught = sum(reason not in flaky for reason in by)
        return True

    def reason(self, mutant: Mutant, before: str, after: str) -> str | None:
        """The test that failed, or how the run ended otherwise; None if all passed."""
        executing = self.known.executing(mutant.path.relative_to(self.tests.clone).as_posix(), mutant.line)
        times = accumulate(self.known.seconds[test] for test in executing)
        near = [test for test, seconds in zip(executing, times, strict=True) if seconds <= self.first]
        near = near or executing[:1]
        codes = live_mutants.changes(str(mutant.path), before, after)
        if near and codes and (failed := self.live(near, codes)) is not None:
            return failed
        failing = self.tests.failing(near, 60 + 10 * self.first, "-x") if near else []
        if not failing and not self.quick:
            failing = self.tests.failing(None, ALL_SECONDS, "-x")
        return failing[0] if failing else None

    def live(self, names: list[str], codes: dict[CodeType, CodeType]) -> str | None:
        """The first of these tests that fails, in a fork of this process."""
        items = [self.items[name] for name in names if name in self.items]
        return live_mutants.failing(self.session, items, codes, _limits(60 + 10 * self.first))


def main() -> int:
    """0 if at least 95 of 100 mutants were caught."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tests", nargs="*", help="only these tests")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--within", action="append", help=f"a folder; may be repeated [{', '.join(ENGINE)}]")
    parser.add_argument("--workers", default="auto", help="processes, where all tests run")
    parser.add_argument("--first", type=int, default=30, help="seconds of tests that execute the line")
    parser.add_argument("--quick", action="store_true", help="only these")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mutants") as name:
        place = Path(name)
        known = map_of(place, options.workers, options.tests)
        clone = cloned(place / "rulewright")
        files = [
            path for folder in options.within or ENGINE for path in sorted((clone / folder).rglob("*.py"))
        ]
        every = [mutant for path in files for mutant in mutants_of(path, path.read_text(encoding="utf-8"))]
        drawn = random.Random(options.seed).sample(every, min(options.count, len(every)))
        print(f"{len(every):,} mutants in {len(files)} files, {len(drawn)} drawn with seed {options.seed}")
        rounds = Rounds(
            Tests(clone, place, options.workers, options.tests), known, drawn, options.first, options.quick
        )
        os.chdir(clone)
        sys.path.insert(0, str(clone))
        os.environ |= {
            "PYTHONPATH": str(clone),
            "PYTEST_DEBUG_TEMPROOT": name,
            "HYPOTHESIS_STORAGE_DIRECTORY": f"{name}/hypothesis",
        }
        arguments = ["-n", "0", "-s", "-p", "no:cacheprovider", "--deselect", NOT_OF_A_CLONE]
        arguments += options.tests
        if status := pytest.main(arguments, [rounds]):
            return int(status) + 1
        print(f"{rounds.caught} of {len(drawn)} caught")
        return int(20 * rounds.caught < 19 * len(drawn))


def write(path: Path, text: str) -> None:
    """Writes a file. Its byte code goes, lest it be taken for that of a text of the same second and size."""
    path.write_text(text, encoding="utf-8")
    Path(cache_from_source(str(path))).unlink(missing_ok=True)


if __name__ == "__main__":
    sys.exit(main())
