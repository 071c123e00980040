"""A story in Python is the story of the page, sentence by sentence, in every language of a game."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml

from interpreter.game import Game
from interpreter.match import Match
from interpreter.redacted_log import entries
from interpreter.sights import REFEREE, SPECTATOR
from rulewright.bundling.messages import messages
from rulewright.i18n.messages import languages, messages_of
from rulewright.presentation.description import describe
from rulewright.presentation.position import entry_json
from rulewright.story.lines import lines_of
from rulewright.story.names import TableNames
from rulewright.story.passages import passages
from tests.games import few, seated
from tests.web.in_node import run_in_node
from tests.web.test_host import HIDING, TOLD

BY_THE_PAGE = """
import { addMessages, described, language, namesLanguage } from "./rulewright/web/i18n.js";
import { modelOf } from "./rulewright/web/table/model.js";
import { passages } from "./rulewright/web/table/sentences.js";
described.value = given.description;
const model = { ...modelOf(given.description), names: given.description.seat_names };
console.log(JSON.stringify(given.languages.map((tag) => {
    addMessages(tag, given.messages[tag]);
    language.value = tag;
    namesLanguage.value = tag;
    const plain = ({ seat, head, facts, turn }) => ({ seat, head, facts, turn });
    return given.told.map((entries) => passages(model, entries).map(plain));
})));
"""


@pytest.mark.parametrize("table", [*few(), *HIDING, *TOLD], ids=str)
def test_a_story_in_python_is_that_of_the_page(table: Any, tmp_path: Path) -> None:
    rules, machine = seated(table)
    match = played(Game(rules, machine, "wasm"), 40)
    viewers = (REFEREE, SPECTATOR, *range(machine.seats))
    spoken = [tag for tag in languages() if tag in rules.languages]
    given = {
        "description": describe(match.game),
        "languages": spoken,
        "messages": {tag: messages(tag) for tag in spoken},
        "told": [[entry_json(match, entry) for entry in entries(match, viewer)] for viewer in viewers],
    }
    by_the_page = run_in_node(BY_THE_PAGE, tmp_path, given)
    for tag, pages in zip(spoken, by_the_page, strict=True):
        game = Game(rules.in_language(tag), machine, None)
        seats = [game.names.seat(seat) for seat in range(machine.seats)]
        names = TableNames(game, messages_of(tag, "table"), seats)
        for viewer, page in zip(viewers, pages, strict=True):
            told = passages(names, entries(match, viewer))
            plain = [{"seat": p.seat, "head": p.head, "facts": list(p.facts), "turn": p.turn} for p in told]
            assert plain == page


CASES = yaml.safe_load(Path(__file__).with_name("stories.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["game"]))
def test_a_turn_reads_as_a_turn(case: dict[str, Any], tmp_path: Path) -> None:
    """What stands in `stories.yaml` is what Python and the page say of the same choices."""
    rules, machine = seated((case["game"], case["seats"], ()))
    tag = case.get("language", rules.language)
    match = Match(Game(rules, machine, "wasm"), seed=case["seed"]).start()
    for choice in case["choices"]:
        match.choose(*choice.split(": ", 1))
    told = entries(match, case["viewer"])
    names = TableNames.of(Game(rules.in_language(tag), machine, None))
    assert lines_of(names, told) == case["lines"]
    given = {
        "description": describe(match.game),
        "languages": [tag],
        "messages": {tag: messages(tag)},
        "told": [[entry_json(match, entry) for entry in told]],
    }
    ((page,),) = run_in_node(BY_THE_PAGE, tmp_path, given)
    lines = [" — ".join(part for part in (p["head"], "; ".join(p["facts"])) if part) for p in page]
    assert lines == case["lines"]


def played(game: Game, most: int) -> Match:
    """A match of at most so many choices, made at random."""
    random, match = Random(3), Match(game, seed=3).start()
    for _ in range(most):
        if match.over:
            break
        seat = random.choice(match.waiting()).seat
        match.choose(game.names.seat(seat), random.choice(match.offered_to(seat)[0].choices).text)
    return match
