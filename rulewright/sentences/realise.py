"""Linguistic realisation: from a tree to text, with agreement, commas and spaces."""

from __future__ import annotations

from typing import assert_never

from rulewright.i18n.messages import Inflected
from rulewright.sentences.english import article, listed, plain_verb, plural, possessive, sentence
from rulewright.sentences.syntax import (
    YOU,
    Adjunct,
    Clause,
    Enclosed,
    Genitive,
    Indefinite,
    Node,
    NounPhrase,
    Referent,
    Series,
    is_plural,
    phrase,
)

AUXILIARIES = ("is", "was", "may", "must", "will", "can")
CLOSING = (",", ".", ":", ";", ")")
HEAVY = 3
"""The most words of an owner that is written as a genitive."""


def spell(*nodes: Node) -> str:
    """The text of a sequence of nodes."""
    text = ""
    for word in map(_spelled, nodes):
        if word.startswith(CLOSING):
            text = text.removesuffix(",") + word
        elif word:
            text = f"{text} {word}" if text and not text.endswith("(") else f"{text}{word}"
    return text


def spell_sentence(*nodes: Node) -> str:
    return sentence(spell(*nodes).removesuffix(","))


def _spelled(node: Node) -> str:
    match node:
        case str():
            return node
        case Referent():
            return "it"
        case Inflected():
            return node.form("nom")
        case NounPhrase(parts=parts):
            return spell(*parts)
        case Indefinite(noun=noun, plural=many):
            return plural(spell(*noun)) if many else article(spell(*noun))
        case Genitive(owner=owner, alone=alone):
            return "yours" if alone and owner == YOU else possessive(spell(owner))
        case Adjunct(preposition=preposition, object=thing):
            return spell(preposition, thing)
        case Enclosed(left=left, inner=inner, right=right):
            return f"{left}{spell(inner).removesuffix(',')}{right}"
        case Series(items=items, word=word, opening=opening, commas=commas):
            texts = [spell(item) for item in items]
            if word == "and" and not opening and any(_is_choice(item) for item in items):
                return f"{', '.join(texts[:-1])}, and {texts[-1]}"
            between = f", {word} " if any(_is_both(item) for item in items) else f" {word} "
            return spell(opening, listed(texts, word) if commas else between.join(texts))
        case Clause():
            return _clause(node)
    assert_never(node)


def _is_both(node: Node) -> bool:
    """Whether an alternative is two things together, whose end a comma shows."""
    return isinstance(node, Series) and node.opening == "both"


def _is_choice(node: Node) -> bool:
    """Whether a part of a series is a series of alternatives, whose end a comma shows."""
    return isinstance(node, Series) and node.word == "or" and len(node.items) > 1


def _clause(node: Clause) -> str:
    if not node.verb:
        return spell("it is not so that" if node.negated else "", node.subject)
    return spell(node.subject, verb_phrase(node, agrees_as_many(node.subject)))


def verb_phrase(node: Clause, many: bool) -> str:
    """A clause without its subject, agreeing with one or `many`: `have passed`, `are cities`."""
    rest = node.rest
    if many and rest and isinstance(rest[0], Indefinite):
        rest = (Indefinite(rest[0].noun, True), *rest[1:])
    return spell(_verb(node, many), *rest)


def _verb(node: Clause, many: bool) -> str:
    third = node.verb
    if not node.negated:
        return plain_verb(third) if many else third
    if third == "can":
        return "cannot"
    if third in AUXILIARIES or (third == "has" and node.perfect):
        return f"{plain_verb(third) if many else third} not"
    return f"{'do' if many else 'does'} not {plain_verb(third)}"


def agrees_as_many(subject: Node) -> bool:
    return subject == YOU or is_plural(subject)


def conjugated(subject: Node, third: str) -> str:
    """A verb in the third person, in agreement with its subject."""
    return plain_verb(third) if agrees_as_many(subject) else third


def belonging(owner: Node, thing: Node, *after: Node, plural: bool = False) -> NounPhrase:
    """`the card's price`; for an owner of many words `the price of the card that …`."""
    words = spell(owner).split(" ")
    if len(words) > HEAVY or "of" in words or (len(words) > 1 and words[-1] == "you"):
        return phrase("the", thing, *after, Adjunct("of", owner), plural=plural)
    return phrase(Genitive(owner), thing, *after, plural=plural)
