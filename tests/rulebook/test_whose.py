"""Whose a counter, mark, pointer or value is, wherever a rulebook names it by its author's words."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.load import load
from rulewright.library import folder
from rulewright.rulebook.markdown import markdown
from tests.rulebook.test_prose import book

GAME = """\
game: march
seats: 2..4
labels: labels/en.yaml
rules: [march.rules]
boards: {region: {graph: [north, east, south], links: {north: [east], east: [south]}}}
counters:
  armies: {of: seat, at: region, range: 0..20}
  influence: {of: seat, range: 0..99}
  favour: {at: seat, range: 0..9}
marks:
  fortified: {of: seat, at: region}
pointers:
  ally: {of: seat, to: seat}
flow: {play: {seat: rotates, do: [act], then: final}, final: {score: highest}}
"""
LABELS = """\
nouns:
  armies: army of {seat} in {region}, armies of {seat} in {region}
phrases:
  influence: influence of {seat}
  favour: favour of {seat} at court
  fortified: "{seat} has a fort in {region}"
  ally: friend of {seat}
  hold: the hold of {seat} on {region}
"""
HOLD = "value hold(seat, region) = armies of seat at region + influence of seat\n"
POSITIONS = {
    "condition": (
        "    if armies of me at north > 2 and influence of me > 3 and favour at me > 1\n"
        "        gain 1 influence",
        "If you have at least 3 armies in north, your influence is more than 3 "
        "and your favour at court is more than 1,",
    ),
    "relative clause": (
        "    for seat where favour at seat > 3 and influence of seat > 2\n        influence of seat = 0",
        "For each player whose favour at court is more than 3 and whose influence is more than 2,",
    ),
    "others": (
        "    for seat where seat is not me and armies of seat at north > 2\n        influence of seat = 0",
        "For each player who is not you and has at least 3 armies in north, set influence of the "
        "player to 0.",
    ),
    "two kinds compared": (
        "    for seat where favour at seat > influence of seat\n        influence of seat = 0",
        "For each player whose favour at court is more than influence of that player,",
    ),
    "two seats compared": (
        "    choose seat where armies of seat at north > armies of me at north\n    gain 1 influence",
        "Choose a player whose armies in north are more than your armies in north.",
    ),
    "effect": (
        "    for seat\n        armies of seat at north += 1\n        favour at seat += 1",
        "Add 1 to the player’s armies in north.",
    ),
    "own effect": (
        "    armies of me at north += 1\n    favour at me += 1\n    influence of me = 0",
        "Add 1 to your armies in north.\n2. Add 1 to your favour at court.\n3. Set your influence to 0.",
    ),
    "gain": ("    gain 1 armies at north\n    lose 2 armies at east", "Gain 1 army in north."),
    "neighbour": (
        "    if armies of next(me) at north > favour at next(me)\n        gain 1 influence",
        "If the armies in north of the player after you are more than favour "
        "of the player after you at court,",
    ),
    "sum": (
        "    influence of me += sum(armies of seat at north for seat) + sum(favour at seat for seat)",
        "Add the total armies in north of all players "
        "plus (the sum, over all players, of favour of the player at court) to your influence.",
    ),
    "own sum": (
        "    influence of me = armies of me at north + influence of me",
        "Add your armies in north to your influence.",
    ),
    "highest": (
        "    if highest(seat by armies of seat at north) is me\n        gain 1 influence",
        "If the player with the highest number of armies in north is you,",
    ),
    "all": (
        "    if all(favour at seat > 2 for seat)\n        gain 1 influence",
        "If for each player, favour of that player at court is more than 2,",
    ),
    "any": (
        "    if any(seat where favour at seat > 2)\n        gain 1 influence",
        "If favour of a player at court is more than 2,",
    ),
    "mark": (
        "    for seat where fortified of seat at north\n        clear fortified of seat at north",
        "For each player who has a fort in north, from now on the player does not have a fort in north.",
    ),
    "pointer": (
        "    if ally of me exists\n        gain 1 influence",
        "If somebody is your friend, gain 1 influence.",
    ),
    "value": (
        "    for seat where hold(seat, north) > 3\n        influence of seat += hold(me, east)",
        "For each player whose hold on north is more than 3, add your hold on east "
        "to influence of the player.",
    ),
}


@pytest.mark.parametrize("position", POSITIONS)
def test_a_thing_of_a_seat_is_told_with_its_seat(tmp_path: Path, position: str) -> None:
    rules, said = POSITIONS[position]
    (tmp_path / "labels").mkdir()
    text = f"{HOLD}\nprocedure act\n{rules}\nscore points = influence of me\n"
    for name, content in {"game.yaml": GAME, "labels/en.yaml": LABELS, "march.rules": text}.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    page = markdown(book(load(folder(tmp_path, "march"))[0]))
    assert said in "\n".join(line.strip() for line in page.splitlines())
