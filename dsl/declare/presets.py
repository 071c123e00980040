"""Presets that make a game smaller: changes to declarations of `game.yaml`; its section `small`."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.declare.nodes import WORD, mapping
from dsl.declare.symbol_table import SymbolTable, keys
from dsl.diagnostics import DiagnosticError, did_you_mean
from dsl.document import Mapping, Node, Scalar, Sequence
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
    "histories",
)
SHORT = {"options": "default", "rulings": "chosen"}
"""The sections in which a preset may give a word or a list instead of a mapping: the key that it is of."""


@dataclass(frozen=True)
class ChosenPreset:
    """A preset by its name in `game.yaml`, or from a file of its own."""

    name: str
    source: Source | None = None


def presets(symbols: SymbolTable, game: Mapping) -> dict[str, Mapping]:
    """The presets of a game by name. Those with errors are reported and left out."""
    node = game.get("small")
    if node is None:
        return {}
    found: dict[str, Mapping] = {}
    for name, value in mapping(node, "`small`").pairs:
        preset = symbols.attempt(_preset, symbols, game, value, f"preset `{name.text}`")
        if preset is not None:
            found[name.text] = preset
    return found


def chosen(known: dict[str, Mapping], wanted: ChosenPreset, game: Mapping) -> Mapping:
    """The preset of that name. Raises `DiagnosticError` if there is none."""
    if wanted.name not in known:
        names = f"its presets are {quoted(tuple(known), 'and')}" if known else "it has none in `small`"
        hint = did_you_mean(wanted.name, known) or f"{names}; or name a file"
        raise DiagnosticError(NoSuchPreset(game.span.source.beginning, wanted.name, hint))
    return known[wanted.name]


def from_file(symbols: SymbolTable, game: Mapping, node: Node) -> Mapping:
    """A preset from a file of its own. Raises `DiagnosticError` if it is not a mapping."""
    return _preset(symbols, game, node, "the preset")


def apply_preset(game: Mapping, preset: Mapping) -> Mapping:
    """The game with a preset applied: the keys of the preset replace those of the game."""
    pairs = [(key, _changed_section(key.text, value, preset.get(key.text))) for key, value in game.pairs]
    if game.get("longest") is None:
        pairs += [(key, value) for key, value in preset.pairs if key.text == "longest"]
    return Mapping(tuple(pairs), game.span)


def _preset(symbols: SymbolTable, game: Mapping, node: Node, where: str) -> Mapping:
    """A preset. Sections and names that the game does not have are reported."""
    found = keys(symbols, node, where, (*CHANGED, "longest"))
    for section, changes in found.pairs:
        if section.text in CHANGED:
            known = _names(game.get(section.text))
            for name, _ in mapping(changes, f"`{section.text}` of {where}").pairs:
                if name.text not in known:
                    unknown = symbols.unknown(name, "name", known, where=f" in `{section.text}`")
                    symbols.fail(unknown.diagnostic)
    return found


def _names(declared: Node | None) -> tuple[str, ...]:
    return tuple(name.text for name, _ in declared.pairs) if isinstance(declared, Mapping) else ()


def _changed_section(section: str, declared: Node, changes: Node | None) -> Node:
    """A section with its changes applied, declaration by declaration."""
    if changes is None or not (isinstance(declared, Mapping) and isinstance(changes, Mapping)):
        return changes or declared
    pairs = tuple(
        (name, _changed_declaration(section, value, changes.get(name.text))) for name, value in declared.pairs
    )
    return Mapping(pairs, declared.span)


def _changed_declaration(section: str, declared: Node, change: Node | None) -> Node:
    """One declaration with its change applied, key by key."""
    if change is None or not isinstance(declared, Mapping):
        return change or declared
    if section in SHORT and isinstance(change, Scalar | Sequence):
        change = Mapping(((Scalar(SHORT[section], change.span), change),), change.span)
    if not isinstance(change, Mapping):
        return change
    named = {key.text for key, _ in change.pairs}
    kept = tuple((key, value) for key, value in declared.pairs if key.text not in named)
    return Mapping((*kept, *change.pairs), declared.span)


def is_name(text: str) -> bool:
    """Whether a text is the name of a preset, not of a file."""
    return WORD.fullmatch(text) is not None
