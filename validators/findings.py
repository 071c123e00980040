"""What a check says: a mistake with a name, the way that shows it, and what it is about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dsl.diagnostics import Diagnostic, Label, Severity


@dataclass(frozen=True)
class Finding(Diagnostic):
    """What is wrong with a game though every line of it has a meaning.

    `about` is the name by which `allow` in `game.yaml` speaks of it; `path` is the way that shows it, place
    by place. A check's docstring explains it.
    """

    severity: ClassVar[Severity] = Severity.WARNING

    about: str
    path: tuple[Label, ...] = ()

    @property
    def others(self) -> tuple[Label, ...]:
        return self.path

    @property
    def also(self) -> tuple[str, ...]:
        """What it could be taken to be about: `allow` does not speak of it by these names."""
        return ()
