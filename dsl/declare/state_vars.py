"""State variables: `counters`, `marks` and `pointers` of `game.yaml`."""

from __future__ import annotations

from collections.abc import Callable, Sized
from typing import TypeVar, cast

from dsl.declare.arithmetic import computed_if_known
from dsl.declare.enumerations import value_of
from dsl.declare.mapping_reader import MappingReader, entry
from dsl.declare.nodes import interval, number, one_of, word
from dsl.declare.products import pair_type
from dsl.declare.symbol_table import SymbolTable
from dsl.diagnostics import DiagnosticError
from dsl.document import Mapping, Node, Scalar, Sequence
from dsl.domains import NONE
from dsl.messages.game import BadTeams, NoRounds
from dsl.messages.shapes import MissingKey, UnknownKey, WrongShape
from dsl.rules import Counter, Edge, Mark, Pointer, Sight, StateVar, TypeDecl
from dsl.rules.declarations import SCRATCH

T = TypeVar("T")
MOST_PLACES = 65_536
INDICES = ("of", "at")
KEYS = (*INDICES, "lasts", "shared", "clause", "seen_by")
SIGHTS = ("all", "owner", "team", "others", "nobody")
SHARED = ("first come",)
OF_THE_POSITION = ("seen_by", "shared", "bank", "short")
"""The keys that working memory does not have."""


def read_state_var(
    reader: MappingReader, name: Scalar, what: str, sights: tuple[str, ...] = SIGHTS
) -> StateVar:
    """Declare the name, and read the keys that all state variables and zones have."""
    symbols = reader.symbols
    symbols.declare(name.text, what, name.span)
    of, at = _index(symbols, reader.get("of")), _at(reader)
    if symbols.index_size(of) * symbols.index_size(at) > MOST_PLACES:
        raise DiagnosticError(
            WrongShape(name.span, reader.where, f"smaller: it has more than {MOST_PLACES} places")
        )
    if reader.has("lasts"):
        symbols.lifetimes.append((reader.word("lasts"), of))
        _check_scratch(reader)
    shared = reader.one_of("shared", SHARED)
    seen = owned(reader, "seen_by", cast(Sight, reader.one_of("seen_by", sights) or "all"), of)
    return StateVar(name.text, of, at, name.span, reader.text("lasts"), shared, reader.marks(), seen)


def _check_scratch(reader: MappingReader) -> None:
    """Working memory has no key of what belongs to the position. Raises `DiagnosticError` if it has."""
    for key, _ in reader.mapping.pairs if reader.text("lasts") == SCRATCH else ():
        if key.text in OF_THE_POSITION:
            hint = "nobody sees it, no two want it at once, and nothing is booked to it: leave the key out"
            where = f"{reader.where}, which lasts a moment"
            raise DiagnosticError(UnknownKey(key.span, key.text, where, hint))


def owned(reader: MappingReader, key: str, sight: Sight, of: str | None) -> Sight:
    """Who sees or counts something. Raises `DiagnosticError` if that needs an owner and there is none."""
    if sight == "team" and not reader.symbols.teams:
        hint = "declare them: `teams: {first: [A, C], second: [B, D]}`"
        raise DiagnosticError(BadTeams(reader.needed(key).span, "there are no teams", hint))
    if sight in ("owner", "team", "others") and of != "seat":
        node = reader.needed(key)
        hint = "only what is declared `of: seat` has an owner"
        raise DiagnosticError(MissingKey(node.span, f"`{key}: {sight}`", "an `of: seat` beside it", hint))
    return sight


def _at(reader: MappingReader) -> str | None:
    """The index `at`: a type or component, or types: `[slot, colour]`, `{here: town, there: town}`."""
    node = reader.get("at")
    if isinstance(node, Sequence | Mapping):
        return pair_type(reader.symbols, node, reader.of("at"))
    return _index(reader.symbols, node)


def _index(symbols: SymbolTable, node: Node | None) -> str | None:
    if node is None:
        return None
    scalar = word(node, "an index")
    if scalar.text not in symbols.types and scalar.text not in symbols.components:
        hint = "seats are `seat`; the rest is declared under `types`, `boards` and `components`"
        raise symbols.unknown(scalar, "type or component", (*symbols.types, *symbols.components), hint)
    return scalar.text


# ---- counters

COUNTER = ("range", "start", "bank", "short", "at_edge", *KEYS)
SHORT = ("paid anyway",)
EDGES = ("refuse", "clamp", "error")


def declare_counter(symbols: SymbolTable, name: Scalar, node: Node) -> None:
    """`{of: seat, range: 0..99, start: 10, bank: stock, at_edge: clamp}`."""
    reader = entry(symbols, node, f"counter `{name.text}`", COUNTER)
    var = read_state_var(reader, name, "a counter")
    ranges, starts = _ranges(reader, var)
    bank = _bank(reader)
    edge = cast(Edge, reader.one_of("at_edge", EDGES) or "error")
    symbols.counters[name.text] = Counter(var, ranges, starts, bank, reader.has("short"), edge)


def _ranges(reader: MappingReader, var: StateVar) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...]]:
    """The ranges and starts: one of each for all places, or one for each value of the index."""
    node = reader.needed("range")
    ranges = _by_index(reader, var, "range", node, interval, None)
    starts = [min(max(0, lo), hi) for lo, hi in ranges]
    given = reader.get("start")
    if given is not None:
        starts = _by_index(reader, var, "start", given, number, starts)
    ranges, starts = _repeated(ranges, starts), _repeated(starts, ranges)
    for (lo, hi), value in zip(ranges, starts, strict=True):
        if not lo <= value <= hi:
            raise DiagnosticError(WrongShape((given or node).span, reader.of("start"), f"within {lo}..{hi}"))
    return tuple(ranges), tuple(starts)


def _repeated(values: list[T], others: Sized) -> list[T]:
    return values * len(others) if len(values) == 1 else values


def _by_index(
    reader: MappingReader,
    var: StateVar,
    key: str,
    node: Node,
    read: Callable[[Node, str], T],
    fallback: list[T] | None,
) -> list[T]:
    """One value for all, or a mapping from the values of `at` (or `of`) to values."""
    if not isinstance(node, Mapping):
        return [read(node, reader.of(key))]
    decl = _index_type(reader, var, key)
    given = {value_of(decl, k): read(value, f"`{key}` for `{k.text}`") for k, value in node.pairs}
    missing = [decl.label(v) for v in decl.members if v not in given]
    if missing and fallback is None:
        hint = f"give one for every `{decl.name}`, or one for all"
        raise DiagnosticError(MissingKey(node.span.first_line(), reader.of(key), f"`{missing[0]}`", hint))
    defaults = fallback or [next(iter(given.values()))]
    places = enumerate(range(decl.lo, decl.hi + 1))
    return [given[v] if v in given else defaults[i % len(defaults)] for i, v in places]


def _index_type(reader: MappingReader, var: StateVar, key: str) -> TypeDecl:
    index = var.at or var.of
    if index is None or index not in reader.symbols.types:
        raise reader.wrong(key, "one for all, for neither `of` nor `at` names a type")
    return reader.symbols.types[index]


def _bank(reader: MappingReader) -> str | None:
    """The counter that `gain` takes from and `pay` gives to; none for the unlimited supply."""
    bank = reader.get("bank")
    unlimited = bank is None or reader.text("bank") == "unlimited"
    if reader.has("short"):
        one_of(reader.get("short"), reader.of("short"), SHORT)
        if unlimited:
            raise DiagnosticError(
                MissingKey(reader.span, reader.where, "`bank`", "only a counter with a bank can run short")
            )
    return None if unlimited else reader.text("bank")


def check_counters(symbols: SymbolTable, node: Mapping) -> None:
    """Check banks, when all counters are known."""
    for counter in symbols.counters.values():
        if counter.bank is not None:
            symbols.attempt(_check_bank, symbols, counter, cast(Mapping, node.get(counter.name)))


def _check_bank(symbols: SymbolTable, counter: Counter, node: Mapping) -> None:
    name = word(node.get("bank"), "`bank`")
    if name.text not in symbols.counters:
        raise symbols.unknown(name, "counter", symbols.counters, "or write `unlimited`")
    bank = symbols.counters[name.text].var
    if (
        bank.is_scratch
        or bank.of is not None
        or bank.at not in (None, counter.var.at)
        or name.text == counter.name
    ):
        wanted = "another counter, one without `of`, and without `at` or with the same"
        wanted = "a counter that lasts" if bank.is_scratch else wanted
        raise DiagnosticError(WrongShape(name.span, f"`bank` of counter `{counter.name}`", wanted))


# ---- marks and pointers

POINTER = ("to", "start", *KEYS)


def declare_mark(symbols: SymbolTable, name: Scalar, node: Node) -> None:
    """`{of: seat, at: disc, lasts: own turn}`."""
    reader = entry(symbols, node, f"mark `{name.text}`", KEYS)
    symbols.marks[name.text] = Mark(read_state_var(reader, name, "a mark"))


def declare_pointer(symbols: SymbolTable, name: Scalar, node: Node) -> None:
    """`{of: seat, to: tray, start: harbour}`; without `start` it is none."""
    reader = entry(symbols, node, f"pointer `{name.text}`", POINTER)
    decl = symbols.type_named(reader.word("to"))
    var = read_state_var(reader, name, "a pointer")
    start = _start_of(reader, decl) if reader.has("start") else NONE
    symbols.pointers[name.text] = Pointer(var, decl.name, start)


def _start_of(reader: MappingReader, decl: TypeDecl) -> int:
    """The value where a pointer starts; of numbers it may be computed."""
    start = reader.word("start")
    if decl.numeric:
        start = word(computed_if_known(reader.symbols, start), reader.of("start"))
    return value_of(decl, start)


# ---- lifetimes

LIFETIMES = ("action", "turn", "own turn", "round", SCRATCH)


def check_lifetimes(symbols: SymbolTable, phases: tuple[str, ...], turns: bool = True) -> None:
    """Check `lasts`, when the phases are known: an action, a turn, a round, or a phase.

    `turns`: seats have turns in the flow. A phase may be called `round`; then that is meant.
    """
    for lasts, of in symbols.lifetimes:
        symbols.attempt(_check_lifetime, lasts, of, (*LIFETIMES, *phases))
        if lasts.text == "round" and not turns and "round" not in phases:
            symbols.fail(NoRounds(lasts.span))


def _check_lifetime(lasts: Scalar, of: str | None, known: tuple[str, ...]) -> None:
    one_of(lasts, "`lasts`", known)
    if lasts.text == "own turn" and of != "seat":
        hint = "it ends with the turn of the seat that it is `of`"
        raise DiagnosticError(MissingKey(lasts.span, "`lasts: own turn`", "an `of: seat` beside it", hint))
