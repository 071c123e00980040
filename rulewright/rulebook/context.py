"""What the passes are given: the words of the game, what is known of the match, names of variables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from dsl import rules as r
from dsl.domains import EnumType, PieceType
from rulewright.rulebook.document import Step
from rulewright.rulebook.english import is_many
from rulewright.rulebook.names import ORDINALS, Lexicon
from rulewright.rulebook.noun_phrases import Described
from rulewright.rulebook.partial_eval import PartialEval
from rulewright.rulebook.realise import spell
from rulewright.rulebook.syntax import YOU, Node, NounPhrase, Referent, phrase, the, undetermined
from rulewright.rulebook.usage import Usage

ADJECTIVES = ("other", "first", "second", "third", "last", "next", "new", "old", "chosen", "taken", "copied")
THE_PIECE = the("piece")
THE_ACTIVE_PLAYER = the("active player")


@dataclass(frozen=True)
class Passes:
    """The passes that call one another, whichever file they stand in; `passes.py` fills it in."""

    expr: Callable[[BookContext, r.Expr], Node]
    clauses: Callable[[BookContext, r.Expr, bool, bool], list[Node]]
    collection: Callable[[BookContext, r.Collection], Described]
    block: Callable[[BookContext, r.Block], tuple[Step, ...]]


@dataclass
class BookContext:
    """The context of all passes.

    `usage` says what is called where, `told` the routines that have been told. `names` is how variables are
    referred to just now, `passing` the marks of values said in place, `here` the section (its id and title),
    and `places` the sections in which routines are told that have none of their own.
    """

    lexicon: Lexicon
    folding: PartialEval
    passes: Passes
    usage: Usage
    told: set[str] = field(default_factory=set)
    names: dict[r.Var, Node] = field(default_factory=dict)
    acting: Node = THE_PIECE
    active: Node = THE_ACTIVE_PLAYER
    referents: int = 0
    depth: int = 0
    passing: dict[str, None] = field(default_factory=dict)
    here: tuple[str, str] = ("", "")
    places: dict[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def rules(self) -> r.Rules:
        return self.lexicon.rules

    # ---- the passes

    def expr(self, node: r.Expr) -> Node:
        """A value as a noun phrase; a condition as a clause."""
        return self.passes.expr(self, node)

    def clauses(self, node: r.Expr, positive: bool = True, among: bool = False) -> list[Node]:
        """A condition as one or several clauses that all hold; `among` others, one of two says `either`."""
        return self.passes.clauses(self, node, positive, among)

    def collection(self, node: r.Collection) -> Described:
        """A collection, as what can be said of the things in it."""
        return self.passes.collection(self, node)

    def block(self, block: r.Block) -> tuple[Step, ...]:
        """The steps of a block, in order."""
        return self.passes.block(self, block)

    # ---- variables

    def name_of(self, var: r.Var) -> Node:
        """How a variable is referred to: `the card`, `the target`, `the other card`."""
        if var not in self.names:
            self.names[var] = YOU if var.name == "me" else self._new_name(self.var_noun(var))
        return self.names[var]

    def _new_name(self, noun: str) -> Node:
        """The name, or if it means something else already, `the second …`."""
        name = definite(noun)
        taken, bare = set(self.names.values()), spell(undetermined(name))
        names = (name, *(the(f"{ordinal} {bare}") for ordinal in ORDINALS[1:]))
        return next((n for n in names if n not in taken), name)

    def var_noun(self, var: r.Var) -> str:
        """What a variable is called: its label, or its kind with what tells it from others."""
        kind = self.lexicon.type_noun(var.type).one
        if var.name in self.lexicon.nouns:
            return self.lexicon.noun(var.name).one
        if isinstance(var.type, EnumType | PieceType) and var.name == _kind_name(var):
            return kind
        if self.lexicon.labels.get(var.name) and not self.lexicon.is_of_rows(var.name):
            return self.lexicon.label(var.name)
        words = var.name.replace("_", " ")
        if isinstance(var.type, EnumType | PieceType) and (words in ADJECTIVES or len(words) < 3):
            return f"{words} {kind}" if words in ADJECTIVES else kind
        return words

    def new_referent(self) -> Referent:
        self.referents += 1
        return Referent(self.referents)

    @contextmanager
    def referent(self, var: r.Var) -> Iterator[Referent]:
        """A variable whose wording is settled when the sentence is put together."""
        before = self.names.get(var)
        found = self.names[var] = self.new_referent()
        try:
            yield found
        finally:
            del self.names[var]
            if before is not None:
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


def _kind_name(var: r.Var) -> str:
    match var.type:
        case EnumType(name):
            return name
        case PieceType(component):
            return component
    return ""


def definite(noun: str) -> NounPhrase:
    """`the card`, `the other card`: a noun that has its article keeps it."""
    if noun.startswith("your "):
        return phrase(noun)
    if noun.startswith("another "):
        return the(f"other {noun.removeprefix('another ')}")
    article, _, rest = noun.partition(" ")
    bare = rest if article in ("any", "a", "an", "the") and rest else noun
    return the(bare, plural=is_many(bare))
