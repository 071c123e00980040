"""How matches end: the name of the end, who wins, the places, and what logs and batches tell of it."""

from __future__ import annotations

import json
import random

import pytest

from dsl.source import Source
from interpreter import log
from interpreter.game import Game
from interpreter.match import Match
from interpreter.messages import Fault
from interpreter.redacted_log import entries
from interpreter.replay import replay
from interpreter.sights import SPECTATOR
from interpreter.wasm.batch import Batch
from rulewright.presentation.position import position
from rulewright.story.lines import lines_of
from rulewright.story.names import TableNames
from rulewright.tui.score_sheet import placing, verdict
from tests.games import game_of
from tests.generality.test_generality import game

KINDS = ["human", "human", "human"]


def ended(made: Game, seed: int) -> Match:
    match = Match(made, seed=seed).start()
    chooser = random.Random(seed)
    while not match.over:
        waiting = chooser.choice(match.waiting())
        match.take(waiting, chooser.choice(waiting.options))
    return match


def test_a_log_tells_how_the_match_has_ended() -> None:
    made = game("outbreak", 3)
    match = ended(made, 1)
    text = log.write(match, {}, ["", "", ""])
    found = log.read(Source("log", text))
    assert found.outcome == match.outcome()
    assert found.outcome is not None
    assert replay(made, found).match.outcome() == match.outcome()


def test_a_log_with_another_end_is_refused() -> None:
    made = game("outbreak", 3)
    text = log.write(ended(made, 1), {}, ["", "", ""])
    found = log.read(Source("log", text))
    other = "remedies" if found.outcome != "remedies" else "outbreak"
    wrong = log.read(Source("log", text.replace(f'"{found.outcome}"', f'"{other}"')), trusted=True)
    with pytest.raises(Fault):
        replay(made, wrong)


def test_the_verdict_names_the_end_and_nobody() -> None:
    match = next(m for seed in range(9) if (m := ended(game("outbreak", 3), seed)).outcome() == "outbreak")
    assert verdict(match, KINDS).plain == "outbreak: nobody wins"
    assert placing(match) is None


def test_places_follow_from_the_account_or_from_the_winners() -> None:
    made = game("reversing", 3)
    by_rules, by_account = None, None
    for seed in range(40):
        match = ended(made, seed)
        decided = made.machine.is_decided(match.state)
        by_rules, by_account = (match, by_account) if decided else (by_rules, match)
        assert [p == 1 for p in match.places()] == [s in match.winners() for s in "ABC"]
    assert by_rules is not None
    assert by_account is not None
    assert set(by_rules.places()) == {1, len(by_rules.winners()) + 1}
    totals = [account.total for account in by_account.accounts()]
    assert sorted(by_account.places()) == by_account.places() or totals != sorted(totals, reverse=True)
    assert placing(by_account) is not None


def test_a_batch_tells_how_matches_have_ended() -> None:
    made = game("outbreak", 2)
    batch = Batch(made, 40, seed=3)
    chooser = random.Random(1)
    for _ in range(400):
        if batch.over.all():
            break
        batch.step(
            [chooser.choice([a for a in range(batch.actions) if row[a]] or [0]) for row in batch.masks]
        )
    assert batch.over.all()
    names = {made.machine.endings[number - 1] for number in batch.outcomes}
    assert names <= {"outbreak", "exhaustion", "remedies"}
    assert (batch.outcomes > 0).all()
    lost = [made.machine.endings[number - 1] != "remedies" for number in batch.outcomes]
    assert [not row.any() for row in batch.winners] == lost


def test_an_end_without_a_name_is_told_by_its_clause() -> None:
    made = game_of("roma", 2)
    headings = {("§7.1", "§R31"): "The supply of points is empty", ("§7.2",): "A player has no points"}
    assert set(made.views.ends.values()) == headings.keys()
    match = ended(made, 1)
    end = headings[match.ended_by()]
    assert verdict(match, KINDS[:2]).plain.startswith(f"{end}: ")
    assert lines_of(TableNames.of(made), entries(match, SPECTATOR))[-1] == f"The match is over: {end}"
    assert f'"ended_by": {json.dumps(match.ended_by(), ensure_ascii=False)}' in log.write(match, {}, ["", ""])
    assert position(match, SPECTATOR)["ended_by"] == list(match.ended_by())


@pytest.mark.parametrize(
    ("name", "clauses"), [("trajan", {"§9.12"}), ("hex", {"§3.1"}), ("othello", {"§3.1"})]
)
def test_an_end_has_the_clauses_of_what_leads_to_it(name: str, clauses: set[str]) -> None:
    """A statement has them itself; a phase that scores has those of the value by which play comes there."""
    assert {" ".join(marks) for marks in game_of(name, 2).views.ends.values()} == clauses
