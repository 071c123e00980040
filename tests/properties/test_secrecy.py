"""Two positions that a seat cannot tell apart look the same to it in every way."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from dsl import rules as r
from dsl.load import Folder, load
from interpreter import ir, redacted_log as stories, sights, undo
from interpreter.compile.program import compile_rules
from interpreter.compile.secret_reads import SecretReads, Whose
from interpreter.event_rows import EventRows
from interpreter.events import Branched, Moved, Told
from interpreter.game import Game, MatchStep
from interpreter.match import Match
from interpreter.messages import Fault
from interpreter.position import Position
from interpreter.redacted_log import notated
from interpreter.sights import REFEREE
from interpreter.views import Views
from interpreter.wasm.host import reader, words as host
from interpreter.wasm.host.codes import SECRETLY
from tests.games import Table, few, game_of, named, sample, tables
from tests.properties import secrets
from tests.properties.shown import briefly, everything, now_and_then
from validators.secrecy.noninterference import Leak, leaks


def looks(game: Game) -> int:
    """How many matches are looked at: the fewer, the more seats look and the more a position holds."""
    return min(6 // max(2, game.machine.seats), max(1, 3000 // game.machine.size))


def first_leak(game: Game, seeds: int = 12, steps: int = 60) -> Leak | None:
    return next((leak for seed in range(seeds) for leak in leaks(game, seed, steps)), None)


# --- the law --------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", sample(tables(), few()), ids=named)
def test_bundled_games_keep_their_secrets(table: Table) -> None:
    for seed in range(looks(game_of(*table))):
        assert [str(leak) for leak in leaks(game_of(*table), seed, 25)] == []


@pytest.mark.long
@pytest.mark.parametrize("table", tables(), ids=named)
def test_bundled_games_keep_their_secrets_for_long(table: Table) -> None:
    for seed in range(100, 160):
        assert [str(leak) for leak in leaks(game_of(*table), seed, 250)] == []


@pytest.mark.parametrize("seats", [2, 3])
def test_every_kind_of_secret_is_kept(seats: int) -> None:
    for seed in range(2):
        assert [str(leak) for leak in leaks(secrets.game(seats=seats), seed, 40)] == []


@pytest.mark.parametrize("seed", sample(range(10), [0]))
@pytest.mark.parametrize("seats", [2, 3])
def test_what_is_shown_of_a_match_tells_no_more(seats: int, seed: int) -> None:
    """The table and the replay, for people and for programs."""
    found = leaks(secrets.game(seats=seats), seed, 30 if seed else 12, extra=everything)
    assert [str(leak) for leak in found] == []


@pytest.mark.parametrize("table", few(), ids=named)
def test_what_is_shown_of_a_bundled_game_tells_no_more(table: Table) -> None:
    game = game_of(*table)
    often, seldom = now_and_then(briefly, 9), now_and_then(everything, 23)
    found = leaks(game, 1, 24, extra=lambda match, watcher: (often(match, watcher), seldom(match, watcher)))
    assert [str(leak) for leak in found] == []


@pytest.mark.long
@pytest.mark.parametrize("table", tables(), ids=named)
def test_what_is_shown_of_a_bundled_game_tells_no_more_for_long(table: Table) -> None:
    for seed in range(200, 210):
        shows = everything if seed % 5 == 0 else briefly
        assert [str(leak) for leak in leaks(game_of(*table), seed, 100, extra=shows)] == []


# --- its teeth: rules -----------------------------------------------------------------------------


HIDDEN = "hand of next_seat"
TELLING = {
    "a guard reads a hidden hand": f"""
action more
    needs count(card in {HIDDEN} where card.cost > 3) > 0
    gain 1 coins
""",
    "values are offered up to a hidden sum": f"""
action more
    choose number from 0..9 where number <= sum(card.cost for card in {HIDDEN})
    gain 1 coins
""",
    "a counter is written from a hidden hand": """
action more
    told of me = sum(card.cost for card in hand of me)
""",
    "a trigger notes a hidden hand": """
action more
    gain 1 coins
when count(card in hand of seat where card.cost > 4) is 2
    set hot of seat
""",
    "a guard reads a number that nobody knows": """
action more
    needs size(stash of next_seat) > 0
    gain 1 coins
""",
    "a hidden die pays": """
action more
    if any(die in cup of next_seat where die.face is 6)
        gain 1 coins
""",
    "a hidden card pays later": """
action more(card from hand of me)
    let cost = card.cost
    next_seat chooses number from 0..1
    gain cost + number coins
""",
    "a hidden hand ends the game": f"""
action more
    if sum(card.cost for card in {HIDDEN}) > 12
        end game
    else
        gain 1 coins
""",
    "a guard reads a hidden counter": """
action more
    needs purse of next_seat > 3
    gain 1 coins
""",
    "a guard reads one's own pointer, which others see": """
action more
    needs aim of me is sun
    gain 1 coins
""",
    "a payment reads a counter that nobody sees": """
action more
    pay 1 omen
""",
    "a hidden counter is laid into an open one": """
action more
    told of me = purse of me
""",
    "a number that was chosen secretly pays": """
action more
    choose number from 0..5 secretly
    gain number coins
""",
    "who declines secretly is told": """
action more
    may choose number from 0..5 secretly
        gain 1 coins
""",
    "a secret choice says who is asked": """
action more
    choose number from 0..5 secretly
    if number > 2
        next_seat chooses other from 0..1
""",
    "what one seat is shown is told to all": """
action more
    show purse of next_seat to me
    told of me = purse of next_seat
""",
    "what was shown has changed since": """
action more
    show purse of me to all
    purse of me = sum(die.face for die in cup of me) mod 7
    told of me = purse of me
""",
    "a hidden mark is told by a move": """
action more
    if any(spot where sly of next_seat at spot)
        move 1 from deck to discard
    else
        gain 1 coins
""",
    "others' token pays its owner": """
action more
    if any(token in crown of me where token.mark is sun)
        gain 1 coins
    else
        omen += 1
""",
    "what lies below the top pays": """
action more
    needs size(heap) > 1
    if any(token in heap where token.mark is sun)
        gain 1 coins
""",
    "a hidden card says who is asked": f"""
action more
    if any(card in {HIDDEN} where card.cost is 2)
        next_seat chooses number from 0..1
    else
        choose number from 0..1
    gain 1 coins
""",
}


@pytest.mark.parametrize("rules", TELLING.values(), ids=TELLING)
def test_rules_that_tell_a_secret_are_found(rules: str) -> None:
    assert first_leak(secrets.game(rules, actions=("more",))) is not None


def test_what_a_step_shows_openly_may_have_consequences() -> None:
    """A card that is laid open pays what it costs, before and after it is moved."""
    rules = """
action more(card from hand of me)
    gain card.cost coins
    move card to discard
    told of me = card.cost
"""
    assert first_leak(secrets.game(rules, actions=("more",)), 2, 40) is None


OWN_THINGS = """
value worth(seat) = sum(card.cost for card in hand of seat)
action more
    let mine = worth(me) + size(hand of next_seat)
    needs mine > 30 or purse of me > 8
    gain 1 coins
action dear(number where number <= worth(me))
    capped(number, worth(me) - number)
procedure capped(number: 0..9, rest: 0..60)
    needs rest > number
    pay 5 purse
"""


def test_a_refusal_may_tell_a_seat_what_it_holds_itself() -> None:
    rules = OWN_THINGS.replace("action dear(number where", "action dear(number: 0..9 where")
    game = secrets.game(rules, actions=("more", "dear"))
    assert first_leak(game, 2, 40) is None
    match = Match(game, seed=2).start()
    while match.state[ir.FORKED]:
        waiting = match.waiting()[0]
        match.take(waiting, waiting.options[0])
    waiting = match.waiting()[0]
    told = game.refusals.explain(match.state[:], waiting, "more", waiting.seat)
    assert told.facts
    other = game.refusals.explain(match.state[:], waiting, "more", 1 - waiting.seat)
    assert (other.text, other.facts) == ("it is not allowed now", ())


def test_a_step_may_tell_on_purpose() -> None:
    """That somebody is told something by a duel of hidden cards is for the author to say."""
    rules = TELLING["a hidden die pays"]
    game = secrets.game(rules, actions=("more",))
    found = [leak for seed in range(2) for leak in leaks(game, seed, 40, meant=("more",))]
    assert [str(leak) for leak in found] == []


def test_a_leak_says_where_it_is() -> None:
    leak = first_leak(secrets.game(TELLING["a counter is written from a hidden hand"], actions=("more",)))
    assert leak is not None
    assert leak.what.startswith("the view of told of ")
    assert leak.one != leak.other
    assert any("more" in line for line in leak.log)
    assert leak.decision
    assert leak.seat in ("A", "B", "the spectator")


DEALT = """\
game: demo
seats: 2
rules: [demo.rules]
types: {rank: 1..6}
components: {card: {kinds: rank, count: 4}}
zones:
  deck: {holds: card, order: ORDER, seen_by: nobody, start: all}
  mine: {holds: card, of: seat, seen_by: owner}
  heap: {holds: card, seen_by: all}
counters: {coins: {of: seat, range: 0..50}}
flow:
  set_up: {do: [deal], then: turn}
  turn: {seat: rotates, do: [{do one of: [lay]}], then: {over: final, otherwise: turn}}
  final: {score: highest}
"""
DEALING = """\
value over = size(heap) is 4
score coins = coins of me
action lay(card from mine of me)
    move card to heap
procedure deal
    shuffle deck
    for seat
        move 3 from deck to mine of seat
    move 1 from deck to heap
"""
FIRST_HAND = """\
when any(card in mine of A where card.rank > 5)
    B gains 1 coins
"""


def dealt(order: str, rules: str) -> Game:
    texts = {"game.yaml": DEALT.replace("ORDER", order), "demo.rules": rules}
    rules_of, _ = load(Folder("demo", lambda inner: texts[inner].encode()))
    return Game(rules_of, compile_rules(rules_of))


@pytest.mark.parametrize("order", ["shuffled", "pile"])
def test_the_set_up_may_tell_a_secret(order: str) -> None:
    leak = first_leak(dealt(order, DEALING + FIRST_HAND), steps=0)
    assert leak is not None
    assert (leak.about, leak.what) == ("set_up", "the view of coins of B")
    assert leak.way == ()
    assert any(address == "mine of A" for address, _, _ in leak.hidden)


@pytest.mark.parametrize("order", ["shuffled", "pile"])
def test_cards_that_are_dealt_tell_nothing(order: str) -> None:
    assert first_leak(dealt(order, DEALING), steps=8) is None


FROM_BOTH_ENDS = """\
value over = size(heap) is 12
score coins = coins of me
action low
    draw card from bottom of deck to heap
    gain card.rank coins
action high
    draw card from deck to heap
    gain card.rank coins
action bury
    move 1 from bottom of deck to mine of me
procedure deal
    SHUFFLED
"""


@pytest.mark.parametrize("first", ["shuffle deck", "nothing"])
def test_what_is_drawn_openly_from_either_end_tells_nothing(first: str) -> None:
    """Equal pieces at both ends of a pile are not the same piece."""
    yaml = DEALT.replace("seen_by: nobody, start", "seen_by: count, start").replace("ORDER", "pile")
    texts = {
        "game.yaml": yaml.replace("do one of: [lay]", "do one of: [low, high, bury]"),
        "demo.rules": FROM_BOTH_ENDS.replace("SHUFFLED", first),
    }
    rules_of, _ = load(Folder("demo", lambda inner: texts[inner].encode()))
    assert first_leak(Game(rules_of, compile_rules(rules_of)), steps=8) is None


PIT = """\
game: demo
seats: 2
rules: [demo.rules]
types: {rank: 1..3}
components: {card: {kinds: rank, count: 2}}
zones:
  deck: {holds: card, order: shuffled, seen_by: nobody, start: all}
  stash: {holds: card, of: seat, seen_by: nobody}
  cellar: {holds: card, of: seat, seen_by: nobody}
flow:
  turn: {seat: rotates, do: [{do one of: [hide, peek, away]}], then: turn}
  final: {score: none}
"""
LOOKS_INTO_IT = """\
action hide
    move up to 1 from deck to stash of me
action peek(seat from opponents)
    show stash of seat to me
action away
    move all from stash of me to cellar of me
"""


def test_who_is_shown_nothing_has_seen_that_nothing_is_there() -> None:
    texts = {"game.yaml": PIT, "demo.rules": LOOKS_INTO_IT}
    rules_of, _ = load(Folder("demo", lambda inner: texts[inner].encode()))
    assert first_leak(Game(rules_of, compile_rules(rules_of)), 6, 25) is None


# --- its teeth: the referee -----------------------------------------------------------------------


def refused_with_numbers(monkeypatch: pytest.MonkeyPatch) -> Game:
    monkeypatch.setattr(reader.HostFunctions, "knows", lambda *of: True)
    return secrets.game(
        f"\naction more\n    needs sum(card.cost for card in {HIDDEN}) > 99\n    gain 1 coins\n",
        actions=("more",),
    )


def game_with(monkeypatch: pytest.MonkeyPatch, change: Callable[[list[int], ir.Machine], None]) -> Game:
    """A game whose table of the host is another one."""

    def words(machine: ir.Machine, rules: r.Rules) -> list[int]:
        change(table := host.host_words(machine, rules), machine)
        return table

    monkeypatch.setattr(reader, "host_words", words)
    return secrets.game()


def rows(table: list[int], of_places: bool = True) -> Iterator[int]:
    """Where the rows of places, or of words, begin."""
    end = host.HEAD + host.PLACE_ROW * table[host.PLACES]
    return iter(range(host.HEAD, end, host.PLACE_ROW) if of_places else range(end, len(table), host.WORD_ROW))


def shown_to_all(monkeypatch: pytest.MonkeyPatch) -> Game:
    def change(table: list[int], machine: ir.Machine) -> None:
        for at in rows(table):
            table[at + host.SEEN] = -1

    return game_with(monkeypatch, change)


def told_with_the_card(monkeypatch: pytest.MonkeyPatch) -> Game:
    tell = reader.HostFunctions.tell
    monkeypatch.setattr(
        reader.HostFunctions, "tell", lambda self, told, viewer, held: tell(self, told, REFEREE, held)
    )
    return secrets.game()


def chosen_in_the_open(monkeypatch: pytest.MonkeyPatch) -> Game:
    hides = reader.HostFunctions.hides
    monkeypatch.setattr(reader.HostFunctions, "hides", lambda *of: hides(*of[:-1], ()))
    return secrets.game()


def told_too_early(monkeypatch: pytest.MonkeyPatch) -> Game:
    def step_rows(game: Game, step: MatchStep, *of: int) -> array[int]:
        events = tuple(event for event in step.events if not isinstance(event, Branched))
        return honest(game, replace(step, branch="", events=events), *of)

    honest = stories.step_rows
    monkeypatch.setattr(stories, "step_rows", step_rows)
    return secrets.game()


def seen_too_early(monkeypatch: pytest.MonkeyPatch) -> Game:
    def change(table: list[int], machine: ir.Machine) -> None:
        table[host.SAVED] = table[host.SAVED_FROM]

    return game_with(monkeypatch, change)


def taken_for_a_seat(monkeypatch: pytest.MonkeyPatch) -> Game:
    def change(table: list[int], machine: ir.Machine) -> None:
        for at, place in zip(rows(table), machine.places, strict=True):
            table[at + host.OWNER] = host.NOBODY if place.of is None else place.of

    return game_with(monkeypatch, change)


def moves_nobody_counts(monkeypatch: pytest.MonkeyPatch) -> Game:
    def change(table: list[int], machine: ir.Machine) -> None:
        for at in rows(table):
            table[at + host.COUNTED] = -1

    return game_with(monkeypatch, change)


def seen_below_the_top(monkeypatch: pytest.MonkeyPatch) -> Game:
    def pieces(self: Views, s: Any, seat: int) -> list[list[int] | int | None]:
        lying = self._readers[place](s, [])
        return [
            [ref % 4 for ref, _ in lying] if i == place else x for i, x in enumerate(honest(self, s, seat))
        ]

    honest, game = Views.pieces, secrets.game()
    place = game.views.tops[0]
    monkeypatch.setattr(Views, "pieces", pieces)
    return game


def undone_by_what_lies_hidden(monkeypatch: pytest.MonkeyPatch) -> Game:
    """As if a card that is moved unseen taught something only if it is a dear one."""

    def reveals(self: undo.HistoryEntry) -> str:
        moved = [e for s in self.steps for e in s.events if isinstance(e, Moved)]
        return undo.UndoReason.UNCOVERED if any(e.class_ > 2 for e in moved) else None

    monkeypatch.setattr(undo.HistoryEntry, "reveals", reveals)
    return secrets.game("\naction more\n    move 1 from deck to stash of me\n", actions=("more",))


def values_seen_by_all(monkeypatch: pytest.MonkeyPatch) -> Game:
    def change(table: list[int], machine: ir.Machine) -> None:
        for at in rows(table, of_places=False):
            table[at + host.READERS] = -1

    return game_with(monkeypatch, change)


def spectators_are_others(monkeypatch: pytest.MonkeyPatch) -> Game:
    reaches = sights.reaches
    monkeypatch.setattr(sights, "reaches", lambda *of: of[0] == "others" or reaches(*of))
    return secrets.game()


def payments_with_numbers(monkeypatch: pytest.MonkeyPatch) -> Game:
    monkeypatch.setattr(reader.HostFunctions, "knows", lambda *of: True)
    return secrets.game("\naction more\n    pay 99 omen\n", actions=("more",))


def hands_of_others_taken_for_ones_own(monkeypatch: pytest.MonkeyPatch) -> Game:
    monkeypatch.setattr(Whose, "mine", lambda self, of: True)
    worth = "value worth(seat) = sum(card.cost for card in hand of seat)\n"
    return secrets.game(
        f"\n{worth}action more\n    needs worth(next_seat) > 99\n    gain 1 coins\n", actions=("more",)
    )


def arguments_are_never_secret(monkeypatch: pytest.MonkeyPatch) -> Game:
    monkeypatch.setattr(SecretReads, "_given", lambda *of: iter(()))
    asked = "procedure asked(rest: 0..99)\n    needs rest > 98\n"
    return secrets.game(
        f"\n{asked}action more\n    asked(sum(card.cost for card in {HIDDEN}))\n    gain 1 coins\n",
        actions=("more",),
    )


def values_told_to_all(monkeypatch: pytest.MonkeyPatch) -> Game:
    write = EventRows.write
    monkeypatch.setattr(
        EventRows,
        "write",
        lambda self, events: write(self, [replace(e, seat=-1) if isinstance(e, Told) else e for e in events]),
    )
    return secrets.game()


def secrets_said_aloud(monkeypatch: pytest.MonkeyPatch) -> Game:
    hides = reader.HostFunctions.hides
    aloud = lambda *of: hides(*of[:4], of[4] & ~SECRETLY, of[5])  # noqa: E731
    monkeypatch.setattr(reader.HostFunctions, "hides", aloud)
    return secrets.game()


MUTANTS = [
    seen_below_the_top,
    hands_of_others_taken_for_ones_own, arguments_are_never_secret,
    secrets_said_aloud,
    values_told_to_all,
    values_seen_by_all, spectators_are_others, payments_with_numbers,
    refused_with_numbers, shown_to_all, told_with_the_card, chosen_in_the_open, told_too_early,
    seen_too_early, taken_for_a_seat, moves_nobody_counts, undone_by_what_lies_hidden,
]  # fmt: skip


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_referee_that_tells_a_secret_is_found(mutant: object, monkeypatch: pytest.MonkeyPatch) -> None:
    assert callable(mutant)
    assert first_leak(mutant(monkeypatch)) is not None


# --- single secrets -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def game() -> Game:
    return game_of("roma", 2)


def test_the_exchange_is_hidden_until_both_have_chosen(game: Game) -> None:
    match = Match(game, seed=4).start()
    before = match.view(1)
    first = next(d for d in match.decisions() if d.seat == "A")
    match.take(first.waiting, first.choices[0].option)
    assert match.view(1).zones == before.zones
    assert match.view(0).zones["gift of A"] == [first.choices[0].text]
    assert not any(first.choices[0].label in line for line in notated(match, 1))


def test_a_hand_is_shown_to_its_owner_only(game: Game) -> None:
    match = Match(game, seed=4).start()
    assert isinstance(match.view(0).zones["hand of A"], list)
    assert match.view(1).zones["hand of A"] == 4
    assert match.view(-1).zones["hand of A"] == 4
    assert match.view(0).zones["deck"] == 44


def test_a_secret_choice_is_told_without_its_card(game: Game) -> None:
    match = Match(game, seed=9).start()
    while match.state[ir.FORKED]:
        waiting = match.waiting()[0]
        match.take(waiting, waiting.options[0])
    waiting = match.waiting()[0]
    step = match.take(waiting, waiting.options[0])
    assert step.open_text == "?"
    label = game.names.label(step.text)
    assert not any(label in line for line in notated(match, 1, len(match.steps) - 1))


def test_being_asked_tells_nothing(game: Game) -> None:
    """Whoever could lay a card is asked to, whether or not the hidden hand holds one that can be paid."""
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
    game = game_of("roll_through_the_ages", 2)
    names = {n.name for n in game.machine.nodes if isinstance(n, ir.Offer | ir.Decide) and n.asks}
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
        told.add(caught.value.diagnostic.message)
    assert len(told) == 1
    assert "7" not in told.pop()


def test_what_nobody_can_count_is_not_told() -> None:
    """Cards that go from one unseen heap to another are told to nobody, as the view shows neither."""
    match = Match(secrets.game(), seed=1).start()
    decide(match, "bury")
    match.choose("A", "sink")
    for seat in (-1, 0, 1):
        assert notated(match, seat)[-1] == "A: sink"
        assert match.view(seat).zones["cellar"] is None
    assert "stash of A -> cellar" in notated(match, -2)[-1]


def decide(match: Match, first: str) -> None:
    """Plays to the first choice of an action that begins so, and makes it."""
    while match.state[ir.FORKED]:
        waiting = match.waiting()[0]
        match.take(waiting, waiting.options[0])
    choices = match.decisions()[0].choices
    match.choose("A", next(c.text for c in choices if c.text.startswith(first)))


def test_throws_of_others_are_told_when_all_have_finished() -> None:
    """Who acts at the same time sees its own dice at once, and the others' with the board."""
    match = Match(secrets.game(), seed=1).start()
    thrown = [step for step in match.steps if step.stream == "pip"]
    assert [step.branch for step in thrown] == ["A", "B"]
    assert [line for line in notated(match, 0) if "pip" in line] == [f"pip shows {thrown[0].text}"]
    assert not any("pip" in line for line in notated(match, -1))
    decide(match, "pass")
    assert sum("pip" in line for line in notated(match, -1)) == 4


def test_what_belongs_to_no_seat_is_as_before_while_all_choose() -> None:
    """The shelf at 1 is not the seat that has the number 1."""
    match = Match(secrets.game(), seed=1).start()
    while next(w for w in match.waiting() if w.seat == 0).options[0][1] > 10 or len(match.history) < 2:
        waiting = next(w for w in match.waiting() if w.seat == 0)
        match.take(waiting, waiting.options[0])
    match.choose("A", "1")
    assert match.state[ir.FORKED]
    assert match.view(1).zones["shelf of 1"] == []
