"""Presets that make a game smaller: declarations laid over those of `game.yaml`; its section `small`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dsl.declare.nodes import WORD, mapping
from dsl.declare.symbol_table import SymbolTable, keys
from dsl.diagnostics import DiagnosticError, did_you_mean
from dsl.document import Mapping, Node, Scalar
from dsl.messages.game import NoSuchPreset
from dsl.source import Source
from dsl.wording import quoted

CHANGED = (
    "constants",
    "options",
    "rulings",
    "types",
    "boards",
    "components",
    "zones",
    "counters",
    "marks",
    "pointers",
    "tables",
)
SHORT = {"options": "default", "rulings": "chosen"}
"""Where one word stands for a whole declaration: the key that it is the value of."""


@dataclass(frozen=True)
class ChosenPreset:
    """A preset by its name in `game.yaml`, or one that a file of its own holds."""

    name: str
    source: Source | None = None


def presets(symbols: SymbolTable, game: Mapping) -> dict[str, Mapping]:
    """The presets of a game by name. Those with mistakes are reported and left out."""
    node = game.get("small")
    if node is None:
        return {}
    found = mapping(node, "`small`")
    made: dict[str, Mapping] = {}
    for name, value in found.pairs:
        preset = symbols.attempt(_preset, symbols, game, value, f"preset `{name.text}`")
        if preset is not None:
            made[name.text] = preset
    return made


def chosen(known: dict[str, Mapping], wanted: ChosenPreset, game: Mapping) -> Mapping:
    """The preset of that name. Raises `DiagnosticError` if there is none."""
    if wanted.name not in known:
        names = f"its presets are {quoted(tuple(known), 'and')}" if known else "it has none in `small`"
        hint = did_you_mean(wanted.name, known) or f"{names}; or name a file"
        raise DiagnosticError(NoSuchPreset(game.span.source.beginning, wanted.name, hint))
    return known[wanted.name]


def from_file(symbols: SymbolTable, game: Mapping, node: Node) -> Mapping:
    """A preset that stands in a file of its own. Raises `DiagnosticError` if it has not the shape of one."""
    return _preset(symbols, game, node, "the preset")


def apply_preset(game: Mapping, preset: Mapping) -> Mapping:
    """The game with a preset laid over it: keys that the preset names take the place of those there."""
    pairs = [(key, _over(key.text, value, preset.get(key.text))) for key, value in game.pairs]
    if game.get("longest") is None:
        pairs += [(key, value) for key, value in preset.pairs if key.text == "longest"]
    return Mapping(tuple(pairs), game.span)


def _preset(symbols: SymbolTable, game: Mapping, node: Node, where: str) -> Mapping:
    """A preset all of whose sections and names are those of the game."""
    found = keys(symbols, node, where, (*CHANGED, "longest"))
    for section, changes in found.pairs:
        if section.text in CHANGED:
            for name in _unknown(game.get(section.text), mapping(changes, f"`{section.text}` of {where}")):
                known = _names(game.get(section.text))
                symbols.fail(symbols.unknown(name, "name", known, where=f" in `{section.text}`").diagnostic)
    return found


def _unknown(declared: Node | None, changes: Mapping) -> Iterator[Scalar]:
    known = _names(declared)
    return (name for name, _ in changes.pairs if name.text not in known)


def _names(declared: Node | None) -> tuple[str, ...]:
    return tuple(name.text for name, _ in declared.pairs) if isinstance(declared, Mapping) else ()


def _over(section: str, declared: Node, changes: Node | None) -> Node:
    """A section with changes laid over it, declaration by declaration."""
    if changes is None or not (isinstance(declared, Mapping) and isinstance(changes, Mapping)):
        return changes or declared
    pairs = tuple((name, _one(section, value, changes.get(name.text))) for name, value in declared.pairs)
    return Mapping(pairs, declared.span)


def _one(section: str, declared: Node, change: Node | None) -> Node:
    """One declaration with a change laid over it, key by key."""
    if change is None or not isinstance(declared, Mapping):
        return change or declared
    if section in SHORT and isinstance(change, Scalar):
        change = Mapping(((Scalar(SHORT[section], change.span), change),), change.span)
    if not isinstance(change, Mapping):
        return change
    named = {key.text for key, _ in change.pairs}
    kept = tuple((key, value) for key, value in declared.pairs if key.text not in named)
    return Mapping((*kept, *change.pairs), declared.span)


def is_name(text: str) -> bool:
    """Whether a text can be the name of a preset; otherwise it is that of a file."""
    return WORD.fullmatch(text) is not None
