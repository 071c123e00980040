"""What a page may send over its socket: each message as a value, read strictly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rulewright.serve.strict_json import strict_json

PROTOCOL = 2
SPOKEN = (1, PROTOCOL)
"""Protocols that are spoken here: by the first one a page is sent the whole table whenever it changes."""
MOST_MESSAGE = 16 << 10
"""Bytes of a message."""
DEEPEST = 16
"""How deep lists and objects of a message may lie in each other."""
LONGEST_ID = 64
LONGEST_WORDS = 1000
MOST_NUMBER = 1 << 31


@dataclass
class Malformed(Exception):
    """A message that is not one of the protocol; `id` is that of the request, if it has one."""

    text: str
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Hello:
    """The first message: how many entries the page has, and the mark of the last of them."""

    protocol: int
    seq: int
    mark: str


@dataclass(frozen=True, slots=True)
class Choose:
    """A choice by its words, at a version of the position."""

    id: str
    version: int | None
    words: str


@dataclass(frozen=True, slots=True)
class Why:
    """Why is a choice not offered? By its words, or by an action and a value."""

    id: str
    words: str | None
    action: str | None
    value: list[Any] | None


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back the last choices; 0: the last answer to the referee of a physical table."""

    id: str
    version: int | None
    number: int


@dataclass(frozen=True, slots=True)
class Repair:
    """Go back to after an entry, by consent."""

    id: str
    seq: int


@dataclass(frozen=True, slots=True)
class Abandon:
    """End the match without a result, by consent."""

    id: str


@dataclass(frozen=True, slots=True)
class Resign:
    """Give up."""

    id: str


@dataclass(frozen=True, slots=True)
class Answer:
    """Agree to a proposal, or not."""

    id: str
    proposal: int
    agree: bool


@dataclass(frozen=True, slots=True)
class Account:
    """The score sheets."""

    id: str


@dataclass(frozen=True, slots=True)
class LookAt:
    """The position after an entry, as a seat."""

    id: str
    seq: int
    seat: int | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """An answer to what the referee of a physical table asks; without a text: nobody has seen it."""

    id: str
    version: int | None
    text: str | None


@dataclass(frozen=True, slots=True)
class Say:
    """Something to say to the table: the id of a phrase, or a text."""

    id: str
    phrase: str | None
    text: str


@dataclass(frozen=True, slots=True)
class PutMark:
    """A mark on an entry, put there or taken away."""

    id: str
    seq: int
    mark: str
    on: bool


ClientMessage = (
    Hello | Choose | Why | Undo | Repair | Abandon | Resign | Answer | Account | LookAt | Outcome
    | Say | PutMark
)  # fmt: skip


def parse(text: str) -> ClientMessage:
    """The message of a text. Raises `Malformed`."""
    found = _object(text)
    read = READERS.get(found.get("type") if isinstance(found.get("type"), str) else None)
    id = found.get("id")
    known = id if isinstance(id, str) and len(id) <= LONGEST_ID and _is_printable(id) else None
    if read is None:
        raise Malformed("unknown type of message", known)
    try:
        return read(_Fields(found))
    except _Missing as missing:
        raise Malformed(f"`{missing.field}` is missing, or not what it should be", known) from None


def _object(text: str) -> dict[str, Any]:
    if len(text) > MOST_MESSAGE or not _is_shallow(text):
        raise Malformed("the message is too large or too deep")
    try:
        found = strict_json(text)
    except (ValueError, RecursionError):
        raise Malformed("the message is not JSON") from None
    if not isinstance(found, dict):
        raise Malformed("the message is not an object")
    return found


def _is_shallow(text: str) -> bool:
    """Whether the text opens few enough brackets at once; those within strings count, too."""
    depth = 0
    for character in text:
        if character in "[{":
            depth += 1
            if depth > DEEPEST:
                return False
        elif character in "]}":
            depth -= 1
    return True


@dataclass
class _Missing(Exception):
    field: str


@dataclass(frozen=True, slots=True)
class _Fields:
    """The fields of an object, read by type. All raise `_Missing`."""

    found: dict[str, Any]

    @property
    def id(self) -> str:
        return self.text("id", LONGEST_ID)

    def text(self, name: str, most: int = LONGEST_WORDS, least: int = 1) -> str:
        value = self.found.get(name)
        if not isinstance(value, str) or not least <= len(value) <= most or not _is_printable(value):
            raise _Missing(name)
        return value

    def whole(self, name: str, least: int = 0) -> int:
        value = self.found.get(name)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value < MOST_NUMBER:
            raise _Missing(name)
        return value

    def optional_whole(self, name: str, least: int = 0) -> int | None:
        return None if self.found.get(name) is None else self.whole(name, least)

    def flag(self, name: str) -> bool:
        value = self.found.get(name)
        if not isinstance(value, bool):
            raise _Missing(name)
        return value


def _is_printable(text: str) -> bool:
    """Whether there are no control characters and no halves of characters; both are not printable."""
    return text.isprintable()


def _hello(fields: _Fields) -> Hello:
    mark = fields.text("mark") if fields.found.get("mark") else ""
    return Hello(fields.whole("protocol"), fields.whole("seq"), mark)


def _why(fields: _Fields) -> Why:
    if fields.found.get("words") is not None:
        return Why(fields.id, fields.text("words"), None, None)
    action = fields.text("action") if fields.found.get("action") is not None else None
    value = fields.found.get("value")
    if value is not None and not isinstance(value, list):
        raise _Missing("value")
    if action is None and value is None:
        raise _Missing("words")
    return Why(fields.id, None, action, value)


def _outcome(fields: _Fields) -> Outcome:
    text = None if fields.found.get("text") is None else fields.text("text")
    return Outcome(fields.id, fields.optional_whole("version"), text)


def _say(fields: _Fields) -> Say:
    if fields.found.get("phrase") is not None:
        return Say(fields.id, fields.text("phrase"), "")
    text = fields.found.get("text")
    if not isinstance(text, str):
        raise _Missing("text")
    return Say(fields.id, None, text)


READERS: dict[str | None, Callable[[_Fields], ClientMessage]] = {
    "hello": _hello,
    "choose": lambda f: Choose(f.id, f.optional_whole("version"), f.text("words")),
    "why": _why,
    "undo": lambda f: Undo(f.id, f.optional_whole("version"), f.whole("number")),
    "repair": lambda f: Repair(f.id, f.whole("seq")),
    "abandon": lambda f: Abandon(f.id),
    "resign": lambda f: Resign(f.id),
    "answer": lambda f: Answer(f.id, f.whole("proposal"), f.flag("agree")),
    "account": lambda f: Account(f.id),
    "at": lambda f: LookAt(f.id, f.whole("seq"), f.optional_whole("seat", -2)),
    "outcome": _outcome,
    "say": _say,
    "mark": lambda f: PutMark(f.id, f.whole("seq", 1), f.text("mark"), f.flag("on")),
}
"""What reads each type of message."""
