"""The sections with tables: components and types row by row, and the tables that rules look things up in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, islice, product

from dsl import rules as r
from dsl.domains import NONE, EffectType, EnumType, FlagType, IntType, Type, row_type
from dsl.rules.visit import walk
from rulewright.rulebook.definitions import effect_steps
from rulewright.rulebook.document import DocumentCell, DocumentRow, Section, Table, row
from rulewright.rulebook.values import value_id
from rulewright.sentences.context import BookContext
from rulewright.sentences.english import capital
from rulewright.sentences.expressions import is_said_in_place
from rulewright.sentences.framed.steps import this
from rulewright.sentences.steps import routine_id, routine_title
from rulewright.sentences.syntax import Node, phrase
from rulewright.sentences.text import cited, flowing, link, merge_clauses, slug

MAX_COLUMNS = 8
"""In a table with more columns, those that are mostly blank are merged into one."""
MOSTLY = 0.75
FEW_WORDS = 6
"""An effect of so few words is told in each row that has it."""
MAX_ROWS = 150
"""The most rows that are written of a table with several keys."""

Extra = Mapping[str, Mapping[int, str]]
"""Further columns of a table by their head: the text for each value."""


def tables(ctx: BookContext) -> tuple[Section, ...]:
    """Components and types that have rows, then the tables that rules look things up in."""
    return (
        *(_component(ctx, c) for c in ctx.rules.components.values() if has_rows(c)),
        *(_type(ctx, t) for t in ctx.rules.types.values() if _has_table(ctx, t)),
        *(_lookup(ctx, t) for t in ctx.rules.tables.values()),
    )


def does(ctx: BookContext) -> str:
    """The head of the column with the effects of pieces."""
    return ctx.say("what-it-does")


def this_thing(ctx: BookContext, name: str) -> Node:
    """What a piece or value is called whose effect is told: `this card`."""
    if ctx.grammar is not None:
        return this(ctx, name)
    return phrase(f"this {ctx.lexicon.noun(name).one}")


def table_id(name: str) -> str:
    return slug("table", name)


def has_rows(component: r.Component) -> bool:
    """Whether pieces have columns that say more than which one it is."""
    return component.die is None and any(_says_more(component, c) for c in component.columns.values())


def _says_more(component: r.Component, column: r.Column) -> bool:
    kind = isinstance(column.type, EnumType) and column.type.type == column.name
    return not (kind and len(set(column.values)) == len(component.classes))


def _has_table(ctx: BookContext, decl: r.TypeDecl) -> bool:
    row_types = [row_type(c.name) for c in ctx.rules.components.values() if c.columns]
    own = decl.base is None and not decl.parts
    return own and decl.name not in row_types and (bool(_columns(ctx, decl)) or is_drawn_by_hand(decl))


def _columns(ctx: BookContext, decl: r.TypeDecl) -> list[r.Column]:
    """The columns that are shown: neither those with an empty label nor the coordinates of places."""
    coordinates = ("row", "column") if decl.sides else ()
    labels = ctx.lexicon.labels
    return [c for name, c in decl.columns.items() if name not in coordinates and labels.get(c.name) != ""]


# ---- components and types


def _component(ctx: BookContext, component: r.Component) -> Section:
    """A row for each kind of piece that the game has."""
    decl = ctx.rules.types[row_type(component.name)]
    columns = [c for c in _columns(ctx, decl) if c.values != component.copies]
    copies = {i: str(n) for i, n in enumerate(component.copies) if n}
    vary = len(set(component.copies)) > 1 or sum(component.copies) != len(component.classes)
    table = _rows(
        ctx,
        component.name,
        decl,
        columns,
        list(copies),
        {ctx.say("head-how-many"): copies} if vary else {},
        {},
    )
    return _section(ctx, component, table)


def _type(ctx: BookContext, decl: r.TypeDecl) -> Section:
    """A row for each value that plays, and where the rules mention it."""
    playing = {v for n in ctx.folding.config.counts for v in decl.present(n)}
    shown = [v for v in decl.members if v in playing and not _has_no_row(ctx, decl, v)]
    remarks = {v: _remarks(ctx, decl, v) for v in shown}
    more = {ctx.say("head-next-to"): _neighbours(ctx, decl, shown)} if is_drawn_by_hand(decl) else {}
    more |= {ctx.say("head-more"): remarks} if any(remarks.values()) else {}
    return _section(ctx, decl, _rows(ctx, decl.name, decl, _columns(ctx, decl), list(remarks), {}, more))


def is_drawn_by_hand(decl: r.TypeDecl) -> bool:
    """Whether the places of a board lie as they are listed, so that its neighbours must be told."""
    return decl.shape == "graph" and not decl.incident and decl.size <= MAX_ROWS


def _neighbours(ctx: BookContext, decl: r.TypeDecl, shown: Sequence[int]) -> dict[int, str]:
    names = {v: ctx.lexicon.bare(EnumType(decl.name), v) for v in decl.members}
    return {v: ctx.listed([names[w] for w in decl.links[v - decl.lo]]) for v in shown}


def _has_no_row(ctx: BookContext, decl: r.TypeDecl, value: int) -> bool:
    """Whether a place of a board of fields, a corner or an edge is one of which the table says nothing."""
    listed = bool(decl.sides) or "places" in decl.incident
    return listed and all(column.says_nothing(value - decl.lo) for column in _columns(ctx, decl))


def _section(ctx: BookContext, decl: r.Component | r.TypeDecl, table: Table) -> Section:
    blocks = _told_once(ctx, decl, table)
    return Section(table_id(decl.name), capital(ctx.lexicon.noun(decl.name).many), blocks, decl.clauses)


def _told_once(ctx: BookContext, decl: r.Component | r.TypeDecl, table: Table) -> tuple[Table, ...]:
    """The table, and before it one of the effects that several of its rows have: these lead there."""
    column = table.effects
    if column is None:
        return (table,)
    cells = Counter(row.cells[column] for row in table.rows)
    often = [cell for cell, number in cells.items() if number > 1 and len(cell.text.split()) > FEW_WORDS]
    if not often:
        return (table,)
    names = _effect_names(ctx, decl, often)
    ids = {cell: slug(f"effect-{decl.name}", name) for cell, name in names.items()}
    effects = tuple(row(capital(name), cell, id=ids[cell]) for cell, name in names.items())

    def named(cell: DocumentCell) -> DocumentCell:
        return DocumentCell(link(ids[cell], names[cell])) if cell in names else cell

    rows = tuple(
        replace(x, cells=(*x.cells[:column], named(x.cells[column]), *x.cells[column + 1 :]))
        for x in table.rows
    )
    return (Table((ctx.say("head-effect"), does(ctx)), effects), replace(table, rows=rows))


def _effect_names(
    ctx: BookContext, decl: r.Component | r.TypeDecl, often: Sequence[DocumentCell]
) -> dict[DocumentCell, str]:
    """What effects are called, each otherwise: by their routine, with its arguments where others share it."""
    rows = ctx.rules.types[row_type(decl.name)] if isinstance(decl, r.Component) else decl
    cells = {
        i for column in rows.columns.values() if isinstance(column.type, EffectType) for i in column.values
    }
    found: dict[DocumentCell, str] = {}
    titles = Counter(routine_title(ctx, ctx.rules.cells[i][0]) for i in cells if i != NONE)
    acting = this_thing(ctx, decl.name)
    for i in sorted(cells - {NONE}):
        name, arguments = ctx.rules.cells[i]
        cell, title = _effect(ctx, i, acting), routine_title(ctx, name)
        if cell in often and cell not in found:
            given = zip(ctx.rules.routines[name].parameters, arguments, strict=False)
            said = ", ".join(ctx.lexicon.bare(p.var.type, value) for p, value in given)
            found[cell] = f"{title} ({said})" if titles[title] > 1 and said else title
    return found


def _rows(
    ctx: BookContext,
    owner: str,
    decl: r.TypeDecl,
    columns: Sequence[r.Column],
    values: Sequence[int],
    before: Extra,
    after: Extra,
) -> Table:
    """A row for each of the values, with further columns before and after those that are declared.

    `decl` is the type of the rows, and `owner` what declares them: the type itself, or a component.
    """
    blank = _mostly_blank(columns, [v - decl.lo for v in values]) if len(columns) > MAX_COLUMNS else []
    filled = [c for c in columns if c not in blank and not _repeats_title(ctx, decl, c, values)]
    noun = ctx.lexicon.noun(owner).one
    acting = this_thing(ctx, owner)
    rows = []
    for value in values:
        name = decl.label(value)
        title = capital(ctx.lexicon.bare(EnumType(decl.name), value))
        cells = [_cell(ctx, decl, c, value, acting) for c in filled]
        cells += [_merged(ctx, owner, decl, blank, value, acting)] if blank else []
        rows.append(
            row(
                DocumentCell(title, _row_clauses(ctx, owner, name)),
                *(texts[value] for texts in before.values()),
                *cells,
                *(texts[value] for texts in after.values()),
                id=slug(owner, name),
            )
        )
    effects = sum(isinstance(c.type, EffectType) for c in filled)
    heads = (*(_head(ctx, owner, c, effects) for c in filled), *([ctx.say("head-also")] if blank else []))
    columns_ = [i for i, c in enumerate(filled, 1 + len(before)) if isinstance(c.type, EffectType)]
    found = columns_[0] if effects == 1 else None
    return Table((capital(noun), *before, *heads, *after), tuple(rows), found)


def _repeats_title(ctx: BookContext, decl: r.TypeDecl, column: r.Column, values: Sequence[int]) -> bool:
    """Whether a column says in each row again what the row is called."""
    if column.keyed_by is not None or isinstance(column.type, EffectType) or not values:
        return False
    titles = (ctx.lexicon.bare(EnumType(decl.name), v).lower() for v in values)
    cells = (ctx.lexicon.bare(column.type, column.values[v - decl.lo]).lower() for v in values)
    return all(title == cell for title, cell in zip(titles, cells, strict=True))


def _mostly_blank(columns: Sequence[r.Column], rows: Sequence[int]) -> list[r.Column]:
    return [c for c in columns if sum(map(c.says_nothing, rows)) >= MOSTLY * len(rows)]


def _row_clauses(ctx: BookContext, owner: str, name: str) -> tuple[str, ...]:
    rows = ctx.rules.rows
    return next((row.clauses for row in rows if row.name == name and row.owner.endswith(f"`{owner}`")), ())


def _head(ctx: BookContext, owner: str, column: r.Column, effects: int) -> str:
    """The head of a column; of several `effects` each has its own."""
    if isinstance(column.type, EffectType) and effects == 1:
        return does(ctx)
    return capital(ctx.lexicon.column_noun(owner, column.name).one)


# ---- cells


def _cell(ctx: BookContext, decl: r.TypeDecl, column: r.Column, value: int, acting: Node) -> DocumentCell:
    """The cell of a column for a value; for an empty effect, where the rules mention the value."""
    index = value - decl.lo
    if column.keyed_by is not None:
        return DocumentCell(_keyed(ctx, column, ctx.rules.types[column.keyed_by], index))
    content = column.values[index]
    if not isinstance(column.type, EffectType):
        return DocumentCell(ctx.lexicon.bare(column.type, content))
    if content == NONE:
        return DocumentCell(_remarks(ctx, decl, value))
    return _effect(ctx, content, acting)


def _merged(
    ctx: BookContext, owner: str, decl: r.TypeDecl, columns: Sequence[r.Column], value: int, acting: Node
) -> DocumentCell:
    """One cell for several columns, without those that are blank."""
    texts: list[str] = []
    clauses: tuple[str, ...] = ()
    for column in columns:
        if not column.says_nothing(value - decl.lo):
            head = ctx.lexicon.column_noun(owner, column.name).one
            cell = _cell(ctx, decl, column, value, acting)
            texts.append(head if isinstance(column.type, FlagType) else f"{head}: {cell.text}")
            clauses = merge_clauses(clauses, cell.clauses)
    return DocumentCell("; ".join(texts) or "–", clauses)


def _keyed(ctx: BookContext, column: r.Column, keys: r.TypeDecl, index: int) -> str:
    """A group of columns in one cell: `2 red, 1 blue`."""
    group = column.groups[index] if index < len(column.groups) else ()
    parts = []
    for value, key in zip(group, keys.members, strict=False):
        name = ctx.lexicon.bare(EnumType(keys.name), key)
        if isinstance(column.type, FlagType):
            parts += [name] if value else []
        elif isinstance(column.type, IntType):
            parts += [f"{value} {name}"] if value else []
        else:
            parts.append(f"{name}: {ctx.lexicon.bare(column.type, value)}")
    return ", ".join(parts) or "–"


def _effect(ctx: BookContext, cell: int, acting: Node) -> DocumentCell:
    """What a cell does, in words."""
    name, arguments = ctx.rules.cells[cell]
    steps = effect_steps(ctx, name, arguments, acting)
    clauses = tuple(c for s in steps for c in cited(s))
    return DocumentCell(flowing(steps), merge_clauses(ctx.rules.routines[name].clauses, clauses))


# ---- where the rules mention a value


def _remarks(ctx: BookContext, decl: r.TypeDecl, value: int) -> str:
    """The author's words for a value, and where the rules mention it."""
    where = ctx.listed([ctx.say("quoted", it=w) for w in dict.fromkeys(_mentions(ctx, decl, value))])
    help_ = ctx.lexicon.helps.get(decl.label(value), "")
    return " ".join(text for text in (help_, ctx.say("see-where", where=where) if where else "") if text)


def _mentions(ctx: BookContext, decl: r.TypeDecl, value: int) -> Iterator[str]:
    """The titles of what mentions a value, with links."""

    def mentioned(tree: object) -> bool:
        constants = ((p.type, p.value) for p in walk(tree) if isinstance(p, r.Const))
        return any(isinstance(t, EnumType) and (t.type, v) == (decl.name, value) for t, v in constants)

    rules, lexicon = ctx.rules, ctx.lexicon
    for routine in rules.routines.values():
        if routine.name in ctx.usage.played and mentioned(ctx.folding.block(routine.block)):
            yield link(*_section_of(ctx, routine.name))
    for definition in rules.values.values():
        if mentioned(definition.parts) and ctx.usage.values[definition.name]:
            title = lexicon.noun(definition.name).one
            yield title if is_said_in_place(ctx, definition) else link(value_id(definition.name), title)
    for line in rules.scores:
        if mentioned(line.value):
            yield link("scoring", lexicon.label(line.name))


def _section_of(ctx: BookContext, routine: str) -> tuple[str, str]:
    """The id and title of where a routine is described: in another, in the cell of a table, or by itself."""
    if routine in ctx.section_of:
        return ctx.section_of[routine]
    id = _table_with(ctx.rules, routine) if ctx.usage.is_in_cell(routine) else routine_id(routine)
    return id, routine_title(ctx, routine)


def _table_with(rules: r.Rules, effect: str) -> str:
    """The id of the first table that has an effect in its cells."""
    cells = {i for i, (name, _) in enumerate(rules.cells) if name == effect}

    def holds(column: r.Column | r.Table) -> bool:
        return isinstance(column.type, EffectType) and not cells.isdisjoint(column.values)

    owners: list[r.Component | r.TypeDecl] = [*rules.components.values(), *rules.types.values()]
    names = [decl.name for decl in owners if any(map(holds, decl.columns.values()))]
    names += [table.name for table in rules.tables.values() if holds(table)]
    return table_id(names[0].removesuffix(" row"))


# ---- tables that are looked up


def _lookup(ctx: BookContext, table: r.Table) -> Section:
    """A row for each key, or with several keys the last one across; equal neighbours share a row."""
    title = capital(ctx.lexicon.label(table.name))
    heads = [capital(ctx.lexicon.type_noun(kind).one) for kind in table.over_types]
    if len(table.over) == 1:
        block = Table((*heads, title), tuple(_single(ctx, table)))
    else:
        block = _crossed(ctx, table, heads[:-1])
    return Section(table_id(table.name), title, (block,), table.clauses)


def _single(ctx: BookContext, table: r.Table) -> Iterator[DocumentRow]:
    (lo, hi), kind = table.over[0], table.over_types[0]
    for value, keys in groupby(range(lo, hi + 1), lambda key: table.values[key - lo]):
        names = [ctx.lexicon.bare(kind, key) for key in keys]
        span = isinstance(kind, IntType) and len(names) > 1
        yield row(
            ctx.say("range", low=names[0], high=names[-1]) if span else ctx.listed(names),
            _table_cell(ctx, table.type, value),
        )


def _crossed(ctx: BookContext, table: r.Table, heads: Sequence[str]) -> Table:
    *down, across = (range(lo, hi + 1) for lo, hi in table.over)
    *kinds, last = table.over_types
    size = len(across)
    rows = []
    for i, keys in enumerate(islice(product(*down), MAX_ROWS)):
        names = (ctx.lexicon.bare(kind, key) for kind, key in zip(kinds, keys, strict=True))
        values = table.values[i * size : (i + 1) * size]
        rows.append(row(*names, *(_table_cell(ctx, table.type, value) for value in values)))
    return Table((*heads, *(ctx.lexicon.bare(last, value) for value in across)), tuple(rows))


def _table_cell(ctx: BookContext, kind: Type, value: int) -> DocumentCell:
    if not isinstance(kind, EffectType):
        return DocumentCell(ctx.lexicon.bare(kind, value))
    if value == NONE:
        return DocumentCell(ctx.say("nothing-happens-cell"))
    cell = _effect(ctx, value, ctx.acting)
    return DocumentCell(f"{routine_title(ctx, ctx.rules.cells[value][0])}. {cell.text}", cell.clauses)
