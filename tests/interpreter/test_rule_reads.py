"""What is worked out of rules once for several machines makes the same machines."""

from __future__ import annotations

import pytest

from interpreter.compile.program import compile_rules
from interpreter.compile.rule_reads import RuleReads
from tests.games import Table, compiled, few, named, rules_of, seated


@pytest.mark.parametrize("table", few(), ids=named)
def test_machines_that_share_it_are_the_same(table: Table) -> None:
    rules, machine = seated(table)
    _, seats, options = table
    reads = RuleReads(rules)
    for count in sorted({rules.seats[0], rules.seats[1], seats}):
        compile_rules(rules, count, reads=reads)
    assert compile_rules(rules, seats, dict(options), reads=reads) == machine


def test_what_was_read_of_other_rules_is_not_taken() -> None:
    table: Table = ("kuhn_poker", 2, ())
    assert compile_rules(rules_of("kuhn_poker"), 2, reads=RuleReads(rules_of("pig"))) == compiled(table)
