"""Sheets to write on: what a seat keeps count of, with tracks, and what counts at the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dsl import rules as r
from interpreter.game import Game
from rulewright.layout.scene import Point, Scene, VariableScene
from rulewright.printing.canvas import EDGE, Canvas, inset
from rulewright.printing.flowing import EDGES, FAINT, Flow
from rulewright.sentences.english import capital

BOX, NAMED = 7.0, 42.0
"""The side of a box of a track, and the width of one with a name, in mm."""
LABEL, ROW, HEAD, BELOW = 48.0, 9.0, 22.0, 2.0
"""The width of labels; the heights of a row, of a title, and of what is below a track."""
LONGEST_TRACK = 40
"""A counter with more values has a line to write on."""
MOST_ROWS = 60
"""A variable with more values of its index is left out: it is kept on the table itself."""
SIZE = 10.0


@dataclass(frozen=True, slots=True)
class Track:
    """What is counted: its label, the texts of its boxes, or none for a line to write on.

    `wide`: the texts are names, each beside its box.
    """

    label: str
    boxes: tuple[str, ...]
    wide: bool = False


def draw_sheets(canvas: Canvas, game: Game, scene: Scene) -> None:
    """A sheet for each seat and one for what all share, and one for scores."""
    own = list(_tracks(game, scene, "seat"))
    shared = list(_tracks(game, scene, "shared"))
    flow = Flow(canvas, SIZE, foot=game.rules.title)
    for seat in range(game.machine.seats) if own else ():
        _sheet(flow, f"{game.rules.title}: {game.names.seat(seat)}", own, scene.seats.colours[seat])
    if shared:
        _sheet(flow, f"{game.rules.title}: {_kept(game)}", shared, FAINT)
    _score_sheet(flow, game)


def _kept(game: Game) -> str:
    return "all" if game.machine.seats > 1 else "the table"


# ---- tracks


def _tracks(game: Game, scene: Scene, area: str) -> Iterator[Track]:
    """What is counted in an area and not on a board."""
    rules = game.rules
    shown = [n for n, v in scene.variables.items() if _is_kept(v, area) and n not in game.machine.excluded]
    for name in sorted(shown, key=lambda n: scene.variables[n].order):
        if name in rules.counters:
            counter = rules.counters[name]
            yield from _indexed(game, counter.var, _numbers(counter))
        elif name in rules.marks:
            yield _marks(game, rules.marks[name].var)
        elif name in rules.pointers:
            yield from _indexed(game, rules.pointers[name].var, ())


def _is_kept(drawn: VariableScene, area: str) -> bool:
    return drawn.area == area and drawn.kind != "hidden"


def _numbers(counter: r.Counter) -> tuple[str, ...]:
    if counter.hi - counter.lo >= LONGEST_TRACK:
        return ()
    return tuple(str(n) for n in range(counter.lo, counter.hi + 1))


def _marks(game: Game, var: r.StateVar) -> Track:
    """A box for a mark, or a named one for each value of its index."""
    label, index = capital(game.names.label(var.name)), _index(var)
    if index is None:
        return Track(label, ("",))
    return Track(label, tuple(game.names.label(name) for name in _names(game, index)), wide=True)


def _index(var: r.StateVar) -> str | None:
    """The index of a variable beside that of seats."""
    return var.at if var.at is not None else var.of if var.of != "seat" else None


def _indexed(game: Game, var: r.StateVar, boxes: tuple[str, ...]) -> Iterator[Track]:
    """A track for each value of the index of a variable, beside that of seats."""
    label = capital(game.names.label(var.name))
    index = _index(var)
    if index is None:
        yield Track(label, boxes)
        return
    names = _names(game, index)
    if len(names) <= MOST_ROWS:
        for name in names:
            yield Track(f"{label}: {game.names.label(name)}", boxes)


def _names(game: Game, index: str) -> tuple[str, ...]:
    decl = game.rules.types.get(index)
    if decl is None:
        return game.rules.components[index].classes
    return tuple(decl.names[value - decl.lo] for value in decl.present(game.machine.seats))


def _sheet(flow: Flow, title: str, tracks: Sequence[Track], colour: str) -> None:
    """Tracks under a title; together on one page, if a page has room for them."""
    whole = sum(_height(flow, track) for track in tracks) + HEAD
    flow.need(min(whole, flow.bottom - EDGES))
    flow.gap(6)
    flow.canvas.rectangle((flow.left, flow.y, flow.width, 2.0), colour, None)
    flow.y += 2
    flow.heading(title, 2)
    for track in tracks:
        _track(flow, track)


def _height(flow: Flow, track: Track) -> float:
    return max(1, -(-len(track.boxes) // _in_row(flow, track))) * BOX + BELOW


def _step(track: Track) -> float:
    return NAMED if track.wide else BOX


def _in_row(flow: Flow, track: Track) -> int:
    return max(1, int((flow.width - LABEL) // _step(track)))


def _track(flow: Flow, track: Track) -> None:
    """A label, and boxes or a line beside it."""
    in_row, step, height = _in_row(flow, track), _step(track), _height(flow, track)
    flow.need(height)
    flow.canvas.text_in((flow.left, flow.y, LABEL - 2, BOX), track.label, SIZE, align="left")
    left = flow.left + LABEL
    if not track.boxes:
        y = flow.y + BOX - 1
        flow.canvas.line([(left, y), (flow.left + flow.width, y)], EDGE)
    for i, text in enumerate(track.boxes):
        _box(flow, (left + i % in_row * step, flow.y + i // in_row * BOX), text, track.wide)
    flow.y += height


def _box(flow: Flow, at: Point, text: str, wide: bool) -> None:
    """A box with a number in it, or a name beside it."""
    x, y = at
    side = BOX - 2 if wide else BOX
    flow.canvas.rectangle((x, y, side, side), "#ffffff", EDGE)
    if wide and text:
        flow.canvas.text_in((x + side + 1, y, NAMED - side - 2, side), text, 8.0, align="left")
    elif text:
        flow.canvas.text_in((x + 0.5, y + 0.5, side - 1, side - 1), text, 8.0, FAINT)


# ---- scores


def _score_sheet(flow: Flow, game: Game) -> None:
    """A table of score lines with a column for each seat, as wide as the page."""
    lines = [line for line in game.rules.scores if game.names.score(line.name)]
    if not lines:
        return
    label = game.names.score
    scores = [capital(label(line.name)) for line in lines if line.kind == "score"]
    ties = [
        f"{capital(label(line.name))}{' (lowest)' if line.best == 'lowest' else ''}"
        for line in lines
        if line.kind == "tiebreak"
    ]
    rows = [*scores, *(["Total"] if len(scores) > 1 else []), *(f"Tie: {name}" for name in ties)]
    flow.need(min((len(rows) + 1) * ROW + HEAD, flow.bottom - EDGES))
    flow.gap(6)
    flow.heading(f"{game.rules.title}: scores", 2)
    seats = [game.names.seat(seat) for seat in range(game.machine.seats)]
    _row(flow, "", seats)
    for text in rows:
        _row(flow, text, [""] * len(seats))


def _row(flow: Flow, text: str, cells: Sequence[str]) -> None:
    flow.need(ROW)
    wide = (flow.width - LABEL) / len(cells)
    flow.canvas.rectangle((flow.left, flow.y, LABEL, ROW), None, EDGE)
    flow.canvas.text_in((flow.left + 1, flow.y, LABEL - 2, ROW), text, SIZE, align="left")
    for i, cell in enumerate(cells):
        box = (flow.left + LABEL + i * wide, flow.y, wide, ROW)
        flow.canvas.rectangle(box, None, EDGE)
        flow.canvas.text_in(inset(box, 0.5), cell, SIZE + 1, bold=True)
    flow.y += ROW
