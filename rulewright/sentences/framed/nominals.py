"""Noun phrases without a form: which thing, whose, how many, and how it is meant."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, Protocol

from rulewright.i18n.messages import Inflected

Determiner = Literal["", "the", "a", "every", "all", "any", "no", "that", "this", "other"]
MARK, CLOSE = "\ue010", "\ue011"
"""Around a bound variable in a text, with the form in which it stands: it is put in where it is bound."""


class Grammar(Protocol):
    """What a language makes of a nominal in a form: `nom`, `acc`, `dat`, `gen`, `in`, `from`, …"""

    def form(self, nominal: Nominal, name: str) -> str: ...

    def text(self, text: str, name: str) -> str:
        """A text that ends, or begins, with a noun, in a form."""

    def plural(self, noun: str) -> str: ...

    def singular(self, noun: str) -> str: ...

    def is_plural(self, noun: str) -> bool: ...

    def counted(self, number: int, noun: str) -> str: ...

    def place(self, noun: str) -> str:
        """How one speaks of what lies at a place: `in`, `on` or `among`."""

    def bound(self, found: str, noun: str) -> str:
        """What stands in a relative clause for a mark of a bound variable: `pronoun form`."""

    def related(self, clause: str, mark: str, noun: str) -> str:
        """A clause with a mark as a relative clause after a noun."""


@dataclass(frozen=True, slots=True)
class Nominal(Inflected):
    """A thing in a language, without a form.

    `one` is its noun, or with `fixed` words of an author that take no article. It may have an `owner`, words
    `before` and `after` it, and a `number` before it. `you` is who reads. A `mark` is a bound variable.
    """

    grammar: Grammar
    one: str
    many: str = ""
    plural: bool = False
    meant: Determiner = "the"
    owner: Nominal | None = None
    number: str = ""
    before: str = ""
    after: str = ""
    fixed: bool = False
    you: bool = False
    mark: str = ""

    def form(self, name: str) -> str:
        return self.grammar.form(self, name)

    def __str__(self) -> str:
        return self.form("nom")

    @property
    def said(self) -> str:
        """Its words in the form in which it is named."""
        return self.form("nom")

    @property
    def owner_mark(self) -> str:
        """The bound variable that has it, if one does."""
        return self.owner.mark if self.owner is not None else ""

    @property
    def several(self) -> str:
        return self.many or self.grammar.plural(self.one)

    def as_(self, meant: Determiner, plural: bool | None = None) -> Nominal:
        """The same thing, meant otherwise; fixed words and pronouns stay."""
        if self.fixed or self.you or self.mark:
            return self
        return replace(self, meant=meant, plural=self.plural if plural is None else plural)

    def with_after(self, *texts: str) -> Nominal:
        more = "".join(text if text.startswith(",") else f" {text}" for text in texts if text)
        return replace(self, after=self.after + more)
