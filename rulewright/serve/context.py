"""What all requests of a server share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from rulewright.serve.catalogue import Catalogue
from rulewright.serve.config import ServeConfig
from rulewright.serve.holdings import Holdings
from rulewright.serve.matches import MatchService
from rulewright.serve.notices import Notices
from rulewright.serve.rates import Rates
from rulewright.serve.sql import SqlStorage
from rulewright.serve.tables import Tables
from rulewright.serve.visitors import Signer


class Closable(Protocol):
    """An open socket."""

    def end(self, code: int, what: str) -> None:
        """Close it with a code, after an `error` message."""
        ...


@dataclass
class Context:
    """What all requests of a server share."""

    config: ServeConfig
    storage: SqlStorage
    service: MatchService
    catalogue: Catalogue
    holdings: Holdings
    tables: Tables
    rates: Rates
    signer: Signer
    notices: Notices
    sockets: set[Closable] = field(default_factory=set)
