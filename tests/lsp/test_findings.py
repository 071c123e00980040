"""Findings through the protocol: published once for a burst of edits, and for the latest text alone."""

from __future__ import annotations

from pathlib import Path

from tests.lsp.client import Client


def test_a_mistake_is_published_with_its_code_and_place(client: Client, game: Path) -> None:
    uri = client.open(game / "pig.rules")
    assert client.publication(uri, 0) == []
    text = (game / "pig.rules").read_text("utf-8")
    line = text.count("\n")
    client.change(uri, 1, text + "\nvalue doubled = twice * 2\n")
    (found,) = client.publication(uri, 1)
    assert (found["code"], found["severity"]) == ("D030", 1)
    assert found["range"]["start"] == {"line": line + 1, "character": 16}
    assert found["message"].startswith("unknown name `twice`")


def test_findings_vanish_with_the_mistake(client: Client, game: Path) -> None:
    uri = client.open(game / "pig.rules")
    text = (game / "pig.rules").read_text("utf-8")
    client.change(uri, 1, text.replace("action", "acton", 1))
    assert client.publication(uri, 1)
    client.change(uri, 2, text)
    assert client.publication(uri, 2) == []


def test_a_burst_is_published_for_its_last_version_and_seldom(client: Client, game: Path) -> None:
    uri = client.open(game / "pig.rules")
    assert client.publication(uri, 0) == []
    text = (game / "pig.rules").read_text("utf-8")
    written = "\nvalue doubled = 2 * 2"
    for version in range(1, len(written) + 1):
        client.change(uri, version, text + written[:version])
    client.publication(uri, len(written))
    versions = [params["version"] for params in client.published if params["uri"] == uri]
    assert versions[-1] == len(written)
    assert len(versions) <= 4


def test_mistakes_of_other_files_are_published_there(client: Client, game: Path) -> None:
    uri = client.open(game / "game.yaml")
    text = (game / "game.yaml").read_text("utf-8")
    client.change(uri, 1, text.replace("rules: [pig.rules]", "rules: [pig.rules, more.rules]"))
    (found,) = client.publication(uri, 1)
    assert found["code"] == "D001"


def test_mistakes_in_scenarios_are_published(client: Client, game: Path) -> None:
    path = next((game / "scenarios").glob("*.yaml"))
    uri = client.open(path)
    assert client.publication(uri, 0) == []
    client.change(uri, 1, path.read_text("utf-8").replace("then:", "than:", 1))
    found = client.publication(uri, 1)
    assert any("than" in each["message"] for each in found)


def test_a_file_of_no_ruleset_is_left_alone(client: Client, tmp_path: Path) -> None:
    (tmp_path / "notes.rules").write_text("nothing", "utf-8")
    uri = client.open(tmp_path / "notes.rules")
    assert client.at("hover", uri, 0, 0) is None
