"""Taking back gives the match as it was, and takes from nobody what it has learned."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from interpreter.events import Changed, Moved, Thrown
from interpreter.match import Match
from interpreter.views import View
from tests.games import Table, ends, game_of, named, sample, tables


def deepest(table: Table, seed: int) -> Match:
    """A random match at the stop, of its first ones, at which most choices can be taken back."""
    match, chooser = Match(game_of(*table), seed).start(), random.Random(seed)
    best = (0, 0)
    choices = []
    for number in range(40):
        if match.over:
            break
        waiting = chooser.choice(match.waiting())
        choices.append((waiting.seat, chooser.choice(waiting.options)))
        match.take(waiting, choices[-1][1])
        best = max(best, (match.undo_depth(), number))
    again = Match(match.game, seed).start()
    for seat, option in choices[: best[1] + 1]:
        again.take(next(w for w in again.waiting() if w.seat == seat), option)
    return again


@pytest.mark.parametrize("table", sample(tables(), ends()), ids=named)
@pytest.mark.parametrize("seed", sample(range(4), [0]))
def test_the_same_choices_lead_to_the_same_state(table: Table, seed: int) -> None:
    match = deepest(table, seed)
    depth, end = match.undo_depth(), match.hash()
    first = match.history[-depth][1] if depth else len(match.steps)
    taken = [(s.seat, s.text) for s in match.steps[first:] if s.seat is not None]
    assert len(taken) == depth
    assert not match.undo(number=depth + 1)
    assert not depth or match.undo(number=depth)
    for seat, text in taken:
        match.choose(seat, text)
    assert match.hash() == end


@pytest.mark.parametrize("table", sample(tables(), ends()), ids=named)
@pytest.mark.parametrize("seed", sample(range(4), [0]))
def test_nobody_has_learned_anything_since(table: Table, seed: int) -> None:
    """What has changed in a view since then is what the events say, and no piece is seen that was not."""
    match = deepest(table, seed)
    depth = match.undo_depth()
    if not depth:
        return
    now = [match.view(seat) for seat in range(-1, table[1])]
    touched = addresses(match, match.history[-depth][1])
    assert match.undo(number=depth)
    for view, before in zip(now, [match.view(seat) for seat in range(-1, table[1])], strict=True):
        assert changed(view, before) <= touched
        if "die" not in {c.name for c in match.game.rules.components.values() if c.die is not None}:
            assert seen(view) <= seen(before)


def addresses(match: Match, first: int) -> set[str]:
    """Everything that the events from a step on speak of."""
    names, words, found = match.game.names, match.game.machine.variables, set()
    for event in (e for step in match.steps[first:] for e in step.events):
        match event:
            case Moved(source=source, to=to):
                found |= {names.place(source), names.place(to)}
            case Thrown(place=place):
                found.add(names.place(place))
            case Changed(name=name, word=word):
                found.add(names.word(words[name], word - words[name].base))
    return found | lasting(match)


def lasting(match: Match) -> set[str]:
    """Counters, marks and pointers that go back to their start by themselves."""
    rules, found = match.game.rules, set()
    for words in match.game.machine.variables.values():
        decl = rules.counters.get(words.name) or rules.marks.get(words.name) or rules.pointers[words.name]
        if decl.var.lasts:
            found |= {match.game.names.word(words, k) for k in range(words.size)}
    return found


def changed(one: View, other: View) -> set[str]:
    pairs = ((one.zones, other.zones), (one.counters, other.counters), (one.marks, other.marks))
    found = {key for a, b in pairs for key in a if a[key] != b[key]}
    return found | {key for key in one.pointers if one.pointers[key] != other.pointers[key]}


def seen(view: View) -> Counter[str]:
    return Counter(word for found in view.zones.values() if isinstance(found, list) for word in found)
