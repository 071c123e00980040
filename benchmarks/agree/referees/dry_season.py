"""Dry Season, as its rulebook tells it."""

from __future__ import annotations

from benchmarks.agree.referees.stops import Ask, Draw, End, Play

PATHS = """
crag pinewood, crag gorge, pinewood ridge, ridge heath, ridge camp, heath tor, tor ford, gorge farm,
gorge quarry, farm camp, camp orchard, camp meadow, orchard ford, orchard chapel, ford moor, quarry bluff,
quarry sawmill, sawmill meadow, sawmill hamlet, meadow lake, chapel moor, chapel vineyard, moor knoll,
bluff hamlet, hamlet lake, lake vineyard, vineyard knoll
"""
JOBS = ["scout", "carpenter", "stoker", "porter", "digger"]
HILLS = ["crag", "tor", "bluff", "knoll"]


def neighbours() -> dict[str, set[str]]:
    near: dict[str, set[str]] = {}
    for path in PATHS.split(","):
        one, other = path.split()
        near.setdefault(one, set()).add(other)
        near.setdefault(other, set()).add(one)
    return near


NEAR = neighbours()


class Valley:
    """The fires, the towers and the rangers."""

    def __init__(self, seats: list[str]) -> None:
        self.seats = seats
        self.fire = dict.fromkeys(NEAR, 0)
        self.trenches, self.towers = set[str](), set[str]()
        self.flares = 0
        self.at = dict.fromkeys(seats, "camp")
        self.beams = dict.fromkeys(seats, 0)
        self.job: dict[str, str] = {}

    def load(self, seat: str) -> int:
        return 6 if self.job[seat] == "porter" else 3

    def steps(self, seat: str) -> set[str]:
        here = self.at[seat]
        found = set(NEAR[here])
        if self.job[seat] == "scout":
            found |= {place for by in NEAR[here] for place in NEAR[by]} - {here}
        return {place for place in found if self.fire[place] < 3}

    def choices(self, seat: str, energy: int) -> dict[str, int]:
        """What a ranger may do, with what it costs."""
        here, job = self.at[seat], self.job[seat]
        found = {f"walk {place}": 1 for place in self.steps(seat)}
        found |= {f"douse {place}": 1 for place in {here} | NEAR[here] if self.fire[place]}
        if not self.fire[here] and here not in self.trenches:
            found["cut"] = 1 if job == "digger" else 2
        if here == "sawmill" and self.beams[seat] < self.load(seat):
            found["fetch"] = 1
        for other in self.seats:
            beside = other != seat and self.at[other] == here
            if beside and self.beams[seat] and self.beams[other] < self.load(other):
                found[f"give {other}"] = 1
        if here in HILLS and here not in self.towers and self.beams[seat] >= self.price(seat):
            found[f"raise {here}"] = 1
        return {word: cost for word, cost in found.items() if cost <= energy}

    def price(self, seat: str) -> int:
        return 2 if self.job[seat] == "carpenter" else 3

    def act(self, seat: str, word: str) -> None:
        what, _, whom = word.partition(" ")
        here = self.at[seat]
        match what:
            case "walk":
                self.at[seat] = whom
            case "douse":
                self.fire[whom] = max(0, self.fire[whom] - (2 if self.job[seat] == "stoker" else 1))
            case "cut":
                self.trenches.add(here)
            case "fetch":
                self.beams[seat] += 1
            case "give":
                self.beams[seat] -= 1
                self.beams[whom] += 1
            case _:
                self.beams[seat] -= self.price(seat)
                self.towers.add(here)

    def spark(self, place: str, flared: set[str]) -> None:
        if place in flared or place in self.trenches:
            return
        if self.fire[place] < 3:
            self.fire[place] += 1
            return
        flared.add(place)
        self.fire[place] = 1
        self.flares += 1
        for beside in NEAR[place]:
            self.spark(beside, flared)


def play(seats: list[str]) -> Play:
    valley = Valley(seats)
    for seat in seats:
        valley.job[seat] = yield Draw([job for job in JOBS if job not in valley.job.values()])
    for degree in (1, 2):
        for _ in range(3):
            place = yield Draw([p for p in NEAR if p != "camp" and not valley.fire[p]])
            valley.fire[place] = degree
    for day in range(30):
        seat, energy = seats[day % len(seats)], 4
        while choices := valley.choices(seat, energy):
            word = yield Ask(seat, [*choices, "pass"])
            if word == "pass":
                break
            energy -= choices[word]
            valley.act(seat, word)
            if len(valley.towers) == 4:
                return End(seats, name="saved")
        for _ in range(2):
            valley.spark((yield Draw([p for p in NEAR if p not in valley.trenches])), set())
            if valley.flares >= 6:
                return End([], name="burnt")
    return End([], name="too_late")
