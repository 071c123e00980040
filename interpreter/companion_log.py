"""Logs of physical tables: what was told, as sealed JSON lines, from which the companion can be made again.

The first line is like that of other logs, with `companion`. Each further line is a choice or an answer; what
was taken back is not in it. A log tells nothing that was not told at the table.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from dsl.source import Source, Span
from interpreter.companion import Companion
from interpreter.game import Game
from interpreter.log import LONGEST_TEXT, VERSION, Torn, head_fields, sealed, whole_lines
from interpreter.messages import BrokenLog, Fault
from interpreter.told import exhaust

HINT = "use a log that `play --companion --log` or the companion in a browser has written"


@dataclass(frozen=True, slots=True)
class ChoiceTold:
    """A choice, in words."""

    seat: str
    words: str


@dataclass(frozen=True, slots=True)
class AnswerTold:
    """An answer to the referee's question; no text: nobody has seen it."""

    text: str | None


Item = ChoiceTold | AnswerTold


@dataclass(frozen=True, slots=True)
class ToldLog:
    """A log of a physical table that was read, with what was told and where each item stands in it."""

    game: str
    digest: str
    seats: int
    options: dict[str, str]
    seed: int
    items: tuple[tuple[Item, Span], ...]
    span: Span
    torn: Torn | None = None


@dataclass
class Record:
    """A companion with all that it has been told and that was not taken back."""

    companion: Companion
    options: dict[str, str]
    items: list[Item] = field(default_factory=list)

    def start(self) -> None:
        """Begin."""
        self.companion.start()

    def choose(self, seat: str, words: str) -> None:
        """Carry out a choice. Raises `Fault`; then nothing has changed."""
        self._tell(ChoiceTold(seat, words))

    def tell(self, text: str | None) -> None:
        """Answer the question. Raises `Fault`; then nothing has changed."""
        self._tell(AnswerTold(text))

    def _tell(self, item: Item) -> None:
        draft = self.companion.draft()
        exhaust(_telling(draft, item))
        self.companion = draft
        self.items.append(item)

    def take_back(self) -> bool:
        """Take back the last choice with its answers. Returns whether there was something to take back."""
        draft = self.companion.draft()
        if not draft.take_back():
            return False
        self.companion = draft
        last = max((i for i, item in enumerate(self.items) if isinstance(item, ChoiceTold)), default=0)
        del self.items[last:]
        return True

    def take_back_answer(self) -> bool:
        """Take back what was told last, if it is an answer. Returns whether it was one."""
        if not self.items or isinstance(self.items[-1], ChoiceTold):
            return False
        last = max((i for i, item in enumerate(self.items) if isinstance(item, ChoiceTold)), default=0)
        draft = self.companion.draft()
        if not draft.take_back():
            return False
        for item in self.items[last:-1]:
            exhaust(_telling(draft, item))
        self.companion = draft
        self.items.pop()
        return True

    def text(self) -> str:
        """The log."""
        machine = self.companion.game.machine
        head: dict[str, Any] = {
            "rulewright": VERSION,
            "companion": True,
            "game": machine.name,
            "rules": machine.digest,
            "seats": machine.seats,
            "options": self.options,
            "seed": self.companion.seed,
        }
        seal, texts = "", []
        for line in (head, *map(_line, self.items)):
            text, seal = sealed(line, seal)
            texts.append(text)
        return "".join(texts)


def _line(item: Item) -> dict[str, Any]:
    if isinstance(item, ChoiceTold):
        return {"seat": item.seat, "choose": item.words}
    return {"told": item.text}


def _telling(companion: Companion, item: Item) -> Iterator[None]:
    if isinstance(item, ChoiceTold):
        return companion.choosing(item.seat, item.words)
    return companion.telling(item.text)


def is_told(text: str) -> bool:
    """Whether a text looks like a log of a physical table."""
    return '"companion": true' in text.lstrip().partition("\n")[0]


def read(source: Source) -> ToldLog:
    """The log in a text. Raises `Fault` with `BrokenLog` at the first line that was changed."""
    ((first, span), *rest), torn = whole_lines(source)
    if first.get("rulewright") != VERSION or first.get("companion") is not True:
        raise Fault(BrokenLog(span, "the first line is not the header of a log of a physical table", HINT))
    items = tuple((_item(line, at), at) for line, at in rest)
    return ToldLog(**head_fields(first, span), items=items, span=span, torn=torn)


def _item(line: dict[str, Any], span: Span) -> Item:
    match line:
        case {"seat": str(seat), "choose": str(words)} if len(seat) + len(words) <= LONGEST_TEXT:
            return ChoiceTold(seat, words)
        case {"told": None}:
            return AnswerTold(None)
        case {"told": str(text)} if len(text) <= LONGEST_TEXT:
            return AnswerTold(text)
    raise Fault(BrokenLog(span, "this line is neither a choice nor an answer", HINT))


def resumed(game: Game, log: ToldLog) -> Record:
    """The companion that was told all of a log. Raises `Fault` with `BrokenLog` where that cannot be."""
    record = Record(Companion(game, seed=log.seed), log.options)
    record.start()
    for item, span in log.items:
        try:
            check(record.companion, item)
            exhaust(_telling(record.companion, item))
        except Fault as fault:
            why = f"this cannot be told here: {fault.diagnostic.message}"
            raise Fault(BrokenLog(span, why, HINT)) from None
        except (KeyError, ValueError):
            raise Fault(BrokenLog(span, "this is not what is asked here", HINT)) from None
        record.items.append(item)
    return record


def check(companion: Companion, item: Item) -> None:
    """Raises `ValueError` if something else is asked now, `KeyError` for an unknown seat."""
    if isinstance(item, ChoiceTold):
        companion.game.seat_number(item.seat)
        if companion.question is not None:
            raise ValueError(item.words)
    elif companion.question is None:
        raise ValueError(item.text)
