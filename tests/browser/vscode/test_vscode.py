"""The extension in the real editor: what it contributes is there, and what it starts answers."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import FrameLocator, expect

from tests.browser.vscode.conftest import Workbench


def test_rules_are_coloured(workbench: Workbench) -> None:
    workbench.open("pig.rules")
    workbench.lens("count scenarios").wait_for()  # the server has read them
    expect(workbench.page.locator("[id='status.editor.mode']")).to_contain_text("Rulewright")
    colours = (
        workbench.line("action throw")
        .locator("span span")
        .evaluate_all("spans => spans.map(span => [span.textContent.trim(), getComputedStyle(span).color])")
    )
    found = {text: colour for text, colour in colours if text}
    assert {"action", "throw", "§2.2"} <= found.keys()
    assert len(set(found.values())) == len(found)


def test_a_mistake_is_shown_explained_and_corrected(workbench: Workbench) -> None:
    workbench.open("pig.rules")
    workbench.go(18, 14)
    workbench.page.keyboard.press("Shift+End")
    workbench.page.keyboard.insert_text("poinst")
    workbench.page.locator(".squiggly-error").first.wait_for()
    expect(workbench.page.locator("[id='status.problems']")).to_contain_text("1")
    workbench.line("poinst").get_by_text("poinst").hover()
    hover = workbench.page.locator(".monaco-hover:visible")
    expect(hover).to_contain_text("did you mean `points`?")
    workbench.page.keyboard.press("Escape")
    workbench.go(18, 15)
    workbench.page.keyboard.press("Control+.")
    workbench.page.locator(".action-widget .monaco-list-row", has_text="points").first.click()
    expect(workbench.line("gain pot points")).to_be_visible()
    expect(workbench.page.locator(".squiggly-error")).to_have_count(0)


def test_a_name_is_explained_and_found(workbench: Workbench) -> None:
    workbench.open("pig.rules")
    workbench.lens("count scenarios").wait_for()
    workbench.line("pot += die.face").get_by_text("pot").hover()
    expect(workbench.page.locator(".monaco-hover:visible")).to_contain_text("0..999")
    workbench.go(14, 10)
    workbench.page.keyboard.press("F12")
    workbench.page.locator('.tab.active[data-resource-name="game.yaml"]').wait_for()
    expect(workbench.line("pot: {range")).to_be_visible()


def test_names_are_completed(workbench: Workbench) -> None:
    workbench.open("pig.rules")
    workbench.lens("count scenarios").wait_for()
    workbench.go(19, 14)
    workbench.page.keyboard.press("Enter")
    workbench.page.keyboard.type("po")
    offered = workbench.page.locator(".suggest-widget .monaco-list-row")
    expect(offered.filter(has_text="pot").first).to_be_visible()


def test_a_name_is_renamed_in_all_files(workbench: Workbench) -> None:
    workbench.open("pig.rules")
    workbench.lens("count scenarios").wait_for()
    workbench.go(14, 10)
    workbench.page.keyboard.press("F2")
    box = workbench.page.locator(".rename-box input")
    box.fill("stake")
    box.press("Enter")
    expect(workbench.line("stake += die.face")).to_be_visible()
    workbench.run("File: Save All Files")
    workbench.saved("game.yaml", "stake: {range: 0..999")
    workbench.saved("labels/en.yaml", "stake: points at stake")
    workbench.saved("scenarios/end.yaml", "stake: 6")


def test_a_file_is_formatted(workbench: Workbench) -> None:
    workbench.open("pig.rules")
    workbench.lens("count scenarios").wait_for()
    workbench.go(14, 1)
    workbench.page.keyboard.press("End")
    workbench.page.keyboard.insert_text("   ")
    workbench.page.keyboard.press("Control+Shift+I")
    workbench.page.wait_for_timeout(500)
    workbench.saved("pig.rules", "        pot += die.face\n")


def test_a_lens_runs_a_scenario(workbench: Workbench) -> None:
    workbench.open("scenarios/end.yaml")
    workbench.lens("run").wait_for()
    lens = workbench.page.locator(".codelens-decoration a", has_text=re.compile("^run$")).first
    lens.click()
    workbench.lens("holds: run again").wait_for()
    expect(workbench.page.locator(".notifications-toasts")).to_contain_text("holds")


def test_lenses_count_scenarios(workbench: Workbench) -> None:
    workbench.open("pig.rules")
    workbench.lens("count scenarios").click()
    workbench.lens("executed by").wait_for()


def frame(workbench: Workbench) -> FrameLocator:
    """The content of the panel that is open."""
    return workbench.page.frame_locator("iframe.webview").frame_locator("iframe#active-frame")


def test_the_graph_shows_the_phases(workbench: Workbench) -> None:
    workbench.open("pig.rules")
    workbench.run("Rulewright: Show the phases of this game")
    expect(frame(workbench).locator("svg")).to_contain_text("turn", timeout=30_000)


def test_the_table_is_played_in_a_panel(workbench: Workbench) -> None:
    workbench.open("pig.rules")
    workbench.run("Rulewright: Show the table of this game")
    throw = frame(workbench).locator("[data-choices~=throw]").first
    expect(throw).to_be_visible(timeout=30_000)
    throw.click()
    expect(frame(workbench).locator(".story")).to_contain_text("throw the die")


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("Run all scenarios of this game", "18 scenarios, all hold"),
        ("Check this game", "no mistakes, 1 finding allowed"),
    ],
)
def test_commands_run_in_a_terminal(workbench: Workbench, title: str, said: str) -> None:
    workbench.open("pig.rules")
    workbench.run(f"Rulewright: {title}")
    terminal = workbench.page.locator(".terminal-wrapper.active .xterm-rows")
    expect(terminal).to_contain_text(said, timeout=60_000)


def test_panels_are_dark_where_the_editor_is(workbench: Workbench) -> None:
    (workbench.game / ".vscode").mkdir()
    settings = workbench.game / ".vscode" / "settings.json"
    settings.write_text('{"workbench.colorTheme": "Default Dark Modern"}', "utf-8")
    workbench.page.locator(".monaco-workbench.vs-dark").wait_for()
    workbench.open("pig.rules")
    workbench.run("Rulewright: Show the table of this game")
    score = frame(workbench).locator(".table-root h3").first
    expect(score).to_be_visible(timeout=30_000)
    colours = score.evaluate(
        "name => [getComputedStyle(name).color, getComputedStyle(document.body).padding]"
    )
    assert colours == ["rgb(236, 230, 218)", "0px"]


def test_a_lens_shows_the_scenarios_that_assert(workbench: Workbench) -> None:
    workbench.open("pig.rules")
    workbench.lens("count scenarios").click()
    workbench.page.locator(".codelens-decoration a", has_text="asserted by").nth(1).click()
    peeked = workbench.page.locator(".peekview-widget")
    expect(peeked).to_contain_text("Locations (7)")
    expect(peeked).to_contain_text("scenario: ")


def test_keys_of_yaml_are_offered_and_explained(workbench: Workbench) -> None:
    workbench.open("pig.rules")
    workbench.lens("count scenarios").wait_for()
    workbench.open("game.yaml")
    workbench.line("points: {of").get_by_text("range").hover()
    expect(workbench.page.locator(".monaco-hover:visible")).to_contain_text("The values that it may have")
    workbench.page.keyboard.press("Escape")
    workbench.go(14, 1)
    workbench.page.keyboard.press("End")
    workbench.page.keyboard.press("Enter")
    workbench.page.keyboard.type("heap: {range: 0..9, ")
    offered = workbench.page.locator(".suggest-widget .monaco-list-row")
    expect(offered.filter(has_text="at_edge")).to_be_visible()
    expect(offered.filter(has_text=re.compile("^range"))).to_have_count(0)
    workbench.page.keyboard.type("se")
    expect(offered.filter(has_text="seen_by")).to_be_visible()
    workbench.page.keyboard.press("Tab")
    expect(workbench.line("heap: {range: 0..9, seen_by: }")).to_be_visible()


def test_a_new_game_is_made(workbench: Workbench) -> None:
    workbench.open("pig.rules")
    workbench.run("Rulewright: New game")
    box = workbench.page.locator(".quick-input-box input")
    expect(workbench.page.locator(".quick-input-title")).to_have_text("New game")
    box.fill("My Game")
    expect(workbench.page.locator(".quick-input-message")).to_contain_text("small letters")
    box.fill("embers")
    box.press("Enter")
    workbench.page.locator('.tab.active[data-resource-name="embers.rules"]').wait_for()
    workbench.lens("count scenarios").wait_for()
    assert (workbench.game / "embers" / "game.yaml").is_file()


def test_a_task_lists_what_check_finds(workbench: Workbench) -> None:
    game = workbench.game / "game.yaml"
    text = game.read_text("utf-8")
    game.write_text(text[: text.index("allow:")] + text[text.index("flow:") :], "utf-8")
    workbench.open("pig.rules")
    workbench.lens("count scenarios").wait_for()
    workbench.run("Rulewright: Check this game")
    expect(workbench.page.locator("[id='status.problems']")).to_contain_text("1", timeout=60_000)
    workbench.run("Problems: Focus on Problems View")
    expect(workbench.page.locator(".markers-panel")).to_contain_text("V304")
