"""Parsing of the author's templates to trees, with their placeholders filled: `{seat's} side of {disc}`.

Only what an author has written is parsed, never what the program has generated.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from dsl.declare.labels import HOLE
from rulewright.sentences.english import SMALL, VERBS, is_many, is_participle, plain_verb, third_verb
from rulewright.sentences.names import Template
from rulewright.sentences.realise import spell
from rulewright.sentences.syntax import (
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
OWNED = re.compile(r"((?:an?|the) [\w ]+ (?:of|in|on|at) \{\w+\}) (\w+[^siu\W]s)( .*|$)", re.DOTALL)
"""A subject with an object of its own: `a man of {seat}`, and its verb."""
DETERMINERS = frozenset({"a", "an", "any", "each", "every", "no", "one", "some", "that", "this"})
PREPOSITIONS = frozenset({"of", "in", "on", "at", "to", "from", "by", "with", "for", "against"})
THIRD = {"are": "is", "were": "was", "have": "has", "do": "does"}


def words(text: str, plural: bool | None = None) -> NounPhrase:
    """A noun phrase of the author; unless `plural` is given, its words decide whether it is a plural."""
    if text in ("you", "it"):
        return YOU if text == "you" else IT
    article, _, noun = text.partition(" ")
    parts = (article, noun) if article == "the" and noun else (text,)
    return NounPhrase(parts, is_many(text) if plural is None else plural)


def filled(text: str, fillers: Fillers, alone: bool = True) -> Node:
    """A noun phrase with its placeholders filled, without the bracketed parts whose fillers are empty.

    `alone`: it is a noun phrase by itself, and not what follows a verb.
    """
    template = _without_empty(text, fillers).strip()
    if (name := _only_placeholder(template)) is not None:
        return fillers[name]
    if not HOLE.search(template):
        return words(template)
    parts: list[Node] = []
    end, word = 0, ""
    for found in HOLE.finditer(template):
        before = " ".join((word, template[end : found.start()].strip(" “”"))).strip()
        parts += _before(before, _filler(found, fillers, template), alone and not parts)
        object_ = before.rpartition(" ")[2] in PREPOSITIONS
        end, word = found.end(), _after(found, fillers, object_)
    rest = " ".join((word, template[end:].removeprefix("”").strip())).strip()
    return phrase(*parts, rest, plural=is_many(template))


def _only_placeholder(text: str) -> str | None:
    """The name of the placeholder that is all of a text, if one is."""
    found = HOLE.fullmatch(text)
    return found.group(1) if found is not None and not (found.group(2) or found.group(3)) else None


def _without_empty(text: str, fillers: Fillers) -> str:
    """A template without the bracketed parts that have an empty filler."""

    def kept(found: re.Match[str]) -> str:
        return found[1] if all(fillers.get(name, "?") for name, *_ in HOLE.findall(found[1])) else ""

    return OPTIONAL.sub(kept, text)


def _filler(found: re.Match[str], fillers: Fillers, text: str) -> Node:
    """The filler of a placeholder; after an owner without its `the`."""
    name, owner, after = found.groups()
    if owner:
        return Genitive(fillers[name], alone=not after and not text[found.end() :].strip(" ,."))
    if text[: found.start()].endswith("“"):
        return Enclosed("“", fillers[name], "”")
    return undetermined(fillers[name]) if text[: found.start()].endswith("'s} ") else fillers[name]


def _before(text: str, filler: Node, alone: bool) -> list[Node]:
    """The words before a filler, and the filler, as the object of a preposition if they end with one.

    `alone`: a noun phrase begins with them.
    """
    article, _, noun = text.partition(" ")
    parts = [article, noun] if article == "the" else [text]
    *before, last = parts[-1].split(" ")
    if last == "the" and spell(filler).startswith(("the ", "a ", "an ")):
        return [*parts[:-1], " ".join(before), filler]
    if last in ("a", "an") and spell(filler).startswith(("a ", "an ", "the ", "some ")):
        return [*parts[:-1], " ".join(before), filler]
    if last == "of" and filler == YOU and before:
        if article == "the" or (alone and _is_bare(before)):
            first, rest = ("all", before[1:]) if before[0] == "all" else ("", before)
            return [first, Genitive(YOU), " ".join(rest)]
        return [" ".join(before), Adjunct("of", Genitive(YOU, alone=True))]
    if last in PREPOSITIONS and not isinstance(filler, Genitive):
        return [*parts[:-1], " ".join(before), Adjunct(last, filler)]
    return [*parts, filler]


def _is_bare(words: Sequence[str]) -> bool:
    """Whether words are a noun without an article: `influence`, but not `a man`."""
    return words[0] not in DETERMINERS and not any(word in SMALL for word in words[1:])


def _after(found: re.Match[str], fillers: Fillers, is_object: bool) -> str:
    """The word after a placeholder; a verb agrees with `you`, unless that is the object of a preposition."""
    name, owner, after = found.groups()
    word = (after or "").strip()
    verb = word in VERBS or (word.endswith("s") and not word.endswith(("ss", "us", "is")))
    return plain_verb(word) if verb and not owner and not is_object and fillers[name] == YOU else word


def filled_clause(template: Template, fillers: Fillers, positive: bool) -> Clause:
    """A clause with its placeholders filled, or its negation, in the author's words if there are any."""
    if positive or template.not_so:
        return _clause(template.text if positive else template.not_so, fillers)
    return negate(_clause(template.text, fillers))


def _clause(template: str, fillers: Fillers) -> Clause:
    text = _without_empty(template, fillers)
    found = VERB.search(text)
    if found is not None:
        verb, negated, cannot = found.groups()
        subject = _subject(text[: found.start()].strip(), verb, fillers)
        return _with_verb(
            subject, verb or "can", text[found.end() :].strip(), bool(negated or cannot), fillers
        )
    simple = SIMPLE.match(text) or OWNED.match(text)
    if simple is None:
        return Clause(filled(text, fillers))
    name, verb, rest = simple.groups()
    return _with_verb(_subject(name, verb, fillers), verb, rest.strip(), False, fillers)


def _subject(text: str, verb: str | None, fillers: Fillers) -> Node:
    """The subject; its verb decides whether it is a plural, unless it is a placeholder."""
    subject = filled(text, fillers)
    if _only_placeholder(text) is not None or not isinstance(subject, NounPhrase) or subject == YOU:
        return subject
    return replace(subject, plural=verb in THIRD) if verb in THIRD or verb in THIRD.values() else subject


def _with_verb(subject: Node, verb: str, rest: str, negated: bool, fillers: Fillers) -> Clause:
    third = THIRD.get(verb, verb)
    first, _, more = rest.partition(" ")
    if third == "does" and negated and first.isalpha():
        return _with_verb(subject, third_verb(first), more, True, fillers)
    participle = is_participle(first)
    if third == "is" and rest.startswith(("a ", "an ")):
        return Clause(subject, third, (Indefinite((filled(rest.partition(" ")[2], fillers),)),), negated)
    return Clause(subject, third, (filled(rest, fillers, alone=False),) if rest else (), negated, participle)


def labelled_clause(subject: Node, label: str, *rest: Node) -> Clause:
    """A clause of a subject and a label that begins with a verb: `has had a turn`."""
    verb, _, more = label.partition(" ")
    parts = tuple(part for part in (more, *rest) if part)
    return Clause(subject, THIRD.get(verb, verb), parts, False, is_participle(more.partition(" ")[0]))
