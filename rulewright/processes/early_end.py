"""Long work that ends early: finished results are kept, with the reason why it ended."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

from dsl.diagnostics import Diagnostic, DiagnosticError
from dsl.source import NOWHERE
from interpreter.messages import Aborted, StoppedRun
from rulewright.processes.messages import MemoryShort, WorkerLost


@dataclass
class EarlyEnd:
    """Why work ended before its time: by Ctrl-C, or by a failure; by neither if all of it was done."""

    interrupted: bool = False
    failure: Diagnostic | None = None

    @property
    def early(self) -> bool:
        return self.interrupted or self.failure is not None

    @property
    def why(self) -> str:
        """`interrupted` or `play ended early`; nothing if all was done."""
        return "interrupted" if self.interrupted else "play ended early" if self.failure is not None else ""

    def all_done(self) -> None:
        """Forgets what would have ended it: one of several threads was lost, and the others have done all."""
        self.interrupted, self.failure = False, None

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Notes Ctrl-C, a lost process and too little memory in its body, and raises them no further."""
        try:
            yield
        except KeyboardInterrupt:
            self.interrupted = True
        except MemoryError:
            self.failure = MemoryShort(NOWHERE)
        except Aborted as error:
            self.interrupted = isinstance(error.diagnostic, StoppedRun)
            self.failure = None if self.interrupted else error.diagnostic
        except DiagnosticError as error:
            if not isinstance(error.diagnostic, WorkerLost):
                raise
            self.failure = error.diagnostic


class Ended(Protocol):
    """What long work has found, and what ended it before its time."""

    @property
    def failure(self) -> Diagnostic | None: ...

    @property
    def interrupted(self) -> bool: ...
