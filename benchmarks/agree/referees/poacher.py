"""Poacher, as its rulebook tells it."""

from __future__ import annotations

from dataclasses import dataclass, field

from benchmarks.agree.referees.stops import Ask, Draw, End, Play

SUITS = ["bells", "hearts", "clovers", "acorns"]
RANKS = ["seven", "eight", "nine", "under", "over", "king", "ten", "ace"]
POINTS = {"ace": 11, "ten": 10, "king": 4, "over": 3, "under": 2}
CONTRACTS = {
    "sixty": (60, 1),
    "seventy": (70, 2),
    "empty_bag": (0, 3),
    "eighty": (80, 4),
    "ninety": (90, 6),
    "hundred": (100, 8),
    "all_tricks": (120, 10),
}
LADDER = list(CONTRACTS)


@dataclass
class Deal:
    """One deal: the seats from the dealer's left neighbour on, and what they hold."""

    order: list[str]
    hands: dict[str, list[str]] = field(default_factory=dict)
    contract: str = ""
    poacher: str = ""
    trump: str = ""
    bag: list[str] = field(default_factory=list)
    taken: dict[str, list[str]] = field(default_factory=dict)


def play(seats: list[str]) -> Play:
    purses = dict.fromkeys(seats, 0)
    dealer = seats.index((yield Draw(seats)))
    for _ in range(6):
        dealer = (dealer + 1) % 3
        deal = Deal([seats[(dealer + i) % 3] for i in (1, 2, 3)])
        pack = [f"{suit}_{rank}" for suit in SUITS for rank in RANKS]
        for seat in deal.order:
            deal.hands[seat] = []
            for _ in range(10):
                card = yield Draw(pack)
                pack.remove(card)
                deal.hands[seat].append(card)
        yield from auction(deal)
        if deal.poacher:
            deal.hands[deal.poacher] += pack
            yield from prepare(deal)
            yield from tricks(deal)
            worth = CONTRACTS[deal.contract][1] * (1 if made(deal) else -1)
            for seat in seats:
                purses[seat] += 2 * worth if seat == deal.poacher else -worth
    return End([seat for seat in seats if purses[seat] == max(purses.values())], purses)


def auction(deal: Deal) -> Play:
    still = list(deal.order)
    while True:
        for seat in deal.order:
            if (len(still) == 1 and deal.poacher) or not still:
                return None
            if seat not in still:
                continue
            higher = LADDER[LADDER.index(deal.contract) + 1 :] if deal.contract else LADDER
            word = (yield Ask(seat, [*higher, "pass"])) if higher else "pass"
            if word == "pass":
                still.remove(seat)
            else:
                deal.contract, deal.poacher = word, seat


def prepare(deal: Deal) -> Play:
    hand = deal.hands[deal.poacher]
    for _ in range(2):
        card = yield Ask(deal.poacher, hand)
        hand.remove(card)
        deal.bag.append(card)
    if deal.contract != "empty_bag":
        deal.trump = yield Ask(deal.poacher, SUITS)
    return None


def colour(deal: Deal, card: str) -> str:
    suit, rank = card.split("_")
    return "trump" if deal.trump and (suit == deal.trump or rank == "under") else suit


def strength(deal: Deal, card: str, led: str) -> tuple[int, int, int]:
    suit, rank = card.split("_")
    mine = colour(deal, card)
    if mine == "trump":
        return (2, SUITS.index(suit) + 1 if rank == "under" else 0, RANKS.index(rank))
    return (int(mine == led), 0, RANKS.index(rank))


def tricks(deal: Deal) -> Play:
    deal.taken = {seat: [] for seat in deal.order}
    leader = 0
    for _ in range(10):
        led, trick = "", {}
        for i in range(3):
            seat = deal.order[(leader + i) % 3]
            hand = deal.hands[seat]
            fitting = [card for card in hand if colour(deal, card) == led]
            card = yield Ask(seat, fitting or hand)
            hand.remove(card)
            trick[seat] = card
            led = led or colour(deal, card)
        best = max(trick, key=lambda seat: strength(deal, trick[seat], led))
        deal.taken[best] += trick.values()
        leader = deal.order.index(best)
        if deal.contract == "empty_bag" and best == deal.poacher:
            break
    return None


def made(deal: Deal) -> bool:
    if deal.contract == "empty_bag":
        return not deal.taken[deal.poacher]
    if deal.contract == "all_tricks":
        return not any(cards for seat, cards in deal.taken.items() if seat != deal.poacher)
    points = sum(POINTS.get(card.split("_")[1], 0) for card in deal.taken[deal.poacher] + deal.bag)
    return points >= CONTRACTS[deal.contract][0]
