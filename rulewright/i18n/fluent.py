"""Reads messages written in Fluent (https://projectfluent.org), of which they use what is asked for here.

That is texts, variables, choices among the plural forms of a variable, and forms of a noun:
`{ ACC($thing) }`. Each message becomes a text, or a list of texts and of variables: `[name]`, `[name, forms]`
with what is said in each form, or `[name, "acc"]`. Pages get that; their messages ask for no forms of nouns.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeAlias

Pattern: TypeAlias = "str | list[str | list[str | dict[str, Pattern]]]"
"""What is said: a text, or texts and variables in their order."""

MESSAGE = re.compile(r"([a-z][a-z0-9-]*) = *(.*(?:\n(?: .*|\}.*))*)")
VARIABLE = re.compile(r"\{ *\$(\w+) *(\}|->\s*)")
INFLECTED = re.compile(r"\{ *([A-Z]+)\(\$(\w+)\) *\}")
FORM = re.compile(r"(\*?)\[(\w+)\] *")
FORM_END = re.compile(r"\s*(?=\*?\[|\})")


class NotAMessage(ValueError):
    """A text that is not a message as far as this module knows."""


def read_messages(text: str) -> dict[str, Pattern]:
    """The messages of a file by id. Raises `NotAMessage`."""
    lines = "\n".join(line for line in text.splitlines() if line and not line.startswith("#"))
    found: dict[str, Pattern] = {}
    at = 0
    while at < len(lines):
        message = MESSAGE.match(lines, at)
        if message is None:
            raise NotAMessage(lines[at : at + 60])
        pattern, end = _pattern(message[2], 0)
        if end < len(message[2]):
            raise NotAMessage(message[0])
        found[message[1]] = pattern
        at = message.end() + 1
    return found


def _pattern(text: str, at: int, stop: re.Pattern[str] | None = None) -> tuple[Pattern, int]:
    """What stands from a place on, and where it ends: at a stop, or at the end of the text."""
    parts: list[str | list[str | dict[str, Pattern]]] = []
    plain = ""
    while at < len(text) and not (stop is not None and stop.match(text, at)):
        if text[at] != "{":
            plain += text[at]
            at += 1
            continue
        parts += _texts(plain)
        plain = ""
        variable, at = _variable(text, at)
        parts.append(variable)
    parts += _texts(plain)
    return (parts[0] if len(parts) == 1 and isinstance(parts[0], str) else parts), at


def _texts(plain: str) -> Iterable[str]:
    return [plain] if plain else []


def _variable(text: str, at: int) -> tuple[list[str | dict[str, Pattern]], int]:
    inflected = INFLECTED.match(text, at)
    if inflected is not None:
        return [inflected[2], inflected[1].lower()], inflected.end()
    opening = VARIABLE.match(text, at)
    if opening is None:
        raise NotAMessage(text[at : at + 60])
    at = opening.end()
    if opening[2] == "}":
        return [opening[1]], at
    forms: dict[str, Pattern] = {}
    while (form := FORM.match(text, at)) is not None:
        forms[form[2]], at = _pattern(text, form.end(), FORM_END)
        at = len(text) - len(text[at:].lstrip())
        if form[1] and form[2] != "other":
            raise NotAMessage(f"`{form[2]}` is not a form that is always there")
    if "other" not in forms or text[at : at + 1] != "}":
        raise NotAMessage(text[at : at + 60])
    return [opening[1], forms], at + 1
