"""A module is about as large as its rules, however their loops stand in each other."""

from __future__ import annotations

from time import process_time

import pytest

from dsl.diagnostics import DiagnosticError
from interpreter.ir.visit import written_out
from interpreter.wasm.lower import context
from tests.bounds.families import END, GAME, needing
from tests.bounds.test_runs import made

DEPTH = 12


def nested(begin: str, inner: str, end: str) -> str:
    """Folds in folds, with `#` for the number of each."""
    before = "".join(begin.replace("#", str(i)) for i in range(DEPTH))
    after = "".join(end.replace("#", str(i)) for i in reversed(range(DEPTH)))
    return f"{before}{inner}{after}"


NESTED = {
    "sums of numbers": nested("sum(", "coins", " mod 7 for x# in 0..9)") + " > 0",
    "sums of few numbers": nested("sum(", "coins", " mod 7 for x# in 0..1)") + " > 0",
    "sums of seats": nested("sum(", "points of s0", " mod 7 for s# in seats)") + " > 0",
    "largest ones": nested("max(", "coins + x0", " mod 7 for x# in 0..9)") + " > 0",
    "any of any": nested("any(x# in 0..9 where ", "coins > x0", ")"),
    "any of a few": nested("any(x# in 0..3 where coins > x# and ", "coins > x0", ")"),
    "counts of counts": nested("count(x# in 0..3 where x# < ", "coins", ")") + " > 0",
    "sets of sets": f"count(x in {nested('those(y in ', '0..9', ' where y < coins)')} where x > 1) > 0",
}


@pytest.mark.parametrize("name", NESTED)
def test_nested_loops_are_not_written_out_in_each_other(name: str) -> None:
    begun = process_time()
    assert made(GAME, needing(NESTED[name]) + END, "wasm").executor
    assert process_time() - begun < 6


def test_copies_of_copies_are_counted() -> None:
    machine = made(GAME, needing(NESTED["any of any"]) + END).machine
    assert max(written_out(node) for node in machine.nodes) > 10**DEPTH


def test_rules_whose_code_is_too_large_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(context, "MOST_EMITTED", 20)
    with pytest.raises(DiagnosticError) as found:
        made(GAME, needing(NESTED["sums of seats"]) + END, "wasm").executor  # noqa: B018
    assert found.value.diagnostic.code == "D082"
    assert found.value.diagnostic.message == f"the rules have more than 20 {context.WRITTEN_OUT}"
    assert found.value.diagnostic.span.source.name == "demo/demo.rules"
