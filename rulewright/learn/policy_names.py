"""Bots and trained policies by name: `policy:FILE` beside the names of bots."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from interpreter.bots.bot import Bot
from interpreter.bots.messages import UnknownBot
from interpreter.bots.names import bot_named, is_bot
from rulewright.learn.messages import LibraryNotInstalled
from rulewright.learn.policy_words import NAMED, POLICY, is_policy, means_policy

ALL: Final = "there are "
"""How a hint begins that names all bots."""


def is_player(kind: str) -> bool:
    """Whether a name is that of a bot, or of a trained policy."""
    return is_policy(kind) or is_bot(kind)


def player_named(kind: str) -> Bot:
    """A bot, or a trained policy from its file.

    Raises `DiagnosticError` with `UnknownBot` or `BadBudget` for a bot, or a policy without a file; with
    `NotAModel`, `ForeignModel` or `LibraryNotInstalled` for a policy.
    """
    if not isinstance(kind, str) or not is_policy(kind):
        return _bot_named(kind)
    try:
        from rulewright.learn.policy_bot import policy_bot
    except ImportError as error:
        raise DiagnosticError(LibraryNotInstalled(NOWHERE, str(error.name), "policy")) from error
    return policy_bot(kind.removeprefix(POLICY))


def _bot_named(kind: str) -> Bot:
    """A bot; whoever seems to mean a policy is told how to name one."""
    if isinstance(kind, str) and means_policy(kind):
        raise DiagnosticError(UnknownBot(NOWHERE, kind, NAMED))
    try:
        return bot_named(kind)
    except DiagnosticError as error:
        found = error.diagnostic
        if not isinstance(found, UnknownBot) or not found.hint.startswith(ALL):
            raise
        raise DiagnosticError(replace(found, hint=f"{found.hint}, and `{POLICY}FILE`")) from None
