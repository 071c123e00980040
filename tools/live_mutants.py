"""A change of the engine in a process that has imported it, so that no mutant waits for imports.

A function gets the code of the changed text; what has been cached is dropped. What a module works out when it
is imported cannot be changed so.
"""

import functools
import gc
import json
import os
import resource
from collections.abc import Iterable
from inspect import CO_OPTIMIZED
from types import CodeType, FunctionType

import pytest

CACHE = type(functools.cache(int))
NEVER_ENDS = "no end"


def changes(path: str, before: str, after: str) -> dict[CodeType, CodeType] | None:
    """The codes of the functions that a change of a file concerns; none if it concerns what is imported."""
    found: dict[CodeType, CodeType] = {}
    same = _compare(compile(before, path, "exec"), compile(after, path, "exec"), found)
    return found if same else None


def _compare(old: CodeType, new: CodeType, found: dict[CodeType, CodeType]) -> bool:
    """Whether all that differs is within functions; these are added."""
    if old == new:
        return True
    is_function = bool(old.co_flags & CO_OPTIMIZED)
    if is_function:
        found[old] = new
    inner = [[const for const in code.co_consts if isinstance(const, CodeType)] for code in (old, new)]
    within = len(inner[0]) == len(inner[1])
    for a, b in zip(*inner, strict=False):
        within &= _compare(a, b, found)
    return is_function or (within and _own(old) == _own(new))


def _own(code: CodeType) -> object:
    return code.co_code, code.co_names, [c for c in code.co_consts if not isinstance(c, CodeType)]


def change(codes: dict[CodeType, CodeType]) -> None:
    """Changes all functions that there are. Raises `ValueError` if one has other free variables then."""
    gc.unfreeze()
    for held in gc.get_objects():
        if type(held) is FunctionType and held.__code__ in codes:
            held.__code__ = codes[held.__code__]
        elif issubclass(type(held), CACHE):
            held.cache_clear()


class FirstFailure:
    """A plugin that remembers the first test that failed."""

    name: str | None = None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and self.name is None:
            self.name = report.nodeid


def failing(
    session: pytest.Session,
    items: Iterable[pytest.Item],
    codes: dict[CodeType, CodeType],
    limits: dict[int, int],
) -> str | None:
    """The first of some tests that fails with changed code, in a process of their own.

    None if all pass, or the code cannot be changed. `limits` has bounds for the process, by their numbers in
    `resource`; who exceeds them never ends.
    """
    reading, writing = os.pipe()
    if not (child := os.fork()):
        os.close(reading)
        try:
            failed = _first_failure(session, list(items), codes, limits)
        except BaseException:  # what went wrong with the process itself tells nothing of the tests
            failed = None
        os.write(writing, json.dumps(failed).encode())
        os._exit(0)
    os.close(writing)
    with open(reading, "rb") as said:
        answer = said.read()
    os.waitpid(child, 0)
    return json.loads(answer) if answer else NEVER_ENDS


def _first_failure(
    session: pytest.Session, items: list[pytest.Item], codes: dict[CodeType, CodeType], limits: dict[int, int]
) -> str | None:
    for number, most in limits.items():
        resource.setrlimit(number, (most, most))
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(nothing, descriptor)
    first = FirstFailure()
    session.config.pluginmanager.register(first)
    change(codes)
    for item, following in zip(items, [*items[1:], None], strict=False):
        item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
        if first.name is not None:
            break
    return first.name
