"""The symbol table: the declarations of a ruleset by name, while it is read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import ParamSpec, TypeVar

from dsl.declare.labels import RowText
from dsl.declare.nodes import LONGEST_WORD, WORD, bounded, mapping, word
from dsl.diagnostics import Diagnostic, DiagnosticError, Report, did_you_mean
from dsl.document import Mapping, Node, Scalar
from dsl.domains import EnumType, Type, row_type
from dsl.folder import MOST_BYTES, MOST_FILES, Folder
from dsl.index.symbols import Symbol, declared, local_at
from dsl.messages.files import NotText, TooMuch
from dsl.messages.names import CyclicDefinition, NameTaken, ReservedWord, UnknownClause, UnknownName
from dsl.messages.shapes import UnknownKey, WrongShape
from dsl.rules import (
    BriefKey,
    BriefLine,
    Carries,
    Clause,
    Component,
    Constant,
    Counter,
    History,
    Mark,
    Option,
    Pointer,
    Row,
    StateVar,
    Table,
    Text,
    TypeDecl,
    Var,
    Zone,
)
from dsl.source import NOWHERE, Source, Span
from dsl.syntax import Word
from dsl.wording import quoted, shortened

P = ParamSpec("P")
S = TypeVar("S")
T = TypeVar("T")

BUILT_IN = {
    "me": "the acting seat",
    "active": "the seat whose turn it is",
    "self": "the acting piece",
    "opponent": "the other seat",
    "opponents": "the other seats",
    "seats": "all seats",
    "seats_playing": "the number of seats",
    "next": "a function",
    "previous": "a function",
    "neighbours": "a function",
    "step": "a function",
    "ray": "a function",
    "spread": "a function",
    "size": "a function",
    "pass": "the word for declining",
}


@dataclass
class SymbolTable:
    """Declarations by name, the report of their errors, and the folder of the ruleset."""

    report: Report
    reserved: frozenset[str]
    folder: Folder
    opened: list[int] = field(default_factory=list)
    """The sizes of the files that were opened, once for each time that a file was named."""
    span: Span = NOWHERE
    seat_counts: tuple[int, ...] = (2,)
    """The numbers of seats that a match may have, rising."""
    teams: tuple[int, ...] = ()
    """The team of each seat; none if there are no teams."""
    types: dict[str, TypeDecl] = field(default_factory=dict)
    components: dict[str, Component] = field(default_factory=dict)
    zones: dict[str, Zone] = field(default_factory=dict)
    counters: dict[str, Counter] = field(default_factory=dict)
    marks: dict[str, Mark] = field(default_factory=dict)
    pointers: dict[str, Pointer] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    histories: dict[str, History] = field(default_factory=dict)
    history_parts: list[tuple[str, Scalar]] = field(default_factory=list)
    """The parts of histories that are values, with the name of the history, to be resolved later."""
    carries: Carries | None = None
    carried_while: Scalar | None = None
    """The value that says whether another match follows, to be resolved later."""
    options: dict[str, Option] = field(default_factory=dict)
    constants: dict[str, Constant] = field(default_factory=dict)
    clauses: dict[str, Clause] | None = None
    texts: dict[str, Text] = field(default_factory=dict)
    brief: dict[BriefKey, BriefLine] = field(default_factory=dict)
    rulebooks: dict[str, tuple[Mapping, Span]] = field(default_factory=dict)
    """The rulebook file of each language, and where `game.yaml` names it; the first has all clauses."""
    rows: list[Row] = field(default_factory=list)
    names: dict[str, tuple[str, Span]] = field(default_factory=dict)
    broken: dict[str, Diagnostic] = field(default_factory=dict)
    """Names whose declaration has failed: using one fails with the same diagnostic."""
    doubtful: dict[str, Diagnostic] = field(default_factory=dict)
    """The words in declarations that have failed: if one is unknown, it may be because of that."""
    unread: Diagnostic | None = None
    """Why a file of rules could not be read: any unknown name may be defined in it."""
    cells: dict[tuple[str, tuple[str, ...]], int] = field(default_factory=dict)
    cell_places: dict[tuple[str, tuple[str, ...]], tuple[Span, str]] = field(default_factory=dict)
    """The first place of each effect cell, and its column."""
    pending: dict[str, Callable[[], None]] = field(default_factory=dict)
    """Functions that declare types and boards, for declarations that need one of them earlier."""
    settings: dict[str, Callable[[], None]] = field(default_factory=dict)
    """Functions that declare constants and options, for numbers that need one of them earlier."""
    assumed: dict[str, int] = field(default_factory=dict)
    """The values of options in the configuration that is read, where they are not the defaults."""
    assumed_seats: int | None = None
    asked: set[str] = field(default_factory=set)
    """The options, and `seats`, on which numbers of declarations depend."""
    forward: dict[str, TypeDecl] = field(default_factory=dict)
    """Types of which only the values are known so far, for columns that refer to them."""
    rows_pending: dict[str, Callable[[], None]] = field(default_factory=dict)
    """Functions that declare components, for columns that refer to their rows."""
    edged: set[str] = field(default_factory=set)
    """The boards whose links are the rows of a type of edges."""
    computed_from: set[str] = field(default_factory=set)
    """The constants and options that are named in numbers of declarations."""
    begun: set[Span] = field(default_factory=set)
    lifetimes: list[tuple[Scalar, str | None]] = field(default_factory=list)
    """Each `lasts` with the `of` beside it, to be checked when the phases are known."""
    assigned_from: dict[str, set[str]] = field(default_factory=dict)
    """For each pointer those that must never be none for it to be never none."""
    sometimes_none: set[str] = field(default_factory=set)
    """The pointers that are cleared, or assigned what may be none."""
    provisional: dict[Diagnostic, frozenset[str]] = field(default_factory=dict)
    """Errors that are none if some pointers are never none."""
    resolved: dict[Span, Symbol] = field(default_factory=dict)
    """What names in rules mean where more than the name decides it."""
    local_types: dict[Span, Type] = field(default_factory=dict)
    """The types of locals by the places where they are bound."""
    row_texts: list[RowText] = field(default_factory=list)
    """What tables say to people."""
    text_columns: dict[str, dict[str, str]] = field(default_factory=dict)
    """The columns of text of types and components, each with the owner in the keys of its labels."""
    _owners: dict[str, list[TypeDecl]] | None = None

    # ---- errors

    def attempt(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
        """The result of `work`, or none if it raises `DiagnosticError`, which goes to the report."""
        try:
            return work(*args, **kwargs)
        except DiagnosticError as failed:
            self.report.add(failed.diagnostic)
            return None

    def attempt_all(self, work: Callable[[S], T], items: Iterable[S]) -> list[T]:
        """The results of the items that have no errors."""
        results = [self.attempt(work, item) for item in items]
        return [result for result in results if result is not None]

    def fail(self, diagnostic: Diagnostic) -> None:
        self.report.add(diagnostic)

    def unknown(
        self, node: Scalar, what: str, known: Iterable[str], hint: str = "", where: str = ""
    ) -> DiagnosticError:
        """The error of an unknown name, or that of its declaration if it has failed."""
        if (cause := self.cause(node.text)) is not None:
            return DiagnosticError(cause)
        hint = did_you_mean(node.text, (k for k in known if WORD.fullmatch(k))) or hint
        return DiagnosticError(UnknownName(node.span, node.text, what, hint, where))

    def cause(self, name: str) -> Diagnostic | None:
        """The failed declaration because of which a name may be unknown."""
        return self.broken.get(name) or self.doubtful.get(name) or self.unread

    # ---- what names mean

    def resolve(self, span: Span, symbol: Symbol) -> None:
        """Note what a name means at its place. Nodes that nobody has written have other places."""
        if span.text == symbol.name:
            self.resolved[span] = symbol

    def local(self, var: Var) -> Symbol:
        """The symbol of a local; that of its type if it is called so and declared by that alone."""
        known = self.resolved.get(var.span)
        if known is not None and known.name == var.name:
            return known
        named = var.span.text != var.name and var.name in self.names
        return declared(var.name) if named else local_at(var.span, var.name)

    def value_symbol(self, kind: str, name: str) -> Symbol:
        """The symbol of a value of a type, or of a row of a component."""
        return Symbol("value", name, self.canonical(kind))

    def canonical(self, kind: str) -> str:
        """The type to which the values of a type belong: of a part the whole, of pieces by kind the kinds."""
        component = self.components.get(kind.removesuffix(" row")) if kind.endswith(" row") else None
        if component is None:
            return self.types[kind].base or kind if kind in self.types else kind
        if component.is_by_seat:
            return "seat"
        for column in component.columns.values():
            same = column.type == EnumType(column.name) and column.name in self.types
            if same and self.types[column.name].names == component.classes:
                return column.name
        return kind

    # ---- names

    def declare(self, name: str, what: str, span: Span) -> None:
        """Declare a name. Raises `DiagnosticError` if it is taken, reserved or no word."""
        self.usable(name, span)
        if name in self.names:
            taken, first = self.names[name]
            raise DiagnosticError(NameTaken(span, name, taken, first))
        self.names[name] = (what, span)

    def usable(self, name: str, span: Span) -> None:
        """Raises `DiagnosticError` if a name is not a word, too long, or a word of the language."""
        bounded(name, span, "this name", LONGEST_WORD)
        if not WORD.fullmatch(name):
            raise DiagnosticError(
                WrongShape(span, f"the name `{shortened(name)}`", "a word of English letters, digits and `_`")
            )
        if self.is_reserved(name):
            raise DiagnosticError(ReservedWord(span, name))

    def is_reserved(self, name: str) -> bool:
        return name in self.reserved or name in BUILT_IN

    def owners(self, value: str) -> list[TypeDecl]:
        """The types, but not parts of types, with a value of this name. Valid once all types are declared."""
        if self._owners is None:
            self._owners = {}
            for decl in self.types.values():
                for name in decl.names if decl.base is None else ():
                    self._owners.setdefault(name, []).append(decl)
        return self._owners.get(value, [])

    @property
    def playing(self) -> int:
        """The number of seats in the configuration that is read; the most, if none is given."""
        return self.seat_counts[-1] if self.assumed_seats is None else self.assumed_seats

    def places(self, var: StateVar) -> int:
        """The most places that a state variable or zone has."""
        return self.index_size(var.of) * self.index_size(var.at)

    @property
    def scratch(self) -> frozenset[str]:
        """The counters, marks and pointers that last a moment."""
        kinds = (self.counters, self.marks, self.pointers)
        return frozenset(x.name for kind in kinds for x in kind.values() if x.var.is_scratch)

    def index_size(self, index: str | None) -> int:
        if index is None:
            return 1
        return self.types[index].size if index in self.types else len(self.components[index].classes)

    def end_declarations(self) -> None:
        """Forget what waited to be declared. It holds the table itself: a cycle, which only a search for
        garbage would free."""
        for waiting in (self.pending, self.settings, self.rows_pending):
            waiting.clear()

    def type_named(self, node: Scalar) -> TypeDecl:
        """The type of a name. Raises `DiagnosticError` if there is none, or if it needs itself."""
        if node.text not in self.types and node.text in self.pending:
            self.pending.pop(node.text)()
        if node.text not in self.types or not WORD.fullmatch(node.text):
            if self.names.get(node.text, ("",))[0] in ("a type", "a board") and node.text not in self.broken:
                raise DiagnosticError(CyclicDefinition(node.span, node.text, node.text, ()))
            raise self.unknown(node, "type", self.types)
        return self.types[node.text]

    def values_named(self, node: Scalar) -> TypeDecl:
        """The values of a name, for columns: of a type, even if its own columns are being read, or the rows
        of a component. Raises `DiagnosticError` if there are none.
        """
        name = node.text
        if name in self.rows_pending:
            self.rows_pending.pop(name)()
        found = self.types.get(name) or self.types.get(row_type(name)) or self.forward.get(name)
        return found or self.type_named(node)

    # ---- clauses

    def clause_marks(self, node: Node | None) -> tuple[str, ...]:
        """The `§` marks of a `clause:` key."""
        if node is None:
            return ()
        marks = tuple(word(node, "`clause`").text.split())
        for mark in marks:
            self.cite(mark, node.span)
        return marks

    def cite_all(self, clauses: tuple[Word, ...]) -> tuple[str, ...]:
        """The `§` marks of a statement or definition."""
        for clause in clauses:
            self.cite(clause.text, clause.span)
        return tuple(clause.text for clause in clauses)

    def cite(self, mark: str, span: Span) -> None:
        if not mark.startswith("§"):
            self.fail(WrongShape(span, "a clause mark", "like `§4.3`"))
        elif self.clauses is not None and mark not in self.clauses:
            hint = did_you_mean(mark, self.clauses) or "add it to the rulebook file, or correct the mark"
            self.fail(UnknownClause(span, mark, hint))

    # ---- files

    def open(self, node: Scalar) -> Source:
        """The file that a node names. Raises `DiagnosticError` at a place in the file, or at the node."""
        source = self.located(self.folder.source, node)
        self._count(node, source)
        return source

    def located(self, read: Callable[[str], T], node: Scalar) -> T:
        """The file that a node names. Raises `DiagnosticError` at a place in the file, or at the node."""
        try:
            return read(self.folder.named_in(node.span.source, node.text))
        except DiagnosticError as failed:
            if failed.diagnostic.span.source.text or isinstance(failed.diagnostic, NotText):
                raise
            raise DiagnosticError(replace(failed.diagnostic, span=node.span)) from None

    def _count(self, node: Scalar, source: Source) -> None:
        """Raises `DiagnosticError` if too much was opened in total, also by naming one file many times."""
        self.opened.append(len(source.text))
        if len(self.opened) > MOST_FILES:
            raise DiagnosticError(TooMuch(node.span, self.span.source.name, MOST_FILES, "files"))
        if sum(self.opened) > MOST_BYTES:
            raise DiagnosticError(TooMuch(node.span, self.span.source.name, MOST_BYTES, "bytes"))


def keys(symbols: SymbolTable, node: Node | None, where: str, allowed: Iterable[str]) -> Mapping:
    """A node that must be a mapping. Its unknown keys are reported, each with the nearest known one."""
    found = mapping(node, where)
    known = tuple(allowed)
    for key, value in found.pairs:
        if key.text not in known:
            if " " in key.text and isinstance(value, Scalar) and not value.text:
                hint = "a comma begins the next key: put a text with a comma in quotes"
            else:
                hint = did_you_mean(key.text, known) or f"its keys are {quoted(known, 'and')}"
            symbols.fail(UnknownKey(key.span, shortened(key.text), where, hint))
    return found
