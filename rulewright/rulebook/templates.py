"""Parsing of an author's phrases: `{seat's} side of {disc} is blocked`, with its holes filled, as a tree.

Whatever is read here was written by an author; what the program has made itself is never parsed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from dsl.declare.labels import HOLE
from rulewright.rulebook.english import VERBS, is_many, is_participle, plain_verb
from rulewright.rulebook.names import Template
from rulewright.rulebook.syntax import (
    IT,
    YOU,
    Adjunct,
    Clause,
    Enclosed,
    Genitive,
    Indefinite,
    Node,
    NounPhrase,
    negate,
    phrase,
    undetermined,
)

Fillers = Mapping[str, Node]

OPTIONAL = re.compile(r"\[([^\]]*)\]")
VERB = re.compile(r"\b(?:(is|are|was|were|may|must|will|has|have|can|does|do)\b( not)?|(cannot))\b")
SIMPLE = re.compile(r"(you|it|\{\w+\}) (\w+)( .*|$)", re.DOTALL)
PREPOSITIONS = frozenset({"of", "in", "on", "at", "to", "from", "by", "with", "for"})
THIRD = {"are": "is", "were": "was", "have": "has", "do": "does"}


def words(text: str, plural: bool | None = None) -> NounPhrase:
    """A fixed noun phrase of the author's; unless it is told, its words say whether it is a plural."""
    if text in ("you", "it"):
        return YOU if text == "you" else IT
    article, _, noun = text.partition(" ")
    parts = (article, noun) if article == "the" and noun else (text,)
    return NounPhrase(parts, is_many(text) if plural is None else plural)


def filled(text: str, fillers: Fillers) -> Node:
    """A noun phrase with its holes filled, without the parts in brackets whose holes are empty."""
    template = OPTIONAL.sub(lambda found: _kept(found.group(1), fillers), text).strip()
    if (name := _only_placeholder(template)) is not None:
        return fillers[name]
    if not HOLE.search(template):
        return words(template)
    parts: list[Node] = []
    end, said = 0, ""
    for found in HOLE.finditer(template):
        before = " ".join((said, template[end : found.start()].strip(" “”"))).strip()
        parts += _before(before, _filler(found, fillers, template))
        end, said = found.end(), _after(found, fillers)
    rest = " ".join((said, template[end:].removeprefix("”").strip())).strip()
    return phrase(*parts, rest, plural=is_many(template))


def _only_placeholder(text: str) -> str | None:
    """The name of the hole that is all of a text."""
    found = HOLE.fullmatch(text)
    return found.group(1) if found is not None and not (found.group(2) or found.group(3)) else None


def _kept(inner: str, fillers: Fillers) -> str:
    return inner if all(fillers.get(name, "?") for name, *_ in HOLE.findall(inner)) else ""


def _filler(found: re.Match[str], fillers: Fillers, text: str) -> Node:
    """What fills a hole; after an owner there is no `the`."""
    name, owner, after = found.groups()
    if owner:
        return Genitive(fillers[name], alone=not after and not text[found.end() :].strip(" ,."))
    if text[: found.start()].endswith("“"):
        return Enclosed("“", fillers[name], "”")
    return undetermined(fillers[name]) if text[: found.start()].endswith("'s} ") else fillers[name]


def _before(text: str, filler: Node) -> list[Node]:
    """The words before a hole, and the hole; it is the object of a preposition there."""
    article, _, noun = text.partition(" ")
    said = [article, noun] if article == "the" else [text]
    *before, last = said[-1].split(" ")
    if last in PREPOSITIONS and not isinstance(filler, Genitive):
        return [*said[:-1], " ".join(before), Adjunct(last, filler)]
    return [*said, filler]


def _after(found: re.Match[str], fillers: Fillers) -> str:
    """The word after a hole; a verb agrees with `you`."""
    name, owner, after = found.groups()
    word = (after or "").strip()
    verb = word in VERBS or (word.endswith("s") and not word.endswith(("ss", "us", "is")))
    return plain_verb(word) if verb and not owner and fillers[name] == YOU else word


def filled_clause(template: Template, fillers: Fillers, positive: bool) -> Clause:
    """A clause with its holes filled; denied if it is not `so`, in the author's words if there are any."""
    if positive or template.not_so:
        return _clause(template.text if positive else template.not_so, fillers)
    return negate(_clause(template.text, fillers))


def _clause(template: str, fillers: Fillers) -> Clause:
    text = OPTIONAL.sub(lambda found: _kept(found.group(1), fillers), template)
    found = VERB.search(text)
    if found is not None:
        verb, negated, cannot = found.groups()
        subject = _subject(text[: found.start()].strip(), verb, fillers)
        return _with_verb(
            subject, verb or "can", text[found.end() :].strip(), bool(negated or cannot), fillers
        )
    simple = SIMPLE.match(text)
    if simple is None:
        return Clause(filled(text, fillers))
    name, verb, rest = simple.groups()
    return _with_verb(_subject(name, verb, fillers), verb, rest.strip(), False, fillers)


def _subject(text: str, verb: str | None, fillers: Fillers) -> Node:
    """The subject; where an author has written its verb, this tells its number."""
    found = filled(text, fillers)
    if _only_placeholder(text) is not None or not isinstance(found, NounPhrase) or found == YOU:
        return found
    return replace(found, plural=verb in THIRD) if verb in THIRD or verb in THIRD.values() else found


def _with_verb(subject: Node, verb: str, rest: str, negated: bool, fillers: Fillers) -> Clause:
    third = THIRD.get(verb, verb)
    participle = is_participle(rest.partition(" ")[0])
    if third == "is" and rest.startswith(("a ", "an ")):
        return Clause(subject, third, (Indefinite((filled(rest.partition(" ")[2], fillers),)),), negated)
    return Clause(subject, third, (filled(rest, fillers),) if rest else (), negated, participle)


def labelled_clause(subject: Node, label: str, *rest: Node) -> Clause:
    """A label that begins with a verb, said of a subject: `has had a turn`."""
    verb, _, more = label.partition(" ")
    parts = tuple(part for part in (more, *rest) if part)
    return Clause(subject, THIRD.get(verb, verb), parts, False, is_participle(more.partition(" ")[0]))
