"""What a page of the studio asks for: the methods of its protocol, by name."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from dsl.source import Source
from rulewright.editors.open_rulesets import OpenRuleset
from rulewright.studio import editing
from rulewright.studio.loading import loaded
from rulewright.studio.merging import merged
from rulewright.studio.numbers import number_edit
from rulewright.studio.recording import Recorder
from rulewright.studio.refusals import refusals_at
from rulewright.studio.rpc import INVALID_PARAMS, Call, Json, RpcError, refused
from rulewright.studio.session import ASKED, WATCHING, Method, StudioSession
from rulewright.studio.table import LiveTable
from rulewright.studio.testers import Asked

REACHING = 30.0
"""The most seconds of a search for a line."""
MOST_PAIRS = 16_384
MOST_MATCHES, MOST_PAIRS_COMPARED, MOST_SECONDS = 100_000, 1_000_000, 600
"""The most that a page may ask for: matches of each part of an analysis, pairs of a comparison, seconds of a
check with play or of an exploration."""


def _open(session: StudioSession, call: Call) -> Json:
    """A page opens: it gets all files, and gives back the texts and the match that it has kept."""
    texts = {path: session.on_disk(path) for path in session.files.begin()}
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
    given = {"ruleset": _given(session)["ruleset"], "seconds": _seconds(call), "plays": True}
    session.work(session.checking, "check", given, "checked")


def _explore(session: StudioSession, call: Call) -> None:
    session.work_asked("explore", {**_given(session), "seconds": _seconds(call)}, "explored")


def _seconds(call: Call) -> float:
    return float(call.within("seconds", 1, MOST_SECONDS))


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


def _analyse(session: StudioSession, call: Call) -> None:
    """Let bots play matches of the rules as they are edited, with the seats and options at the table."""
    bots, number = call.text("bots"), call.within("number", 10, MOST_MATCHES)
    given = _given(session)
    words = ["rulewright", "analyse", str(session.root), "--seats", str(given["seats"])]
    words += [word for pair in given["options"].items() for word in ("--option", "=".join(pair))]
    command = shlex.join([*words, "--bots", bots, "-n", str(number)])
    session.work_asked("analyse", {**given, "bots": bots, "number": number, "command": command}, "analysed")


def _playtests(session: StudioSession, call: Call) -> None:
    """Read the records of playtests in a folder."""
    given = {"ruleset": _given(session)["ruleset"], "records": call.text("records")}
    session.work_asked("playtests", given, "playtested")


def _of_versions(session: StudioSession, call: Call) -> Json:
    """What a task about another version is given; `about` goes back to the page."""
    return {"ruleset": _given(session)["ruleset"], "root": str(session.root), "old": call.text("old")}


def _differ(session: StudioSession, call: Call) -> None:
    session.work_asked("differ", _of_versions(session, call), "differing", {"old": call.text("old")})


def _compare(session: StudioSession, call: Call) -> None:
    """Play another version and the rules as they are edited in pairs."""
    asked = {
        "bots": call.text("bots"),
        "pairs": call.within("pairs", 10, MOST_PAIRS_COMPARED),
        "margin": call.within("margin", 1, 50),
    }
    given = {**_of_versions(session, call), **asked}
    session.work_asked("compare", given, "compared", {"old": call.text("old"), "most": asked["pairs"]})


def _costs(session: StudioSession, call: Call) -> None:
    """Time what bots cost in the position at the table."""
    played = session.table.played
    if played is not None and session.plays(played):
        session.work_asked("costs", {**_given(session), "log": played.log()}, "costs")


async def _room(session: StudioSession, call: Call) -> None:
    """Open a table for testers under the saved rules, with the seats and options of the table here."""
    given = _given(session)
    if await session.saved_digest() is None:
        raise refused("mistake", "the saved rules have mistakes: correct and save them first")
    asked = Asked(*(call.text(name) for name in ("reach", "url", "records", "questions")))
    await session.testers.open_room(asked, given["seats"], given["options"])
    await session.tell_rooms()


async def _rooms(session: StudioSession, call: Call) -> None:
    """See who sits at the tables of testers."""
    await session.testers.look()
    await session.tell_rooms()


async def _end_rooms(session: StudioSession, call: Call) -> None:
    await session.testers.end()
    await session.tell_rooms()


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
    "analyse": _analyse,
    "playtests": _playtests,
    "differ": _differ,
    "compare": _compare,
    "costs": _costs,
    "room": _room,
    "rooms": _rooms,
    "end_rooms": _end_rooms,
    "stop": _stop,
    "take_up": _take_up,
    "record": _record,
}
