"""Messages in a language, put together with their arguments. `web/i18n.js` does the same in the page.

Browsers know plural forms, lists and numbers of a language by CLDR (https://cldr.unicode.org). `CONVENTIONS`
says the same of the languages that there are; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Literal

from rulewright.i18n.fluent import Pattern, read_messages


class Inflected:
    """What has forms in a language, which a message asks for."""

    __slots__ = ()

    def form(self, name: str) -> str:
        """Its words in a form: `nom`, `acc`, `in`, … Raises `KeyError` for one that there is not."""
        raise NotImplementedError


Value = str | int | Inflected
"""What a message is given."""

FALLBACK = "en"
"""The language in which every message exists."""


@dataclass(frozen=True, slots=True)
class Conventions:
    """How a language says numbers and lists.

    `plural` gives the plural form of a whole number. Groups of three digits are parted by `group`, in numbers
    of at least `grouped` digits. `pair` and `last` stand before the last of two, or of more things in a row;
    `unit_pair` and `unit_last` in a list that is read as one thing.
    """

    plural: Callable[[int], Literal["one", "few", "other"]]
    group: str
    grouped: int
    pair: str
    last: str
    unit_pair: str
    unit_last: str


def _one_or_other(number: int) -> Literal["one", "other"]:
    return "one" if abs(number) == 1 else "other"


def _romanian(number: int) -> Literal["one", "few", "other"]:
    if abs(number) == 1:
        return "one"
    return "few" if number == 0 or 1 <= abs(number) % 100 <= 19 else "other"


CONVENTIONS = {
    "en": Conventions(_one_or_other, ",", 4, " and ", ", and ", ", ", ", "),
    "hu": Conventions(_one_or_other, "\N{NO-BREAK SPACE}", 5, " és ", " és ", " és ", " és "),
    "ro": Conventions(_romanian, ".", 4, " și ", " și ", " și ", ", "),
}


@cache
def languages() -> tuple[str, ...]:
    """The languages in which there are messages."""
    return tuple(sorted(item.name for item in _locales().iterdir() if item.is_dir()))


@cache
def messages_in(language: str, name: str) -> dict[str, Pattern]:
    """The messages of a file, such as `table`, by id."""
    return read_messages(_locales().joinpath(language, f"{name}.ftl").read_text(encoding="utf-8"))


def _locales() -> Traversable:
    return files("rulewright").joinpath("i18n", "locales")


class Messages:
    """The messages of some files in a language, or in English if there are none in it.

    Calling it with an id gives the message with its arguments, which are texts, numbers, and what has forms.
    Texts have theirs by `form_of`, from a text and the name of a form; what is said becomes `tidy`.
    """

    def __init__(
        self,
        language: str,
        *names: str,
        form_of: Callable[[str, str], str] | None = None,
        tidy: Callable[[str], str] = str,
    ) -> None:
        primary = language.partition("-")[0].lower()
        self.language = primary if primary in languages() else FALLBACK
        self._form_of, self._tidy = form_of, tidy
        self._conventions = CONVENTIONS[self.language]
        self._patterns = {id: text for name in names for id, text in messages_in(self.language, name).items()}

    def __call__(self, id: str, /, **values: Value) -> str:
        """The message of an id. Raises `KeyError` if there is none, or if it lacks an argument."""
        return self._tidy(self._said(self._patterns[id], values))

    def _said(self, pattern: Pattern, values: dict[str, Value]) -> str:
        if isinstance(pattern, str):
            return pattern
        return "".join(part if isinstance(part, str) else self._spelled(part, values) for part in pattern)

    def _spelled(self, variable: list[str | dict[str, Pattern]], values: dict[str, Value]) -> str:
        match variable:
            case [str(name)]:
                return self._form(values[name], "nom")
            case [str(name), str(form)]:
                return self._form(values[name], form)
            case [str(name), dict(forms)]:
                value = values[name]
                form = self._conventions.plural(value if isinstance(value, int) else int(str(value)))
                return self._said(forms.get(form, forms["other"]), values)
        raise TypeError(f"{variable} is no variable")

    def _form(self, value: Value, form: str) -> str:
        """A value in a form; a text has forms only where the messages know how to make them."""
        if isinstance(value, Inflected):
            return value.form(form)
        text = value if isinstance(value, str) else self.number(value)
        return text if form == "nom" or self._form_of is None else self._form_of(text, form)

    def number(self, value: int) -> str:
        """A whole number as it is written in the language, with a minus sign."""
        digits = str(abs(value))
        if len(digits) >= self._conventions.grouped:
            digits = f"{abs(value):,}".replace(",", self._conventions.group)
        return f"\u2212{digits}" if value < 0 else digits

    def list(self, things: Sequence[str], kind: Literal["and", "unit"] = "and") -> str:
        """Several things in a row: `A, B and C`; as a `unit`: `2, 5, 6`."""
        if len(things) < 2:
            return "".join(things)
        rules = self._conventions
        pair, last = (rules.pair, rules.last) if kind == "and" else (rules.unit_pair, rules.unit_last)
        return f"{', '.join(things[:-1])}{pair if len(things) == 2 else last}{things[-1]}"


@cache
def messages_of(language: str, *names: str) -> Messages:
    """The messages of some files in a language, or in English if there are none in it."""
    return Messages(language, *names)
