"""Types, boards and components: what values and pieces there are."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

from dsl.declare.world import (
    World,
    interval,
    is_range,
    keys,
    mapping,
    needed,
    number,
    word,
    words,
)
from dsl.diagnostics import Failed, did_you_mean
from dsl.document import Mapping, Node, Scalar, Sequence
from dsl.domains import FLAG, NONE, Cell, Elem, Int, Type
from dsl.messages import BadCell, BadTable, NameTaken, UnknownName, WrongShape
from dsl.rules import Column, Component, TypeDecl
from dsl.source import Source, Span

LARGEST = 4096


def declare_seat(world: World, node: Node) -> None:
    """`seats: 2`, `seats: 2..5`: the type `seat`, whose values are called A, B, C, ..."""
    low, high = interval(node, "`seats`")
    if not 1 <= low <= high <= 12:
        raise Failed(WrongShape(node.span, "`seats`", "a number or range within 1..12"))
    world.seats = (low, high)
    names = tuple("ABCDEFGHIJKL"[:high])
    world.types["seat"] = TypeDecl("seat", 0, names, False, tuple(range(high)), {}, node.span)
    world.names["seat"] = ("a type", node.span)


def declare_type(world: World, name: Scalar, node: Node) -> None:
    world.declare(name.text, "a type", name.span)
    world.types[name.text] = _type(world, name, node)


def _type(world: World, name: Scalar, node: Node) -> TypeDecl:
    if isinstance(node, Scalar):
        if not is_range(node.text):
            raise Failed(WrongShape(node.span, f"type `{name.text}`", "a list, a range or a table"))
        return _numbers(name, *interval(node, f"type `{name.text}`"))
    if isinstance(node, Sequence):
        return _enumeration(world, name, node)
    found = keys(world, node, f"type `{name.text}`", ("table", "columns", "without", "clause", "rows"))
    names, columns = read_rows(world, found, f"type `{name.text}`")
    _name_values(world, names, found.span)
    decl = TypeDecl(name.text, 0, names, False, tuple(range(len(names))), columns, name.span,
                    clauses=world.clause_marks(found.get("clause")))  # fmt: skip
    without = found.get("without")
    return replace(decl, without=_without(decl, without)) if without is not None else decl


def _numbers(name: Scalar, low: int, high: int) -> TypeDecl:
    if high - low >= LARGEST:
        raise Failed(WrongShape(name.span, f"type `{name.text}`", f"at most {LARGEST} values"))
    values = tuple(range(low, high + 1))
    return TypeDecl(name.text, low, tuple(map(str, values)), True, values, {}, name.span)


def _enumeration(world: World, name: Scalar, node: Sequence) -> TypeDecl:
    scalars = words(node, f"type `{name.text}`")
    names = tuple(s.text for s in scalars)
    for i, scalar in enumerate(scalars):
        if scalar.text in names[:i]:
            first = scalars[names.index(scalar.text)].span
            raise Failed(NameTaken(scalar.span, scalar.text, "an earlier value", first))
    if not names:
        raise Failed(WrongShape(node.span, f"type `{name.text}`", "a list with at least one value"))
    _name_values(world, names, node.span)
    return TypeDecl(name.text, 0, names, False, tuple(range(len(names))), {}, name.span)


def _name_values(world: World, names: tuple[str, ...], span: Span) -> None:
    for value in names:
        if value in world.reserved:
            hint = f"for example `the_{value}`"
            raise Failed(WrongShape(span, f"the value `{value}`", "no word of the language", hint))
        if not value.isidentifier() and not value.isdigit():
            raise Failed(WrongShape(span, f"the value `{value}`", "a word of letters, digits and `_`"))


def _without(decl: TypeDecl, node: Node) -> dict[int, tuple[int, ...]]:
    gone: dict[int, tuple[int, ...]] = {}
    for key, value in mapping(node, "`without`").pairs:
        gone[number(key, "a number of seats")] = tuple(
            value_of(decl, item) for item in words(value, "`without`")
        )
    return gone


def value_of(decl: TypeDecl, node: Scalar) -> int:
    if node.text in decl.names:
        return decl.lo + decl.names.index(node.text)
    hint = did_you_mean(node.text, decl.names)
    raise Failed(UnknownName(node.span, node.text, f"value of `{decl.name}`", hint))


# ---- boards

SHAPES = ("line", "ring", "grid", "graph")


def declare_board(world: World, name: Scalar, node: Node) -> None:
    where = f"board `{name.text}`"
    found = keys(world, node, where, (*SHAPES, "part_of", "columns", "links", "neighbours", "clause"))
    shapes = [s for s in SHAPES if found.get(s) is not None]
    if len(shapes) != 1:
        raise Failed(WrongShape(found.span, where, "exactly one of `line`, `ring`, `grid`, `graph`"))
    world.declare(name.text, "a board", name.span)
    shape = shapes[0]
    decl = _places(world, name, found, shape)
    decl = replace(decl, clauses=world.clause_marks(found.get("clause")), shape=shape)  # type: ignore[arg-type]
    world.types[name.text] = replace(decl, links=_links(decl, found, shape))


def _places(world: World, name: Scalar, found: Mapping, shape: str) -> TypeDecl:
    places = needed(found, shape, f"board `{name.text}`")
    part_of = found.get("part_of")
    if part_of is not None:
        base = world.type_named(word(part_of, "`part_of`"))
        members = tuple(value_of(base, item) for item in words(places, f"board `{name.text}`"))
        return replace(base, name=name.text, members=members, span=name.span, base=base.base or base.name,
                       without={})  # fmt: skip
    if shape == "grid":
        rows, columns = (number(n, "a side of the grid") for n in words(places, "`grid`"))
        names = tuple(f"{chr(97 + c)}{r + 1}" for r in range(rows) for c in range(columns))
        return TypeDecl(name.text, 0, names, False, tuple(range(len(names))), {}, name.span)
    if isinstance(places, Sequence):
        return _enumeration(world, name, places)
    scalar = word(places, f"`{shape}`")
    if scalar.text.isdigit():
        return _numbers(name, 1, int(scalar.text))
    if is_range(scalar.text):
        return _numbers(name, *interval(scalar, f"`{shape}`"))
    names, cells = read_rows(world, Mapping((*found.pairs, (Scalar("table", scalar.span), scalar)), found.span),
                             f"board `{name.text}`")  # fmt: skip
    _name_values(world, names, scalar.span)
    return TypeDecl(name.text, 0, names, False, tuple(range(len(names))), cells, name.span)


def _links(decl: TypeDecl, found: Mapping, shape: str) -> tuple[tuple[int, ...], ...]:
    order = decl.members
    near: dict[int, list[int]] = {v: [] for v in range(decl.lo, decl.hi + 1)}
    if shape in ("line", "ring"):
        pairs = list(zip(order, order[1:], strict=False))
        if shape == "ring" and len(order) > 2:
            pairs.append((order[-1], order[0]))
        for a, b in pairs:
            near[a].append(b)
            near[b].append(a)
    elif shape == "grid":
        _link_grid(near, found)
    links = found.get("links")
    if links is not None:
        for key, value in mapping(links, "`links`").pairs:
            a = value_of(decl, key)
            for item in words(value, "`links`"):
                b = value_of(decl, item)
                near[a].append(b)
                near[b].append(a)
    return tuple(tuple(sorted(set(near[v]))) for v in sorted(near))


def _link_grid(near: dict[int, list[int]], found: Mapping) -> None:
    rows, columns = (number(n, "a side of the grid") for n in words(found.get("grid") or found, "`grid`"))
    steps = [(0, 1), (1, 0)]
    kind = found.get("neighbours")
    if kind is not None and word(kind, "`neighbours`").text == "all":
        steps += [(1, 1), (1, -1)]
    for r in range(rows):
        for c in range(columns):
            for dr, dc in steps:
                if 0 <= r + dr < rows and 0 <= c + dc < columns:
                    a, b = r * columns + c, (r + dr) * columns + c + dc
                    near[a].append(b)
                    near[b].append(a)


# ---- components

COMPONENT_KEYS = ("table", "rows", "columns", "copies", "die", "of", "count", "kinds", "clause")


def declare_component(world: World, name: Scalar, node: Node) -> None:
    where = f"component `{name.text}`"
    found = keys(world, node, where, COMPONENT_KEYS)
    world.declare(name.text, "a component", name.span)
    per_seat = found.get("of") is not None
    if per_seat and word(found.get("of"), "`of`").text != "seat":
        raise Failed(WrongShape(found.span, f"`of` of {where}", "`seat`"))
    count = number(found.get("count"), "`count`") if found.get("count") is not None else 1
    marks = world.clause_marks(found.get("clause"))
    if found.get("die") is not None:
        component = _die(world, name, needed(found, "die", where), count, per_seat)
    elif found.get("table") is not None or found.get("rows") is not None:
        component = _cards(world, name, found, per_seat)
    elif found.get("kinds") is not None:
        component = _kinds(world, name, found, count, per_seat)
    elif per_seat:
        names = world.types["seat"].names
        component = Component(name.text, names, (count,) * len(names), {}, None, True, name.span)
    else:
        component = Component(name.text, (name.text,), (count,), {}, None, False, name.span)
    world.components[name.text] = replace(component, clauses=marks)
    if component.die is None:
        row = f"{name.text} row"
        world.types[row] = TypeDecl(row, 0, component.classes, False, tuple(range(len(component.classes))),
                                    component.columns, name.span)  # fmt: skip


def _die(world: World, name: Scalar, node: Node, count: int, per_seat: bool) -> Component:
    scalar = word(node, "`die`")
    if is_range(scalar.text):
        low, high = interval(scalar, "`die`")
        if high - low >= 64:
            raise Failed(WrongShape(scalar.span, "`die`", "at most 64 faces"))
        faces: Type = Int(low, high)
        names = tuple(str(v) for v in range(low, high + 1))
    else:
        decl = world.type_named(scalar)
        faces, names = Elem(decl.name), decl.names
    return Component(name.text, names, (count,), {}, faces, per_seat, name.span)


def _cards(world: World, name: Scalar, found: Mapping, per_seat: bool) -> Component:
    names, columns = read_rows(world, found, f"component `{name.text}`")
    copies = (1,) * len(names)
    key = found.get("copies")
    if key is not None:
        column = columns.get(word(key, "`copies`").text)
        if column is None or not isinstance(column.type, Int):
            raise Failed(WrongShape(key.span, "`copies`", "the name of a column of numbers"))
        copies = column.values
    _name_values(world, names, name.span)
    return Component(name.text, names, copies, columns, None, per_seat, name.span)


def _kinds(world: World, name: Scalar, found: Mapping, count: int, per_seat: bool) -> Component:
    decl = world.type_named(word(found.get("kinds"), "`kinds`"))
    given = found.get("copies")
    copies = (count,) * decl.size
    if given is not None:
        table = {key.text: number(value, "a number of copies")
                 for key, value in mapping(given, "`copies`").pairs}  # fmt: skip
        for key, _ in mapping(given, "`copies`").pairs:
            value_of(decl, key)
        copies = tuple(table.get(n, 0) for n in decl.names)
    columns = dict(decl.columns)
    columns[decl.name] = Column(decl.name, Elem(decl.name), tuple(range(decl.lo, decl.hi + 1)))
    return Component(name.text, decl.names, copies, columns, None, per_seat, name.span)


# ---- rows and columns


def read_rows(world: World, found: Mapping, where: str) -> tuple[tuple[str, ...], dict[str, Column]]:
    """Row names and columns of a CSV table."""
    node = word(needed(found, "table", where), "`table`")
    source = world.open_file(node.text)
    header, rows = _csv(source)
    declared = found.get("columns")
    columns: dict[str, Column] = {}
    used = {0}
    pairs = mapping(declared, "`columns`").pairs if declared is not None else ()
    for key, spec in pairs:
        if isinstance(spec, Mapping):
            columns[key.text] = _group(world, key, spec, header, rows, used)
            continue
        if key.text not in header:
            hint = did_you_mean(key.text, header[1:])
            raise Failed(BadTable(key.span, f"`{node.text}` has no column `{key.text}`", hint))
        used.add(header.index(key.text))
        columns[key.text] = _column(world, key, spec, header.index(key.text), rows)
    for i, title in enumerate(header):
        if i not in used:
            world.fail(BadTable(_line_span(source, 1), f"column `{title}` is not declared",
                                f"add it to `columns` of {where}"))  # fmt: skip
    return tuple(row[0][0] for row in rows), columns


Cells = list[tuple[str, Span]]


def _line_span(source: Source, line: int) -> Span:
    start = source.lines[line - 1]
    return Span(source, start, start + len(source.line(line)))


def _csv(source: Source) -> tuple[list[str], list[Cells]]:
    if "\0" in source.text:
        raise Failed(BadTable(Span(source, 0, 1), f"`{source.name}` is no CSV text"))
    try:
        lines = [
            (i, cells)
            for i, line in enumerate(source.text.splitlines(), 1)
            if line.strip() and not line.lstrip().startswith("#")
            for cells in csv.reader(io.StringIO(line), strict=True)
        ]
    except csv.Error as error:
        raise Failed(BadTable(Span(source, 0, 1), f"`{source.name}` is no CSV: {error}")) from None
    if len(lines) < 2:
        raise Failed(BadTable(Span(source, 0, 1), f"`{source.name}` needs a line of titles and a row"))
    header = [cell.strip() for cell in lines[0][1]]
    rows: list[Cells] = []
    seen: set[str] = set()
    for number_, cells in lines[1:]:
        span = _line_span(source, number_)
        if len(cells) != len(header):
            raise Failed(
                BadTable(span, f"this row has {len(cells)} cells, but there are {len(header)} columns")
            )
        rows.append(_spans(source, span, cells))
        name = rows[-1][0][0]
        if name in seen:
            raise Failed(BadTable(span, f"a row `{name}` stands here twice"))
        seen.add(name)
    return header, rows


def _spans(source: Source, line: Span, cells: list[str]) -> Cells:
    at = line.start
    found: Cells = []
    for cell in cells:
        text = cell.strip()
        start = source.text.find(text, at, line.end) if text else at
        start = start if start >= 0 else at
        found.append((text, Span(source, start, start + max(1, len(text)))))
        at = start + len(text)
    return found


def _column(world: World, key: Scalar, spec: Node, index: int, rows: list[Cells]) -> Column:
    kind, parse = column_type(world, key, spec, [row[index] for row in rows])
    return Column(key.text, kind, tuple(parse))


def _group(
    world: World, key: Scalar, spec: Mapping, header: list[str], rows: list[Cells], used: set[int]
) -> Column:
    """`{each: colour, range: 0..2}`: one CSV column per value of a type, `wants_blue`, ..."""
    found = keys(world, spec, f"column `{key.text}`", ("each", "range"))
    decl = world.type_named(word(needed(found, "each", "the column"), "`each`"))
    low, high = interval(needed(found, "range", "the column"), "`range`")
    columns = []
    for value in decl.names:
        title = f"{key.text}_{value}"
        if title not in header:
            raise Failed(BadTable(key.span, f"the table has no column `{title}`"))
        used.add(header.index(title))
        columns.append([_number(cell, key, low, high) for cell in (row[header.index(title)] for row in rows)])
    groups = tuple(tuple(column[r] for column in columns) for r in range(len(rows)))
    return Column(key.text, Int(low, high), (), decl.name, groups)


def _number(cell: tuple[str, Span], key: Scalar, low: int, high: int) -> int:
    text, span = cell
    try:
        value = int(text or "0")
    except ValueError:
        raise Failed(BadCell(span, text, key.text, "a number is wanted")) from None
    if not low <= value <= high:
        raise Failed(BadCell(span, text, key.text, f"it is not in {low}..{high}"))
    return value


def column_type(
    world: World, key: Scalar, spec: Node, cells: list[tuple[str, Span]]
) -> tuple[Type, list[int]]:
    """The type that a column declares, and its cells' values."""
    if isinstance(spec, Sequence):
        decl = world.types.get(key.text)
        if decl is None:
            world.declare(key.text, "a type", key.span)
            world.types[key.text] = decl = _enumeration(world, key, spec)
        return Elem(decl.name), [_elem(cell, key, decl) for cell in cells]
    scalar = word(spec, f"column `{key.text}`")
    text = scalar.text
    if is_range(text):
        low, high = interval(scalar, "a range")
        return Int(low, high), [_number(cell, key, low, high) for cell in cells]
    optional = text.endswith(" or none")
    text = text.removesuffix(" or none").strip()
    if text == "flag":
        return FLAG, [_flag(cell, key) for cell in cells]
    if text == "effect":
        return Cell(optional), [cell_value(world, cell, key.text, optional) for cell in cells]
    decl = world.type_named(Scalar(text, scalar.span))
    return Elem(decl.name, optional), [
        NONE if optional and cell[0] in ("", "none") else _elem(cell, key, decl) for cell in cells
    ]


def _flag(cell: tuple[str, Span], key: Scalar) -> int:
    if cell[0] not in ("", "true", "false", "0", "1"):
        raise Failed(BadCell(cell[1], cell[0], key.text, "`true` or `false` is wanted"))
    return int(cell[0] in ("true", "1"))


def _elem(cell: tuple[str, Span], key: Scalar, decl: TypeDecl) -> int:
    if cell[0] not in decl.names:
        hint = did_you_mean(cell[0], decl.names)
        raise Failed(BadCell(cell[1], cell[0], key.text, f"it is no `{decl.name}`", hint))
    return decl.lo + decl.names.index(cell[0])


def cell_value(world: World, cell: tuple[str, Span], column: str, optional: bool) -> int:
    """The number of an effect cell: its name and its arguments, with blanks between."""
    parts = tuple(cell[0].split())
    if not parts or parts == ("none",):
        if optional:
            return NONE
        raise Failed(BadCell(cell[1], cell[0], column, "an effect is wanted", "or declare `effect or none`"))
    spec = (parts[0], parts[1:])
    world.cell_spans.setdefault(spec, cell[1])
    return world.cells.setdefault(spec, len(world.cells))
