"""Tables for reading: cards and tiles with what each does, and functions given row by row."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from dsl import rules as r
from dsl.domains import NONE, EffectType, EnumType, FlagType, IntType, Type, row_type
from dsl.rules.visit import walk
from rulewright.rulebook.context import THE_PIECE, BookContext
from rulewright.rulebook.definitions import effect_steps
from rulewright.rulebook.document import (
    DocumentCell as Entry,
    DocumentRow,
    Section,
    Table,
    cited,
    flowing,
    link,
    slug,
)
from rulewright.rulebook.english import capital, listed
from rulewright.rulebook.expressions import is_said_in_place
from rulewright.rulebook.names import Noun
from rulewright.rulebook.steps import joined, routine_id, routine_title
from rulewright.rulebook.syntax import Node, phrase
from rulewright.rulebook.values import value_id

WIDE = 8
"""The most columns of which each has its place, however little it says."""
MOSTLY = 0.75
MOST = 150
"""The most rows of a table that are written out."""


def tables(ctx: BookContext) -> tuple[Section, ...]:
    """Components and types that have rows, then the tables that rules look things up in."""
    found = [_component(ctx, c) for c in ctx.rules.components.values() if has_rows(c)]
    found += [_type(ctx, t) for t in ctx.rules.types.values() if _is_table(ctx, t)]
    found += [_lookup(ctx, t) for t in ctx.rules.tables.values()]
    return tuple(found)


def has_rows(component: r.Component) -> bool:
    """Whether pieces have columns that say more than which one it is."""
    return component.die is None and any(_says_more(component, c) for c in component.columns.values())


def _says_more(component: r.Component, column: r.Column) -> bool:
    kind = isinstance(column.type, EnumType) and column.type.type == column.name
    return not (kind and len(set(column.values)) == len(component.classes))


def _is_table(ctx: BookContext, decl: r.TypeDecl) -> bool:
    """Types with columns of their own; the rows and columns of a board are on the board."""
    rows = [row_type(c.name) for c in ctx.rules.components.values() if c.columns]
    own = [c for c in _own_columns(decl) if ctx.lexicon.labels.get(c) != ""]
    return decl.base is None and decl.name not in rows and bool(own)


# ---- rows of components and types


def _component(ctx: BookContext, component: r.Component) -> Section:
    """A row for each kind of piece that the game has."""
    noun = ctx.lexicon.noun(component.name)
    shown = [c for c in component.columns.values() if _is_shown(ctx, c) and c.values != component.copies]
    kept = [i for i, copies in enumerate(component.copies) if copies]
    filled, sparse = _parted(shown, kept)
    numbers = len(set(component.copies)) > 1 or sum(component.copies) != len(component.classes)
    head = [*(["How many"] if numbers else []), *_heads(ctx, component.name, filled, sparse)]
    rows = []
    for i in kept:
        name = component.classes[i]
        number = [Entry(str(component.copies[i]))] if numbers else []
        cells = _cells(ctx, component.name, EnumType(row_type(component.name)), i, (filled, sparse))
        first = Entry(capital(ctx.lexicon.label(name)), _row_clauses(ctx, component.name, name))
        rows.append(DocumentRow((first, *number, *cells), slug(component.name, name)))
    return _section(component.name, noun, head, rows, component.clauses)


def _type(ctx: BookContext, decl: r.TypeDecl) -> Section:
    """A row for each value that plays, and where it counts."""
    noun, kind = ctx.lexicon.noun(decl.name), EnumType(decl.name)
    columns = [c for n, c in decl.columns.items() if _is_shown(ctx, c) and n in _own_columns(decl)]
    playing = {v for n in ctx.folding.config.counts for v in decl.present(n)}
    told = {v: _told(ctx, kind, v) for v in decl.members if v in playing}
    filled, sparse = _parted(columns, [v - decl.lo for v in told])
    more = any(told.values())
    head = [*_heads(ctx, decl.name, filled, sparse), *(["More"] if more else [])]
    rows = []
    for value, said in told.items():
        name = decl.label(value)
        cells = _cells(ctx, decl.name, kind, value - decl.lo, (filled, sparse))
        first = Entry(capital(ctx.lexicon.bare(kind, value)), _row_clauses(ctx, decl.name, name))
        rows.append(DocumentRow((first, *cells, *([Entry(said)] if more else [])), slug(decl.name, name)))
    return _section(decl.name, noun, head, rows, decl.clauses)


Columns = list[r.Column]


def _parted(columns: Columns, rows: list[int]) -> tuple[Columns, Columns]:
    """Columns that mostly say something, and in a wide table those that mostly say nothing."""
    sparse = [
        c for c in columns if len(columns) > WIDE and sum(map(c.says_nothing, rows)) >= MOSTLY * len(rows)
    ]
    return [c for c in columns if c not in sparse], sparse


def _heads(ctx: BookContext, owner: str, filled: Columns, sparse: Columns) -> list[str]:
    return [*(_head(ctx, owner, c) for c in filled), *(["Also"] if sparse else [])]


def _cells(
    ctx: BookContext, owner: str, kind: EnumType, row: int, columns: tuple[Columns, Columns]
) -> list[Entry]:
    """The cells of a row; what stands in columns that mostly say nothing goes into one."""
    filled, sparse = columns
    acting = phrase(f"this {ctx.lexicon.noun(owner).one}")
    cells = [_cell(ctx, c, row, acting, kind) for c in filled]
    more = [(c, _cell(ctx, c, row, acting, kind)) for c in sparse if not c.says_nothing(row)]
    if not sparse:
        return cells
    texts = [_named_cell(ctx, owner, c, entry) for c, entry in more]
    marks = tuple(dict.fromkeys(m for _, entry in more for m in entry.clauses))
    return [*cells, Entry("; ".join(texts) or "–", marks)]


def _named_cell(ctx: BookContext, owner: str, column: r.Column, entry: Entry) -> str:
    head = ctx.lexicon.column_noun(owner, column.name).one
    return head if isinstance(column.type, FlagType) else f"{head}: {entry.text}"


def _section(
    name: str, noun: Noun, head: list[str], rows: list[DocumentRow], clauses: tuple[str, ...]
) -> Section:
    table = Table((capital(noun.one), *head), tuple(rows))
    return Section(table_id(name), capital(noun.many), (table,), clauses)


def _own_columns(decl: r.TypeDecl) -> tuple[str, ...]:
    """Columns but the row and column of a place on a board, which its name says."""
    return tuple(n for n in decl.columns if not (decl.sides and n in ("row", "column")))


def _row_clauses(ctx: BookContext, owner: str, name: str) -> tuple[str, ...]:
    """The marks of a row; of one that cites none, nothing."""
    rows = ctx.rules.rows
    return next((row.clauses for row in rows if row.name == name and row.owner.endswith(f"`{owner}`")), ())


def _is_shown(ctx: BookContext, column: r.Column) -> bool:
    return ctx.lexicon.labels.get(column.name) != ""


def _head(ctx: BookContext, owner: str, column: r.Column) -> str:
    if isinstance(column.type, EffectType):
        return "What it does"
    return capital(ctx.lexicon.column_noun(owner, column.name).one)


def _cell(ctx: BookContext, column: r.Column, row: int, acting: Node, kind: EnumType) -> Entry:
    if column.keyed_by is not None:
        return Entry(_keyed(ctx, column, row))
    value = column.values[row]
    if isinstance(column.type, EffectType):
        return _effect(ctx, value, acting, kind, row)
    return Entry(ctx.lexicon.bare(column.type, value))


def _keyed(ctx: BookContext, column: r.Column, row: int) -> str:
    """A group of columns in one cell: `2 red, 1 blue`."""
    decl = ctx.rules.types[column.keyed_by or ""]
    collection = column.groups[row] if row < len(column.groups) else ()
    parts = []
    for value, known in zip(collection, decl.members, strict=False):
        name = ctx.lexicon.bare(EnumType(decl.name), known)
        if isinstance(column.type, FlagType):
            parts += [name] if value else []
        elif isinstance(column.type, IntType):
            parts += [f"{value} {name}"] if value else []
        else:
            parts.append(f"{name}: {ctx.lexicon.bare(column.type, value)}")
    return ", ".join(parts) or "–"


def _effect(ctx: BookContext, cell: int, acting: Node, kind: EnumType, row: int) -> Entry:
    """What a cell does, in words; where it is empty, where else the row counts."""
    if cell == NONE:
        return Entry(_told(ctx, kind, row))
    return _in_words(ctx, cell, acting)


def _in_words(ctx: BookContext, cell: int, acting: Node) -> Entry:
    name, arguments = ctx.rules.cells[cell]
    steps = effect_steps(ctx, name, arguments, acting)
    marks = tuple(c for s in steps for c in cited(s))
    return Entry(flowing(steps), joined(ctx.rules.routines[name].clauses, marks))


# ---- where a row counts


def _told(ctx: BookContext, kind: EnumType, value: int) -> str:
    """The author's words for a row, or where the rules speak of it."""
    rules = ctx.rules
    name = _row_name(rules, kind, value)
    where = listed([f"“{w}”" for w in dict.fromkeys(_mentions(ctx, kind, value))])
    said = ctx.lexicon.helps.get(name, "")
    counts = f"See {where}." if where else ""
    return " ".join(p for p in (said, counts) if p)


def _row_name(rules: r.Rules, kind: EnumType, value: int) -> str:
    decl = rules.types.get(kind.type)
    if decl is not None:
        return decl.label(
            value + (0 if kind.type in rules.types and not kind.type.endswith(" row") else decl.lo)
        )
    return ""


def _mentions(ctx: BookContext, kind: EnumType, value: int) -> Iterator[str]:
    rules, lexicon = ctx.rules, ctx.lexicon
    for routine in rules.routines.values():
        if routine.name in ctx.usage.played and _speaks(ctx.folding.block(routine.block), kind, value):
            yield link(*_place_of(ctx, routine))
    for found in rules.values.values():
        if _speaks((found.cases, found.modifiers), kind, value) and ctx.usage.values[found.name]:
            title = lexicon.noun(found.name).one
            yield title if is_said_in_place(ctx, found) else link(value_id(found.name), title)
    for line in rules.scores:
        if _speaks(line.value, kind, value):
            yield link("scoring", lexicon.label(line.name))


def _place_of(ctx: BookContext, routine: r.Routine) -> tuple[str, str]:
    """Where a routine is told: within another, in the cell of a table, or in its own section."""
    if routine.name in ctx.section_of:
        return ctx.section_of[routine.name]
    heading, name = routine_title(ctx, routine.name), routine.name
    in_cell = name in ctx.usage.cells and not ctx.usage.offers[name]
    return (_home(ctx.rules, name) if in_cell else routine_id(name)), heading


def _home(rules: r.Rules, effect: str) -> str:
    """The id of the table in whose cells an effect stands."""
    cells = {i for i, (name, _) in enumerate(rules.cells) if name == effect}
    rows = {c.name: tuple(c.columns.values()) for c in rules.components.values()}
    rows |= {t.name: tuple(t.columns.values()) for t in rules.types.values()}
    owners = [n for n, cs in rows.items() if any(cells & set(c.values) for c in cs if _is_effect(c.type))]
    tables = [t.name for t in rules.tables.values() if _is_effect(t.type) and cells & set(t.values)]
    return table_id((owners + tables)[0].removesuffix(" row"))


def _is_effect(kind: Type) -> bool:
    return isinstance(kind, EffectType)


def _speaks(node: object, kind: EnumType, value: int) -> bool:
    constants = (p for p in walk(node) if isinstance(p, r.Const))
    return any(
        isinstance(p.type, EnumType) and p.type.type == kind.type and p.value == value for p in constants
    )


# ---- tables that are looked up


def _lookup(ctx: BookContext, table: r.Table) -> Section:
    """A row for each key, or with several keys the last one across; equal neighbours share a row."""
    title = capital(ctx.lexicon.label(table.name))
    if len(table.over) == 1:
        found = Table((_key_head(ctx, table.over_types[0]), title), tuple(_single(ctx, table)))
    else:
        found = _crossed(ctx, table)
    return Section(table_id(table.name), title, (found,), table.clauses)


def _key_head(ctx: BookContext, kind: Type) -> str:
    return capital(ctx.lexicon.type_noun(kind).one)


def _single(ctx: BookContext, table: r.Table) -> Iterator[DocumentRow]:
    lo, hi = table.over[0]
    kind, start = table.over_types[0], lo
    for key in range(lo, hi + 1):
        value = table.values[key - lo]
        if key < hi and table.values[key + 1 - lo] == value:
            continue
        names = [ctx.lexicon.bare(kind, k) for k in (start, key)]
        shown = (
            names[0]
            if start == key
            else " to ".join(names)
            if isinstance(kind, IntType)
            else listed([ctx.lexicon.bare(kind, k) for k in range(start, key + 1)])
        )
        yield DocumentRow((Entry(shown), _known(ctx, table, value)))
        start = key + 1


def _known(ctx: BookContext, table: r.Table, value: int) -> Entry:
    if not isinstance(table.type, EffectType):
        return Entry(ctx.lexicon.bare(table.type, value))
    if value == NONE:
        return Entry("nothing happens")
    said = _in_words(ctx, value, THE_PIECE)
    return Entry(f"{routine_title(ctx, ctx.rules.cells[value][0])}. {said.text}", said.clauses)


def _crossed(ctx: BookContext, table: r.Table) -> Table:
    *down, across = (range(lo, hi + 1) for lo, hi in table.over)
    kinds, size = table.over_types, len(across)
    head = (*(_key_head(ctx, k) for k in kinds[:-1]), *(ctx.lexicon.bare(kinds[-1], v) for v in across))
    rows = []
    for i, keys in enumerate(list(product(*down))[:MOST]):
        names = [Entry(ctx.lexicon.bare(k, v)) for k, v in zip(kinds, keys, strict=False)]
        values = table.values[i * size : (i + 1) * size]
        rows.append(DocumentRow((*names, *(_known(ctx, table, v) for v in values))))
    return Table(head, tuple(rows))


def table_id(name: str) -> str:
    return slug("table", name)
