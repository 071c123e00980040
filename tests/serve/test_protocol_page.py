"""`docs/table-protocol.md` names each field that goes over the wire, and none that does not."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rulewright.http.errors import STATUS
from rulewright.serve.api import sockets
from tests.serve.clients import Served, play_out, serving
from tests.serve.test_tables import at_table, seated

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "table-protocol.md").read_text()
FREE = ("options", "labels", "clauses", "readings", "translations")
"""Fields whose keys are names of the rules."""
NAMES = {"trading", "shared", "nobody", "en", "hu", "word", "ties"}
"""Such names in the examples."""
GAMES, GAME = '{"games": [', '{"game": "roma", "title": "Roma", "digest"'
MATCH, TABLE, SERVER = '{"match": "k3v9', '{"type": "table", "match"', '{"protocol": 2'
"""How the examples begin."""


def block(begins: str) -> set[str]:
    """The fields in the example that begins with a text, on its lines up to the end of the block."""
    at = PAGE.index(begins)
    text = PAGE[at : PAGE.index("```", at)]
    return set(re.findall(r'"(\w+)":', text))


def fields(value: Any) -> Iterator[str]:
    """The names of all fields, at all depths."""
    if isinstance(value, list):
        for one in value:
            yield from fields(one)
    if isinstance(value, dict):
        for name, inner in value.items():
            yield name
            if name not in FREE or isinstance(inner, list):
                yield from fields(inner)


async def said(served: Served) -> dict[str, set[str]]:
    """The fields of all that a few visitors are sent, by the beginning of the example that shows it."""
    found: dict[str, set[str]] = {}

    def note(begins: str, value: Any) -> None:
        found.setdefault(begins, set()).update(fields(value))

    clock = {"kind": "match", "seconds": 600, "increment": 5}
    match, browsers = await seated(served, "connect_four", 2, clock=clock, chance="committed")
    ann, ben = browsers
    async with at_table(match, [*browsers, served.browser()]) as (here, there, watcher):
        await play_out([here, there], most=4)
        await here.ask("repair", seq=2)
        await here.until(lambda: any(one["kind"] == "repair" for one in here.table["proposals"]))
        assert here.table["proposals"][0]["seq"] == 2
        note(MATCH, await ben.get(f"/api/matches/{match}"))
        await there.ask("resign")
        await here.until(lambda: here.table["status"] == "over")
        note(MATCH, await ann.get(f"/api/matches/{match}"))
        for text in (*here.received, *there.received, *watcher.received):
            message = json.loads(text)
            if message["type"] in ("table", "changes"):
                note(TABLE, message)
    made = await ann.make("connect_four", companion=True, players=["me", "me"])
    async with ann.seat(made["match"]) as player:
        note(TABLE, player.table)
    note(SERVER, await ann.get("/api/server"))
    note(GAMES, await ann.get("/api/games"))
    for game in ("connect_four", "roma"):
        note(GAME, await ann.get(f"/api/games/{game}"))
    return found


def test_the_examples_have_the_fields_that_are_sent(tmp_path: Path) -> None:
    async def main() -> dict[str, set[str]]:
        async with serving(tmp_path, "connect_four", "roma") as served:
            return await said(served)

    for begins, sent in asyncio.run(main()).items():
        shown = block(begins) | (block(GAMES) - {"games"} if begins == GAME else set())
        assert sent - shown - NAMES == set(), begins
        assert shown - sent - NAMES == set(), begins


def test_the_page_has_all_codes() -> None:
    table = PAGE[PAGE.index("| code | status |") : PAGE.index("### Pages")]
    assert dict(re.findall(r"\| `([\w-]+)` \| (\d+) \|", table)) == {
        code: str(status) for code, status in STATUS.items()
    }
    closing = PAGE[PAGE.index("Codes with which sockets are closed") :]
    assert {int(code) for code in re.findall(r"\b(?:1|4)\d{3}\b", closing.partition("\n")[0])} == {
        1009, sockets.GOING_DOWN, sockets.WRONG_PROTOCOL, sockets.NOT_YOURS, sockets.UNKNOWN, sockets.SILENT,
        sockets.FLOOD, sockets.LATER,
    }  # fmt: skip
    errors = PAGE[PAGE.index('{"type": "error", "code", "text"}') :].partition("\n")[0]
    assert set(sockets.TEXTS) <= set(re.findall(r"`([\w-]+)`", errors))
