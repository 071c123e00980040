"""How a game lies on a table: what the rules have set up, each thing at its place, in mm.

The middle of the table is (0, 0); the first number is to the right, the second away from the first seat.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import cos, pi, sin
from typing import Literal

from interpreter import ir
from interpreter.match import Match
from interpreter.sights import REFEREE, SPECTATOR
from rulewright.layout.scene import Scene, VariableScene
from rulewright.tabletops.pictures import TOKEN, PicturedBoard, Pictures, Token

Secret = Literal["", "hand", "hidden"]
"""Whether all see what lies there, only its seat, or nobody."""
GAP, BETWEEN = 8.0, 40.0
"""Between things of one area, and between areas."""
WIDE = 520.0
"""An area is about so wide before it goes on in another row."""
LOOSE, SPREAD = 8, 12
"""So many equal tokens lie loose, and so many open cards side by side; more are in a bag, or a pile."""
HAND = 70.0
"""How far from the edge of what a seat has its hand is."""
MOST_COUNTERS = 12
"""The most counters of a seat, or of all, that lie on the table."""
PILES = frozenset(("pile", "stack", "hidden"))
"""Zones that are drawn as these lie as one pile."""
Point = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class _OnTable:
    """What all things have: whose it is, where its middle lies, and how it is turned, in degrees."""

    label: str
    size: Point
    secret: Secret = ""
    seat: int | None = None
    at: Point = (0.0, 0.0)
    turn: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Pile(_OnTable):
    """Cards of one component, from the lowest to the topmost."""

    component: str
    cards: tuple[str, ...]
    open: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens(_OnTable):
    """Small pieces that lie together: each with how many of it there are. `bag`: they lie in one."""

    pieces: tuple[tuple[Token, int], ...]
    bag: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Die(_OnTable):
    """A die: the pictures of its faces, of which one shows, and what stands on them."""

    faces: tuple[Token, ...]
    names: tuple[str, ...]
    shown: int
    size: Point = (TOKEN, TOKEN)


@dataclass(frozen=True, slots=True, kw_only=True)
class CounterThing(_OnTable):
    """A number that is counted."""

    value: int
    size: Point = (40.0, 30.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Laid(_OnTable):
    """A board."""

    board: PicturedBoard


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand(_OnTable):
    """Where a seat holds what others do not see."""

    seat: int


Thing = Pile | Tokens | Die | CounterThing | Laid | Hand


@dataclass(frozen=True, slots=True)
class Arrangement:
    """The things on a table, and how many counters are not there because a seat would have too many."""

    things: tuple[Thing, ...]
    counters_left_out: int


def arranged(match: Match, scene: Scene, pictures: Pictures) -> Arrangement:
    """What is on the table when the rules have set up a match."""
    arranger = _Arranger(match, scene, pictures)
    things = tuple(arranger.things())
    return Arrangement(things, arranger.left_out)


class _Arranger:
    """Gathers what there is by area, and places the areas around the boards."""

    def __init__(self, match: Match, scene: Scene, pictures: Pictures) -> None:
        self.match, self.game, self.scene, self.pictures = match, match.game, scene, pictures
        self.held = self.game.views.pieces(match.state, REFEREE)
        self.left_out = 0

    def things(self) -> Iterator[Thing]:
        boards, depth = self.boards()
        yield from boards
        lying = [*self.on_boards(boards)]
        yield from lying
        shared = [*self.of_area(None), *self.tallies(None), *self.markers()]
        rows, height = _flow(shared)
        yield from (replace(it, at=(it.at[0], it.at[1] + depth / 2 + BETWEEN + height)) for it in rows)
        around = max(depth / 2 + BETWEEN + height, *(abs(it.at[0]) + it.size[0] / 2 for it in rows), 250.0)
        for seat in range(self.game.machine.seats):
            yield from self.of_seat(seat, around + BETWEEN)

    # ---- boards

    def boards(self) -> tuple[list[Laid], float]:
        """The boards that all share, side by side in the middle, and how deep they are together."""
        shared = [_laid(it) for it in self.pictures.boards if it.seat is None]
        whole = sum(it.size[0] + GAP for it in shared) - GAP
        left, placed = -whole / 2, []
        for it in shared:
            placed.append(replace(it, at=(left + it.size[0] / 2, 0.0)))
            left += it.size[0] + GAP
        return placed, max((it.size[1] for it in shared), default=0.0)

    def on_boards(self, boards: Sequence[Laid]) -> Iterator[Thing]:
        """What lies on the places of boards."""
        for zone, drawn in self.scene.zones.items():
            on = [it for it in boards if drawn.board in it.board.group and drawn.area == "board"]
            for number, place in self.places(zone) if drawn.kind != "hidden" else ():
                for laid in on:
                    if laid.seat is None or laid.seat == place.of:
                        for thing in self.of_place(number, place, single=True):
                            yield replace(thing, at=self.point(laid, drawn.board or "", place, drawn.offsets))

    def point(self, laid: Laid, board: str, place: ir.Place, offsets: tuple[Point, ...]) -> Point:
        """Where a place of a board lies on the table."""
        look = self.scene.boards[board]
        value = place.at if place.at is not None else place.of
        points = look.points if not look.seat_points or place.of is None else look.seat_points[place.of]
        index = (value or 0) - self.game.rules.types[board].lo
        x, y = (points[index] if index < len(points) else None) or (0.0, 0.0)
        if offsets:
            owner = place.of if place.of is not None and len(offsets) > place.of else 0
            x, y = x + offsets[owner][0], y + offsets[owner][1]
        scale = laid.board.scale
        across, down = x * scale - laid.size[0] / 2, y * scale - laid.size[1] / 2
        turned = _turned((across, -down), laid.turn)
        return laid.at[0] + turned[0], laid.at[1] + turned[1]

    # ---- areas

    def of_seat(self, seat: int, distance: float) -> Iterator[Thing]:
        """What a seat has: its area at its side of the table, and behind it its hand."""
        things: list[Thing] = [_laid(it) for it in self.pictures.boards if it.seat == seat]
        held = [*self.of_area(seat)]
        in_hand = [it for it in held if isinstance(it, Pile | Tokens) and it.secret == "hand"]
        things += [it for it in held if it not in in_hand]
        things += self.tallies(seat)
        rows, height = _flow(things)
        turn = 360 * seat / self.game.machine.seats
        placed = [_moved(replace(it, at=(it.at[0], it.at[1] - distance)), turn) for it in rows]
        yield from placed
        laid = [it for it in placed if isinstance(it, Laid)]
        yield from (replace(it, turn=turn, seat=seat) for it in self.on_boards(laid))
        if not in_hand and not self.has_hand(seat):
            return
        away = distance + height + HAND
        hand = Hand(seat=seat, label=self.game.names.seat(seat), size=(WIDE / 1.5, HAND), at=(0.0, -away))
        yield _moved(hand, turn)
        spread = [one for it in in_hand for one in _singles(it)]
        step = WIDE / 1.5 / max(len(spread), 5)
        for i, it in enumerate(spread):
            yield _moved(replace(it, at=(step * (i - (len(spread) - 1) / 2), -away)), turn)

    def has_hand(self, seat: int) -> bool:
        """Whether a seat has a place that it alone sees."""
        return any(
            self.secret(number) == "hand" and place.of == seat
            for number, place in enumerate(self.game.machine.places)
        )

    def of_area(self, seat: int | None) -> Iterator[Thing]:
        """What lies beside the boards: among what all share, or with a seat."""
        for zone, drawn in sorted(self.scene.zones.items(), key=lambda it: it[1].order):
            if drawn.area == "piece" or (drawn.kind == "hidden" and drawn.area == "aside"):
                continue
            by_seat = zone in self.game.rules.zones and self.game.rules.zones[zone].var.of == "seat"
            drawn_on = drawn.area == "board" and any(drawn.board in it.group for it in self.pictures.boards)
            for number, place in self.places(zone) if not drawn_on else ():
                if (place.of if by_seat else None) == seat:
                    yield from self.of_place(number, place)

    def places(self, zone: str) -> Iterator[tuple[int, ir.Place]]:
        if zone in self.game.machine.zone_places:
            first, count = self.game.machine.zone_places[zone]
            yield from ((i, self.game.machine.places[i]) for i in range(first, first + count))

    def secret(self, number: int) -> Secret:
        """Who sees what lies on a place."""
        views, owner = self.game.views, self.game.machine.places[number].of
        if views.may_see(number, SPECTATOR):
            return ""
        seats = range(self.game.machine.seats)
        zone = self.game.rules.zones.get(self.game.machine.places[number].zone)
        of_seat = zone is not None and zone.var.of == "seat"
        seen = of_seat and owner in seats and views.may_see(number, owner or 0)
        return "hand" if seen else "hidden"

    def of_place(self, number: int, place: ir.Place, *, single: bool = False) -> Iterator[Thing]:
        """What lies on a place. `single`: on one spot."""
        held = self.held[number]
        if not isinstance(held, list) or not held:
            return
        component = self.game.rules.components[self.game.machine.place_components[place.zone]]
        names = [component.classes[each] for each in held]
        label, secret = self.named(place.zone, place), self.secret(number)
        zone = self.game.rules.zones.get(place.zone)
        seat = place.of if zone is not None and zone.var.of == "seat" else None
        if component.name in self.pictures.decks:
            size = self.pictures.decks[component.name].size
            piled = single or secret == "hidden" or self.scene.zones[place.zone].kind in PILES
            pile = Pile(
                label=label, component=component.name, cards=tuple(names), open=not secret, size=size,
                secret=secret, seat=seat,
            )  # fmt: skip
            yield from [pile] if piled or secret == "hand" or len(names) > SPREAD else _singles(pile)
            return
        owner = seat if self.scene.faces[component.name].owned else None
        known = self.pictures.tokens
        tokens = {
            it: known[component.name, it, owner] for it in names if (component.name, it, owner) in known
        }
        if component.die is not None:
            faces = tuple(known[component.name, it, None] for it in component.classes)
            label = self.game.names.label(component.name)
            for each in held:
                yield Die(label=label, faces=faces, names=component.classes, shown=each, seat=seat)
            return
        counted = Counter(name for name in names if name in tokens)
        if not counted:
            return
        bag = bool(secret) or sum(counted.values()) > LOOSE
        pieces = tuple((tokens[name], n) for name, n in counted.items())
        wide = TOKEN if bag or single else TOKEN * 1.1 * sum(counted.values())
        yield Tokens(label=label, pieces=pieces, size=(wide, TOKEN), bag=bag, secret=secret, seat=seat)

    def named(self, name: str, place: ir.Place) -> str:
        """What a place is called: its zone, and which of them it is."""
        zone = self.game.rules.zones.get(name)
        return self.label(name, zone.var.at if zone is not None else None, place.at)

    def tally(self, layout: ir.VarLayout, i: int) -> str:
        return self.label(layout.name, layout.at, layout.indices(layout.base + i)[1])

    def label(self, name: str, kind: str | None, value: int | None) -> str:
        label = self.game.names.label(name)
        if kind is None or value is None:
            return label
        return f"{label}: {self.game.names.label(self.game.views.names.index(kind, value))}"

    def markers(self) -> Iterator[Tokens]:
        """Pieces for what is marked on boards."""
        for token, number in self.pictures.markers:
            pieces, size = ((token, number),), (TOKEN * 1.5, TOKEN * 1.5)
            yield Tokens(label=token.label, pieces=pieces, size=size, bag=number > 1)

    def tallies(self, seat: int | None) -> Iterator[CounterThing]:
        """What is counted beside the boards, at most some of it."""
        found: list[CounterThing] = []
        for name, layout in self.game.machine.variables.items():
            drawn = self.scene.variables.get(name)
            if layout.kind != "counter" or drawn is None or not _is_beside(drawn):
                continue
            for i in range(layout.size):
                of, _ = layout.indices(layout.base + i)
                if (of if layout.of == "seat" else None) == seat:
                    value = self.match.state[layout.base + i]
                    found.append(CounterThing(label=self.tally(layout, i), value=value, seat=seat))
        self.left_out += len(found[MOST_COUNTERS:])
        yield from found[:MOST_COUNTERS]


def _laid(board: PicturedBoard) -> Laid:
    return Laid(board=board, label=board.label, size=(board.width, board.height), seat=board.seat)


def _is_beside(drawn: VariableScene) -> bool:
    return drawn.kind != "hidden" and drawn.area in ("seat", "shared")


def _singles(thing: Pile | Tokens) -> list[Thing]:
    """Cards of a pile, each by itself; tokens as they are."""
    if isinstance(thing, Tokens):
        return [thing]
    return [replace(thing, cards=(card,)) for card in thing.cards]


def _flow(things: Sequence[Thing]) -> tuple[list[Thing], float]:
    """Things in rows below (x, 0), and how deep they are together."""
    rows: list[list[Thing]] = [[]]
    for thing in things:
        used = sum(it.size[0] + GAP for it in rows[-1])
        if rows[-1] and used + thing.size[0] > WIDE:
            rows.append([])
        rows[-1].append(thing)
    placed: list[Thing] = []
    y = 0.0
    for row in rows:
        deep = max((it.size[1] for it in row), default=0.0)
        x = -(sum(it.size[0] + GAP for it in row) - GAP) / 2
        for it in row:
            placed.append(replace(it, at=(x + it.size[0] / 2, y - deep / 2)))
            x += it.size[0] + GAP
        y -= deep + GAP
    return placed, -y


def _turned(at: Point, degrees: float) -> Point:
    angle = -degrees * pi / 180
    return at[0] * cos(angle) - at[1] * sin(angle), at[0] * sin(angle) + at[1] * cos(angle)


def _moved(thing: Thing, turn: float) -> Thing:
    """A thing of the first seat's side, at the side that is so many degrees further round the table."""
    return replace(thing, at=_turned(thing.at, turn), turn=turn)
