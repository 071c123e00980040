"""Facts that are worked out once: about links, and about the ways between nodes."""

from __future__ import annotations

from hypothesis import given, strategies as st

from interpreter import ir
from interpreter.ir import cfg
from interpreter.ir.facts import FactOf, Links, facts_of_links
from tests.games import compiled

ROWS = st.lists(st.lists(st.integers(-5, 70), max_size=5).map(tuple), max_size=5).map(tuple)


def test_a_fact_is_worked_out_once_for_each_thing() -> None:
    asked: list[ir.Expr] = []

    def fact(e: ir.Expr) -> str:
        asked.append(e)
        return repr(e)

    known, one, other = FactOf(fact), ir.Const(1), ir.Const(1)
    assert known(one) == known(one) == known(other) == "Const(value=1)"
    assert [id(e) for e in asked] == [id(one), id(other)]


def test_a_thing_lives_as_long_as_its_fact() -> None:
    """Else another thing could come to lie where it lay, and meet its fact."""
    known: FactOf[tuple[int, ...], int] = FactOf(sum)
    assert [known((n, n)) for n in range(1000)] == [2 * n for n in range(1000)]


@given(ROWS, st.integers(-5, 70), st.integers(0, 70))
def test_links_are_as_their_rows_are(links: Links, lo: int, size: int) -> None:
    found = facts_of_links(links)
    values = [value for row in links for value in row]
    assert (found.span is None) == (not values)
    assert found.span is None or (set(found.span) <= set(values) and found.span[0] <= found.span[1])
    assert found.within(lo, size) == all(lo <= value < lo + size for value in values)
    assert found.distinct == all(row.count(value) == 1 for row in links for value in row)
    assert found.ascending == all(sorted(row) == list(row) for row in links)


def test_the_nodes_before_a_node_are_those_that_lead_to_it() -> None:
    mc = compiled(("roma", 2, ()))
    before = cfg.predecessors(mc)
    assert len(before) == len(mc.nodes)
    for number, node in enumerate(mc.nodes):
        assert all(number in before[target] for target in cfg.targets(node))
    assert sum(map(len, before)) == sum(len(cfg.targets(node)) for node in mc.nodes)


def test_only_what_follows_a_test_for_more_than_none_counts_down() -> None:
    """A loop of so many rounds has such a test before its count, and nothing else leads there."""
    mc = compiled(("roma", 2, ()))
    before = cfg.predecessors(mc)
    counting = [i for i in range(len(mc.nodes)) if cfg.counts_down(mc, before, i)]
    assert counting
    for number in counting:
        node, (test,) = mc.node(number, ir.SetLocal), before[number]
        assert node.value == ir.Op("-", ir.Local(node.slot), ir.Const(1))
        assert mc.node(test, ir.Branch).condition == ir.Op(">", ir.Local(node.slot), ir.Const(0))
        assert mc.node(test, ir.Branch).then == number
        also = [list(ways) for ways in before]
        also[number].append(mc.start)
        assert not cfg.counts_down(mc, also, number)
