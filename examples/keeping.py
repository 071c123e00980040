"""What was learned is kept: what stands in the way of its file is said at once, and Ctrl-C loses nothing."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import numpy as np
import numpy.typing as npt

from dsl.diagnostics import DiagnosticError, ErrorsReported
from rulewright.learn.catalogue import SpaceCatalogue
from rulewright.learn.features import Features
from rulewright.learn.planes import NetworkLayout
from rulewright.library import open_game


def check(parser: argparse.ArgumentParser, game: str, seats: int | None, into: Path | None) -> None:
    """Ends with a usage error if there is no such game, or its policy could not be written at the end."""
    try:
        open_game(game, seats)
    except (DiagnosticError, ErrorsReported) as error:
        first = error.diagnostic if isinstance(error, DiagnosticError) else next(iter(error.report))
        parser.error(f"{first.message} ({first.help})" if first.help else first.message)
    if into is not None and not into.absolute().parent.is_dir():
        parser.error(f"--into: there is no folder `{into.parent}`")
    if into is not None and into.is_dir():
        parser.error(f"--into: `{into}` is a folder, and has to be a file")


class Progress:
    """Lines on the way of what takes long, on standard error, at most one in `every` seconds."""

    def __init__(self, every: float = 5.0) -> None:
        self.every, self.last = every, monotonic()

    def tell(self, text: str) -> None:
        if monotonic() - self.last >= self.every:
            self.last = monotonic()
            print(f"  {text}", file=sys.stderr, flush=True)


@contextmanager
def until_stopped() -> Iterator[None]:
    """Ctrl-C ends what is done within, and no more."""
    try:
        yield
    except KeyboardInterrupt:
        print("stopped: what was learned until now is kept", flush=True)


def write(
    into: Path | None,
    catalogue: SpaceCatalogue,
    features: Features | NetworkLayout,
    weights: Mapping[str, npt.NDArray[np.float32]],
) -> None:
    """Writes a policy, if it is wanted. Ends with a message if that is not possible."""
    if into is None:
        return
    from rulewright.learn.onnx_files import save_policy

    try:
        save_policy(into, catalogue, features, weights)
    except DiagnosticError as error:
        raise SystemExit(f"error: {error}") from None
    except OSError as error:
        raise SystemExit(f"error: `{into}` cannot be written: {error.strerror}") from None
    print(f"written to {into}")
