"""The spaces of a game worked out from its machine: words of decisions, actions and columns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from dsl.domains import NONE, PieceType, is_optional
from interpreter import ir
from interpreter.formatting import UNSEEN
from interpreter.game import Game
from interpreter.ir.cfg import reached, runs
from interpreter.ir.visit import walk
from interpreter.wasm.batch_module import batch_module
from interpreter.wasm.batches.observe import HEAD
from interpreter.wasm.option_codec import Numbering, OptionCodec
from interpreter.wasm.option_layout import OptionLayout, OptionPart
from rulewright.learn.arguments import demand
from rulewright.learn.catalogue import Column, SpaceCatalogue

MOST_TARGETS = 3
"""The most routines that an action is called by, if a cell says which one is done."""
NO_PIECE = (-1, -1)
FIRST_COLUMNS: tuple[str, ...] = ("decision", "over")
"""What stands before the words that a batch observes."""


@dataclass(frozen=True)
class NodeActions:
    """The actions of one decision: its key, and for each number in a batch the key in the catalogue.

    `places` and `classes` have for each number those of the piece that is named, or -1, and `unseen` what a
    seat that does not see it calls it, but for a number. `own` are those places whose pieces are offered to
    nobody but the seat they belong to.
    """

    node: int
    decision: str
    keys: tuple[str, ...]
    places: tuple[int, ...]
    classes: tuple[int, ...]
    unseen: tuple[str, ...]
    own: frozenset[int]

    def hides(self, game: Game, place: int, seat: int) -> bool:
        """Whether a seat that decides may not see the pieces of a place by its declaration."""
        if place < 0:
            return False
        owner = game.views.owner(place) if place in self.own else None
        return not game.views.may_see(place, seat if owner is None else owner)


@dataclass(frozen=True)
class Spaces:
    """What can be chosen and seen in a game, by keys; its catalogue, and the actions of each decision."""

    catalogue: SpaceCatalogue
    nodes: dict[int, NodeActions]


def spaces_of(game: Game) -> Spaces:
    """The spaces of a game as it is now."""
    demand("game", game, Game, 'give a game as `open_game("pig")` makes it')
    return _spaces(game)


@lru_cache(maxsize=32)
def _spaces(game: Game) -> Spaces:
    game = game.in_parts
    mc, common = game.machine, batch_module(game)
    codec = OptionCodec(mc)
    waiting = sorted(_can_wait(mc, common.numberings))
    names = _numbered([mc.decision(number).name for number in waiting])
    found = {
        number: _node_actions(game, common.numberings[number], codec.layout(number), name)
        for number, name in zip(waiting, names, strict=True)
    }
    actions = dict.fromkeys(key for node in found.values() for key in node.keys)
    actions |= dict.fromkeys(key for node in found.values() for key in _unseen_keys(game, node))
    columns = _columns(game, len(waiting))
    return Spaces(SpaceCatalogue(mc.name, mc.seats, tuple(names), tuple(actions), columns), found)


def _numbered(names: list[str]) -> list[str]:
    """Names, the second of the same with `#2` behind it."""
    seen: dict[str, int] = {}
    found = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        found.append(name if seen[name] == 1 else f"{name} #{seen[name]}")
    return found


# ---- decisions that can wait


def _can_wait(mc: ir.Machine, numberings: dict[int, Numbering]) -> set[int]:
    """The decisions at which a match can wait: not those that an offer decides at once."""
    layouts = OptionCodec(mc).layout
    todo = [mc.start, *(entry.node for entry in mc.entries.values())]
    seen: set[int] = set()
    while todo:
        for number in reached(mc, (todo.pop(),)):
            if number in seen:
                continue
            seen.add(number)
            node = mc.nodes[number]
            if isinstance(node, ir.Offer):
                todo.extend(_behind_offer(mc, layouts(number)))
            else:
                todo.extend(mc.routines[routine].entry(given) for routine, given in runs(mc, node))
        todo = [number for number in todo if number not in seen]
    return seen & numberings.keys()


def _behind_offer(mc: ir.Machine, layout: OptionLayout) -> Iterator[int]:
    for part in layout.parts:
        for entry in part.entries:
            node = mc.nodes[entry.choice] if entry.choice is not None else None
            if isinstance(node, ir.Decide):
                yield from (x for x in (node.next, node.passing, node.nothing) if x is not None)
            else:
                yield entry.begin


# ---- actions


def _node_actions(game: Game, numbering: Numbering, layout: OptionLayout, name: str) -> NodeActions:
    node = game.machine.decision(numbering.node)
    found = [_written(game, node, layout, *numbering.option(action)) for action in range(numbering.total)]
    keys = tuple(f"{node.name}: {' '.join(words)}" for words, _ in found)
    places, classes = zip(*(piece for _, piece in found), strict=True)
    unseen = tuple(unseen_key(node, key) for key in keys)
    own = _own_places(game.machine, node, layout)
    return NodeActions(numbering.node, name, keys, places, classes, unseen, own)


def _written(
    game: Game, node: ir.Decide | ir.Offer, layout: OptionLayout, part: int, value: int
) -> tuple[tuple[str, ...], tuple[int, int]]:
    """The words of an option, and the piece that it names."""
    if part < 0:
        return ("pass",), NO_PIECE
    if isinstance(node, ir.Decide):
        return game.names.candidate(node, value), _piece(game, node, value)
    words = _target_words(game, layout, part)
    decide = _parameter(game, layout.parts[part])
    if value == NONE or decide is None:
        return words, NO_PIECE
    return (*words, *game.names.candidate(decide, value)), _piece(game, decide, value)


def _parameter(game: Game, part: OptionPart) -> ir.Decide | None:
    choices = [entry.choice for entry in part.entries if entry.choice is not None]
    return game.machine.node(choices[0], ir.Decide) if choices else None


def _piece(game: Game, node: ir.Decide, value: int) -> tuple[int, int]:
    """The place and the class of a piece."""
    if not isinstance(node.type, PieceType) or value == NONE:
        return NO_PIECE
    return divmod(value, game.machine.component_classes[node.type.component])


def _own_places(mc: ir.Machine, node: ir.Decide | ir.Offer, layout: OptionLayout) -> frozenset[int]:
    """The places from which pieces are chosen only as those of the seat that decides."""
    decides = [node] if isinstance(node, ir.Decide) else []
    for part in layout.parts:
        decides += [mc.node(x.choice, ir.Decide) for x in part.entries if x.choice is not None]
    own: set[int] = set()
    others: set[int] = set()
    for decide in decides:
        for source in walk(decide.source):
            if isinstance(source, ir.Pieces):
                mine = source.of.one is not None and source.of.one == decide.seat
                places = range(source.first, source.first + source.of.size * source.at.size)
                (own if mine else others).update(places)
    return frozenset(own - others)


def _target_words(game: Game, layout: OptionLayout, part: int) -> tuple[str, ...]:
    """What an offered thing to do is called: its routines, and which one of several of the same name."""
    called = [_routines(game, each) for each in layout.parts]
    same = [i for i, words in enumerate(called) if words == called[part]]
    if len(same) == 1:
        return (called[part],)
    node = game.machine.node(layout.node, ir.Offer)
    doing = node.what[part]
    given = doing.arguments if isinstance(doing, ir.DoRoutine) else ()
    values = [argument.value for argument in given if isinstance(argument, ir.Const)]
    if given and len(values) == len(given) and isinstance(doing, ir.DoRoutine):
        pairs = game.names.arguments((doing.routine, tuple(values)))
        shown = tuple(str(v) if kind is None else game.names.value(kind, v) for kind, v in pairs)
        return (called[part], *shown)
    return (called[part], f"#{same.index(part) + 1}")


def _routines(game: Game, part: OptionPart) -> str:
    names = list(dict.fromkeys(game.machine.routines[entry.routine].name for entry in part.entries))
    return "/".join(names) if len(names) <= MOST_TARGETS else "effect"


def _unseen_keys(game: Game, node: NodeActions) -> Iterator[str]:
    """The keys of pieces that the deciding seat does not see: they are numbered."""
    mc = game.machine
    places: dict[str, set[int]] = {}
    for key, place in zip(node.unseen, node.places, strict=True):
        if any(node.hides(game, place, seat) for seat in range(mc.seats)):
            places.setdefault(key, set()).add(place)
    for key, found in places.items():
        most = sum(mc.places[place].capacity for place in found)
        pieces = max(mc.totals.get(mc.place_components[mc.places[place].zone], most) for place in found)
        yield from (f"{key} {number}" for number in range(1, min(most, pieces) + 1))


def unseen_key(node: ir.Decide | ir.Offer, key: str) -> str:
    """The key of an action whose piece is not seen, without its number."""
    name, _, words = key.partition(": ")
    first = words.split(" ", 1)[0] if isinstance(node, ir.Offer) else ""
    return f"{name}: {first} {UNSEEN}" if first else f"{name}: {UNSEEN}"


# ---- columns


def _columns(game: Game, decisions: int) -> tuple[Column, ...]:
    seen = batch_module(game).observed
    assert seen is not None
    mc = game.machine
    head: list[tuple[int, int]] = [(0, mc.seats - 1), (0, len(mc.phases) - 1), (-1, mc.seats - 1)]
    words = _word_bounds(mc)
    bounds = head + [words[word] for word in range(seen.first, seen.last)]
    assert len(bounds) == HEAD + seen.last - seen.first
    bounds += [(0, _most_pieces(mc, place)) for place in seen.tallies]
    bounds += [_chosen_bounds(game, number) for number in seen.chosen.decisions]
    found = [(FIRST_COLUMNS[0], 0, decisions), (FIRST_COLUMNS[1], 0, 1)]
    names = _numbered(list(seen.names))
    return (*found, *((name, *_wide(*each)) for name, each in zip(names, bounds, strict=True)))


def _wide(lo: int, hi: int) -> tuple[int, int]:
    """A range that holds zero, as hidden words are, and more than one number."""
    lo = min(lo, 0)
    return lo, max(hi, lo + 1, 0)


def _word_bounds(mc: ir.Machine) -> dict[int, tuple[int, int]]:
    """The range of each stored word, with none below the least number."""
    found: dict[int, tuple[int, int]] = {}
    for layout in mc.variables.values():
        optional = is_optional(layout.type)
        for word in range(layout.base, layout.base + layout.size):
            lo, hi = layout.bounds(word)
            found[word] = (min(lo, 0) - 1 if optional else lo, hi)
    for number, place in enumerate(mc.places):
        for k in range(place.words):
            found[place.base + k] = (0, _most_in_word(mc, number, k))
    return found


def _most_in_word(mc: ir.Machine, number: int, k: int) -> int:
    place = mc.places[number]
    if place.kind in (ir.COUNTS, ir.BLANK) or (place.kind == ir.ORDERED and k == 0):
        return _most_pieces(mc, number)
    return place.classes


def _most_pieces(mc: ir.Machine, number: int) -> int:
    place = mc.places[number]
    return max(1, place.capacity, mc.totals.get(mc.place_components[place.zone], 1))


def _chosen_bounds(game: Game, number: int) -> tuple[int, int]:
    row = batch_module(game).numberings[number]
    lo = min((low for low in row.lows), default=0)
    hi = max((low + size - 1 for low, size in zip(row.lows, row.values, strict=True)), default=0)
    return min(lo, 0) - 1, hi
