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
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from dsl.diagnostics import DiagnosticError, ErrorsReported
from dsl.rules import Rules
from dsl.source import Source
from interpreter.messages import Fault
from rulewright.editors.open_rulesets import SCENARIOS, OpenRuleset, open_ruleset
from rulewright.processes.garbage import clear_up, spare
from rulewright.studio import editing, rpc
from rulewright.studio.bot_seats import BotSeats
from rulewright.studio.bots import TableBots
from rulewright.studio.files import RulesetFiles
from rulewright.studio.loading import FrozenRuleset, frozen, loaded
from rulewright.studio.merging import merged
from rulewright.studio.numbers import number_edit
from rulewright.studio.playable import PlayableRules
from rulewright.studio.playing import PlayedMatch
from rulewright.studio.recording import Recorder
from rulewright.studio.refusals import refusals_at
from rulewright.studio.rpc import INTERNAL, INVALID_PARAMS, NO_METHOD, Call, Json, RpcError, refused
from rulewright.studio.scenarios import PastRun
from rulewright.studio.table import LiveTable
from rulewright.studio.tasks import MEMORY
from rulewright.studio.worker import Superseded, Worker, Workshop

LOG = logging.getLogger(__name__)
IDLE, QUIET, AT_REST, WATCHING = 0.06, 0.15, 0.5, 0.5
"""Seconds without an edit before findings are sent, before the match is reloaded, before the game is checked,
and between looks at the disk."""
BEGUN = 0.005
"""Seconds that a task has to be begun before the match is played again, which takes this process."""
RESTING = 2.0
"""Seconds without an edit before memory is cleared up."""
CHECKING, PLAYING, EXPLORING, REACHING = 20.0, 60.0, 60.0, 30.0
"""The most seconds of checks without and with play, of an exploration, and of a search for a line."""
MOST_PAIRS = 16_384
ASKED = ("reached", "explored", "numbers", "simulated")
"""What a page asks for and hears of while it is worked on; each goes on beside the others."""
Method = Callable[["StudioSession", Call], Any]


@dataclass(eq=False)
class StudioSession:
    """A page that is open. `send` takes a message for it."""

    root: Path
    send: Callable[[str], None]
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
            method = METHODS.get(call.method)
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
        self.later("findings", IDLE, self.tell_findings)
        self.later("reload", QUIET, self.reload)
        self.later("check", AT_REST, self.check)
        self.following.stop()
        self.checking.stop()
        self.later("rest", RESTING, clear_up)

    def tell_findings(self) -> None:
        found = editing.found_mistakes(self.ruleset)
        spare()
        self.tell("findings", {"version": self.version, "findings": found, "broken": self.rules is None})

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

    def plays(self, played: PlayedMatch) -> bool:
        """Whether a match is played under the rules as they are now."""
        return self.rules is not None and played.rules.digest == self.rules.digest

    def watch(self) -> None:
        """Look at the disk, and tell the page what others have changed there."""
        changed = self.files.changes()
        if changed:
            found = {path: self._on_disk(path) for path in changed}
            self.ruleset.version += 1
            self.tell("files", {"changed": found})
            self.edited()
        self.later("watch", WATCHING, self.watch)

    def _on_disk(self, path: str) -> Json | None:
        there = self.files.read(path)
        return {"text": there.text, "seal": there.seal} if there is not None else None

    def source(self, call: Call) -> Source:
        """The file that a call is about. Raises `RpcError` if no rules read it."""
        found = self.ruleset.read().source(call.text("path"))
        if found is None:
            raise refused("not-read", f"the ruleset does not read `{call.text('path')}`")
        return found


# ---- methods


def _open(session: StudioSession, call: Call) -> Json:
    """A page opens: it gets all files, and gives back the texts and the match that it has kept."""
    texts = {path: session._on_disk(path) for path in session.files.begin()}
    for path, text in call.texts("texts").items():
        with suppress(RpcError):  # what is no file of a ruleset stays in the page, which cannot save it
            session.ruleset.edit(session.files.checked(path), text)
    session.table.bot_seats.restore(call.texts("bots"), call.params.get("bots_wait") is True)
    _resume(session, call.params.get("match"))
    if session.before is None and not session.ruleset.workspace.texts:
        session.before = session.frozen()
    session.edited()
    session.later("watch", WATCHING, session.watch)
    return {
        "name": session.root.name,
        "root": str(session.root),
        "files": [{"path": path, **text} for path, text in texts.items() if text is not None],
    }


def _resume(session: StudioSession, match: object) -> None:
    """Take up the match of a page that was connected before, or begin one."""
    rules = session.rules
    if rules is None:
        return
    if isinstance(match, str) and match:
        session.table.resume(rules, match)
    else:
        session.table.begin(rules, None, {}, None)


def _edit(session: StudioSession, call: Call) -> None:
    path, text = session.files.checked(call.text("path")), call.params.get("text")
    if text is not None and not isinstance(text, str):
        raise RpcError(INVALID_PARAMS, "`text` is a text, or null: as it was saved")
    session.ruleset.edit(path, text)
    session.version = call.number("version")
    session.edited()


def _save(session: StudioSession, call: Call) -> Json:
    path, seal = session.files.checked(call.text("path")), call.params.get("seal")
    saved = session.files.save(path, call.text("text"), seal if isinstance(seal, str) else None)
    session.ruleset.edit(path, None)
    if not session.ruleset.workspace.texts:
        session.before = session.frozen() or session.before
    session.edited()
    return {"seal": saved}


def _merge(session: StudioSession, call: Call) -> Json:
    """Two edits of one text put together."""
    return asdict(merged(call.text("base"), call.text("mine"), call.text("theirs")))


def _read(session: StudioSession, call: Call) -> Json:
    """The text of a file that is only looked at: one below an overlay."""
    return {"text": session.source(call).text}


def _at(answer: Callable[[OpenRuleset, Source, int], Any]) -> Method:
    """A method that answers about a place in a file."""

    def method(session: StudioSession, call: Call) -> Any:
        return answer(session.ruleset, session.source(call), call.number("at"))

    return method


def _about(answer: Callable[[OpenRuleset, Source], Any]) -> Method:
    """A method that answers about a file."""
    return lambda session, call: answer(session.ruleset, session.source(call))


def _rename(session: StudioSession, call: Call) -> list[Json]:
    return editing.renamed(session.ruleset, session.source(call), call.number("at"), call.text("name"))


def _begin(session: StudioSession, call: Call) -> None:
    rules = session.rules
    if rules is None:
        raise refused("mistake", "the rules have mistakes: correct them first")
    seats, seed = call.params.get("seats"), call.params.get("seed")
    chosen = call.texts("options")
    session.table.begin(
        rules, seats if isinstance(seats, int) else None, chosen, seed if isinstance(seed, int) else None
    )


def _given(session: StudioSession) -> Json:
    """What every task about the match that is played is given. Raises `RpcError`."""
    now, played = session.frozen(), session.table.played
    if now is None or played is None:
        raise refused("mistake", "the rules have mistakes: correct them first")
    return {"ruleset": now, "seats": played.seats, "options": dict(played.options)}


def _reach(session: StudioSession, call: Call) -> None:
    """Search for a match that comes to a line."""
    played = session.table.played
    own = played is not None and session.plays(played)
    given = {
        **_given(session),
        "path": call.text("path"),
        "line": call.number("line"),
        "seconds": REACHING,
        "log": played.log() if own and played is not None else None,
    }
    session.work_asked("reach", given, "reached")


def _play_checks(session: StudioSession, call: Call) -> None:
    given = {"ruleset": _given(session)["ruleset"], "seconds": PLAYING, "plays": True}
    session.work(session.checking, "check", given, "checked")


def _explore(session: StudioSession, call: Call) -> None:
    session.work_asked("explore", {**_given(session), "seconds": EXPLORING}, "explored")


def _fault(session: StudioSession, call: Call) -> None:
    """The match of a fault that checks have found in random play."""
    given = {
        "ruleset": _given(session)["ruleset"],
        "seats": call.number("seats"),
        "seed": call.number("seed"),
    }
    session.work_asked("fault", given, "reached")


def _numbers(session: StudioSession, call: Call) -> None:
    session.work_asked("numbers", _given(session), "numbers")


def _number_edit(session: StudioSession, call: Call) -> list[Json]:
    given, rules = _given(session), session.rules
    assert rules is not None
    return number_edit(given["ruleset"], rules, given["seats"], call.text("name"), call.number("value"))


def _simulate(session: StudioSession, call: Call) -> None:
    wanted = {"name": call.text("name"), "value": call.number("value")}
    given = {**_given(session), "tests": session.tests(), **wanted, "pairs": MOST_PAIRS}
    session.work_asked("simulate", given, "simulated", wanted)


def _stop(session: StudioSession, call: Call) -> None:
    """Nobody waits for something that was asked for any more."""
    worker = session.asked.get(call.text("what"))
    if worker is None:
        raise RpcError(INVALID_PARAMS, f"`what` is one of {', '.join(ASKED)}")
    worker.stop()


def _take_up(session: StudioSession, call: Call) -> None:
    """Play on from a match that was found."""
    rules = session.rules
    if rules is None:
        raise refused("mistake", "the rules have mistakes: correct them first")
    session.table.resume(rules, call.text("log"), held=True)


def _record(session: StudioSession, call: Call) -> Json:
    """The scenario of what was played, and the assertions that may be in it."""
    played, now = session.table.played, session.frozen()
    if played is None or now is None or played.rules.digest != now.digest:
        raise refused("parted", "the match is not played under the rules as they are now")
    chosen, cited = _listed(call, "chosen"), _listed(call, "cited")
    _, questions = loaded(now)
    found = Recorder(played, questions).record(call.number("since"), call.text("name"), chosen, cited)
    return asdict(found)


def _listed(call: Call, name: str) -> list[str] | None:
    """A list of texts, or none if there is none. Raises `RpcError` if it is something else."""
    found = call.params.get(name)
    if found is not None and not (isinstance(found, list) and all(isinstance(x, str) for x in found)):
        raise RpcError(INVALID_PARAMS, f"`{name}` is a list of texts, or nothing")
    return found


def _refusals(session: StudioSession, call: Call) -> Json | None:
    """Why what the line at the cursor is about is not offered now; none if there is no match under these
    rules."""
    played = session.table.played
    if played is None or not session.plays(played):
        return None
    return refusals_at(played, f"{session.ruleset.workspace.name}/{call.text('path')}", call.number("line"))


def _of_table(act: Callable[[LiveTable, Call], Any]) -> Method:
    """A method of the table."""
    return lambda session, call: act(session.table, call)


METHODS: Mapping[str, Method] = {
    "open": _open,
    "edit": _edit,
    "save": _save,
    "read": _read,
    "merge": _merge,
    "hover": _at(editing.hovered),
    "complete": _at(editing.completed),
    "call": _at(editing.called),
    "definition": _at(editing.defined),
    "references": _at(editing.referred),
    "renamable": _at(editing.renamable),
    "rename": _rename,
    "tokens": _about(editing.coloured),
    "outline": _about(editing.outlined),
    "format": _about(editing.reformatted),
    "begin": _begin,
    "choose": _of_table(LiveTable.choose),
    "why": _of_table(LiveTable.why),
    "undo": _of_table(LiveTable.undo),
    "back": _of_table(LiveTable.back),
    "account": _of_table(LiveTable.account),
    "at": _of_table(LiveTable.at),
    "settle": _of_table(LiveTable.settle),
    "player": _of_table(LiveTable.player),
    "bots": _of_table(LiveTable.bots),
    "refusals": _refusals,
    "reach": _reach,
    "number_edit": _number_edit,
    "check": _play_checks,
    "explore": _explore,
    "fault": _fault,
    "numbers": _numbers,
    "simulate": _simulate,
    "stop": _stop,
    "take_up": _take_up,
    "record": _record,
}
