"""Processes that tests start."""

from __future__ import annotations

import subprocess
from types import TracebackType
from typing import AnyStr


class Process(subprocess.Popen[AnyStr]):
    """A process that is killed where its block fails: nobody would end it, and the block would wait."""

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self.kill()
        super().__exit__(kind, value, trace)
