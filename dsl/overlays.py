"""Overlays: a ruleset that changes another one, for house rules, expansions and editions.

`overlay: GAME` in `game.yaml` names the game that is changed, its base. Files of the base are read below
`base/`, so a path that the base's `game.yaml` names leads into the base, and one that the overlay names into
the overlay.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence as SequenceOf
from dataclasses import dataclass
from functools import reduce

from dsl import syntax as s
from dsl.declare import nodes
from dsl.declare.nodes import mapping, word, words
from dsl.declare.symbol_table import SymbolTable
from dsl.diagnostics import Diagnostic, DiagnosticError, did_you_mean
from dsl.document import Mapping, Node, Scalar, Sequence
from dsl.document_recovery import LostPart, read_recovering
from dsl.folder import BASE, Folder
from dsl.messages.game import NoSuchBase, NothingToRemove, TooManyOverlays, UnknownLanguage
from dsl.source import Span
from dsl.syntax import Definition

GAME = "game.yaml"
LANGUAGE = 1
"""The version of the language of rulesets that is read here; what it promises: `docs/compatibility.md`."""
MOST_LAYERS = 5
"""Overlays of overlays, the game at the bottom included."""
OWN = ("overlay", "game", "title", "removes", "language")
"""Keys of `game.yaml` that an overlay has for itself."""
JOINED = ("rules", "allow", "provenance")
"""Lists to which an overlay adds."""
MARK = re.compile(r"§\S+")


@dataclass(frozen=True)
class Layers:
    """What the `game.yaml` of a game says, and of all that it overlays; the game at the bottom is first."""

    texts: tuple[Mapping, ...]
    lost: tuple[LostPart, ...] = ()
    """What is no YAML in them."""

    @property
    def merged(self) -> Mapping:
        """All of them as one."""
        return reduce(_merged_games, self.texts)

    @property
    def bases(self) -> tuple[tuple[str, str], ...]:
        """Name and title of all but the last."""
        games = [(text, word(text.get("game"), "`game`").text) for text in self.texts[:-1]]
        return tuple(
            (name, word(text.get("title") or text.get("game"), "`title`").text) for text, name in games
        )

    def lost_section(self, key: str) -> Diagnostic | None:
        """Why a section is missing that is there, but is no YAML."""
        lost = (part.diagnostic for part in self.lost if part.section == key and part.key is None)
        return next(lost, None)

    def named(self, key: str) -> list[Node]:
        """What a key is in each of them that has it."""
        return [node for text in self.texts if (node := text.get(key)) is not None]


def read_layers(folder: Folder) -> Layers:
    """The `game.yaml` of a folder, and of all that it overlays. Raises `DiagnosticError`."""
    found, lost = read_recovering(folder.source(GAME))
    texts = [_game(found)]
    while (base := texts[0].get("overlay")) is not None:
        name = word(base, "`overlay`")
        if len(texts) == MOST_LAYERS:
            raise DiagnosticError(TooManyOverlays(name.span, MOST_LAYERS))
        path = BASE * len(texts) + GAME
        if not folder.holds(path):
            raise DiagnosticError(NoSuchBase(name.span, name.text))
        found, more = read_recovering(folder.source(path))
        texts.insert(0, _game(found))
        lost = (*more, *lost)
    return Layers(tuple(texts), lost)


def _game(found: Node | None) -> Mapping:
    """A `game.yaml` of the language that is read here. Raises `DiagnosticError`."""
    text = mapping(found, f"`{GAME}`")
    written = text.get("language")
    if written is not None and (version := nodes.number(written, "`language`")) != LANGUAGE:
        raise DiagnosticError(UnknownLanguage(written.span, version, LANGUAGE))
    return text


# ---- YAML over YAML


def laid_over(base: Mapping, over: Mapping, depth: int) -> Mapping:
    """A mapping with the changes of another one.

    Its keys replace those of the base, as deep as said; `none` removes a key. New keys come last.
    """
    changed = tuple(
        (key, _changed(value, over.get(key.text), depth))
        for key, value in base.pairs
        if not _removes(over, key)
    )
    added = tuple((key, value) for key, value in over.pairs if base.get(key.text) is None)
    return Mapping(changed + added, over.span)


def _changed(base: Node, over: Node | None, depth: int) -> Node:
    if over is None:
        return base
    if depth and isinstance(base, Mapping) and isinstance(over, Mapping):
        return laid_over(base, over, depth - 1)
    return over


def _removes(over: Mapping, key: Scalar) -> bool:
    value = over.get(key.text)
    return isinstance(value, Scalar) and value.text == "none" and not value.quoted


def _merged_games(base: Mapping, over: Mapping) -> Mapping:
    """The `game.yaml` of an overlay and of its base as one: section by section, key by key."""
    inherited = Mapping(tuple(pair for pair in base.pairs if pair[0].text not in OWN), base.span)
    joined = {key: _joined(base.get(key), over.get(key)) for key in JOINED}
    merged = laid_over(inherited, over, 2)
    return Mapping(tuple((key, joined.get(key.text) or value) for key, value in merged.pairs), over.span)


def _joined(base: Node | None, over: Node | None) -> Node | None:
    if isinstance(base, Sequence) and isinstance(over, Sequence):
        return Sequence(base.items + over.items, over.span)
    return over or base


# ---- definitions over definitions


@dataclass(frozen=True)
class LostDefinition:
    """A definition that does not parse: what its header says, and its syntax error."""

    kind: str
    name: str
    span: Span
    diagnostic: Diagnostic

    @property
    def header(self) -> str:
        """How `removes` names it."""
        return f"{self.kind} {self.name}"

    @property
    def known_as(self) -> str:
        """By what an overlay replaces it, as `name_of` says of definitions."""
        return self.header if self.kind in ("score", "tiebreak") else self.name


def definitions_over(
    symbols: SymbolTable,
    layers: Layers,
    parsed: SequenceOf[tuple[int, tuple[Definition, ...]]],
    lost: SequenceOf[tuple[int, LostDefinition]] = (),
) -> tuple[Definition, ...]:
    """The definitions of all layers: each replaces what an earlier layer has under its name.

    `parsed` has the files with the number of their layer, `lost` what does not parse in them. What `removes`
    names is left out.
    """
    kept: list[Definition] = []
    for number, text in enumerate(layers.texts):
        own = [definition for layer, found in parsed if layer == number for definition in found]
        unread = [found.header for layer, found in lost if layer < number]
        removed = symbols.attempt(_removed, symbols, text, kept, unread) or frozenset()
        names = {name for definition in own if (name := name_of(definition)) is not None}
        names |= {found.known_as for layer, found in lost if layer == number}
        kept = [it for it in kept if id(it) not in removed and name_of(it) not in names]
        kept += own
    return tuple(kept)


def name_of(definition: Definition) -> str | None:
    """By what an overlay replaces a definition; none for triggers, promises and modifiers."""
    match definition:
        case s.Routine() | s.Value():
            return definition.name.text
        case s.Score():
            return f"{definition.kind} {definition.name.text}"
        case _:
            return None


def _removed(
    symbols: SymbolTable, text: Mapping, kept: Iterable[Definition], unread: Iterable[str]
) -> frozenset[int]:
    """What `removes` of a layer names among the definitions of the layers below, by identity."""
    node = text.get("removes")
    if node is None:
        return frozenset()
    headers: dict[str, list[int]] = {header: [] for header in unread}
    for definition in kept:
        headers.setdefault(_header(definition), []).append(id(definition))
    found: set[int] = set()
    for item in words(node, "`removes`"):
        named = headers.get(" ".join(item.text.split()))
        if named is None:
            symbols.fail(NothingToRemove(item.span, item.text, did_you_mean(item.text, headers)))
        found.update(named or ())
    return frozenset(found)


def _header(definition: Definition) -> str:
    """How `removes` names a definition: `action pray`, `score gold`, `when vp of seat is 0`."""
    match definition:
        case s.Routine():
            return f"{definition.kind} {definition.name.text}"
        case s.Value():
            return f"value {definition.name.text}"
        case s.Score():
            return f"{definition.kind} {definition.name.text}"
        case _:
            return " ".join(MARK.sub("", definition.span.text.partition("\n")[0]).split())
