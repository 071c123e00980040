"""Where things stand when the first player is asked: the position that the set-up always leads to.

Only for a set-up without decisions and without chance; of others the steps say all that is certain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dsl import rules as r
from dsl.domains import EnumType
from dsl.rules.visit import walk
from interpreter import ir
from interpreter.game import Game
from interpreter.match import Match
from interpreter.messages import Fault
from interpreter.sights import SPECTATOR
from interpreter.views import View
from rulewright.rulebook.document import DocumentRow, Table, row
from rulewright.rulebook.sample_match import PlayableGames
from rulewright.sentences.by_players import players
from rulewright.sentences.context import BookContext
from rulewright.sentences.english import capital

UNCERTAIN = (
    r.Choose, r.Offer, r.Together, r.RollPiece, r.RollZone, r.Shuffle, r.ChanceChooses, r.TurnDie,
)  # fmt: skip
MOST_COUNTS = 6
"""The most numbers of players that are told side by side."""
BOARDS = ("grid", "hex", "graph", "ring", "line")
Standing = dict[str, list[str]]
"""What stands on a board, and where."""


class _ByChance(Exception):
    """Something was drawn before anybody was asked."""


@dataclass
class _NoChance:
    """A source of chance that has none."""

    def pick(self, stream: str, outcomes: Sequence[tuple[str, int]]) -> str:
        raise _ByChance


def first_position(ctx: BookContext, games: PlayableGames) -> Table | None:
    """A row for each sort of thing on a board, a column for each number of players."""
    if not _is_certain(ctx):
        return None
    counts = ctx.folding.config.counts
    if len(counts) > MOST_COUNTS:
        return None
    found = [_standing(ctx, games.of(seats)) for seats in counts]
    names = list(dict.fromkeys(name for standing in reversed(found) for name in standing))
    if not names:
        return None
    head = ("", *(players(ctx, n) for n in counts)) if len(counts) > 1 else ("", ctx.say("head-where"))
    return Table(head, tuple(_row(name, found) for name in names))


def _row(name: str, found: Sequence[Standing]) -> DocumentRow:
    return row(capital(name), *(", ".join(standing.get(name, ())) or "–" for standing in found))


def _is_certain(ctx: BookContext) -> bool:
    """Whether the first phase sets something up, and nobody decides or draws in it."""
    first = next(iter(ctx.rules.phases.values()), None)
    if first is None or first.rotates or any(isinstance(s, r.OfferStep) for s in first.all_steps()):
        return False
    routines = [ctx.rules.routines[name] for name in ctx.usage.by_phase[first.name]]
    parts = [part for routine in routines for part in walk(ctx.folding.block(routine.block))]
    zones = ctx.rules.zones
    drawn = any(isinstance(p, r.InZone) and zones[p.zone].order in ("shuffled", "bag") for p in parts)
    return bool(parts) and not drawn and not any(isinstance(part, UNCERTAIN) for part in parts)


def _standing(ctx: BookContext, game: Game | None) -> Standing:
    """What stands on boards when somebody is asked for the first time; nothing if chance has a say."""
    if game is None:
        return {}
    try:
        match = Match(game, 0, keep_history=False, chance=_NoChance()).start()
    except (_ByChance, Fault):
        return {}
    view = game.views.view(match.state, SPECTATOR)
    standing: Standing = {}
    for name, place in (*_pieces(ctx, game, view), *_words(ctx, game, view, match.state)):
        standing.setdefault(name, []).append(place)
    return standing


def _pieces(ctx: BookContext, game: Game, view: View) -> Iterator[tuple[str, str]]:
    """The pieces in zones that lie on a board and are open to all."""
    for number, place in enumerate(game.machine.places):
        decl = ctx.rules.zones.get(place.zone)
        found = view.zones[game.names.place(number)]
        if decl is None or not isinstance(found, list) or ctx.lexicon.labels.get(place.zone) == "":
            continue
        index, value = (decl.var.at, place.at) if place.at is not None else (decl.var.of, place.of)
        if value is None or not _is_board(ctx, index):
            continue
        for piece, many in {one: found.count(one) for one in found}.items():
            owner = _owner(ctx, place.of) if decl.var.of == "seat" and decl.var.at is not None else ""
            label = ctx.lexicon.label(piece)
            yield f"{label}{owner}", f"{_place(ctx, index, value)}{f' ({many})' if many > 1 else ''}"


def _words(ctx: BookContext, game: Game, view: View, state: Sequence[int]) -> Iterator[tuple[str, str]]:
    """Counters, marks and pointers of places, by their values, and pointers of players to places."""
    for variable in game.machine.variables.values():
        if ctx.lexicon.labels.get(variable.name) == "" or variable.name not in ctx.usage.told:
            continue
        axes = [a for a in (variable.of, variable.at) if a is not None]
        values = state[variable.base : variable.base + variable.size]
        for offset in sorted(range(variable.size), key=values.__getitem__):
            yield from _word(ctx, game, view, variable, axes, offset)


def _word(
    ctx: BookContext, game: Game, view: View, variable: ir.VarLayout, axes: Sequence[str], offset: int
) -> Iterator[tuple[str, str]]:
    address, name = game.names.word(variable, offset), ctx.lexicon.label(variable.name)
    index = axes[-1] if axes else None
    if len(axes) == 1 and index is not None and _is_board(ctx, index):
        value = ctx.rules.types[index].lo + offset
        text = _said(ctx, view, variable, address)
        if text is not None:
            yield f"{name}{text}", _place(ctx, index, value)
    elif axes == ["seat"] and variable.kind == "pointer":
        to = ctx.rules.pointers[variable.name].to
        found = view.pointers[address]
        if found is not None and found != "none" and _is_board(ctx, to):
            yield f"{name}{_owner(ctx, offset)}", ctx.lexicon.label(found)


def _said(ctx: BookContext, view: View, variable: ir.VarLayout, address: str) -> str | None:
    """What a word of a place adds to its name; none if there is nothing."""
    match variable.kind:
        case "counter":
            number = view.counters[address]
            return f": {number}" if number else None
        case "mark":
            return "" if view.marks[address] else None
        case _:
            found = view.pointers[address]
            to = ctx.rules.types[ctx.rules.pointers[variable.name].to]
            if found is None or found == "none":
                return None
            if to.name == "seat":
                return _owner(ctx, to.names.index(found))
            return f": {ctx.lexicon.label(found)}"


def _owner(ctx: BookContext, seat: int | None) -> str:
    return "" if seat is None else f" {ctx.say('of-seat', seat=ctx.lexicon.value(EnumType('seat'), seat))}"


def _place(ctx: BookContext, index: str | None, value: int) -> str:
    return ctx.lexicon.bare(EnumType(index or ""), value)


def _is_board(ctx: BookContext, index: str | None) -> bool:
    decl = ctx.rules.types.get(index or "")
    return decl is not None and decl.shape in BOARDS
