"""What a game is to people who look for one: `about.yaml`, which has nothing to do with its rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from dsl.declare.languages import MOST_LANGUAGES, language_tag
from dsl.declare.mapping_reader import MappingReader, entry
from dsl.declare.nodes import LONGEST_WORD, bounded, line
from dsl.declare.symbol_table import SymbolTable
from dsl.diagnostics import DiagnosticError, did_you_mean
from dsl.document import Node, Sequence
from dsl.messages.names import UnknownName
from dsl.messages.shapes import WrongShape
from dsl.rules.about import TAGS, About, Tag

KEYS = ("says", "names", "tags")
LONGEST_LINE = 160
MOST_NAMES = 20


def read_about(symbols: SymbolTable, node: Node) -> About:
    """What the file says. What is wrong goes to the report of the symbol table."""
    reader = entry(symbols, node, "the file `about`", KEYS)
    return About(
        symbols.attempt(_says, reader) or {},
        symbols.attempt(_names, reader) or {},
        symbols.attempt(_tags, reader) or () if reader.has("tags") else (),
    )


def _says(reader: MappingReader) -> dict[str, str]:
    """`says: {en: Sink the other fleet before yours is sunk.}`"""
    found = {}
    for tag, node in _by_language(reader, "says"):
        said = line(node, f"what `says` has for `{tag}`")
        if not 0 < len(said.text.strip()) <= LONGEST_LINE:
            wanted = f"a line of at most {LONGEST_LINE} characters"
            raise DiagnosticError(WrongShape(node.span, f"what `says` has for `{tag}`", wanted))
        found[tag] = said.text.strip()
    return found


def _names(reader: MappingReader) -> dict[str, tuple[str, ...]]:
    """`names: {en: [draughts], hu: [dáma], ro: [dame]}`"""
    found = {}
    for tag, node in _by_language(reader, "names"):
        where = f"the names for `{tag}`"
        if not isinstance(node, Sequence) or len(node.items) > MOST_NAMES:
            wanted = f"a list of at most {MOST_NAMES} names"
            raise DiagnosticError(WrongShape(node.span, where, wanted, "as `[draughts, English draughts]`"))
        names = [line(item, where) for item in node.items]
        for name in names:
            bounded(name.text, name.span, where, LONGEST_WORD)
        found[tag] = tuple(dict.fromkeys(name.text.strip() for name in names if name.text.strip()))
    return found


def _by_language(reader: MappingReader, key: str) -> Iterator[tuple[str, Node]]:
    pairs = reader.pairs(key)
    if len(pairs) > MOST_LANGUAGES:
        raise reader.wrong(key, f"at most {MOST_LANGUAGES} languages")
    for tag, node in pairs:
        yield language_tag(tag), node


def _tags(reader: MappingReader) -> tuple[Tag, ...]:
    written = reader.words("tags")
    for tag in written:
        if tag.text not in TAGS:
            hint = did_you_mean(tag.text, TAGS) or f"the tags are {', '.join(TAGS)}"
            raise DiagnosticError(UnknownName(tag.span, tag.text, "tag", hint))
    return tuple(dict.fromkeys(cast(Tag, tag.text) for tag in written))
