"""What a check is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from validators.check_context import CheckContext
from validators.findings import Finding


@dataclass(frozen=True)
class Check:
    """One thing that is proved of a game. `plays`: it runs the game, and takes more than a moment."""

    finding: type[Finding]
    find: Callable[[CheckContext], Iterable[Finding]]
    plays: bool = False

    @property
    def code(self) -> str:
        return self.finding.code
