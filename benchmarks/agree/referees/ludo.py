"""Ludo, as its rulebook tells it."""

from __future__ import annotations

from dataclasses import dataclass, field

from benchmarks.agree.referees.stops import Ask, Draw, End, Play

YARD, LAST, HOME = 0, 51, 57
FACES = [str(n) for n in range(1, 7)]


@dataclass
class Side:
    """The tokens of a seat: how far each has come, from the yard on."""

    corner: int
    ways: list[int] = field(default_factory=lambda: [YARD] * 4)

    def square(self, way: int) -> str:
        if way > LAST:
            return f"{'abcd'[self.corner]}{way - LAST}"
        return f"t{(13 * self.corner + way - 1) % 52 + 1}"


def play(seats: list[str]) -> Play:
    corners = [0, 2] if len(seats) == 2 else range(4)
    sides = {seat: Side(corner) for seat, corner in zip(seats, corners, strict=False)}
    turn, sixes = 0, 0
    while True:
        seat = seats[turn]
        face = int((yield Draw(FACES)))
        sixes = sixes + 1 if face == 6 else 0
        if sixes < 3:
            moves = possible(sides, seat, face)
            if moves:
                move(sides, seat, *moves[(yield Ask(seat, list(moves)))])
            if all(way == HOME for way in sides[seat].ways):
                return End([seat])
        if sixes in (0, 3):
            turn, sixes = (turn + 1) % len(seats), 0


def possible(sides: dict[str, Side], seat: str, face: int) -> dict[str, tuple[int, int]]:
    """Where a token may go from and to, by the words of the choice."""
    mine = sides[seat]
    blocks = {
        side.square(way)
        for other, side in sides.items()
        if other != seat
        for way in side.ways
        if YARD < way < HOME and side.ways.count(way) > 1
    }
    moves = {}
    for way in sorted(set(mine.ways) - {HOME}):
        if way == YARD:
            if face == 6 and mine.square(1) not in blocks:
                moves["enter"] = (YARD, 1)
            continue
        passed = [mine.square(n) for n in range(way + 1, min(way + face, HOME - 1) + 1)]
        if way + face <= HOME and not blocks.intersection(passed):
            moves[f"go {mine.square(way)}"] = (way, way + face)
    return moves


def move(sides: dict[str, Side], seat: str, here: int, there: int) -> None:
    mine = sides[seat]
    mine.ways[mine.ways.index(here)] = there
    for other, side in sides.items():
        if other != seat and there < HOME:
            hit = mine.square(there)
            side.ways = [YARD if YARD < w < HOME and side.square(w) == hit else w for w in side.ways]
