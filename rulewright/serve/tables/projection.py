"""What one viewer may know of a match, as JSON, kept up to date step by step.

Entries are only appended as a match continues, except after an undo. So each is made once, and its mark, a
hash over it and all before it, identifies what a page has.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from interpreter.companion import Companion
from interpreter.game import MatchStep
from interpreter.match import Match
from interpreter.redacted_log import entry_of, step_rows
from rulewright.presentation.companion import companion_position
from rulewright.presentation.position import entry_json, position, undo
from rulewright.serve.matches.allowance import sendable


def encoded(value: object) -> str:
    """JSON as short as it can be, the same for equal values."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@dataclass(slots=True)
class Transcript:
    """The entries that a viewer has been told, with the mark and the step of each. `held` are those of other
    branches of a running `together`."""

    viewer: int
    steps: list[MatchStep] = field(default_factory=list)
    entries: list[str] = field(default_factory=list)
    marks: list[str] = field(default_factory=list)
    told: list[int] = field(default_factory=list)
    held: bytes = b""

    def follow(self, match: Match) -> Transcript:
        """What has been told now: this, with the steps that are new; a new one after an undo."""
        here = self if self._continues(match.steps) else Transcript(self.viewer)
        for number in range(len(here.steps), len(match.steps)):
            here._tell(match, number)
        return here

    def _continues(self, steps: Sequence[MatchStep]) -> bool:
        known = len(self.steps)
        if known > len(steps):
            return False
        return all(self.steps[i] is steps[i] or self.steps[i] == steps[i] for i in range(known))

    def _tell(self, match: Match, number: int) -> None:
        """Add what a step tells; parts of other branches wait for the end of `together`."""
        step, views = match.steps[number], match.game.views
        told, self.held = views.tell(step_rows(match.game, step, self.viewer, number), self.viewer, self.held)
        for part in told:
            entry = entry_of(match.game, match.steps[part.step], part, self.viewer)
            self._append(part.step, encoded(entry_json(match, entry)))
        self.steps.append(step)

    def _append(self, step: int, entry: str) -> None:
        self.told.append(step)
        before = self.marks[-1] if self.marks else ""
        self.entries.append(entry)
        self.marks.append(blake2b(f"{before}{entry}".encode(), digest_size=8).hexdigest())


@dataclass(slots=True)
class Seen:
    """What a page has: the version of its position (-1: none), the seats that had a say then, and the marks
    of its first `count` entries."""

    version: int = -1
    people: frozenset[int] = frozenset()
    count: int = 0
    marks: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Projection:
    """What a viewer may know of a match at a version."""

    viewer: int
    version: int = -1
    people: frozenset[int] = frozenset()
    position: str = ""
    transcript: Transcript = field(init=False)

    def __post_init__(self) -> None:
        self.transcript = Transcript(self.viewer)

    def is_new_to(self, seen: Seen) -> bool:
        """Whether a page does not have it."""
        return self.version > seen.version or self.people != seen.people

    def update(
        self, match: Match, version: int, people: frozenset[int], companion: Companion | None = None
    ) -> None:
        """Bring it up to a version of the match, in which some seats have a say about taking back; what a
        companion tells is the same for all."""
        self.transcript = self.transcript.follow(match)
        number = len(self.transcript.entries)
        if companion:
            found = companion_position(companion, number)
        else:
            found = position(match, self.viewer, number)
            if self.viewer >= 0 and len(people) < match.game.machine.seats:
                found["undo"] = undo(match, self.viewer, people)
        self.position = sendable(encoded(found))
        self.version, self.people = version, people

    def message(self, seen: Seen) -> str:
        """The `position` message for a page, which then has it (`seen` is changed)."""
        since = common(self.transcript.marks, seen.marks, seen.count)
        entries = ",".join(self.transcript.entries[since:])
        mark = self.transcript.marks[-1] if self.transcript.marks else ""
        seen.version, seen.people = self.version, self.people
        seen.count, seen.marks = len(self.transcript.entries), self.transcript.marks
        return (
            f'{{"type":"position","version":{self.version},"position":{self.position},'
            f'"entries":[{entries}],"since":{since},"mark":"{mark}"}}'
        )

    def resume(self, count: int, mark: str) -> Seen:
        """What a page has that says to have `count` entries of which the last has this mark."""
        if 0 < count <= len(self.transcript.marks) and self.transcript.marks[count - 1] == mark:
            return Seen(count=count, marks=self.transcript.marks)
        return Seen()


def common(now: Sequence[str], then: Sequence[str], count: int) -> int:
    """How many entries at the beginning are the same: equal marks mean that all before are equal, too."""
    most = min(len(now), count, len(then))
    return bisect_left(range(most), True, key=lambda i: now[i] != then[i])


def past_position(match: Match, viewer: int) -> dict[str, Any]:
    """A position for a replay."""
    return position(match, viewer)
