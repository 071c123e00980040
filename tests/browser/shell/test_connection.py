"""The connection to a match: nothing is lost, nothing is doubled, whatever happens to the socket."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from tests.browser.shell.desk import DESCRIPTION, Desk, position_message, table_message, until, until_true

CONNECT = """async () => {
    const { ServerBackend } = await import("/web/backend/server.js");
    const describe = async () => ({ title: "Pebbles" });
    window.backend = new ServerBackend({ match: "m1", seat: 0, describe, random: () => 0 });
    window.results = [];
}"""
CHOOSE = """words => { backend.choose(words).then(
    (answer) => results.push(["ack", words, answer.version]),
    (error) => results.push([error.code, words, error.refusal?.text ?? null])); }"""


@pytest.fixture
def match(desk: Desk) -> Desk:
    """A desk on whose page a backend is made, without anything to see."""
    desk.open("/web/icon.svg")
    desk.page.evaluate(CONNECT)
    until(desk.page, lambda: bool(desk.heard and desk.heard[0]))
    return desk


def _online(desk: Desk, count: int = 2, since: int = 0) -> None:
    desk.tell(table_message())
    desk.tell(position_message(count, since))
    until_true(desk.page, "backend.status.value === 'online'")


def _sent(desk: Desk) -> None:
    """A choice has been made and not yet acknowledged."""
    _online(desk)
    desk.page.evaluate(CHOOSE, "take 1")
    until(desk.page, lambda: bool(desk.requests("choose")))


def _results(desk: Desk, number: int) -> Any:
    until_true(desk.page, f"results.length >= {number}")
    return desk.page.evaluate("results")


def _cut(desk: Desk) -> None:
    """The connection is lost, and the next one is there."""
    number = len(desk.sockets)
    desk.sockets[-1].close(code=1001)
    until(desk.page, lambda: len(desk.heard) > number and bool(desk.heard[number]))


def test_the_first_message_is_hello(match: Desk) -> None:
    assert match.heard[0] == [{"type": "hello", "protocol": 2, "seq": 0, "mark": ""}]


def test_a_choice_is_made_when_it_is_acknowledged(match: Desk) -> None:
    _sent(match)
    (request,) = match.requests("choose")
    assert (request["words"], request["version"]) == ("take 1", 2)
    assert match.page.evaluate("results") == []
    match.tell({"type": "ack", "id": request["id"], "version": 3})
    assert _results(match, 1) == [["ack", "take 1", 3]]


def test_what_was_not_acknowledged_is_sent_again_with_the_same_id(match: Desk) -> None:
    _sent(match)
    _cut(match)
    assert match.page.evaluate("backend.status.value") == "reconnecting"
    assert match.heard[1] == [{"type": "hello", "protocol": 2, "seq": 2, "mark": "mark 2"}]
    _online(match, 3, 2)
    until(match.page, lambda: len(match.requests("choose")) == 2)
    first, second = match.requests("choose")
    assert first == second
    match.tell({"type": "ack", "id": first["id"], "version": 3})
    assert _results(match, 1) == [["ack", "take 1", 3]]


def test_what_was_acknowledged_is_not_sent_again(match: Desk) -> None:
    _sent(match)
    match.tell({"type": "ack", "id": match.requests("choose")[0]["id"], "version": 3})
    _results(match, 1)
    _cut(match)
    _online(match, 3, 2)
    match.page.wait_for_timeout(200)
    assert len(match.requests("choose")) == 1


def test_what_is_chosen_while_the_connection_is_lost_waits(match: Desk) -> None:
    _online(match)
    match.sockets[-1].close(code=1001)
    until_true(match.page, "backend.status.value === 'reconnecting'")
    match.page.evaluate(CHOOSE, "take 1")
    until(match.page, lambda: len(match.heard) == 2 and bool(match.heard[1]))
    _online(match, 2, 2)
    until(match.page, lambda: len(match.requests("choose")) == 1)


def test_what_changes_of_the_table_is_laid_over_it(match: Desk) -> None:
    _online(match)
    match.tell({"type": "changes", "watching": 7, "rematch": "m2"})
    until_true(match.page, "backend.table.value.watching === 7")
    assert match.page.evaluate("backend.table.value") == table_message() | {"watching": 7, "rematch": "m2"}


def test_entries_are_replaced_from_where_they_differ(match: Desk) -> None:
    _online(match, 5)
    match.tell(position_message(4, 2))
    words = "backend.entries.value.map(it => it.words)"
    until_true(match.page, "backend.position.value.seq === 4")
    assert match.page.evaluate(words) == ["take 0", "take 1", "take 2", "take 3"]
    match.tell(position_message(5, 4))
    until_true(match.page, "backend.position.value.seq === 5")
    assert len(match.page.evaluate(words)) == 5


def test_a_refusal_comes_with_its_reason(match: Desk) -> None:
    _online(match)
    match.page.evaluate(CHOOSE, "take 9")
    until(match.page, lambda: bool(match.requests("choose")))
    refusal = {"kind": "condition", "text": "too many"}
    id = match.requests("choose")[0]["id"]
    match.tell({"type": "refused", "id": id, "code": "not-offered", "text": "no", "refusal": refusal})
    assert _results(match, 1) == [["not-offered", "take 9", "too many"]]


def test_what_could_not_be_kept_is_tried_once_more(match: Desk) -> None:
    def refuse(_: int, message: dict[str, Any]) -> None:
        if message["type"] == "choose":
            match.tell(
                {"type": "refused", "id": message["id"], "code": "not-kept", "text": "", "refusal": None}
            )

    _online(match)
    match.on_message = refuse
    match.page.evaluate(CHOOSE, "take 1")
    assert _results(match, 1) == [["not-kept", "take 1", None]]
    assert len(match.requests("choose")) == 2


def test_what_could_not_be_kept_before_a_restart_is_tried_once_more_after_it(match: Desk) -> None:
    """A server that goes down may refuse to keep a choice; the next one keeps it, under its number once."""

    def refuse(socket: int, message: dict[str, Any]) -> None:
        if message["type"] == "choose" and len(match.requests("choose")) < 4:
            match.tell(
                {"type": "refused", "id": message["id"], "code": "not-kept", "text": "", "refusal": None}
            )
            if len(match.requests("choose")) == 1:
                match.sockets[socket].close(code=1001)

    _online(match)
    match.on_message = refuse
    match.page.evaluate(CHOOSE, "take 1")
    until(match.page, lambda: len(match.heard) == 2 and bool(match.heard[1]))
    _online(match, 2, 2)
    assert _results(match, 1) == [["not-kept", "take 1", None]]
    sent = match.requests("choose")
    assert len(sent) == 3
    assert all(message == sent[0] for message in sent)


def test_an_overdue_answer_means_a_dead_connection(desk: Desk) -> None:
    desk.open("/web/icon.svg")
    desk.page.clock.install()
    desk.page.evaluate(CONNECT)
    until(desk.page, lambda: bool(desk.heard and desk.heard[0]))
    _online(desk)
    desk.page.evaluate(CHOOSE, "take 1")
    until(desk.page, lambda: bool(desk.requests("choose")))
    desk.page.clock.run_for(13_000)
    until(desk.page, lambda: len(desk.heard) == 2 and bool(desk.heard[1]))
    assert desk.heard[1][0]["type"] == "hello"


def test_silence_means_a_lost_connection_until_something_comes(desk: Desk) -> None:
    """What was asked meanwhile is asked again, under the same id."""
    desk.open("/web/icon.svg")
    desk.page.clock.install()
    desk.page.evaluate(CONNECT)
    until(desk.page, lambda: bool(desk.heard and desk.heard[0]))
    desk.tell({"type": "beat"})
    _online(desk)
    desk.page.clock.run_for(3500)
    assert desk.page.evaluate("backend.status.value") == "online"
    desk.page.clock.run_for(1000)
    assert desk.page.evaluate("backend.status.value") == "reconnecting"
    desk.page.evaluate(CHOOSE, "take 1")
    assert desk.page.evaluate("backend.waiting.value") == ["take 1"]
    assert not desk.requests("choose")
    desk.tell({"type": "beat"})
    until_true(desk.page, "backend.status.value === 'online' && !backend.waiting.value.length")
    until(desk.page, lambda: len(desk.requests("choose")) == 1)
    desk.page.clock.run_for(8500)
    until(desk.page, lambda: len(desk.heard) == 2 and bool(desk.heard[1]))
    _online(desk, 2, 2)
    until(desk.page, lambda: len(desk.requests("choose")) == 2)
    first, second = desk.requests("choose")
    assert first == second


def test_waits_grow_between_attempts(desk: Desk) -> None:
    desk.open("/web/icon.svg")
    desk.page.clock.install()
    waits = """async () => {
        const { Connection } = await import("/web/backend/connection.js");
        window.attempts = [];
        const connect = () => { const socket = { close() {} }; attempts.push(Date.now());
            setTimeout(() => socket.onclose({ code: 1006 }), 0); return socket; };
        new Connection({ url: "", hello: () => ({}), hear() {}, connect, random: () => 1 });
    }"""
    desk.page.evaluate(waits)
    desk.page.clock.run_for(60_000)
    times = desk.page.evaluate("attempts")
    steps = [later - earlier for earlier, later in pairwise(times)]
    assert steps[:6] == pytest.approx([250, 500, 1000, 2000, 4000, 8000], abs=50)
    assert max(steps) <= 8050


@pytest.mark.parametrize(("code", "said"), [(4403, "revoked"), (4404, "not-found"), (4400, "protocol")])
def test_some_ends_are_for_good(match: Desk, code: int, said: str) -> None:
    _online(match)
    match.page.evaluate(CHOOSE, "take 1")
    match.sockets[-1].close(code=code)
    assert _results(match, 1) == [[said, "take 1", None]]
    match.page.wait_for_timeout(600)
    assert len(match.sockets) == 1
    assert match.page.evaluate("[backend.status.value, backend.error.value]") == ["closed", said]


QUESTION = {"version": 7, "seat": 0, "stream": "die", "place": None, "possible": ["1", "2"]}
QUESTION |= {"told": [], "given": 0}


def _asked(match: Desk) -> None:
    """The referee of a physical table asks what came, until it is told or the choice is taken back."""

    def referee(_: int, message: dict[str, Any]) -> None:
        if message["type"] in ("outcome", "undo"):
            match.tell({"type": "ack", "id": message["id"], "version": 8})
            match.tell(table_message())

    _online(match)
    match.on_message = referee
    match.tell(table_message(question=QUESTION))
    until_true(match.page, "backend.chance.value !== null")


def test_what_came_at_a_physical_table_is_told(match: Desk) -> None:
    _asked(match)
    match.page.evaluate("backend.outcome('die', '2')")
    until_true(match.page, "backend.chance.value === null")
    told = match.requests("outcome")[0]
    assert (told["version"], told["text"]) == (7, "2")


def test_a_choice_that_waits_for_an_answer_can_be_taken_back(match: Desk) -> None:
    _asked(match)
    match.page.evaluate("backend.undo(1)")
    until_true(match.page, "backend.chance.value === null")
    assert [(found["version"], found["number"]) for found in match.requests("undo")] == [(7, 1)]


def test_clocks_are_by_the_time_of_the_server(match: Desk) -> None:
    match.tell(table_message(clocks={"kind": "move", "now": 5_000_000, "seats": []}))
    until_true(match.page, "backend.table.value !== null")
    assert match.page.evaluate("Math.abs(Date.now() + backend.skew.value - 5000000) < 1000")


def test_the_description_is_the_one_of_the_table(match: Desk) -> None:
    _online(match)
    until_true(match.page, "backend.description !== null")
    assert match.page.evaluate("backend.description.title") == DESCRIPTION["title"]
