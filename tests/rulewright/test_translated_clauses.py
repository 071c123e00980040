"""Whoever plays or reads in another language is cited no clause in the first one.

Every text of the first rulebook file is looked for in what is shown, unless its translation is the same:
names of cards and places stay as they are.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest

from interpreter.game import Game
from interpreter.match import Match
from rulewright.library import bundled, read_rules
from rulewright.presentation.description import describe
from rulewright.rulebook.configured import configured_book
from rulewright.rulebook.document import Section, Table
from rulewright.sentences.worded_game import worded_game
from rulewright.serve.games.catalogue import ServedGame, page
from rulewright.tui.explain import Explainer
from rulewright.tui.game_loop import play
from rulewright.tui.session import Leave
from tests.games import seated
from tests.rulesets.test_cited_refusals import refusals_in_play
from tests.rulewright.test_play import Table as PlayedTable, run
from tests.web.in_node import run_in_node

TRANSLATED = [
    (game, tag)
    for game in bundled()
    for tag, other in read_rules(game)[0].translations.items()
    if other.clauses_in == tag
]
CONTROL = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
TYPED = 24
SHORTEST = 2
"""The fewest words of a text that is looked for: a single one may be a name."""


@cache
def strange(game: str, language: str) -> frozenset[str]:
    """The texts that nobody should read in a language, in small letters."""
    texts = read_rules(game)[0].translations[language].texts
    foreign = (it.text for it in texts if it.text.casefold() != it.translated.casefold())
    return frozenset(text.casefold() for text in foreign if len(text.split()) >= SHORTEST)


def found_in(shown: str, game: str, language: str) -> list[str]:
    """Which of them are in what is shown, however its lines are broken, and not as parts of words."""
    plain = " ".join(CONTROL.sub("", shown).casefold().split())
    found = [text for text in strange(game, language) if " ".join(text.split()) in plain]
    return [text for text in found if re.search(rf"(?<!\w){re.escape(' '.join(text.split()))}(?!\w)", plain)]


def test_five_games_have_translations() -> None:
    assert len(TRANSLATED) == 5


@pytest.mark.parametrize(("game", "language"), TRANSLATED)
def test_a_match_at_the_terminal_cites_clauses_in_the_language(game: str, language: str) -> None:
    rules, machine = seated((game, 2, ()))
    match = Match(worded_game(rules.in_language(language), machine), seed=11).start()
    table = PlayedTable(game, "human,random", match)
    table.says = lines_of_a_person(match, list(rules.clauses))
    with suppress(EOFError, Leave):
        play(table.session)
    told = CONTROL.sub("", table.out.getvalue())
    spoken = rules.in_language(language).clauses.values()
    assert sum(clause.heading in told for clause in spoken if clause.heading) > 5
    assert found_in(told, game, language) == []


def lines_of_a_person(match: Match, marks: list[str]) -> Iterator[str]:
    """Choices at random, and between them questions about the choice, about clauses, and about the score."""
    chooser = random.Random(11)
    for number in range(TYPED):
        decisions = [decision for decision in match.decisions() if decision.seat == "A"]
        yield "pass" if not decisions else chooser.choice(decisions[0].choices).text
        yield ("?", f"? {marks[number * len(marks) // TYPED]}", "why pass", "score")[number % 4]


@pytest.mark.parametrize(("game", "language"), TRANSLATED)
def test_refusals_in_a_match_cite_clauses_in_the_language(game: str, language: str) -> None:
    rules, machine = seated((game, 2, ()))
    played = worded_game(rules.in_language(language), machine)
    refused, cite = refused_marks(played), Explainer(played).cited
    assert refused
    assert len(list(cite(sorted(refused)))) == len(refused)
    assert found_in("\n".join(text.plain for text in cite(rules.clauses)), game, language) == []


def refused_marks(played: Game) -> set[str]:
    """The clauses of what is refused in some random matches."""
    refused = [each for seed in range(4) for each in refusals_in_play(played, seed)]
    return {mark for each in refused for part in (each, *each.parts) for mark in part.clauses}


def test_what_is_not_as_printed_is_told_in_the_language() -> None:
    result = run("augustus", "--language", "hu", "--seats", "random,random", "--seed", "1")
    spoken = read_rules("augustus")[0].in_language("hu")
    first, second = result.stderr.splitlines()[:2]
    assert first.startswith("célkártya: 88 sorból 88 rekonstruált (")
    assert [line.partition("(")[2] for line in (first, second)] == [
        f"{one.why})" for one in spoken.provenance
    ]


@pytest.mark.parametrize(("game", "language"), TRANSLATED)
def test_pages_have_headings_and_rulings_in_the_language(game: str, language: str) -> None:
    """What a page shows of the game, and what an exported file has, which knows one language."""
    rules, machine = seated((game, 2, ()))
    described = describe(Game(rules, machine))["clauses"]
    assert described[language].keys() == described["en"].keys() == rules.clauses.keys()
    assert found_in("\n".join(described[language].values()), game, language) == []
    alone = describe(Game(rules.in_language(language), machine))
    assert next(iter(alone["clauses"])) == language
    shown = page(ServedGame(game, game, rules, True), True)
    assert found_in(str([shown["clauses"][language], shown["translations"][language]]), game, language) == []
    rulings = [option.name for option in rules.options.values() if option.readings]
    assert list(shown["translations"][language]["rulings"]) == rulings
    reasons = [entry["reasons"][language] for entry in alone.get("provenance", ())]
    assert found_in(str([alone["rulings"], reasons]), game, language) == []


@pytest.mark.parametrize(("game", "language"), TRANSLATED)
def test_the_rulebook_has_clauses_and_rulings_in_the_language(game: str, language: str) -> None:
    """In the index of clauses, which has headings of what is told nowhere, and in the chapter of rulings."""
    rules = read_rules(game)[0]
    book = configured_book(game, rules, None, {}, language)
    told = {section.id: section for section in within(book.sections)}
    tables = [block for block in told["clauses"].blocks if isinstance(block, Table)]
    index = "\n".join(row.cells[0].text for table in tables for row in table.rows)
    spoken = rules.in_language(language).clauses.values()
    whole = repr(book.sections)
    assert any(clause.heading in whole for clause in spoken)
    assert found_in(index, game, language) == []
    assert found_in(repr(told["rulings"]), game, language) == []


def within(blocks: Iterable[object]) -> Iterator[Section]:
    """The sections among some blocks, each before those within it."""
    for block in blocks:
        if isinstance(block, Section):
            yield block
            yield from within(block.blocks)


@pytest.mark.parametrize(("wanted", "shown"), [("hu", "Elvétel"), ("ro", "Taking"), ("en", "Taking")])
def test_the_page_calls_a_clause_in_the_language_of_the_labels(
    tmp_path: Path, wanted: str, shown: str
) -> None:
    """A language without clauses has those of the first one."""
    program = """
    import { heading, setLanguage } from "./rulewright/web/i18n.js";
    await setLanguage(given.wanted);
    console.log(JSON.stringify([heading("§1", given.game), heading("§2", given.game)]));
    """
    game = {"languages": ["en", "hu", "ro"], "clauses": {"en": {"§1": "Taking"}, "hu": {"§1": "Elvétel"}}}
    assert run_in_node(program, tmp_path, {"wanted": wanted, "game": game}) == [shown, ""]
