"""Seats are called as their game calls them, and by letters where it does not."""

from __future__ import annotations

from pathlib import Path

from tests.web.in_node import run_in_node

SCRIPT = """
import { addMessages, described } from "./rulewright/web/i18n.js";
import { letterOf, seatName } from "./rulewright/web/shell/players.js";

addMessages("en", { "seat-person": ["Player ", ["letter"]], "seat-bot": ["Bot ", ["letter"]] });
const shown = () => [undefined, "person", "bot"].map((kind) => seatName({ seat: 1, kind }))
    .concat(letterOf(1), seatName({ seat: 1, name: "Éva" }));
const found = [];
for (const description of [null, ...given]) {
    described.value = description;
    found.push(shown());
}
console.log(JSON.stringify(found));
"""
LETTERS = {"seat_names": ["A", "B"], "labels": {"en": {}}, "languages": ["en"]}
NAMED = {"seat_names": ["white", "black"], "labels": {"en": {}}, "languages": ["en"]}
LABELLED = {"seat_names": ["white", "black"], "labels": {"en": {"black": "ébène"}}, "languages": ["en"]}


def test_seats_are_called_as_the_game_calls_them(tmp_path: Path) -> None:
    lettered = ["Player B", "Player B", "Bot B", "B", "Éva"]
    assert run_in_node(SCRIPT, tmp_path, [LETTERS, NAMED, LABELLED]) == [
        lettered,
        lettered,
        ["black", "black", "Bot black", "b", "Éva"],
        ["ébène", "ébène", "Bot ébène", "é", "Éva"],
    ]
