"""Counters, marks and pointers: what is counted, marked and pointed at."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from dsl.declare.entry import Entry, entry
from dsl.declare.enumerations import value_of
from dsl.declare.nodes import interval, number, one_of, word
from dsl.declare.world import World
from dsl.diagnostics import Failed
from dsl.document import Mapping, Node, Scalar
from dsl.domains import NONE
from dsl.messages.shapes import MissingKey, WrongShape
from dsl.rules import Counter, Edge, Mark, Pointer, Store, TypeDecl

T = TypeVar("T")
MOST_PLACES = 65_536
INDICES = ("of", "at")
KEYS = (*INDICES, "lasts", "shared", "clause")
SHARED = ("first come",)


def read_store(found: Entry, name: Scalar, what: str) -> Store:
    """Takes the name, and reads what all stores have in common."""
    world = found.world
    world.declare(name.text, what, name.span)
    of, at = (_index(world, found.get(key)) for key in INDICES)
    if world.index_size(of) * world.index_size(at) > MOST_PLACES:
        raise Failed(WrongShape(name.span, found.where, f"smaller: it has more than {MOST_PLACES} places"))
    if found.has("lasts"):
        world.lifetimes.append((found.word("lasts"), of))
    shared = found.one_of("shared", SHARED)
    return Store(name.text, of, at, name.span, found.text("lasts"), shared, found.marks())


def _index(world: World, node: Node | None) -> str | None:
    if node is None:
        return None
    scalar = word(node, "an index")
    if scalar.text not in world.types and scalar.text not in world.components:
        hint = "seats are `seat`; the rest is declared under `types`, `boards` and `components`"
        raise world.unknown(scalar, "type or component", (*world.types, *world.components), hint)
    return scalar.text


# ---- counters

COUNTER = ("range", "start", "bank", "short", "at_edge", *KEYS)
EDGES = ("refuse", "clamp", "error")


def declare_counter(world: World, name: Scalar, node: Node) -> None:
    """`{of: seat, range: 0..99, start: 10, bank: stock, at_edge: clamp}`."""
    found = entry(world, node, f"counter `{name.text}`", COUNTER)
    store = read_store(found, name, "a counter")
    ranges, starts = _ranges(found, store)
    bank = _bank(found)
    edge = cast(Edge, found.one_of("at_edge", EDGES) or "error")
    world.counters[name.text] = Counter(store, ranges, starts, bank, found.has("short"), edge)


def _ranges(found: Entry, store: Store) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...]]:
    """The range and the start for each value of the index that they are given by, or one for all."""
    node = found.needed("range")
    ranges = _by_index(found, store, "range", node, interval, None)
    starts = [min(max(0, lo), hi) for lo, hi in ranges]
    given = found.get("start")
    if given is not None:
        starts = _by_index(found, store, "start", given, number, starts)
    ranges, starts = _as_long(ranges, starts), _as_long(starts, ranges)
    for (lo, hi), value in zip(ranges, starts, strict=True):
        if not lo <= value <= hi:
            raise Failed(WrongShape((given or node).span, found.of("start"), f"within {lo}..{hi}"))
    return tuple(ranges), tuple(starts)


def _as_long(values: list[T], others: list[object] | list[int] | list[tuple[int, int]]) -> list[T]:
    return values * len(others) if len(values) == 1 else values


def _by_index(
    found: Entry, store: Store, key: str, node: Node, read: Callable[[Node, str], T], fallback: list[T] | None
) -> list[T]:
    """One value for all, or a mapping from the values of `at` (or `of`) to values."""
    if not isinstance(node, Mapping):
        return [read(node, found.of(key))]
    decl = _index_type(found, store, key, node)
    given = {value_of(decl, k): read(value, f"`{key}` for `{k.text}`") for k, value in node.pairs}
    missing = [decl.label(v) for v in decl.members if v not in given]
    if missing and fallback is None:
        hint = f"give one for every `{decl.name}`, or one for all"
        raise Failed(MissingKey(node.span.first_line(), found.of(key), f"`{missing[0]}`", hint))
    nothing = fallback or [next(iter(given.values()))]
    places = enumerate(range(decl.lo, decl.hi + 1))
    return [given[v] if v in given else nothing[i % len(nothing)] for i, v in places]


def _index_type(found: Entry, store: Store, key: str, node: Node) -> TypeDecl:
    index = store.at or store.of
    if index is None or index not in found.world.types:
        raise Failed(
            WrongShape(node.span, found.of(key), "one for all, for neither `of` nor `at` names a type")
        )
    return found.world.types[index]


def _bank(found: Entry) -> str | None:
    """Where `gain` takes from and `pay` gives to: a counter, or the unlimited supply."""
    bank = found.get("bank")
    unlimited = bank is None or found.text("bank") == "unlimited"
    if found.has("short"):
        one_of(found.get("short"), found.of("short"), ("paid anyway",))
        if unlimited:
            raise Failed(
                MissingKey(found.span, found.where, "`bank`", "only a counter with a bank can run short")
            )
    return None if unlimited else found.text("bank")


def check_counters(world: World, node: Mapping) -> None:
    """What can be said of banks only when all counters are known."""
    for counter in world.counters.values():
        if counter.bank is not None:
            world.attempt(_check_bank, world, counter, cast(Mapping, node.get(counter.name)))


def _check_bank(world: World, counter: Counter, node: Mapping) -> None:
    name = word(node.get("bank"), "`bank`")
    if name.text not in world.counters:
        raise world.unknown(name, "counter", world.counters, "or write `unlimited`")
    bank = world.counters[name.text].store
    if bank.of is not None or bank.at is not None or name.text == counter.name:
        wanted = "another counter, one without `of` and `at`"
        raise Failed(WrongShape(name.span, f"`bank` of counter `{counter.name}`", wanted))


# ---- marks and pointers


def declare_mark(world: World, name: Scalar, node: Node) -> None:
    """`{of: seat, at: disc, lasts: own turn}`."""
    found = entry(world, node, f"mark `{name.text}`", KEYS)
    world.marks[name.text] = Mark(read_store(found, name, "a mark"))


def declare_pointer(world: World, name: Scalar, node: Node) -> None:
    """`{of: seat, to: tray, start: harbour}`; without `start` it points at nothing."""
    found = entry(world, node, f"pointer `{name.text}`", ("to", "start", *KEYS))
    decl = world.type_named(found.word("to"))
    store = read_store(found, name, "a pointer")
    start = value_of(decl, found.word("start")) if found.has("start") else NONE
    world.pointers[name.text] = Pointer(store, decl.name, start)


# ---- lifetimes

LIFETIMES = ("action", "turn", "own turn")


def check_lifetimes(world: World, phases: tuple[str, ...]) -> None:
    """What `lasts` may say is known when the phases are: an action, a turn, or a phase."""
    for lasts, of in world.lifetimes:
        world.attempt(_check_lifetime, lasts, of, (*LIFETIMES, *phases))


def _check_lifetime(lasts: Scalar, of: str | None, known: tuple[str, ...]) -> None:
    one_of(lasts, "`lasts`", known)
    if lasts.text == "own turn" and of != "seat":
        hint = "it ends with the turn of the seat that it is `of`"
        raise Failed(MissingKey(lasts.span, "`lasts: own turn`", "an `of: seat` beside it", hint))
