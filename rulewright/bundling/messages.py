"""The messages of pages: each kind of page gets those that it needs."""

from __future__ import annotations

import json
from functools import cache

from rulewright.i18n.fluent import Pattern
from rulewright.i18n.messages import languages, messages_in

EVERYWHERE = ("page", "table")
"""The files of messages that every page needs; `server`, `file` and `companion` are those of some. What
`notices` says is never on a page with scripts."""


@cache
def messages(language: str, *own: str) -> dict[str, Pattern]:
    """The messages of a language: those of every page, and those of some files."""
    return {id: text for name in (*EVERYWHERE, *own) for id, text in messages_in(language, name).items()}


@cache
def message_files() -> dict[str, bytes]:
    """The messages of a server's page as JSON, by the paths at which the page asks for them."""
    return {
        f"locales/{language}.json": json.dumps(
            messages(language, "server", "companion"), ensure_ascii=False, separators=(",", ":")
        ).encode()
        for language in languages()
    }
