"""Rows that are not known to be the printed ones are declared, and said wherever a game is offered."""

from __future__ import annotations

import json
import re

import pytest

from dsl.diagnostics import ErrorsReported
from dsl.rules import RowStatus
from rulewright.i18n.messages import Messages
from rulewright.library import bundled, find
from rulewright.presentation.description import describe
from rulewright.provenance import provenance_json, provenance_lines
from tests.games import game_of, rules_of
from tests.wasm.lockstep import small_rules
from tools import library

WITH = [game for game in bundled() if rules_of(game).provenance]
ORIGIN = re.compile(r"\bunconfirmed\b|\breconstruct(?:ed|ion)\b", re.IGNORECASE)
AS_PRINTED = {"roma": "what is reconstructed there are numbers of the set-up, which are rulings"}
"""Games whose page of sources uses the words of no row, with the reason."""


def test_the_rows_are_those_of_the_pages_of_sources() -> None:
    doubted = {game for game in bundled() if ORIGIN.search((find(game) / "SOURCES.md").read_text("utf-8"))}
    assert set(WITH) == doubted - AS_PRINTED.keys()


@pytest.mark.parametrize(
    ("game", "of", "status", "number", "total"),
    [
        ("augustus", "objective", RowStatus.RECONSTRUCTED, 88, 88),
        ("augustus", "reward", RowStatus.UNCONFIRMED, 7, 12),
        ("constantinopolis", "contract", RowStatus.RECONSTRUCTED, 63, 63),
        ("constantinopolis", "market", RowStatus.RECONSTRUCTED, 4, 5),
        ("constantinopolis", "building", RowStatus.RECONSTRUCTED, 14, 32),
        ("trajan", "tile", RowStatus.UNCONFIRMED, 17, 17),
    ],
)
def test_what_is_declared(game: str, of: str, status: RowStatus, number: int, total: int) -> None:
    found = {(one.of, one.status): (one.number, one.total) for one in rules_of(game).provenance}
    assert found[of, status] == (number, total)


def test_tables_and_reasons_are_named() -> None:
    found = small_rules(
        "tables: {price: {over: 0..3, gives: 0..9, rows: [0, 1, 3, 6]}}\n"
        "types: {sort: [oak, elm]}\n"
        "provenance:\n"
        "  - {of: price, status: reconstructed, why: nobody has the sheet}\n"
        "  - {of: sort, rows: [elm], status: partly, why: half of a picture}\n",
        "action stop\n    end game\n\nscore points = price(1) + count(sort)\n",
        "flow: {turn: {seat: rotates, do: [{do one of: [stop]}], then: turn}, final: {score: highest}}\n",
    )
    assert provenance_lines(found) == [
        "price: all 4 rows are reconstructed (nobody has the sheet)",
        "sort: 1 of 2 rows are reconstructed in part (half of a picture)",
    ]


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("{of: sotr, status: partly, why: so}", "unknown type, board, component or table `sotr`"),
        ("{of: seat, status: partly, why: so}", "unknown type, board, component or table `seat`"),
        ("{of: sort, rows: [elk], status: partly, why: so}", "unknown row `elk`"),
        ("{of: sort, rows: [elm, oak, elm], status: partly, why: so}", "must be different rows"),
        ("{of: sort, rows: [], status: partly, why: so}", "without `rows` all are meant"),
        ("{of: sort, status: invented, why: so}", "must be `reconstructed`, `partly` or `unconfirmed`"),
        ("{of: sort, status: partly, why: ' '}", "must be a reason"),
        ("{of: sort, status: partly}", "`why`"),
    ],
)
def test_what_is_wrong_is_said(entry: str, said: str) -> None:
    with pytest.raises(ErrorsReported) as stop:
        small_rules(
            f"types: {{sort: [oak, elm]}}\nprovenance: [{entry}]\n",
            "action stop\n    end game\n\nscore points = count(sort)\n",
            "flow: {turn: {seat: rotates, do: [{do one of: [stop]}], then: turn}, final: {score: highest}}\n",
        )
    first = stop.value.report.first
    assert said in first.message + first.help
    assert "mean `seat`" not in first.help


@pytest.mark.parametrize(("game", "tag"), [(game, tag) for game in WITH for tag in rules_of(game).languages])
def test_tables_have_their_names_in_each_language(game: str, tag: str) -> None:
    """Of what has an empty label, because choices do not name it, the noun of the rulebook is said."""
    rules = rules_of(game)
    spoken, say = rules.in_language(tag), Messages(tag, "page")
    named = {*spoken.labels.values(), *(noun.partition(",")[0] for noun in spoken.nouns.values())} - {""}
    if tag == rules.languages[0]:
        named |= {one.of.replace("_", " ") for one in rules.provenance}
    shown = [entry["names"][tag] for entry in provenance_json(rules)]
    assert len(shown) == len(rules.provenance)
    assert set(shown) <= named
    for name, line in zip(shown, provenance_lines(spoken, say), strict=True):
        assert line.startswith(f"{name}: ")


@pytest.mark.parametrize("game", WITH)
def test_who_is_offered_a_game_reads_it(run, game: str) -> None:
    """`list` as text and JSON, the rulebook, a match in the terminal, the page of a server, a description."""
    rules = rules_of(game)
    (first, *_), shown = provenance_lines(rules), provenance_json(rules)
    start = first.partition(" (")[0]
    assert start in run("list", game).stdout
    assert json.loads(run("list", game, "--json").stdout)[0]["provenance"] == shown
    assert first in " ".join(run("rules", game).stdout.split())
    assert first in run("play", game, "--seats", ",".join(["random"] * rules.seats[0]), "--seed", "1").stderr
    assert describe(game_of(game, rules.seats[0]))["provenance"] == shown


def test_the_page_of_the_library_says_it_of_these_games_alone() -> None:
    page = library.PAGE.read_text("utf-8")
    assert page.endswith(library.uncertain())
    named = re.findall(r"^\* \[.+?\]\(\.\./rulesets/(\w+)\): (.+)$", library.uncertain(), re.MULTILINE)
    assert dict(named) == {game: "; ".join(provenance_lines(rules_of(game))) for game in WITH}
    marked = re.findall(r"\]\(\.\./rulesets/(\w+)\), \[not all as printed\]", page)
    assert marked == WITH


def test_nothing_is_said_of_games_that_are_as_printed(run) -> None:
    assert "reconstructed" not in run("list", "roma", "chess").stdout
    assert json.loads(run("list", "chess", "--json").stdout)[0]["provenance"] == []
