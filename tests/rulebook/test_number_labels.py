"""Numbers of a type or of a column may have labels, by which people read them everywhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.load import Folder, load
from dsl.rules import Rules
from interpreter.compile.program import compile_rules, configure
from interpreter.game import Game
from interpreter.match import Match
from interpreter.redacted_log import entries
from interpreter.views import REFEREE
from rulewright.layout.faces_text import cell_text
from rulewright.presentation.description import describe
from rulewright.rulebook.book import write_book
from rulewright.rulebook.markdown import markdown
from rulewright.sentences.names import Lexicon
from rulewright.sentences.partial_eval import Configuration
from rulewright.story.lines import lines_of
from rulewright.story.names import TableNames
from tests.games import rules_of
from tests.web.in_node import run_in_node
from validators.checks.label_of_nothing import labels_of_nothing, shown_names

YAML = """
game: shelves
seats: 2
rules: [shelves.rules]
labels: {en: en.yaml, hu: hu.yaml}
types: {shelf: 0..3}
boards: {low: {values: [0, 1], part_of: shelf}}
components:
  book: {table: books.csv, columns: {grade: 1..3, copies: 1..1}, copies: copies}
zones:
  rack: {holds: book, at: shelf, seen_by: all}
  hand: {holds: book, of: seat, seen_by: all}
  box: {holds: book, start: all, seen_by: all}
flow: {turn: {do: [{do one of: [take, put]}], seat: rotates, then: turn}, final: {score: none}}
"""
RULES = """
action take(book from box)
    needs book.grade < 3
    move book to hand of me
action put(shelf)
    needs shelf is not 0
    choose book from hand of me
    move book to rack at shelf
"""
EN = """
book: book
put: put on
shelf.0: the floor
shelf.3: the top
grade.1: easy
grade.3: hard
"""
HU = "shelf.0: a padló\nshelf.3: a teteje\ngrade.1: könnyű\ngrade.3: nehéz\n"
BOOKS = "book,grade,copies\nprimer,1,1\nreader,2,1\ntome,3,1\n"


def shelves(en: str = EN, yaml: str = YAML) -> Rules:
    files = {"game.yaml": yaml, "shelves.rules": RULES, "en.yaml": en, "hu.yaml": HU, "books.csv": BOOKS}
    return load(Folder("shelves", lambda name: files[name].encode()))[0]


def game(language: str = "en") -> Game:
    rules = shelves().in_language(language)
    return Game(rules, compile_rules(rules, 2, {}))


def played(language: str = "en") -> Match:
    match = Match(game(language)).start()
    for text in ("take primer", "take reader", "put 3", "primer"):
        match.choose(match.decisions()[0].seat, text)
    return match


def test_choices_say_the_label_and_keep_the_number() -> None:
    match = Match(game("hu")).start()
    match.choose("A", "take primer")
    match.choose("B", "take reader")
    found = {choice.text: choice.label for choice in match.decisions()[0].choices}
    assert found["put 3"].endswith("a teteje")
    assert found["put 2"].endswith(" 2")


def test_story_and_log_say_the_label() -> None:
    match = played()
    told = lines_of(TableNames.of(match.game), entries(match, REFEREE))
    assert told[-1] == "A — primer: hand → rack the top"


def test_a_refusal_says_the_label_of_what_it_compares() -> None:
    match = Match(game()).start()
    why, _ = match.game.refusals.why(match.state[:], match.waiting()[0], "take tome")
    assert "hard" in why
    assert "grade is hard" in why


def test_tables_and_sentences_of_the_rulebook_say_the_label() -> None:
    rules = shelves()
    words = (rules.labels, rules.helps, rules.nouns, rules.phrases, rules.language)
    chosen = configure(rules, None, {})[1]
    text = markdown(write_book(Lexicon(rules, *words), Configuration(rules, None, chosen)))
    assert "easy" in text
    assert "not the floor" in text
    assert "less than hard" in text


def test_a_part_of_a_type_has_its_labels() -> None:
    assert shelves().labels["low.0"] == "the floor"


def test_faces_and_sheets_say_the_label() -> None:
    machine = game()
    book = machine.rules.components["book"]
    assert [cell_text(machine, book.columns["grade"], row) for row in range(3)] == ["easy", "2", "hard"]


def test_labels_of_numbers_that_are_not_there_are_found() -> None:
    rules = shelves(EN + "shelf.4: the roof\ngrade.9: mad\n")
    found = [finding.about for finding in labels_of_nothing(rules, shown_names(rules))]
    assert found == ["shelf.4", "grade.9"]


def test_a_label_for_a_number_of_a_counter_says_where_numbers_have_labels() -> None:
    rules = shelves(EN + "level.2: a master\n", YAML + "counters: {level: {range: 1..3}}\n")
    (found,) = labels_of_nothing(rules, shown_names(rules))
    assert found.about == "level.2"
    assert found.hint == "numbers of types and columns have labels; `level` is a counter"


SCRIPT = """
import { described } from "./rulewright/web/i18n.js";
import { cellText, valueLabel, wordLabels } from "./rulewright/web/table/names.js";

described.value = given;
const model = { description: given, seatType: "seat" };
const node = Object.entries(given.decisions).find(([, one]) => one.offers)[0];
const grade = given.components.book.columns.find(({ name }) => name === "grade");
console.log(JSON.stringify([
    valueLabel(model, "shelf", 3), valueLabel(model, "shelf", 2), cellText(model, grade, 3),
    cellText(model, grade, 2),
    wordLabels(model, "put 3", node), wordLabels(model, "put 2", node)]));
"""


def test_the_page_says_the_label(tmp_path: Path) -> None:
    said = run_in_node(SCRIPT, tmp_path, describe(game()))
    assert said == ["the top", "2", "hard", "2", ["put on", "the top"], ["put on", "2"]]


@pytest.mark.parametrize("language", ["en", "hu"])
def test_permits_of_constantinopolis_are_letters(language: str) -> None:
    rules = rules_of("constantinopolis").in_language(language)
    column = rules.components["tile"].columns["permit"]
    assert {rules.labels[f"permit.{n}"] for n in set(column.values) - {0}} == set("ABCD")
