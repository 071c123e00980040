"""What a session offers and explains in YAML."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.studio.talk import Talk, talking

pytestmark = pytest.mark.usefixtures("idle_workers")


def test_keys_are_offered_with_their_meaning(game: Path) -> None:
    text = (game / "game.yaml").read_text("utf-8")
    inside = text.index("{range")
    step = text.index("do: [") + len("do: [")

    async def act(page: Talk) -> Any:
        return {
            "hover": await page.ask("hover", path="game.yaml", at=inside + 2),
            "keys": await page.ask("complete", path="game.yaml", at=inside + 1),
            "steps": await page.ask("complete", path="game.yaml", at=step),
        }

    found = talking(game, act)
    assert "The values that it may have" in found["hover"]["text"]
    keys = {each["text"]: each for each in found["keys"]}
    assert {"seen_by", "at_edge"} <= keys.keys()
    assert keys["seen_by"]["inserted"] == "seen_by"  # a colon is there already
    assert "Who sees it" in keys["seen_by"]["meaning"]
    assert {each["kind"] for each in found["steps"]} == {"procedure"}


def test_a_key_of_several_words_is_replaced_whole(game: Path) -> None:
    async def act(page: Talk) -> Any:
        await page.edit("game.yaml", "do: [throw_or_hold]", "do: [{may d}]")
        text = page.session.ruleset.workspace.texts["game.yaml"]
        at = text.index("may d") + len("may d")
        return at, await page.ask("complete", path="game.yaml", at=at)

    at, found = talking(game, act)
    offered = {each["text"]: each for each in found}["may do"]
    assert (offered["inserted"], offered["from"]) == ("may do: ", at - len("may d"))
