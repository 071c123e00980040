"""The syntax tree of English: noun phrases, clauses, and their parts, with the operations on them.

`realise` spells a tree. An empty `str` is a node without words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import assert_never

from rulewright.i18n.messages import Inflected


@dataclass(frozen=True, slots=True)
class Referent:
    """A placeholder for a bound variable, replaced by a noun phrase where the variable is bound."""

    id: int


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """Words for a thing; a verb agrees with `plural`. A definite article is a part of its own."""

    parts: tuple[Node, ...]
    plural: bool = False


@dataclass(frozen=True, slots=True)
class Indefinite:
    """A noun with its indefinite article; in the plural it has none: `a city`, `cities`."""

    noun: tuple[Node, ...]
    plural: bool = False


@dataclass(frozen=True, slots=True)
class Genitive:
    """An owner: `your`, `the card's`. If nothing follows, it is `alone`: `yours`."""

    owner: Node
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Adjunct:
    """A preposition and its object: `on the board`."""

    preposition: str
    object: Node


@dataclass(frozen=True, slots=True)
class Enclosed:
    """Something in brackets or quotation marks."""

    left: str
    inner: Node
    right: str


@dataclass(frozen=True, slots=True)
class Series:
    """`a, b and c`; without commas, `a or b or c`; with an `opening`, `either a or b`."""

    items: tuple[Node, ...]
    word: str = "and"
    opening: str = ""
    commas: bool = True


@dataclass(frozen=True, slots=True)
class Clause:
    """A subject with its verb phrase. The verb is in the third person; without one, `subject` is all of it.

    In the perfect `has` is an auxiliary: `has not finished`, but `does not have`.
    """

    subject: Node
    verb: str = ""
    rest: tuple[Node, ...] = ()
    negated: bool = False
    perfect: bool = False


Node = str | Referent | NounPhrase | Indefinite | Genitive | Adjunct | Enclosed | Series | Clause | Inflected
"""A part of English, or a nominal of another language, which is a leaf."""

YOU = NounPhrase(("you",))
IT = NounPhrase(("it",))
ARTICLES = ("the ", "a ", "an ")
DETERMINED = ("all ", "each ", "how ", "its ", "no ", "that ", "this ", "what ", "who ", "your ")
"""How nouns begin that have no article before them: `what the house has`."""
OPEN_ENDED, GENERAL = frozenset({"at", "for", "of"}), frozenset({"at", "for", "of", "on"})
"""Prepositions at the end of a noun, as in `value of`, and those whose place they take."""
NEGATIVE = frozenset({"no", "none", "not", "nobody", "nothing", "cannot"})


# ---- constructors


def phrase(*parts: Node, plural: bool = False) -> NounPhrase:
    """The parts that have words; after a noun with a preposition at its end another one is left out."""
    found = [p for p in parts if p]
    for i, (before, after) in enumerate(pairwise(found), 1):
        if isinstance(before, str) and isinstance(after, Adjunct):
            noun, _, last = before.rpartition(" ")
            if noun and (last == after.preposition or (last in OPEN_ENDED and after.preposition in GENERAL)):
                found[i - 1 : i + 1] = [noun, Adjunct(last, after.object)]
    return NounPhrase(tuple(found), plural)


def the(noun: Node, *after: Node, plural: bool = False) -> NounPhrase:
    """A definite noun phrase; a noun that has a determiner of its own keeps it, but for an article."""
    if isinstance(noun, str) and noun.startswith(DETERMINED):
        return phrase(noun, *after, plural=plural)
    if isinstance(noun, str) and noun.startswith(ARTICLES):
        noun = noun.partition(" ")[2]
    return phrase("the", noun, *after, plural=plural)


def series(items: Sequence[Node], word: str = "and") -> Node:
    """The items joined by a word; a single item is itself."""
    return items[0] if len(items) == 1 else Series(tuple(items), word)


def quoted(node: Node) -> Node:
    return Enclosed("“", node, "”")


def bracketed(node: Node) -> Node:
    """A node in brackets, unless it has them already."""
    return node if isinstance(node, Enclosed) and node.left == "(" else Enclosed("(", node, ")")


def there(many: bool, *rest: Node) -> Clause:
    """`there is a card on it`"""
    return Clause(phrase("there", plural=many), "is", tuple(p for p in rest if p))


def clause(subject: Node, verb: str, *rest: Node) -> Clause:
    """A clause whose verb is given with what belongs to it: `is blocked`."""
    first, _, more = verb.partition(" ")
    return Clause(subject, first, tuple(p for p in (more, *rest) if p))


# ---- queries


def is_plural(node: Node) -> bool:
    """Whether a verb agrees with it as with several."""
    match node:
        case NounPhrase(plural=plural) | Indefinite(plural=plural):
            return plural
        case Series(items=items, word=word):
            return (word == "and" and len(items) > 1) or is_plural(items[-1])
        case Enclosed(inner=inner):
            return is_plural(inner)
    return False


def walk(node: Node) -> Iterator[Node]:
    """All nodes of a tree in pre-order."""
    yield node
    for part in children(node):
        yield from walk(part)


def children(node: Node) -> tuple[Node, ...]:
    match node:
        case str() | Referent() | Inflected():
            return ()
        case NounPhrase(parts=parts) | Indefinite(noun=parts) | Series(items=parts):
            return parts
        case Genitive(owner=inner) | Adjunct(object=inner) | Enclosed(inner=inner):
            return (inner,)
        case Clause(subject=subject, rest=rest):
            return (subject, *rest)
    assert_never(node)


def count(node: Node, part: Node) -> int:
    return sum(found == part for found in walk(node))


def has_word(node: Node, words: frozenset[str]) -> bool:
    return any(isinstance(part, str) and not words.isdisjoint(part.split(" ")) for part in walk(node))


def is_negative(node: Node) -> bool:
    """Whether a clause is negative: `there is no card`, `you have not passed`."""
    negated = any(isinstance(part, Clause) and part.negated for part in walk(node))
    return negated or has_word(node, NEGATIVE)


def is_definite(node: Node) -> bool:
    """Whether a noun phrase begins with its article, or with `that`: `the card`, `that player`."""
    match node:
        case NounPhrase(parts=(str(first), *_)):
            return first == "the" or first.startswith("that ")
        case NounPhrase(parts=(NounPhrase() as first, *_)):
            return is_definite(first)
    return False


def head(node: Node) -> str:
    """The first words of a definite noun phrase after its article: `number` of `the number on the die`."""
    match node:
        case NounPhrase(parts=("the", str() as noun, *_)):
            return noun
    return ""


# ---- transformations


def substitute(node: Node, change: Callable[[Node], Node | None]) -> Node:
    """A copy in which `change` has replaced parts; it descends into those for which it returns nothing."""
    changed = change(node)
    if changed is not None:
        return changed
    match node:
        case str() | Referent() | Inflected():
            return node
        case NounPhrase(parts=parts):
            return replace(node, parts=_all(parts, change))
        case Indefinite(noun=parts):
            return replace(node, noun=_all(parts, change))
        case Series(items=parts):
            return replace(node, items=_all(parts, change))
        case Genitive(owner=inner):
            return replace(node, owner=substitute(inner, change))
        case Adjunct(object=inner):
            return replace(node, object=substitute(inner, change))
        case Enclosed(inner=inner):
            return replace(node, inner=substitute(inner, change))
        case Clause(subject=subject, rest=rest):
            return replace(node, subject=substitute(subject, change), rest=_all(rest, change))
    assert_never(node)


def _all(parts: tuple[Node, ...], change: Callable[[Node], Node | None]) -> tuple[Node, ...]:
    return tuple(substitute(part, change) for part in parts)


def replaced(node: Node, part: Node, by: Node) -> Node:
    return substitute(node, lambda found: by if found == part else None)


def replaced_first(node: Node, part: Node, by: Node) -> Node:
    """The tree with only the first occurrence replaced."""
    waiting = [by]
    return substitute(node, lambda found: waiting.pop() if waiting and found == part else None)


def negate(node: Node) -> Clause:
    """The negation of a clause."""
    if isinstance(node, Clause):
        return replace(node, negated=not node.negated)
    return Clause(node, negated=True)


def polar(node: Node, positive: bool) -> Node:
    """A clause, or its negation."""
    return node if positive else negate(node)


def undetermined(node: Node) -> Node:
    """A noun phrase without its article."""
    match node:
        case NounPhrase(parts=("the", *rest)):
            return replace(node, parts=tuple(rest))
        case NounPhrase(parts=(NounPhrase() | Genitive() as first, *rest)):
            return replace(node, parts=(undetermined(first), *rest))
        case Genitive(owner=owner):
            return replace(node, owner=undetermined(owner))
    return node
