"""Openings: positions that matches and scenarios begin with, instead of the set-up of the game."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from dsl import rules as r
from dsl.numbers import whole
from interpreter import ir
from interpreter.game import Game
from interpreter.given_records import forget_records, record_given
from interpreter.position import UNDER, CannotPlace, Position
from interpreter.seat_words import seat_help

ORDERED = ("pile", "stack", "row")
FROM_TOP = " from top"
SPARE = "`spare: true` allows more"
Prepare = Callable[["str | None"], "array[int]"]
"""Plays the set-up to its end or to the phase of a step, and gives the state."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A position in the words of the rules.

    `values` has for each address the value of a counter, mark or pointer, or the pieces of a place. Play
    starts `at` a phase or step, with `seat` at the turn, or the one who begins there; without `at`, with the
    first phase. If `prepared`, the set-up is played first, and then `values` are set. With `spare` there may
    be more pieces than there are. `carried`: it is what has carried over from the match before, and the
    whole match follows, from its set-up on.
    """

    values: tuple[tuple[str, tuple[str, ...]], ...] = ()
    at: str | None = None
    seat: str | None = None
    prepared: bool = False
    spare: bool = False
    carried: bool = False

    @staticmethod
    def of(
        values: Mapping[str, object],
        at: str | None = None,
        seat: str | None = None,
        *,
        prepared: bool = False,
        spare: bool = False,
        carried: bool = False,
    ) -> Opening:
        """An opening of plain values: words, numbers, true or false, none, lists of words, or mappings."""
        found = tuple((address, _texts(value)) for address, value in _each(values))
        return Opening(found, at, seat, prepared, spare, carried)


def _each(values: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """Each address with its value; those of a mapping, `slot of A: {4: rose}`, one by one."""
    for address, value in values.items():
        if isinstance(value, Mapping):
            yield from _each({f"{address}{UNDER}{index}": inner for index, inner in value.items()})
        else:
            yield address, value


def _texts(value: object) -> tuple[str, ...]:
    if isinstance(value, str | bool | int) or value is None:
        return (_text(value),)
    if isinstance(value, Sequence):
        return tuple(map(_text, value))
    raise CannotPlace(f"`{value}` is neither a word nor a list of words")


def _text(value: object) -> str:
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    return str(value)


def begin(game: Game, opening: Opening, prepare: Prepare) -> tuple[array[int], int]:
    """The state of an opening, and the node from which play starts.

    Raises `CannotPlace` if there is no such position.
    """
    if opening.carried:
        check_carried(game.rules, (address for address, _ in opening.values))
    position = Position(game, prepare(opening.at) if opening.prepared else None)
    if opening.values:
        forget_records(game, position.state)
    addresses = [address for address, _ in opening.values]
    for address, number in Counter(map(plain, addresses)).items():
        if number > 1:
            raise CannotPlace(f"`{address}` is set twice")
    values = dict(opening.values)
    for address in in_order(game, addresses):
        try:
            place(position, address, values[address], opening.spare)
        except CannotPlace as error:
            raise error.about(address) from None
    if not opening.spare:
        for _, name in surplus(game, position.state):
            raise CannotPlace(f"there are more `{name}` than the game has", SPARE)
    node = stand(position, opening)
    if not opening.carried:
        record_given(game, position.state, node)
    return position.state, node


def check_carried(rules: r.Rules, addresses: Iterable[str]) -> None:
    """Raises `CannotPlace` if something else is set than what carries over to the next match."""
    names = rules.carries.of if rules.carries is not None else ()
    for address in addresses:
        if (name := address.split()[0] if address.split() else "") not in names:
            some = (
                f"what carries over is {', '.join(names)}" if names else "nothing carries over in this game"
            )
            raise CannotPlace(f"`{name}` does not carry over", some)


def stand(position: Position, opening: Opening) -> int:
    """The node from which play starts."""
    game, state = position.game, position.state
    if opening.at is not None:
        try:
            seat = game.seat_number(opening.seat) if opening.seat is not None else None
        except KeyError:
            hint = seat_help(game.rules, game.machine.seats, opening.seat or "")
            raise CannotPlace(f"unknown seat `{opening.seat}`", hint) from None
        return position.stand_at(opening.at, seat)
    if opening.prepared:
        return position.go_on()
    game.reference.prime_triggers(state)
    return game.machine.start


def opened(game: Game, state: array[int], node: int) -> ir.Machine:
    """The machine that begins with a state at a node: for playouts and explorations from a position.

    It has as many pieces as the position.
    """
    machine = game.machine
    totals = dict.fromkeys(machine.totals, 0)
    for (component, _), number in _counted(game, state).items():
        totals[component] += number
    return replace(
        machine,
        start=node,
        start_words=tuple((i, value) for i, value in enumerate(state) if value or i == ir.ROTATION),
        start_pieces=(),
        totals=totals,
    )


# ---- setting


def plain(address: str) -> str:
    """An address with single blanks, without the order in which its pieces are listed."""
    return " ".join(address.removesuffix(FROM_TOP).split())


def in_order(game: Game, addresses: Iterable[str]) -> list[str]:
    """Zones in which pieces start come last, since other pieces are taken from them."""

    def starts(address: str) -> bool:
        zone = game.rules.zones.get(address.split()[0] if address.split() else "")
        return zone is not None and zone.start

    return sorted(addresses, key=starts)


def place(position: Position, address: str, names: Sequence[str], spare: bool) -> None:
    """Set what is at an address: a value, or exactly these pieces. Raises `CannotPlace`."""
    text, top_first = address.removesuffix(FROM_TOP), address.endswith(FROM_TOP)
    name = text.split()[0] if text.split() else ""
    if name in position.machine.stores:
        position.set_word(text, " ".join(names))
        return
    number = position.place(text)
    zone = position.game.rules.zones.get(name)
    if top_first and (zone is None or zone.order not in ORDERED):
        raise CannotPlace(f"`{name}` has no order")
    count = whole(names[0]) if len(names) == 1 else None
    if count is not None and count >= 0 and names[0] not in _classes(position.game, number):
        position.set_count(number, count, spare)
        return
    found = [] if list(names) == ["none"] else list(names)
    position.set_pieces(number, found[::-1] if top_first else found, spare)


def _classes(game: Game, number: int) -> tuple[str, ...]:
    return game.rules.components[game.reference.component_of[number]].classes


def surplus(game: Game, state: array[int]) -> Iterator[tuple[str, str]]:
    """Components and classes with more pieces in a position than in the game; of dice only the number."""
    found, start = _counted(game, state), _counted(game, game.executor.initial_state())
    for (component, class_), number in found.items():
        if number > start[component, class_]:
            yield component, component if class_ < 0 else game.rules.components[component].classes[class_]


def _counted(game: Game, state: array[int]) -> Counter[tuple[str, int]]:
    position, counts = Position(game, state), Counter[tuple[str, int]]()
    for number, component in enumerate(game.reference.component_of):
        die = game.rules.components[component].die is not None
        counts.update((component, -1 if die else class_) for class_ in position.held(number))
    return counts
