"""What pages send: read strictly, bounded in size, depth and rate."""

from __future__ import annotations

import asyncio
import json
import logging
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from websockets.exceptions import ConnectionClosed

from rulewright.serve.api import client_messages as cm
from rulewright.serve.config import Limits
from tests.serve.clients import Player, serving

JSON = {"Content-Type": "application/json"}
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)
NAMES = [
    "id",
    "seq",
    "mark",
    "protocol",
    "version",
    "words",
    "action",
    "value",
    "number",
    "proposal",
    "agree",
]
OBJECTS = st.fixed_dictionaries(
    {"type": st.sampled_from([*(kind for kind in cm.READERS if kind), "other"]) | SCALARS},
    optional=dict.fromkeys([*NAMES, "seat", "stream", "text"], VALUES),
)


@given(OBJECTS | VALUES)
@settings(max_examples=100, deadline=None)
def test_any_json_is_a_message_or_malformed(value: Any) -> None:
    found = parsed(json.dumps(value))
    assert isinstance(found, cm.ClientMessage | cm.Malformed)
    assert isinstance(found, cm.Hello) or found.id is None or len(found.id) <= cm.LONGEST_ID


def parsed(text: str) -> cm.ClientMessage | cm.Malformed:
    try:
        return cm.parse(text)
    except cm.Malformed as wrong:
        return wrong


@given(st.text(max_size=300))
@settings(max_examples=300, deadline=None)
def test_any_text_is_a_message_or_malformed(text: str) -> None:
    with pytest.raises(cm.Malformed):
        cm.parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 17 + "]" * 17,
        "[" * 8000,
        '{"type": "why", "id": "x", "value": ' + "[" * 20 + "]" * 20 + "}",
        '{"type": "choose", "id": "x", "words": "' + "a" * 20000 + '"}',
        '{"type": "choose", "id": "x", "words": "a\\u0000b"}',
        '{"type": "choose", "id": "x", "words": "\\ud800"}',
        '{"type": "choose", "id": "' + "i" * 65 + '", "words": "pass"}',
        '{"type": "choose", "id": "x", "words": "pass", "version": 1e9}',
        '{"type": "undo", "id": "x", "number": true}',
        '{"type": "undo", "id": "x", "number": -1}',
        '{"type": "undo", "id": "x", "number": ' + "9" * 5000 + "}",
        '{"type": "answer", "id": "x", "proposal": 1, "agree": 1}',
        '{"type": "at", "id": "x", "seq": -1}',
        '{"type": "hello", "protocol": NaN, "seq": 0}',
        '{"type": ["choose"], "id": "x"}',
    ],
)
def test_malformed(text: str) -> None:
    with pytest.raises(cm.Malformed):
        cm.parse(text)


@pytest.mark.parametrize("id", ["\ud800", "a\0b", "i" * 65, 3, None])
def test_no_id_is_repeated_that_could_not_be_sent(id: object) -> None:
    with pytest.raises(cm.Malformed) as wrong:
        cm.parse(json.dumps({"type": "choose", "id": id}))
    assert wrong.value.id is None


BODIES = [
    {"options": {"goal\ud800": "50"}},
    {"options": {"goal": "\ud800"}},
    {"options": {"\u0000": "50"}},
    {"options": {"goal\u202e": "50"}},
    {"players": ["me", "bot:\ud800"]},
    {"players": ["me", "bot:\u0000"]},
    {"nothing": [{"\udfff": 1}]},
]


def test_bodies_that_no_answer_could_repeat_are_malformed(tmp_path: Path) -> None:
    """Halves of characters, also in names and where nobody reads them, and control characters."""

    async def main() -> None:
        async with serving(tmp_path, "pig") as served:
            browser = served.browser()
            for body in BODIES:
                text = json.dumps({"game": "pig", "players": ["me", "bot"], **body})
                answer = await browser.http.post("/api/matches", content=text, headers=JSON)
                assert answer.status_code == 400, body
                assert answer.json()["error"]["code"] == "malformed"
            raw = b'{"game": "pig", "name": "\xed\xa0\x80"}'
            answer = await browser.http.post("/api/matches", content=raw, headers=JSON)
            assert answer.status_code == 400

    asyncio.run(main())


def test_well_formed() -> None:
    assert cm.parse('{"type": "choose", "id": "a", "seq": 3, "words": "lay forum"}') == cm.Choose(
        "a", None, "lay forum"
    )
    assert cm.parse('{"type": "why", "id": "a", "action": null, "value": ["int", 3]}') == cm.Why(
        "a", None, None, ["int", 3]
    )


async def closed(player: Player) -> int | None:
    """The code with which a socket was closed."""
    with pytest.raises(ConnectionClosed):
        await player.until(lambda: False)
    return player.socket.close_code


def test_a_socket_survives_nonsense_and_ends_by_size_and_floods(tmp_path: Path) -> None:
    async def main() -> None:
        async with serving(tmp_path, "tic_tac_toe", limits=Limits(sockets=50)) as served:
            owner = served.browser()
            match = (await owner.make("tic_tac_toe", players=["me", "bot"]))["match"]
            async with owner.seat(match) as player:
                for nonsense in ("", "{", "[]", "null", '{"type":"none"}', "[" * 5000):
                    await player.send(nonsense)
                await player.socket.send(b"\x00\xff")
                await player.until(lambda: len(player.errors) == 7)
                assert {error["code"] for error in player.errors} == {"malformed"}
                wrong = await player.ask("choose", words=7)
                assert wrong["code"] == "malformed"
                assert (await player.ask("account"))["scores"]
                assert (await player.ask("why", action="none", value=[["x"]]))["type"] in (
                    "refused",
                    "answer",
                )
                assert (await player.ask("why", action="none", value=[]))["type"] in ("refused", "answer")
            async with owner.seat(match) as large:
                await large.send("x" * 20_000)
                assert await closed(large) == 1009
            async with owner.seat(match) as flooding:
                for number in range(120):
                    await flooding.send({"type": "account", "id": f"f{number}"})
                assert await closed(flooding) == 4429
                assert any(error["code"] == "too-fast" for error in flooding.errors)
                assert len(flooding.answers) <= 20 * 4
            async with owner.seat(match) as calm:
                assert (await calm.ask("account"))["scores"]

    asyncio.run(main())


def test_hello_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from rulewright.serve.api import sockets

    monkeypatch.setattr(sockets, "GREETING", 0.3)

    async def main() -> None:
        async with serving(tmp_path, "tic_tac_toe") as served:
            owner = served.browser()
            match = (await owner.make("tic_tac_toe", players=["me", "bot"]))["match"]
            async with owner.socket(match) as socket:
                player = Player(socket)
                await player.send({"type": "account", "id": "x"})
                await player.receive()
                assert player.answers["x"]["code"] == "malformed"
                assert await closed(player) == 4408
                assert "position" not in "".join(player.received)
            async with owner.socket(match) as socket:
                old = Player(socket)
                await old.send({"type": "hello", "protocol": 0, "seq": 0})
                assert await closed(old) == 4400
            async with owner.socket("none") as socket:
                assert await closed(Player(socket)) == 4404

    asyncio.run(main())


def test_sockets_are_told_when_the_server_goes_down(tmp_path: Path) -> None:
    async def main() -> None:
        async with serving(tmp_path, "tic_tac_toe") as served:
            owner = served.browser()
            match = (await owner.make("tic_tac_toe", players=["me", "bot"]))["match"]
            async with owner.seat(match) as player:
                served.server.should_exit = True
                assert await closed(player) == 1001
                assert player.errors[-1]["code"] == "going-down"

    asyncio.run(main())


def test_a_text_in_no_encoding_ends_the_socket(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """It is closed with the code of the standard, and nothing is logged of what a visitor sends."""

    async def act() -> None:
        async with serving(tmp_path, "tic_tac_toe") as served:
            ann = served.browser()
            made = await ann.make("tic_tac_toe", players=["me", "me"])
            logging.getLogger("uvicorn").addHandler(caplog.handler)
            async with ann.socket(made["match"]) as socket:
                await socket.send(b'{"type":"hello","protocol":2,"seq":0,"mark":"\xed\xa0\x80"}', text=True)
                with pytest.raises(ConnectionClosed) as closed:
                    await asyncio.wait_for(socket.recv(), 20)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1007
            assert not [record for record in caplog.records if record.exc_info]

    asyncio.run(act())
