"""What all requests of a server share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from rulewright.serve.access.rates import Rates
from rulewright.serve.access.visitors import Signer
from rulewright.serve.config import ServeConfig
from rulewright.serve.games.catalogue import Catalogue
from rulewright.serve.health import Health
from rulewright.serve.matches.beliefs import TableBeliefs
from rulewright.serve.matches.service import MatchService
from rulewright.serve.notices.notifier import Notifier
from rulewright.serve.playtests import Playtests
from rulewright.serve.store.grants import Grants
from rulewright.serve.store.sql import SqlStorage
from rulewright.serve.store.talk_rows import TalkRows
from rulewright.serve.sweeping import Sweeping
from rulewright.serve.tables.registry import Tables


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
    grants: Grants
    tables: Tables
    rates: Rates
    signer: Signer
    notices: Notifier
    beliefs: TableBeliefs
    health: Health
    talk: TalkRows
    playtests: Playtests
    sockets: set[Closable] = field(default_factory=set)
    sweeping: Sweeping = field(default_factory=Sweeping)
