"""The scenarios that assert a definition or a clause: named on hover, and shown by a lens."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.lsp.client import Client, started


@pytest.fixture
def counted(client: Client, game: Path) -> str:
    """The address of rules of which it is counted what scenarios assert."""
    uri = client.open(game / "pig.rules")
    client.ask("workspace/executeCommand", {"command": "rulewright.trace", "arguments": [uri]})
    return uri


def lens(client: Client, uri: str, text: str) -> dict[str, Any]:
    """The lens above the line with a text."""
    line = next(n for n, one in enumerate(Path(uri[7:]).read_text("utf-8").split("\n")) if text in one)
    found = client.ask("textDocument/codeLens", {"textDocument": {"uri": uri}})
    command: dict[str, Any] = next(
        each["command"]
        for each in found
        if each["range"]["start"]["line"] == line and "executed by" in each["command"]["title"]
    )
    return command


def pressed(client: Client, command: dict[str, Any]) -> list[dict[str, Any]]:
    words = {"command": command["command"], "arguments": command["arguments"]}
    found: list[dict[str, Any]] = client.ask("workspace/executeCommand", words)
    return found


def hovered(client: Client, uri: str, text: str) -> str:
    lines = Path(uri[7:]).read_text("utf-8").split("\n")
    line = next(n for n, one in enumerate(lines) if text in one)
    column = lines[line].index(text.split()[-1])
    said: str = client.at("hover", uri, line, column)["contents"]["value"]
    return said


def test_a_lens_leads_to_the_scenarios_that_it_counts(client: Client, game: Path, counted: str) -> None:
    command = lens(client, counted, "action hold")
    found = pressed(client, command)
    assert f"asserted by {len(found)}" in command["title"]
    for each in found:
        lines = Path(each["uri"][7:]).read_text("utf-8").split("\n")
        assert each["name"] in lines[each["range"]["start"]["line"]]
    rulebook = client.open(game / "rulebook.yaml")
    clause = lens(client, rulebook, "§2.4:")
    assert {each["name"] for each in pressed(client, clause)} & {each["name"] for each in found}


def test_a_hover_names_them_with_links(client: Client, game: Path, counted: str) -> None:
    names = [each["name"] for each in pressed(client, lens(client, counted, "action hold"))]
    said = hovered(client, counted, "action hold")
    assert f"asserted by {len(names)} scenarios" in said
    assert all(f"[{name}](file://" in said for name in names[:12])
    assert "asserted by" in hovered(client, counted, "§2.3")
    assert "asserted by" not in hovered(client, counted, "roll die")
    rulebook = client.open(game / "rulebook.yaml")
    assert "asserted by" in hovered(client, rulebook, "§2.4")


def test_what_is_not_counted_is_not_named(client: Client, game: Path) -> None:
    uri = client.open(game / "pig.rules")
    assert "asserted by" not in hovered(client, uri, "action hold")
    unknown = {"command": "rulewright.asserting", "arguments": [uri, "§2.4"]}
    assert client.ask("workspace/executeCommand", unknown) == []


def test_an_editor_without_lists_is_asked_which_to_open(game: Path) -> None:
    window = {"showDocument": {"support": True}, "showMessage": {}}
    with started({"window": window}) as client:
        uri = client.open(game / "pig.rules")
        client.ask("workspace/executeCommand", {"command": "rulewright.trace", "arguments": [uri]})
        found = pressed(client, lens(client, uri, "action hold"))
        question = client.question("window/showMessageRequest")
        offered = [each["title"] for each in question["params"]["actions"]]
        assert offered == [each["name"] for each in found][:8]
        client.answer(question, {"title": offered[1]})
        shown = client.question("window/showDocument")
        assert shown["params"]["uri"] == found[1]["uri"]
        assert shown["params"]["selection"] == found[1]["range"]
        client.answer(shown, {"success": True})


def test_an_editor_that_opens_nothing_is_told(client: Client, counted: str) -> None:
    names = [each["name"] for each in pressed(client, lens(client, counted, "action hold"))]
    client.ask("textDocument/documentSymbol", {"textDocument": {"uri": counted}})  # answered after it
    assert client.said[-1].startswith(f"asserted by `{names[0]}`")
