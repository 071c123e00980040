"""Forgetting old matches: each day, those that nobody has filled, played on or looked back at for long."""

from __future__ import annotations

import asyncio
import logging
import time

from rulewright.serve.config import Keeping
from rulewright.serve.matches.registry import MatchRegistry
from rulewright.serve.matches.service import MatchService
from rulewright.serve.store.storage import StoreFailed
from rulewright.serve.tables.presence import NOBODY, Presence

LOG = logging.getLogger(__name__)
AGAIN = 24 * 3600.0
"""Seconds between two searches."""
FIRST = 60.0
"""Seconds before the first one: other processes tell meanwhile who is at them."""
DAY = 24 * 3600 * 1000
AT_ONCE = 100
"""Matches that are looked for at once."""


async def forget_daily(service: MatchService, presence: Presence, keeping: Keeping) -> None:
    """Forget what is too old, soon and then each day, until it is cancelled."""
    await asyncio.sleep(FIRST)
    while keeping.limits:
        try:
            number = await forget_old(service.registry, presence, keeping, int(time.time() * 1000))
        except StoreFailed as error:
            LOG.warning("old matches are not forgotten: %s", error)
        else:
            if number:
                LOG.warning("%d old matches were forgotten", number)
        await asyncio.sleep(AGAIN)


async def forget_old(registry: MatchRegistry, presence: Presence, keeping: Keeping, now: int) -> int:
    """Forget the matches that are too old at a time, and at which nobody is. Returns their number."""
    number, storage = 0, registry.storage
    for status, days in keeping.limits:
        before, since = now - days * DAY, ""
        while found := await asyncio.to_thread(storage.unchanged, status, before, since, AT_ONCE):
            since = found[-1]
            for match in found:
                if presence.of(match) == NOBODY:
                    number += await asyncio.wrap_future(storage.forget(match, before))
                    registry.let_go(match)
    return number
