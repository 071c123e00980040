"""Gin rummy: OpenSpiel's deals one after the other, each begun by the other seat."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from benchmarks.agree import ours
from benchmarks.agree.cards import RANKS, one_by_one
from benchmarks.agree.comparison import Uncovered
from benchmarks.agree.pairing import PASS, Key, Pairing
from benchmarks.agree.series import Series
from interpreter.match import Match
from rulewright.library import find

ORDER = ("ace", *RANKS[:-1])
SUITS = ("spades", "clubs", "diamonds", "hearts")
CARD = re.compile(r"([A23456789TJQK])([scdh])")
KNOCK_CARD = 10
UPCARD, STOCK, NOTHING, KNOCK, MELD = 52, 53, 54, 55, 56
ACTIONS = {"take_upcard": UPCARD, "draw_stock": STOCK, "knock": KNOCK, "knock_with_upcard": KNOCK}

with (find("gin_rummy") / "melds.csv").open(encoding="utf-8") as file:
    MELDS = {row[0]: frozenset(filter(None, row[2:7])) for row in csv.reader(file)}


@dataclass
class Deal:
    """A deal of theirs in which a run goes on as far as cards fit: they offer two cards at each end.

    They count what eleven cards leave from the melds that are worth most, and then leave out the highest
    other card. Of ten cards they count it well.
    """

    deal: Any
    utils: Any

    def __getattr__(self, name: str) -> Any:
        return getattr(self.deal, name)

    def __str__(self) -> str:
        return str(self.deal)

    def legal_actions(self) -> list[int]:
        offered: list[int] = self.deal.legal_actions()
        phase = self.deal.current_phase().name
        if phase in ("DISCARD", "WALL") and KNOCK not in offered and self.least() <= KNOCK_CARD:
            raise Uncovered("OpenSpiel does not see that this hand may knock")
        layoff = phase == "LAYOFF" and not self.deal.finished_layoffs()
        return sorted({*offered, *self.next_in_runs()}) if layoff else offered

    def least(self) -> int:
        """What ten of the eleven cards leave at least."""
        cards = list(self.deal.hands()[self.deal.current_player()])
        if self.deal.current_phase().name == "WALL":
            cards.append(self.deal.upcard())
        tens = ([card for card in cards if card != left] for left in cards)
        return min(int(self.utils.min_deadwood(ten)) for ten in tens)

    def next_in_runs(self) -> Iterator[int]:
        player = self.deal.current_player()
        hand, laid_off = self.deal.hands()[player], self.deal.layoffs()
        for meld in self.deal.layed_melds()[1 - player]:
            cards = their_meld(self, MELD + meld)
            low, high = min(cards), max(cards)
            if low // 13 != high // 13:
                continue
            for card in laid_off:
                low, high = low - (card == low - 1), high + (card == high + 1)
            yield from (card for card in (low - 1, high + 1) if card // 13 == low // 13 and card in hand)


def series(goal: int, deals: int) -> Callable[[], Series]:
    def made() -> Series:
        import pyspiel

        game, utils = pyspiel.load_game("gin_rummy"), pyspiel.gin_rummy.GinRummyUtils(13, 4, 10)
        return Series(
            2,
            lambda *_: Deal(game.new_initial_state(), utils),
            lambda totals, number: number == deals or max(totals) >= goal,
            counted=lambda deal: tuple(max(0.0, n) for n in deal.returns()),
            shift=lambda deal: deal % 2,
        )

    return made


def number(word: str) -> int:
    suit, _, rank = word.rpartition("_")
    return SUITS.index(suit) * 13 + ORDER.index(rank)


def key(_: Match, path: ours.Path) -> Key:
    """What is drawn, the numbers of the cards of a meld, or that of a card."""
    word = path.words[0][-1]
    if word == "pass":
        return PASS
    if word in MELDS:
        return frozenset(map(number, MELDS[word]))
    return ACTIONS[word] if word in ACTIONS else number(word)


def their_key(state: Any, action: int) -> Key:
    """Drawing from the stock because nobody takes the first card is no choice with us."""
    if action == NOTHING or state.legal_actions() == [STOCK]:
        return PASS
    if action < MELD:
        return action
    return their_meld(state, action)


def their_meld(state: Any, action: int) -> frozenset[int]:
    cards = CARD.findall(state.action_to_string(state.current_player(), action).rpartition(" ")[2])
    return frozenset("scdh".index(suit) * 13 + "A23456789TJQK".index(rank) for rank, suit in cards)


def knocking(keys: list[Key]) -> list[Key]:
    """To knock; else to discard a card that fits the fewest others."""
    if KNOCK in keys:
        return [KNOCK]
    cards = [key for key in keys if isinstance(key, int) and key < UPCARD]
    fitting = {card: sum(fits(card, other) for other in cards) for card in cards}
    fewest = min(fitting.values(), default=0)
    return [card for card in cards if fitting[card] == fewest] if len(cards) > 1 else keys


def fits(card: int, other: int) -> bool:
    """Whether two cards are of one rank, or neighbours in their suit."""
    near = card // 13 == other // 13 and abs(card - other) == 1
    return near or (card != other and card % 13 == other % 13)


def gin_rummy(goal: int, deals: int, steer: Callable[[list[Key]], list[Key]]) -> Pairing:
    return Pairing(
        series(goal, deals),
        key,
        their_key,
        lambda _, outcomes: number(outcomes.pop(0)),
        ours.by_scores,
        one_by_one,
        ruleset="gin_rummy",
        options={"goal": goal, "most_deals": deals, "put_back": "true", "ties_undercut": "false"},
        steer=steer,
    )


GIN = {
    "gin_rummy": gin_rummy(goal=100, deals=12, steer=knocking),
    "gin_rummy_aimless": gin_rummy(goal=100, deals=2, steer=list),
}
