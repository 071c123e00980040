"""Snapshots: a position with its steps as bytes, so that a long match need not be played again to be opened.

They are made and read by the same rules and the same program alone; the log is the truth, and any doubt about
a snapshot leads back to it.
"""

from __future__ import annotations

import json
import sys
import zlib
from array import array
from contextlib import suppress
from dataclasses import fields
from typing import Any

from interpreter.events import KINDS, Event
from interpreter.game import Game, MatchStep
from interpreter.match import Match
from interpreter.pools import Pool
from rulewright.serve.matches.live import LiveMatch, new_match
from rulewright.serve.store.records import unpacked
from rulewright.serve.store.storage import MatchRow, Snapshot

FORMAT = 4
EVENTS = {row.code: kind for kind, row in KINDS.items()}
FIELDS = {kind: tuple(field.name for field in fields(kind)) for kind in KINDS}
STEP = tuple(field.name for field in fields(MatchStep))


def snapshot(live: LiveMatch) -> Snapshot:
    """A match as it is now."""
    match = live.match
    states = [state for state, _ in match.history] + [match.state]
    head = {
        "format": FORMAT,
        "order": sys.byteorder,
        "of": [live.row.id, live.log.length],
        "steps": [_step_data(step) for step in match.steps],
        "firsts": [first for _, first in match.history],
        "outcomes": match.outcomes,
    }
    text = json.dumps(head, ensure_ascii=False, separators=(",", ":")).encode()
    data = len(text).to_bytes(4, "big") + text + b"".join(state.tobytes() for state in states)
    return Snapshot(live.log.length, live.row.digest, zlib.compress(data, 1))


def restored(row: MatchRow, game: Game, kept: Snapshot, match: Match | None = None) -> Match | None:
    """The match of a snapshot, in a new match (`match`, if given); None if it was made by other rules or by
    another program, of another match, or is damaged in whatever way."""
    with suppress(Exception):
        return _restored(row, game, kept, new_match(row, game) if match is None else match)
    return None


def _restored(row: MatchRow, game: Game, kept: Snapshot, match: Match) -> Match | None:
    if kept.digest != row.digest or game.machine.digest != kept.digest:
        return None
    data = unpacked(kept.data, "a snapshot")
    size = int.from_bytes(data[:4], "big")
    head = json.loads(data[4 : 4 + size])
    if head["format"] != FORMAT or head["order"] != sys.byteorder or head["of"] != [row.id, kept.seq]:
        return None
    words = array("i")
    words.frombytes(data[4 + size :])
    length = len(match.state)
    if len(words) != length * (len(head["firsts"]) + 1):
        return None
    match.history = [(words[i * length : (i + 1) * length], first) for i, first in enumerate(head["firsts"])]
    match.state = words[-length:]
    match.steps = [_step(found) for found in head["steps"]]
    match.outcomes = head["outcomes"]
    return match if match.steps and match.hash() == match.steps[-1].hash else None


def _step_data(step: MatchStep) -> list[Any]:
    found = [getattr(step, name) for name in STEP]
    found[STEP.index("events")] = [_event_data(event) for event in step.events]
    found[STEP.index("pools")] = [pool and (pool.component, pool.numbers, pool.exact) for pool in step.pools]
    return found


def _event_data(event: Event) -> list[Any]:
    kind = type(event)
    return [KINDS[kind].code, *(getattr(event, name) for name in FIELDS[kind])]


def _step(found: list[Any]) -> MatchStep:
    found[STEP.index("events")] = tuple(_event(one) for one in found[STEP.index("events")])
    found[STEP.index("odds")] = tuple((name, weight) for name, weight in found[STEP.index("odds")])
    found[STEP.index("pools")] = tuple(map(_pool, found[STEP.index("pools")]))
    return MatchStep(*found)


def _pool(found: list[Any] | None) -> Pool | None:
    return None if found is None else Pool(found[0], tuple(found[1]), found[2])


def _event(found: list[Any]) -> Event:
    number, *values = found
    values = [tuple(map(tuple, value)) if isinstance(value, list) else value for value in values]
    event: Event = EVENTS[number](*values)
    return event
