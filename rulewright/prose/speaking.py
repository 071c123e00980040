"""What a sentence is said with: the words of the game, what is known of the match, names of variables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from dsl import rules as r
from dsl.domains import Elem, Piece
from rulewright.prose.english import agreed, denied, possessive
from rulewright.prose.folding import Folding
from rulewright.prose.names import ORDINALS, Lexicon, Phrase
from rulewright.prose.nominals import stand_in

HOLE = re.compile(r"\{(\w+)('s)?\}( [a-z]+)?")
OPTIONAL = re.compile(r"\[([^\]]*)\]")
ADJECTIVES = ("other", "first", "second", "third", "last", "next", "new", "old", "chosen", "taken", "copied")


class Unfilled(Exception):
    """A phrase has a hole that nothing fills."""

    def __init__(self, name: str, hole: str, known: tuple[str, ...]) -> None:
        super().__init__(name, hole)
        self.name, self.hole, self.known = name, hole, known


@dataclass
class Speaker:
    """Says one part of the rules after the other. `names` is how variables are referred to just now."""

    lexicon: Lexicon
    folding: Folding
    names: dict[r.Var, str] = field(default_factory=dict)
    acting: str = "the piece"
    active: str = "the active player"
    marks: int = 0
    depth: int = 0

    @property
    def rules(self) -> r.Rules:
        return self.lexicon.rules

    # ---- variables

    def name_of(self, var: r.Var) -> str:
        """How a variable is referred to: `the card`, `the target`, `the other card`."""
        if var not in self.names:
            self.names[var] = "you" if var.name == "me" else self._new_name(_the(self.var_noun(var)))
        return self.names[var]

    def _new_name(self, name: str) -> str:
        """The name, or if it means something else already, `the second …`."""
        taken, bare = set(self.names.values()), name.removeprefix("the ")
        names = (name, *(f"the {ordinal} {bare}" for ordinal in ORDINALS[1:]))
        return next((n for n in names if n not in taken), name)

    def var_noun(self, var: r.Var) -> str:
        """What a variable is called: its label, or its kind with what tells it from others."""
        kind = self.lexicon.type_noun(var.type).one
        if var.name in self.lexicon.nouns:
            return self.lexicon.noun(var.name).one
        if isinstance(var.type, Elem | Piece) and var.name == _kind_name(var):
            return kind
        if self.lexicon.is_named(var.name):
            return self.lexicon.label(var.name)
        words = var.name.replace("_", " ")
        if isinstance(var.type, Elem | Piece) and (words in ADJECTIVES or len(words) < 3):
            return f"{words} {kind}" if words in ADJECTIVES else kind
        return words

    @contextmanager
    def marked(self, var: r.Var) -> Iterator[str]:
        """A variable whose reference is settled when the sentence is put together."""
        before = self.names.get(var)
        self.marks += 1
        mark = stand_in(self.marks)
        self.names[var] = mark
        try:
            yield mark
        finally:
            if before is None:
                del self.names[var]
            else:
                self.names[var] = before

    @contextmanager
    def given(self, given: Mapping[r.Var, r.Expr]) -> Iterator[None]:
        """Arguments stand where parameters stood."""
        before = self.folding
        self.folding = before.having(given)
        try:
            yield
        finally:
            self.folding = before

    # ---- phrases of the author

    def filled(self, name: str, phrase: Phrase, holes: Mapping[str, str], so: bool = True) -> str:
        """A phrase with its holes filled; denied, if it is not `so`."""
        if so:
            return filled(name, phrase.text, holes)
        return filled(name, phrase.not_so or denied(phrase.text), holes)


def filled(name: str, text: str, holes: Mapping[str, str]) -> str:
    """The text with its holes filled, without the parts in brackets whose holes are empty.

    The verb after a hole agrees with what fills it; after an owner there is no `the`. Raises `Unfilled` for
    a hole that nothing fills.
    """

    def fill(found: re.Match[str]) -> str:
        hole, mine, after = found.groups()
        if hole not in holes:
            raise Unfilled(name, hole, tuple(holes))
        if mine:
            alone = not after and not text[found.end() :].strip(" ,.")
            return "yours" if alone and holes[hole] == "you" else possessive(holes[hole]) + (after or "")
        value = holes[hole].removeprefix("the ") if text[: found.start()].endswith("'s} ") else holes[hole]
        return value + (f" {agreed(value, after.strip())}" if after else "")

    def keep(found: re.Match[str]) -> str:
        inner = HOLE.findall(found.group(1))
        return found.group(1) if all(holes.get(hole[0], "?") for hole in inner) else ""

    return HOLE.sub(fill, OPTIONAL.sub(keep, text))


def _kind_name(var: r.Var) -> str:
    match var.type:
        case Elem(name):
            return name
        case Piece(component):
            return component
    return ""


def _the(noun: str) -> str:
    return noun if noun.startswith(("the ", "your ")) else f"the {noun}"
