"""A server that a signal ends as if it had come to its end by itself."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import uvicorn

ENDING = (signal.SIGINT, signal.SIGTERM)


class OrderlyServer(uvicorn.Server):
    """Ends by a signal in good order, and does not raise the signal again after that."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """End on the first signal in good order, on the second one at once."""
        before = {}
        with suppress(ValueError):  # not in the main thread: whoever runs it ends it
            before = {one: signal.signal(one, self.handle_exit) for one in ENDING}
        try:
            yield
        finally:
            for one, handler in before.items():
                signal.signal(one, handler)
