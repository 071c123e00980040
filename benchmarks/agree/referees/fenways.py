"""Fenways, as its rulebook tells it. Corners are points of the plane, edges are pairs of them."""

from __future__ import annotations

from collections import Counter

from benchmarks.agree.referees.stops import Ask, Draw, End, Play, Together

Corner = tuple[int, int]
Edge = frozenset[Corner]

GOODS = ["timber", "clay", "reed", "eel", "peat"]
TILES = """
c1 timber 5, d1 eel 10, e1 clay 8, b2 reed 9, c2 peat 6, d2 timber 11, e2 reed 4, a3 clay 3, b3 clay 12,
c3 - 0, d3 reed 6, e3 peat 9, a4 eel 11, b4 reed 5, c4 timber 4, d4 clay 10, a5 peat 8, b5 eel 2, c5 timber 3
"""
LANDINGS = {
    "peat": ("c1_south", "c1_southwest"),
    "timber": ("e1_south", "e1_southeast"),
    "clay": ("e3_northeast", "e3_southeast"),
    "reed": ("c5_north", "c5_northeast"),
    "eel": ("a3_north", "a4_northwest"),
}
COSTS = {
    "way": Counter(clay=1, reed=1),
    "hut": Counter(timber=1, clay=1, reed=1, eel=1),
    "hall": Counter(timber=2, eel=1, peat=2),
}
AROUND = {
    "north": (0, 2),
    "northeast": (1, 1),
    "southeast": (1, -1),
    "south": (0, -2),
    "southwest": (-1, -1),
    "northwest": (-1, 1),
}
SIDES = ["northeast", "east", "southeast", "southwest", "west", "northwest"]

YIELDS: dict[str, tuple[str, int]] = {}
CORNERS: dict[str, list[Corner]] = {}
CORNER_NAMES: dict[Corner, str] = {}
EDGE_NAMES: dict[Edge, str] = {}

for line in TILES.split(","):
    tile, good, sum_of_dice = line.split()
    YIELDS[tile] = (good, int(sum_of_dice))
    x, y = 2 * "abcde".index(tile[0]) + int(tile[1]), 3 * int(tile[1])
    CORNERS[tile] = [(x + dx, y + dy) for dx, dy in AROUND.values()]
    for direction, corner in zip(AROUND, CORNERS[tile], strict=True):
        CORNER_NAMES.setdefault(corner, f"{tile}_{direction}")
    for i, side in enumerate(SIDES):
        edge = frozenset((CORNERS[tile][i], CORNERS[tile][(i + 1) % 6]))
        EDGE_NAMES.setdefault(edge, f"{tile}_to_{side}")

CORNER_OF = {name: corner for corner, name in CORNER_NAMES.items()}
EDGE_OF = {name: edge for edge, name in EDGE_NAMES.items()}
EDGES_AT = {corner: [edge for edge in EDGE_NAMES if corner in edge] for corner in CORNER_NAMES}


def beside(corner: Corner) -> list[Corner]:
    return [other for edge in EDGES_AT[corner] for other in edge if other != corner]


class Fen:
    """Houses, ways and goods."""

    def __init__(self, seats: list[str]) -> None:
        self.seats = seats
        self.houses: dict[Corner, str] = {}
        self.halls: set[Corner] = set()
        self.ways: dict[Edge, str] = {}
        self.goods = {seat: Counter[str]() for seat in seats}
        self.light = "c3"
        self.leader: str | None = None

    def is_free(self, corner: Corner) -> bool:
        return not any(x in self.houses for x in [corner, *beside(corner)])

    def built(self, seat: str) -> dict[str, int]:
        halls = sum(self.houses[corner] == seat for corner in self.halls)
        houses = list(self.houses.values()).count(seat)
        return {"way": list(self.ways.values()).count(seat), "hut": houses - halls, "hall": halls}

    def settle(self, seat: str, second: bool) -> Play:
        corner = CORNER_OF[(yield Ask(seat, [CORNER_NAMES[x] for x in CORNER_NAMES if self.is_free(x)]))]
        self.houses[corner] = seat
        free = [EDGE_NAMES[edge] for edge in EDGES_AT[corner] if edge not in self.ways]
        self.ways[EDGE_OF[(yield Ask(seat, free))]] = seat
        for tile, (good, _) in YIELDS.items():
            if second and corner in CORNERS[tile] and good in GOODS:
                self.goods[seat][good] += 1
        return None

    def harvest(self, seat: str) -> Play:
        faces = [str(face) for face in range(1, 7)]
        rolled = int((yield Draw(faces))) + int((yield Draw(faces)))
        if rolled == 7:
            many = [other for other in self.seats if self.goods[other].total() > 8]
            yield Together({other: self.lose(other) for other in many})
            yield from self.move_light(seat)
        for tile, (good, number) in YIELDS.items():
            if number == rolled and tile != self.light:
                for corner in CORNERS[tile]:
                    if corner in self.houses:
                        self.goods[self.houses[corner]][good] += 2 if corner in self.halls else 1
        return None

    def lose(self, seat: str) -> Play:
        for _ in range(self.goods[seat].total() // 2):
            self.goods[seat][(yield Ask(seat, list(+self.goods[seat])))] -= 1
        return None

    def move_light(self, seat: str) -> Play:
        self.light = yield Ask(seat, [tile for tile in YIELDS if tile != self.light])
        there = {self.houses[corner] for corner in CORNERS[self.light] if corner in self.houses}
        victims = [other for other in there if other != seat and self.goods[other].total()]
        if victims:
            victim = yield Ask(seat, victims)
            good = yield Draw(list(+self.goods[victim]))
            self.goods[victim][good] -= 1
            self.goods[seat][good] += 1
        return None

    def can_build(self, seat: str, work: str, most: int) -> bool:
        return self.goods[seat] >= COSTS[work] and self.built(seat)[work] < most

    def reaches(self, seat: str, corner: Corner) -> bool:
        return any(self.ways.get(edge) == seat for edge in EDGES_AT[corner])

    def is_open(self, seat: str, corner: Corner) -> bool:
        owner = self.houses.get(corner)
        return owner == seat or (owner is None and self.reaches(seat, corner))

    def buildings(self, seat: str) -> list[str]:
        words = []
        if self.can_build(seat, "way", 12):
            free = [edge for edge in EDGE_NAMES if edge not in self.ways]
            words += [
                f"lay_way {EDGE_NAMES[edge]}" for edge in free if any(self.is_open(seat, x) for x in edge)
            ]
        if self.can_build(seat, "hut", 5):
            sites = [x for x in CORNER_NAMES if self.is_free(x) and self.reaches(seat, x)]
            words += [f"build_hut {CORNER_NAMES[x]}" for x in sites]
        if self.can_build(seat, "hall", 4):
            huts = [x for x, owner in self.houses.items() if owner == seat and x not in self.halls]
            words += [f"build_hall {CORNER_NAMES[x]}" for x in huts]
        return words

    def rate(self, seat: str, good: str) -> int:
        return 2 if any(self.houses.get(CORNER_OF[name]) == seat for name in LANDINGS[good]) else 3

    def partners(self, seat: str, wanted: str) -> list[str]:
        return [other for other in self.seats if other != seat and self.goods[other][wanted]]

    def wishes(self, seat: str, given: str) -> list[str]:
        return [good for good in GOODS if good != given and self.partners(seat, good)]

    def exchanges(self, seat: str) -> list[str]:
        goods = self.goods[seat]
        barters = [f"barter {good}" for good in GOODS if goods[good] >= self.rate(seat, good)]
        return barters + [f"offer {good}" for good in +goods if self.wishes(seat, good)]

    def barter(self, seat: str, given: str) -> Play:
        taken = yield Ask(seat, [good for good in GOODS if good != given])
        self.goods[seat][given] -= self.rate(seat, given)
        self.goods[seat][taken] += 1
        return None

    def offer(self, seat: str, given: str) -> Play:
        wanted = yield Ask(seat, self.wishes(seat, given))
        partner = yield Ask(seat, self.partners(seat, wanted))
        if (yield Ask(partner, ["accept", "pass"])) == "accept":
            for giver, taker, good in ((seat, partner, given), (partner, seat, wanted)):
                self.goods[giver][good] -= 1
                self.goods[taker][good] += 1
        return None

    def actions(self, seat: str) -> Play:
        exchanged = 0
        while words := self.buildings(seat) + (self.exchanges(seat) if exchanged < 3 else []):
            word, _, what = (yield Ask(seat, [*words, "pass"])).partition(" ")
            match word:
                case "pass":
                    break
                case "barter":
                    exchanged += 1
                    yield from self.barter(seat, what)
                case "offer":
                    exchanged += 1
                    yield from self.offer(seat, what)
                case _:
                    self.build(seat, word.rpartition("_")[2], what)
        return None

    def build(self, seat: str, work: str, place: str) -> None:
        self.goods[seat] -= COSTS[work]
        match work:
            case "way":
                self.ways[EDGE_OF[place]] = seat
            case "hut":
                self.houses[CORNER_OF[place]] = seat
            case _:
                self.halls.add(CORNER_OF[place])
        self.crown()

    def longest(self, seat: str) -> int:
        mine = frozenset(edge for edge, owner in self.ways.items() if owner == seat)
        return max(self.trail(seat, corner, mine, True) for corner in CORNER_NAMES)

    def trail(self, seat: str, corner: Corner, left: frozenset[Edge], begins: bool) -> int:
        if not begins and self.houses.get(corner, seat) != seat:
            return 0
        onward = [edge for edge in EDGES_AT[corner] if edge in left]
        return max(
            (1 + self.trail(seat, *(edge - {corner}), left - {edge}, False) for edge in onward), default=0
        )

    def crown(self) -> None:
        lengths = {seat: self.longest(seat) for seat in self.seats}
        best = max(lengths.values())
        bearers = [seat for seat in self.seats if lengths[seat] == best]
        if best < 5:
            self.leader = None
        elif self.leader not in bearers:
            self.leader = bearers[0] if len(bearers) == 1 else None

    def points(self, seat: str) -> int:
        built = self.built(seat)
        return built["hut"] + 2 * built["hall"] + (2 if self.leader == seat else 0)


def play(seats: list[str]) -> Play:
    fen = Fen(seats)
    for seat in seats:
        yield from fen.settle(seat, False)
    for seat in reversed(seats):
        yield from fen.settle(seat, True)
    for turn in range(120):
        seat = seats[turn % len(seats)]
        yield from fen.harvest(seat)
        yield from fen.actions(seat)
        if fen.points(seat) >= 8:
            break
    totals = {seat: fen.points(seat) for seat in seats}
    return End([seat for seat in seats if totals[seat] == max(totals.values())], totals)
