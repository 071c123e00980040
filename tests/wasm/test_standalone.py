"""A module that plays without Python says at every stop what the reference executor says."""

from __future__ import annotations

import contextlib
import gzip
import json
import random
from array import array
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest

from dsl.domains import NONE
from dsl.load import load
from interpreter import ir
from interpreter.compile.program import compile_rules
from interpreter.events import Event
from interpreter.executor_protocol import Waiting
from interpreter.messages import Fault
from interpreter.reference.executor import ReferenceExecutor
from interpreter.refusal import Refusal, Refusals
from interpreter.wasm.abi import BY_ZERO, CHANCE, OVER
from interpreter.wasm.build_config import BuildConfig
from interpreter.wasm.faults import fault
from interpreter.wasm.standalone import standalone
from rulewright.library import folder
from tests.games import Table, ends, fewest, mixed, named, sample, seated
from tests.wasm.lockstep import ONCE, small_rules
from tests.wasm.rollouts import recorded
from tests.wasm.standalone_host import Faulted, Host


class Side:
    """A match on the reference executor, and the same on a host."""

    def __init__(self, host: Host, machine: ir.Machine, seed: int) -> None:
        self.host, self.machine = host, machine
        self.reference = ReferenceExecutor(machine)
        self.refusals = Refusals(self.reference, self.host.views)
        self.random = random.Random(seed)
        self.state = self.reference.initial_state()
        self.explained = 0
        self.told: set[str] = set()
        assert self.host.initial == list(self.state)

    def play(self, most: int, whys: int, most_explained: int = 100_000) -> None:
        """A random match of at most so many choices, some of those not offered explained at each."""
        code = self._step(lambda: self.reference.advance(self.state, self.machine.start), self.host.start)
        choices = 0
        while code != OVER and choices < most:
            if code == CHANCE:
                code = self._draw()
                continue
            waiting = self.same_waiting()
            if self.explained < most_explained:
                self.same_reasons(self.random.choice(waiting), whys)
            one = self.random.choice(waiting)
            option = self.random.choice(one.options)
            choices += 1
            code = self._step(
                lambda one=one, option=option: self.reference.choose(self.state, one, option),
                lambda one=one, option=option: self.host.choose(one.node, one.branch, option),
            )
        self.same_scores()

    def _step(self, ours: Callable[[], int], theirs: Callable[[], tuple[int, list[Event]]]) -> int:
        events: list[Event] = []
        self.reference.sink = events
        try:
            code = ours()
        except Fault as found:
            with pytest.raises(Faulted) as caught:
                theirs()
            self.same_fault(caught.value, found)
            raise
        finally:
            self.reference.sink = None
        assert (code, events) == theirs()
        assert self.host.state == list(self.state)
        return code

    def same_fault(self, theirs: Faulted, ours: Fault) -> None:
        assert recorded(fault(self.machine, *theirs.record).diagnostic) == recorded(ours.diagnostic)

    def _draw(self) -> int:
        odds = self.reference.outcomes(self.state)
        assert self.host.odds() == odds
        assert self.host.state == list(self.state)
        outcome = self.random.choices([o for o, _ in odds], [w for _, w in odds])[0]
        return self._step(
            lambda: self.reference.resolve_chance(self.state, outcome),
            lambda: self.host.step("happen", outcome),
        )

    def same_waiting(self) -> tuple[Waiting, ...]:
        found = self.reference.waiting(self.state)
        assert self.host.waiting() == [(w.node, w.branch) for w in found]
        for one in found:
            assert self.host.seat(one.branch) == one.seat
            assert self.host.options(one.node, one.branch) == one.options
            doings = tuple(d and (d[0], d[2]) for d in self.host.doings(one.branch))
            assert doings == one.what
        assert self.host.state == list(self.state)
        return found

    # ---- why not

    def same_reasons(self, waiting: Waiting, most: int) -> None:
        node = self.machine.decision(waiting.node)
        parts: list[tuple[int, str | None]] = [(0, None)]
        if isinstance(node, ir.Offer):
            parts = []
            for i, what in enumerate(waiting.what):
                if what is not None:
                    action = self.machine.routines[what[0]].name
                    if action not in [name for _, name in parts]:
                        parts.append((i, action))
        for part, action in parts:
            refused = self.host.candidates(waiting.branch, part)
            values: list[int | None] = [None] if action is not None else []
            if refused is not None:
                offered = [v for i, v in waiting.options if i == part]
                others = [v for v in dict.fromkeys(refused) if v not in offered]
                self.random.shuffle(others)
                values += [*others[:most], *offered[:1], NONE + 1]
            for value in values:
                for seat in (waiting.seat, (waiting.seat + 1) % self.machine.seats, -1, -2):
                    self.same_reason(waiting, action, value, seat)

    def same_reason(self, waiting: Waiting, action: str | None, value: int | None, seat: int) -> None:
        state = array("i", self.state)
        theirs = self.host.explain(waiting.branch, waiting.node, action, value, seat)
        ours = self.refusals.explain_value(state, waiting, action, value, seat)
        assert theirs == unplaced(ours), (action, value, seat)
        assert self.host.state == list(self.state)
        self.explained += 1
        self.told |= {ours.text, *(part.text for part in ours.parts)}

    def same_scores(self) -> None:
        for seat in range(self.machine.seats):
            lines = [value for _, value in self.reference.score(self.state, seat)]
            assert self.host.score(seat)[:-1] == lines
        assert self.host.call("broken") == 0


def unplaced(refusal: Refusal) -> Refusal:
    return replace(
        refusal, span=None, value="", within=(), parts=tuple(unplaced(part) for part in refusal.parts)
    )


@cache
def bundled(table: Table) -> tuple[Host, ir.Machine]:
    rules, machine = seated(table)
    return Host(machine, rules), machine


@pytest.mark.parametrize("table", sample(ends(), fewest()), ids=named)
def test_bundled_games(table: Table) -> None:
    side = Side(*bundled(table), 5)
    side.play(25, whys=2, most_explained=400)
    assert side.explained


@pytest.mark.long
@pytest.mark.parametrize("table", [*ends(), *mixed()], ids=named)
def test_many_matches(table: Table) -> None:
    for seed in range(10):
        Side(*bundled(table), seed).play(200, whys=2)


@pytest.mark.parametrize("name", ["island", "lines", "boxes", "melds"])
def test_boards_with_edges_and_sets_of_cards(name: str) -> None:
    rules = load(folder(Path(__file__).parent.parent / "generality" / name))[0]
    machine = compile_rules(rules, 2)
    side = Side(Host(machine, rules), machine, 5)
    side.play(25, whys=1, most_explained=200)
    assert side.explained


def small(yaml: str, text: str, seed: int, most: int = 12) -> Side:
    """A match of a ruleset written in a test, all of whose choices are asked about."""
    rules = small_rules(yaml, text, ONCE, **{"cards.csv": CARDS})
    machine = compile_rules(rules)
    side = Side(Host(machine, rules), machine, seed)
    with contextlib.suppress(Fault):
        side.play(most, whys=50)
    return side


RUN = "procedure run\n    each seat in turn\n        may keep doing act\n"
TOGETHER = "procedure run\n    each seat together\n        do act\n"
GOLD = (
    "counters:\n  gold: {of: seat, range: 0..9, start: 3, at_edge: refuse}\n"
    "  pot: {range: 0..99, start: 4, shared: first come}\n"
)
POWERS = (
    GOLD + "components:\n"
    "  card: {table: cards.csv, columns: {power: effect or none, rank: 1..3, copies: 1..9}, copies: copies}\n"
    "zones:\n  deck: {holds: card, start: all, seen_by: nobody, order: shuffled}\n"
    "  hand: {holds: card, of: seat, seen_by: owner, counted_by: all}\n"
    "  table: {holds: card, of: seat, seen_by: all}\n"
)
CARDS = "card,power,rank,copies\ngrab,take 2,1,2\nrest,,2,1\nbribe,take 9,3,2\n"
DEAL = (
    "procedure run\n    each seat in turn\n        move 2 from deck to hand of me\n"
    "    each seat in turn\n        may keep doing act\n"
)


@dataclass(frozen=True)
class Case:
    """Rules, and the beginnings of reasons that somebody gets in matches of them."""

    yaml: str
    text: str
    reasons: tuple[str, ...]


CASES = {
    "a range": Case(
        GOLD,
        RUN + "action act(n from 1..9 where n > 2 and n is not 5)\n    gain n gold\n",
        (
            "only where n > 2, but n is 1",
            "only where n is not 5, but n is 5",
            "gold would leave its range",
            "it is not among the values here",
            "it is offered in other words",
        ),
    ),
    "a payment": Case(
        GOLD,
        RUN
        + "action act(n from 1..9)\n    needs pot > 1\n    pay n gold\n    needs 2 * n < pot\n    pot -= 1\n",
        ("4 gold must be paid, but there are 3", "needs 2 * n < pot, but 2 * n is"),
    ),
    "a position that was there": Case(
        GOLD + "histories: {before: {of: [pot, gold], most: 60}}\n",
        RUN + "action act(n from 1..9)\n    pot = n\n    record before\n    needs times(before) < 2\n",
        ("needs times(before) < 2, but times(before) is 2",),
    ),
    "two actions": Case(
        GOLD,
        "procedure run\n    each seat in turn\n        may keep doing act, rest\n"
        "action act\n    needs pot > 2\n    needs gold of me < 4\n    gain 1 gold\n"
        "action rest(n from 1..2)\n    pot -= n\n",
        (
            "needs pot > 2, but pot is",
            "needs gold of me < 4, but gold of me is 4",
            "it takes no further words",
        ),
    ),
    "a choice within a choice": Case(
        GOLD,
        RUN + "action act(n from 1..5)\n    do more(n)\n    pot -= 1\n"
        "action more(n: 1..9, m from 1..6 where m > n)\n    pay 2 * (m - 1) gold\n",
        ("4 gold must be paid, but there are", "10 gold must be paid, but there are 3"),
    ),
    "nothing within a choice": Case(
        GOLD,
        RUN + "action act(n from 1..5)\n    choose m from 1..3 where m > n\n    pay m gold\n",
        ("there would be nothing to choose for “m”",),
    ),
    "too few pieces": Case(
        GOLD + "components:\n  cube: {count: 3}\n"
        "zones:\n  box: {holds: cube, seen_by: all, start: all}\n"
        "  hand: {holds: cube, of: seat, seen_by: owner}\n",
        RUN + "action act(n from 1..5)\n    move n from box to hand of me\n"
        "    move 1 from hand of opponent to box\n",
        ("needs size(box) >= n, but size(box) is 3; n is 4", "it is not allowed now"),
    ),
    "nothing for chance": Case(
        GOLD,
        RUN + "action act(n from 1..5)\n    chance chooses m from 1..3 where m > n by weight 4 - m\n"
        "    gain m gold\n",
        ("there would be nothing to choose for “m”",),
    ),
    "a trial in a condition": Case(
        GOLD,
        RUN + "action act(n from 1..4)\n    needs can more(n) or n is 4\n    needs n is 1\n    pay 1 gold\n"
        "action more(n: 1..9)\n    pay 2 * n gold\n",
        ("needs can more(n) or n is 4", "needs n is 1, but n is 4"),
    ),
    "a trial that passes on": Case(
        GOLD,
        RUN + "action act(n from 1..4)\n    may do more(n)\n        pot -= 1\n"
        "    else\n        pay n gold\n    pot -= 1\n"
        "action more(n: 1..9, m from 4..6)\n    pay n * m gold\n",
        ("4 gold must be paid, but there are 3",),
    ),
    "faults": Case(
        GOLD,
        RUN + "action act(n from 1..4 where n > 1 or pot > 6)\n    needs 12 div (n - 2) < 9 or pot > 3\n"
        "    pay 1 gold\n    pot -= 1\n",
        ("only where n > 1 or pot > 6",),
    ),
    "a trial that is only asked for": Case(
        GOLD,
        RUN + "action act(n from 1..3)\n    needs n > 5 or not can more(4)\n"
        "    choose m from 1..3 where m > n\n    pay 1 gold\n"
        "action more(n: 1..9)\n    pay 2 * n gold\n",
        ("there would be nothing to choose for “m”",),
    ),
    "a need within a choice": Case(
        GOLD,
        RUN + "action act(n from 1..3)\n    do one of more(n), most(n)\n    pot -= 1\n"
        "action more(n: 1..9, m from 1..3)\n    needs n < 3\n    pay m gold\n"
        "action most(n: 1..9)\n    needs n is 1 or pot > 3\n    pot -= 1\n",
        ("needs n < 3, but n is 3", "needs n is 1 or pot > 3"),
    ),
    "the last of several trials": Case(
        GOLD + "  worth: {at: cell, range: 0..9, start: 1}\nboards: {cell: {grid: [3, 3]}}\n",
        "procedure run\n    for cell\n        worth at cell = (cell.row * 5 + cell.column * 2) mod 9\n"
        "    each seat in turn\n        may keep doing act\n"
        "action act(cell)\n    do more(cell)\n    pot -= 1\n"
        "action more(cell, q from neighbours(cell))\n    pay worth at q gold\n",
        ("8 gold must be paid, but there are", "7 gold must be paid", "5 gold must be paid"),
    ),
    "a piece that was shown": Case(
        POWERS,
        DEAL.replace("        may keep doing act\n", "        show hand of opponent to me\n")
        + "        choose c from hand of opponent\n"
        "        choose d from hand of me where d.rank is not c.rank\n"
        "        move d to table of me\neffect take(n: 1..9)\n    gain n gold\n",
        ("only where d.rank is not c.rank, but d.rank is",),
    ),
    "a piece that cannot be told": Case(
        POWERS + "  tile: {holds: card, at: spot, size: 1, seen_by: all}\ntypes: {spot: 1..3}\n",
        "procedure run\n    move 1 from deck to tile at 1\n    move 1 from deck to tile at 2\n"
        "    each seat in turn\n        may keep doing act\n"
        "action act(n: 1..3)\n"
        "    needs not (n > 2 or tile at (n + 1) exists and (tile at (n + 1)).rank > 1)\n    pay 1 gold\n"
        "effect take(n: 1..9)\n    gain n gold\n",
        ("needs not (n > 2), but n is 3", "needs not (tile at (n + 1) exists and"),
    ),
    "asked for nothing": Case(
        POWERS,
        "procedure run\n    each seat in turn\n        move 2 from deck to hand of me\n"
        "    each seat in turn\n"
        "        choose n from 1..3 where any(card in hand of opponent where card is rest) and n > 4 if any\n"
        "            gain n gold\n"
        "effect take(n: 1..9)\n    gain n gold\n",
        ("a condition of the choice does not hold",),
    ),
    "cells": Case(
        POWERS,
        DEAL + "action act(card from hand of me where card.power exists or pot > 3)\n    do card.power\n"
        "    pot -= 1\n    move card to table of me\n"
        "effect take(n: 1..9, m from 1..2 where m < n)\n    needs gold of me < 5 - m\n    gain n - m gold\n",
        ("needs gold of me < 5 - m, but gold of me is 4; 5 - m is 3",),
    ),
    "cells that are offered": Case(
        POWERS,
        DEAL + "action act(card from hand of me)\n    move card to table of me\n"
        "    may do card.power\n        pot -= 1\n"
        "effect take(n: 1..9, m from 1..2 where m < n)\n    needs gold of me < 5 - m\n    gain n - m gold\n",
        ("only where m < n, but m is 2; n is 2",),
    ),
    "secrets": Case(
        POWERS,
        DEAL + "action act(n from 1..3 where n > 1 or size(hand of opponent) is 5)\n"
        "    needs any(card in hand of me where card is grab) and n is 2\n"
        "    needs all(card is not rest for card in hand of opponent)\n    pot -= 1\n"
        "effect take(n: 1..9)\n    gain n gold\n",
        ("it is not allowed now", "needs any(card in hand of me where card is grab)"),
    ),
    "hidden values": Case(
        "counters:\n  gold: {of: seat, range: 0..9, start: 3, seen_by: owner}\n"
        "  omen: {range: 0..9, start: 4, seen_by: nobody}\n",
        "procedure run\n    each seat in turn\n        may keep doing act, spend, tempt\n"
        "action act(n: 1..5)\n    needs gold of me > n\n    pay 1 gold\n    show gold of me to opponent\n"
        "action spend(n: 1..9)\n    needs gold of opponent > n\n    show omen to all\n    pay 1 gold\n"
        "action tempt(n: 1..9)\n    pay n omen\n    gain 1 gold\n    show omen to me\n",
        ("needs gold of me > n", "it is not allowed now"),
    ),
    "behind a secret": Case(
        "counters:\n  gold: {of: seat, range: 0..9, start: 3}\n"
        "  omen: {of: seat, range: 0..9, start: 4, seen_by: owner}\n",
        "procedure run\n    each seat in turn\n        may keep doing act, spend\n"
        "            omen of me -= 1\n"
        "action act(n from 1..5)                                §1.1\n"
        "    if omen of opponent > n                            §1.2\n        costs(2 * n)\n"
        "    costs(n)                                           §1.3\n"
        "procedure costs(n: 0..20)                              §2.1\n    pay n gold\n"
        "    needs gold of me < 3                               §2.2\n"
        "action spend(n from 0..9 where n < gold of me + 2)     §3.1\n"
        "    needs omen of me < 3 and n > 0\n    pay n gold\n",
        ("it is not allowed now  §1.1", "4 gold must be paid, but there", "needs omen of me < 3, but"),
    ),
    "together": Case(
        GOLD,
        TOGETHER + "action act(n from 1..5 where n > gold of me - 1 and n < pot and n < gold of me + 2)\n"
        "    pot -= 1\n    gain n gold\n    choose m from 1..4 where m > n - gold of me\n    pot -= 1\n",
        ("only where n > gold of me - 1", "only where n < pot"),
    ),
    "together, of what nobody changes": Case(
        GOLD + "  bar: {range: 0..9, start: 2}\n  goods: {of: seat, range: 0..9}\n",
        TOGETHER + "action act(n from 1..5 where n > bar and n < gold of opponent + 2 or n is 5)\n"
        "    goods of me += n\n    choose m from 1..4 where m > goods of opponent\n    pot -= 1\n",
        (
            "only where n > bar and n < gold of opponent + 2 or n is 5, but n is 1; bar is 2",
            "a condition of the choice does not hold",
        ),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_reasons(name: str) -> None:
    case, told = CASES[name], set[str]()
    for seed in range(4):
        told |= small(case.yaml, case.text, seed).told
    missing = [reason for reason in case.reasons if not any(text.startswith(reason) for text in told)]
    assert not missing, sorted(told)


def test_scores_that_fail() -> None:
    """The record has the kind of the fault and the number of the score."""
    text = RUN + "action act(n from 1..2)\n    pay n gold\n"
    scores = "score plain = gold of me\nscore divided = 12 div (gold of me - 3)\n"
    rules = small_rules(GOLD, text + scores, ONCE)
    host = Host(compile_rules(rules), rules)
    host.start()
    with pytest.raises(Faulted) as caught:
        host.score(0)
    assert caught.value.record[:2] == [BY_ZERO, 1]


def test_only_modules_that_hand_out_their_states_tell_events() -> None:
    """A module that keeps states has nobody who takes the events of one match away before the next."""
    with pytest.raises(ValueError, match="hands out its state"):
        BuildConfig("told", stops=True, events=True)
    with pytest.raises(ValueError, match="hands out its state"):
        BuildConfig("told", stops=False, events=True)
    with pytest.raises(ValueError, match="tells events"):
        BuildConfig("mute", stops=True, events=False, draws=False, explains=True)


LARGE: list[Table] = [("roma", 2, ()), ("constantinopolis", 5, ()), ("trajan", 4, ())]


@pytest.mark.parametrize("table", LARGE, ids=named)
def test_a_module_and_its_tables_are_small(table: Table) -> None:
    """They go into a file that is one game, base64 and all."""
    rules, machine = seated(table)
    data, tables = standalone(machine, rules)
    packed = [len(gzip.compress(x, mtime=0)) for x in (data, json.dumps(tables).encode())]
    assert packed[0] < (21_200 if table[0] == "roma" else 34_000)
    assert packed[1] < (4_000 if table[0] == "roma" else 6_000)
