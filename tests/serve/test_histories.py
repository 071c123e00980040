"""Histories: whatever clients do, what each has been shown is a beginning of what its seat may know."""

from __future__ import annotations

import asyncio
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from sqlalchemy import event

from dsl.diagnostics import DiagnosticError
from interpreter.messages import Fault
from interpreter.sights import SPECTATOR
from rulewright.presentation.position import entries, position
from rulewright.serve.matches.actions import POSITIONS
from rulewright.serve.matches.live import LiveMatch, built
from rulewright.serve.matches.service import MatchService
from rulewright.serve.store.opening import open_storage
from tests.serve.playing import CARDS, DICE, HUMAN, TOGETHER, an_offer, table

VIEWERS = (SPECTATOR, 0, 1)


@dataclass
class Client:
    """What a viewer was shown last, at which version."""

    viewer: int
    version: int = 0
    shown: list[dict[str, Any]] = field(default_factory=list)
    position: dict[str, Any] = field(default_factory=dict)
    rows: int = 0


class Histories(RuleBasedStateMachine):
    """One match with its clients; the server may be killed, its commits may fail, answers may be lost."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.loop = asyncio.new_event_loop()
        self.address = str(Path(self.folder.name) / "matches.db")
        self.acknowledged: dict[str, int] = {}
        self.fails = 0
        self.number = 0
        self.open()

    def open(self) -> None:
        storage = open_storage(self.address)
        event.listen(storage.writer.engine, "commit", self.commit)
        self.service = MatchService(storage)
        self.clients = {viewer: Client(viewer) for viewer in VIEWERS}

    def commit(self, _: object) -> None:
        if self.fails:
            self.fails -= 1
            raise OSError(28, "No space left on device")

    def run(self, work: Any) -> Any:
        return self.loop.run_until_complete(work)

    @property
    def live(self) -> LiveMatch:
        found: LiveMatch = self.run(self.service.open(self.match))
        return found

    @initialize(game=st.sampled_from([DICE, CARDS, TOGETHER]))
    def begin(self, game: str) -> None:
        self.match = self.run(self.service.create(table(game, HUMAN, HUMAN))).id

    @rule(seed=st.integers(0, 1000), times=st.integers(1, 2), fails=st.booleans())
    def choose(self, seed: int, times: int, fails: bool) -> None:
        """A choice, sent once or twice; its commit may fail."""
        live = self.live
        if not live.running:
            return
        seat, words = an_offer(live, Random(seed))
        self.number += 1
        self.fails = int(fails and seed % 3 == 0)
        for _ in range(times):
            try:
                answer = self.run(
                    self.service.choose(self.match, seat, f"{self.number}", live.version(seat), words)
                )
            except (DiagnosticError, Fault):
                continue
            client = f"{seat}:{self.number}"
            assert self.acknowledged.setdefault(client, answer.seq) == answer.seq
        self.fails = 0

    @rule(seat=st.integers(0, 1), agree=st.booleans())
    def undo(self, seat: int, agree: bool) -> None:
        if not self.live.running:
            return
        self.number += 1
        try:
            answer = self.run(self.service.undo(self.match, seat, f"{self.number}", None))
            if answer.proposal is not None:
                self.run(self.service.answer(self.match, 1 - seat, f"a{self.number}", answer.proposal, agree))
        except DiagnosticError:
            return

    @rule()
    def kill(self) -> None:
        """The server is gone without a word, and another one opens the store."""
        self.service.storage.writer.close()  # type: ignore[attr-defined]
        kept = self.clients
        self.open()
        self.clients = kept

    @rule(viewer=st.sampled_from(VIEWERS))
    def look(self, viewer: int) -> None:
        """A client comes back after any time, and is shown the match."""
        client, live = self.clients[viewer], self.live
        shown, seen = entries(live.match, viewer), position(live.match, viewer)
        version = live.version(viewer)
        assert version >= client.version
        taken_back = any(row.kind in ("undo", "repair") for row in live.log.rows[client.rows :])
        if not taken_back:
            assert shown[: len(client.shown)] == client.shown
        if version == client.version:
            assert (shown, seen) == (client.shown, client.position), "something was shown untold"
        client.version, client.shown, client.position = version, shown, seen
        client.rows = live.log.length

    @invariant()
    def nothing_is_lost(self) -> None:
        if not hasattr(self, "match"):
            return
        rows = self.service.storage.rows(self.match)
        assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
        found = {row.client: row.seq for row in rows if row.client}
        assert all(found.get(client) == seq for client, seq in self.acknowledged.items())
        positions = [row.seq for row in rows if row.kind in POSITIONS]
        assert positions

    def teardown(self) -> None:
        if hasattr(self, "match"):
            live = self.live
            rows = self.service.storage.rows(self.match)
            anew = built(live.row, live.seats, rows, live.game)
            for viewer in VIEWERS:
                assert entries(anew.match, viewer) == entries(live.match, viewer)
                assert position(anew.match, viewer) == position(live.match, viewer)
        self.run(self.service.close())
        self.loop.close()
        self.folder.cleanup()


def test_a_few_histories() -> None:
    run_state_machine_as_test(
        Histories, settings=settings(max_examples=6, stateful_step_count=15, deadline=None)
    )


@pytest.mark.long
def test_a_thousand_histories() -> None:
    run_state_machine_as_test(
        Histories, settings=settings(max_examples=1_000, stateful_step_count=30, deadline=None)
    )
