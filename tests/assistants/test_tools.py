"""The tools without the protocol: paths, limits, and what they say of mistakes."""

from __future__ import annotations

import asyncio
import json
import os
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from rulewright.assistants.answers import LARGEST, bounded
from rulewright.assistants.folder import LARGEST as LARGEST_FILE
from rulewright.assistants.server import TOOLS, server
from rulewright.assistants.toolbox import Toolbox
from rulewright.main import main
from rulewright.manual.sections import manual, pages


def call(toolbox: Toolbox, tool: str, **arguments: Any) -> dict[str, Any]:
    found = asyncio.run(getattr(toolbox, tool)(**arguments))
    assert isinstance(found, dict)
    return found


def code(answer: dict[str, Any]) -> str:
    assert answer["ok"] is False
    found = answer["diagnostics"][0]["code"]
    assert isinstance(found, str)
    return found


OUTSIDE = [
    "../x.md",
    "/etc/passwd",
    "a/../../x.md",
    ".git/config",
    "a//b.md",
    "a/b/c/d/e/f.md",
    "-rf.md",
    "a\n.md",
    "",
]


@pytest.mark.parametrize("path", OUTSIDE)
def test_paths_stay_in_the_folder(path: str, toolbox: Toolbox) -> None:
    assert code(call(toolbox, "write_file", path=path, text="x")) == "C535"
    assert code(call(toolbox, "read_file", path=path)) == "C535"
    assert list(toolbox.folder.root.iterdir()) == []


def test_links_lead_nowhere(toolbox: Toolbox, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret.md").write_text("secret", "utf-8")
    os.symlink(outside, toolbox.folder.root / "link")
    os.symlink(outside / "secret.md", toolbox.folder.root / "secret.md")
    for path in ("link/secret.md", "secret.md"):
        assert code(call(toolbox, "read_file", path=path)) == "C535"
        assert code(call(toolbox, "write_file", path=path, text="mine")) == "C535"
    assert call(toolbox, "list_files")["files"] == []
    assert (outside / "secret.md").read_text("utf-8") == "secret"


def test_only_small_texts_are_written(toolbox: Toolbox) -> None:
    assert code(call(toolbox, "write_file", path="a.py", text="import os")) == "C401"
    assert code(call(toolbox, "write_file", path="a.md", text="é" * LARGEST_FILE)) == "C536"
    (toolbox.folder.root / "big.md").write_text("x" * (LARGEST_FILE + 1), "utf-8")
    assert code(call(toolbox, "read_file", path="big.md")) == "C536"
    assert call(toolbox, "write_file", path="a/b.md", text="é")["bytes"] == 2
    assert call(toolbox, "list_files")["files"][0] == {"path": "a/b.md", "bytes": 2}


def test_a_text_is_replaced_where_it_occurs_once(toolbox: Toolbox) -> None:
    call(toolbox, "write_file", path="a.md", text="one two two")
    assert call(toolbox, "replace_in_file", path="a.md", old="one", new="1")["ok"]
    for old in ("two", "three", ""):
        assert not call(toolbox, "replace_in_file", path="a.md", old=old, new="2")["ok"]
    assert call(toolbox, "read_file", path="a.md")["text"] == "1 two two"
    assert "lines" in call(toolbox, "replace_in_file", path="a.md", old="two", new="2")["message"]
    assert "read_file" in call(toolbox, "replace_in_file", path="a.md", old="three", new="2")["message"]


def test_games_are_in_the_folder_or_bundled(toolbox: Toolbox) -> None:
    for name in ("nowhere", "..", "--help", "/tmp"):
        assert code(call(toolbox, "check", game=name)) in ("C535", "C537")
    assert call(toolbox, "read_bundled", game="nowhere")["ok"] is False
    assert code(call(toolbox, "read_bundled", game="pig", path="../hex/game.yaml")) == "C535"
    assert call(toolbox, "format", game="pig")["ok"] is False


def test_an_own_game_may_be_called_like_a_bundled_one(toolbox: Toolbox) -> None:
    assert call(toolbox, "new_ruleset", name="pig")["ok"]
    rules = str(call(toolbox, "read_file", path="pig/pig.rules")["text"]) + "\n"
    call(toolbox, "write_file", path="pig/pig.rules", text=rules.replace("needs not", "needs  not"))
    assert call(toolbox, "format", game="pig")["ok"]
    assert call(toolbox, "read_file", path="pig/pig.rules")["text"] == rules.rstrip("\n")


@pytest.mark.parametrize("name", ["\0", "x" * 200_000])
def test_words_that_no_process_takes_are_answered(name: str, toolbox: Toolbox) -> None:
    assert call(toolbox, "new_ruleset", name=name)["diagnostics"][0]["code"] == "C407"
    assert call(toolbox, "test", game="pig", matching=name)["ok"] is False


def test_what_takes_too_long_is_killed(toolbox: Toolbox) -> None:
    hasty = Toolbox(toolbox.folder, 0.3)
    answer = call(hasty, "mutate", game="trajan", sample=200)
    assert code(answer) == "C538"
    assert answer["diagnostics"][0]["message"] == "`mutate` was ended after 0.3 seconds"


def test_mistakes_of_a_ruleset_are_said(toolbox: Toolbox) -> None:
    call(toolbox, "write_file", path="g/game.yaml", text="game: g\n")
    findings = call(toolbox, "check", game="g")
    assert not findings["ok"]
    assert findings["findings"][0]["file"] == "g/game.yaml"
    (wrong,) = call(toolbox, "test", game="g")["diagnostics"]
    assert wrong["code"].startswith("D")
    assert wrong["line"] > 0
    assert call(toolbox, "mutate", game="g")["diagnostics"] == [wrong]


def test_what_cannot_be_mutated_is_said_as_data(toolbox: Toolbox) -> None:
    answer = call(toolbox, "mutate", game="pig", clause="§99")
    assert not answer["ok"]
    (wrong,) = answer["diagnostics"]
    assert wrong["slug"] == "nothing-to-mutate"
    assert wrong["message"] == "nothing to mutate at `§99`"
    assert wrong["help"]
    assert "messages" not in answer


def test_answers_are_bounded() -> None:
    small, left_out = bounded({"a": [1, 2], "b": "x"})
    assert (small, left_out) == ({"a": [1, 2], "b": "x"}, {})
    large, left_out = bounded({"rows": [{"text": "y" * 900, "n": i} for i in range(5000)]})
    assert len(json.dumps(large)) <= LARGEST
    assert left_out["/rows"] == 5000 - len(large["rows"])
    assert large["rows"][0]["n"] == 0
    assert len(json.dumps(large, indent=2)) <= LARGEST
    wide, left_out = bounded({"zones": {f"slot at {i}": ["y" * 30] * 3 for i in range(3000)}})
    assert len(json.dumps(wide, indent=2)) <= LARGEST
    assert left_out["/zones"] == 3000 - len(wide["zones"])
    endless, left_out = bounded({"text": "z" * 10**6})
    assert len(endless["text"]) + left_out["/text"] == 10**6


def test_the_documentation_is_searched() -> None:
    found = manual().search("roll dice")
    assert any("roll" in section.text for section in found)
    assert manual().search('"); drop table x; --') is not None
    assert manual().search("§§ --") is not None
    assert manual().search("D012")[0].heading.startswith("D012")


def test_the_documentation_is_read(toolbox: Toolbox) -> None:
    assert set(call(toolbox, "read_docs")["pages"]) == set(pages())
    assert "nowhere" in call(toolbox, "read_docs", page="nowhere")["message"]
    assert "`explain`" in call(toolbox, "read_docs", page="codes")["message"]
    missing = call(toolbox, "read_docs", page="scenarios", heading="nothing of this kind")
    assert not missing["ok"]
    assert "Scenarios" in missing["headings"]
    whole = call(toolbox, "read_docs", page="language-statements")
    assert whole["left_out"]
    section = call(toolbox, "read_docs", page="scenarios", heading="mutants")
    assert section["ok"] in (True, False)


def test_a_section_of_the_documentation_comes_with_those_below_it(toolbox: Toolbox) -> None:
    statements = call(toolbox, "read_docs", page="language-statements", heading="Statements")["text"]
    assert "### Choosing" in statements
    assert "## Triggers" not in statements
    types = call(toolbox, "read_docs", page="language-parts", heading="types")["text"]
    assert "## Boards" not in types
    assert call(toolbox, "read_docs", page="language-statements", heading="action")["text"].startswith(
        "### `action`"
    )
    found = call(toolbox, "read_docs", page="language-rules", heading="expression")["text"]
    assert found.startswith("## Expressions")


def test_every_tool_is_described(toolbox: Toolbox) -> None:
    made = asyncio.run(server(toolbox, "0").list_tools())
    assert [tool.name for tool in made] == list(TOOLS)
    assert all(tool.description for tool in made)


def test_what_a_tool_changes_is_said_to_the_program(toolbox: Toolbox) -> None:
    """Tools that are said to change nothing run at a server that only reads, and write nothing there."""
    made = asyncio.run(server(toolbox, "0").list_tools())
    hints = {tool.name: tool.annotations for tool in made if tool.annotations is not None}
    assert hints.keys() == TOOLS.keys()
    writing = {name for name, hint in hints.items() if not hint.read_only_hint}
    assert writing == {"write_file", "replace_in_file", "new_ruleset", "format"}
    assert {name for name, hint in hints.items() if hint.destructive_hint} == writing - {"new_ruleset"}
    assert not any(hint.open_world_hint for hint in hints.values())


def test_the_documentation_and_the_grammar_are_resources(toolbox: Toolbox) -> None:
    made = server(toolbox, "0")
    listed = {str(it.uri): it for it in asyncio.run(made.list_resources())}
    assert set(listed) == {"rulewright://grammar", *(f"rulewright://docs/{page}" for page in pages())}
    assert listed["rulewright://docs/scenarios"].title == "Scenarios"
    (read,) = asyncio.run(made.read_resource("rulewright://docs/scenarios"))
    assert read.content == pages()["scenarios"]


def test_prompts_name_only_tools_that_there_are(toolbox: Toolbox) -> None:
    made = server(toolbox, "0")
    prompts = asyncio.run(made.list_prompts())
    assert {prompt.name for prompt in prompts} >= {"write_a_game", "find_mistakes", "balance"}
    for prompt in prompts:
        assert prompt.description
        given = {argument.name: f"<{argument.name}>" for argument in prompt.arguments or []}
        result = asyncio.run(made.get_prompt(prompt.name, given))
        (text,) = (str(getattr(message.content, "text", "")) for message in result.messages)
        assert all(value in text for value in given.values())
        assert set(re.findall(r"[a-z]+_[a-z_]+", text)) <= set(TOOLS), text


def test_the_library_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("rulewright.commands.mcp"), "find_spec", lambda name: None)
    result = CliRunner().invoke(main, ["mcp"], prog_name="rulewright")
    assert result.exit_code == 2
    assert "error[C534]: the library `mcp` is not installed" in result.output
    assert 'pip install "rulewright[mcp]"' in result.output


def test_a_folder_is_needed(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["mcp", str(tmp_path / "nowhere")], prog_name="rulewright")
    assert result.exit_code == 2
    assert "it is not a folder" in result.output


def test_what_is_cancelled_is_killed(toolbox: Toolbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """An assistant that loses patience leaves no work behind."""
    started: list[asyncio.subprocess.Process] = []
    start = asyncio.create_subprocess_exec

    async def noted(*words: str, **how: Any) -> asyncio.subprocess.Process:
        started.append(await start(*words, **how))
        return started[-1]

    async def lose_patience() -> None:
        task = asyncio.create_task(toolbox.mutate("trajan", sample=200))
        while not started:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    monkeypatch.setattr(asyncio, "create_subprocess_exec", noted)
    asyncio.run(lose_patience())
    assert started[0].returncode is not None
    assert started[0].returncode != 0


def test_the_list_of_games_is_short_and_one_game_whole(toolbox: Toolbox) -> None:
    whole = call(toolbox, "list_games")
    assert len(json.dumps(whole)) < 15_000
    (pig,) = [game for game in whole["bundled"] if game["name"] == "pig"]
    assert pig["options"] == ["goal", "empty_hold"]
    (pig,) = call(toolbox, "list_games", game="pig")["bundled"]
    assert pig["options"][0]["name"] == "goal"
    assert pig["options"][0].keys() > {"name"}
    assert not call(toolbox, "list_games", game="no_such_game")["ok"]


def test_numbers_beyond_their_limits_are_mentioned(toolbox: Toolbox) -> None:
    assert call(toolbox, "simulate", game="pig", matches=-3)["limited"] == (
        "`matches` is 1: from 1 to 10000 are possible, -3 were asked for"
    )
    assert "limited" not in call(toolbox, "simulate", game="pig", matches=2)
    call(toolbox, "write_file", path="a.md", text="x")
    assert "limited" in call(toolbox, "read_file", path="a.md", lines=500)
