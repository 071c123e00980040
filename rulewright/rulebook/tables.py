"""Tables for reading: cards and tiles with what each does, and functions given row by row."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from dsl import rules as r
from dsl.domains import NONE, EffectType, EnumType, FlagType, IntType, Type, row_type
from dsl.rules.visit import walk
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
from rulewright.rulebook.voice import THE_PIECE, Voice

WIDE = 8
"""The most columns of which each has its place, however little it says."""
MOSTLY = 0.75
MOST = 150
"""The most rows of a table that are written out."""


def tables(voice: Voice) -> tuple[Section, ...]:
    """Components and types that have rows, then the tables that rules look things up in."""
    found = [_component(voice, c) for c in voice.rules.components.values() if has_rows(c)]
    found += [_type(voice, t) for t in voice.rules.types.values() if _is_table(voice, t)]
    found += [_lookup(voice, t) for t in voice.rules.tables.values()]
    return tuple(found)


def has_rows(component: r.Component) -> bool:
    """Whether pieces have columns that say more than which one it is."""
    return component.die is None and any(_says_more(component, c) for c in component.columns.values())


def _says_more(component: r.Component, column: r.Column) -> bool:
    kind = isinstance(column.type, EnumType) and column.type.type == column.name
    return not (kind and len(set(column.values)) == len(component.classes))


def _is_table(voice: Voice, decl: r.TypeDecl) -> bool:
    """Types with columns of their own; the rows and columns of a board are on the board."""
    rows = [row_type(c.name) for c in voice.rules.components.values() if c.columns]
    own = [c for c in _own_columns(decl) if voice.lexicon.labels.get(c) != ""]
    return decl.base is None and decl.name not in rows and bool(own)


# ---- rows of components and types


def _component(voice: Voice, component: r.Component) -> Section:
    """A row for each kind of piece that the game has."""
    noun = voice.lexicon.noun(component.name)
    shown = [c for c in component.columns.values() if _is_shown(voice, c) and c.values != component.copies]
    kept = [i for i, copies in enumerate(component.copies) if copies]
    filled, sparse = _parted(shown, kept)
    numbers = len(set(component.copies)) > 1 or sum(component.copies) != len(component.classes)
    head = [*(["How many"] if numbers else []), *_heads(voice, component.name, filled, sparse)]
    rows = []
    for i in kept:
        name = component.classes[i]
        number = [Entry(str(component.copies[i]))] if numbers else []
        cells = _cells(voice, component.name, EnumType(row_type(component.name)), i, (filled, sparse))
        first = Entry(capital(voice.lexicon.label(name)), _row_clauses(voice, component.name, name))
        rows.append(DocumentRow((first, *number, *cells), slug(component.name, name)))
    return _section(component.name, noun, head, rows, component.clauses)


def _type(voice: Voice, decl: r.TypeDecl) -> Section:
    """A row for each value that plays, and where it counts."""
    noun, kind = voice.lexicon.noun(decl.name), EnumType(decl.name)
    columns = [c for n, c in decl.columns.items() if _is_shown(voice, c) and n in _own_columns(decl)]
    playing = {v for n in voice.folding.setting.counts for v in decl.present(n)}
    told = {v: _told(voice, kind, v) for v in decl.members if v in playing}
    filled, sparse = _parted(columns, [v - decl.lo for v in told])
    more = any(told.values())
    head = [*_heads(voice, decl.name, filled, sparse), *(["More"] if more else [])]
    rows = []
    for value, said in told.items():
        name = decl.label(value)
        cells = _cells(voice, decl.name, kind, value - decl.lo, (filled, sparse))
        first = Entry(capital(voice.lexicon.bare(kind, value)), _row_clauses(voice, decl.name, name))
        rows.append(DocumentRow((first, *cells, *([Entry(said)] if more else [])), slug(decl.name, name)))
    return _section(decl.name, noun, head, rows, decl.clauses)


Columns = list[r.Column]


def _parted(columns: Columns, rows: list[int]) -> tuple[Columns, Columns]:
    """Columns that mostly say something, and in a wide table those that mostly say nothing."""
    sparse = [
        c for c in columns if len(columns) > WIDE and sum(map(c.says_nothing, rows)) >= MOSTLY * len(rows)
    ]
    return [c for c in columns if c not in sparse], sparse


def _heads(voice: Voice, owner: str, filled: Columns, sparse: Columns) -> list[str]:
    return [*(_head(voice, owner, c) for c in filled), *(["Also"] if sparse else [])]


def _cells(
    voice: Voice, owner: str, kind: EnumType, row: int, columns: tuple[Columns, Columns]
) -> list[Entry]:
    """The cells of a row; what stands in columns that mostly say nothing goes into one."""
    filled, sparse = columns
    acting = phrase(f"this {voice.lexicon.noun(owner).one}")
    cells = [_cell(voice, c, row, acting, kind) for c in filled]
    more = [(c, _cell(voice, c, row, acting, kind)) for c in sparse if not c.says_nothing(row)]
    if not sparse:
        return cells
    texts = [_named_cell(voice, owner, c, entry) for c, entry in more]
    marks = tuple(dict.fromkeys(m for _, entry in more for m in entry.clauses))
    return [*cells, Entry("; ".join(texts) or "–", marks)]


def _named_cell(voice: Voice, owner: str, column: r.Column, entry: Entry) -> str:
    head = voice.lexicon.column_noun(owner, column.name).one
    return head if isinstance(column.type, FlagType) else f"{head}: {entry.text}"


def _section(
    name: str, noun: Noun, head: list[str], rows: list[DocumentRow], clauses: tuple[str, ...]
) -> Section:
    table = Table((capital(noun.one), *head), tuple(rows))
    return Section(table_id(name), capital(noun.many), (table,), clauses)


def _own_columns(decl: r.TypeDecl) -> tuple[str, ...]:
    """Columns but the row and column of a place on a board, which its name says."""
    return tuple(n for n in decl.columns if not (decl.sides and n in ("row", "column")))


def _row_clauses(voice: Voice, owner: str, name: str) -> tuple[str, ...]:
    """The marks of a row; of one that cites none, nothing."""
    rows = voice.rules.rows
    return next((row.clauses for row in rows if row.name == name and row.owner.endswith(f"`{owner}`")), ())


def _is_shown(voice: Voice, column: r.Column) -> bool:
    return voice.lexicon.labels.get(column.name) != ""


def _head(voice: Voice, owner: str, column: r.Column) -> str:
    if isinstance(column.type, EffectType):
        return "What it does"
    return capital(voice.lexicon.column_noun(owner, column.name).one)


def _cell(voice: Voice, column: r.Column, row: int, acting: Node, kind: EnumType) -> Entry:
    if column.keyed_by is not None:
        return Entry(_keyed(voice, column, row))
    value = column.values[row]
    if isinstance(column.type, EffectType):
        return _effect(voice, value, acting, kind, row)
    return Entry(voice.lexicon.bare(column.type, value))


def _keyed(voice: Voice, column: r.Column, row: int) -> str:
    """A group of columns in one cell: `2 red, 1 blue`."""
    decl = voice.rules.types[column.keyed_by or ""]
    collection = column.groups[row] if row < len(column.groups) else ()
    parts = []
    for value, known in zip(collection, decl.members, strict=False):
        name = voice.lexicon.bare(EnumType(decl.name), known)
        if isinstance(column.type, FlagType):
            parts += [name] if value else []
        elif isinstance(column.type, IntType):
            parts += [f"{value} {name}"] if value else []
        else:
            parts.append(f"{name}: {voice.lexicon.bare(column.type, value)}")
    return ", ".join(parts) or "–"


def _effect(voice: Voice, cell: int, acting: Node, kind: EnumType, row: int) -> Entry:
    """What a cell does, in words; where it is empty, where else the row counts."""
    if cell == NONE:
        return Entry(_told(voice, kind, row))
    return _in_words(voice, cell, acting)


def _in_words(voice: Voice, cell: int, acting: Node) -> Entry:
    name, arguments = voice.rules.cells[cell]
    steps = effect_steps(voice, name, arguments, acting)
    marks = tuple(c for s in steps for c in cited(s))
    return Entry(flowing(steps), joined(voice.rules.routines[name].clauses, marks))


# ---- where a row counts


def _told(voice: Voice, kind: EnumType, value: int) -> str:
    """The author's words for a row, or where the rules speak of it."""
    rules = voice.rules
    name = _row_name(rules, kind, value)
    where = listed([f"“{w}”" for w in dict.fromkeys(_mentions(voice, kind, value))])
    said = voice.lexicon.helps.get(name, "")
    counts = f"See {where}." if where else ""
    return " ".join(p for p in (said, counts) if p)


def _row_name(rules: r.Rules, kind: EnumType, value: int) -> str:
    decl = rules.types.get(kind.type)
    if decl is not None:
        return decl.label(
            value + (0 if kind.type in rules.types and not kind.type.endswith(" row") else decl.lo)
        )
    return ""


def _mentions(voice: Voice, kind: EnumType, value: int) -> Iterator[str]:
    rules, lexicon = voice.rules, voice.lexicon
    for routine in rules.routines.values():
        if routine.name in voice.calls.played and _speaks(voice.folding.block(routine.block), kind, value):
            yield link(*_place_of(voice, routine))
    for found in rules.values.values():
        if _speaks((found.cases, found.modifiers), kind, value) and voice.calls.values[found.name]:
            title = lexicon.noun(found.name).one
            yield title if is_said_in_place(voice, found) else link(value_id(found.name), title)
    for line in rules.scores:
        if _speaks(line.value, kind, value):
            yield link("scoring", lexicon.label(line.name))


def _place_of(voice: Voice, routine: r.Routine) -> tuple[str, str]:
    """Where a routine is told: within another, in the cell of a table, or in its own section."""
    if routine.name in voice.places:
        return voice.places[routine.name]
    heading, name = routine_title(voice, routine.name), routine.name
    in_cell = name in voice.calls.cells and not voice.calls.offers[name]
    return (_home(voice.rules, name) if in_cell else routine_id(name)), heading


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


def _lookup(voice: Voice, table: r.Table) -> Section:
    """A row for each key, or with several keys the last one across; equal neighbours share a row."""
    title = capital(voice.lexicon.label(table.name))
    if len(table.over) == 1:
        found = Table((_key_head(voice, table.over_types[0]), title), tuple(_single(voice, table)))
    else:
        found = _crossed(voice, table)
    return Section(table_id(table.name), title, (found,), table.clauses)


def _key_head(voice: Voice, kind: Type) -> str:
    return capital(voice.lexicon.type_noun(kind).one)


def _single(voice: Voice, table: r.Table) -> Iterator[DocumentRow]:
    lo, hi = table.over[0]
    kind, start = table.over_types[0], lo
    for key in range(lo, hi + 1):
        value = table.values[key - lo]
        if key < hi and table.values[key + 1 - lo] == value:
            continue
        names = [voice.lexicon.bare(kind, k) for k in (start, key)]
        shown = (
            names[0]
            if start == key
            else " to ".join(names)
            if isinstance(kind, IntType)
            else listed([voice.lexicon.bare(kind, k) for k in range(start, key + 1)])
        )
        yield DocumentRow((Entry(shown), _known(voice, table, value)))
        start = key + 1


def _known(voice: Voice, table: r.Table, value: int) -> Entry:
    if not isinstance(table.type, EffectType):
        return Entry(voice.lexicon.bare(table.type, value))
    if value == NONE:
        return Entry("nothing happens")
    said = _in_words(voice, value, THE_PIECE)
    return Entry(f"{routine_title(voice, voice.rules.cells[value][0])}. {said.text}", said.clauses)


def _crossed(voice: Voice, table: r.Table) -> Table:
    *down, across = (range(lo, hi + 1) for lo, hi in table.over)
    kinds, size = table.over_types, len(across)
    head = (*(_key_head(voice, k) for k in kinds[:-1]), *(voice.lexicon.bare(kinds[-1], v) for v in across))
    rows = []
    for i, keys in enumerate(list(product(*down))[:MOST]):
        names = [Entry(voice.lexicon.bare(k, v)) for k, v in zip(kinds, keys, strict=False)]
        values = table.values[i * size : (i + 1) * size]
        rows.append(DocumentRow((*names, *(_known(voice, table, v) for v in values))))
    return Table(head, tuple(rows))


def table_id(name: str) -> str:
    return slug("table", name)
