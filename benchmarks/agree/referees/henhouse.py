"""Henhouse, as its rulebook tells it."""

from __future__ import annotations

from collections.abc import Generator

from benchmarks.agree.referees.stops import Ask, Draw, End, Play, Together

BEASTS = ["fox", "hound", "hen", "badger"]
DUSK = 120

Claim = Generator[Ask | Draw | Together, str, bool]


class Table:
    """The cards and the grain."""

    def __init__(self, seats: list[str]) -> None:
        self.seats = seats
        self.deck = BEASTS * 5
        self.hands: dict[str, list[str]] = {seat: [] for seat in seats}
        self.grain = dict.fromkeys(seats, 2)

    def alive(self) -> list[str]:
        return [seat for seat in self.seats if self.hands[seat]]

    def others(self, seat: str) -> list[str]:
        """The others that have cards, the left neighbour first."""
        at = self.seats.index(seat)
        return [other for other in self.seats[at + 1 :] + self.seats[:at] if self.hands[other]]

    def draw(self, seat: str) -> Play:
        card = yield Draw(self.deck)
        self.deck.remove(card)
        self.hands[seat].append(card)
        return None

    def lose(self, seat: str) -> Play:
        self.hands[seat].remove((yield Ask(seat, self.hands[seat])))
        if not self.hands[seat]:
            self.grain[seat] = 0
        return None

    def claim(self, seat: str, beast: str) -> Claim:
        """Whether it stands."""
        for other in self.others(seat):
            if (yield Ask(other, ["doubt", "pass"])) == "doubt":
                proof = [f"prove {beast}"] if beast in self.hands[seat] else []
                if (yield Ask(seat, [*proof, "admit"])) == "admit":
                    yield from self.lose(seat)
                    return False
                self.hands[seat].remove(beast)
                self.deck.append(beast)
                yield from self.draw(seat)
                yield from self.lose(other)
                return True
        return True

    def turn(self, seat: str) -> Play:
        others = self.others(seat)
        words = [f"hunt {other}" for other in others] if self.grain[seat] >= 6 else []
        if self.grain[seat] < 9:
            words += ["forage", "lay", "dig"] + [f"raid {other}" for other in others if self.grain[other]]
        what, _, victim = (yield Ask(seat, words)).partition(" ")
        match what:
            case "forage":
                self.grain[seat] += 1
            case "hunt":
                self.grain[seat] -= 6
                yield from self.lose(victim)
            case "lay":
                if (yield from self.claim(seat, "hen")):
                    self.grain[seat] += 3
            case "dig":
                if (yield from self.claim(seat, "badger")):
                    yield from self.dig(seat)
            case _:
                if (yield from self.claim(seat, "fox")) and self.hands[victim]:
                    yield from self.raid(seat, victim)
        return None

    def dig(self, seat: str) -> Play:
        for _ in range(2):
            yield from self.draw(seat)
        for _ in range(2):
            card = yield Ask(seat, self.hands[seat])
            self.hands[seat].remove(card)
            self.deck.append(card)
        return None

    def raid(self, seat: str, victim: str) -> Play:
        if (yield Ask(victim, ["guard", "pass"])) == "guard" and (yield from self.claim(victim, "hound")):
            return None
        loot = min(2, self.grain[victim])
        self.grain[victim] -= loot
        self.grain[seat] += loot
        return None


def play(seats: list[str]) -> Play:
    table = Table(seats)
    for seat in seats:
        for _ in range(2):
            yield from table.draw(seat)
    seat = seats[0]
    for _ in range(DUSK):
        yield from table.turn(seat)
        if len(table.alive()) == 1:
            break
        seat = table.others(seat)[0]
    best = max((len(table.hands[seat]), table.grain[seat]) for seat in seats)
    winners = [seat for seat in seats if (len(table.hands[seat]), table.grain[seat]) == best]
    return End(winners, {seat: len(table.hands[seat]) for seat in seats})
