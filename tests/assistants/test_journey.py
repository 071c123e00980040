"""From a rulebook in prose to a ruleset that is clean, tested and traced, by what the tools answer alone.

The rulebook: *Two players take down a cairn of ten stones. In turn, each takes one, two or three stones
from it, but never as many as were taken just before. Whoever cannot take any has lost.*
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from tests.assistants.conftest import Assistant, assistant

GAME = """\
game: cairn
title: Cairn
seats: 2
clauses: rulebook.yaml
labels: labels/en.yaml
rules: [cairn.rules]
longest: 20

counters:
  stones: {range: 0..10, start: 10, clause: §1}
  last: {range: 0..3, clause: §2}

flow:
  turn:
    seat: rotates
    do:
      - {do one of: [take], otherwise: [give_up]}
    then: turn
  final: {score: none}
"""
RULES = """\
action take(number: 1..3 where number <= stones)                     §2
    needs number is not last                                         §3
    stones -= number
    last = number

procedure give_up                                                    §4
    me losses
"""
BOOK = """\
rulebook: {title: Cairn, publisher: nobody, language: en}

clauses:
  §1: {heading: The cairn, kind: component, says: "Ten stones lie in a heap."}
  §2: {heading: Taking, says: "In turn each player takes one, two or three stones."}
  §3: {heading: Never the same, says: "Nobody takes as many as were taken just before."}
  §4: {heading: The end, says: "Whoever cannot take any stone has lost."}
"""
LABELS = "turn: turn\nfinal: the end\ntake: take\nstones: stones\nlast: taken last\ngive_up: give up\n"
SCENARIOS = """\
- scenario: The second player may not copy the first
  cites: [§1, §2, §3]
  when:
    - expect: {stones: 10}
    - A: take 2
    - refused: {B: take 2, because: number is not last}
    - B: take 3
  then: {stones: 5, last: 3, active: A, offered: [take 1, take 2]}

- scenario: Nobody takes more than there is
  cites: [§2]
  given: {at: turn, set: {stones: 2, last: 3}}
  when:
    - refused: {A: take 3, because: number <= stones}
    - A: take 2
  then: {over: true, winner: A, stones: 0}

- scenario: Whoever may take no stone has lost
  cites: [§4]
  given: {at: turn, set: {stones: 2, last: 3}}
  when:
    - A: take 1
  then: {over: true, winner: A, stones: 1}
"""


def test_from_prose_to_a_ruleset(tmp_path: Path) -> None:
    asyncio.run(_journey(tmp_path))


async def _journey(folder: Path) -> None:
    async with assistant(folder) as call:
        await _look_things_up(call)
        await _write(call)
        await _mend(call)
        await _try(call)


async def _look_things_up(call: Assistant) -> None:
    """The documentation says how one begins, and a small game shows it."""
    pages = (await call("read_docs"))["pages"]
    assert "writing-a-ruleset" in pages
    assert "score" in (await call("read_docs", page="writing-a-ruleset"))["text"]
    games = (await call("list_games"))["bundled"]
    small = next(game["name"] for game in games if game["seats"]["numbers"] == [2] and not game["options"])
    files = [file["path"] for file in (await call("read_bundled", game=small))["files"]]
    assert "game.yaml" in files
    assert "flow:" in (await call("read_bundled", game=small, path="game.yaml"))["text"]


async def _write(call: Assistant) -> None:
    made = await call("new_ruleset", name="cairn")
    assert made["ok"]
    for path, text in {
        "game.yaml": GAME, "cairn.rules": RULES, "rulebook.yaml": BOOK, "labels/en.yaml": LABELS,
        "scenarios/turns.yaml": SCENARIOS,
    }.items():  # fmt: skip
        assert (await call("write_file", path=f"cairn/{path}", text=text))["ok"]


async def _mend(call: Assistant) -> None:
    """The finding says where and what; what is at that place is mended as the explanation says."""
    found = await call("check", game="cairn")
    assert not found["ok"]
    finding = found["findings"][0]
    assert (await call("explain", code=finding["code"]))["ok"]
    place = await call("read_file", path=finding["file"], first_line=finding["line"], lines=1)
    assert "losses" in place["text"]
    assert (await call("search_docs", query="loses wins end of the game"))["sections"]
    old, new = place["text"], place["text"].replace("losses", "loses")
    assert (await call("replace_in_file", path=finding["file"], old=old, new=new))["ok"]
    found = await call("check", game="cairn", play=True)
    assert found["ok"], found["findings"]


async def _try(call: Assistant) -> None:
    tested = await call("test", game="cairn", falsify=True)
    assert (tested["scenarios"], tested["hold"], tested["look_at"]) == (3, 3, []), tested
    traced = await call("trace", game="cairn", matches=100)
    clauses: list[dict[str, Any]] = traced["clauses"]
    assert {clause["clause"] for clause in clauses} == {"§1", "§2", "§3", "§4"}
    assert all(clause["rendered"] for clause in clauses)
    mutated = await call("mutate", game="cairn", sample=20)
    assert mutated["score"] >= 80, mutated
    played = await call("simulate", game="cairn", matches=100)
    assert played["ok"], played
    assert sum(played["won_by"].values()) == 100
    await _play(call)
    shown = await call("analyse", game="cairn", matches=20)
    assert shown["ok"], shown
    assert sum(share["estimate"] for share in shown["shares"].values()) == 1
    assert "page" not in shown
    told = await call("compare", old="pig", new="pig", new_options={"goal": "40"}, matches=100)
    assert told["differs"], told
    assert {it["measure"]: it["verdict"] for it in told["measures"]}["length"] == "lower"
    found = await call("tune", game="cairn", target="length in 1..20", numbers="first.stones", matches=100)
    assert found["diagnostics"][0]["code"], found
    book = (await call("rules_as_text", game="cairn"))["text"]
    assert "# Cairn" in book
    assert (await call("diff", old="cairn", new="cairn"))["same"]
    assert (await call("format", game="cairn"))["ok"]
    assert (await call("scenario_words", game="cairn"))["ok"]


async def _play(call: Assistant) -> None:
    """A line of play: what was taken before is refused, and a bot answers as the other seat."""
    first = await call("play", game="cairn", choices=["A: take 2"], seat="B")
    assert first["counters"] == {"stones": 8, "last": 2}
    assert [asked["choices"] for asked in first["asked"]] == [["take 1", "take 3"]]
    wrong = await call("play", game="cairn", choices=[*first["choices"], "take 2"], seat="B")
    assert (wrong["ok"], wrong["refused"]["choice"], wrong["refused"]["code"]) == (False, 1, "R220")
    assert wrong["counters"] == first["counters"]
    choices: list[str] = []
    for _ in range(10):
        now = await call("play", game="cairn", choices=choices, seat="A", bot="random")
        assert now["ok"], now
        choices = now["choices"]
        if now["over"]:
            break
        choices.append("A: " + now["asked"][0]["choices"][0])
    assert len(now["winners"]) == 1
    assert now["story"], now


def test_a_server_that_only_reads(tmp_path: Path) -> None:
    async def look() -> None:
        async with assistant(tmp_path, "--read-only") as call:
            said = await call("write_file", path="a.md", text="x")
            assert said["diagnostics"][0]["code"] == "C401"
            assert not (await call("new_ruleset", name="mine"))["ok"]
            assert (await call("read_docs", page="glossary", heading="Rulesets"))["ok"]

    asyncio.run(look())
    assert list(tmp_path.iterdir()) == []
