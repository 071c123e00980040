"""Completion: what may come next in rules, by the grammar and by what is asked for at the place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

from dsl import rules as r
from dsl.declare.sections import SECTIONS
from dsl.declare.symbol_table import SymbolTable
from dsl.domains import SEAT, EnumType, PieceType, Type, certain, row_type
from dsl.grammar import accepted
from dsl.index.symbols import declared
from dsl.load import GAME
from dsl.pieces import Piece, pieces
from dsl.source import Source
from dsl.syntax_errors import words_of
from dsl.workspace.hover import in_comment, type_of
from dsl.workspace.snapshot import Snapshot, header_of
from dsl.workspace.words import WORDS

WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*$")
MARK = re.compile(r"§[A-Za-z0-9_.\-]*$")
CHAIN = re.compile(r"([A-Za-z_]\w*(?:\.\w+)*)\.$")
INDEX = re.compile(r"(\w+)\s+(of|at)\s+$|(\w+)\s+of\s+[\w.]+\s+(at)\s+$")
COMPARED = re.compile(r"([\w.]+)(?:\s+(?:of|at)\s+[\w.]+)*\s+(?:is|is not|=)\s+$")
BOUND = re.compile(r"\bfor\s+([A-Za-z_]\w*)(\s+in\s+seats\b)?")
ASKED: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = tuple(
    (re.compile(pattern), kinds)
    for pattern, kinds in (
        (r"\b(gain|pay|lose)s?\s+(up to\s+)?[\w.]+\s+$", ("a counter",)),
        (r"\b(do|does|can|one of|doing|may do)\s+$", ("an action", "an effect")),
        (r"\b(set|clear|clear all)\s+$", ("a mark", "a pointer", "a counter")),
        (r"\b(record|recall\s+best)\s+$", ("a history",)),
        (r"\b(shuffle|show)\s+$", ("a zone",)),
        (r"\b(move|draw|roll)\b.*\b(to|from)\s+((top|bottom) of\s+)?$", ("a zone",)),
        (r"\b(each)\s+$", ("seats",)),
        (r"(:|\bfor)\s+$", ("a type", "a board", "a component")),
        (r"^(modify)\s+$", ("a value",)),
    )
)
"""What stands before the place, and the kinds of declarations that are asked for there."""
PLACES = ("a type", "a board")
KEY = re.compile(r"([a-z][a-z ]*):\s*(?:\[[^\]]*|\w*)$")
UNDER: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("of", "at", "to", "over", "gives"), PLACES),
    **dict.fromkeys(("do", "do one of", "may keep doing", "may do"), ("a procedure", "an action")),
    "holds": ("a component",),
    "kinds": ("a type",),
    "bank": ("a counter",),
}
"""The kinds of declarations that are asked for under a key of `game.yaml`."""
IN_EXPRESSIONS = (
    *("a counter", "a mark", "a pointer", "a zone", "a value", "a table", "a constant", "an option"),
    *("a ruling", "a type", "a board", "a component"),
)
IN_STATEMENTS = ("a procedure", "a counter", "a mark", "a pointer")
OF_SEATS = ("me", "active", "opponent")
LONGEST_LINE = 1_000
"""Behind so many characters of a line nothing is completed."""


@dataclass(frozen=True)
class Completion:
    """A word that may stand at the place; `rank` sorts, the likeliest first.

    `inserted` is what is written for it, if that is more, in place of the word before the place, or of the
    last `replaces` characters. `meaning` says what it means, in a sentence.
    """

    text: str
    kind: str
    detail: str
    rank: int
    inserted: str = ""
    meaning: str = ""
    replaces: int = 0


def complete(snapshot: Snapshot, source: Source, offset: int) -> list[Completion]:
    """What may come at a place of a file: of rules by the grammar, of others any name or section."""
    line, column = source.position(offset)
    before = source.line(line)[: column - 1]
    if len(before) > LONGEST_LINE or in_comment(source, offset):
        return []
    if MARK.search(before):
        return list(_clauses(snapshot))
    if not source.name.endswith(".rules"):
        return sorted_by_rank(_in_data(snapshot, source, before))
    before = WORD.sub("", before)
    piece = next(
        (p for p in pieces(source) if p.span.start <= offset <= p.span.end and p.span.end >= offset), None
    )
    at = offset - (column - 1 - len(before))
    names = _Names(snapshot, piece, at)
    if (chained := CHAIN.search(before)) is not None:
        return sorted_by_rank(names.attributes(chained[1]))
    text = source.text[piece.span.start : at] if piece is not None else ""
    follows = accepted(text if piece is not None and piece.span.start < at else "")
    found = [*_keywords(follows)]
    if "NAME" in follows or not follows:
        found += names.asked(before)
    return sorted_by_rank(found)


def sorted_by_rank(found: Iterable[Completion]) -> list[Completion]:
    """Each word once, where it is likeliest."""
    best: dict[str, Completion] = {}
    for each in sorted(found, key=lambda c: (c.rank, c.text)):
        best.setdefault(each.text, each)
    return list(best.values())


def _in_data(snapshot: Snapshot, source: Source, before: str) -> Iterator[Completion]:
    """The sections of `game.yaml` at its margin, what fits its key, owners and places behind `of` and `at`;
    elsewhere what is declared."""
    of_game = source.name.endswith(GAME)
    if of_game and not WORD.sub("", before):
        yield from (Completion(section, "keyword", "", 0) for section in SECTIONS)
        return
    names = _Names(snapshot, None, 0)
    wanted = names.wanted(WORD.sub("", before))
    if wanted is not None:
        yield from names.values_of(wanted)
        return
    key = KEY.search(before) if of_game else None
    kinds = UNDER.get(key[1], ()) if key is not None else ()
    if kinds:
        yield from names.declarations(kinds, 0)
        return
    for name, (what, _) in snapshot.analysis.symbols.names.items():
        if " " not in name:
            yield Completion(name, what.split(" ", 1)[1], what, 1)


def declared_as(snapshot: Snapshot, kinds: tuple[str, ...]) -> list[Completion]:
    """The names of all declarations of some kinds, such as `an action`."""
    return list(_Names(snapshot, None, 0).declarations(kinds, 0))


def seats(snapshot: Snapshot) -> list[Completion]:
    """The seats by name."""
    return list(_Names(snapshot, None, 0).values_of(SEAT))


def _clauses(snapshot: Snapshot) -> Iterator[Completion]:
    for mark, clause in (snapshot.analysis.symbols.clauses or {}).items():
        yield Completion(mark, "clause", clause.heading, 0)


def _keywords(follows: frozenset[str]) -> Iterator[Completion]:
    for word in words_of(sorted(follows)):
        yield Completion(word, "keyword", WORDS.get(word, ""), 3)


@dataclass
class _Names:
    """The names that are known at a place."""

    snapshot: Snapshot
    piece: Piece | None
    offset: int

    @property
    def symbols(self) -> SymbolTable:
        return self.snapshot.analysis.symbols

    def locals(self) -> dict[str, Type | None]:
        """The locals bound above the place in its definition."""
        if self.piece is None:
            return {}
        text = self.piece.span.source.text[self.piece.span.start : self.offset]
        known = self.snapshot.locals.get(header_of(self.piece.span.text), {})
        written = re.findall(r"\b(?:let|choose|choosing|chooses|draw|for|enters|\(|,)\s*([A-Za-z_]\w*)", text)
        behind = [name for name, _ in BOUND.findall(self.rest_of_line)]
        words = set(re.findall(r"\w+", text))
        above = [name for name in (*known, *written) if name in words]
        seats = {name for name, of_seats in BOUND.findall(text + self.rest_of_line) if of_seats}
        types = {
            name: known.get(name) or (SEAT if name in seats else self.type_called(name))
            for name in (*above, *behind)
        }
        return {name: kind for name, kind in types.items() if name in known or kind is not None}

    @property
    def rest_of_line(self) -> str:
        """What stands behind the place: in `max(points of ‸ for other in seats)` it binds a name."""
        if self.piece is None:
            return ""
        return self.piece.span.source.text[self.offset : self.piece.span.end].partition("\n")[0]

    def type_called(self, name: str) -> Type | None:
        if name == "seat":
            return SEAT
        if name in self.symbols.components:
            return PieceType(name)
        return EnumType(name) if name in self.symbols.types else None

    # ---- after a dot

    def attributes(self, chained: str) -> Iterator[Completion]:
        """What can be written after the dot of a name and its attributes."""
        kind = self.type_of(chained)
        columns = self.columns(kind)
        for name, column in columns.items():
            yield Completion(name, "column", str(column.type), 0)
        if isinstance(kind, PieceType):
            component = self.symbols.components[kind.component]
            if component.die is not None:
                yield Completion("face", "column", str(component.die), 0)
            for zone in self.symbols.zones.values():
                if zone.component == kind.component:
                    for index in r.index_types(self.symbols.types, zone.var):
                        yield Completion(index, "column", "where it lies", 1)

    def columns(self, kind: Type | None) -> dict[str, r.Column]:
        match kind:
            case EnumType(name) if name in self.symbols.types:
                return self.symbols.types[name].columns
            case PieceType(component) if component in self.symbols.components:
                return self.symbols.components[component].columns
        return {}

    def type_of(self, chained: str) -> Type | None:
        """The type of a name, or of an attribute of one."""
        first, *rest = chained.split(".")
        kind: Type | None = self.locals().get(first)
        if kind is None and first in ("me", "active", "opponent"):
            kind = SEAT
        if kind is None:
            kind = self.declared_type(first)
        for name in rest:
            column = self.columns(
                certain(kind) if kind is not None and not isinstance(kind, str) else None
            ).get(name)
            kind = column.type if column is not None else None
        return certain(kind) if kind is not None and not isinstance(kind, str) else None

    def declared_type(self, name: str) -> Type | None:
        symbols = self.symbols
        if name in symbols.pointers:
            return EnumType(symbols.pointers[name].to)
        if name in symbols.zones:
            return PieceType(symbols.zones[name].component)
        found = type_of(self.snapshot, declared(name))
        return None if isinstance(found, str) else found

    # ---- by what is asked for

    def asked(self, before: str) -> Iterator[Completion]:
        """The names that fit behind the text of a line."""
        wanted = self.wanted(before)
        if wanted is not None:
            yield from self.of_type(wanted)
        for pattern, kinds in ASKED:
            if pattern.search(before):
                if kinds == ("seats",):
                    yield Completion("seat", "type", "", 0)
                    yield Completion("opponent", "type", "", 0)
                else:
                    yield from self.declarations(kinds, 0)
                break
        else:
            starts = not before.strip()
            yield from self.declarations(IN_STATEMENTS if starts else IN_EXPRESSIONS, 2)
            if not starts:
                yield from (Completion(word, "built-in", WORDS.get(word, ""), 2) for word in OF_SEATS)
        for name, kind in self.locals().items():
            fits = wanted is not None and kind is not None and certain(kind) == wanted
            yield Completion(name, "local", str(kind) if kind is not None else "", 0 if fits else 1)

    def wanted(self, before: str) -> Type | None:
        """The type of the value that is asked for, where the line says it."""
        if (index := INDEX.search(before)) is not None:
            name, word = index[1] or index[3], index[2] or index[4]
            kept = (self.symbols.zones, self.symbols.counters, self.symbols.marks, self.symbols.pointers)
            var = next((table[name].var for table in kept if name in table), None)
            kind = (var.of if word == "of" else var.at) if var is not None else None
            return self.type_called(kind) if kind is not None else None
        compared = COMPARED.search(before)
        return self.type_of(compared[1]) if compared is not None else None

    def of_type(self, kind: Type) -> Iterator[Completion]:
        """The values of a type, by name, and what else rules call a seat by."""
        if kind == SEAT:
            yield from (Completion(word, "built-in", WORDS.get(word, ""), 0) for word in OF_SEATS)
        yield from self.values_of(kind)

    def values_of(self, kind: Type) -> Iterator[Completion]:
        """The values of a type, by name."""
        name = kind.type if isinstance(kind, EnumType) else ""
        if isinstance(kind, PieceType):
            name = row_type(kind.component)
        decl = self.symbols.types.get(name)
        if decl is not None and not decl.numeric:
            for value in decl.members:
                yield Completion(decl.names[value - decl.lo], "value", f"a value of `{decl.name}`", 1)

    def declarations(self, kinds: tuple[str, ...], rank: int) -> Iterator[Completion]:
        places = chain(self.symbols.names.items())
        for name, (what, _) in places:
            if what in kinds and " " not in name:
                found = type_of(self.snapshot, declared(name))
                detail = what.split(" ", 1)[1] + (f", {found}" if found is not None else "")
                yield Completion(name, what.split(" ", 1)[1], detail, rank)
