"""What the server answers about a small game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.lsp.client import Client


class Editor:
    """A document that is open, with places by the text at them."""

    def __init__(self, client: Client, path: Path) -> None:
        self.client, self.uri = client, client.open(path)
        self.text = path.read_text("utf-8")
        self.version = 0

    def place(self, text: str) -> tuple[int, int]:
        """Line and character of the first occurrence of a text."""
        before = self.text[: self.text.index(text)]
        return before.count("\n"), len(before) - before.rfind("\n") - 1

    def write(self, text: str) -> None:
        self.text, self.version = text, self.version + 1
        self.client.change(self.uri, self.version, text)

    def ask(self, method: str, text: str, behind: bool = False, **more: Any) -> Any:
        line, character = self.place(text)
        return self.client.at(method, self.uri, line, character + len(text) * behind, **more)

    def corrections(self, text: str) -> Any:
        """The code actions at a text."""
        line, character = self.place(text)
        at = {"line": line, "character": character}
        return self.client.ask(
            "textDocument/codeAction",
            {
                "textDocument": {"uri": self.uri},
                "range": {"start": at, "end": at},
                "context": {"diagnostics": []},
            },
        )


@pytest.fixture
def rules(client: Client, game: Path) -> Editor:
    return Editor(client, game / "pig.rules")


def test_hover_says_type_declaration_and_clause(rules: Editor) -> None:
    text = rules.ask("hover", "pot", behind=True)["contents"]["value"]
    assert text.startswith("**pot**: a counter, 0..")
    assert "§2.2" in text


def test_hover_shows_the_whole_declaration(game: Path, client: Client) -> None:
    """All its lines, and no line of the next one."""
    path = game / "game.yaml"
    written = "pot: {range: 0..999, lasts: turn, clause: §2.2}"
    parted = "pot:\n    range: 0..999\n    lasts: turn\n  spare: {range: 0..9}"
    path.write_text(path.read_text("utf-8").replace(written, parted), "utf-8")
    text = Editor(client, path).ask("hover", "pot:")["contents"]["value"]
    assert "```yaml\npot:\n  range: 0..999\n  lasts: turn\n```" in text


def test_hover_explains_words_of_the_language(rules: Editor) -> None:
    assert "a condition without which" in rules.ask("hover", "needs")["contents"]["value"]


def test_definition_leads_into_game_yaml(rules: Editor) -> None:
    (found,) = rules.ask("definition", "pot")
    assert found["uri"].endswith("game.yaml")


def test_references_are_in_all_files(rules: Editor) -> None:
    found = rules.ask("references", "pot", context={"includeDeclaration": True})
    files = {Path(each["uri"]).name for each in found}
    assert {"pig.rules", "game.yaml", "en.yaml"} <= files


def test_rename_edits_all_files(rules: Editor, game: Path) -> None:
    edit = rules.ask("rename", "pot", newName="kitty")
    files = {Path(uri).name for uri in edit["changes"]}
    assert {"pig.rules", "game.yaml"} <= files
    assert {each["newText"] for edits in edit["changes"].values() for each in edits} == {"kitty"}


def test_a_refused_rename_says_why(rules: Editor) -> None:
    with pytest.raises(AssertionError, match="is a word of the language"):
        rules.ask("rename", "pot", newName="choose")


def test_completion_behind_a_verb_offers_counters_first(rules: Editor) -> None:
    rules.write(rules.text + "\nprocedure more\n    gain 1 ")
    found = rules.ask("completion", "    gain 1 ", behind=True)
    first = [item["label"] for item in sorted(found, key=lambda item: item["sortText"])[:2]]
    assert first == ["points", "pot"]


def test_code_action_corrects_a_misspelt_name(rules: Editor) -> None:
    rules.write(rules.text + "\nvalue twice = pott * 2\n")
    found = rules.corrections("pott")
    assert "Replace by `pot`" in [each["title"] for each in found]


def test_code_action_creates_a_missing_file(client: Client, game: Path) -> None:
    opened = Editor(client, game / "game.yaml")
    opened.write(opened.text.replace("[pig.rules]", "[pig.rules, more.rules]"))
    (found,) = opened.corrections("more.rules")
    assert found["title"] == "Create `more.rules`"
    (made,) = found["edit"]["documentChanges"]
    assert (made["kind"], made["uri"].rpartition("/")[2]) == ("create", "more.rules")


def test_code_action_defines_what_the_flow_names(client: Client, game: Path) -> None:
    opened = Editor(client, game / "game.yaml")
    opened.write(opened.text.replace("do: [throw_or_hold]", "do: [wash_up, throw_or_hold]"))
    (found,) = opened.corrections("wash_up")
    assert found["title"] == "Define `procedure wash_up`"
    ((uri, (edit,)),) = found["edit"]["changes"].items()
    assert uri.endswith("pig.rules")
    assert edit["newText"] == "\nprocedure wash_up\n    nothing\n"


def test_keys_of_yaml_are_completed_and_explained(client: Client, game: Path) -> None:
    opened = Editor(client, game / "game.yaml")
    assert "The values that it may have" in opened.ask("hover", "range")["contents"]["value"]
    opened.write(
        opened.text.replace("pot: {range", "pot: {range: 0..1}\n  heap: {lasts: turn, }\n  more: {range")
    )
    found = {each["label"]: each for each in opened.ask("completion", "heap: {lasts: turn, ", behind=True)}
    assert found["range"]["insertText"] == "range: "
    assert "values" in found["range"]["documentation"]["value"]
    assert "lasts" not in found


def test_outline_folds_and_tokens(rules: Editor) -> None:
    document = {"textDocument": {"uri": rules.uri}}
    names = [each["name"] for each in rules.client.ask("textDocument/documentSymbol", document)]
    assert "throw" in names
    assert rules.client.ask("textDocument/foldingRange", document)
    data = rules.client.ask("textDocument/semanticTokens/full", document)["data"]
    assert len(data) % 5 == 0
    assert len(data) > 100


def test_inlay_hints_are_ranges(rules: Editor) -> None:
    rules.write(rules.text + "\nvalue twice = pot * 2\n")
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    params = {"textDocument": {"uri": rules.uri}, "range": whole}
    labels = [each["label"] for each in rules.client.ask("textDocument/inlayHint", params)]
    assert any(".." in label for label in labels)


def test_inlay_hints_repeat_no_range_and_move_no_mark(rules: Editor) -> None:
    more = ["effect bet(number: 1..3) §1.1", "    let twice = number * 2 §1.1", "    let more = number + 1"]
    first = rules.text.count("\n") + 1
    rules.write("\n".join([rules.text, *more, ""]))
    end = first + len(more)
    whole = {"start": {"line": first, "character": 0}, "end": {"line": end, "character": 0}}
    params = {"textDocument": {"uri": rules.uri}, "range": whole}
    found = rules.client.ask("textDocument/inlayHint", params)
    shown = [(it["position"]["line"] - first, it["position"]["character"], it["label"]) for it in found]
    assert shown == [(1, len(more[1]), "  twice: 2..6"), (2, len("    let more"), ": 2..4")]


def test_names_are_found_in_the_whole_workspace(rules: Editor) -> None:
    rules.write(rules.text + "\nvalue twice = pot * 2\n")
    found = {it["name"]: it for it in rules.client.ask("workspace/symbol", {"query": "twc"})}
    assert list(found) == ["twice"]
    assert found["twice"]["location"]["uri"] == rules.uri
    assert found["twice"]["containerName"] == "value of pig"
    named = [it["name"] for it in rules.client.ask("workspace/symbol", {"query": "turn"})]
    assert "turn" in named
    assert rules.client.ask("workspace/symbol", {"query": "no such name"}) == []


def test_signature_of_a_call(rules: Editor) -> None:
    rules.write(rules.text + "\nvalue twice(seat) = 2\nvalue more = twice(")
    found = rules.ask("signatureHelp", "value more = twice(", behind=True)
    assert found["signatures"][0]["label"] == "twice(seat: a `seat`)"
