"""The vocabulary of a game: the words of its choices, events and random outcomes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from dsl.diagnostics import did_you_mean
from dsl.domains import IntType
from dsl.numbers import whole
from interpreter import ir
from interpreter.events import KINDS
from interpreter.formatting import outcome_name
from interpreter.game import Game

FIELD = re.compile(r"{(\w+)}")
"""A field in the notation of events."""
SENTENCES = " ".join(FIELD.sub(" ", kind.notation) for kind in KINDS.values())
EVENT_WORDS = frozenset(
    ("at", "->", "are", "shown", "cards", "shows", "thrown", *SENTENCES.replace(":", " ").split())
)
EVENT_TEXTS = frozenset(("the", "game", "over", "nothing", "true", "false", "none", "pass"))
MOST_OUTCOMES = 5000


def choice_words(game: Game) -> frozenset[str]:
    """Every word that a choice of the game can have."""
    rules = game.rules
    words = {"pass", *rules.routines, *rules.zones, *rules.components}
    for decl in rules.types.values():
        words.update(decl.names)
    for component in rules.components.values():
        words.update(component.classes)
    return frozenset(words)


def event_words(game: Game) -> frozenset[str]:
    """Every word that the text of an event can have."""
    rules = game.rules
    names = (*rules.counters, *rules.marks, *rules.pointers, *rules.phases)
    return choice_words(game) | EVENT_WORDS | EVENT_TEXTS | frozenset(names)


def unknown_word(texts: Iterable[str], known: frozenset[str]) -> tuple[str, str] | None:
    """The first word that is neither known nor a number, with a guess at what was meant."""
    for text in texts:
        for word in text.replace(",", " ").replace(":", " ").split():
            if word not in known and whole(word) is None:
                return word, did_you_mean(word, known)
    return None


def outcomes(game: Game) -> dict[str, tuple[str, ...]]:
    """For each stream of chance its possible outcomes, in the order of its nodes.

    The outcomes of a shuffle are numbers of positions; there are as many as pieces. What the rules never use
    has no stream, though routines that nothing calls may speak of it.
    """
    streams = game.machine.streams
    found: dict[str, dict[str, None]] = {stream: {} for stream in streams}
    for node in game.machine.nodes:
        if isinstance(node, ir.Chance) and node.stream < len(streams):
            found[streams[node.stream]].update(dict.fromkeys(_outcomes(node)))
    return {stream: tuple(names) for stream, names in found.items()}


def _outcomes(node: ir.Chance) -> Iterator[str]:
    if node.names:
        yield from node.names
    elif isinstance(node.type, IntType):
        yield from (str(i) for i in range(node.type.lo, min(node.type.hi, node.type.lo + MOST_OUTCOMES) + 1))
    else:
        number = node.faces if node.faces is not None else MOST_OUTCOMES
        yield from (outcome_name(node, i) for i in range(number))
