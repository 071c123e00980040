"""Which tests execute which lines of the engine: a run of the tests in a clone whose engine counts.

`probed` puts a probe into every block of a file: a store into a file that all processes of a worker share, so
that commands which a test starts count too. As a plugin of pytest, this module writes a line for each test:
its name, the processor time it took in seconds, and its probes.

    python -m pytest -p engine_map      # in such a clone, with ENGINE_MAP naming a folder
"""

import ast
import base64
import json
import mmap
import os
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

HITS = """\
import mmap, os
try:
    with open(os.environ["ENGINE_HITS"], "r+b") as file:
        hits = mmap.mmap(file.fileno(), 0)
except (KeyError, OSError):
    hits = bytearray({size})
"""
"""The module that the probes store into; without the variable, elsewhere."""
PLACE, SHARED = "ENGINE_MAP", "ENGINE_HITS"
"""Environment variables: the folder of the map, and the file that the processes of a worker share."""


# ---- probes


@dataclass
class Probes:
    """The probe of each line that stands in a function, by file; probes are numbered from 1."""

    lines: dict[str, dict[int, int]] = field(default_factory=dict)
    count: int = 0

    def probed(self, name: str, text: str) -> str:
        """The text of a file with its probes. Comments and the numbers of lines are lost."""
        tree = ast.parse(text)
        lines = self.lines[name] = {}
        for function in _functions(tree):
            if isinstance(function, ast.Lambda):
                probe, value = self._new(), function.body
                for line in range(value.lineno, (value.end_lineno or 0) + 1):
                    lines.setdefault(line, probe)
                function.body = ast.BoolOp(ast.Or(), [_call(probe), value])
            else:
                function.body = self._block(function.body, lines)
        future = [s for s in tree.body if isinstance(s, ast.ImportFrom) and s.module == "__future__"]
        at = tree.body.index(future[-1]) + 1 if future else int(ast.get_docstring(tree) is not None)
        tree.body.insert(at, ast.parse("from engine_hits import hits as __hits__").body[0])
        return ast.unparse(ast.fix_missing_locations(tree))

    def _block(self, body: list[ast.stmt], lines: dict[int, int]) -> list[ast.stmt]:
        probed: list[ast.stmt] = []
        probe = 0
        for statement in body:
            first = (
                not probed and isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
            )
            if not probe and not first:
                probe = self._new()
                probed.append(_store(probe))
            lines |= dict.fromkeys(range(statement.lineno, (statement.end_lineno or 0) + 1), probe)
            probed.append(statement)
            if not isinstance(statement, ast.FunctionDef | ast.ClassDef):
                for part in _blocks(statement):
                    part[:] = self._block(part, lines)
                    probe = 0
        return probed

    def _new(self) -> int:
        self.count += 1
        return self.count


def _functions(node: ast.AST) -> Iterator[ast.FunctionDef | ast.Lambda]:
    """Outer ones first: what stands in an inner one is the inner one's."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.Lambda):
            yield child
        yield from _functions(child)


def _blocks(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    for part in (statement, *getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        for name in ("body", "orelse", "finalbody"):
            if block := getattr(part, name, None):
                yield block


def _store(probe: int) -> ast.stmt:
    return ast.parse(f"__hits__[{probe}] = 1").body[0]


def _call(probe: int) -> ast.expr:
    return ast.parse(f"__hits__.__setitem__({probe}, 1)", mode="eval").body


# ---- the map


@dataclass(frozen=True)
class EngineMap:
    """What a run of the tests has shown: probes of lines, tests of probes, and processor time in seconds.

    Only tests that passed are in it. Collecting a file of tests has its time too.
    """

    lines: dict[str, dict[int, int]]
    tests: dict[str, bytes]
    seconds: dict[str, float]

    def executing(self, file: str, line: int) -> list[str]:
        """The tests that execute a line of a file; if it is executed on import, those that enter the file.

        Files of tests in order, those first whose tests execute little else and are soon done.
        """
        probes = self.lines[file]
        if (probe := probes.get(line)) is not None:
            wanted = {probe}
        else:
            wanted = set(probes.values())
        files: dict[str, list[str]] = defaultdict(list)
        for test, hits in self.tests.items():
            if any(hits[probe] for probe in wanted):
                files[test.partition("::")[0]].append(test)
        return [
            test for name in sorted(files, key=lambda f: self._order(f, files[f])) for test in files[name]
        ]

    def _order(self, file: str, tests: list[str]) -> float:
        seconds = 0.1 + self.seconds.get(file, 0) + sum(self.seconds[test] for test in tests)
        return -sum(1 / self.tests[test].count(1) for test in tests) / seconds


def read(folder: Path) -> EngineMap:
    """A map that a run of the tests has written."""
    stored = json.loads((folder / "lines").read_text("utf-8"))
    lines = {file: {int(line): probe for line, probe in probes.items()} for file, probes in stored.items()}
    tests, seconds = {}, {}
    for path in sorted(folder.glob("*.tests")):
        for name, taken, packed in map(json.loads, path.read_text("utf-8").splitlines()):
            seconds[name] = taken
            if hits := zlib.decompress(base64.b64decode(packed)):
                tests[name] = hits
    return EngineMap(lines, tests, seconds)


def prepare(clone: Path, folders: Iterable[str], place: Path) -> None:
    """Puts probes into a clone's files, and the map's folder where its tests will find it."""
    probes = Probes()
    for path in sorted(path for folder in folders for path in (clone / folder).rglob("*.py")):
        name = path.relative_to(clone).as_posix()
        path.write_text(probes.probed(name, path.read_text("utf-8")), encoding="utf-8")
    size = probes.count + 1
    (clone / "engine_hits.py").write_text(HITS.format(size=size), encoding="utf-8")
    place.mkdir(parents=True)
    (place / "size").write_text(str(size))
    (place / "lines").write_text(json.dumps(probes.lines), encoding="utf-8")


# ---- the plugin


class Recorder:
    """Writes what each test executed; collecting is the test of its file, without a name behind `::`."""

    def __init__(self, folder: Path) -> None:
        self.file = (folder / f"{_worker()}.tests").open("a", encoding="utf-8")
        with open(os.environ[SHARED], "r+b") as shared:
            self.hits = mmap.mmap(shared.fileno(), 0)
        self.nothing = bytes(len(self.hits))
        self.failed: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.passed:
            self.failed.add(report.nodeid)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item):
        self.hits[:] = self.nothing
        before = _processor()
        result = yield
        passed = item.nodeid not in self.failed
        self._write(item.nodeid, _processor() - before, bytes(self.hits) if passed else b"")
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector: pytest.Collector):
        before = _processor()
        report = yield
        if isinstance(collector, pytest.Module):
            self._write(collector.nodeid, _processor() - before, b"")
        return report

    def _write(self, name: str, seconds: float, hits: bytes) -> None:
        packed = base64.b64encode(zlib.compress(hits)).decode()
        print(json.dumps([name, round(seconds, 3), packed]), file=self.file, flush=True)


def _processor() -> float:
    return sum(os.times()[:4])


def _worker() -> str:
    return os.environ.get("PYTEST_XDIST_WORKER", "main")


def pytest_configure(config: pytest.Config) -> None:
    if PLACE in os.environ:
        config.pluginmanager.register(Recorder(Path(os.environ[PLACE])))


if PLACE in os.environ:  # before the engine is imported
    _shared = Path(os.environ[PLACE], f"{_worker()}.hits")
    _shared.write_bytes(bytes(int(_shared.with_name("size").read_text())))
    os.environ[SHARED] = str(_shared)
