"""Files that are saved without losing what others wrote."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from rulewright.studio.files import RulesetFiles
from rulewright.studio.rpc import RpcError
from tests.studio.talk import Talk, talking

pytestmark = pytest.mark.usefixtures("idle_workers")
RULES = "pig.rules"


def code(caught: pytest.ExceptionInfo[RpcError]) -> object:
    return (caught.value.data or {})["code"]


def test_what_is_saved_is_on_the_disk(game: Path) -> None:
    async def act(page: Talk) -> Any:
        opened = await page.ask("open")
        seal = next(file["seal"] for file in opened["files"] if file["path"] == RULES)
        await page.edit(RULES, "# Pig", "# Hog")
        text = page.session.ruleset.workspace.texts[RULES]
        saved = await page.ask("save", path=RULES, text=text, seal=seal)
        return text, saved["seal"] != seal, dict(page.session.ruleset.workspace.texts)

    text, changed, unsaved = talking(game, act)
    assert (game / RULES).read_text("utf-8") == text
    assert changed
    assert unsaved == {}


def test_a_conflict_overwrites_nothing(game: Path) -> None:
    async def act(page: Talk) -> Any:
        opened = await page.ask("open")
        seal = next(file["seal"] for file in opened["files"] if file["path"] == RULES)
        (game / RULES).write_text("# by another editor\n", "utf-8")
        refused = (await page.ask("save", path=RULES, text="# mine\n", seal=seal))["refused"]
        on_disk = (game / RULES).read_text("utf-8")
        await page.ask("save", path=RULES, text="# mine\n", seal=refused["seal"])
        return refused, on_disk

    refused, on_disk = talking(game, act)
    assert refused["code"] == "conflict"
    assert refused["text"] == on_disk == "# by another editor\n"
    assert (game / RULES).read_text("utf-8") == "# mine\n"


def test_a_page_hears_of_changes_on_the_disk(game: Path) -> None:
    async def act(page: Talk) -> Any:
        since = len(page.told)
        text = (game / RULES).read_text("utf-8")
        (game / RULES).write_text(text.replace("roll die", "roll dye"), "utf-8")
        (game / "scenarios" / "new.yaml").write_text("[]\n", "utf-8")
        (game / "SOURCES.md").unlink()
        files = await page.told_of("files", since)
        found = await page.until(lambda told: bool(told.get("params", {}).get("findings")), since)
        return files["changed"], found["params"]["findings"]

    changed, findings = talking(game, act)
    assert "roll dye" in changed[RULES]["text"]
    assert changed["scenarios/new.yaml"]["text"] == "[]\n"
    assert changed["SOURCES.md"] is None
    assert [finding["path"] for finding in findings] == [RULES]


def test_a_new_file_gets_its_folder_and_replaces_no_other(game: Path) -> None:
    files = RulesetFiles(game)
    files.save("more/cards.csv", "card\n", None)
    assert (game / "more" / "cards.csv").read_text("utf-8") == "card\n"
    with pytest.raises(RpcError) as caught:
        files.save("game.yaml", "game: other\n", None)
    assert code(caught) == "conflict"
    assert "game: pig" in (game / "game.yaml").read_text("utf-8")


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/etc/passwd.yaml",
        "../x.yaml",
        "a/../../x.yaml",
        ".git/x.yaml",
        "x.py",
        "x",
        "a/b/c/d.yaml",
        "a\\b.yaml",
        "\0.yaml",
    ],
)
def test_only_files_of_a_ruleset_are_written(game: Path, path: str) -> None:
    with pytest.raises(RpcError) as caught:
        RulesetFiles(game).save(path, "", None)
    assert code(caught) == "bad-path"


def test_a_link_is_not_written_through(game: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.yaml"
    outside.write_text("kept\n", "utf-8")
    os.symlink(outside, game / "link.yaml")
    os.symlink(tmp_path, game / "linked")
    for path in ("link.yaml", "linked/outside.yaml"):
        with pytest.raises(RpcError) as caught:
            RulesetFiles(game).save(path, "lost\n", None)
        assert code(caught) == "not-saved"
    assert outside.read_text("utf-8") == "kept\n"
    assert "link.yaml" not in RulesetFiles(game).look()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_what_cannot_be_written_is_said(game: Path) -> None:
    game.chmod(0o500)
    with pytest.raises(RpcError) as caught:
        RulesetFiles(game).save("new.yaml", "", None)
    assert code(caught) == "not-saved"


def test_a_file_with_other_line_ends_has_the_places_of_the_page(game: Path) -> None:
    path = game / RULES
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n").replace(b"roll die", b"roll dye"))

    async def act(page: Talk) -> Any:
        opened = await page.ask("open")
        text = next(file["text"] for file in opened["files"] if file["path"] == RULES)
        found = await page.told_of("findings")
        return text, found["findings"]

    text, (finding,) = talking(game, act)
    assert "\r" not in text
    assert text[finding["start"] : finding["end"]] == "dye"


def test_what_is_no_text_is_not_written_over(game: Path) -> None:
    (game / "more.md").write_bytes(b"caf\xe9")
    with pytest.raises(RpcError) as caught:
        RulesetFiles(game).save("more.md", "lost", None)
    assert code(caught) == "not-saved"
    assert (game / "more.md").read_bytes() == b"caf\xe9"


@pytest.mark.parametrize(("path", "text"), [("x" * 300 + ".md", ""), ("x.md", "\ud800"), ("\ud800.md", "")])
def test_what_the_disk_cannot_have_is_said(game: Path, path: str, text: str) -> None:
    with pytest.raises(RpcError) as caught:
        RulesetFiles(game).save(path, text, None)
    assert code(caught) == "not-saved"


def test_a_folder_that_is_gone_is_not_made_again(game: Path) -> None:
    files = RulesetFiles(game)
    game.rename(game.with_name("moved"))
    with pytest.raises(RpcError) as caught:
        files.save("game.yaml", "", None)
    assert code(caught) == "not-saved"
    assert not game.exists()
