"""The sections with tables: components and types row by row, and the tables that rules look things up in."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby, islice, product

from dsl import rules as r
from dsl.domains import NONE, EffectType, EnumType, FlagType, IntType, Type, row_type
from rulewright.rulebook.alike import FEWEST_ALIKE, WORDS, with_alike
from rulewright.rulebook.definitions import effect_steps
from rulewright.rulebook.document import DocumentCell, DocumentRow, Paragraph, Section, Table, row
from rulewright.rulebook.remarks import remarks, table_id
from rulewright.sentences.context import BookContext
from rulewright.sentences.english import capital
from rulewright.sentences.framed.steps import this
from rulewright.sentences.steps import routine_title
from rulewright.sentences.summaries import numbers_in
from rulewright.sentences.syntax import Node, phrase
from rulewright.sentences.text import cited, flowing, link, merge_clauses, slug

MAX_COLUMNS = 8
"""In a table with more columns, those that are mostly blank are merged into one."""
MOSTLY = 0.75
FEW_WORDS = 6
"""An effect of so few words is told in each row that has it."""
SELDOM = 0.2
"""If no more of the kinds have several pieces, these rows say so, and there is no column for it."""
MANY_ROWS = 3
"""A clause that so many rows cite is marked at the heading of their table."""
IN_ORDER = 0.6
"""A group of columns with so many of its cells filled tells its keys in the head, and only numbers below."""
MAX_ROWS = 150
"""The most rows that are written of a table with several keys."""

LISTED = re.compile(r"(.*) \(([^()]*, [^()]*)\)")
"""A head with the keys of a group of columns."""

Extra = Mapping[str, Mapping[int, str]]
"""Further columns of a table by their head: the text for each value."""


def tables(ctx: BookContext) -> tuple[Section, ...]:
    """Components and types that have rows, then the tables that rules look things up in."""
    rows = [c for c in ctx.rules.components.values() if has_rows(c)]
    shown = {kind.name for c in rows if (kind := _kind_of(ctx.rules, c)) is not None}
    return (
        *(_component(ctx, c) for c in rows),
        *(_type(ctx, t) for t in ctx.rules.types.values() if _has_table(ctx, t) and t.name not in shown),
        *(_lookup(ctx, t) for t in ctx.rules.tables.values() if not _is_spoken(ctx, t)),
    )


def does(ctx: BookContext) -> str:
    """The head of the column with the effects of pieces."""
    return ctx.say("what-it-does")


def this_thing(ctx: BookContext, name: str) -> Node:
    """What a piece or value is called whose effect is told: `this card`."""
    if ctx.grammar is not None:
        return this(ctx, name)
    return phrase(f"this {ctx.lexicon.noun(name).one}")


def has_rows(component: r.Component) -> bool:
    """Whether pieces have columns that say more than which one it is."""
    return component.die is None and any(_says_more(component, c) for c in component.columns.values())


def _says_more(component: r.Component, column: r.Column) -> bool:
    kind = isinstance(column.type, EnumType) and column.type.type == column.name
    return not (kind and len(set(column.values)) == len(component.classes))


def _kind_of(rules: r.Rules, component: r.Component) -> r.TypeDecl | None:
    """The type whose values are the kinds of pieces that a component has, so that one table tells both."""
    for column in component.columns.values():
        decl = rules.types.get(column.name)
        same = isinstance(column.type, EnumType) and column.type.type == column.name
        if decl is not None and same and column.values == tuple(range(decl.lo, decl.hi + 1)):
            return decl
    return None


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
    """A row for each kind of piece that the game has; with it what its type says, if its rows are a type."""
    decl, kind = ctx.rules.types[row_type(component.name)], _kind_of(ctx.rules, component)
    columns = [c for c in _columns(ctx, decl) if c.values != component.copies]
    copies = {i: n for i, n in enumerate(component.copies) if n}
    vary = len(set(component.copies)) > 1 or sum(component.copies) != len(component.classes)
    few = vary and sum(n > 1 for n in copies.values()) <= SELDOM * len(copies)
    few = few or (vary and len(copies) >= FEWEST_ALIKE)
    before = {ctx.say("head-how-many"): {i: str(n) for i, n in copies.items()}} if vary and not few else {}
    table = _rows(ctx, component.name, decl, columns, list(copies), before, {})
    if few:
        table = _with_copies(table, tuple(copies.values()))
    if kind is not None:
        table = _with_remarks(ctx, kind, list(copies), table)
        table = _with_clauses(ctx, kind, list(copies), table)
    return _section(ctx, component, table)


def _with_copies(table: Table, copies: Sequence[int]) -> Table:
    """A table in which the few kinds that there are several of say so in their first cells: `Mill ×2`."""

    def counted(line: DocumentRow, number: int) -> DocumentRow:
        first, *others = line.cells
        title = replace(first, text=f"{first.text} ×{number}") if number > 1 else first
        return replace(line, cells=(title, *others))

    return replace(table, rows=tuple(map(counted, table.rows, copies)))


def _with_clauses(ctx: BookContext, decl: r.TypeDecl, values: Sequence[int], table: Table) -> Table:
    """A table whose rows cite the clauses of the values of a type too."""

    def citing(line: DocumentRow, value: int) -> DocumentRow:
        first, *others = line.cells
        more = merge_clauses(first.clauses, _row_clauses(ctx, decl.name, decl.label(value)))
        return replace(line, cells=(replace(first, clauses=more), *others))

    return replace(table, rows=tuple(map(citing, table.rows, values)))


def _with_remarks(ctx: BookContext, decl: r.TypeDecl, values: Sequence[int], table: Table) -> Table:
    """A table with a column of what else is said of the values, if anything is."""
    said = [
        remarks(ctx, decl, value, (*table.head, *(cell.text for cell in line.cells)))
        for line, value in zip(table.rows, values, strict=True)
    ]
    if not any(said):
        return table
    rows = (
        replace(line, cells=(*line.cells, DocumentCell(text)))
        for line, text in zip(table.rows, said, strict=True)
    )
    return replace(table, head=(*table.head, ctx.say("head-more")), rows=tuple(rows))


def _type(ctx: BookContext, decl: r.TypeDecl) -> Section:
    """A row for each value that plays, and where the rules mention it."""
    playing = {v for n in ctx.folding.config.counts for v in decl.present(n)}
    shown = [v for v in decl.members if v in playing and not _has_no_row(ctx, decl, v)]
    more = {ctx.say("head-next-to"): _neighbours(ctx, decl, shown)} if is_drawn_by_hand(decl) else {}
    table = _rows(ctx, decl.name, decl, _columns(ctx, decl), shown, {}, more)
    return _section(ctx, decl, _with_remarks(ctx, decl, shown, table))


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
    *effects, table = _told_once(ctx, decl, with_alike(ctx, table))
    table, clauses = _marked_above(table)
    keys, table = _with_keys_once(ctx, table)
    blocks = (*effects, *keys, _without_rows(table))
    title = capital(ctx.lexicon.noun(decl.name).many)
    return Section(table_id(decl.name), title, blocks, merge_clauses(decl.clauses, clauses))


def _with_keys_once(ctx: BookContext, table: Table) -> tuple[tuple[Paragraph, ...], Table]:
    """A table of which several heads list the same keys, `Buying (food, tools)`: a sentence lists them."""
    found = Counter(match[2] for head in table.head if (match := LISTED.fullmatch(head)))
    keys, number = max(found.items(), key=lambda item: item[1], default=("", 0))
    if number < 2:
        return (), table
    heads = tuple(head.removesuffix(f" ({keys})") for head in table.head)
    return (Paragraph(ctx.say("keys-in-order", keys=keys)),), replace(table, head=heads)


def _without_rows(table: Table) -> Table | Paragraph:
    """A table of one column without marks as a sentence."""
    cells = [cell for line in table.rows for cell in line.cells]
    if len(table.head) > 1 or table.effects is not None or any(cell.clauses for cell in cells):
        return table
    return Paragraph(f"{table.head[0]}: {'; '.join(cell.text for cell in cells)}.")


def _marked_above(table: Table) -> tuple[Table, tuple[str, ...]]:
    """A table without the marks that many of its rows have, and these, which stand at its heading."""
    cited_by = Counter(
        c for line in table.rows for c in dict.fromkeys(c for cell in line.cells for c in cell.clauses)
    )
    often = tuple(clause for clause, number in cited_by.items() if number >= MANY_ROWS)
    rows = tuple(
        replace(x, cells=tuple(replace(c, clauses=_others(c.clauses, often)) for c in x.cells))
        for x in table.rows
    )
    return replace(table, rows=rows), often


def _others(clauses: Sequence[str], known: Sequence[str]) -> tuple[str, ...]:
    return tuple(clause for clause in clauses if clause not in known)


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
    named = _in_names(ctx, decl, columns, values)
    columns = [c for c in columns if c not in named and not _repeats_title(ctx, decl, c, values)]
    blank = _mostly_blank(columns, [v - decl.lo for v in values]) if len(columns) > MAX_COLUMNS else []
    filled = [c for c in columns if c not in blank]
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
    said = ctx.listed([ctx.lexicon.column_noun(owner, c.name).one for c in named])
    first = ctx.say("head-names-say", noun=capital(noun), columns=said) if named else capital(noun)
    return Table((first, *before, *heads, *after), tuple(rows), found)


def _in_names(
    ctx: BookContext, decl: r.TypeDecl, columns: Sequence[r.Column], values: Sequence[int]
) -> list[r.Column]:
    """The columns whose cells each name says: `2 food (far)`, `Fruit and ceramics`, `Stairs 3`.

    What a name does not mention is 0 or none. Of fewer names a reader would not see that they say so.
    """
    if len(values) < FEWEST_ALIKE:
        return []
    names = [WORDS.findall(ctx.lexicon.bare(EnumType(decl.name), v).lower()) for v in values]
    rows = [v - decl.lo for v in values]
    kinds: dict[str, list[r.Column]] = {}
    for column in columns:
        if isinstance(column.type, EnumType) and column.keyed_by is None and column.type.type != "seat":
            kinds.setdefault(column.type.type, []).append(column)
    found = [
        c
        for c in columns
        if _is_group_in_names(ctx, c, names, rows)
        or _is_in_names(c, names, rows)
        or _is_flag_in_names(ctx, decl, c, names, rows)
    ]
    return found + [
        column
        for kind, alike in kinds.items()
        if any(c.values[row] != NONE for c in alike for row in rows)
        and all(
            _members_in(ctx.rules.types[kind], ctx, name)
            == [v for c in alike if (v := c.values[row]) != NONE]
            for name, row in zip(names, rows, strict=True)
        )
        for column in alike
    ]


def _is_in_names(column: r.Column, names: Sequence[Sequence[str]], rows: Sequence[int]) -> bool:
    """Whether the only number in each name is that of the column; without one it is 0."""
    if column.keyed_by is not None or not isinstance(column.type, IntType):
        return False
    numbers = ([int(word) for word in name if word.isdecimal()] for name in names)
    cells = [column.values[row] for row in rows]
    return any(cells) and all(n == ([v] if v else []) for n, v in zip(numbers, cells, strict=True))


def _is_flag_in_names(
    ctx: BookContext, decl: r.TypeDecl, column: r.Column, names: Sequence[Sequence[str]], rows: Sequence[int]
) -> bool:
    """Whether just the names of what has a property have its word."""
    if column.keyed_by is not None or not isinstance(column.type, FlagType):
        return False
    words = WORDS.findall(ctx.lexicon.column_noun(decl.name, column.name).one.lower())
    said = [all(word in name for word in words) for name in names]
    return any(said) and said == [bool(column.values[row]) for row in rows]


def _members_in(decl: r.TypeDecl, ctx: BookContext, name: Sequence[str]) -> list[int]:
    """The values of a type that a name mentions, in its order; of two that begin at a word the longer one."""
    keys = {v: WORDS.findall(ctx.lexicon.bare(EnumType(decl.name), v).lower()) for v in decl.members}
    longest = sorted(keys, key=lambda v: -len(keys[v]))
    found, at = [], 0
    while at < len(name):
        value = next((v for v in longest if keys[v] and list(name[at : at + len(keys[v])]) == keys[v]), None)
        found += [] if value is None else [value]
        at += 1 if value is None else len(keys[value])
    return found


def _is_group_in_names(
    ctx: BookContext, column: r.Column, names: Sequence[Sequence[str]], rows: Sequence[int]
) -> bool:
    if column.keyed_by is None or not isinstance(column.type, IntType):
        return False
    keys = ctx.lexicon.members(ctx.rules.types[column.keyed_by])
    groups = [column.groups[row] if row < len(column.groups) else () for row in rows]
    return any(map(any, groups)) and all(map(partial(_names_say, keys), names, groups))


def _names_say(keys: Sequence[str], name: Sequence[str], numbers: Sequence[int]) -> bool:
    pairs = zip(keys, numbers, strict=False)
    return all(_named_number(name, WORDS.findall(key.lower())) == number for key, number in pairs)


def _named_number(words: Sequence[str], key: Sequence[str]) -> int:
    """How often words have a key in them; once with a number before it is that many."""
    size = len(key)
    at = [i for i in range(len(words) - size + 1) if list(words[i : i + size]) == list(key)]
    if len(at) == 1 and at[0] and words[at[0] - 1].isdecimal():
        return int(words[at[0] - 1])
    return len(at)


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
    head = capital(ctx.lexicon.column_noun(owner, column.name).one)
    keys = _in_order(ctx, column)
    return f"{head} ({', '.join(keys)})" if keys else head


# ---- cells


def _cell(ctx: BookContext, decl: r.TypeDecl, column: r.Column, value: int, acting: Node) -> DocumentCell:
    """The cell of a column for a value; for an empty effect, where the rules mention the value."""
    index = value - decl.lo
    if column.keyed_by is not None:
        return DocumentCell(_keyed(ctx, column, ctx.rules.types[column.keyed_by], index))
    content = column.values[index]
    if not isinstance(column.type, EffectType):
        blank = content in (0, NONE) and isinstance(column.type, IntType) and _is_mostly_zero(decl, column)
        return DocumentCell("" if blank else ctx.lexicon.bare(column.type, content))
    if content == NONE:
        shown = [c for c in decl.columns.values() if not (c.keyed_by or isinstance(c.type, EffectType))]
        told = (ctx.lexicon.bare(c.type, c.values[index]) for c in shown)
        heads = (ctx.lexicon.column_noun(decl.name, c.name).one for c in shown)
        return DocumentCell(remarks(ctx, decl, value, (*heads, *told)))
    return _effect(ctx, content, acting)


def _is_mostly_zero(decl: r.TypeDecl, column: r.Column) -> bool:
    """Whether more rows have 0 in a column than not, so that a blank cell says it."""
    cells = [column.values[value - decl.lo] for value in decl.members]
    return 2 * cells.count(0) > len(cells)


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
    return DocumentCell("; ".join(texts), clauses)


def _in_order(ctx: BookContext, column: r.Column) -> tuple[str, ...]:
    """The keys of a group of numbers that are written in their order; nothing if most are blank."""
    cells = [cell for group in column.groups for cell in group]
    if column.keyed_by is None or not isinstance(column.type, IntType) or not cells:
        return ()
    if sum(cell != 0 for cell in cells) < IN_ORDER * len(cells):
        return ()
    return tuple(ctx.lexicon.members(ctx.rules.types[column.keyed_by]))


def _keyed(ctx: BookContext, column: r.Column, keys: r.TypeDecl, index: int) -> str:
    """A group of columns in one cell: `2 red, 1 blue`, or `2, –, 1` under a head with the keys."""
    group = column.groups[index] if index < len(column.groups) else ()
    if _in_order(ctx, column):
        return ", ".join(str(value) if value else "–" for value in group)
    parts = []
    for value, key in zip(group, keys.members, strict=False):
        name = ctx.lexicon.bare(EnumType(keys.name), key)
        if isinstance(column.type, FlagType):
            parts += [name] if value else []
        elif isinstance(column.type, IntType):
            parts += [f"{value} {name}"] if value else []
        else:
            parts.append(f"{name}: {ctx.lexicon.bare(column.type, value)}")
    return ", ".join(parts)


def _effect(ctx: BookContext, cell: int, acting: Node) -> DocumentCell:
    """What a cell does, in words."""
    name, arguments = ctx.rules.cells[cell]
    steps = effect_steps(ctx, name, arguments, acting)
    clauses = tuple(c for s in steps for c in cited(s))
    return DocumentCell(flowing(steps), merge_clauses(ctx.rules.routines[name].clauses, clauses))


# ---- tables that are looked up


def _is_spoken(ctx: BookContext, table: r.Table) -> bool:
    """Whether summaries in the book have all numbers of a table."""
    if not isinstance(table.type, IntType) or not table.clauses or not ctx.spoken.issuperset(table.clauses):
        return False
    told = " ".join(f"{c.heading} {c.says}" for c in map(ctx.summaries.__getitem__, table.clauses))
    numbers = {int(ctx.lexicon.bare(table.type, n)) for n in table.values}
    return {n for n in numbers if n > 1} <= numbers_in(told)


def _lookup(ctx: BookContext, table: r.Table) -> Section:
    """The value for each key, or with several keys a table with the last one across."""
    title = capital(ctx.lexicon.label(table.name))
    heads = [capital(ctx.lexicon.type_noun(kind).one) for kind in table.over_types]
    block: Table | Paragraph
    if len(table.over) > 1:
        block = _crossed(ctx, table, heads[:-1])
    elif isinstance(table.type, EffectType):
        block = Table((*heads, title), tuple(row(key, value) for key, value in _single(ctx, table)))
    else:
        pairs = (f"{key}: {value.text}" for key, value in _single(ctx, table))
        block = Paragraph(f"{heads[0]} {'; '.join(pairs)}.")
    return Section(table_id(table.name), title, (block,), table.clauses)


def _single(ctx: BookContext, table: r.Table) -> Iterator[tuple[str, DocumentCell]]:
    """The keys with their values; equal neighbours together."""
    (lo, hi), kind = table.over[0], table.over_types[0]
    for value, keys in groupby(range(lo, hi + 1), lambda key: table.values[key - lo]):
        names = [ctx.lexicon.bare(kind, key) for key in keys]
        span = isinstance(kind, IntType) and len(names) > 1
        keys_ = ctx.say("range", low=names[0], high=names[-1]) if span else ctx.listed(names)
        yield keys_, _table_cell(ctx, table.type, value)


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
