"""Grids of counters, marks and pointers with an index: a row per value, a column per seat."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from dsl.domains import IntType
from interpreter import ir
from rulewright.layout.coordinates import ROUND_RING
from rulewright.tui.boards import draw_board
from rulewright.tui.plans import draw_plan, group_of
from rulewright.tui.rows import is_on_places
from rulewright.tui.styles import BOLD, DIM, SEAT_STYLES, borderless_table, styled
from rulewright.tui.view_model import ViewModel


def grids(model: ViewModel, width: int) -> list[RenderableType]:
    """A board or grid for each counter, mark or pointer with an index; empty rows are left out."""
    drawn = _with_something_to_show(model, [w for w in model.variables() if _is_grid(model, w)])
    found: list[RenderableType | None] = []
    planned: set[str] = set()
    for variable in drawn:
        plan = _plan(model, variable, drawn, width) if variable.name not in planned else None
        if plan is not None:
            planned |= plan[1]
            found.append(plan[0])
        elif variable.name not in planned:
            found.append(_board(model, variable, width) or _grid(model, variable))
    return [block for block in found if block is not None]


def _with_something_to_show(model: ViewModel, drawn: Sequence[ir.VarLayout]) -> list[ir.VarLayout]:
    """Without boards that the look hides, and empty ones where another variable shows the same board."""
    states = model.rules.look.states
    hidden = {name for name, state in states.items() if state.kind == "hidden"}
    drawn = [w for w in drawn if w.name not in hidden or not _on_board(model, w)]
    shown = {model.axes(w)[1] for w in drawn if _on_board(model, w) and _says_something(model, w)}
    kept: list[ir.VarLayout] = []
    for variable in drawn:
        index = model.axes(variable)[1]
        if not _on_board(model, variable) or _says_something(model, variable):
            kept.append(variable)
        elif index not in shown:
            shown.add(index)
            kept.append(variable)
    return kept


def _on_board(model: ViewModel, variable: ir.VarLayout) -> bool:
    """Whether a variable has one value for each place of a board that lies on a plane."""
    first, index = model.axes(variable)
    decl = model.rules.types.get(index or "")
    return first is None and decl is not None and decl.shape in ("grid", "hex")


def _says_something(model: ViewModel, variable: ir.VarLayout) -> bool:
    index = model.axes(variable)[1]
    return any(model.text_of(variable, None, value) for value in model.values(index or ""))


def _plan(
    model: ViewModel, variable: ir.VarLayout, drawn: Sequence[ir.VarLayout], width: int
) -> tuple[RenderableType, set[str]] | None:
    """One plan of all boards that share a picture, with the variables on their places; their names."""
    first, index = model.axes(variable)
    if first is not None or index is None or model.rules.types[index].shape == "none":
        return None
    group = group_of(model, index)
    if len(group) < 2:
        return None
    on = [w for w in drawn if model.axes(w)[0] is None and model.axes(w)[1] in group]

    def content(board: str, value: int) -> Text:
        texts = (_content(model, w, value) for w in on if model.axes(w)[1] == board)
        return Text(" ").join(text for text in texts if text.plain)

    title = ", ".join(model.label(w.name) for w in on)
    plan = draw_plan(model, title, group, content, width)
    return (plan, {w.name for w in on}) if plan is not None else None


def _board(model: ViewModel, variable: ir.VarLayout, width: int) -> RenderableType | None:
    """A drawing of a board for a variable indexed by its places alone; None for any other."""
    first, index = model.axes(variable)
    if first is not None or index is None:
        return None
    title = model.label(variable.name)
    found = draw_board(model, title, index, lambda v: _content(model, variable, v), width)
    if found is not None or model.rules.types.get(index) is None:
        return found
    decl = model.rules.types[index]
    if decl.shape not in ("graph", "hex") and not (decl.shape == "ring" and decl.size > ROUND_RING):
        return None
    return draw_plan(model, title, (index,), lambda _, v: _content(model, variable, v), width)


def _content(model: ViewModel, variable: ir.VarLayout, value: int) -> Text:
    seat = model.pointed_seat(variable, value)
    return styled(
        model.text_of(variable, None, value), SEAT_STYLES[seat % len(SEAT_STYLES)] if seat is not None else ""
    )


def _is_grid(model: ViewModel, variable: ir.VarLayout) -> bool:
    first, last = model.axes(variable)
    if last is None or model.has_picture(last) or is_on_places(model, variable):
        return False
    return first is not None or _grid_with_room(model, variable) is None


def _grid_with_room(model: ViewModel, variable: ir.VarLayout) -> ir.VarLayout | None:
    """The grid by seats over the same index that has room for a variable without a seat; none on boards."""
    if _on_board(model, variable):
        return None
    last = model.axes(variable)[1]
    return next((w for w in model.variables() if model.axes(w) == ("seat", last)), None)


def _extra_columns(model: ViewModel, variable: ir.VarLayout) -> list[ir.VarLayout]:
    """Variables with the same index and no seat: extra columns of this grid."""
    alone = (None, model.axes(variable)[1])
    return [w for w in model.variables() if model.axes(w) == alone and _grid_with_room(model, w) is variable]


def _grid(model: ViewModel, variable: ir.VarLayout) -> Table | None:
    index = model.axes(variable)[1]
    assert index is not None
    extra = _extra_columns(model, variable)
    rows = [(v, _cells(model, variable, v, extra)) for v in model.values(index)]
    filled = [(v, cells) for v, cells in rows if any(cells)]
    if not filled:
        return None
    table = borderless_table()
    table.add_column(styled(model.label(variable.name), DIM), overflow="fold")
    for title in _titles(model, variable, extra):
        table.add_column(title, justify="right", overflow="fold")
    for value, cells in filled:
        table.add_row(_row_title(model, variable, index, value), *(styled(c or "·") for c in cells))
    return table


def _titles(model: ViewModel, variable: ir.VarLayout, extra: Sequence[ir.VarLayout]) -> list[Text]:
    first = model.axes(variable)[0]
    found = [styled(model.label(g.name), DIM, narrow=True) for g in extra]
    if first == "seat":
        return [*(_seat_title(model, seat) for seat in model.seats), *found]
    if first is not None:
        return [*(styled(model.value(first, v)) for v in model.values(first)), *found]
    return [Text(), *found]


def _seat_title(model: ViewModel, seat: int) -> Text:
    name = model.seat_label(seat)
    return styled(f"▶{name}", BOLD) if model.is_active(seat) else styled(name)


def _cells(model: ViewModel, variable: ir.VarLayout, value: int, extra: Sequence[ir.VarLayout]) -> list[str]:
    first = model.axes(variable)[0]
    if first is None:
        cells = [model.text_of(variable, None, value)]
    else:
        across = model.seats if first == "seat" else model.values(first)
        cells = [model.text_of(variable, v, value) for v in across]
    return [*cells, *(model.text_of(column, None, value) for column in extra)]


def _row_title(model: ViewModel, variable: ir.VarLayout, index: str, value: int) -> Text:
    """The value's name, with its upper bound if values have different ones."""
    text = styled(model.value(index, value))
    bound = _upper_bound(model, variable, index, value)
    return text.append_text(styled(f" /{bound}", DIM)) if bound is not None else text


def _upper_bound(model: ViewModel, variable: ir.VarLayout, index: str, value: int) -> int | None:
    """The upper bound of a counter, if values differ: from a column of the same name, or else its ranges."""
    if variable.kind != "counter" or index not in model.rules.types:
        return None
    decl = model.rules.types[index]
    column = decl.columns.get(variable.name)
    if column is not None and isinstance(column.type, IntType) and column.values:
        return column.values[value - decl.lo]
    if variable.at is None or len(set(variable.ranges)) == 1:
        return None
    return variable.ranges[value - variable.at_lo][1]
