"""The catalogue of a game's spaces: what each number of an action, a decision and a column means.

A model that was trained with a catalogue can be used with every later one that only adds to it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from rulewright.learn.arguments import demand
from rulewright.learn.messages import ForeignModel, NotACatalogue

FORMAT = "rulewright catalogue 1"
Column = tuple[str, int, int]
"""What a word of an observation is, and the least and the greatest number that it can be."""
READ_IT = "read a catalogue with `SpaceCatalogue.read(text)`"
"""The advice where something else is given for a catalogue."""


@dataclass(frozen=True, slots=True)
class SpaceCatalogue:
    """The spaces of a game for one number of seats: entries by number, only ever added to.

    `actions` are written `decision: words`. `decisions` are counted from 1 in observations, 0 is none.
    """

    game: str
    seats: int
    decisions: tuple[str, ...]
    actions: tuple[str, ...]
    columns: tuple[Column, ...]

    @property
    def digest(self) -> str:
        """A hash of all entries, as 32 hexadecimal digits."""
        return self.digest_of(len(self.decisions), len(self.actions), len(self.columns))

    def digest_of(self, decisions: int, actions: int, columns: int) -> str:
        """The digest of the catalogue that had only so many entries."""
        entries = [self.decisions[:decisions], self.actions[:actions], self.columns[:columns]]
        text = json.dumps([FORMAT, self.game, self.seats, *entries], separators=(",", ":"))
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()

    def extended(self, newer: SpaceCatalogue) -> SpaceCatalogue:
        """This catalogue with what a newer version of the game adds behind what it has.

        Entries that the game does not have any more keep their numbers. Raises `DiagnosticError` with
        `ForeignModel` for another game, or another number of seats.
        """
        demand("newer", newer, SpaceCatalogue, READ_IT)
        if (self.game, self.seats) != (newer.game, newer.seats):
            why = f"it is a catalogue of {self.game} for {self.seats} seats"
            raise DiagnosticError(
                ForeignModel(NOWHERE, "this catalogue", f"{newer.game} ({newer.seats})", why)
            )
        return replace(
            self,
            decisions=_joined(self.decisions, newer.decisions),
            actions=_joined(self.actions, newer.actions),
            columns=_joined(self.columns, newer.columns),
        )

    def includes(self, other: SpaceCatalogue) -> bool:
        """Whether every entry of another catalogue is in this one."""
        demand("other", other, SpaceCatalogue, READ_IT)
        pairs = (
            (other.decisions, self.decisions),
            (other.actions, self.actions),
            (other.columns, self.columns),
        )
        return all(set(theirs) <= set(ours) for theirs, ours in pairs)

    def check_model(self, name: str, sizes: Sequence[int], digest: str) -> None:
        """Whether a model was trained with this catalogue, or one that it extends.

        `sizes` are the numbers of decisions, actions and columns then. Raises `DiagnosticError` with
        `ForeignModel`.
        """
        own = (len(self.decisions), len(self.actions), len(self.columns))
        fits = all(theirs <= ours for theirs, ours in zip(sizes, own, strict=True))
        if not fits or self.digest_of(*sizes) != digest:
            why = f"its catalogue has the digest {digest[:12]}, that of the game has {self.digest[:12]}"
            raise DiagnosticError(ForeignModel(NOWHERE, name, f"{self.game} ({self.seats} seats)", why))

    # ---- as text

    def text(self) -> str:
        """As JSON, one entry a line."""
        found = {
            "format": FORMAT,
            "game": self.game,
            "seats": self.seats,
            "digest": self.digest,
            "decisions": self.decisions,
            "actions": self.actions,
            "columns": self.columns,
        }
        lines = [f"  {json.dumps(key)}: {_lines(value)}" for key, value in found.items()]
        return "{\n" + ",\n".join(lines) + "\n}\n"

    @classmethod
    def read(cls, text: str, name: str = "this text") -> SpaceCatalogue:
        """Reads what `text` has written. Raises `DiagnosticError` with `NotACatalogue`."""
        try:
            found = cls._of(json.loads(text))
            digest = json.loads(text)["digest"]
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
            raise DiagnosticError(NotACatalogue(NOWHERE, name, "it cannot be read")) from error
        if found.digest != digest:
            raise DiagnosticError(NotACatalogue(NOWHERE, name, "its digest is another one"))
        return found

    @classmethod
    def _of(cls, found: dict[str, Any]) -> SpaceCatalogue:
        if found["format"] != FORMAT:
            raise ValueError(found["format"])
        columns = tuple((str(n), int(lo), int(hi)) for n, lo, hi in found["columns"])
        decisions, actions = (tuple(map(str, found[key])) for key in ("decisions", "actions"))
        return cls(str(found["game"]), int(found["seats"]), decisions, actions, columns)


def _joined(old: Iterable[Any], new: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys((*old, *new)))


def _lines(value: object) -> str:
    if not isinstance(value, tuple):
        return json.dumps(value)
    return "[" + ",".join(f"\n    {json.dumps(entry, ensure_ascii=False)}" for entry in value) + "]"
