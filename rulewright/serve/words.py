"""What the server itself says: in a mail, and on pages without scripts."""

from __future__ import annotations

from rulewright.i18n.messages import messages_of


def said(language: str, id: str, /, **values: str | int) -> str:
    """A message with its arguments. Raises `KeyError` for one that there is not."""
    return messages_of(language, "server", "notices")(id, **values)
