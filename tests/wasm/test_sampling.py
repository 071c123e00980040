"""Uniform choices that are not listed: candidates are drawn and tried; what can be chosen is as likely."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import pytest

from interpreter.compile.program import compile_rules
from interpreter.wasm.build_config import FLAT
from tests.wasm.lockstep import small_rules
from tests.wasm.rollouts import Rollouts

PLAYOUTS = 12_000
WORDS = "counters: {points: {of: seat, range: 0..1000}, tries: {range: 0..9}}\n"
HAND = (
    "components: {card: {count: 2, of: seat}}\n"
    "zones: {hand: {holds: card, of: seat, seen_by: owner, start: all}}\n"
)
BOARD = "boards: {{cell: {{grid: [{0}, {0}], neighbours: all}}}}\nmarks: {{burnt: {{at: cell}}}}\n"


@dataclass(frozen=True)
class Case:
    """Rules of one choice, and by which totals each of its options is known."""

    name: str
    rules: str
    totals: tuple[int, ...]
    step: str = "do one of: [act]"
    yaml: str = WORDS

    def playouts(self) -> Rollouts:
        flow = (
            f"flow: {{turn: {{seat: rotates, do: [{{{self.step}}}], then: fin}}, fin: {{score: highest}}}}\n"
        )
        rules = small_rules(self.yaml, self.rules + "\nscore total = points of me\n", flow)
        return Rollouts(compile_rules(rules), FLAT)


OTHER = "\naction other\n    points of me = 500\n"
CASES = (
    Case(
        "a trial that writes",
        "action act(n: 1..9)\n    points of me = n\n    needs points of me mod 3 is not 1\n",
        (2, 3, 5, 6, 8, 9),
    ),
    Case(
        "one in many",
        "action act(n: 1..300)\n    points of me = n\n    needs points of me in [7, 299]\n",
        (7, 299),
    ),
    Case(
        "beside another action",
        "action act(n: 1..9)\n    points of me = n\n    needs points of me > 7\n" + OTHER,
        (8, 9, 500),
        "do one of: [act, other]",
    ),
    Case(
        "behind another action",
        "action act(n: 1..9)\n    points of me = n\n    needs points of me > 7\n" + OTHER,
        (8, 9, 500),
        "do one of: [other, act]",
    ),
    Case(
        "or passing",
        "action act(n: 1..9)\n    points of me = n\n    needs points of me > 7\n",
        (0, 8, 9),
        "may do: [act]",
    ),
    Case(
        "or passing, which is all that is left later",
        "action act(n: 1..9)\n    needs tries is 0\n    tries = 1\n    points of me = n\n"
        "    choose card from hand of me\n",
        tuple(range(10)),
        "may keep doing: [act]",
        yaml=WORDS + HAND,
    ),
    Case(
        "none",
        "action act(n: 1..9)\n    points of me = n\n    needs points of me > 9\n"
        "procedure stuck\n    points of me = 500\n",
        (500,),
        "do one of: [act], otherwise: [stuck]",
    ),
    Case(
        "a payment that cannot be made",
        "action act(n: 1..9)\n    pay 1 tries\n    points of me = n\n    needs points of me > 7\n" + OTHER,
        (500,),
        "do one of: [act, other]",
    ),
    Case(
        "two parameters and a payment that cannot be made",
        "action act(a: 1..3, b: 1..2)\n    pay 1 tries\n    points of me = 10 * a + b\n"
        "    needs points of me > 7\n" + OTHER,
        (500,),
        "do one of: [act, other]",
    ),
    Case(
        "two parameters, of which one decides on a payment",
        "action act(a: 0..2, b: 1..2)\n    pay a tries\n    points of me = 10 * a + b\n"
        "    needs points of me is not 2\n" + OTHER,
        (1, 500),
        "do one of: [act, other]",
    ),
    Case(
        "two parameters",
        "action act(a: 1..3, b: 1..5 where b > a)\n"
        "    points of me = 10 * a + b\n    needs points of me mod 2 is 0\n",
        (12, 14, 24, 34),
    ),
    Case(
        "two parameters with needs between them",
        "action act(a: 1..3, b: 1..5)\n    needs a is not 2\n"
        "    points of me = 10 * a + b\n    needs points of me mod 2 is 0\n",
        (12, 14, 32, 34),
    ),
    Case(
        "two parameters without a trial",
        "action act(a: 1..2, b: 1..3)\n    points of me = 10 * a + b\n",
        (11, 12, 13, 21, 22, 23),
    ),
    Case(
        "a value that stands there twice",
        "action act(a: 1..2, b from [a, 4, 4])\n"
        "    points of me = 10 * a + b\n    needs points of me is not 11\n",
        (14, 22, 24),
    ),
    Case(
        "two actions of two parameters",
        "action act(a: 1..2, b: 1..2)\n    points of me = 10 * a + b\n    needs points of me is not 11\n"
        "action also(a: 1..2, b: 1..2)\n    points of me = 100 * a + b\n    needs points of me > 200\n",
        (12, 21, 22, 201, 202),
        "do one of: [act, also]",
    ),
    Case(
        "a place and one behind it",
        "action act(a: cell where not burnt at a, b from neighbours(a)\n"
        "        where b.row is a.row + (1 if tries is 0 else -1) and b.column is not a.column)\n"
        "    points of me = 100 * a.row + 10 * a.column + b.column\n",
        (112, 121, 123, 132, 212, 221, 223, 232),
        yaml=WORDS + BOARD.format(3),
    ),
    Case(
        "a place and one behind it, of more than a word has bits",
        "action act(a: cell where a.row in [1, 8] and a.column <= 2, b from neighbours(a)\n"
        "        where not burnt at b and b.row is a.row + 1)\n"
        "    points of me = 100 * a.row + 10 * a.column + b.column - a.column + 1\n",
        (111, 112, 120, 121, 122, 811, 812, 820, 821, 822),
        yaml=WORDS + BOARD.format(9),
    ),
    Case(
        "conditions of which some are asked of what is drawn",
        "action act(a: cell where not burnt at a and whole(a))\n    needs a.row is not 2\n"
        "    points of me = 100 * a.row + 10 * a.column\n    needs a.column is not 3\n"
        "value whole(cell) = 4 <= count(x in spread([cell], those(y in cell where y.row >= cell.row)))\n",
        (110, 120),
        yaml=WORDS + BOARD.format(3),
    ),
    Case(
        "a condition that only what is drawn is asked, and that nothing meets",
        "action act(a: cell where 9 < count(x in spread([a], those(y in cell where y.row >= a.row))))\n"
        "    points of me = 100 * a.row + 10 * a.column\n" + OTHER,
        (500,),
        "do one of: [act, other]",
        yaml=WORDS + BOARD.format(3),
    ),
    Case(
        "three parameters, one after the other",
        "action act(a: 1..2, b: 1..2, c: 1..2)\n    points of me = 100 * a + 10 * b + c\n"
        "    needs points of me > 200\n",
        (211, 212, 221, 222),
    ),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_all_options_are_as_likely(case: Case) -> None:
    """Chi-square with a bound that one run in a million of a right sampler would not keep."""
    playouts = case.playouts()
    rows = [row for seed in range(1, PLAYOUTS, 2000) for row in playouts.rows(seed, 2000)]
    found = Counter(row[3] for row in rows)
    assert set(found) == set(case.totals)
    expected = len(rows) / len(case.totals)
    distance = sum((found[total] - expected) ** 2 / expected for total in case.totals)
    assert distance < 24 + 3 * len(case.totals)


def test_passing_where_nothing_can_be_done_is_no_decision() -> None:
    rules = "action act(n: 1..9)\n    points of me = n\n    needs points of me > {}\n"
    nothing, something = (Case("", rules.format(n), (), "may do: [act]").playouts() for n in (9, 8))
    assert {row[0] for row in nothing.rows(1, 200)} == {0}
    assert {row[0] for row in something.rows(1, 200)} == {1}
