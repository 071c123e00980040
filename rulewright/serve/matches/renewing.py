"""Matches whose rules have changed: before somebody looks at one, it moves to the new rules or stays."""

from __future__ import annotations

import asyncio

from dsl.diagnostics import DiagnosticError, ErrorsReported
from rulewright.serve.cache import RecentlyUsed
from rulewright.serve.matches.migrating import KeptRules, kept
from rulewright.serve.matches.service import MatchService

MOST_KEPT = 1000
"""Of how many matches it is remembered that they stay on older rules."""


class Renewal:
    """Moves matches to the rules as they are now, and remembers which ones stay."""

    def __init__(self, service: MatchService) -> None:
        self._service = service
        self._kept = RecentlyUsed[KeptRules](MOST_KEPT)

    async def renewed(self, match: str) -> KeptRules | None:
        """Move a match to the rules as they are now; if it would differ, what has changed in them.

        None if it was moved, is over, or its rules have not changed or cannot be read now.
        """
        live = await self._service.open(match)
        if live.row.status not in ("waiting", "running"):
            return None
        try:
            read = await asyncio.to_thread(self._service.games.read, live.row.source)
        except (DiagnosticError, ErrorsReported):
            return None
        if read.rules.digest == live.row.digest:
            return None
        known = self._kept.get((match, read.archive.digest))
        if known is None:
            try:
                if not await self._service.migrate(match):
                    return None
            except DiagnosticError:  # it has gone on meanwhile
                return None
            known = await asyncio.to_thread(kept, live, read)
            self._kept.put((match, read.archive.digest), known)
        return known
