"""One engine of each kind, whichever thread asks first: a module of one does not run in another."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
import wasmtime

from interpreter.wasm import engine


def test_threads_that_ask_at_the_same_time_get_the_same_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    both, made = Barrier(2), engine._new_engine

    def together(spare: bool) -> wasmtime.Engine:
        both.wait(10)
        return made(spare)

    monkeypatch.setattr(engine, "_ENGINES", {})
    monkeypatch.setattr(engine, "_new_engine", together)
    with ThreadPoolExecutor(2) as threads:
        one, other = threads.map(engine.engine, (False, False))
    assert one is other
