"""Routines that call each other in cycles are found, and callees come before their callers."""

from __future__ import annotations

from itertools import pairwise

import networkx as nx
from hypothesis import given, strategies as st

from interpreter.compile.depth import _loop, cycles

CALLS = st.dictionaries(
    st.sampled_from("abcdefgh"), st.frozensets(st.sampled_from("abcdefgh"), max_size=3), max_size=8
).map(lambda calls: {name: sorted(callees & calls.keys()) for name, callees in calls.items()})


def drawn(calls: dict[str, list[str]]) -> nx.DiGraph[str]:
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(calls)
    graph.add_edges_from((name, callee) for name, callees in calls.items() for callee in callees)
    return graph


@given(CALLS)
def test_circles_are_the_strong_components(calls: dict[str, list[str]]) -> None:
    found = cycles(calls)
    assert sum(len(group) for group in found) == len(calls)
    assert set(found) == {frozenset(group) for group in nx.strongly_connected_components(drawn(calls))}


@given(CALLS)
def test_callees_come_first(calls: dict[str, list[str]]) -> None:
    place = {name: i for i, group in enumerate(cycles(calls)) for name in group}
    assert all(place[callee] <= place[name] for name in calls for callee in calls[name])


@given(CALLS)
def test_a_loop_leads_back_to_its_beginning(calls: dict[str, list[str]]) -> None:
    for group in cycles(calls):
        if len(group) > 1 or any(name in calls[name] for name in group):
            loop = _loop(calls, group)
            assert all(following in calls[name] for name, following in pairwise(loop))
            assert loop[0] in calls[loop[-1]]


def test_a_long_chain_of_calls_is_no_trouble() -> None:
    names = [f"p{i}" for i in range(5000)]
    calls = {name: names[i + 1 : i + 2] for i, name in enumerate(names)}
    assert [min(group) for group in cycles(calls)] == names[::-1]
