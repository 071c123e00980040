"""What stands on places of a board instead of their names: texts with labels and cells of columns."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import chain

from dsl import rules as r
from dsl.domains import NONE, EffectType, EnumType, FlagType

PART = re.compile(r"\{([^{}]*)\}")
Parts = tuple[str, ...]
"""A text in parts: what is a word of the rules is shown by its label."""


def captions(rules: r.Rules, decl: r.TypeDecl, template: str) -> tuple[Parts, ...]:
    """The text of each place, in parts; none without a template."""
    if not template:
        return ()
    return tuple(_filled(rules, decl, template, row) for row in range(len(decl.names)))


def in_words(parts: Parts, label: Callable[[str], str]) -> str:
    """A text, with the labels of its words."""
    return "".join(map(label, parts))


def _filled(rules: r.Rules, decl: r.TypeDecl, template: str, row: int) -> Parts:
    """Of the pieces of the template, each second one is the name of a hole."""
    pieces = PART.split(template)
    found = (_hole(rules, decl, piece, row) if i % 2 else (piece,) for i, piece in enumerate(pieces))
    return tuple(part for part in chain.from_iterable(found) if part)


def _hole(rules: r.Rules, decl: r.TypeDecl, name: str, row: int) -> Parts:
    if name == "label":
        return (decl.names[row],)
    column = decl.columns[name]
    if column.keyed_by is None:
        return (_cell(rules, column, column.values[row]),)
    index = rules.types.get(column.keyed_by)
    keys = index.names if index is not None else rules.components[column.keyed_by].classes
    some = [
        (key, value)
        for key, value in zip(keys, column.groups[row], strict=True)
        if not column.is_blank(value)
    ]
    each = [_with_key(_cell(rules, column, value), key) for key, value in some]
    return tuple(chain.from_iterable((", ", *parts) if i else parts for i, parts in enumerate(each)))


def _with_key(cell: str, key: str) -> Parts:
    return (cell, " ", key) if cell else (key,)


def _cell(rules: r.Rules, column: r.Column, value: int) -> str:
    """A cell as a word; empty if it says nothing."""
    if value == NONE or isinstance(column.type, EffectType):
        return ""
    if isinstance(column.type, FlagType):
        return column.name if value and column.keyed_by is None else ""
    if isinstance(column.type, EnumType):
        return rules.types[column.type.type].label(value)
    key = r.key_of_number(column.name, value)
    return key if key in rules.labels else str(value)
