"""Seats, and types whose values are listed names or ranges of numbers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from dsl.declare.mapping_reader import entry
from dsl.declare.nodes import LONGEST_WORD, WORD, bounded, interval, number, words
from dsl.declare.symbol_table import SymbolTable
from dsl.diagnostics import LONGEST_NAME, DiagnosticError, did_you_mean
from dsl.document import Mapping, Node, Scalar, Sequence
from dsl.domains import LARGEST
from dsl.messages.names import NameTaken, ReservedWord, UnknownName
from dsl.messages.shapes import BadCell, WrongShape
from dsl.rules import TypeDecl
from dsl.sheets.names import normal_form
from dsl.source import Span
from dsl.wording import counts_text, quoted, shortened

MOST_SHOWN = 12
"""The most values of a type that a hint lists."""
LETTERS = "ABCDEFGHIJKL"
SEATS = ("count", "names", "clause")
LEFT_OUT = ("values", "clause")


def declare_seats(symbols: SymbolTable, node: Node) -> None:
    """`seats: 2`, `2..5`, `[2, 4]` or `{count: 2, names: [white, black], clause: §1.1}`: the type `seat`.

    Its values are called A, B, C, ... if they are not named.
    """
    names: tuple[Scalar, ...] = ()
    clauses: tuple[str, ...] = ()
    if isinstance(node, Mapping):
        reader = entry(symbols, node, "`seats`", SEATS)
        node = reader.needed("count")
        names = reader.words("names") if reader.has("names") else ()
        clauses = reader.marks()
    counts = _seat_counts(node)
    high = counts[-1]
    if names and len(names) != high:
        span = names[0].span.to(names[-1].span)
        raise DiagnosticError(WrongShape(span, "`names` of `seats`", f"{high} names"))
    _check_names(names, symbols.reserved)
    shown = tuple(n.text for n in names) or tuple(LETTERS[:high])
    symbols.seat_counts = counts
    symbols.types["seat"] = replace(words_type("seat", shown, node.span), clauses=clauses)
    symbols.names["seat"] = ("a type", node.span)


def _seat_counts(node: Node) -> tuple[int, ...]:
    """The numbers of seats, rising. Raises `DiagnosticError` if there are too many seats, or none."""
    if isinstance(node, Sequence):
        counts = tuple(number(item, "a number of seats") for item in node.items)
    else:
        low, high = interval(node, "`seats`")
        counts = (low, high) if high > len(LETTERS) else tuple(range(low, high + 1))
    if not counts or counts[0] < 1 or counts[-1] > len(LETTERS) or list(counts) != sorted(set(counts)):
        wanted = f"a number, a range or a rising list of numbers within 1..{len(LETTERS)}"
        raise DiagnosticError(WrongShape(node.span, "`seats`", wanted))
    return counts


def enumeration(symbols: SymbolTable, name: Scalar, node: Sequence) -> TypeDecl:
    """A type whose values are listed. Raises `DiagnosticError` if the list is empty, or as `named_values`."""
    values = words(node, f"type `{name.text}`")
    if not values:
        raise DiagnosticError(WrongShape(node.span, f"type `{name.text}`", "a list with at least one value"))
    return named_values(name, values, symbols.reserved)


def named_values(
    name: Scalar, values: tuple[Scalar, ...], reserved: frozenset[str] = frozenset()
) -> TypeDecl:
    """A type of named values. Raises `DiagnosticError` if a name is repeated, or is not a free word."""
    _check_names(values, reserved)
    if len(values) > LARGEST:
        raise too_many(values[LARGEST].span, f"`{name.text}`")
    return words_type(name.text, tuple(v.text for v in values), name.span)


def words_type(name: str, values: tuple[str, ...], span: Span) -> TypeDecl:
    """A type of words, which are numbered from 0."""
    return TypeDecl(name, 0, values, False, tuple(range(len(values))), {}, span)


def numbers(name: Scalar, low: int, high: int, span: Span) -> TypeDecl:
    """A type of the whole numbers from `low` to `high`."""
    if high < low:
        raise DiagnosticError(WrongShape(span, f"the length of `{name.text}`", "at least 1"))
    if high - low >= LARGEST:
        raise too_many(span, f"`{name.text}`")
    values = tuple(range(low, high + 1))
    return TypeDecl(name.text, low, tuple(map(str, values)), True, values, {}, name.span)


def too_many(span: Span, where: str) -> DiagnosticError:
    return DiagnosticError(WrongShape(span, where, f"a type of at most {LARGEST} values"))


def _check_names(values: Iterable[Scalar], reserved: frozenset[str]) -> None:
    """Raises `DiagnosticError` unless values are distinct words or numbers, and none is a reserved word."""
    seen: dict[str, Span] = {}
    for value in values:
        if value.text in seen:
            raise DiagnosticError(NameTaken(value.span, value.text, "a value of this type", seen[value.text]))
        seen[value.text] = value.span
        bounded(value.text, value.span, "this value", LONGEST_WORD)
        if not WORD.fullmatch(value.text) and not (value.text.isascii() and value.text.isdigit()):
            shown = shortened(value.text)
            wanted, hint = "a word of English letters, digits and `_`", _as_word(value.text)
            raise DiagnosticError(WrongShape(value.span, f"the value `{shown}`", wanted, hint))
        if value.text in reserved:
            raise DiagnosticError(ReservedWord(value.span, value.text))


def _as_word(text: str) -> str:
    """A hint with the word of the rules that is nearest to a text, if there is one."""
    found = normal_form(text)
    short = len(found) <= LONGEST_NAME and WORD.fullmatch(found)
    return f"use `{found}`, and put the text to show in its label" if short else ""


def value_of(decl: TypeDecl, node: Scalar, column: str | None = None) -> int:
    """The number of a value of a type. Raises `DiagnosticError`; with `column`, that of a wrong cell.

    A cell may write it otherwise, `Toll House` for `toll_house`.
    """
    name = node.text if column is None or node.text in decl.names else normal_form(node.text)
    if name in decl.names:
        value = decl.lo + decl.names.index(name)
        if value in decl.members:
            return value
    members = [decl.label(v) for v in decl.members]
    hint = called(decl, node.text) or did_you_mean(node.text, members)
    if decl.name == "seat":
        hint = hint or f"the seats are {quoted(members, 'and')}"
    if column is not None:
        shown = shortened(node.text) or "(empty)"
        hint = hint or f"its values are {quoted(members[:MOST_SHOWN], 'and')}" * (len(members) <= MOST_SHOWN)
        raise DiagnosticError(BadCell(node.span, shown, column, f"not a value of `{decl.name}`", hint))
    raise DiagnosticError(UnknownName(node.span, shortened(node.text), "value", hint, f" of `{decl.name}`"))


def called(decl: TypeDecl, text: str) -> str:
    """A hint with the name of a corner or edge that is described by another place."""
    name = decl.aliases.get(text)
    return f"it is called `{name}`, by the first place that has it" if name not in (None, text) else ""


def left_out(symbols: SymbolTable, decl: TypeDecl, node: Node) -> TypeDecl:
    """A type with its `without: {2: [temple]}`: the values that are absent with a number of seats.

    The values may have the clauses that say so: `{2: {values: [temple], clause: §6.2}}`.
    """
    seats, where = symbols.seat_counts, f"`without` of `{decl.name}`"
    gone: dict[int, tuple[int, ...]] = {}
    marks: dict[int, tuple[str, ...]] = {}
    if not isinstance(node, Mapping):
        hint = "write `{2: [value, value]}`"
        raise DiagnosticError(WrongShape(node.span, where, "values by number of seats", hint))
    for key, value in node.pairs:
        count = number(key, "a number of seats")
        if count not in seats:
            raise DiagnosticError(WrongShape(key.span, "a number of seats", counts_text(seats)))
        if isinstance(value, Mapping):
            reader = entry(symbols, value, where, LEFT_OUT)
            marks[count], names = reader.marks(), reader.words("values")
        else:
            names = words(value, where)
        gone[count] = tuple(value_of(decl, item) for item in names)
    return replace(decl, without=gone, without_clauses=marks)
