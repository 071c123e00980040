"""Names in `game.yaml`, tables, labels, the rulebook file and scenarios."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import lru_cache
from typing import assert_never

from dsl.declare.labels import HOLE
from dsl.declare.nodes import WORD
from dsl.declare.sheets import Titles, cells_of_csv, lines_of_csv, titles_of
from dsl.declare.state_vars import LIFETIMES
from dsl.declare.symbol_table import SymbolTable
from dsl.diagnostics import DiagnosticError
from dsl.document import KEPT, Mapping, Node, Scalar, Sequence, read
from dsl.domains import EnumType, SetType, Type
from dsl.index.index import Index
from dsl.index.rules_names import plain, words_in
from dsl.index.symbols import Symbol, declared
from dsl.rules import Column, Table
from dsl.sheets.delimited import is_table
from dsl.sheets.names import word_for
from dsl.source import Source, Span

DECLARING = (
    *("constants", "options", "rulings", "types", "boards", "components", "zones", "counters", "marks"),
    *("pointers", "tables", "histories"),
)
"""The sections of `game.yaml` whose keys declare names."""
PROSE = frozenset({"title", "why", "says", "heading", "note", "scenario", "because", "text"})
"""Keys whose texts are for people."""
OF_PHASES = frozenset({"at", "phase", "step"})
"""Keys of scenarios whose values begin with a phase, which may share its name with something else."""
LATTICES = ("grid", "hex")
"""The shapes of boards whose places are named by where they lie."""
NAMED_SHAPES = ("line", "ring", "graph")
"""The shapes of boards whose places have names of their own, in a list or a file."""
FILES = frozenset({"table", "clauses", "labels", "look", "about", "rules", "overlay", "game"})
"""Keys whose texts are names of files and games."""
SUBLABELS = frozenset({"help", "nouns", "phrases"})


@dataclass
class YamlNames:
    """Adds the names in YAML and CSV to an index."""

    index: Index
    symbols: SymbolTable
    parameters: dict[str, dict[str, Symbol]] = field(default_factory=dict)
    """The parameters of each routine and value, for holes in labels."""
    owners: dict[str, list[Symbol]] = field(default_factory=lambda: defaultdict(list))
    """The values of each name, of whatever type."""

    remembered: dict[tuple[str, str | None], tuple[Symbol, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for decl in self.symbols.types.values():
            for name in decl.names if not decl.numeric else ():
                symbol = self.symbols.value_symbol(decl.name, name)
                if symbol not in self.owners[name]:
                    self.owners[name].append(symbol)

    # ---- words

    def word(self, span: Span, prefer: str | None = None) -> None:
        """A word that may be any name. `prefer`: the type of which it is a value, if it has one."""
        text = span.text
        meanings = self.remembered.get((text, prefer))
        if meanings is None:
            meanings = self.remembered[text, prefer] = self.meanings(text, prefer)
        if meanings:
            self.index.add_any(span, meanings)

    def meanings(self, text: str, prefer: str | None) -> tuple[Symbol, ...]:
        """What a word may mean; nothing if it is not a name."""
        values = self.owners.get(text, [])
        mine = [symbol for symbol in values if symbol.owner == prefer] if prefer else []
        if mine:
            return (mine[0],)
        symbol = self.known(text)
        if symbol is not None and symbol.kind != "built-in":
            return (symbol,)
        return tuple(values) or ((symbol,) if symbol is not None else ())

    def known(self, text: str) -> Symbol | None:
        phase = Symbol("phase", text)
        return plain(self.symbols, text) or (phase if phase in self.phases else None)

    phases: frozenset[Symbol] = frozenset()

    def words(self, span: Span, prefer: str | None = None) -> None:
        for word in words_in(span):
            self.word(word, prefer)

    def node(self, node: Node, key: str = "", prefer: str | None = None) -> None:
        """All words of a node, but prose and the names of files. Keys of mappings count."""
        if key in PROSE or key in FILES:
            return
        match node:
            case Scalar():
                self.words(node.span, prefer)
            case Sequence(items=items):
                for item in items:
                    self.node(item, key, prefer)
            case Mapping(pairs=pairs):
                for name, value in pairs:
                    if name.text not in PROSE and name.text not in FILES:
                        self.words(name.span, prefer)
                    self.node(value, name.text, prefer)
            case _:
                assert_never(node)

    # ---- game.yaml

    def game(self, game: Mapping) -> None:
        flow = game.get("flow")
        if isinstance(flow, Mapping):
            self.phases = frozenset(Symbol("phase", name.text) for name, _ in flow.pairs)
            self.remembered.clear()
        for key, value in game.pairs:
            if key.text in DECLARING and isinstance(value, Mapping):
                for name, body in value.pairs:
                    self.declaration(key.text, name, body)
            elif key.text == "flow" and isinstance(value, Mapping):
                self.flow(value)
            elif key.text == "seats" and isinstance(value, Mapping):
                self.values("seat", value.get("names"))
                self.bodies(value, "seat")
            elif key.text == "teams" and isinstance(value, Mapping):
                self.values("team", Sequence(tuple(k for k, _ in value.pairs), value.span))
                for _, members in value.pairs:
                    self.node(members, prefer="seat")
            elif key.text not in FILES:
                self.node(value, key.text)

    def values(self, kind: str, node: Node | None) -> None:
        """Words that declare values."""
        owner = self.symbols.canonical(kind)
        for item in node.items if isinstance(node, Sequence) else ():
            if isinstance(item, Scalar) and WORD.fullmatch(item.text):
                self.index.add(_inside(item), Symbol("value", item.text, owner), True)

    def declaration(self, section: str, name: Scalar, body: Node) -> None:
        symbol = declared(name.text)
        self.index.add(_inside(name), symbol, True)
        owner = f"{name.text} row" if section == "components" else name.text
        if section in ("options", "rulings"):
            owner = self.type_of_option(name.text)
        if isinstance(body, Sequence):
            self.values(owner, body) if section in ("types", "options") else self.node(body)
        elif isinstance(body, Scalar):
            self.node(body)
        else:
            self.bodies(body, owner)

    def type_of_option(self, name: str) -> str:
        """The type of the values of an option or ruling."""
        option = self.symbols.options.get(name)
        kind = option.type.item if option is not None and isinstance(option.type, SetType) else None
        if isinstance(kind, EnumType):
            return kind.type
        return next((t for t in self.symbols.types if t.startswith(f"{name} ")), name)

    def bodies(self, body: Mapping, owner: str) -> None:
        """The body of a declaration: its keys are words of the language, its values have names."""
        canonical = self.symbols.canonical(owner)
        for key, value in body.pairs:
            match key.text:
                case "columns" if isinstance(value, Mapping):
                    self.columns(value, owner)
                case "values" | "line" | "ring" if body.get("part_of") is not None:
                    self.node(value, prefer=canonical)
                case "values" | "choose" | "line" | "ring" | "graph" if isinstance(value, Sequence):
                    self.values(owner, value)
                case "line" | "ring" | "graph" | "links" | "drawn" if cells := self.cells_of(value):
                    self.place_file(cells, key.text, owner)
                case "readings" if isinstance(value, Mapping):
                    self.values(owner, Sequence(tuple(k for k, _ in value.pairs), value.span))
                case "rows" if isinstance(value, Mapping) and "columns" in {k.text for k, _ in body.pairs}:
                    self.rows(value, owner)
                case "lasts" if isinstance(value, Scalar):
                    if value.text not in LIFETIMES and Symbol("phase", value.text) in self.phases:
                        self.index.add(_inside(value), Symbol("phase", value.text))
                case "table" if isinstance(value, Scalar):
                    if owner in self.symbols.tables:
                        self.cross_table(value, self.symbols.tables[owner])
                    else:
                        self.table(
                            value, owner, declares=not any(body.get(shape) for shape in LATTICES), body=body
                        )
                case "corners" if isinstance(value, Mapping) and isinstance(
                    corner := value.get("name"), Scalar
                ):
                    self.lattice_points(value, corner)
                case "order":
                    continue  # a word of the language, also where a name is the same
                case "product" | "kinds":
                    self.node(value, key.text)
                    self.columns_by_type(value, owner)
                case "copies" | "keep" | "chosen" | "default":
                    if key.text == "copies" and isinstance(value, Scalar):
                        self.copies(value, owner, body)
                    self.node(value, key.text, canonical)
                case _:
                    self.node(value, key.text)

    def lattice_points(self, body: Mapping, name: Scalar) -> None:
        """The corners of a board, perhaps with a table: their own names follow from the board's."""
        for key, value in body.pairs:
            if key.text == "columns" and isinstance(value, Mapping):
                self.columns(value, name.text)
            elif key.text == "table" and isinstance(value, Scalar):
                self.table(value, name.text, declares=False, body=body)
            else:
                self.node(value, key.text)

    def cells_of(self, node: Node) -> list[tuple[Scalar, ...]]:
        """The lines of the CSV file that a node names; none if it names no such file."""
        return self.cells(node) if isinstance(node, Scalar) and is_table(node.text) else []

    def place_file(self, cells: list[tuple[Scalar, ...]], key: str, owner: str) -> None:
        """A CSV file of a board: its places with their columns, its links, or how it is drawn."""
        if key in NAMED_SHAPES:
            self.rows_of_cells(cells, owner, declares=True)
            return
        for row in cells[1:] if key == "links" else cells:
            for cell in row:
                self.node(cell, prefer=self.symbols.canonical(owner))

    def columns_by_type(self, node: Node, owner: str) -> None:
        """Columns named like the types of their cells: those of a product, and the kind of a piece."""
        for item in node.items if isinstance(node, Sequence) else (node,):
            if isinstance(item, Scalar) and item.text in self.columns_of(owner):
                symbol = self.column_symbol(owner, item.text)
                self.known_columns |= {symbol}
                self.index.link(symbol, declared(item.text))

    def copies(self, node: Scalar, owner: str, body: Mapping) -> None:
        """The column that says how many pieces each row has, perhaps one of the type of its kinds."""
        kinds = body.get("kinds")
        for name in (owner, kinds.text if isinstance(kinds, Scalar) else owner):
            symbol = self.column_symbol(name, node.text)
            if node.text in self.columns_of(name):
                self.index.add(node.span, symbol)

    known_columns: frozenset[Symbol] = frozenset()

    # ---- tables

    def column_symbol(self, owner: str, name: str) -> Symbol:
        return Symbol("column", name, self.symbols.canonical(owner).removesuffix(" row"))

    def columns(self, node: Mapping, owner: str) -> None:
        for key, value in node.pairs:
            symbol = self.column_symbol(owner, key.text)
            self.known_columns |= {symbol}
            self.index.add(key.span, symbol, True)
            if self.symbols.names.get(key.text, ("", None))[1] == key.span:
                self.index.link(symbol, declared(key.text))
                self.values(key.text, value)
            self.node(value)

    def rows(self, node: Mapping, owner: str) -> None:
        """`rows: {smith: {cost: 3}}`."""
        canonical = self.symbols.canonical(owner)
        for name, row in node.pairs:
            self.index.add(_inside(name), Symbol("value", name.text, canonical), True)
            for title, cell in row.pairs if isinstance(row, Mapping) else ():
                kind = self.title(title, owner)
                self.node(cell, prefer=kind)

    def title(self, title: Scalar, owner: str) -> str | None:
        """A title of a column; the type of its cells. A column of a group has the name of a value, too."""
        columns = self.columns_of(owner)
        column = columns.get(title.text)
        if column is not None:
            self.index.add(title.span, self.column_symbol(owner, title.text))
            return getattr(column.type, "type", None)
        for name, group in columns.items():
            if group.keyed_by and title.text.startswith(f"{name}_"):
                span = title.span
                middle = span.start + len(name)
                self.index.add(Span(span.source, span.start, middle), self.column_symbol(owner, name))
                self.word(Span(span.source, middle + 1, span.end), self.symbols.canonical(group.keyed_by))
        return None

    def columns_of(self, owner: str) -> dict[str, Column]:
        component = self.symbols.components.get(owner.removesuffix(" row"))
        decl = self.symbols.types.get(owner)
        return component.columns if component is not None else decl.columns if decl is not None else {}

    def cells(self, node: Scalar, titles: Titles | None = None) -> list[tuple[Scalar, ...]]:
        """The lines of a table; none if it cannot be read."""
        path = self.symbols.folder.named_in(node.span.source, node.text)
        source = self.symbols.folder.sources.get(path)
        try:
            if source is None:
                return []
            return lines_of_csv(source, titles, []) if titles is not None else list(cells_of_csv(source))
        except DiagnosticError:
            return []

    def cross_table(self, node: Scalar, table: Table) -> None:
        """A CSV file of a look-up table: a row begins with its keys but the last, which is a title."""
        *first, last = [named_type(each) for each in table.over_types]
        kinds, title = (first, last) if first else ([last], None)
        titles, *rows = self.cells(node) or [()]
        for cell in titles:
            self.node(cell, prefer=title)
        for row in rows:
            for word, kind in zip(words_in(row[0].span), kinds, strict=False):
                self.word(word, kind)
            for cell in row[1:]:
                self.node(cell, prefer=named_type(table.type))

    def table(self, node: Scalar, owner: str, declares: bool, body: Mapping) -> None:
        """A table: its titles, its cells, and the names of its rows, which these may declare."""
        self.rows_of_cells(self.cells(node, titles_of(body)), owner, declares)

    def rows_of_cells(self, cells: list[tuple[Scalar, ...]], owner: str, declares: bool) -> None:
        """The lines of a table: titles, then rows that begin with their names."""
        canonical = self.symbols.canonical(owner)
        texts = self.symbols.text_columns.get(owner.removesuffix(" row"), {})
        titles, *rows = cells or [()]
        kinds = [self.title(title, owner) for title in titles[1:]]
        for row in rows:
            if word := word_for(row[0].text):
                self.index.add(row[0].span, Symbol("value", word, canonical), declares)
            for title, cell, kind in zip(titles[1:], row[1:], kinds, strict=False):
                if title.text not in texts:
                    self.node(cell, prefer=self.symbols.canonical(kind) if kind else None)

    # ---- the flow

    def flow(self, flow: Mapping) -> None:
        for name, body in flow.pairs:
            self.index.add(_inside(name), Symbol("phase", name.text), True)
            for key, value in body.pairs if isinstance(body, Mapping) else ():
                if key.text == "then":
                    self.then(value)
                elif key.text == "score":
                    self.scored(value)
                else:
                    self.steps(value, key.text)

    def then(self, node: Node) -> None:
        self.target(node)
        for key, value in node.pairs if isinstance(node, Mapping) else ():
            if key.text != "otherwise":
                self.words(key.span)
            self.target(value)

    def target(self, node: Node) -> None:
        """A phase that follows; what is half written is none."""
        if isinstance(node, Scalar) and (phase := Symbol("phase", node.text)) in self.phases:
            self.index.add(_inside(node), phase)

    def scored(self, node: Node) -> None:
        for _, lines in node.pairs if isinstance(node, Mapping) else ():
            for line in lines.items if isinstance(lines, Sequence) else ():
                self.index.add(line.span, Symbol("score", line.span.text, "score"))

    def steps(self, node: Node, key: str) -> None:
        """Steps: keys are words of the language, but for rounds, whose keys hold expressions."""
        if key in PROSE:
            return
        match node:
            case Scalar() if key == "named":
                return
            case Scalar():
                self.words(node.span)
            case Sequence(items=items):
                for item in items:
                    self.steps(item, key)
            case Mapping(pairs=pairs):
                for name, value in pairs:
                    if name.text.startswith("each "):
                        self.words(name.span)
                    self.steps(value, name.text)

    # ---- labels, clauses

    def labels(self, labels: Mapping) -> None:
        for key, value in labels.pairs:
            if key.text in SUBLABELS and isinstance(value, Mapping):
                for name, text in value.pairs:
                    self.label(name, text)
            else:
                self.label(key, value)

    def label(self, key: Scalar, text: Node) -> None:
        span = _inside(key)
        parts = key.text.split(".")
        owner = self.symbols.canonical(parts[0] if parts[0] in self.symbols.types else f"{parts[0]} row")
        found = words_in(span)
        for number, word in enumerate(found):
            if number == 0:
                self.named_thing(word, len(found) == 1)
                continue
            column = Symbol("column", word.text, owner.removesuffix(" row"))
            value = Symbol("value", word.text, owner)
            self.index.add(word, column if column in self.known_columns else value)
        holes = self.parameters.get(parts[0], {})
        if isinstance(text, Scalar):
            for hole in HOLE.finditer(text.span.text):
                known = hole[1] in self.symbols.types or hole[1] in self.symbols.components
                kind = declared(hole[1]) if known else None
                if (symbol := holes.get(hole[1], kind)) is not None:
                    start = text.span.start + hole.start(1)
                    self.index.add(Span(text.span.source, start, start + len(hole[1])), symbol)

    def named_thing(self, span: Span, alone: bool) -> None:
        """A key of the labels: everything that has this name gets the label."""
        text = span.text
        scores = [Symbol("score", text, kind) for kind in ("score", "tiebreak")]
        candidates = [self.known(text), Symbol("phase", text), *scores, Symbol("outcome", text)]
        there = [each for each in candidates if each is not None and each in self.every_symbol]
        there += self.owners.get(text, []) if alone else []
        self.index.add_any(span, there)

    every_symbol: frozenset[Symbol] = frozenset()

    def clauses(self, document: Mapping, declares: bool) -> None:
        """A rulebook file: the first one declares clauses, a translation names them, and rulings."""
        for section in () if declares else ("rulings", "provenance"):
            named = document.get(section)
            for key, texts in named.pairs if isinstance(named, Mapping) else ():
                self.words(_inside(key))
                readings = texts.get("readings") if isinstance(texts, Mapping) else None
                for reading, _ in readings.pairs if isinstance(readings, Mapping) else ():
                    self.words(_inside(reading), self.type_of_option(key.text))
        listed = document.get("clauses")
        for key, value in listed.pairs if isinstance(listed, Mapping) else ():
            self.index.add(_inside(key), Symbol("clause", key.text), declares)
            for word in words_in(value.span):
                if word.text.startswith("§"):
                    self.index.add(word, Symbol("clause", word.text))
        brief = document.get("brief")
        for _, value in brief.pairs if isinstance(brief, Mapping) else ():
            for word in words_in(value.span):
                if word.text.startswith("§"):
                    self.index.add(word, Symbol("clause", word.text))
                elif word.source.text[word.start - 1 : word.start] == "{":
                    self.named_thing(word, False)

    # ---- looks

    def look(self, look: Mapping) -> None:
        for section, entries in look.pairs:
            if section.text == "together":
                self.node(entries)
            for name, body in entries.pairs if isinstance(entries, Mapping) else ():
                self.words(_inside(name), "seat" if section.text == "seats" else None)
                for key, value in body.pairs if isinstance(body, Mapping) else ():
                    if section.text == "values":
                        self.words(_inside(key), name.text)
                    else:
                        self.appearance(name.text, key, value)

    def appearance(self, owner: str, key: Scalar, value: Node) -> None:
        """One key of a look: by which column, at which places, with what in its face."""
        rows = owner if owner in self.symbols.types else f"{owner} row"
        if key.text == "by" and isinstance(value, Scalar):
            self.index.add(value.span, self.column_symbol(rows, value.text))
        elif key.text == "board" and isinstance(value, Scalar):
            self.words(value.span)
        elif key.text in ("face", "back"):
            self.face(rows, value)
        elif key.text in ("rows", "lines"):
            self.node(value, prefer=owner)
        elif isinstance(value, Mapping):
            for name, inner in value.pairs:
                self.words(_inside(name))
                if key.text == "stands_for" and isinstance(inner, Mapping):
                    self.stood_for(inner, name.text, owner)

    def stood_for(self, places: Mapping, meant: str, board: str) -> None:
        """`{a: [a1, a2]}`: on which places of a board a value of another type is chosen."""
        for value, chosen_on in places.pairs:
            self.words(_inside(value), meant)
            self.node(chosen_on, prefer=board)

    def face(self, owner: str, node: Node) -> None:
        """The columns in the face of a piece: `{cost}`, and those by which its boxes are drawn."""
        if isinstance(node, Sequence):
            for item in node.items:
                self.face(owner, item)
        elif isinstance(node, Mapping):
            for key, part in node.pairs:
                if key.text in ("by", "when") and isinstance(part, Scalar):
                    self.index.add(part.span, self.column_symbol(owner, part.text))
                else:
                    self.face(owner, part)
        elif isinstance(node, Scalar):
            for hole in HOLE.finditer(node.span.text):
                symbol, start = self.column_symbol(owner, hole[1]), node.span.start + hole.start(1)
                if symbol in self.known_columns:
                    self.index.add(Span(node.span.source, start, start + len(hole[1])), symbol)

    # ---- tests

    def tests(self, source: Source) -> None:
        """The words of a file of scenarios, or of mutants that make no difference."""
        for span, key in _words_of_tests(source):
            phase = Symbol("phase", span.text)
            begins = key in OF_PHASES and source.text[span.start - 1] != "."
            if begins and phase in self.phases:
                self.index.add(span, phase)
            else:
                self.word(span)


@lru_cache(maxsize=KEPT)
def _words_of_tests(source: Source) -> tuple[tuple[Span, str], ...]:
    """The words in a file of tests that may be names, each with the key behind which it stands. Those of the
    last few files are kept."""
    try:
        document = read(source)
    except DiagnosticError:
        return ()
    found: list[tuple[Span, str]] = []
    for item in document.items if isinstance(document, Sequence) else ():
        pairs = item.pairs if isinstance(item, Mapping) else ()
        mutant = any(key.text == "operator" for key, _ in pairs)
        for key, value in pairs:
            if not mutant or key.text == "in":
                _gather(value, key.text, found)
    return tuple(found)


def _gather(node: Node, key: str, found: list[tuple[Span, str]]) -> None:
    """The words of a node, but those for people. Keys of mappings count."""
    if key in PROSE:
        return
    match node:
        case Scalar():
            found += ((word, key) for word in words_in(node.span))
        case Sequence(items=items):
            for item in items:
                _gather(item, key, found)
        case Mapping(pairs=pairs):
            for name, value in pairs:
                if name.text not in PROSE:
                    found += ((word, "") for word in words_in(name.span))
                _gather(value, name.text, found)
        case _:
            assert_never(node)


def named_type(kind: Type) -> str | None:
    """The name of a type that has named values."""
    return getattr(kind, "type", None)


def _inside(scalar: Scalar) -> Span:
    """The text of a scalar without its quotes."""
    span = scalar.span
    if scalar.quoted and span.text[:1] in ("'", '"'):
        return Span(span.source, span.start + 1, span.end - 1)
    return span
