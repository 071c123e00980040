"""Opening companion matches: from what was told, or from a snapshot and what was told since.

A snapshot has the turns with their placeholders beside the position, also those of earlier moments: what is
taken back leads to the placeholders that there were then.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Generator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from interpreter.companion import Companion
from interpreter.game import Game
from interpreter.match import Match
from interpreter.told import Outcome, Question, Turn
from rulewright.serve.matches.companion_log import companion_of, seed_of
from rulewright.serve.matches.live import LiveMatch, folded
from rulewright.serve.matches.snapshots import restored, snapshot
from rulewright.serve.store.records import unpacked
from rulewright.serve.store.storage import LogRow, MatchRow, SeatRow, Snapshot

FORMAT = 1
TOLD = ("start", "choice", "told")
"""Kinds of rows that a companion is told."""
TAKEN_BACK = ("undo", "repair", "migrated")


def told_match(
    row: MatchRow, seats: Sequence[SeatRow], rows: Sequence[LogRow], game: Game, kept: Snapshot | None
) -> Generator[None, None, LiveMatch]:
    """A companion match from its rows, step by step; from a snapshot, if that fits.

    Raises `DiagnosticError`.
    """
    log, clocks = folded(row, rows)
    begun, told = None, log.standing
    if kept is not None and not any(one.kind in TAKEN_BACK for one in rows[kept.seq :]):
        with suppress(Exception):  # a damaged one is absent
            begun = companion_restored(row, game, kept)
    if begun is not None and kept is not None:
        told = tuple(one for one in rows[kept.seq :] if one.kind in TOLD)
    companion = yield from companion_of(row, game, told, begun)
    return LiveMatch(row, tuple(seats), companion.match, log, clocks, companion)


def companion_snapshot(live: LiveMatch) -> Snapshot:
    """A companion match as it is now."""
    companion = live.companion
    assert companion is not None
    numbers: dict[Turn, int] = {}
    past: list[tuple[int, list[int]]] = []
    before: tuple[Turn, ...] = ()
    for turns in (*companion.past, tuple(companion.turns)):
        same = _same(before, turns)
        past.append((same, [numbers.setdefault(turn, len(numbers)) for turn in turns[same:]]))
        before = turns
    question = companion.question
    head = {
        "format": FORMAT,
        "turns": [_turn_data(turn) for turn in numbers],
        "past": past,
        "told": _turn_data(companion.told),
        "given": companion.given,
        "question": None if question is None else [question.possible, question.stream, question.place],
    }
    text = zlib.compress(json.dumps(head, ensure_ascii=False, separators=(",", ":")).encode(), 1)
    position = snapshot(live)
    return replace(position, data=len(text).to_bytes(4, "big") + text + position.data)


def companion_restored(row: MatchRow, game: Game, kept: Snapshot) -> Companion | None:
    """The companion of a snapshot; None if it was made by other rules or by another program."""
    size = int.from_bytes(kept.data[:4], "big")
    match = restored(row, game, replace(kept, data=kept.data[4 + size :]), Match(game))
    if match is None:
        return None
    head = json.loads(unpacked(kept.data[4 : 4 + size], "a snapshot"))
    if head["format"] != FORMAT:
        return None
    turns = [_turn(found) for found in head["turns"]]
    past: list[tuple[Turn, ...]] = []
    for same, numbers in head["past"]:
        before = past[-1] if past else ()
        past.append((*before[:same], *(turns[number] for number in numbers)))
    companion = Companion(game, seed=seed_of(row))
    companion.turns, companion.past, companion.match = list(past.pop()), past, match
    companion.told, companion.given = _turn(head["told"]), head["given"]
    if head["question"] is not None:
        possible, stream, place = head["question"]
        companion.question = Question(tuple(possible), stream, place)
    return companion


def _same(before: Sequence[Turn], turns: Sequence[Turn]) -> int:
    """How many turns at the beginning are the same."""
    both = list(zip(before, turns, strict=False))
    return next((i for i, (a, b) in enumerate(both) if a != b), len(both))


def _turn_data(turn: Turn) -> list[Any]:
    outcomes = [[one.stream, one.text, one.known] for one in turn.outcomes]
    return [turn.seat, turn.words, outcomes, turn.revealed]


def _turn(found: list[Any]) -> Turn:
    seat, words, outcomes, revealed = found
    told = tuple(Outcome(stream, text, known) for stream, text, known in outcomes)
    return Turn(seat, words, told, tuple((name, place) for name, place in revealed))
