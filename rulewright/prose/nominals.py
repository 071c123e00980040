"""Things as the parts of sentences: a card from your hand, each of your dice, no player who …"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from rulewright.prose.english import OR, article, listed, many_are, possessive, verb
from rulewright.prose.names import Noun

ON = re.compile(r"\b(pile|table|board|track|line|sheet|row|side|stack|discards?)\b")
BINDING = ("and", "or", "than", "as", "plus", "minus", "times", "is", "are", "not", "between")
"""Words after which a thing cannot be taken away from the end of a clause."""
PREPOSITIONS = ("of", "to", "from", "by", "with", "for")
ONE = Noun("one", "ones")
STAND_IN = "\ue010{}\ue011"
"""What stands for a bound variable until it is known how the sentence refers to it."""


@dataclass(frozen=True)
class Things:
    """One kind of things. Either somebody has them (`subject`), or they lie in a `place`, or neither.

    `after` follows the noun and says where, `after_many` the plural; what is `single` is one at most.
    """

    noun: Noun
    subject: str = ""
    place: str = ""
    after: str = ""
    single: bool = False
    person: bool = False
    piece: bool = False
    plural_after: str | None = None

    def such(self, relative: str, many: str | None = None) -> Things:
        plural = f"{self.after_many}{relative if many is None else many}"
        return replace(self, after=f"{self.after}{relative}", plural_after=plural)

    @property
    def after_many(self) -> str:
        return self.after if self.plural_after is None else self.plural_after

    @property
    def owner(self) -> str:
        return possessive(self.subject)

    def picked(self) -> str:
        """`a card from your hand`, `one of your unused dice`"""
        return self.some("from")

    def some(self, into: str = "") -> str:
        """`a card in your hand`"""
        if self.subject:
            one = self.single
            return f"{self.owner} {self.noun.one}{self.after}" if one else f"one of {self.mine()}"
        return f"{article(self.noun.one)}{self._there(into)}{self.after}"

    def every(self) -> str:
        """`each card in your hand`, `each of your unused dice`"""
        if self.subject:
            return f"each of {self.mine()}"
        return f"each {self.noun.one}{self._there()}{self.after}"

    def no(self) -> str:
        """`no card in your hand`, `none of your unused dice`"""
        if self.subject:
            return f"none of {self.mine()}"
        return f"no {self.noun.one}{self._there()}{self.after}"

    def so_many(self, number: str, one: bool) -> str:
        """`2 cards from your hand`, `2 of your unused dice`"""
        if self.subject:
            return f"{number} of {self.mine()}"
        noun, after = (self.noun.one, self.after) if one else (self.noun.many, self.after_many)
        return f"{number} {noun}{self._there('from')}{after}"

    def mine(self) -> str:
        return f"{self.owner} {self.noun.many}{self.after_many}"

    def many(self) -> str:
        """`cards in your hand`, `your unused dice`"""
        return self.mine() if self.subject else f"{self.noun.many}{self._there()}{self.after_many}"

    def all(self, into: str = "") -> str:
        """`all cards in your hand`, `all your unused dice`"""
        if self.subject:
            return f"all {self.mine()}"
        return f"all {self.noun.many}{self._there(into)}{self.after_many}"

    def there(self, number: str, one: bool) -> str:
        """`you have at least 2 unused dice`, `there is a card in your hand`; the number may be an article."""
        what = f"{number} {self.noun.one if one else self.noun.many}".strip()
        after = self.after if one else self.after_many
        if self.subject:
            return f"{self.subject} {verb(self.subject, 'has')} {what}{after}"
        return f"there {'is' if one else 'are'} {what}{self._there()}{after}"

    def exists(self) -> str:
        if self.place and not self.after and not self.single:
            return f"{self.place} is not empty"
        if self.noun.one.startswith("other "):
            return self.there("an", True).replace("an other ", "another ")
        return self.there(article(self.noun.one).removesuffix(self.noun.one).strip(), True)

    def empty(self) -> str:
        if self.place and not self.after:
            return f"{self.place} is empty"
        return self.there("no", self.single or not self.subject)

    def _there(self, into: str = "") -> str:
        if not self.place:
            return ""
        return f" {into or in_or_on(self.place)} {self.place}"


@dataclass(frozen=True)
class Listed:
    """Known values, one after the other: `wood, stone or cloth`."""

    items: tuple[str, ...]
    person: bool = False
    noun: Noun = ONE
    after: str = ""

    def such(self, relative: str, many: str | None = None) -> Described:
        return replace(self, after=f"{self.after}{relative}")

    def picked(self) -> str:
        return f"{listed(self.items, 'or')}{self.after}"

    def some(self, into: str = "") -> str:
        return f"one of {self.many()}" if len(self.items) > 1 else self.many()

    def every(self) -> str:
        return f"each of {self.many()}" if len(self.items) > 1 else self.many()

    def no(self) -> str:
        return f"none of {self.many()}"

    def many(self) -> str:
        return f"{listed(self.items)}{self.after}"

    def all(self, into: str = "") -> str:
        return self.many()

    def so_many(self, number: str, one: bool) -> str:
        return f"{number} of {self.many()}"

    def there(self, number: str, one: bool) -> str:
        return f"there {'is' if one else 'are'} {number} among {self.many()}"

    def exists(self) -> str:
        return f"there is {self.some()}"

    def empty(self) -> str:
        return f"there is {self.no()}"


@dataclass(frozen=True)
class Joined:
    """Several kinds of things together."""

    parts: tuple[Described, ...]
    after: str = ""

    @property
    def person(self) -> bool:
        return self.parts[0].person

    @property
    def noun(self) -> Noun:
        return self.parts[-1].noun

    def such(self, relative: str, many: str | None = None) -> Described:
        return replace(self, after=f"{self.after}{relative}")

    def picked(self) -> str:
        return f"{listed([p.picked() for p in self.parts], 'or')}{self.after}"

    def some(self, into: str = "") -> str:
        return f"one of {self.many()}"

    def every(self) -> str:
        return f"{listed([p.every() for p in self.parts])}{self.after}"

    def no(self) -> str:
        return f"none of {self.many()}"

    def many(self) -> str:
        return f"{listed([_the_many(p) for p in self.parts])}{self.after}"

    def all(self, into: str = "") -> str:
        return f"{listed([p.all(into) for p in self.parts])}{self.after}"

    def so_many(self, number: str, one: bool) -> str:
        return f"{number} of {self.many()}"

    def there(self, number: str, one: bool) -> str:
        return f"there {'is' if one else 'are'} {number} in all among {self.many()}"

    def exists(self) -> str:
        return f"there is one among {self.many()}"

    def empty(self) -> str:
        return f"there is none among {self.many()}"


def _the_many(part: Described) -> str:
    return f"the {part.many()}" if isinstance(part, Things) and not part.subject else part.many()


Described = Things | Listed | Joined


def in_or_on(place: str) -> str:
    return "on" if ON.search(place.split(" of ")[0]) else "in"


# ---- clauses about a thing


def stand_in(number: int) -> str:
    return STAND_IN.format(number)


def narrowed(mark: str, things: Described, clauses: Sequence[str]) -> Described:
    """Things with conditions as relative clauses: `whose price is 3 and that is a character`."""
    if not clauses:
        return things
    one, several = (_joined(mark, things, clauses, many) for many in (False, True))
    return things.such(f" {one}", f" {several}")


def _joined(mark: str, things: Described, clauses: Sequence[str], many: bool) -> str:
    """Several relative clauses; of two about the thing itself the second needs no `that`."""
    said = [_relative(mark, things, clause, many) for clause in clauses]
    for i, (before, after) in enumerate(pairwise(clauses), 1):
        if before.startswith(f"{mark} ") and after.startswith(f"{mark} "):
            said[i] = said[i].split(" ", 1)[1]
    return listed(said)


def _relative(mark: str, things: Described, clause: str, many: bool) -> str:
    """One clause; of clauses one of which holds, each."""
    either, parts = clause.startswith("either "), clause.removeprefix("either ").split(OR)
    if len(parts) == 1 or not all(re.match(rf"{mark}( |'s )", part) for part in parts):
        return _relative_clause(mark, things, clause, many)
    said = OR.join(_relative_clause(mark, things, part, many) for part in parts)
    return f"either {said}" if either else said


def _relative_clause(mark: str, things: Described, clause: str, many: bool) -> str:
    if clause.startswith(f"{mark}'s "):
        return f"whose {referring(mark, things, clause.removeprefix(f'{mark}' + chr(39) + 's '))}"
    if clause.startswith(f"{mark} "):
        said = referring(mark, things, clause.removeprefix(f"{mark} "))
        return f"{'who' if things.person else 'that'} {many_are(said) if many else said}"
    if (whose := re.match(rf"the (\w+) (?:on|of) {mark} (.*)", clause, re.DOTALL)) is not None:
        return f"whose {whose.group(1)} {referring(mark, things, whose.group(2))}"
    if clause.count(mark) == 1 and clause.endswith(f" {mark}") and clause.split(" ")[-2] not in BINDING:
        return _ending(things, clause.removesuffix(f" {mark}"))
    where = "" if isinstance(things, Things) and things.piece else _where(mark, clause)
    whom = "for whom" if things.person else "for which"
    return f"where {where}" if where else f"{whom} {referring(mark, things, clause)}"


def _ending(things: Described, clause: str) -> str:
    """A clause without the thing at its end: `that you own`, `of which you have 3`, `where there is none`."""
    *_, last = clause.split(" ")
    rest = clause.removesuffix(f" {last}")
    if last in ("at", "on", "in") or (last == "of" and clause.startswith("there ")):
        return f"where {rest}"
    if last in PREPOSITIONS:
        return f"{last} {'whom' if things.person else 'which'} {rest}"
    return f"{'whom' if things.person else 'that'} {clause}"


def _where(mark: str, clause: str) -> str:
    """The clause without the place that `where` stands for, if it speaks of that place once."""
    if clause.count(mark) != 1:
        return ""
    found = re.search(rf" (at|on|in|of) {mark}(?!')", clause)
    return clause.replace(found.group(), "") if found else ""


def about(mark: str, subject: str, things: Described, clause: str) -> str:
    """The clause said of a subject: `each player has passed`; else `for each player, …`."""
    if clause.startswith(f"{mark} "):
        return f"{subject} {referring(mark, things, clause.removeprefix(f'{mark} '))}"
    if clause.count(mark) == 1 and re.search(rf" (at|on|in|of) ({mark}$|{mark}'s )", clause):
        return clause.replace(mark, subject)
    return f"for {subject}, {referring(mark, things, clause)}"


def referring(mark: str, things: Described, text: str) -> str:
    """The text with pronouns for the thing."""
    if mark not in text:
        return text
    that = f"that {things.noun.one}"
    text = re.sub(rf"\b(is|are) {mark}(?!')", rf"\1 {that}", text)
    if things.person or re.search(r"\b(it|its)\b", text):
        return text.replace(f"{mark}'s", possessive(that)).replace(mark, that)
    return text.replace(f"{mark}'s", "its").replace(mark, "it")
