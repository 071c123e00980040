"""Saltmarsh, as its rulebook tells it."""

from __future__ import annotations

from collections import Counter

from benchmarks.agree.referees.stops import Ask, Draw, End, Play

GOODS = ["wood", "salt", "fish", "coin"]
ROOM = {
    "dunes": 99,
    "shoal": 2,
    "forest": 2,
    "reed_cutter": 1,
    "pan": 1,
    "second_pan": 1,
    "market": 2,
    "barter": 1,
    "cottage": 1,
    "belfry": 1,
    "yard": 2,
    "workshop": 1,
}
GATHERED = {
    "dunes": ("fish", 1),
    "shoal": ("fish", 3),
    "forest": ("wood", 2),
    "reed_cutter": ("wood", 2),
    "pan": ("salt", 2),
    "second_pan": ("salt", 2),
}
HOUSES = {
    "shed": ((2, 0, 0, 0), 2),
    "hovel": ((1, 0, 1, 0), 2),
    "smokehouse": ((2, 0, 2, 0), 4),
    "boathouse": ((3, 0, 0, 0), 4),
    "saltery": ((1, 2, 0, 0), 4),
    "tavern": ((2, 0, 1, 2), 6),
    "granary": ((3, 1, 0, 0), 5),
    "mill": ((3, 0, 0, 2), 6),
    "chapel": ((2, 2, 0, 2), 8),
    "lighthouse": ((4, 1, 0, 3), 10),
    "windpump": ((4, 0, 0, 0), 5),
    "storehouse": ((1, 3, 0, 0), 6),
    "jetty": ((3, 0, 2, 0), 6),
    "customs_house": ((2, 1, 0, 4), 10),
    "guildhall": ((2, 1, 0, 2), 2),
    "almshouse": ((2, 0, 2, 0), 1),
    "bunkhouse": ((1, 1, 1, 1), 2),
    "bank": ((2, 2, 0, 1), 3),
    "town_hall": ((3, 2, 0, 3), 4),
    "mint": ((1, 1, 0, 2), 3),
}


class Marsh:
    """What everybody has."""

    def __init__(self, seats: list[str]) -> None:
        self.seats = seats
        self.plans, self.offer = list(HOUSES), list[str]()
        self.goods = {seat: Counter(fish=2, coin=1) for seat in seats}
        self.hands = dict.fromkeys(seats, 3)
        self.hunger = dict.fromkeys(seats, 0)
        self.villages: dict[str, list[str]] = {seat: [] for seat in seats}
        self.herald = seats[0]
        self.spots = [s for s in ROOM if len(seats) > 2 or s not in ("second_pan", "reed_cutter")]

    def affordable(self, seat: str) -> list[str]:
        return [h for h in self.offer if all(self.goods[seat][g] >= n for g, n in self.cost(h).items())]

    def cost(self, house: str) -> dict[str, int]:
        return dict(zip(GOODS, HOUSES[house][0], strict=True))

    def can_work(self, seat: str, spot: str) -> bool:
        goods = self.goods[seat]
        match spot:
            case "market":
                return goods["salt"] > 0
            case "barter":
                return goods.total() > 0
            case "cottage":
                return goods["wood"] >= 2 and goods["fish"] >= 1 and self.hands[seat] < 5
            case "yard" | "workshop":
                return bool(self.affordable(seat))
            case _:
                return True

    def work(self, seat: str, spot: str) -> Play:
        goods = self.goods[seat]
        match spot:
            case "market":
                sold = int((yield Ask(seat, [str(n) for n in range(1, min(4, goods["salt"]) + 1)])))
                goods["salt"] -= sold
                goods["coin"] += 2 * sold
            case "barter":
                given = yield Ask(seat, +goods)
                taken = yield Ask(seat, [good for good in GOODS if good != given])
                goods[given] -= 1
                goods[taken] += 2
            case "cottage":
                goods.subtract(wood=2, fish=1)
                self.hands[seat] += 1
            case "belfry":
                self.herald = seat
                goods["coin"] += 1
            case "yard" | "workshop":
                house = yield Ask(seat, self.affordable(seat))
                goods.subtract(self.cost(house))
                self.offer.remove(house)
                self.villages[seat].append(house)
            case _:
                good, number = GATHERED[spot]
                goods[good] += number
        return None

    def tide(self) -> Play:
        while len(self.offer) < len(self.seats) + 1 and self.plans:
            house = yield Draw(self.plans)
            self.plans.remove(house)
            self.offer.append(house)
        ready, filled = dict(self.hands), Counter[str]()
        at = self.seats.index(self.herald)
        while any(ready.values()):
            seat = self.seats[at % len(self.seats)]
            at += 1
            if ready[seat]:
                free = [s for s in self.spots if filled[s] < ROOM[s] and self.can_work(seat, s)]
                spot = (yield Ask(seat, [f"send {s}" for s in free])).removeprefix("send ")
                ready[seat] -= 1
                filled[spot] += 1
                yield from self.work(seat, spot)
        for seat, goods in self.goods.items():
            self.hunger[seat] += max(0, self.hands[seat] - goods["fish"])
            goods["fish"] = max(0, goods["fish"] - self.hands[seat])
        return None

    def total(self, seat: str) -> int:
        village = self.villages[seat]
        each = {
            "guildhall": len(village),
            "town_hall": len(village),
            "almshouse": self.hands[seat],
            "bunkhouse": self.hands[seat],
            "bank": self.goods[seat]["coin"] // 3,
            "mint": self.goods[seat]["coin"] // 3,
        }
        return sum(HOUSES[house][1] + each.get(house, 0) for house in village) - 2 * self.hunger[seat]


def play(seats: list[str]) -> Play:
    marsh = Marsh(seats)
    for _ in range(6):
        yield from marsh.tide()
    totals = {seat: marsh.total(seat) for seat in seats}
    best = max((totals[seat], marsh.goods[seat]["coin"]) for seat in seats)
    return End([seat for seat in seats if (totals[seat], marsh.goods[seat]["coin"]) == best], totals)
