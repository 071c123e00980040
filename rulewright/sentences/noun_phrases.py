"""Noun phrases for things with their determiners, and relative clauses: `no player who has passed`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from rulewright.sentences.english import article, singular
from rulewright.sentences.names import Noun
from rulewright.sentences.realise import spell
from rulewright.sentences.syntax import (
    IT,
    NEGATIVE,
    Adjunct,
    Clause,
    Genitive,
    Node,
    NounPhrase,
    Referent,
    Series,
    clause,
    count,
    has_word,
    head,
    is_negative,
    is_plural,
    phrase,
    replaced,
    replaced_first,
    series,
    substitute,
    there,
    walk,
)

ON = re.compile(r"\b(pile|table|board|track|line|sheet|row|side|stack|discards?)\b")
ONE = Noun("one", "ones")
RELATIVE = frozenset({"that", "who", "whose", "where", "which"})
ITS = frozenset({"it", "its"})
DETERMINERS = frozenset({"all", "any", "each", "none", "one", "some", "yours"})
LOCATIVE = ("at", "on", "in", "of")
BINDING = ("and", "or", "than", "as", "plus", "minus", "times", "is", "are", "not", "between")
"""Words after which the last noun phrase of a clause cannot be moved to its beginning."""


def in_or_on(place: str) -> str:
    """The preposition that the name of a place takes."""
    return "on" if ON.search(place.split(" of ")[0]) else "in"


@dataclass(frozen=True)
class Place:
    """Where things lie, with its preposition: `on the discard pile`; nowhere, if the place has no words."""

    preposition: str
    name: Node

    def at(self, into: str = "") -> Node:
        return Adjunct(into or self.preposition, self.name) if spell(self.name) else ""


@dataclass(frozen=True)
class Things:
    """Things of one kind, as noun phrases. They belong to a `subject`, or lie in a `place`, or neither.

    `after` follows the noun, and `after_many` the noun in the plural, if that differs. `single`: there is at
    most one. `person` and `piece` decide the pronouns. `said` are the author's words for all of them.
    """

    noun: Noun
    subject: Node = ""
    place: Place | None = None
    after: tuple[Node, ...] = ()
    single: bool = False
    person: bool = False
    piece: bool = False
    plural_after: tuple[Node, ...] | None = None
    said: Node = ""

    def such(self, relative: Node, many: Node | None = None) -> Things:
        """The things with a relative clause, and what it is in the plural if that differs."""
        plural = (*self.after_many, relative if many is None else many)
        return replace(self, after=(*self.after, relative), plural_after=plural)

    @property
    def after_many(self) -> tuple[Node, ...]:
        return self.after if self.plural_after is None else self.plural_after

    def picked(self) -> Node:
        """`a card from your hand`, `one of your unused dice`"""
        return self.some("from")

    def some(self, into: str = "") -> Node:
        """`a card in your hand`"""
        if self.subject and self.single:
            return phrase(Genitive(self.subject), self.noun.one, *self.after)
        return self._determined("one", article(self.noun.one), into)

    def one(self) -> Node:
        """`card in your hand`, `one of your unused dice`: without an article, for `the`."""
        named = self.subject or self.said
        return self.some() if named else phrase(self.noun.one, self._where(), *self.after)

    def every(self) -> Node:
        """`each card in your hand`, `each of your unused dice`"""
        return self._determined("each", f"each {self.noun.one}")

    def any(self) -> Node:
        """`any card in your hand`, `any of your unused dice`"""
        return self._determined("any", f"any {self.noun.one}")

    def no(self) -> Node:
        """`no card in your hand`, `none of your unused dice`"""
        return self._determined("none", f"no {self.noun.one}")

    def _determined(self, pronoun: str, noun: str, into: str = "") -> Node:
        if self.subject or self.said:
            return phrase(pronoun, Adjunct("of", self.many()))
        return phrase(noun, self._where(into), *self.after)

    def so_many(self, number: str, one: bool) -> Node:
        """`2 cards from your hand`, `2 of your unused dice`"""
        if self.subject or self.said:
            return phrase(number, Adjunct("of", self.many()))
        noun, after = (self.noun.one, self.after) if one else (self.noun.many, self.after_many)
        return phrase(number, noun, self._where("from"), *after)

    def many(self, into: str = "") -> NounPhrase:
        """`cards in your hand`, `your unused dice`"""
        if self.said:
            return phrase(self.said, *self.after_many, plural=True)
        where = "" if self.subject else self._where(into)
        whose = Genitive(self.subject) if self.subject else ""
        return phrase(whose, self.noun.many, where, *self.after_many, plural=True)

    def all(self, into: str = "") -> Node:
        """`all cards in your hand`, `all your unused dice`; of `all players` no second `all`."""
        if isinstance(self.subject, NounPhrase) and str(self.subject.parts[0]).startswith("all "):
            return self.many(into)
        if self.said and spell(self.said).startswith("all "):
            return self.many(into)
        return phrase("all", *self.many(into).parts, plural=True)

    def the_many(self) -> Node:
        named = self.subject or self.said
        return self.many() if named else phrase("the", *self.many().parts, plural=True)

    def there(self, number: str, one: bool) -> Clause:
        """`you have at least 2 unused dice`, `there is a card in your hand`."""
        if self.said:
            return there(not one, number, Adjunct("among", self.many()))
        return self._exists(f"{number} {self.noun.one if one else self.noun.many}", one)

    def _exists(self, what: str, one: bool) -> Clause:
        after = self.after if one else self.after_many
        if (everybody := _all_of(self.subject)) is not None:
            return self._of_all(everybody, what, after)
        if self.subject:
            return clause(self.subject, "has", what, *after)
        return there(not one, what, self._where(), *after)

    def _of_all(self, everybody: str, what: str, after: tuple[Node, ...]) -> Clause:
        """`a player has a card`, `no player has a card`, `all players together have 2 cards`."""
        some, one = article(self.noun.one), singular(everybody)
        if what == some:
            return clause(phrase(article(one)), "has", some, *after)
        if what.startswith("no "):
            return clause(phrase(f"no {one}"), "has", some, *self.after)
        return clause(phrase(f"all {everybody} together", plural=True), "has", what, *after)

    def exists(self) -> Clause:
        if self.said:
            return there(False, "one", Adjunct("among", self.many()))
        if self.place and not self.after and not self.single:
            if _all_of(self.place.name) is not None:
                return clause(
                    phrase("not", self.place.name, plural=is_plural(self.place.name)), "is", "empty"
                )
            return Clause(self.place.name, "is", ("empty",), negated=True)
        return self._exists(article(self.noun.one), True)

    def empty(self) -> Clause:
        if self.place and not self.after:
            return clause(self.place.name, "is", "empty")
        return self.there("no", self.single or not self.subject)

    def _where(self, into: str = "") -> Node:
        return self.place.at(into) if self.place else ""


def _all_of(node: Node) -> str | None:
    """The noun of a phrase that begins with `all`: `players` of `all players`, and of what is theirs."""
    match node:
        case NounPhrase(parts=(str(first), *_)) if first.startswith("all "):
            return first.removeprefix("all ")
        case NounPhrase(parts=(Genitive(owner=owner), *_)):
            return _all_of(owner)
    return None


@dataclass(frozen=True)
class Listed:
    """Known values, or several kinds of things together: `wood, stone or cloth`."""

    parts: tuple[Node | Described, ...]
    person: bool = False
    noun: Noun = ONE
    after: tuple[Node, ...] = ()
    word: str = "and"

    @property
    def known(self) -> bool:
        """Whether all parts are values."""
        return not any(isinstance(part, Things | Listed) for part in self.parts)

    @property
    def _several(self) -> bool:
        return len(self.parts) > 1 or not self.known

    def such(self, relative: Node, many: Node | None = None) -> Listed:
        return replace(self, after=(*self.after, relative))

    def _series(self, form: Callable[[Described], Node], word: str = "") -> Node:
        """The parts in a form that they share; values stay as they are."""
        items = [form(part) if isinstance(part, Described) else part for part in self.parts]
        return phrase(series(items, word or self.word), *self.after, plural=len(items) > 1)

    def picked(self) -> Node:
        return self._series(lambda part: part.picked(), "or")

    def some(self) -> Node:
        return phrase("one", Adjunct("of", self.many())) if self._several else self.many()

    def one(self) -> Node:
        return phrase("one", Adjunct("among", self.many()))

    def every(self) -> Node:
        if not self.known:
            return self._series(lambda part: part.every())
        return phrase("each", Adjunct("of", self.many())) if self._several else self.many()

    def any(self) -> Node:
        return phrase("any", Adjunct("of", self.many()))

    def no(self) -> Node:
        return phrase("none", Adjunct("of", self.many()))

    def many(self) -> Node:
        return self._series(lambda part: part.the_many())

    def the_many(self) -> Node:
        return self.many()

    def all(self, into: str = "") -> Node:
        return self._series(lambda part: part.all(into))

    def so_many(self, number: str, one: bool) -> Node:
        return phrase(number, Adjunct("of", self.many()))

    def there(self, number: str, one: bool) -> Clause:
        return there(not one, number, "" if self.known else "in all", Adjunct("among", self.many()))

    def exists(self) -> Clause:
        return there(False, self.some() if self.known else self.one())

    def empty(self) -> Clause:
        return there(False, self.no() if self.known else phrase("none", Adjunct("among", self.many())))


Described = Things | Listed


# ---- relative clauses


def narrowed(ref: Referent, things: Described, clauses: Sequence[Node]) -> Described:
    """Things with conditions as relative clauses: `whose price is 3 and that is a character`."""
    if not clauses:
        return things
    one, several = (_joined(ref, things, clauses, many) for many in (False, True))
    return things.such(one, several)


def _joined(ref: Referent, things: Described, clauses: Sequence[Node], many: bool) -> Node:
    """Several relative clauses; of two about the thing itself the second needs no `that`."""
    clauses = _same_things(clauses)
    said = [_relative(ref, things, found, many) for found in clauses]
    for i, (before, after) in enumerate(pairwise(clauses), 1):
        attribute = _attribute(ref, before) or _attribute(ref, after)
        if not attribute and leading(before) == ref and isinstance(after, Clause) and leading(after) == ref:
            said[i] = _predicated(ref, things, after, "", many)
    return series(said)


def _same_things(clauses: Sequence[Node]) -> Sequence[Node]:
    """Clauses in which all that two things share is said at once: `the same suit and rank as the card`."""
    merged: list[Node] = []
    for clause_ in clauses:
        match merged[-1] if merged else None, clause_:
            case (
                Clause(verb="has", rest=(NounPhrase(parts=("the same", str(one), "as")), *after)) as before,
                Clause(verb="has", rest=(NounPhrase(parts=("the same", str(other), "as")), *also)) as last,
            ) if after == also and before.subject == last.subject and not (before.negated or last.negated):
                merged[-1] = replace(before, rest=(phrase("the same", f"{one} and {other}", "as"), *after))
            case _:
                merged.append(clause_)
    return merged


def _relative(ref: Referent, things: Described, found: Node, many: bool) -> Node:
    """One clause; of several clauses, each."""
    match found:
        case Series(items=items, word="and"):
            return _joined(ref, things, items, many)
        case Series(items=items) if _can_share(ref, found):
            return replace(found, items=tuple(_relative(ref, things, i, many) for i in items))
    return _relative_clause(ref, things, found, many)


def _can_share(ref: Referent, found: Series) -> bool:
    """Whether each alternative can have its own pronoun; after `either` only if all are about the thing."""
    about_it = [leading(item) in (ref, Genitive(ref)) for item in found.items]
    return all(about_it) or (any(about_it) and not found.opening)


def _relative_clause(ref: Referent, things: Described, found: Node, many: bool) -> Node:
    which = "whom" if things.person else "which"
    if leading(found) == Genitive(ref):
        return referring(ref, things, replaced_first(found, Genitive(ref), "whose"))
    if (attribute := _attribute(ref, found)) is not None:
        return referring(ref, things, attribute)
    if isinstance(found, Clause) and leading(found) == ref:
        return _predicated(ref, things, found, "who" if things.person else "that", many)
    if (whose := _possessed(found, ref)) is not None:
        return referring(ref, things, whose)
    if count(found, ref) == 1 and not _compares_alike(found):
        if (ending := stranded(found, ref)) is not None:
            return _at_the_end(things, *ending)
        places = [Adjunct(word, ref) for word in LOCATIVE if count(found, Adjunct(word, ref))]
        if places and not things.person and not (isinstance(things, Things) and things.piece):
            return phrase("where", replaced(found, places[0], ""))
    return phrase(f"for {which}", referring(ref, things, found))


def _attribute(ref: Referent, found: Node) -> Node | None:
    """What a clause says of a thing, without a verb: `with the same colour as the card`, `of the colour`."""
    match found:
        case Clause(
            subject=subject, verb="has", rest=(NounPhrase(parts=("the same", *_)), *_), negated=False
        ):
            if subject == ref:
                return Adjunct("with", NounPhrase(found.rest))
            turned = found.rest[1:] == (ref,) and not has_word(subject, NEGATIVE)
            return Adjunct("with", phrase(found.rest[0], subject)) if turned else None
        case Clause(subject=subject, verb="is", rest=(Adjunct(preposition="of") as of,), negated=False):
            return of if subject == ref else None
    return None


def _compares_alike(found: Node) -> bool:
    """Whether a clause compares two things of one name, so that both need to say whose they are."""
    match found:
        case Clause(subject=subject, verb="is", rest=(*_, last)):
            return bool(head(subject)) and head(subject) == head(last)
    return False


def leading(node: Node) -> Node:
    """The first noun phrase of a clause; of nested owners the innermost."""
    match node:
        case Clause(subject=first) | NounPhrase(parts=(first, *_)) | Series(items=(first, *_)):
            return leading(first)
        case Genitive(owner=owner) if not isinstance(owner, Referent):
            return leading(owner)
    return node


def _possessed(node: Node, ref: Referent) -> Node | None:
    """A clause that begins with `the number on it`, with `whose number` in its place."""
    match node:
        case NounPhrase(parts=("the", str(noun), Adjunct("on" | "of" as word, thing), *more)) if thing == ref:
            short = _is_short(noun) if word == "of" else " " not in noun
            return replace(node, parts=("whose", noun, *more)) if short else None
        case NounPhrase(parts=(str(noun), Adjunct("of", thing), *more)) if thing == ref and _is_bare(noun):
            return replace(node, parts=("whose", noun, *more))
        case NounPhrase(parts=(first, *more)) if (found := _possessed(first, ref)) is not None:
            return replace(node, parts=(found, *more))
        case Clause(subject=subject) if (found := _possessed(subject, ref)) is not None:
            return replace(node, subject=found)
    return None


def _is_short(noun: str) -> bool:
    """Whether a noun has no clause in it: `number of goods`, but not `number of goods that are left`."""
    return not any(word in RELATIVE for word in noun.split(" "))


def _is_bare(noun: str) -> bool:
    """Whether a noun of one word has no article: `influence`, but not `some` or `one`."""
    return " " not in noun and noun not in DETERMINERS


def _predicated(ref: Referent, things: Described, found: Clause, pronoun: str, many: bool) -> Node:
    """A clause about a thing, with a relative pronoun as its subject."""
    match found.subject:
        case NounPhrase(parts=(_, *more)):
            subject = phrase(pronoun, *more, plural=many)
        case _:
            subject = phrase(pronoun, plural=many)
    return referring(ref, things, replace(found, subject=subject))


def stranded(node: Node, ref: Referent) -> tuple[Node, str] | None:
    """A clause without the thing at its end, and the preposition before it, if it ends with the thing."""
    match node:
        case Adjunct(preposition=preposition, object=thing) if thing == ref:
            return "", preposition
        case Adjunct(object=thing) if (found := stranded(thing, ref)) is not None:
            return replace(node, object=found[0]), found[1]
        case Clause(rest=(*before, last)) if found := _last_stranded(before or [node.verb], last, ref):
            return replace(node, rest=(*before, found[0]) if found[0] else tuple(before)), found[1]
        case NounPhrase(parts=(*before, last)) if found := _last_stranded(before, last, ref):
            return replace(node, parts=(*before, found[0]) if found[0] else tuple(before)), found[1]
    return None


def _last_stranded(before: Sequence[Node], last: Node, ref: Referent) -> tuple[Node, str] | None:
    if last != ref:
        return stranded(last, ref)
    bound = not before or _last_word(before[-1]) in BINDING
    return None if bound else ("", "")


def _last_word(node: Node) -> str:
    """The last word of a text, or of a noun phrase that ends with one."""
    if isinstance(node, NounPhrase):
        return _last_word(node.parts[-1]) if node.parts else ""
    return node.split(" ")[-1] if isinstance(node, str) else ""


def _at_the_end(things: Described, found: Node, preposition: str) -> Node:
    """`that you own`, `of which you have 3`, `where there is none`."""
    exists = isinstance(found, Clause) and found.subject in (phrase("there"), phrase("there", plural=True))
    if preposition in ("at", "on", "in") or (preposition == "of" and exists):
        return phrase("where", found)
    if preposition:
        return phrase(preposition, "whom" if things.person else "which", found)
    return phrase("whom" if things.person else "that", found)


# ---- other clauses about a thing


def about(ref: Referent, subject: Node, things: Described, found: Node) -> Node:
    """A clause with a subject for the thing: `each player has passed`; or else `for each player, …`."""
    if leading(found) == ref:
        return referring(ref, things, replaced_first(found, ref, subject))
    ending = stranded(found, ref)
    owned = any(_is_owners_place(leaf, ref) for leaf in walk(found))
    object_ = ending is not None and not ending[1] and not is_negative(found) and _has_object(found)
    if count(found, ref) == 1 and (owned or object_ or (ending is not None and ending[1] in LOCATIVE)):
        return replaced(found, ref, subject)
    return Clause(phrase("for", subject, ",", referring(ref, things, found)))


def _has_object(node: Node) -> bool:
    """Whether a clause has a verb that takes an object: `you make it`."""
    return isinstance(node, Clause) and node.verb not in ("is", "has", "can", "may", "must", "")


def _is_owners_place(node: Node, ref: Referent) -> bool:
    """`on its board`"""
    return (
        isinstance(node, Adjunct) and node.preposition in LOCATIVE and leading(node.object) == Genitive(ref)
    )


def referring(ref: Referent, things: Described, node: Node) -> Node:
    """A tree with pronouns for the thing."""
    that = phrase(f"that {things.noun.one}")

    def is_that(found: Node) -> Node | None:
        match found:
            case Clause(verb="is", rest=(first, *rest), negated=False) if first == ref:
                return replace(found, rest=(that, *rest))
            case NounPhrase(parts=(*before, str(copula), last)) if last == ref:
                equal = copula.split(" ")[-1] in ("is", "are")
                return replace(found, parts=(*before, copula, that)) if equal else None
        return None

    said = substitute(node, is_that)
    return replaced(said, ref, that if things.person or has_word(said, ITS) else IT)
