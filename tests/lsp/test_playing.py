"""Lenses, and running scenarios from an editor, with texts that are not saved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.lsp.client import Client

SCENARIOS = """\
- scenario: A throw is at stake
  chance: {die: 5}
  when:
    - A: throw
  then: {pot: 5}
- scenario: A throw is worth more
  chance: {die: 5}
  when:
    - A: throw
  then: {pot: 6}
"""


def lenses(client: Client, uri: str) -> list[tuple[int, str, list[Any]]]:
    """The lenses of a document: line, title, arguments."""
    found = client.ask("textDocument/codeLens", {"textDocument": {"uri": uri}})
    return [
        (each["range"]["start"]["line"], each["command"]["title"], each["command"].get("arguments", []))
        for each in found
    ]


def run(client: Client, *arguments: Any, command: str = "rulewright.runScenario") -> Any:
    return client.ask("workspace/executeCommand", {"command": command, "arguments": list(arguments)})


@pytest.fixture
def scenarios(client: Client, game: Path) -> str:
    """The address of a file of scenarios that is written but not saved."""
    path = next((game / "scenarios").glob("*.yaml"))
    uri = client.open(path)
    client.change(uri, 1, SCENARIOS)
    return uri


def test_scenarios_have_lenses(client: Client, scenarios: str) -> None:
    assert lenses(client, scenarios) == [
        (0, "run 2 scenarios", [scenarios]),
        (0, "run", [scenarios, "A throw is at stake"]),
        (5, "run", [scenarios, "A throw is worth more"]),
    ]


def test_running_a_file_says_what_fails_and_where(client: Client, scenarios: str) -> None:
    answer = run(client, scenarios)
    assert [each["holds"] for each in answer["outcomes"]] == [True, False]
    assert client.said[-1] == "1 of 2 scenarios failed: `A throw is worth more`"
    (found,) = client.published[-1]["diagnostics"] or client.publication(scenarios, 1)
    assert found["range"]["start"]["line"] == 9
    titles = [title for _, title, _ in lenses(client, scenarios)]
    assert titles[1:] == ["holds: run again", "does not hold: run again"]


def test_running_one_scenario(client: Client, scenarios: str) -> None:
    answer = run(client, scenarios, "A throw is at stake")
    assert [each["name"] for each in answer["outcomes"]] == ["A throw is at stake"]
    assert client.said[-1] == "`A throw is at stake` holds"


def test_an_edit_takes_the_failures_away(client: Client, scenarios: str) -> None:
    run(client, scenarios)
    client.change(scenarios, 2, SCENARIOS.replace("pot: 6", "pot: 5"))
    assert client.publication(scenarios, 2) == []
    assert [title for _, title, _ in lenses(client, scenarios)][1:] == ["run", "run"]


def test_rules_with_mistakes_are_not_played(client: Client, game: Path, scenarios: str) -> None:
    uri = client.open(game / "pig.rules")
    client.change(uri, 1, "acton")
    with pytest.raises(AssertionError, match="correct the mistakes first"):
        run(client, scenarios)


def test_bad_arguments_are_refused(client: Client, tmp_path: Path, scenarios: str) -> None:
    for arguments in ((), (3,), (scenarios, 4), (scenarios, "x", "y")):
        with pytest.raises(AssertionError, match="the arguments are"):
            run(client, *arguments)
    with pytest.raises(AssertionError, match="belongs to no ruleset"):
        run(client, (tmp_path / "nowhere" / "a.yaml").as_uri())
    assert run(client, scenarios, "no such name")["outcomes"] == []
    assert client.said[-1] == "there is no such scenario"


def test_definitions_and_clauses_say_which_scenarios_execute_them(client: Client, game: Path) -> None:
    uri, rulebook = client.open(game / "pig.rules"), client.open(game / "rulebook.yaml")
    assert [title for _, title, _ in lenses(client, uri)] == [
        "count scenarios and random matches",
        "put mistakes in: which are not noticed?",
    ]
    run(client, uri, command="rulewright.trace")
    titles = [title for _, title, _ in lenses(client, uri)]
    assert len(titles) > 4
    assert all(title.startswith("executed by ") for title in titles[2:])
    assert "played in 100 of 100 random matches" in titles[3]
    clauses = [title for _, title, _ in lenses(client, rulebook)]
    assert clauses
    assert clauses[0].startswith("rendered in ")


def test_what_was_counted_is_shown_for_the_text_that_it_holds_for(client: Client, game: Path) -> None:
    uri = client.open(game / "pig.rules")
    text = (game / "pig.rules").read_text("utf-8")
    run(client, uri, command="rulewright.trace")
    counted = lenses(client, uri)
    client.change(uri, 1, text.replace("pot = 0", "pot = 1"))
    client.publication(uri, 1)
    assert len(lenses(client, uri)) == 2
    client.change(uri, 2, text)
    client.publication(uri, 2)
    client.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})  # answered when all is known
    assert lenses(client, uri) == counted


def test_a_file_that_is_only_looked_at_stops_nothing(client: Client, game: Path) -> None:
    uri = client.open(game / "pig.rules")
    run(client, uri, command="rulewright.trace")
    counted = lenses(client, uri)
    other = client.open(game / "rulebook.yaml")
    assert client.publication(other, 0) == []
    assert lenses(client, uri) == counted
    client.send("textDocument/didClose", {"textDocument": {"uri": other}})
    assert lenses(client, uri) == counted
    client.numbers += 1
    count = {"command": "rulewright.trace", "arguments": [uri]}
    client.send("workspace/executeCommand", count, client.numbers)
    client.open(game / "game.yaml")
    found = client.received.get(timeout=30)
    while found.get("id") != client.numbers or "method" in found:
        found = client.received.get(timeout=30)
    assert "error" not in found


def test_mistakes_that_nothing_notices_are_shown_at_their_places(client: Client, game: Path) -> None:
    (game / "scenarios" / "end.yaml").unlink()
    uri, rulebook = client.open(game / "pig.rules"), client.open(game / "rulebook.yaml")
    answer = run(client, uri, command="rulewright.mutate")
    missed = [each for each in answer["mutants"] if not each["noticed"]]
    assert missed
    assert len(missed) < len(answer["mutants"])
    assert client.said[-1] == f"{len(missed)} of {len(answer['mutants'])} mistakes not noticed"
    shown = [found for found in client.published if found["uri"] == uri][-1]["diagnostics"]
    assert [found["code"] for found in shown] == ["T340"] * sum(m["file"] == "pig.rules" for m in missed)
    titles = [title for _, title, _ in lenses(client, uri)][2:]
    assert all(title.endswith("noticed") for title in titles)
    assert any(title.endswith("mistakes noticed") for _, title, _ in lenses(client, rulebook))
    client.change(uri, 1, (game / "pig.rules").read_text("utf-8") + "\n# a comment\n")
    assert client.publication(uri, 1) == []
    assert len(lenses(client, uri)) == 2


def test_nothing_is_put_in_while_a_scenario_fails(client: Client, scenarios: str) -> None:
    with pytest.raises(AssertionError, match="the scenario `A throw is worth more` does not hold"):
        run(client, scenarios, command="rulewright.mutate")
