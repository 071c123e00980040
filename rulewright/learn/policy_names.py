"""Bots and trained policies by name: `policy:FILE` beside the names of bots."""

from __future__ import annotations

from typing import Final

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from interpreter.bots.bot import Bot
from interpreter.bots.names import bot_named, is_bot
from rulewright.learn.messages import LibraryNotInstalled

POLICY: Final = "policy:"


def is_policy(kind: str) -> bool:
    """Whether a name is that of a trained policy."""
    return kind.startswith(POLICY) and len(kind) > len(POLICY)


def is_player(kind: str) -> bool:
    """Whether a name is that of a bot, or of a trained policy."""
    return is_policy(kind) or is_bot(kind)


def player_named(kind: str) -> Bot:
    """A bot, or a trained policy from its file.

    Raises `DiagnosticError` with `UnknownBot` or `BadBudget` for a bot; with `NotAModel`, `ForeignModel` or
    `LibraryNotInstalled` for a policy.
    """
    if not is_policy(kind):
        return bot_named(kind)
    try:
        from rulewright.learn.policy_bot import policy_bot
    except ImportError as error:
        raise DiagnosticError(LibraryNotInstalled(NOWHERE, str(error.name), "policy")) from error
    return policy_bot(kind.removeprefix(POLICY))
