"""The context of all passes: the words of the game, its configuration, and how variables are referred to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Literal

from dsl import rules as r
from dsl.domains import FlagType
from rulewright.i18n.messages import Messages
from rulewright.sentences.english import is_many, listed
from rulewright.sentences.framed.nominals import Grammar, Nominal
from rulewright.sentences.names import DONE_WITH, ORDINALS, Lexicon, type_name
from rulewright.sentences.noun_phrases import Described
from rulewright.sentences.partial_eval import PartialEval
from rulewright.sentences.realise import spell
from rulewright.sentences.syntax import YOU, Node, NounPhrase, Referent, phrase, series, the, undetermined
from rulewright.sentences.text import Step
from rulewright.sentences.usage import Usage

PLACES = ("here", "there")
"""Names of parameters that say which of two, and not what they are."""
ADJECTIVES = ("other", "first", "second", "third", "last", "next", "new", "old", "chosen", "taken", "copied")
THE_PIECE = the("piece")


@dataclass(frozen=True)
class Passes:
    """The mutually recursive passes, so that their modules need not import each other; see `passes.py`."""

    expr: Callable[[BookContext, r.Expr], Node]
    clauses: Callable[[BookContext, r.Expr, bool, bool], list[Node]]
    collection: Callable[[BookContext, r.Collection], Described]
    ranked: Callable[[BookContext, r.Ranked], Described]
    block: Callable[[BookContext, r.Block, tuple[str, ...]], tuple[Step, ...]]


@dataclass
class BookContext:
    """The words and the state of one book in the making.

    `names` are the noun phrases by which variables are referred to now, `acting` and `active` those for
    `self` and the active seat. `summaries` has the clauses by which statements can be told, `scratch` the
    state of which only they tell; `summed` are the clauses of what was told by summaries, `spoken` those
    whose summaries were. `at_glance` has what the table of the glance calls the moments at which a set of
    actions may be chosen. `described` are the routines that have been described, `repeating` the values
    whose definitions only repeat their names. `section` is the id and title of the section in the making,
    and `section_of` has those of the sections in which inlined routines are described. `cited` collects the
    clauses of the values that are written in place of their names, and `depth` is how many are nested.
    `say` gives the messages of the language. A language that has frames has a `grammar`, and the context of
    the `first` language, which decides what is told how.
    """

    lexicon: Lexicon
    folding: PartialEval
    passes: Passes
    usage: Usage
    active: Node
    summaries: Mapping[str, r.Clause] = field(default_factory=dict)
    scratch: frozenset[str] = frozenset()
    summed: set[str] = field(default_factory=set)
    spoken: set[str] = field(default_factory=set)
    at_glance: Mapping[frozenset[str], str] = field(default_factory=dict)
    described: set[str] = field(default_factory=set)
    repeating: set[str] = field(default_factory=set)
    names: dict[r.Var, Node] = field(default_factory=dict)
    acting: Node = THE_PIECE
    depth: int = 0
    cited: dict[str, None] = field(default_factory=dict)
    section: tuple[str, str] = ("", "")
    section_of: dict[str, tuple[str, str]] = field(default_factory=dict)
    referent_ids: Iterator[int] = field(default_factory=count)
    say: Messages = field(default_factory=lambda: Messages("en", "book"))
    grammar: Grammar | None = None
    first: BookContext | None = None

    @property
    def english(self) -> Lexicon:
        """The words of the game in its first language."""
        return self.lexicon if self.first is None else self.first.lexicon

    def twin(self) -> BookContext:
        """This context in the first language of the game, which decides what is told how."""
        if self.first is None:
            return self
        first = self.first
        reader = isinstance(self.active, Nominal) and self.active.you
        return replace(
            first, folding=self.folding, depth=self.depth, names={}, cited={}, section=self.section,
            section_of={}, described=self.described, summaries=self.summaries, at_glance=self.at_glance,
            active=YOU if reader else first.active,
        )  # fmt: skip

    def listed(self, texts: Sequence[str], word: Literal["and", "or"] = "and") -> str:
        """`a, b and c`"""
        if self.grammar is None:
            return listed(texts, word)
        *most, end = texts or [""]
        return f"{', '.join(most)} {self.say(word)} {end}" if most else end

    @property
    def rules(self) -> r.Rules:
        return self.lexicon.rules

    # ---- the passes

    def expr(self, node: r.Expr) -> Node:
        """A value as a noun phrase; a condition as a clause."""
        return self.passes.expr(self, node)

    def clauses(self, node: r.Expr, positive: bool = True, among: bool = False) -> list[Node]:
        """The clauses of a conjunction, or one clause; `among` others, a disjunction begins with `either`."""
        return self.passes.clauses(self, node, positive, among)

    def collection(self, node: r.Collection) -> Described:
        """A collection as a noun that can take its conditions."""
        return self.passes.collection(self, node)

    def ranked(self, node: r.Ranked) -> Described:
        """Things that are picked by their keys."""
        return self.passes.ranked(self, node)

    def block(self, block: r.Block, clauses: tuple[str, ...] = ()) -> tuple[Step, ...]:
        """The steps of a block; `clauses` are those of the routine whose whole block it is."""
        return self.passes.block(self, block, clauses)

    def condition(self, node: r.Expr, positive: bool = True) -> Node:
        """A condition as one clause."""
        said = self.clauses(node, positive)
        return series(said) if self.grammar is None else self.listed([spell(one) for one in said])

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
            flag = isinstance(var.type, FlagType)
            return self.lexicon.written(var.name) if flag else self.lexicon.noun(var.name).one
        if var.name == type_name(var.type):
            return kind
        if self.lexicon.labels.get(var.name) and not self.lexicon.is_of_rows(var.name):
            return self.lexicon.label(var.name)
        words = var.name.replace("_", " ")
        if type_name(var.type) and words in PLACES:
            return kind if words == "here" else f"other {kind}"
        if type_name(var.type) and (words in ADJECTIVES or DONE_WITH.fullmatch(words)):
            return f"{words} {kind}"
        return kind if type_name(var.type) and len(words) < 3 else words

    def parameter_nouns(self, parameters: Sequence[r.Var]) -> list[str]:
        """What parameters are called where they are introduced; of one kind, `first …` and `second …`."""
        nouns = [self.var_noun(p) for p in parameters]
        return [
            f"{ORDINALS[nouns[:i].count(noun)]} {noun}" if nouns.count(noun) > 1 else noun
            for i, noun in enumerate(nouns)
        ]

    def new_referent(self) -> Referent:
        return Referent(next(self.referent_ids))

    @contextmanager
    def referent(self, var: r.Var) -> Iterator[Referent]:
        """Refers to a variable by a new referent, which the caller replaces in the tree that it builds."""
        before = self.names.get(var)
        self.names[var] = ref = self.new_referent()
        try:
            yield ref
        finally:
            del self.names[var]
            if before is not None:
                self.names[var] = before

    @contextmanager
    def given(self, arguments: Mapping[r.Var, r.Expr]) -> Iterator[None]:
        """Replaces variables by their arguments."""
        before = self.folding
        self.folding = before.having(arguments)
        try:
            yield
        finally:
            self.folding = before

    @contextmanager
    def within(self, value: r.Value) -> Iterator[None]:
        """Replaces the locals of a value that need no name."""
        with self.given(self.folding.within(value).given):
            yield

    @contextmanager
    def citing(self) -> Iterator[list[str]]:
        """The clauses of the values that are written in place of their names; filled at the end."""
        before, self.cited = self.cited, {}
        clauses: list[str] = []
        try:
            yield clauses
        finally:
            clauses += self.cited
            self.cited = before

    def cite(self, value: r.Value | r.NamedCollection) -> None:
        """Adds the clauses of a value that is written in place of its name."""
        if isinstance(value, r.NamedCollection):
            lines: tuple[str, ...] = value.lines
        else:
            marks = (*(let.clauses for let in value.lets), *(x.clauses for x in self.folding.cases(value)))
            lines = tuple(mark for line in marks for mark in line)
        self.cited.update(dict.fromkeys((*value.clauses, *lines)))


def definite(noun: str) -> NounPhrase:
    """A noun with its definite article: `the card`, `the other card` for `another card`."""
    if noun.startswith("your "):
        return phrase(noun)
    if noun.startswith("another "):
        return the(f"other {noun.removeprefix('another ')}")
    article, _, rest = noun.partition(" ")
    bare = rest if article in ("any", "a", "an", "the") and rest else noun
    return the(bare, plural=is_many(bare))
