"""Marches, as its rulebook tells it. A land is a pair of axial coordinates, the middle is (0, 0)."""

from __future__ import annotations

from dataclasses import dataclass, field

from benchmarks.agree.referees.stops import Ask, End, Play, Together

Land = tuple[int, int]

STEPS = [(0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)]
LANDS = [(x, y) for y in range(-3, 4) for x in range(-3, 4) if -3 <= x + y <= 3]
CORNERS = {"d1": (0, -3), "g1": (3, -3), "g4": (3, 0), "d7": (0, 3), "a7": (-3, 3), "a4": (-3, 0)}
TOWNS = {*CORNERS.values(), (0, 0), (1, 1), (2, -1), (1, -2), (-1, -1), (-2, 1), (-1, 2)}
CAPITALS = {
    2: ["d1", "d7"],
    3: ["d1", "a7", "g4"],
    4: ["d1", "a4", "d7", "g4"],
    5: ["d1", "a4", "a7", "d7", "g4"],
}


def around(land: Land) -> list[Land]:
    return [(land[0] + dx, land[1] + dy) for dx, dy in STEPS if (land[0] + dx, land[1] + dy) in LANDS]


def name(land: Land) -> str:
    return f"{'abcdefg'[land[0] + 3]}{land[1] + 4}"


def named(word: str) -> Land:
    return ("abcdefg".index(word[0]) - 3, int(word[1:]) - 4)


@dataclass
class Country:
    seats: list[str]
    armies: dict[Land, str] = field(default_factory=dict)
    flags: dict[Land, str] = field(default_factory=dict)
    marches: dict[Land, Land] = field(default_factory=dict)
    aids: dict[Land, Land] = field(default_factory=dict)

    def orders(self, seat: str) -> Play:
        """One order after the other, until the seat has enough."""
        left = [land for land, owner in self.armies.items() if owner == seat]
        marches, aids = dict[Land, Land](), dict[Land, Land]()
        while left:
            aiding = [land for land in left if any(x in self.armies for x in around(land))]
            words = [f"march {name(land)}" for land in left] + [f"aid {name(land)}" for land in aiding]
            kind, _, word = (yield Ask(seat, [*words, "pass"])).partition(" ")
            if kind == "pass":
                break
            land = named(word)
            left.remove(land)
            near = around(land) if kind == "march" else [x for x in around(land) if x in self.armies]
            target = named((yield Ask(seat, [name(x) for x in near])))
            (marches if kind == "march" else aids)[land] = target
        self.marches |= marches
        self.aids |= aids
        return None

    def force(self, land: Land) -> int:
        goal = self.marches.get(land, land)
        helpers = [x for x, aided in self.aids.items() if aided == land]
        return 1 + sum(goal == land or goal in around(x) for x in helpers if not self.is_cut(x))

    def is_cut(self, helper: Land) -> bool:
        against = self.marches.get(self.aids[helper])
        attackers = [x for x, goal in self.marches.items() if goal == helper and x != against]
        return any(self.armies[x] != self.armies[helper] for x in attackers)

    def fight(self) -> None:
        force = {land: self.force(land) for land in self.armies}
        going = dict(self.marches)
        while halted := {land for land, goal in going.items() if self.is_stopped(land, goal, force, going)}:
            going = {land: goal for land, goal in going.items() if land not in halted}
        moved = {goal: self.armies[land] for land, goal in going.items()}
        left = {land: owner for land, owner in self.armies.items() if land not in going}
        self.armies = left | moved

    def is_stopped(self, land: Land, goal: Land, force: dict[Land, int], going: dict[Land, Land]) -> bool:
        mine = force[land]
        if any(force[x] >= mine for x, other in self.marches.items() if other == goal and x != land):
            return True
        if goal not in self.armies:
            return False
        if self.marches.get(goal) == land and force[goal] >= mine:
            return True
        if goal in going:
            return False
        stays = 1 if goal in self.marches else force[goal]
        return self.armies[goal] == self.armies[land] or stays >= mine

    def muster(self, seat: str, found: dict[Land, str]) -> Play:
        mine = [land for land, owner in self.flags.items() if owner == seat]
        free = [land for land in mine if land not in self.armies]
        if list(self.armies.values()).count(seat) < len(mine) and free:
            word = yield Ask(seat, [*map(name, free), "pass"])
            if word != "pass":
                found[named(word)] = seat
        return None

    def year(self) -> Play:
        self.marches, self.aids = {}, {}
        yield Together({seat: self.orders(seat) for seat in self.seats})
        self.fight()
        self.flags |= {land: owner for land, owner in self.armies.items() if land in TOWNS}
        new: dict[Land, str] = {}
        yield Together({seat: self.muster(seat, new) for seat in self.seats})
        self.armies |= new
        return None

    def towns(self, seat: str) -> int:
        return list(self.flags.values()).count(seat)


def play(seats: list[str]) -> Play:
    country = Country(seats)
    for seat, word in zip(seats, CAPITALS[len(seats)], strict=True):
        capital = CORNERS[word]
        rim = [x for x in around(capital) if max(abs(x[0]), abs(x[1]), abs(x[0] + x[1])) == 3]
        country.armies |= dict.fromkeys([capital, *rim], seat)
        country.flags[capital] = seat
    for _ in range(8):
        yield from country.year()
        if any(country.towns(seat) >= 8 for seat in seats):
            break
    totals = {seat: country.towns(seat) for seat in seats}
    ranks = {seat: (totals[seat], list(country.armies.values()).count(seat)) for seat in seats}
    return End([seat for seat in seats if ranks[seat] == max(ranks.values())], totals)
