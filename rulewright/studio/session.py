"""A session: one page that is open, with the unsaved texts of its files and the match that it plays.

What a page sends is carried out in order. What takes long goes to a worker process, so that the page is
answered meanwhile. The server keeps nothing that the page cannot bring back: after a connection breaks, the
page opens a new session with its unsaved texts and the log of its match.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dsl.diagnostics import DiagnosticError, ErrorsReported
from dsl.load import load
from dsl.rules import Rules
from dsl.source import Source
from interpreter.messages import Fault
from rulewright.editors.open_rulesets import SCENARIOS, OpenRuleset, open_ruleset
from rulewright.library import folder
from rulewright.processes.garbage import clear_up, spare
from rulewright.studio import editing, rpc
from rulewright.studio.bot_seats import BotSeats
from rulewright.studio.bots import TableBots
from rulewright.studio.files import RulesetFiles, Stamp
from rulewright.studio.loading import FrozenRuleset, frozen
from rulewright.studio.playable import PlayableRules
from rulewright.studio.playing import PlayedMatch
from rulewright.studio.rpc import INTERNAL, NO_METHOD, Call, Json, RpcError, refused
from rulewright.studio.scenarios import PastRun
from rulewright.studio.table import LiveTable
from rulewright.studio.tasks import MEMORY
from rulewright.studio.testers import Testers
from rulewright.studio.worker import Superseded, Worker, Workshop

LOG = logging.getLogger(__name__)
IDLE, QUIET, AT_REST, WATCHING = 0.06, 0.15, 0.5, 0.5
"""Seconds without an edit before findings are sent (those of the first edit after a rest are sent at once),
before the match is reloaded, before the game is checked, and between looks at the disk."""
BEGUN = 0.005
"""Seconds that a task has to be begun before the match is played again, which takes this process."""
RESTING = 2.0
"""Seconds without an edit before memory is cleared up."""
CHECKING = 20.0
"""The most seconds of checks without play."""
ASKED = (
    "reached",
    "explored",
    "numbers",
    "simulated",
    "analysed",
    "playtested",
    "differing",
    "compared",
    "costs",
)
"""What a page asks for and hears of while it is worked on; each goes on beside the others."""
Method = Callable[["StudioSession", Call], Any]
"""Carries out a request of a page; what it gives is the answer."""


@dataclass(eq=False)
class StudioSession:
    """A page that is open. `send` takes a message for it."""

    root: Path
    send: Callable[[str], None]
    testers: Testers
    """The server for testers, which all pages of a studio share."""
    methods: Mapping[str, Method]
    ruleset: OpenRuleset = field(init=False)
    files: RulesetFiles = field(init=False)
    playable: PlayableRules = field(init=False)
    table: LiveTable = field(init=False)
    bots: TableBots = field(init=False)
    version: int = 0
    """The number of the page's last edit: findings say of which they are."""
    before: FrozenRuleset | None = None
    """The ruleset as it was saved: what has changed since then is edited."""
    past: PastRun | None = None
    """What the scenarios reached when all were run last."""
    workshop: Workshop = field(default_factory=Workshop)
    following: Worker = field(init=False)
    checking: Worker = field(init=False)
    """What works on scenarios and changes, and on checks."""
    asked: dict[str, Worker] = field(init=False)
    """What works on what the page has asked for, by the method that tells what is found."""
    _last_work: float = float("-inf")
    """When a text was edited or findings were sent last, by the clock of the loop."""
    _saved: tuple[tuple[tuple[str, Stamp], ...], str | None] | None = None
    """The files as they were when the saved rules were read last, and the digest of those."""
    _timers: dict[str, asyncio.TimerHandle] = field(default_factory=dict)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.ruleset, self.files = open_ruleset(self.root), RulesetFiles(self.root)
        self.playable = PlayableRules(self.ruleset)
        self.following, self.checking, thinking = (Worker(self.workshop) for _ in range(3))
        self.asked = {method: Worker(self.workshop) for method in ASKED}
        self.table = LiveTable(self.tell, lambda: self.bots.follow(), BotSeats(self.root))
        self.bots = TableBots(self.table, thinking, self.frozen)

    # ---- messages

    def tell(self, method: str, params: Json) -> None:
        self.send(rpc.notification(method, params))

    def hear(self, text: str) -> None:
        """Carry out what a page has sent."""
        try:
            call = rpc.read_call(text)
        except RpcError as why:
            self.send(rpc.error(None, why))
            return
        task = asyncio.get_running_loop().create_task(self._carry_out(call))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _carry_out(self, call: Call) -> None:
        try:
            method = self.methods.get(call.method)
            if method is None:
                raise RpcError(NO_METHOD, f"there is no method `{call.method}`")
            found = method(self, call)
            if isinstance(found, Awaitable):
                found = await found
        except RpcError as why:
            self._answer_error(call, why)
        except ErrorsReported as stop:
            first = stop.report.first
            self._answer_error(call, refused("mistake", f"{first.code}: {first.message}"))
        except (DiagnosticError, Fault) as error:
            diagnostic = error.diagnostic
            self._answer_error(call, refused("fault", f"{diagnostic.code}: {diagnostic.message}"))
        except Exception:
            LOG.exception("`%s` has failed", call.method)
            self._answer_error(call, RpcError(INTERNAL, "the studio has a mistake: the terminal shows it"))
        else:
            if call.id is not None:
                self.send(rpc.result(call.id, found))

    def _answer_error(self, call: Call, why: RpcError) -> None:
        if call.id is not None:
            self.send(rpc.error(call.id, why))

    def close(self) -> None:
        """The page has gone."""
        for timer in self._timers.values():
            timer.cancel()
        for task in list(self._tasks):
            task.cancel()
        self.bots.close()
        for worker in (self.following, self.checking, *self.asked.values()):
            worker.stop()
        self.workshop.close()

    # ---- what follows an edit

    def later(self, name: str, seconds: float, act: Callable[[], None]) -> None:
        """Do something when nothing of this name was asked for during some seconds."""
        if (waiting := self._timers.pop(name, None)) is not None:
            waiting.cancel()
        self._timers[name] = asyncio.get_running_loop().call_later(seconds, act)

    def edited(self) -> None:
        """A text has changed: what depends on it follows when nothing more is typed."""
        now = asyncio.get_running_loop().time()
        rested, self._last_work = now - self._last_work >= IDLE, now
        self.later("findings", 0 if rested else IDLE, self.tell_findings)
        self.later("reload", QUIET, self.reload)
        self.later("check", AT_REST, self.check)
        self.following.stop()
        self.checking.stop()
        self.later("rest", RESTING, clear_up)

    def tell_findings(self) -> None:
        found = editing.found_mistakes(self.ruleset)
        spare()
        self.tell("findings", {"version": self.version, "findings": found, "broken": self.rules is None})
        self._last_work = asyncio.get_running_loop().time()

    def reload(self) -> None:
        """Play the match on under the rules as they are now, if they have no mistakes."""
        rules, now = self.rules, self.frozen()
        if rules is None or now is None:
            return
        given = {"ruleset": now, "before": self.before, "tests": self.tests(), "root": str(self.root)}
        self.work(self.following, "follow", {**given, "past": self.past}, "followed")
        self.later("table", BEGUN, lambda: self.table.reload(rules))

    def check(self) -> None:
        """Look for what is wrong with the game, without playing it."""
        now = self.frozen()
        if now is not None:
            given = {"ruleset": now, "seconds": CHECKING, "plays": False}
            self.work(self.checking, "check", given, "checked")

    def work(self, worker: Worker, task: str, given: Json, method: str, about: Json | None = None) -> None:
        """Let a worker carry out a task, and tell the page what it finds, each time with what it is about."""
        always = {**(about or {}), "version": self.version}

        async def work() -> None:
            def told(found: Json) -> None:
                if MEMORY in found:
                    self.past = found[MEMORY]
                else:
                    self.tell(method, {**found, **always})

            with suppress(Superseded):
                try:
                    await worker.run(task, given, told)
                except RpcError as why:
                    self.tell(method, {"failed": why.message, "done": True, **always})

        running = asyncio.get_running_loop().create_task(work())
        self._tasks.add(running)
        running.add_done_callback(self._tasks.discard)

    def work_asked(self, task: str, given: Json, method: str, about: Json | None = None) -> None:
        """Let the worker of what the page has asked for carry out a task."""
        self.work(self.asked[method], task, given, method, about)

    def frozen(self) -> FrozenRuleset | None:
        """The ruleset as it is now, for another process; none if it has mistakes."""
        found = self.playable.read()
        if found is None:
            return None
        return frozen(self.ruleset.workspace.name, found.rules.digest, found.folder.files)

    def tests(self) -> dict[str, str]:
        """The texts of the scenarios by path."""
        snapshot = self.ruleset.read()
        found = {snapshot.path_of(source) or "": source.text for source in snapshot.tests}
        return {path: text for path, text in found.items() if path.startswith(SCENARIOS)}

    @property
    def rules(self) -> Rules | None:
        """The rules as they are now; none if they have mistakes."""
        found = self.playable.read()
        return found.rules if found is not None else None

    async def saved_digest(self) -> str | None:
        """The digest of the rules as they are saved; none if they have mistakes."""
        if not self.ruleset.workspace.texts:
            return rules.digest if (rules := self.rules) is not None else None
        stamps = tuple(self.files.seen.items())
        if self._saved is None or self._saved[0] != stamps:
            self._saved = stamps, await asyncio.to_thread(_digest_of, self.root)
        return self._saved[1]

    async def tell_rooms(self) -> None:
        """Tell the page of the tables for testers."""
        self.tell("rooms", self.testers.as_json(await self.saved_digest()))

    def plays(self, played: PlayedMatch) -> bool:
        """Whether a match is played under the rules as they are now."""
        return self.rules is not None and played.rules.digest == self.rules.digest

    def watch(self) -> None:
        """Look at the disk, and tell the page what others have changed there."""
        changed = self.files.changes()
        if changed:
            found = {path: self.on_disk(path) for path in changed}
            self.ruleset.version += 1
            self.tell("files", {"changed": found})
            self.edited()
        self.later("watch", WATCHING, self.watch)

    def on_disk(self, path: str) -> Json | None:
        there = self.files.read(path)
        return {"text": there.text, "seal": there.seal} if there is not None else None

    def source(self, call: Call) -> Source:
        """The file that a call is about. Raises `RpcError` if no rules read it."""
        found = self.ruleset.read().source(call.text("path"))
        if found is None:
            raise refused("not-read", f"the ruleset does not read `{call.text('path')}`")
        return found


def _digest_of(root: Path) -> str | None:
    try:
        return load(folder(root))[0].digest
    except (ErrorsReported, DiagnosticError):
        return None
