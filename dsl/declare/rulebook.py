"""The rulebook file: its texts and its clauses."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import cast, get_args

from dsl.declare.mapping_reader import MappingReader, entry
from dsl.declare.nodes import LONGEST_WORD, bounded, interval, mapping, number, text
from dsl.declare.symbol_table import SymbolTable
from dsl.diagnostics import DiagnosticError, did_you_mean
from dsl.document import Mapping, Node, Scalar, Sequence
from dsl.messages.names import UnknownName
from dsl.messages.shapes import WrongShape
from dsl.rules import BriefKey, BriefLine, Clause, ClauseKind, Duty, Text
from dsl.wording import shortened

FILE = ("rulebook", "brief", "texts", "clauses")
HEADER = ("title", "publisher", "language")
TEXT = ("language", "title", "fingerprints")
CLAUSE = ("heading", "kind", "section", "page", "says", "why", "at", "excluded", "numbers")
FACTS = ("kind", "section", "page", "at", "excluded", "numbers")
"""Keys of a clause that are the same in every language, or that players do not read."""
BRIEF = get_args(BriefKey)
KINDS = get_args(ClauseKind)
DUTIES = get_args(Duty)
MARKS = re.compile(r"\s*\(?(§[\w.-]+(?:,? §[\w.-]+)*)\)?(?=\W|$)")
"""Marks of clauses in a line, with the parentheses that may be around them."""
NAME = re.compile(r"\{(\w+)\}")
FINGERPRINT = re.compile(r"[0-9a-f]{8}-[0-9a-f]{8}")
MOST_SENTENCES = 20_000


@dataclass(frozen=True)
class WrittenRulebook:
    """What a rulebook file has: its texts, its clauses, and the game in short."""

    texts: dict[str, Text]
    clauses: dict[str, Clause]
    brief: dict[BriefKey, BriefLine] = field(default_factory=dict)


def read_rulebook(symbols: SymbolTable, node: Node) -> WrittenRulebook:
    """The texts and clauses of a rulebook file. Raises `DiagnosticError` if it has no `clauses`."""
    reader = entry(symbols, node, "the rulebook file", FILE)
    pairs = mapping(reader.needed("clauses"), "`clauses`").pairs
    if reader.has("rulebook"):
        symbols.attempt(_header, symbols, reader.needed("rulebook"))
    texts = symbols.attempt(_texts, symbols, reader.needed("texts")) if reader.has("texts") else None
    book = WrittenRulebook(texts or {}, {})
    for key, value in pairs:
        clause = symbols.attempt(_clause, symbols, book.texts, key, value)
        book.clauses[key.text] = clause or Clause(key.text, "rule", "", "", key.span)
    symbols.clauses = symbols.clauses or book.clauses
    if reader.has("brief"):
        book.brief.update(symbols.attempt(_brief, symbols, reader.needed("brief")) or {})
    return book


def _header(symbols: SymbolTable, node: Node) -> None:
    reader = entry(symbols, node, "`rulebook`", HEADER)
    for key in HEADER:
        reader.text(key)


# ---- the game in short


def _brief(symbols: SymbolTable, node: Node) -> dict[BriefKey, BriefLine]:
    """`brief: {aim: "Whoever has the most {vp} wins (§10.8)."}`."""
    reader = entry(symbols, node, "`brief`", BRIEF)
    written = {key: text(reader.needed(key), reader.of(key)) for key in BRIEF if reader.has(key)}
    return {key: _brief_line(symbols, node) for key, node in written.items()}


def _brief_line(symbols: SymbolTable, node: Scalar) -> BriefLine:
    marks = tuple(mark.strip(",").rstrip(".") for found in MARKS.findall(node.text) for mark in found.split())
    for mark in marks:
        symbols.cite(mark, node.span)
    said = " ".join(MARKS.sub("", node.text).split())
    return BriefLine(tuple(NAME.split(said)), tuple(dict.fromkeys(marks)), node.span)


# ---- texts


def _texts(symbols: SymbolTable, node: Node) -> dict[str, Text]:
    pairs = mapping(node, "`texts`").pairs
    read = {key.text: symbols.attempt(_text, symbols, key, value) for key, value in pairs}
    return {name: text for name, text in read.items() if text is not None}


def _text(symbols: SymbolTable, key: Scalar, node: Node) -> Text:
    reader = entry(symbols, node, f"text `{key.text}`", TEXT)
    language = reader.word("language")
    if not re.fullmatch(r"[a-z]{2,3}", language.text):
        raise reader.wrong("language", "a code such as `hu` or `en`")
    return Text(key.text, language.text, reader.line("title") or "", _fingerprints(reader), key.span)


def _fingerprints(reader: MappingReader) -> tuple[str, ...]:
    marks = tuple(reader.word("fingerprints").text.split()) if reader.has("fingerprints") else ()
    for mark in marks:
        if not FINGERPRINT.fullmatch(mark):
            wanted = f"fingerprints like `1a2b3c4d-5e6f7a8b`, which `{shortened(mark)}` is not"
            raise reader.wrong("fingerprints", wanted, "`rulewright locate` prints them")
    return marks


# ---- clauses


def _clause(symbols: SymbolTable, texts: dict[str, Text], key: Scalar, node: Node) -> Clause:
    if not key.text.startswith("§"):
        raise DiagnosticError(WrongShape(key.span, "a clause mark", "like `§4.3`"))
    bounded(key.text, key.span, "a clause mark", LONGEST_WORD)
    reader = entry(symbols, node, f"clause `{key.text}`", CLAUSE)
    return Clause(
        key.text,
        cast(ClauseKind, reader.one_of("kind", KINDS) or "rule"),
        reader.line("heading") or "",
        reader.text("says") or "",
        key.span,
        why=reader.text("why") or "",
        section=reader.line("section") or "",
        page=reader.line("page") or "",
        at=_places(texts, reader),
        excluded=_excluded(reader),
        numbers=_numbers(reader),
    )


def _places(texts: dict[str, Text], reader: MappingReader) -> dict[str, tuple[int, ...]]:
    """`at: {hu: [57..58, 61]}`: numbers of sentences by text."""
    places: dict[str, tuple[int, ...]] = {}
    for key, value in reader.pairs("at"):
        if key.text not in texts:
            hint = did_you_mean(key.text, texts) or "list it under `texts` of the rulebook file"
            raise DiagnosticError(UnknownName(key.span, key.text, "text", hint))
        places[key.text] = _sentences(reader, value, texts[key.text])
    return places


def _sentences(reader: MappingReader, node: Node, text: Text) -> tuple[int, ...]:
    numbers: dict[int, None] = {}
    most = len(text.fingerprints) or MOST_SENTENCES
    for item in node.items if isinstance(node, Sequence) else (node,):
        low, high = interval(item, reader.of("at"))
        if not 1 <= low <= high <= most:
            wanted = f"within 1..{most}, the sentences of text `{text.name}`"
            raise DiagnosticError(WrongShape(item.span, reader.of("at"), wanted))
        numbers.update(dict.fromkeys(range(low, high + 1)))
    return tuple(numbers)


def _excluded(reader: MappingReader) -> dict[Duty, str]:
    """`excluded: reason` for all duties of a clause, or `excluded: {asserted: reason}` for some."""
    node, where = reader.get("excluded"), reader.of("excluded")
    if node is None:
        return {}
    if not isinstance(node, Mapping):
        return dict.fromkeys(DUTIES, _reason(node, where))
    reasons = entry(reader.symbols, node, where, DUTIES)
    return {duty: _reason(reasons.needed(duty), reasons.of(duty)) for duty in DUTIES if reasons.has(duty)}


def _reason(node: Node, where: str) -> str:
    reason = text(node, where, "a reason")
    if not reason.text.strip():
        raise DiagnosticError(WrongShape(reason.span, where, "a reason"))
    return reason.text


def _numbers(reader: MappingReader) -> dict[int, str]:
    """`numbers: {3: reason}`: numbers of the clause that the rules need not contain."""
    where = reader.of("numbers")
    return {number(key, where): _reason(value, where) for key, value in reader.pairs("numbers")}
