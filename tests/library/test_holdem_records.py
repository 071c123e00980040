"""Hands of hold'em without limit as records tell them, with blinds of 50 and 100, antes, and deep or unequal
stacks. What each seat has at the end is worked out by an account of its own."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations

import pytest

from interpreter.game import ExecutorKind
from interpreter.match import Match
from interpreter.sights import REFEREE
from rulewright.library import open_game

RANKS = "23456789TJQKA"
NAMES = [
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "jack",
    "queen",
    "king",
    "ace",
]
SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}


@dataclass(frozen=True)
class Record:
    """A hand: what each player puts in before, what each begins with, and what happens.

    Players begin with the small blind; of two it has the button. `cbr` says what has been put in by then in
    this round.
    """

    name: str
    antes: tuple[int, ...]
    blinds: tuple[int, int]
    stacks: tuple[int, ...]
    holes: str
    actions: str
    board: str = ""


HANDS = (
    Record(
        "the blinds are won", (0, 0, 0), (50, 100), (10_000,) * 3, "AcAd KcKd QcQd", "p3 cbr 300 p1 f p2 f"
    ),
    Record(
        "a bet on each street",
        (0,) * 4,
        (50, 100),
        (10_000,) * 4,
        "AcAd KcKd 7h2s QcQd",
        "p3 f p4 cbr 225 p1 cbr 937 p2 f p4 cc | p1 cbr 1337 p4 cc"
        " | p1 cc p4 cbr 2501 p1 cc | p1 cbr 5225 p4 cc",
        "2c 7d 9s Jh 3c",
    ),
    Record(
        "antes, and three are all in with unequal stacks",
        (10,) * 4,
        (50, 100),
        (10_000, 3_333, 777, 12_345),
        "KcKd AcAd QcQd JcJd",
        "p3 cbr 767 p4 cbr 12335 p1 f p2 cc",
        "2h 7s 9s Th 3c",
    ),
    Record(
        "a pot is shared, and the odd chip goes to the first after the button",
        (15,) * 3,
        (50, 100),
        (10_000, 8_001, 6_500),
        "AcKd AdKh QcQd",
        "p3 cbr 301 p1 cc p2 cc | p1 cbr 600 p2 cc p3 f | p1 cc p2 cc | p1 cc p2 cc",
        "As Kc 7h 8h 2c",
    ),
    Record(
        "an ante of the big blind for all",
        (0, 100, 0),
        (50, 100),
        (10_000,) * 3,
        "7c2d AhQd KcKd",
        "p3 cbr 250 p1 f p2 cc | p2 cc p3 cbr 333 p2 cbr 9650 p3 cc",
        "Qs 4c 4h 9d 9c",
    ),
    Record(
        "two players: the button has the small blind and speaks first",
        (0, 0),
        (50, 100),
        (1_000_000, 250_000),
        "AcKc 9d9h",
        "p1 cbr 275 p2 cbr 12345 p1 cbr 250000 p2 cc",
        "9s Kd Kh 2c 3d",
    ),
    Record(
        "a small stack that cannot pay its whole blind",
        (0,) * 3,
        (500, 1_000),
        (4_000_000, 300, 2_000_001),
        "3c4d AcAd KcKd",
        "p3 cbr 2500 p1 cbr 8000 p3 cbr 2000001 p1 cc",
        "Ah Kh 2s 9d 8c",
    ),
    Record(
        "a straight beats two pairs, and what was folded stays",
        (25,) * 6,
        (50, 100),
        (20_000, 30_000, 40_000, 50_000, 60_000, 70_000),
        "5c6d AsKs 8h8d 2c2d JhJs TcTd",
        "p3 cbr 300 p4 f p5 cc p6 f p1 cc p2 cc | p1 cc p2 cbr 700 p3 cc p5 cc p1 cc"
        " | p1 cbr 4321 p2 f p3 cc p5 f | p1 cbr 14654 p3 cc",
        "7s 9h Kd 8s Kh",
    ),
)


def strength(cards: tuple[str, ...]) -> tuple[object, ...]:
    """The best five of some cards, as a key."""
    return max(map(five, combinations(cards, 5)))


def five(cards: tuple[str, ...]) -> tuple[object, ...]:
    ranks = sorted((RANKS.index(card[0]) for card in cards), reverse=True)
    groups = sorted(Counter(ranks).items(), key=lambda one: (-one[1], -one[0]))
    shape = tuple(number for _, number in groups)
    run = len(groups) == 5 and ranks[0] - ranks[4] == 4
    low = ranks == [12, 3, 2, 1, 0]
    flush = len({card[1] for card in cards}) == 1
    top = 3 if low else ranks[0]
    if run or low:
        return (8 if flush else 4, top)
    kinds = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1, (1, 1, 1, 1, 1): 0}
    kind = 5 if flush else kinds[shape]
    return (kind, *(rank for rank, _ in groups))


def pairs(text: str) -> tuple[str, ...]:
    found = text.replace(" ", "")
    return tuple(found[i : i + 2] for i in range(0, len(found), 2))


def expected(hand: Record) -> list[int]:
    """What each player has at the end, by an account that knows nothing of the ruleset."""
    n = len(hand.stacks)
    left, put, dead = list(hand.stacks), [0] * n, 0
    of_all = len(set(hand.antes)) == 1
    before = [0] * n

    def pay(i: int, amount: int) -> int:
        paid = min(amount, left[i])
        left[i] -= paid
        return paid

    if of_all:
        for i, ante in enumerate(hand.antes):
            before[i] = pay(i, ante)
    for i, blind in enumerate(hand.blinds):
        put[i] += pay(i, blind)
    if not of_all:
        for i, ante in enumerate(hand.antes):
            dead += pay(i, ante)
    folded: set[int] = set()
    base, bet = 0, max(put)
    words = hand.actions.split()
    while words:
        if (player := words.pop(0)) == "|":
            base, bet = base + bet, 0
            continue
        i, action = int(player[1]) - 1, words.pop(0)
        if action == "f":
            folded.add(i)
        elif action == "cc":
            put[i] += pay(i, base + bet - put[i])
        else:
            bet = int(words.pop(0))
            put[i] += pay(i, base + bet - put[i])
    total = [a + b for a, b in zip(put, before, strict=True)]
    cards = [pairs(one) for one in hand.holes.split()]
    level, gained = 0, [0] * n
    for edge in sorted({total[i] for i in range(n) if i not in folded and total[i]}):
        pot = sum(max(0, min(t, edge) - level) for t in total) + dead
        dead = 0
        rivals = [i for i in range(n) if i not in folded and total[i] >= edge]
        if len(rivals) > 1:
            best = max(strength((*cards[i], *pairs(hand.board))) for i in rivals)
            rivals = [i for i in rivals if strength((*cards[i], *pairs(hand.board))) == best]
        if n == 2:
            rivals.sort(reverse=True)  # the other one comes first after the button
        for at, i in enumerate(rivals):
            gained[i] += pot // len(rivals) + (at < pot % len(rivals))
        level = edge
    top = max(total[i] for i in range(n) if i not in folded)
    assert all(t <= top for t in total)
    return [a + b for a, b in zip(left, gained, strict=True)]


def named(card: str) -> str:
    return f"{SUITS[card[1]]}_{NAMES[RANKS.index(card[0])]}"


def played(hand: Record, kind: ExecutorKind) -> tuple[Match, list[str]]:
    """The hand in a match, and the seats of the players in their order."""
    n = len(hand.stacks)
    of_all = len(set(hand.antes)) == 1
    options = {
        "stack": max(hand.stacks),
        "stacks": "own",
        "small_blind": hand.blinds[0],
        "big_blind": hand.blinds[1],
        "ante": max(hand.antes),
        "antes": "of_each" if of_all else "of_the_big_blind",
        "hands": 1,
    }
    game = open_game("texas_holdem", n, options, executor=kind)
    letters = [game.names.seat(i) for i in range(n)]
    seats = letters if n == 2 else [*letters[1:], letters[0]]
    deck = [named(card) for card in (*pairs(hand.holes.replace(" ", "")), *pairs(hand.board))]
    match = Match(game, 1, {"deck": list(deck)}).start()
    for seat in letters:
        match.choose(seat, str(hand.stacks[seats.index(seat)]))
    staked = match.view(REFEREE).counters
    base, bet = 0, max(staked[f"staked of {seat}"] for seat in letters)
    words = hand.actions.split()
    while words:
        if (player := words.pop(0)) == "|":
            base, bet = base + bet, 0
            continue
        seat, action = seats[int(player[1]) - 1], words.pop(0)
        if action == "cbr":
            to = int(words.pop(0))
            match.choose(seat, f"raise_by {to - bet}")
            bet = to
        else:
            match.choose(seat, {"f": "fold", "cc": "call"}[action])
    return match, seats


@pytest.mark.parametrize("hand", HANDS, ids=lambda hand: hand.name)
def test_a_hand_ends_as_its_account_says(hand: Record) -> None:
    wanted = expected(hand)
    assert sum(wanted) == sum(hand.stacks)
    for kind in ("reference", "wasm"):
        match, seats = played(hand, kind)  # type: ignore[arg-type]
        assert match.over
        counters = match.view(REFEREE).counters
        assert [counters[f"chips of {seat}"] for seat in seats] == wanted


def test_the_account_is_right_where_it_was_worked_out_by_hand() -> None:
    found = {hand.name: expected(hand) for hand in HANDS}
    assert found["the blinds are won"] == [9_950, 9_900, 10_150]
    assert found["antes, and three are all in with unequal stacks"] == [9_940, 7_503, 0, 9_012]
    assert found["two players: the button has the small blind and speaks first"] == [750_000, 500_000]
