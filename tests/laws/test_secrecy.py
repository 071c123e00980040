"""Two positions that a seat cannot tell apart look the same to it in every way."""

from __future__ import annotations

import random
from array import array

import pytest

from interpreter import machine as m
from interpreter.match import Game, Match
from interpreter.messages import Fault
from interpreter.story import story
from rulewright.library import open_game


@pytest.fixture(scope="module")
def game() -> Game:
    return open_game("roma", 2)


def hidden_from(game: Game, s: array, seat: int) -> list[int]:
    """Places that keep classes by number and that a seat cannot see."""
    return [
        i
        for i, place in enumerate(game.machine.places)
        if place.kind == m.COUNTS and not game.views.sees(s, i, seat)
    ]


def permuted(game: Game, s: array, seat: int, chooser: random.Random) -> array:
    """The same position with unseen pieces of one component dealt anew to the unseen places."""
    t = s[:]
    places = [game.machine.places[i] for i in hidden_from(game, s, seat)]
    size = game.machine.component_classes["card"]
    places = [p for p in places if game.machine.place_components[p.zone] == "card"]
    pool = [c for p in places for c in range(size) for _ in range(s[p.base + c])]
    chooser.shuffle(pool)
    for place in places:
        number = sum(s[place.base : place.base + size])
        t[place.base : place.base + size] = array("i", [0] * size)
        for _ in range(number):
            t[place.base + pool.pop()] += 1
    return t


def what_it_knows(game: Game, s: array, seat: int) -> object:
    match = Match(game)
    match.state = s
    offers = [[c.text for c in d.choices] for d in match.decisions() if d.seat == game.names.seat(seat)]
    refusals = []
    for d in match.decisions():
        if d.seat == game.names.seat(seat):
            for words in ("lay forum", "lay nero", "activate 3", "take_cards 2", "pass", "turris"):
                try:
                    Match.choose(clone(match), d.seat, words)
                except Fault as fault:
                    refusals.append((words, fault.mistake.message))
    return match.view(seat), offers, refusals, match.can_undo()


def clone(match: Match) -> Match:
    other = Match(match.game)
    other.state = match.state[:]
    return other


@pytest.mark.parametrize("seed", range(6))
def test_indistinguishable_positions(game: Game, seed: int) -> None:
    chooser = random.Random(seed)
    match = Match(game, seed=seed).start()
    for _ in range(60):
        if match.over:
            break
        waiting = chooser.choice(match.waiting())
        for seat in range(2):
            if match.state[m.FORKED]:
                continue
            other = permuted(game, match.state, seat, chooser)
            assert what_it_knows(game, match.state, seat) == what_it_knows(game, other, seat)
        match.take(waiting, chooser.choice(waiting.options))


def test_the_exchange_is_hidden_until_both_have_chosen(game: Game) -> None:
    match = Match(game, seed=4).start()
    before = match.view(1)
    first = next(d for d in match.decisions() if d.seat == "A")
    match.take(first.waiting, first.choices[0].option)
    assert match.view(1).zones == before.zones
    assert match.view(0).zones["gift of A"] == [first.choices[0].text]
    assert not any(first.choices[0].label in line for line in story(match, 1))


def test_a_hand_is_shown_to_its_owner_only(game: Game) -> None:
    match = Match(game, seed=4).start()
    assert isinstance(match.view(0).zones["hand of A"], list)
    assert match.view(1).zones["hand of A"] == 4
    assert match.view(-1).zones["hand of A"] == 4
    assert match.view(0).zones["deck"] == 44


def test_a_secret_choice_is_told_without_its_card(game: Game) -> None:
    match = Match(game, seed=9).start()
    while match.state[m.FORKED]:
        waiting = match.waiting()[0]
        match.take(waiting, waiting.options[0])
    waiting = match.waiting()[0]
    step = match.take(waiting, waiting.options[0])
    assert step.open_text == "?"
    label = game.names.label(step.text)
    assert not any(label in line for line in story(match, 1, len(match.steps) - 1))


def test_being_asked_tells_nothing(game: Game) -> None:
    """Whoever could lay a card is asked to, whether or not the hidden hand holds one that can be paid."""
    from interpreter.position import Position

    asked = []
    for hand in (["nero"], ["templum"]):
        position = Position(game)
        position.set_pieces(position.place("hand of A"), hand, False)
        position.set_number("money of A", 2)
        match = Match(game)
        match.state = position.state
        match.run_from(position.stand_at("turn.actions", 0))
        asked.append([d.seat for d in match.decisions()])
    assert asked == [["A"], ["A"]]


def test_being_asked_for_nothing_is_spared_where_all_can_see_it() -> None:
    game = open_game("roll_through_the_ages", 2)
    names = {n.name for n in game.machine.nodes if isinstance(n, m.Offer | m.Decide) and n.asks}
    assert names == set()


@pytest.mark.parametrize(
    "rules",
    [
        "    let card = trap of opponent\n    needs card exists\n    needs card.cost < 2\n",
        "    let card = trap of opponent\n    needs card exists\n    pay card.cost gold\n",
        "    let card = trap of opponent\n    needs card exists\n"
        "    let cost = card.cost\n    needs cost < 2\n",
    ],
)
def test_a_refusal_tells_nothing_of_a_hidden_card(rules: str) -> None:
    from dsl.load import Folder, load
    from interpreter.compile.program import compile_rules

    yaml = (
        "game: traps\nseats: 2\nrules: [traps.rules]\n"
        "components: {card: {table: cards.csv, columns: {cost: 1..9}}}\n"
        "zones: {deck: {holds: card, order: shuffled, seen_by: nobody, start: all},"
        " trap: {holds: card, of: seat, size: 1, seen_by: owner}}\n"
        "counters: {gold: {of: seat, range: 0..9}}\n"
        "flow: {deal: {do: [deal], then: turn}, turn: {do: [{may keep doing: [act]}], then: fin},"
        " fin: {score: highest}}\n"
    )
    deal = "procedure deal\n    each seat in turn\n        move 1 from deck to trap of me\n\n"
    told = set()
    for costs in ("seven,7\nseven_too,7\n", "eight,8\neight_too,8\n"):
        files = {
            "game.yaml": yaml.encode(),
            "traps.rules": (deal + "action act\n" + rules).encode(),
            "cards.csv": ("card,cost\n" + costs).encode(),
        }
        made, _ = load(Folder("traps", files.__getitem__))
        match = Match(Game(made, compile_rules(made))).start()
        with pytest.raises(Fault) as caught:
            match.choose("A", "act")
        told.add(caught.value.mistake.message)
    assert len(told) == 1
    assert "7" not in told.pop()
