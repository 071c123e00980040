"""What all tests share: `--bless`, which records goldens anew for `git diff` to judge."""

from __future__ import annotations

import atexit
import faulthandler
import gc
import os
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest
from _pytest.mark.expression import Expression
from hypothesis import HealthCheck, settings

from dsl import load
from dsl.declare.presets import ChosenPreset
from dsl.diagnostics import Diagnostic, DiagnosticError, Report
from dsl.folder import Folder
from dsl.rules import Rules
from tests import games
from tests.games import of_the_library

Golden = Callable[[Path, str], None]
Reading = Callable[..., tuple[Rules, Report, load.Questions]]
CACHE = type(cache(int))
MOST_KNOWN = 60
"""How many rulesets a process keeps."""

# Without byte code each of the many processes that tests start would compile all modules anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")
"""A busy machine makes no test fail: examples may be slow to generate and to run."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--bless", action="store_true", help="record goldens anew instead of comparing")


def pytest_configure(config: pytest.Config) -> None:
    """Where no test of the long mode can be meant, none are made only to be left out."""
    games.long_mode = _may_select_long(config.option.markexpr)


def _may_select_long(markers: str) -> bool:
    others = ("slow", "each_game", "browser", "postgresql", "parquet")
    kinds = (frozenset(kind) for n in range(len(others) + 1) for kind in combinations(others, n))
    chosen = Expression.compile(markers) if markers else None
    return chosen is None or any(
        chosen.evaluate(lambda name, has=kind, **_: name == "long" or name in has) for kind in kinds
    )


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Most tests try the games of the library in the long mode only; some are slow, all or most cases.

    With `--bless` none counts as slow: every golden of what was named is recorded.
    """
    slow = slow_tests() if not config.getoption("--bless") else {}
    cases: Counter[str] = Counter()
    for item in items:
        if isinstance(item, pytest.Function) and not item.get_closest_marker("each_game"):
            values = item.callspec.params.values() if hasattr(item, "callspec") else ()
            if any(of_the_library(value) for value in values):
                item.add_marker(pytest.mark.long)
        if (test := item.nodeid.removeprefix("tests/").split("[")[0]) not in slow:
            continue
        if (step := slow[test]) is None:
            item.add_marker(pytest.mark.slow)
        elif not item.get_closest_marker("long"):
            if cases[test] % step:
                item.add_marker(pytest.mark.slow)
            cases[test] += 1


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Whatever takes minutes by its nature is not stopped as something that hangs."""
    if item.get_closest_marker("long"):
        faulthandler.cancel_dump_traceback_later()


def slow_tests() -> dict[str, int | None]:
    """The tests that take seconds, as paths in this folder and names; `n` where each n-th case is quick."""
    lines = (Path(__file__).parent / "slow.txt").read_text("utf-8").splitlines()
    tests = (line.partition(" 1/") for line in lines if not line.startswith("#"))
    return {test: int(step) if step else None for test, _, step in tests}


def pytest_collection_finish() -> None:
    """What the tests have read so far stays: garbage is looked for elsewhere, and seldom."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(200_000, 20, 20)


def pytest_sessionfinish() -> None:
    """The garbage of all tests is collected here, where nobody waits for the process to end.

    Afterwards pytest collects several times, within the seconds after which a worker interrupts itself. What
    stays to the very end, such as WebAssembly that a cache holds, would be finalised after the modules that
    this needs.
    """
    gc.unfreeze()
    for held in gc.get_objects():
        if issubclass(type(held), CACHE):  # `isinstance` would ask what a dead weak proxy stands for
            held.cache_clear()
    gc.collect()
    gc.freeze()
    atexit.register(gc.unfreeze)


@pytest.fixture(autouse=True, scope="session")
def modules_lie_elsewhere(tmp_path_factory: pytest.TempPathFactory) -> None:
    """No test reads or writes the user's compiled modules, nor the key to them; all workers share others."""
    place = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        place = place.parent
    os.environ["RULEWRIGHT_CACHE"] = str(place / "modules")
    os.environ["XDG_STATE_HOME"] = str(place / "state")


@pytest.fixture(autouse=True, scope="session")
def terminals_can_be_cleared() -> None:
    """Wherever the tests are started: a terminal that says it is dumb would be written to in another way."""
    os.environ["TERM"] = "xterm"


@pytest.fixture(autouse=True, scope="session")
def rulesets_are_read_once() -> Iterator[None]:
    """A ruleset that a process has read is not read again as long as all of its files are the same.

    Hundreds of commands are given about a few games.
    """
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(load, "load_for_questions", _once(load.load_for_questions))
        yield


def _once(read: Reading) -> Reading:
    paths: dict[str, tuple[list[str], list[str]]] = {}
    known: OrderedDict[object, tuple[Rules, list[Diagnostic], load.Questions]] = OrderedDict()

    def reading(folder: Folder, small: ChosenPreset | None = None) -> tuple[Rules, Report, load.Questions]:
        if small is not None or folder.files:
            return read(folder, small)
        with suppress(DiagnosticError, LookupError):
            files, looks = paths.get(folder.name, ((), ()))
            for path in files:
                folder.source(path)
            for path in looks if folder.with_look else ():
                folder.picture(path)
        if (key := _key(folder)) not in known:
            folder.files.clear()
            folder.looks.clear()
            folder.size = 0
            rules, report, questions = read(folder)
            paths[folder.name], key = (list(folder.files), list(folder.looks)), _key(folder)
            known[key] = (rules, list(report), questions)
            if len(known) > MOST_KNOWN:
                known.popitem(last=False)
        rules, diagnostics, questions = known[key]
        return rules, Report(diagnostics), questions

    return reading


def _key(folder: Folder) -> object:
    return folder.name, tuple(sorted(folder.files.items())), tuple(sorted(folder.looks.items()))


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """Compares a text with the file that holds what it should be."""
    bless = request.config.getoption("--bless")

    def compare(path: Path, text: str) -> None:
        if bless:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.is_file(), f"{path} is missing; record it with --bless"
        assert text == path.read_text(encoding="utf-8")

    return compare
