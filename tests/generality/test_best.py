"""The best of what a search has found: routes of trains, held against an enumeration."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import product

import pytest

from interpreter.ir.packing import best_selection
from interpreter.match import Match
from interpreter.views import View
from tests.generality.test_generality import game

Route = tuple[frozenset[str], int]
NO_ROUTE: Route = (frozenset(), 0)


def _income(view: View, seat: str) -> int:
    """What the trains of a seat can earn together, by all combinations of all routes."""
    worth = _worths()
    ends = {way: _ends(way, worth) for way, laid in view.marks.items() if way.startswith("laid at ") and laid}
    stations = {city for city in worth if view.pointers[f"owner at {city}"] == seat}
    reaches = [view.counters[f"reach of {seat} at {i}"] for i in (1, 2, 3)]
    routes = [_routes(reach, ends, worth, stations) if reach else [] for reach in reaches]
    return max(
        sum(worth for _, worth in chosen)
        for chosen in product(*([NO_ROUTE, *some] for some in routes))
        if len(frozenset[str]().union(*(ways for ways, _ in chosen))) == sum(len(ways) for ways, _ in chosen)
    )


def _worths() -> dict[str, int]:
    decl = game("rails", 2).rules.types["city"]
    return dict(zip(decl.names, decl.columns["worth"].values, strict=True))


def _ends(way: str, cities: dict[str, int]) -> tuple[str, str] | None:
    name, side = way.removeprefix("laid at ").split("_to_")
    column, row = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}[side]
    other = chr(ord(name[0]) + column) + str(int(name[1]) + row)
    return (name, other) if other in cities else None


def _routes(
    reach: int, ends: dict[str, tuple[str, str] | None], worth: dict[str, int], stations: set[str]
) -> list[Route]:
    """All paths of two cities or more, with one of the stations."""
    found: list[Route] = []

    def walk(path: list[str], ways: frozenset[str]) -> None:
        if len(path) > 1 and stations & set(path):
            found.append((ways, sum(worth[city] for city in path)))
        for way, both in ends.items():
            if both is not None and path[-1] in both and len(path) < reach and way not in ways:
                other = both[1 - both.index(path[-1])]
                if other not in path:
                    walk([*path, other], ways | {way})

    for city in worth:
        walk([city], frozenset())
    return list(dict.fromkeys(found))


@pytest.mark.parametrize("seed", range(2))
def test_trains_earn_what_an_enumeration_finds(seed: int) -> None:
    match = Match(game("rails", 2), seed=seed, keep_history=False).start()
    chooser = random.Random(seed)
    compared = 0
    while not match.over:
        waiting = chooser.choice(match.waiting())
        seat, before = "AB"[waiting.seat], match.view(-2)
        match.take(waiting, chooser.choice(waiting.options))
        now = match.view(-2)
        if now.counters["turns"] > before.counters["turns"]:
            reaches = {k: v for k, v in now.counters.items() if k.startswith("reach")}
            after = replace(before, counters={**before.counters, **reaches})
            wanted = _income(after, seat)
            assert now.counters[f"money of {seat}"] - before.counters[f"money of {seat}"] == wanted
            compared += wanted > 0
    assert compared > 10


@pytest.mark.parametrize("seed", range(60))
def test_selections_are_the_best(seed: int) -> None:
    """Against all subsets, also which of several equal ones it is."""
    chooser = random.Random(seed)
    size = chooser.randint(1, 9)
    records = [
        (chooser.randint(0, 5), chooser.getrandbits(size) & chooser.getrandbits(size))
        for _ in range(chooser.randint(0, 9))
    ]
    work: list[int] = []
    found = best_selection(records, work.append)
    assert found == sorted(found, key=lambda i: records[i][1] & -records[i][1])
    assert sum(records[i][0] for i in found) == max(map(_worth(records), range(1 << len(records))))
    assert _apart([records[i][1] for i in found])
    assert all(records[i][0] > 0 and records[i][1] for i in found)


def _worth(records: list[tuple[int, int]]) -> Callable[[int], int]:
    def worth(chosen: int) -> int:
        some = [x for i, x in enumerate(records) if chosen >> i & 1 and x[1]]
        return sum(worth for worth, _ in some) if _apart([bits for _, bits in some]) else 0

    return worth


def _apart(sets: list[int]) -> bool:
    """Whether no two of some sets of bits have one in common."""
    joined = 0
    for bits in sets:
        if joined & bits:
            return False
        joined |= bits
    return True
