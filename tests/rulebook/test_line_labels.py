"""A line of the account whose name is also that of something else may have a label of its own."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

from rich.console import Console

from dsl.load import Folder, load
from dsl.rules import Rules
from interpreter.compile.program import compile_rules, configure
from interpreter.game import Game
from interpreter.match import Match
from interpreter.sights import REFEREE
from rulewright.presentation.description import describe
from rulewright.rulebook.book import write_book
from rulewright.rulebook.markdown import markdown
from rulewright.sentences.names import Lexicon
from rulewright.sentences.partial_eval import Configuration
from rulewright.tui.score_sheet import account
from tests.web.in_node import run_in_node
from validators.checks.label_of_nothing import labels_of_nothing, shown_names

YAML = """
game: halls
seats: 2
rules: [halls.rules]
labels: {en: en.yaml, hu: hu.yaml}
types: {hall: [senate, forum]}
counters: {votes: {of: seat, at: hall, range: 0..9}}
flow: {turn: {do: [speak], then: final}, final: {score: highest}}
"""
RULES = """
procedure speak
    choose hall
    gain 1 votes at hall
score forum = votes of me at forum
tiebreak senate = votes of me at senate
"""
EN = "senate: IV senate\nforum: II forum\nscore.senate: place in the senate\n"
HU = "senate: IV. szenátus\nforum: II. fórum\nscore.senate: hely a szenátusban\n"
SCRIPT = """
import { described, label, scoreLabel } from "./rulewright/web/i18n.js";

described.value = given;
console.log(JSON.stringify([scoreLabel("senate"), label("senate"), scoreLabel("forum")]));
"""


def halls(en: str = EN) -> Rules:
    files = {"game.yaml": YAML, "halls.rules": RULES, "en.yaml": en, "hu.yaml": HU}
    return load(Folder("halls", lambda name: files[name].encode()))[0]


def game(rules: Rules) -> Game:
    return Game(rules, compile_rules(rules, 2, {}))


def test_the_account_has_the_label_of_its_line_in_each_language() -> None:
    for tag, own, bare in [
        ("en", "place in the senate", "IV senate"),
        ("hu", "hely a szenátusban", "IV. szenátus"),
    ]:
        names = game(halls().in_language(tag)).names
        assert (names.score("senate"), names.label("senate")) == (own, bare)
    assert game(halls()).names.score("forum") == "II forum"


def test_the_terminal_shows_it() -> None:
    shown = StringIO()
    Console(file=shown, width=80).print(account(Match(game(halls())), REFEREE))
    assert "Tie-break: place in the senate" in shown.getvalue()
    assert "II forum" in shown.getvalue()


def test_the_rulebook_says_it() -> None:
    rules = halls()
    words = (rules.labels, rules.helps, rules.nouns, rules.phrases, rules.language)
    chosen = configure(rules, None, {})[1]
    book = markdown(write_book(Lexicon(rules, *words), Configuration(rules, None, chosen)))
    assert "Place in the senate" in book


def test_the_page_shows_it(tmp_path: Path) -> None:
    assert run_in_node(SCRIPT, tmp_path, describe(game(halls()))) == [
        "place in the senate",
        "IV senate",
        "II forum",
    ]


def test_only_a_line_of_the_account_has_such_a_label() -> None:
    rules = halls(EN + "score.votes: votes\n")
    assert [found.about for found in labels_of_nothing(rules, shown_names(rules))] == ["score.votes"]
