"""What the seats of a batch see: what views show, and nothing else."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from dsl.domains import NONE
from interpreter import ir
from interpreter.game import Game
from interpreter.match import Match
from interpreter.sights import SPECTATOR
from interpreter.views import Views
from interpreter.wasm.batch import Batch
from tests.games import Table, ends, game_of, named, sample, tables
from tests.properties import secrets
from tests.wasm.batches import Rows

TABLES = tables()
WITH_SECRETS = [t for t in TABLES if t[0] in ("roma", "kuhn_poker", "leduc_poker")]


def game(table: Table) -> Game:
    return game_of(*table)


def opened(name: str) -> Game:
    return game(next(t for t in TABLES if t[0] == name and t[1] >= 2))


def expected(views: Views, state: Any, seat: int) -> list[int]:
    """An observation as `Views` would have it."""
    mc, seen = views.machine, views.view(state, seat)
    words: dict[int, int] = {}
    values = {"counter": seen.counters, "mark": seen.marks, "pointer": seen.pointers}
    for one in mc.variables.values():
        for k in range(one.size):
            told, word = values[one.kind][views.names.word(one, k)], one.base + k  # type: ignore[index]
            if told is None:
                words[word] = 0
                continue
            before = mc.saved + word - mc.saved_from if mc.branches else word
            fits = {views.names.value(one.type, state[at]): state[at] for at in (before, word)}
            words[word] = fits[told] if one.kind == "pointer" else int(told)
    tallies = []
    for i, place in enumerate(mc.places):
        told_pieces = seen.zones[views.names.place(i)]
        component = views.rules.components[mc.place_components[place.zone]]
        row = [0] * place.words
        number = len(told_pieces) if isinstance(told_pieces, list) else told_pieces or 0
        if place.kind in (ir.ORDERED, ir.BLANK):
            row[0] = number
        if isinstance(told_pieces, list):
            for k, name in enumerate(told_pieces):
                if name == "?":
                    continue
                class_ = component.classes.index(name)
                if place.kind == ir.COUNTS:
                    row[class_] += 1
                else:
                    row[k + (place.kind == ir.ORDERED)] = class_ + 1
        words |= {place.base + k: x for k, x in enumerate(row)}
        hidden = any(not views.may_see(i, v) for v in range(mc.seats))
        if hidden and place.kind in (ir.SLOT, ir.COUNTS):
            tallies.append(number)
    chosen = dict.fromkeys(views.chosen_values.decisions, NONE)
    for one in views.chosen_values.of(state):
        kind = mc.node(one.decision, ir.Decide).type
        if one.branch in (-1, seat):
            hidden = mc.node(one.decision, ir.Decide).secret and one.chooser != seat
            unseen_ = hidden or views.hides(state, seat, ((kind, one.value),))
            chosen[one.decision] = NONE if unseen_ else one.value
    told = [words[word] for word in sorted(words)]
    return [seat, state[ir.PHASE], state[ir.ACTIVE], *told, *tallies, *chosen.values()]


@pytest.mark.parametrize("table", sample(TABLES, ends()), ids=named)
def test_observations_are_views(table: Table) -> None:
    rows = Rows(game(table), 2, 21)
    steps = 40 if table in WITH_SECRETS else 6
    for _ in range(steps):
        for i, match in enumerate(rows.matches):
            for seat in range(table[1]):
                found = list(rows.batch.observe(i, seat))
                assert found == expected(rows.game.views, match.state, seat)
                assert len(found) == len(rows.batch.columns)
                if seat == rows.batch.seats[i]:
                    assert found == list(rows.batch.observations[i])
        rows.play(1)


def test_values_that_a_seat_does_not_see_are_zero() -> None:
    """Counters, marks and pointers that are hidden, also while all choose at the same time."""
    one, hidden = secrets.game(seats=3), 0
    batch = Batch(one, 4, 5)
    for _ in range(60):
        for i in range(4):
            state = Match(one).state
            state[:] = type(state)("i", batch.states[i].tobytes())
            for seat in range(3):
                hidden += one.views.words(state, seat).count(None)
                assert list(batch.observe(i, seat)) == expected(one.views, state, seat)
        batch.step(batch.sample())
    assert hidden > 60 * 4 * 3


def unseen(views: Views, state: Any, seat: int) -> list[int]:
    """The words of a state that no observation of a seat may depend on; numbers of pieces are kept."""
    mc = views.machine
    found = list(range(mc.stream_base, mc.stream_base + len(mc.streams)))
    found += [t.busy for t in mc.triggers]
    stacks = (mc.stack, mc.stack_size), (mc.branch_stack, mc.branch_size * mc.seats if mc.branches else 0)
    read = words_of_choices(views, state)
    found += [first + k for first, size in stacks for k in range(size) if first + k not in read]
    before = state[:]
    if state[ir.FORKED]:
        before[mc.saved_from : mc.saved_to] = state[mc.saved : mc.saved + mc.saved_to - mc.saved_from]
    for i, place in enumerate(mc.places):
        now = state if place.of == seat or not state[ir.FORKED] else before
        if state[ir.FORKED] and place.of != seat:
            found += [place.base + k for k in range(place.words)]
        elif not views.sees(now, i, seat) and place.kind in (ir.SLOT, ir.ORDERED):
            lying = [w for w in range(place.base, place.base + place.words) if state[w] > 0]
            found += lying[int(place.kind == ir.ORDERED) : -1 if i in views.tops else None]
    return found


def words_of_choices(views: Views, state: Any) -> set[int]:
    """The words of frames in which what has been chosen so far is found, and those by which they are."""
    mc, chosen = views.machine, views.chosen_values
    if state[ir.STATUS] or not chosen.decisions:
        return set()
    chains = [(state[ir.PC], state[ir.FP])]
    if state[ir.FORKED]:
        branches = [
            (node, state[mc.branch(seat) + ir.BRANCH_FP]) for seat, node in mc.waiting_branches(state)
        ]
        chains = [(state[ir.FORK], state[ir.MAIN_FP]), *branches]
    found: set[int] = set()
    for node, fp in chains:
        while node >= 0:
            held = chosen.held.get(node, {})
            slots = [*held, *(chosen.chooser_slot(decision) for decision in held.values())]
            found.update(fp + slot for slot in (ir.RETURN, ir.CALLER, *slots))
            node, fp = state[fp + ir.RETURN], state[fp + ir.CALLER]
    return found


def hidden_counts(views: Views, state: Any, seat: int) -> list[tuple[int, int]]:
    """Words and sizes of places whose classes a seat does not see, but perhaps their number."""
    return [
        (p.base, p.classes)
        for i, p in enumerate(views.machine.places)
        if p.kind == ir.COUNTS and not views.sees(state, i, seat)
    ]


@pytest.mark.parametrize("table", WITH_SECRETS, ids=named)
@given(seed=st.integers(0, 2**32), steps=st.integers(0, 60))
@settings(max_examples=25, deadline=None)
def test_what_is_unseen_changes_nothing(table: Table, seed: int, steps: int) -> None:
    """Secrets, streams and frames become other ones; the seat's observation stays."""
    one, rng = game(table), random.Random(seed)
    batch = Batch(one, 1, seed)
    for _ in range(steps):
        batch.step(batch.sample())
    state = Match(one).state
    state[:] = type(state)("i", batch.states[0].tobytes())
    for seat in range(table[1]):
        before, other = batch.observe(0, seat), state[:]
        for word in unseen(one.views, state, seat):
            other[word] = rng.randint(1, 9)
        if not state[ir.FORKED]:
            for base, classes in hidden_counts(one.views, state, seat):
                held = list(other[base : base + classes])
                rng.shuffle(held)
                other[base : base + classes] = type(state)("i", held)
        write(batch, other)
        assert list(batch.observe(0, seat)) == list(before)
        write(batch, state)


def write(batch: Batch, state: Any) -> None:
    address = batch._at["states"] + batch.map["before"]
    batch._instance.write(address, state.tobytes())


def test_others_are_seen_as_before_while_all_choose() -> None:
    """While seats choose together, what another seat has just done is not seen; one's own is."""
    one = opened("roma")
    batch = Batch(one, 16, 2)
    forked = 0
    for _ in range(40):
        forked += int((batch.states[:, ir.FORKED] != 0).sum())
        for i in np.flatnonzero(batch.states[:, ir.FORKED]):
            match = Match(one)
            match.state[:] = type(match.state)("i", batch.states[i].tobytes())
            for seat in range(2):
                assert list(batch.observe(int(i), seat)) == expected(one.views, match.state, seat)
        batch.step(batch.sample())
    assert forked > 16


def test_bare_machines_have_no_observations() -> None:
    batch = Batch(opened("kuhn_poker").machine, 2)
    with pytest.raises(ValueError, match="bare machine"):
        _ = batch.observations
    with pytest.raises(ValueError, match="bare machine"):
        batch.words(0, 0)
    batch.step(batch.sample())


def test_no_leak_through_a_spectator() -> None:
    """The hand of the other is never in a row: all that differs between the seats' rows is their own."""
    one = opened("kuhn_poker")
    batch = Batch(one, 8, 1)
    for i in range(8):
        hands = [k for k, name in enumerate(batch.columns) if name.startswith("hand of B")]
        assert hands
        assert not batch.observe(i, 0)[hands].any()
        assert batch.observe(i, 1)[hands].any()
    assert one.views.may_see(0, SPECTATOR) in (True, False)
