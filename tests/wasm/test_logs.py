"""A log written under one executor replays under the other."""

from __future__ import annotations

from functools import cache

import pytest

from dsl.source import Source
from interpreter import log
from interpreter.chance import Choosing
from interpreter.match import Match
from interpreter.replay import replay
from tests.games import Table, named, seated
from tests.wasm.lockstep import Pair

TABLES: list[Table] = [("roma", 2, ()), ("pig", 2, ()), ("leduc_poker", 2, ())]


@cache
def pair(table: Table) -> Pair:
    return Pair(*seated(table))


def whole(table: Table, executor: int, seed: int) -> Match:
    """A match by random choices, to its end."""
    match, pick = Match(pair(table).games[executor], seed=seed).start(), Choosing(seed).below
    while not match.over:
        waiting = match.waiting()
        one = waiting[pick(len(waiting))]
        match.take(one, one.options[pick(len(one.options))])
    return match


@pytest.mark.parametrize("table", TABLES, ids=named)
@pytest.mark.parametrize("executor", [0, 1], ids=["reference to wasm", "wasm to reference"])
def test_a_log_is_accepted_by_the_other_executor(table: Table, executor: int) -> None:
    match = whole(table, executor, 5)
    read = log.read(Source("x.log", log.write(match, {}, [])))
    verdict = replay(pair(table).games[1 - executor], read)
    assert read.complete
    assert verdict.match.over
    assert verdict.steps == verdict.total == len(read.entries) > 0
    assert verdict.match.state == match.state
    assert verdict.match.steps == match.steps


@pytest.mark.parametrize("table", TABLES, ids=named)
def test_both_executors_write_the_same_log(table: Table) -> None:
    one, two = (log.write(whole(table, executor, 6), {}, []) for executor in (0, 1))
    assert one == two
