"""`python -m benchmarks.agree.showdowns`: our showdowns of hold'em, and those of an evaluator from PyPI.

Matches are played with many calls and many bets of everything, so that there are side pots. After each hand
the chips of all seats are compared with those that come of the same stakes and cards, by `phevaluator` and by
a division of the pots that is written here: chip by chip, from the smallest stake up.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import click
from phevaluator import evaluate_cards

from benchmarks.agree import ours
from benchmarks.agree.cards import RANKS
from interpreter.compile.program import compile_rules
from interpreter.executor_protocol import Option, Waiting
from interpreter.game import Game
from interpreter.match import Match
from rulewright.library import read_rules

SIGNS = dict(zip(RANKS, "23456789TJQKA", strict=True))
SHARES = {"call": 6, "fold": 1, "low": 2, "high": 1}


@dataclass
class Hand:
    """What is known of a hand while it is played: the cards of each seat, and those on the board."""

    cards: dict[int, list[str]]
    board: list[str] = field(default_factory=list)


@click.command()
@click.option("-n", "--showdowns", default=100_000, show_default=True)
@click.option("--seats", default=6, show_default=True)
@click.option("--seed", default=1, show_default=True)
def main(showdowns: int, seats: int, seed: int) -> None:
    """Compare so many showdowns, of as many matches as that takes."""
    rules, _ = read_rules("texas_holdem")
    game = Game(rules, compile_rules(rules, seats, {"stack": 40, "hands": 100}), "wasm")
    found = shared = matches = 0
    while found < showdowns:
        more, ties = compared(game, seed + matches)
        found, shared, matches = found + more, shared + ties, matches + 1
    click.echo(f"{found} showdowns of {matches} matches agree, {shared} of them with a shared pot")


def compared(game: Game, seed: int) -> tuple[int, int]:
    """The showdowns of a match, and those with a shared pot. Fails if the chips are not the same."""
    match, rng = ours.begun(game, seed), random.Random(seed)
    hand = dealt(match, ours.outcomes(match))
    found = shared = 0
    while not match.over:
        waiting = match.waiting()[0]
        option = chosen(match, waiting, rng)
        stakes, folded = after(match, waiting, option)
        before = [a + b for a, b in zip(numbers(match, "chips"), numbers(match, "staked"), strict=True)]
        played, button, since = (
            numbers(match, "played"),
            match.state[place(match, "button")],
            len(match.steps),
        )
        match.take(waiting, option)
        drawn = ours.outcomes(match, since)
        if folded:
            del hand.cards[waiting.seat]
        if not match.over and numbers(match, "played") == played:
            hand.board += drawn
            continue
        if numbers(match, "played")[0] - played[0] != (not match.over):
            break  # the blinds took the last chips, and another hand went by without a choice
        missing = 5 - len(hand.board) if len(hand.cards) > 1 else 0
        hand.board += drawn[:missing]
        expected, tied = settled(hand, stakes, before, button)
        assert chips_of(match) == expected, (seed, hand, stakes, chips_of(match), expected)
        found, shared = found + (len(hand.cards) > 1), shared + tied
        if not match.over:
            hand = dealt(match, drawn[missing:])
    return found, shared


def place(match: Match, name: str) -> int:
    return match.game.machine.variables[name].base


def numbers(match: Match, name: str) -> list[int]:
    variable = match.game.machine.variables[name]
    return list(match.state[variable.base : variable.base + variable.size])


def chips_of(match: Match) -> list[int]:
    """What each seat has, with what it has put in."""
    return [a + b for a, b in zip(numbers(match, "chips"), numbers(match, "staked"), strict=True)]


def dealt(match: Match, drawn: list[str]) -> Hand:
    """Two cards for each seat that has chips, from the small blind on."""
    left = chips_of(match)
    button, count = match.state[place(match, "button")], len(left)
    ring = [seat for i in range(count) if left[seat := (button + 1 + i) % count]]
    ring = ring[-1:] + ring[:-1] if len(ring) == 2 else ring
    assert len(drawn) == 2 * len(ring)
    return Hand({seat: drawn[2 * i : 2 * i + 2] for i, seat in enumerate(ring)})


def chosen(match: Match, waiting: Waiting, rng: random.Random) -> Option:
    few = (*waiting.options[:3], waiting.options[-1])
    words = {words_of(match, waiting, option): option for option in few}
    raises = [option for (first, *_), option in words.items() if first == "raise_by"]
    ways = {"call": words[("call",)], "fold": words.get(("fold",))}
    ways |= {"low": raises[0], "high": raises[-1]} if raises else {}
    open_ways = {name: option for name, option in ways.items() if option is not None}
    (name,) = rng.choices(list(open_ways), [SHARES[name] for name in open_ways])
    return open_ways[name]


def words_of(match: Match, waiting: Waiting, option: Option) -> tuple[str, ...]:
    return match.game.names.choice(match.game.machine.decision(waiting.node), option, waiting.what)


def after(match: Match, waiting: Waiting, option: Option) -> tuple[list[int], bool]:
    """The stakes behind a choice, and whether it is a fold."""
    stakes, seat = numbers(match, "staked"), waiting.seat
    word, *amount = words_of(match, waiting, option)
    if word == "fold":
        return stakes, True
    price = max(2, *stakes) + (int(amount[0]) if amount else 0)
    stakes[seat] = min(price, stakes[seat] + numbers(match, "chips")[seat])
    return stakes, False


def settled(hand: Hand, stakes: list[int], before: list[int], button: int) -> tuple[list[int], bool]:
    """The chips of all seats behind the hand, and whether a pot was shared."""
    chips = [a - b for a, b in zip(before, stakes, strict=True)]
    worth = {
        seat: strength(cards, hand.board) if len(hand.cards) > 1 else 0 for seat, cards in hand.cards.items()
    }
    count, tied, low = len(stakes), False, 0
    for high in sorted({stakes[seat] for seat in hand.cards}):
        pot = sum(max(0, min(stake, high) - low) for stake in stakes)
        rivals = sorted((seat for seat in hand.cards if stakes[seat] >= high), key=worth.__getitem__)
        winners = sorted(tie(rivals, worth), key=lambda seat: (seat - button - 1) % count)
        for chip in range(pot):
            chips[winners[chip % len(winners)]] += 1
        tied, low = tied or len(winners) > 1, high
    return chips, tied


def tie(rivals: list[int], worth: dict[int, int]) -> list[int]:
    return [seat for seat in rivals if worth[seat] == worth[rivals[0]]]


def strength(cards: list[str], board: list[str]) -> int:
    """The smaller the better."""
    return int(evaluate_cards(*map(sign, cards + board)))


def sign(card: str) -> str:
    suit, _, rank = card.rpartition("_")
    return SIGNS[rank] + suit[0]


if __name__ == "__main__":
    main()
