"""What a single choice may work out is bounded, in both executors and for every way of asking for much."""

from __future__ import annotations

from time import process_time

import pytest

from interpreter import ir
from interpreter.ir.cfg import multiplying
from interpreter.ir.costs import cost_of_each, parts_at_once
from interpreter.match import Match
from interpreter.reference import context
from tests.bounds.families import END, GAME
from tests.bounds.test_runs import Executor, code_of, made

LARGE = GAME.replace("counters: {", "counters: {depth: {range: 0..99}, ").replace(
    "0..50}}\nflow", "0..1000000000}}\nflow"
)
TYPED = LARGE.replace("counters: {", "types: {t: 0..4000}\ncounters: {w: {of: t, range: 0..9}, ")


def chain(length: int) -> str:
    """Procedures of which each calls the next one twice: without a loop, and 2 to the power of `length`."""
    calls = "".join(f"procedure p{i}\n    p{i + 1}\n    p{i + 1}\n" for i in range(length))
    return f"{calls}procedure p{length}\n    gain 1 points\n"


def tower(height: int) -> str:
    """Values of which each is the largest of 300 of the one before it."""
    first = "value v0(x: 0..300) = x * coins mod 7\n"
    more = "".join(
        f"value v{i}(x: 0..300) = max(v{i - 1}(max(x, y)) for y in 0..300)\n" for i in range(1, height + 1)
    )
    return first + more


ACT = "action act\n    lose 1 coins\n"
TWICE = "    repeat 600 times\n        repeat 600 times\n"
NESTED = """    p
procedure p nests up to 40
    if depth < 40
        depth += 1
        p
        p
        p
        depth -= 1
"""
SUMS = "sum(sum(sum((a + b * coins) mod 3 + c for c in 0..300) for b in 0..300) for a in 0..300)"
LARGE_SUM = "sum((w of x * points of A + coins) mod 7 for x in t)"
ORDER = "size(those 3 highest(x in t by (w of x * coins + points of me) mod 17))"
PAIRS = "size(those(x in t where any(y in t where (x * y + coins) mod 4001 is 0)))"
BOTH = {
    "loops in loops": (LARGE, "    for i in 0..4000\n        for j in 0..4000\n            gain 1 points\n"),
    "sums of sums": (LARGE, f"    gain {SUMS} points\n"),
    "a tower of values": (LARGE, f"    gain v5(3) points\n{tower(5)}"),
    "calls of itself": (LARGE, NESTED),
    "a chain of calls": (LARGE, f"    p0\n{chain(60)}"),
    "a large sum in each round": (TYPED, f"{TWICE}            gain {LARGE_SUM} points\n"),
    "an order in each round": (TYPED, f"{TWICE}            gain {ORDER} points\n"),
    "pairs in each round": (TYPED, f"{TWICE}            gain {PAIRS} points\n"),
}


@pytest.fixture(autouse=True)
def _little_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reference executor has a twentieth of its work; the modules have all of theirs."""
    monkeypatch.setattr(context, "MOST_WORK", 250_000)


@pytest.mark.parametrize("executor", ["reference", "wasm"])
@pytest.mark.parametrize("name", BOTH)
def test_no_choice_works_for_long(name: str, executor: Executor) -> None:
    game, rules = BOTH[name]
    match = Match(made(game, ACT + rules + END, executor)).start()
    assert code_of(lambda: match.choose("A", "act")) == "R209"


def test_what_is_asked_of_each_value_counts_by_its_size() -> None:
    """A sum over 301 values costs more the more is asked of each; what is around it is asked once."""
    asked: ir.Expr = ir.Reg(0)
    small = ir.Fold("sum", 0, ir.Values(tuple(range(301))), None, asked)
    for _ in range(80):
        asked = ir.Op("+", asked, ir.Reg(0))
    large = ir.Fold("sum", 0, ir.Values(tuple(range(301))), None, asked)
    assert (cost_of_each(small), cost_of_each(large)) == (1, 1 + 161 // 8)
    assert parts_at_once(ir.Op("+", small, large)) == 1 + 2 * 2


def test_large_conditions_of_small_collections_come_to_an_end() -> None:
    """10,000 rounds, each of ten values: few, but of each a long sum is asked."""
    asked = " + ".join(["(x + points of me) mod 7"] * 50)
    rounds = TWICE.replace("600", "100")
    rules = f"{ACT}{rounds}            points of me = max({asked} for x in 0..9)\n"
    match = Match(made(LARGE, rules + END)).start()
    assert code_of(lambda: match.choose("A", "act")) == "R209"


def test_an_account_has_work_of_its_own() -> None:
    """Looking at a position again and again, without a choice, never comes to a bound."""
    rules = f"{ACT}value over = coins is 0\nscore points = sum((x + coins) mod 7 for x in t)\n"
    match = Match(made(TYPED, rules)).start()
    assert len({match.accounts()[0].total for _ in range(40)}) == 1


def test_what_multiplies_is_what_may_come_to_many_runs() -> None:
    """Calls without loops are no longer than the rules, or no more than a few thousands, or they multiply."""
    few = made(LARGE, f"{ACT}    p0\n{chain(10)}{END}").machine
    many = made(LARGE, f"{ACT}    p0\n{chain(30)}{END}").machine
    itself = made(LARGE, ACT + NESTED + END).machine
    assert not multiplying(few)
    assert {many.routines[i].name for i in multiplying(many)} == {f"p{i}" for i in range(18)}
    assert {itself.routines[i].name for i in multiplying(itself)} == {"p"}


def test_what_does_not_multiply_counts_where_it_is_run() -> None:
    """The last of many calls are a few thousands each time: they are worked, whoever counts them."""
    many = made(LARGE, f"{ACT}    p0\n{chain(30)}{END}").machine
    counted = {many.routines[i].name: runs for i, runs in multiplying(many).items()}
    assert counted["p16"] == 0
    assert counted["p17"] == 2 * (2**13 - 1)


@pytest.mark.parametrize("executor", ["reference", "wasm"])
def test_chains_of_calls_soon_come_to_an_end(executor: Executor) -> None:
    """Each of sixty procedures calls the next one twice: the bound is there within some seconds."""
    match = Match(made(LARGE, f"{ACT}    p0\n{chain(60)}{END}", executor)).start()
    begun = process_time()
    assert code_of(lambda: match.choose("A", "act")) == "R209"
    assert process_time() - begun < 3
