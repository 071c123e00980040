"""Forgetting, each day: matches that nobody has filled, played on or looked back at for long, and uploads."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Set
from pathlib import Path

from rulewright.files import durable
from rulewright.serve.api.uploads import UPLOAD, is_uploaded, uploads_folder
from rulewright.serve.config import Keeping
from rulewright.serve.context import Context
from rulewright.serve.matches.registry import MatchRegistry
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


async def forget_daily(context: Context) -> None:
    """Forget what is too old, soon and then each day, until it is cancelled."""
    await asyncio.sleep(FIRST)
    keeping, storage = context.config.keeping, context.storage
    while True:
        now = int(time.time() * 1000)
        try:
            number = await forget_old(
                context.service.registry, context.tables.presence, keeping, now, context.playtests.leaving
            )
            if keeping.limits:
                await asyncio.wrap_future(storage.forget_archives())
            uploads = await forget_uploads(context, now)
        except (StoreFailed, OSError) as error:
            LOG.warning("what is old is not forgotten: %s", error)
        else:
            if number:
                LOG.warning("%d old matches were forgotten", number)
            if uploads:
                LOG.warning("%d uploaded rulesets were forgotten", uploads)
        await asyncio.sleep(AGAIN)


async def forget_old(
    registry: MatchRegistry,
    presence: Presence,
    keeping: Keeping,
    now: int,
    leaving: Callable[[str], Awaitable[Callable[[], None]]] | None = None,
) -> int:
    """Forget the matches that are too old at a time, and at which nobody is. Returns their number.

    `leaving` says of a match what is done once it is forgotten.
    """
    number, storage = 0, registry.storage
    for status, days in keeping.limits:
        before, since = now - days * DAY, ""
        while found := await asyncio.to_thread(storage.unchanged, status, before, since, AT_ONCE):
            since = found[-1]
            for match in found:
                if presence.of(match) == NOBODY and not registry.watched(match):
                    forgotten = await leaving(match) if leaving is not None else None
                    gone = await asyncio.wrap_future(storage.forget(match, before))
                    number += gone
                    if gone:
                        registry.let_go(match)
                        if forgotten is not None:
                            forgotten()
    return number


async def forget_uploads(context: Context, now: int) -> int:
    """Forget the uploaded rulesets of no match that nobody has opened for too long. Returns their number."""
    config, catalogue = context.config, context.catalogue
    number, days = 0, config.keeping.uploads
    if days and config.uploads:
        sources = [*await asyncio.to_thread(context.storage.sources), *config.sources.values()]
        used = {Path(source).name for source in sources}
        before = now - days * DAY
        number = await asyncio.to_thread(_forget_folders, uploads_folder(config), used, before)
    for id in [id for id, source in catalogue.sources.items() if is_uploaded(config, source)]:
        if not Path(catalogue.sources[id]).is_dir():  # this process has forgotten it, or another one
            catalogue.remove(id)
    return number


def _forget_folders(uploads: Path, used: Set[str], before: int) -> int:
    """Remove what was opened last before a time, also what was left half made or half removed."""
    number = 0
    for folder in uploads.iterdir() if uploads.is_dir() else ():
        if folder.is_dir() and folder.name not in used and folder.stat().st_mtime * 1000 < before:
            durable.remove_folder(folder)
            number += folder.name.startswith(UPLOAD)
    return number
