"""What a session answers, and what it tells by itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.studio.talk import Talk, talking

pytestmark = pytest.mark.usefixtures("idle_workers")
RULES = "pig.rules"
LUCKY = 11
"""A seed whose first throws are no ones."""


def test_a_page_gets_all_files_and_a_match(game: Path) -> None:
    async def act(page: Talk) -> Any:
        return await page.ask("open"), page.match()

    opened, match = talking(game, act)
    assert opened["name"] == "pig"
    paths = [file["path"] for file in opened["files"]]
    assert paths[:2] == ["game.yaml", RULES]
    assert "scenarios/turns.yaml" in paths
    assert match["waiting"] == [0]
    assert set(match["views"]) == {"0", "1", "-1", "-2"}
    words = [choice["words"] for choice in match["views"]["0"]["position"]["decisions"][0]["choices"]]
    assert words == ["throw", "hold"]


def test_findings_follow_an_edit(game: Path) -> None:
    async def act(page: Talk) -> Any:
        since = await page.edit(RULES, "roll die", "roll dye")
        return await page.told_of("findings", since)

    found = talking(game, act)
    assert found["version"] == 1
    (finding,) = found["findings"]
    text = (game / RULES).read_text("utf-8").replace("roll die", "roll dye", 1)
    assert finding["path"] == RULES
    assert text[finding["start"] : finding["end"]] == "dye"
    assert finding["severity"] == "error"
    (edit,) = finding["corrections"][0]["edits"]
    assert (edit["path"], edit["text"]) == (RULES, "die")


def test_a_burst_of_edits_is_answered_once(game: Path) -> None:
    async def act(page: Talk) -> Any:
        await page.told_of("findings")
        since = len(page.told)
        for number in range(20):
            await page.edit(RULES, "# Pig", f"# Pig {number}")
        await page.until(
            lambda told: told.get("method") == "findings" and told["params"]["version"] == 20, since
        )
        return [told["params"]["version"] for told in page.told[since:] if told.get("method") == "findings"]

    versions = talking(game, act)
    assert versions[-1] == 20
    assert len(versions) <= 2


def test_findings_after_a_rest_are_sent_at_once(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulewright.studio.session.IDLE", 3600.0)

    async def act(page: Talk) -> Any:
        opened = await page.told_of("findings")
        since = await page.edit(RULES, "# Pig", "# Pig 1")
        await page.told_of("match", since)  # which waits longer than findings usually do
        return opened, [told for told in page.told[since:] if told.get("method") == "findings"]

    opened, later = talking(game, act)
    assert opened["version"] == 0
    assert later == []


def test_places_count_utf16_units(game: Path) -> None:
    async def act(page: Talk) -> Any:
        since = await page.edit(RULES, "# Pig", "# 🐖🐖 Pig")
        await page.told_of("findings", since)
        text = page.session.ruleset.workspace.texts[RULES]
        at = len(text[: text.index("roll die") + 5].encode("utf-16-le")) // 2
        return await page.ask("hover", path=RULES, at=at), at

    hover, at = talking(game, act)
    assert hover["start"] == at
    assert "a zone" in hover["text"] or "component" in hover["text"]


def test_names_are_completed_found_and_renamed(game: Path) -> None:
    text = (game / RULES).read_text("utf-8")
    at = text.index("pot +=")

    async def act(page: Talk) -> Any:
        return {
            "definition": await page.ask("definition", path=RULES, at=at),
            "references": await page.ask("references", path=RULES, at=at),
            "complete": await page.ask("complete", path=RULES, at=text.index("roll die") + 5),
            "rename": await page.ask("rename", path=RULES, at=at, name="stake"),
            "taken": await page.ask("rename", path=RULES, at=at, name="points"),
            "format": await page.ask("format", path=RULES),
            "tokens": await page.ask("tokens", path=RULES),
        }

    found = talking(game, act)
    assert found["definition"][0]["path"] == "game.yaml"
    assert {place["path"] for place in found["references"]} >= {"game.yaml", RULES, "scenarios/turns.yaml"}
    assert "die" in [each["text"] for each in found["complete"]]
    assert {edit["text"] for edit in found["rename"]} == {"stake"}
    assert len(found["rename"]) == len(found["references"])
    assert found["taken"]["refused"]["code"] == "not-renamed"
    assert found["format"] == text
    assert [start for start, end, _ in found["tokens"]["tokens"] if text[start:end] == "pot"]


def test_a_change_that_fits_keeps_the_match(game: Path) -> None:
    async def act(page: Talk) -> Any:
        await page.ask("begin", seats=2, options={}, seed=7)
        for _ in range(2):
            await page.choose("throw")
        before = page.match()
        since = await page.edit(RULES, "needs pot > 0 or empty_hold is allowed", "needs true")
        await page.told_of("match", since)
        return before, page.match()

    before, now = talking(game, act)
    assert now["digest"] != before["digest"]
    assert now["parting"] is None
    assert now["steps"] == before["steps"] == 4


def test_a_change_that_does_not_fit_is_named(game: Path) -> None:
    async def act(page: Talk) -> Any:
        await page.ask("begin", seats=2, options={}, seed=LUCKY)
        for _ in range(3):
            await page.choose("throw")
        choices = page.match()["choices"]
        since = await page.edit(RULES, "points of me + pot < goal", "points of me + pot < 1")
        await page.told_of("match", since)
        parted = page.match()
        await page.ask("settle", answer="stay")
        stayed = page.match()
        await page.ask("settle", answer="rewind")
        rewound = page.match()
        return choices, parted, stayed, rewound

    choices, parted, stayed, rewound = talking(game, act)
    assert choices == 3
    parting = parted["parting"]
    assert parting["step"] == 3
    assert "A chose `throw`, but needs points of me + pot < 1" in parting["text"]
    assert parting["place"].startswith("pig/pig.rules:8:")
    assert parting["changes"] == ["action throw"]
    assert parted["choices"] == choices
    assert stayed["stays"]
    assert stayed["choices"] == choices
    assert rewound["parting"] is None
    assert rewound["choices"] == 1


def test_a_match_in_which_nobody_has_chosen_begins_anew_without_a_question(game: Path) -> None:
    async def act(page: Talk) -> Any:
        await page.ask("begin", seats=3, options={"goal": "50"}, seed=7)
        since = await page.edit(RULES, "    while not ended", "    roll die\n    while not ended")
        await page.told_of("match", since)
        return page.match()

    now = talking(game, act)
    assert now["parting"] is None
    assert (now["seats"], now["options"], now["choices"]) == (3, {"goal": "50"}, 0)
    assert now["steps"] == 1


def test_a_renamed_action_keeps_the_match(game: Path) -> None:
    async def act(page: Talk) -> Any:
        await page.ask("begin", seats=2, options={}, seed=7)
        await page.choose("throw")
        text = (game / RULES).read_text("utf-8")
        edits = await page.ask(
            "rename", path=RULES, at=text.index("action throw") + len("action t"), name="cast"
        )
        texts = {edit["path"]: (game / edit["path"]).read_text("utf-8") for edit in edits}
        for edit in sorted(edits, key=lambda one: -one["start"]):
            old = texts[edit["path"]]
            texts[edit["path"]] = old[: edit["start"]] + edit["text"] + old[edit["end"] :]
        since = len(page.told)
        for path, changed in texts.items():
            page.tell("edit", path=path, text=changed, version=1)
        await page.told_of("match", since)
        return page.match()

    match = talking(game, act)
    assert match["parting"] is None
    assert match["choices"] == 1
    assert [entry["words"] for entry in match["views"]["0"]["entries"] if entry["seat"] == 0] == ["cast"]


def test_choices_that_are_not_offered_are_refused_with_a_reason(game: Path) -> None:
    async def act(page: Talk) -> Any:
        await page.ask("begin", seats=2, options={"empty_hold": "refused"}, seed=7)
        refused = await page.ask("choose", seat=0, words="hold")
        why = await page.ask("why", seat=0, words="hold")
        other = await page.ask("choose", seat=1, words="throw")
        nobody = await page.ask("choose", seat=9, words="throw")
        return refused, why, other, nobody

    options = (game / "game.yaml").read_text("utf-8")
    assert "empty_hold" in options
    refused, why, other, nobody = talking(game, act)
    assert refused["refused"]["code"] == "not-offered"
    assert refused["refused"]["refusal"]["clauses"] == why["clauses"] == ["§R1"]
    assert other["refused"]["code"] == "not-offered"
    assert nobody["refused"]["code"] == -32602


def test_choices_are_taken_back_and_the_past_is_shown(game: Path) -> None:
    async def act(page: Talk) -> Any:
        await page.ask("begin", seats=2, options={}, seed=7)
        await page.choose("throw")
        first = page.match()
        await page.choose("throw")
        past = await page.ask("at", viewer=0, seq=2)
        await page.ask("undo", number=1)
        return first, page.match(), past, await page.ask("undo", number=5)

    first, back, past, refused = talking(game, act)
    assert back["log"] == first["log"]
    assert past["position"]["seq"] == 2
    assert refused["refused"]["code"] == "not-undone"


def test_a_new_session_takes_up_what_the_page_has_kept(game: Path) -> None:
    async def play(page: Talk) -> Any:
        await page.ask("begin", seats=3, options={"goal": "50"}, seed=7)
        await page.choose("throw")
        await page.choose("throw")
        return page.match()

    before = talking(game, play)
    text = (game / RULES).read_text("utf-8") + "\n# unsaved\n"

    async def look(page: Talk) -> Any:
        return page.match(), page.session.ruleset.workspace.texts

    after, texts = talking(game, look, texts={RULES: text}, match=before["log"])
    assert after["choices"] == before["choices"]
    assert after["seats"] == 3
    assert after["options"] == {"goal": "50"}
    assert texts == {RULES: text}


def test_a_match_that_cannot_be_taken_up_is_begun_anew(game: Path) -> None:
    async def look(page: Talk) -> Any:
        return page.match()

    assert talking(game, look, match="no log at all")["choices"] == 0


def test_there_is_no_match_while_the_rules_have_mistakes(game: Path) -> None:
    async def act(page: Talk) -> Any:
        assert not [told for told in page.told if told.get("method") == "match"]
        refused = await page.ask("choose", seat=0, words="throw"), await page.ask("begin")
        since = await page.edit(RULES, "roll dye", "roll die")
        await page.told_of("match", since)
        return refused

    path = game / RULES
    path.write_text(path.read_text("utf-8").replace("roll die", "roll dye"), "utf-8")
    no_match, broken = talking(game, act)
    assert no_match["refused"]["code"] == "no-match"
    assert broken["refused"]["code"] == "mistake"


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("nothing", {}, -32601),
        ("hover", {"path": RULES}, -32602),
        ("hover", {"path": 3, "at": 0}, -32602),
        ("hover", {"path": "none.rules", "at": 0}, "not-read"),
        ("edit", {"path": "../pig.rules", "text": "", "version": 1}, "bad-path"),
        ("edit", {"path": RULES, "text": 3, "version": 1}, -32602),
        ("settle", {"answer": "maybe"}, -32602),
        ("settle", {"answer": "stay"}, "settled"),
        ("record", {"since": 0, "name": "x"}, "nothing-recorded"),
        ("record", {"since": 0, "name": "x", "chosen": [1]}, -32602),
        ("at", {"viewer": 0, "seq": 99}, "not-yet"),
        ("take_up", {}, -32602),
    ],
)
def test_what_cannot_be_done_is_refused(game: Path, method: str, params: Any, code: object) -> None:
    async def act(page: Talk) -> Any:
        return await page.ask(method, **params)

    assert talking(game, act)["refused"]["code"] == code


@pytest.mark.parametrize("text", ["", "[]", "{", '{"jsonrpc": "2.0"}', '{"method": "open"}', "[" * 100_000])
def test_what_is_no_call_is_answered_with_an_error(game: Path, text: str) -> None:
    async def act(page: Talk) -> Any:
        since = len(page.told)
        page.session.hear(text)
        return await page.until(lambda told: "error" in told, since)

    assert talking(game, act)["error"]["code"] in (-32700, -32600)


def test_a_kept_text_that_is_no_file_of_a_ruleset_does_not_keep_the_page_out(game: Path) -> None:
    async def act(page: Talk) -> Any:
        return await page.ask("open", texts={"scenarios/x.txt": "kept", RULES: "# edited"})

    assert "refused" not in talking(game, act)


def test_half_of_a_character_is_answered(game: Path) -> None:
    async def act(page: Talk) -> Any:
        since = await page.edit(RULES, "roll die", "roll \ud800")
        found = await page.told_of("findings", since)
        await page.ask("nothing \ud800")
        page.session.send = lambda text: page.told.append({"sent": text.encode()})
        page.session.tell("of", {"name": "\ud800"})
        return found["findings"]

    assert talking(game, act)


@pytest.mark.parametrize("viewer", [-3, 2, 10**30])
@pytest.mark.parametrize("method", ["at", "back", "account"])
def test_a_viewer_who_is_not_there_is_refused(game: Path, method: str, viewer: int) -> None:
    async def act(page: Talk) -> Any:
        return await page.ask(method, viewer=viewer, seq=0)

    assert talking(game, act)["refused"]["code"] == -32602
