"""How often hosts that players name are called: a few calls at once, and so many in a minute."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from rulewright.serve.access.rates import Rates, network_of
from rulewright.serve.notices.webhooks import Failed, Refused

LOG = logging.getLogger(__name__)
MOST_AT_ONCE = 2
REPORTED = 60.0
"""Seconds in which dropped calls of a host are counted for one line of the log."""


class HostCalls:
    """Bounds the calls of hosts, by name at once and by network address in a minute.

    Whoever owns a domain can give one address any number of names; so names alone would bound nothing.
    """

    def __init__(self, rates: Rates) -> None:
        self._rates = rates
        self._busy: Counter[str] = Counter()
        self._dropped: Counter[str] = Counter()

    @contextmanager
    def calling(self, name: str) -> Iterator[None]:
        """While a host is called. Raises `Failed` if it is busy with others."""
        if self._busy[name] >= MOST_AT_ONCE:
            raise Failed("busy")
        self._busy[name] += 1
        try:
            yield
        finally:
            self._busy[name] -= 1
            if not self._busy[name]:
                del self._busy[name]

    def admit(self, address: str) -> None:
        """Count a call of an address. Raises `Refused` if it is one too many in this minute."""
        host = network_of(address)
        if self._rates.allows("webhooks", host):
            return
        self._dropped[host] += 1
        if self._dropped[host] == 1:
            asyncio.get_running_loop().call_later(REPORTED, self._report, host)
        raise Refused("its host has been called too often")

    def report(self) -> None:
        """Say now what was dropped."""
        for host in list(self._dropped):
            self._report(host)

    def _report(self, host: str) -> None:
        number = self._dropped.pop(host, 0)
        if number:
            LOG.warning("%d notices to %s were dropped: it was called too often", number, host)
