"""A trained policy in an exported game: it plays there, without a network."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.test_one_file import eventually, exported

pytest.importorskip("onnx", reason="the extra `policy` is not installed")
pytest.importorskip("onnxruntime", reason="the extra `policy` is not installed")


def kept_players(page: Page) -> str:
    """Who plays the match that the browser keeps."""
    kept = "Object.values(localStorage).find((one) => one.includes('rulewright'))"
    return str(eventually(page, f"JSON.stringify(JSON.parse({kept} ?? '{{}}').settings?.players)"))


@pytest.mark.each_game
@pytest.mark.parametrize("name", ["connect_four", "leduc_poker"])
def test_a_policy_plays_in_a_page(page: Page, tmp_path: Path, name: str) -> None:
    from tests.web.test_policies import saved

    saved((name, 2, ()), tmp_path / "p.onnx")
    requests: list[str] = []
    errors: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    file = exported(name, tmp_path, "--policy", str(tmp_path / "p.onnx"))
    page.goto(file.as_uri())
    eventually(page, "document.querySelector('#table .thing')")
    assert kept_players(page) == '["human","policy"]'
    page.get_by_title("More", exact=True).click()
    page.get_by_role("button", name="New match").click()
    selects = page.locator("dialog .seat-rows select")
    assert [selects.nth(seat).input_value() for seat in range(2)] == ["human", "policy"]
    assert selects.first.locator("option[value=policy]").inner_text() == "bot: trained"
    selects.first.select_option("policy")
    page.get_by_role("button", name="Begin").click()
    eventually(page, "document.querySelectorAll('.story .told p.head').length > 1")  # a match may end then
    assert kept_players(page) == '["policy","policy"]'
    assert errors == []
    assert [url for url in requests if not url.startswith(("blob:", "data:"))] == [file.as_uri()]
