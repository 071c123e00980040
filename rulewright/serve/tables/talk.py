"""What is said at a table, as each viewer is told it, and what may be said."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import Any, Literal, get_args

from interpreter.game import MatchStep
from rulewright.serve.store.records import TALK
from rulewright.serve.store.storage import MatchRow
from rulewright.serve.store.talk_rows import TalkRow
from rulewright.serve.tables.projection import common, encoded

Phrase = Literal[
    "hello", "luck", "good-move", "thanks", "moment", "your-turn", "sorry", "oops", "well-played", "bye"
]
Mark = Literal["heart", "star", "wow", "laugh", "question"]
PHRASES: frozenset[str] = frozenset(get_args(Phrase))
MARKS: frozenset[str] = frozenset(get_args(Mark))
ALLOWED = ("none", "phrases", "free")
LONGEST_TEXT = 300
"""Characters of what is said at once."""
MOST_ACCENTS = 3
"""Marks on one letter; more of them cover the lines above and below."""
KEPT_SIGNS = "\u200c\u200d"
"""Signs without width that some scripts, and joined signs, need between letters."""
BLANKS = re.compile(r"\s+")


def cleaned(text: str) -> str:
    """A text as it is shown to others: one line, without what controls, reorders or covers other text.

    It may be empty.
    """
    shown: list[str] = []
    accents = 0
    for character in unicodedata.normalize("NFC", BLANKS.sub(" ", text)):
        kind = unicodedata.category(character)
        accents = accents + 1 if kind in ("Mn", "Me") else 0
        hidden = kind in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") and character not in KEPT_SIGNS
        if not hidden and accents <= MOST_ACCENTS:
            shown.append(character)
    return unicodedata.normalize("NFC", BLANKS.sub(" ", "".join(shown))).strip(f" {KEPT_SIGNS}")


@dataclass(frozen=True, slots=True)
class TalkRule:
    """What the owner of a match allows to be said, and whether spectators are told of it."""

    allowed: str = "none"
    spectators: bool = False

    def as_json(self) -> dict[str, Any]:
        """As it is sent, and kept."""
        return {"allowed": self.allowed, "spectators": self.spectators}

    def allows(self, kind: str) -> bool:
        """Whether something of a kind may be said."""
        return self.allowed == "free" or (self.allowed == "phrases" and kind != "text")


def _kept_rule(text: str) -> TalkRule:
    """What an owner has allowed; of a damaged row, nothing."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return TalkRule()
    return TalkRule(found["allowed"], found["spectators"]) if TALK(found) else TalkRule()


def rule_at_first(row: MatchRow) -> TalkRule:
    """What was allowed when the match was made; a match of an older server has no talk."""
    found = row.set_up.get("talk")
    return TalkRule(**found) if found else TalkRule()


def step_mark(step: MatchStep) -> str:
    """By what a step is known again, after something was taken back and done anew."""
    return blake2b(f"{step.seat}\n{step.stream}\n{step.text}".encode(), digest_size=8).hexdigest()


@dataclass
class ToldTalk:
    """What a page has been told of the talk: the numbers of what was said, and the marks as JSON."""

    numbers: tuple[int, ...] = ()
    marks: str = "[]"


@dataclass(frozen=True, slots=True)
class TalkNews:
    """A message to a page, and what it has been told with it."""

    message: str
    seen: ToldTalk


@dataclass(frozen=True)
class Talk:
    """All that was said at a match."""

    row: MatchRow
    rows: tuple[TalkRow, ...] = ()

    @cached_property
    def rule(self) -> TalkRule:
        """What is allowed now."""
        for row in reversed(self.rows):
            if row.kind == "rule":
                return _kept_rule(row.text)
        return rule_at_first(self.row)

    def said(self, viewer: int, known: int | None) -> list[TalkRow]:
        """The phrases and texts that a viewer is told: of those that are allowed now. With `known`, only what
        was said when the match had no more than so many steps."""
        if viewer < 0 and not self.rule.spectators:
            return []
        return [
            row
            for row in self.rows
            if row.kind in ("phrase", "text")
            and self.rule.allows(row.kind)
            and (known is None or row.step <= known)
        ]

    def marks(self, viewer: int, steps: Sequence[MatchStep], told: Sequence[int]) -> list[list[Any]]:
        """The marks that a viewer is told: on which entry, by which seat, which. `told` has the step of each
        entry of the viewer; a mark on another step is not told."""
        if self.rule.allowed == "none" or (viewer < 0 and not self.rule.spectators):
            return []
        marks = [row for row in self.rows if row.kind == "mark"]
        if not marks:
            return []
        first: dict[int, int] = {}
        for seq, step in enumerate(told, start=1):
            first.setdefault(step, seq)
        return [
            [first[row.step], row.seat, row.text]
            for row in marks
            if row.step in first and step_mark(steps[row.step]) == row.of_step
        ]

    def news(
        self,
        viewer: int,
        steps: Sequence[MatchStep],
        told: Sequence[int],
        seen: ToldTalk,
        known: int | None,
    ) -> TalkNews | None:
        """What a page has not been told yet; all as in `said` and `marks`."""
        said = self.said(viewer, known)
        numbers = tuple(row.number for row in said)
        marks = encoded(self.marks(viewer, steps, told))
        if (numbers, marks) == (seen.numbers, seen.marks):
            return None
        since = common([*map(str, numbers)], [*map(str, seen.numbers)], len(seen.numbers))
        rest = encoded([_json(row) for row in said[since:]])
        message = f'{{"type":"talk","since":{since},"said":{rest},"marks":{marks}}}'
        return TalkNews(message, ToldTalk(numbers, marks))


def _json(row: TalkRow) -> dict[str, Any]:
    """Something that was said, as it is sent."""
    return {"seat": row.seat, "name": row.name or None, "at": row.at, row.kind: row.text}


async def nothing_said(_: str) -> tuple[TalkRow, ...]:
    """What is said where nothing is kept of it."""
    return ()
