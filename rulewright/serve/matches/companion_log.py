"""Companion matches from their logs, which keep only what was told: choices, and answers to questions."""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Iterator, Sequence

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from interpreter.companion import Companion
from interpreter.game import Game
from interpreter.messages import Fault
from rulewright.serve.messages import BrokenMatch
from rulewright.serve.store.storage import LogRow, MatchRow


def is_companion(row: MatchRow) -> bool:
    """Whether a match is played at a physical table, and followed here."""
    return bool(row.set_up.get("companion"))


def seed_of(row: MatchRow) -> int:
    """The seed of the placeholders of a match."""
    return int.from_bytes(hashlib.sha256(row.id.encode()).digest()[:8], "big")


def companion_of(
    row: MatchRow, game: Game, standing: Sequence[LogRow], begun: Companion | None = None
) -> Generator[None, None, Companion]:
    """The companion that has been told some rows, step by step; the same each time.

    `begun` is one that has been told what is before them; it stays as it is. Raises `DiagnosticError` with
    `BrokenMatch` at the first row that cannot be.
    """
    companion = begun.draft() if begun is not None else Companion(game, seed=seed_of(row))
    for one in standing:
        try:
            yield from telling_row(companion, one)
        except Fault as fault:
            raise DiagnosticError(BrokenMatch(NOWHERE, row.id, one.seq, fault.diagnostic.message)) from None
        except (LookupError, TypeError, ValueError, AssertionError) as error:
            raise DiagnosticError(BrokenMatch(NOWHERE, row.id, one.seq, f"malformed: {error}")) from None
    return companion


def telling_row(companion: Companion, row: LogRow) -> Iterator[None]:
    """Tell a companion what a row says, step by step. Raises `Fault` if it cannot be."""
    match row.kind:
        case "start":
            yield from companion.starting()
        case "choice":
            assert row.seat is not None
            assert companion.question is None
            yield from companion.choosing(companion.game.names.seat(row.seat), row.data["words"])
        case "told":
            assert companion.question is not None
            yield from companion.telling(row.data["text"])
