"""Matches in a browser: in step with Python, and kept as logs that Python replays."""

from __future__ import annotations

import json
import mimetypes
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route

from dsl.source import Source
from interpreter import companion_log, log as logs
from interpreter.replay import replay
from tests.games import Table, ends, game_of, named
from tests.web.logs import edits
from tests.web.recording import equipment, recording

ROOT = Path(__file__).resolve().parents[2]
ADDRESS = "http://table.test"
SLOW = frozenset({"othello"})
"""Games of which the reference executor needs long to explain refusals."""
OPENED = """async (text) => {
        const game = JSON.parse(text);
        const { openGame } = await import("/rulewright/web/match/game.js");
        const { LocalBackend } = await import("/rulewright/web/backend/local.js");
        const bytes = Uint8Array.from(atob(game.module), (one) => one.charCodeAt(0));
        const backend = new LocalBackend(await openGame(game.description, game.tables, bytes));
"""
"""The beginning of a script with a local match of the game that it is given."""


@pytest.fixture
def modules(page: Page) -> Page:
    """An empty page that can import the modules of the checkout, and nothing else."""

    def answer(route: Route) -> None:
        path = ROOT / route.request.url.removeprefix(f"{ADDRESS}/")
        if route.request.url == f"{ADDRESS}/":
            route.fulfill(body="<!doctype html><title>test</title>", content_type="text/html")
        else:
            kind = mimetypes.guess_type(path.name)[0] or "text/javascript"
            route.fulfill(body=path.read_bytes(), content_type=kind)

    page.route("**/*", answer)
    page.goto(f"{ADDRESS}/")
    return page


def compared(page: Page, found: dict[str, Any]) -> dict[str, Any]:
    script = 'async (found) => (await import("/tests/web/lockstep.js")).compareAll(JSON.parse(found))'
    report: dict[str, Any] = page.evaluate(script, json.dumps(found))
    return report


@pytest.mark.parametrize("table", ends(), ids=named)
def test_the_browser_plays_what_python_plays(modules: Page, table: Table) -> None:
    report = compared(modules, recording(table, [1, 2], 15 if table[0] in SLOW else 35))
    assert report["wrong"] == []
    assert report["compared"] > 20


@pytest.mark.long
@pytest.mark.parametrize("table", ends(), ids=named)
def test_whole_matches_are_the_same(modules: Page, table: Table) -> None:
    for seed in range(10, 13):
        report = compared(modules, recording(table, [seed], 1500))
        assert report["wrong"] == []


def test_every_edit_of_a_log_is_found(modules: Page) -> None:
    table = ("roma", 2, ())
    log = recording(table, [3], 30)["matches"][0]["log"]
    script = 'async ([game, logs]) => (await import("/tests/web/lockstep.js")).judge(JSON.parse(game), logs)'
    edited = edits(log)
    answers = modules.evaluate(script, [json.dumps(equipment(table)), [log, *edited.values()]])
    assert answers[0] == ""
    assert {name for name, answer in zip(edited, answers[1:], strict=True) if not answer} == set()


PLAY = """async ([text, settings, undo]) => {
    const game = JSON.parse(text);
    const { openGame } = await import("/rulewright/web/match/game.js");
    const { LocalBackend } = await import("/rulewright/web/backend/local.js");
    const bytes = Uint8Array.from(atob(game.module), (one) => one.charCodeAt(0));
    const backend = new LocalBackend(await openGame(game.description, game.tables, bytes));
    await backend.begin(settings);
    globalThis.backend = backend;
    for (let round = 0; round < 20000 && !backend.position.value.over; round++) {
        if (backend.handover.value !== null) backend.look(backend.handover.value);
        const choices = backend.position.value.decisions.flatMap((decision) => decision.choices);
        if (choices.length) await backend.choose(choices[round % choices.length].words);
        else await new Promise((resolve) => setTimeout(resolve, 1));
        const { ask } = backend.position.value.undo;
        if (undo && ask && round % 7 === 0) {
            const { proposal } = await backend.undo(ask);
            if (proposal) await backend.answer(proposal, true);
        }
    }
    return { over: backend.position.value.over, log: backend.log(), table: backend.table.value };
}"""


@pytest.mark.parametrize("undo", [False, True])
@pytest.mark.parametrize("players", [["human", "human"], ["human", "random"], ["random", "random"]])
def test_a_match_on_one_screen_has_a_log_that_python_replays(
    modules: Page, players: list[str], undo: bool
) -> None:
    table = ("roma", 2, ())
    found = modules.evaluate(PLAY, [json.dumps(equipment(table)), {"players": players, "pace": 0}, undo])
    assert found["over"]
    verdict = replay(game_of("roma", 2), logs.read(Source("log", found["log"])))
    assert verdict.match.over
    assert verdict.steps == verdict.total
    assert found["table"]["chance"]["seed"] == str(verdict.match.seed)


def test_what_the_browser_keeps_goes_on_after_a_reload(modules: Page) -> None:
    game = json.dumps(equipment(("pig", 2, ())))
    again = """async (text) => {
        const game = JSON.parse(text);
        const { openGame } = await import("/rulewright/web/match/game.js");
        const { resumed } = await import("/rulewright/web/backend/opening.js");
        const bytes = Uint8Array.from(atob(game.module), (one) => one.charCodeAt(0));
        const pig = await openGame(game.description, game.tables, bytes);
        const backend = await resumed(pig, null, { players: ["human", "human"], pace: 0 });
        const before = backend.entries.value.length;
        const [{ choices }] = backend.position.value.decisions;
        await backend.choose(choices[0].words);
        return [before, backend.entries.value.length, backend.log()];
    }"""
    _, after, first = modules.evaluate(again, game)
    modules.goto(f"{ADDRESS}/")
    before, _, second = modules.evaluate(again, game)
    assert before == after
    assert second.startswith(first)


def test_outcomes_at_a_table_are_told(modules: Page) -> None:
    """A die is told; what cannot be is refused; a choice is taken back; a log goes on."""
    script = """async (text) => {
        const game = JSON.parse(text);
        const { openGame } = await import("/rulewright/web/match/game.js");
        const { begun, opened, resumed } = await import("/rulewright/web/backend/opening.js");
        const { CompanionBackend } = await import("/rulewright/web/backend/companion.js");
        const bytes = Uint8Array.from(atob(game.module), (one) => one.charCodeAt(0));
        const pig = await openGame(game.description, game.tables, bytes);
        const backend = await begun(pig, { told: true, seed: 5n }, CompanionBackend);
        const words = backend.position.value.decisions[0].choices.map((choice) => choice.words);
        const code = (made) => made.then(() => null, (error) => error.code);
        const early = await code(backend.outcome("die", "5"));
        await backend.choose(words[0]);
        const asked = backend.chance.value;
        const refused = await code(backend.outcome(asked.stream, "7"));
        const again = await code(backend.choose(words[0]));
        await backend.outcome(asked.stream, "5");
        const told = backend.log();
        await backend.choose(words[0]);
        await backend.undo();
        const taken = backend.log() === told && backend.chance.value === null;
        const other = await opened(pig, told, CompanionBackend);
        const same = JSON.stringify(other.position.value) === JSON.stringify(backend.position.value);
        const changed = told.replace('"5"', '"6"');
        const message = (made) => made.then(() => null, (error) => error.message);
        const broken = await message(opened(pig, changed, CompanionBackend));
        const plain = await resumed(pig);
        const without = await message(opened(pig, told));
        const kept = (await resumed(pig, CompanionBackend)).log() === told;
        await begun(pig, {}, CompanionBackend);
        const left = (await resumed(pig, CompanionBackend)) instanceof CompanionBackend;
        const apart = plain instanceof CompanionBackend;
        return { early, asked, refused, again, taken, same, broken, without, kept, left, apart, log: told };
    }"""
    found = modules.evaluate(script, json.dumps(equipment(("pig", 2, ()))))
    assert found["asked"]["possible"] == [str(face) for face in range(1, 7)]
    assert (found["early"], found["refused"]) == ("not-possible", "not-possible")
    assert found["again"] == "needs-outcome"
    assert found["taken"]
    assert found["same"]
    assert "changed" in found["broken"]
    assert "physical table" in found["without"]
    assert (found["apart"], found["kept"], found["left"]) == (False, True, False)
    log = companion_log.read(Source("log", found["log"]))
    record = companion_log.resumed(game_of("pig", 2), log)
    assert [outcome.text for outcome in record.companion.turns[-1].outcomes] == ["5"]


def test_hidden_hands_are_covered_until_the_next_player_takes_the_screen(modules: Page) -> None:
    script = """
        await backend.begin({ players: ["human", "human"] });
        const { seat, decisions } = backend.position.value;
        const seen = [backend.handover.value, seat, decisions.length];
        const early = await backend.choose("pass").catch((error) => error.code);
        backend.look(backend.handover.value);
        return [...seen, early, backend.handover.value, backend.position.value.seat];
    }"""
    assert modules.evaluate(OPENED + script, json.dumps(equipment(("roma", 2, ())))) == [
        0,
        -1,
        0,
        "not-asked",
        None,
        0,
    ]
