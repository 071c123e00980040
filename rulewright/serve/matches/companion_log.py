"""Companion matches from their logs, which keep only what was told: choices, and answers to questions."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

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


def companion_of(row: MatchRow, game: Game, standing: Sequence[LogRow]) -> Companion:
    """The companion that has been told some rows; the same each time.

    Raises `DiagnosticError` with `BrokenMatch` at the first row that cannot be.
    """
    seed = int.from_bytes(hashlib.sha256(row.id.encode()).digest()[:8], "big")
    companion = Companion(game, seed=seed)
    for one in standing:
        try:
            tell_row(companion, one)
        except Fault as fault:
            raise DiagnosticError(BrokenMatch(NOWHERE, row.id, one.seq, fault.diagnostic.message)) from None
        except (KeyError, TypeError, AssertionError) as error:
            raise DiagnosticError(BrokenMatch(NOWHERE, row.id, one.seq, f"malformed: {error}")) from None
    return companion


def tell_row(companion: Companion, row: LogRow) -> None:
    """Tell a companion what a row says. Raises `Fault` if it cannot be."""
    match row.kind:
        case "start":
            companion.start()
        case "choice":
            assert row.seat is not None
            assert companion.question is None
            companion.choose(companion.game.names.seat(row.seat), row.data["words"])
        case "told":
            assert companion.question is not None
            companion.tell(row.data["text"])
