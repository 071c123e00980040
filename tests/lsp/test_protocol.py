"""The protocol itself: what cannot be read, comes too early, too late, or about nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.lsp.client import PATIENCE, Client, connected, started


def error_of(client: Client, method: str, params: Any) -> dict[str, Any]:
    """The error with which a request is answered."""
    client.numbers += 1
    client.send(method, params, client.numbers)
    while (message := client.received.get(timeout=PATIENCE)).get("id") != client.numbers:
        pass
    error: dict[str, Any] = message["error"]
    return error


@pytest.mark.parametrize(
    "params", [{}, {"textDocument": 3, "position": []}, None, {"textDocument": {"uri": 1}}]
)
def test_bad_parameters_are_answered_with_an_error(client: Client, params: Any) -> None:
    error = error_of(client, "textDocument/hover", params)
    assert error["code"] == -32602
    assert error["message"].startswith("textDocument/hover: ")


def test_bad_parameters_are_named(client: Client) -> None:
    error = error_of(client, "textDocument/hover", {"position": {"line": 0, "character": 0}})
    assert "required field missing @ $.params.text_document" in error["message"]


def test_a_name_that_no_file_can_have_belongs_to_no_ruleset(client: Client) -> None:
    place = {"textDocument": {"uri": f"file:///{'x' * 9000}.rules"}, "position": {"line": 0, "character": 0}}
    assert client.ask("textDocument/hover", place) is None


def test_an_unknown_method_is_answered_with_an_error(client: Client) -> None:
    assert error_of(client, "textDocument/dance", {})["code"] == -32601


def test_an_editor_that_can_is_asked_to_tell_of_changed_files(game: Path) -> None:
    watching = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}
    with started(watching) as client:
        asked = client.question("client/registerCapability")
        (registration,) = asked["params"]["registrations"]
        assert registration["method"] == "workspace/didChangeWatchedFiles"
        (watcher,) = registration["registerOptions"]["watchers"]
        assert {"rules", "yaml", "csv", "xlsx"} <= set(watcher["globPattern"].strip("*/.{}").split(","))
        client.answer(asked, None)
        uri = client.open(game / "pig.rules")
        assert client.publication(uri, 0) == []
        (game / "game.yaml").write_text("game: pig\n", "utf-8")
        client.published.clear()
        client.send("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 2}]})
        assert client.publication((game / "game.yaml").as_uri(), None)
    with started({}) as client:
        client.ask("workspace/symbol", {"query": ""})
        assert client.questions == []


def test_what_comes_before_initialize_or_after_shutdown_is_refused(game: Path) -> None:
    client = Client()
    try:
        uri = client.open(game / "pig.rules")
        place = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}
        assert error_of(client, "textDocument/hover", place)["code"] == -32002
        begin = {"processId": None, "rootUri": None, "capabilities": {}}
        client.ask("initialize", begin)
        assert client.ask("textDocument/hover", place) is None
        assert error_of(client, "initialize", begin)["code"] == -32600
        client.ask("shutdown", None)
        assert error_of(client, "textDocument/hover", place)["code"] == -32600
    finally:
        client.process.kill()
        client.process.wait()


def test_a_server_that_plays_shuts_down_at_once(game: Path) -> None:
    with connected() as client:
        uri = client.open(game / "pig.rules")
        assert client.publication(uri, 0) == []
        for number in (1001, 1002, 1003):
            command = {"command": "rulewright.trace", "arguments": [uri]}
            client.send("workspace/executeCommand", command, number)


def change(client: Client, uri: str, version: int, change: dict[str, Any]) -> None:
    params = {"textDocument": {"uri": uri, "version": version}, "contentChanges": [change]}
    client.send("textDocument/didChange", params)


def test_a_document_that_was_not_opened_is_opened_by_its_whole_text(client: Client, game: Path) -> None:
    uri = (game / "pig.rules").as_uri()
    nothing = {"line": 0, "character": 0}
    change(client, uri, 3, {"range": {"start": nothing, "end": nothing}, "text": "!"})
    change(client, uri, 4, {"text": "acton\n"})
    assert client.publication(uri, 4)[0]["code"] == "D023"
    client.send("textDocument/didClose", {"textDocument": {"uri": uri}})
    client.send("textDocument/didClose", {"textDocument": {"uri": uri}})


@pytest.mark.parametrize("character", ["\0", "\ud83d", "\x1b"])
def test_what_is_no_text_is_blamed_on_its_file(client: Client, game: Path, character: str) -> None:
    uri = client.open(game / "pig.rules")
    assert client.publication(uri, 0) == []
    client.change(uri, 1, (game / "pig.rules").read_text("utf-8") + f"# {character}\n")
    found = client.publication(uri, 1)
    assert found[0]["code"] in ("D002", "D070")
    assert found[0]["range"]["start"]["line"] == (game / "pig.rules").read_text("utf-8").count("\n")
    elsewhere = [each for each in client.published if each["uri"] == (game / "game.yaml").as_uri()]
    assert all(not each["diagnostics"] for each in elsewhere)


def test_a_path_with_blanks_has_its_version(client: Client, game: Path) -> None:
    moved = game.rename(game.with_name("my pig"))
    uri = client.open(moved / "pig.rules")
    assert client.publication(uri, 0) == []
