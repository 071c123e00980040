"""What a sentence is said with: the words of the game, what is known of the match, names of variables."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from dsl import rules as r
from dsl.declare.labels import HOLE
from dsl.domains import Elem, Piece
from rulewright.prose.document import Step
from rulewright.prose.english import agreed, denied, possessive
from rulewright.prose.folding import Folding
from rulewright.prose.names import ORDINALS, Lexicon, Phrase
from rulewright.prose.nominals import Described, stand_in
from rulewright.prose.usage import Usage

OPTIONAL = re.compile(r"\[([^\]]*)\]")
ADJECTIVES = ("other", "first", "second", "third", "last", "next", "new", "old", "chosen", "taken", "copied")


@dataclass(frozen=True)
class Grammar:
    """The passes that call one another, whichever file they stand in; `grammar.py` fills it in."""

    expr: Callable[[Voice, r.Expr], str]
    clauses: Callable[[Voice, r.Expr, bool, bool], list[str]]
    group: Callable[[Voice, r.Group], Described]
    block: Callable[[Voice, r.Block], tuple[Step, ...]]


@dataclass
class Voice:
    """What the passes are given: the words of the game, what is known of the match, and names of variables.

    `calls` says what is called where, `told` the routines that have been told. `names` is how variables are
    referred to just now, `passing` the marks of values said in place, `here` the section (its id and title),
    and `places` the sections in which routines are told that have none of their own.
    """

    lexicon: Lexicon
    folding: Folding
    grammar: Grammar
    calls: Usage
    told: set[str] = field(default_factory=set)
    names: dict[r.Var, str] = field(default_factory=dict)
    acting: str = "the piece"
    active: str = "the active player"
    marks: int = 0
    depth: int = 0
    passing: dict[str, None] = field(default_factory=dict)
    here: tuple[str, str] = ("", "")
    places: dict[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def rules(self) -> r.Rules:
        return self.lexicon.rules

    # ---- the passes

    def expr(self, node: r.Expr) -> str:
        """A value as a noun phrase; a condition as a clause."""
        return self.grammar.expr(self, node)

    def clauses(self, node: r.Expr, so: bool = True, among: bool = False) -> list[str]:
        """A condition as one or several clauses that all hold; `among` others, one of two says `either`."""
        return self.grammar.clauses(self, node, so, among)

    def group(self, node: r.Group) -> Described:
        """A collection, as what can be said of the things in it."""
        return self.grammar.group(self, node)

    def block(self, block: r.Block) -> tuple[Step, ...]:
        """The steps of a block, in order."""
        return self.grammar.block(self, block)

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
        if self.lexicon.labels.get(var.name) and not self.lexicon.is_of_rows(var.name):
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

    @contextmanager
    def citing(self) -> Iterator[list[str]]:
        """The marks of the values that are said in place of their names, when the sentence is done."""
        before, self.passing = self.passing, {}
        found: list[str] = []
        try:
            yield found
        finally:
            found += self.passing
            self.passing = before

    def cite(self, value: r.Value) -> None:
        """A value is said in place of its name: what says it cites its clauses."""
        marks = (*value.clauses, *(c for case in self.folding.cases(value) for c in case.clauses))
        self.passing.update(dict.fromkeys(marks))

    # ---- phrases of the author

    def filled(self, phrase: Phrase, holes: Mapping[str, str], so: bool = True) -> str:
        """A phrase with its holes filled; denied, if it is not `so`."""
        if so:
            return filled(phrase.text, holes)
        return filled(phrase.not_so or denied(phrase.text), holes)


def filled(text: str, holes: Mapping[str, str]) -> str:
    """The text with its holes filled, without the parts in brackets whose holes are empty.

    The verb after a hole agrees with what fills it; after an owner there is no `the`.
    """

    def fill(found: re.Match[str]) -> str:
        hole, mine, after = found.groups()
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
    """`the card`, `the other card`: a noun that has its article keeps it."""
    for word, other in (("another ", "the other "), ("any ", "the "), ("a ", "the "), ("an ", "the ")):
        if noun.startswith(word):
            return other + noun.removeprefix(word)
    return noun if noun.startswith(("the ", "your ")) else f"the {noun}"
