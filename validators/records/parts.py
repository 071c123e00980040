"""The parts of a record, and what they say in the words of the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from math import prod

from lark import Token, Tree

from dsl.source import Source, Span
from validators.records.mapping import PART
from validators.records.notation import Meaning, Notation, Text, ValueOf

Item = Tree[Token] | Token
MOST_TEXTS = 10_000
"""Of how many combinations of its parts a text is made."""
ValueWord = Callable[[ValueOf, "Parts"], str | None]
"""The word of the value that fits the parts; none if there is not exactly one."""


class TooMany(Exception):
    """A play or a text of a record has more ways than are tried."""


@dataclass(eq=False)
class RecordText:
    """A record in its file: it begins at an offset."""

    source: Source
    start: int
    text: str

    def span(self, item: Item) -> Span:
        """The place of a part in the file."""
        first, last = _extent(item)
        return Span(self.source, self.start + first, self.start + last)

    def text_of(self, item: Item) -> str:
        first, last = _extent(item)
        return self.text[first:last]


def _extent(item: Item) -> tuple[int, int]:
    if isinstance(item, Token):
        return item.start_pos or 0, item.end_pos or 0
    return getattr(item.meta, "start_pos", 0), getattr(item.meta, "end_pos", 0)


@dataclass(eq=False)
class Parts:
    """What is within one part of a record, by name; then what is around it, `outer`.

    `number` says which one of its name it is, from 1 on, of `count`.
    """

    record: RecordText
    item: Item
    notation: Notation
    outer: Parts | None = None
    number: int = 1
    count: int = 1
    without: frozenset[str] = frozenset()
    """The names of parts that are not looked into."""
    _found: dict[str, list[Item]] | None = field(default=None, repr=False)

    def within(self, name: str) -> list[Item]:
        """The parts of a name within this one, in order; or if there are none, those around it."""
        if self._found is None:
            self._found = {}
            for item in _items(self.item, self.notation.skip | self.without):
                self._found.setdefault(name_of(item), []).append(item)
        items = self._found.get(name)
        if items is None and self.outer is not None:
            return self.outer.within(name)
        return items or []

    def each(self, name: str) -> list[Parts]:
        """The parts of a name within this one, each with its number, and with what is around all of them."""
        items = self.within(name)
        around = replace(self, without=self.without | {name}, _found=None)
        return [
            Parts(self.record, item, self.notation, around, number, len(items))
            for number, item in enumerate(items, 1)
        ]


def name_of(item: Item) -> str:
    return item.type if isinstance(item, Token) else str(item.data)


def _items(item: Item, skip: frozenset[str]) -> Iterator[Item]:
    """A part and all within it, in order, but what is skipped."""
    left: list[Item] = [item]
    while left:
        next_item = left.pop()
        if name_of(next_item) in skip:
            continue
        yield next_item
        if isinstance(next_item, Tree):
            left += reversed(next_item.children)


def parts_of(record: RecordText, tree: Tree[Token], notation: Notation) -> Iterator[Parts]:
    """The parts of a record that say something, in order, each with its number among those of its name."""
    meaningful = notation.play.keys() | notation.set_up.keys() | notation.end.keys()
    seen: dict[str, int] = {}
    counts: dict[str, int] = {}
    items = [item for item in _items(tree, notation.skip) if name_of(item) in meaningful]
    for item in items:
        counts[name_of(item)] = counts.get(name_of(item), 0) + 1
    for item in items:
        name = name_of(item)
        seen[name] = seen.get(name, 0) + 1
        yield Parts(record, item, notation, None, seen[name], counts[name])


def filled(text: str, texts: Mapping[str, str]) -> str:
    """A text with what its parts say."""
    return PART.sub(lambda match: texts[match[1]], text)


@dataclass(frozen=True)
class Wording:
    """What parts say; values by conditions are asked of `value_word`."""

    words: Mapping[str, Meaning]
    value_word: ValueWord

    def texts(self, text: Text, parts: Parts) -> list[str]:
        """The text for every combination of its parts; none if a part is missing. Raises `TooMany`."""
        names = PART.findall(text.text)
        if not names:
            return [text.text]
        if text.text == f"{{{names[0]}}}":
            return self.named(names[0], parts)
        texts = []
        unique = list(dict.fromkeys(names))
        words = [self.named(name, parts) for name in unique]
        if prod(map(len, words)) > MOST_TEXTS:
            raise TooMany
        for values in product(*words):
            by_name = dict(zip(unique, values, strict=True))
            texts.append(filled(text.text, by_name))
        return texts

    def one(self, text: Text, parts: Parts) -> str | None:
        """The text; none if a part is missing. Of several combinations, the first."""
        return next(iter(self.texts(text, parts)), None)

    def named(self, name: str, parts: Parts) -> list[str]:
        """What the parts of a name say."""
        if name in ("number", "count"):
            number = str(getattr(parts, name))
            table = self.words.get(name)
            return [table.get(number, number)] if isinstance(table, dict) else [number]
        return [word for item in parts.within(name) for word in self._said(name, item, parts)]

    def _said(self, name: str, item: Item, parts: Parts) -> list[str]:
        text = str(item) if isinstance(item, Token) else parts.record.text_of(item)
        meaning = self.words.get(name)
        match meaning:
            case None:
                return [text]
            case Text():
                return self.texts(meaning, Parts(parts.record, item, parts.notation))
            case ValueOf():
                word = self.value_word(meaning, Parts(parts.record, item, parts.notation))
                return [word] if word is not None else []
        return [meaning.get(text, text)]
