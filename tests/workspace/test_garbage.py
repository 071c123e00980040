"""Reading a ruleset leaves no cycles, so that what an edit replaces is freed without a search."""

from __future__ import annotations

import gc
import random
from collections.abc import Iterator

import pytest

from dsl.workspace.snapshot import TESTS, Workspace
from tests.workspace.edited import cuts, files_of

GAMES = ("carillon", "tic_tac_toe")


def opened(name: str) -> Workspace:
    files = files_of(name)

    def fetch(path: str) -> bytes:
        if path not in files:
            raise FileNotFoundError(2, "no such file")
        return files[path]

    return Workspace(name, fetch, lambda: filter(TESTS.fullmatch, files))


def read(space: Workspace) -> None:
    """Find what is wrong, and index all."""
    snapshot = space.snapshot()
    assert snapshot.whole_index is not None
    assert list(snapshot.findings) is not None


@pytest.fixture
def searched_by_hand() -> Iterator[None]:
    """No searches for garbage but those of the test, which look only at what it makes."""
    gc.collect()
    gc.disable()
    gc.freeze()
    yield
    gc.unfreeze()
    gc.enable()


@pytest.mark.usefixtures("searched_by_hand")
@pytest.mark.parametrize("name", GAMES)
def test_edits_leave_nothing_to_search_for(name: str) -> None:
    space, rng = opened(name), random.Random(name)
    read(space)
    gc.collect()
    for path in sorted(files_of(name)):
        text = files_of(name)[path].decode()
        for _, edited in rng.sample(list(cuts(text)), 2):
            space.edit(path, edited)
            read(space)
            space.edit(path, None)
            assert not gc.collect(), path
