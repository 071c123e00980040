"""Wharves, as its rulebook tells it."""

from __future__ import annotations

from collections.abc import Generator, Iterable

from benchmarks.agree.referees.stops import Ask, Draw, End, Play, Together

TIERS = {"brewers": 1, "coopers": 1, "ropers": 2, "tanners": 2, "founders": 3, "shipwrights": 3}
FIRMS = list(TIERS)
LOTS = [f"{column}{row}" for row in range(1, 8) for column in "abcdefghi"]
Drawn = Generator[Ask | Draw | Together, str, str]

LEVELS = [(2, 2), (3, 3), (5, 4), (8, 5), (13, 6), (18, 7), (23, 8), (63, 9)]


def beside(lot: str) -> list[str]:
    column, row = lot[0], int(lot[1:])
    near = [f"{chr(ord(column) + dx)}{row + dy}" for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))]
    return [x for x in near if x in LOTS]


class Harbour:
    """Lots, shares and cash."""

    def __init__(self, seats: list[str]) -> None:
        self.seats = seats
        self.bag = list(LOTS)
        self.lots: dict[str, str] = {}
        self.hands: dict[str, list[str]] = {seat: [] for seat in seats}
        self.cash = dict.fromkeys(seats, 30)
        self.shares = {seat: dict.fromkeys(FIRMS, 0) for seat in seats}

    def works(self, firm: str) -> int:
        return list(self.lots.values()).count(firm)

    def left(self, firm: str) -> int:
        return 16 - sum(shares[firm] for shares in self.shares.values())

    def price(self, firm: str) -> int:
        works = self.works(firm)
        return TIERS[firm] + next(level for most, level in LEVELS if works <= most)

    def touching(self, lot: str) -> list[str]:
        near = {self.lots.get(x) for x in beside(lot)}
        return [firm for firm in FIRMS if firm in near]

    def closed(self) -> list[str]:
        return [firm for firm in FIRMS if not self.works(firm)]

    def may_build(self, lot: str) -> bool:
        firms = self.touching(lot)
        if not firms and any(x in self.lots for x in beside(lot)):
            return bool(self.closed())
        return sum(self.works(firm) >= 9 for firm in firms) < 2

    def draw(self) -> Drawn:
        lot = yield Draw(self.bag)
        self.bag.remove(lot)
        return lot

    def join(self, lot: str, firm: str) -> None:
        self.lots[lot] = firm
        for x in beside(lot):
            if self.lots.get(x) == "":
                self.join(x, firm)

    def build(self, seat: str, lot: str) -> Play:
        firms = self.touching(lot)
        lone = not any(x in self.lots for x in beside(lot))
        if lone:
            self.lots[lot] = ""
        elif not firms:
            firm = yield Ask(seat, self.closed())
            self.join(lot, firm)
            self.shares[seat][firm] += self.left(firm) > 0
        else:
            yield from self.merge(seat, lot, firms)
        return None

    def merge(self, seat: str, lot: str, firms: list[str]) -> Play:
        size = {firm: self.works(firm) for firm in firms}
        largest = [firm for firm in firms if size[firm] == max(size.values())]
        buyer = (yield Ask(seat, largest)) if len(largest) > 1 else largest[0]
        at = self.seats.index(seat)
        for gone in sorted(firms, key=lambda firm: -size[firm]):
            if gone != buyer:
                self.pay_holders(gone)
                for holder in self.seats[at:] + self.seats[:at]:
                    if self.shares[holder][gone]:
                        yield from self.trade_in(holder, gone, buyer)
                self.lots |= {x: buyer for x, firm in self.lots.items() if firm == gone}
        self.join(lot, buyer)
        return None

    def trade_in(self, holder: str, gone: str, buyer: str) -> Play:
        shares = self.shares[holder]
        sold = int((yield Ask(holder, numbers(shares[gone]))))
        shares[gone] -= sold
        self.cash[holder] += sold * self.price(gone)
        pairs = int((yield Ask(holder, numbers(min(shares[gone] // 2, self.left(buyer))))))
        shares[gone] -= 2 * pairs
        shares[buyer] += pairs
        return None

    def pay_holders(self, firm: str) -> None:
        held = {seat: self.shares[seat][firm] for seat in self.seats if self.shares[seat][firm]}
        if not held:
            return
        first, *others = sorted(set(held.values()), reverse=True)
        most = [seat for seat in held if held[seat] == first]
        if len(most) > 1 or not others:
            self.share_out(most, 15 * self.price(firm))
        else:
            self.share_out(most, 10 * self.price(firm))
            self.share_out([seat for seat in held if held[seat] == others[0]], 5 * self.price(firm))

    def share_out(self, seats: list[str], amount: int) -> None:
        for seat in seats:
            self.cash[seat] += amount // len(seats)

    def buy(self, seat: str) -> Play:
        for _ in range(3):
            open_firms = [firm for firm in FIRMS if self.works(firm) and self.left(firm)]
            found = [firm for firm in open_firms if self.price(firm) <= self.cash[seat]]
            if not found:
                break
            firm = yield Ask(seat, [*found, "pass"])
            if firm == "pass":
                break
            self.cash[seat] -= self.price(firm)
            self.shares[seat][firm] += 1
        return None

    def turn(self, seat: str) -> Play:
        hand = self.hands[seat]
        words = [f"lay {lot}" for lot in hand if self.may_build(lot)] + [f"put_away {lot}" for lot in hand]
        word, lot = (yield Ask(seat, words)).split()
        hand.remove(lot)
        if word == "lay":
            yield from self.build(seat, lot)
        yield from self.buy(seat)
        if self.bag:
            hand.append((yield from self.draw()))
        return None

    def is_over(self) -> bool:
        sizes = [self.works(firm) for firm in FIRMS if self.works(firm)]
        return not self.bag or any(n >= 24 for n in sizes) or (bool(sizes) and min(sizes) >= 9)


def numbers(most: int) -> Iterable[str]:
    return [str(n) for n in range(most + 1)]


def play(seats: list[str]) -> Play:
    harbour = Harbour(seats)
    for _ in range(4):
        harbour.lots[(yield from harbour.draw())] = ""
    for seat in seats:
        for _ in range(5):
            harbour.hands[seat].append((yield from harbour.draw()))
    at = 0
    while not harbour.is_over():
        yield from harbour.turn(seats[at % len(seats)])
        at += 1
    for firm in FIRMS:
        if harbour.works(firm):
            harbour.pay_holders(firm)
            for seat in seats:
                harbour.cash[seat] += harbour.shares[seat][firm] * harbour.price(firm)
    best = max(harbour.cash.values())
    return End([seat for seat in seats if harbour.cash[seat] == best], harbour.cash)
