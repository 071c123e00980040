"""Everything that the trace of a rulebook can find, each in a copy of one small game that has only that.

A folder is named after its code and the finding; it holds the files that
differ from those in `clean`. `expected.txt` is what people read. `pytest tests/trace --bless` records anew.
"""

from __future__ import annotations

import inspect
from functools import cache
from pathlib import Path

import pytest

from dsl.diagnostics import REGISTER, ErrorsReported, Report
from dsl.folder import Folder
from dsl.load import load_for_questions
from dsl.render import snippets
from dsl.source import Source
from validators.scenarios.reading import read_scenarios
from validators.trace.accounts import account_of
from validators.trace.constants import numbers_of
from validators.trace.executed import watch
from validators.trace.messages import TraceDiagnostic as Finding
from validators.trace.sites import rendering, sites
from validators.trace.summaries import FREE, _counted
from validators.trace.trace import Traced, trace

HERE = Path(__file__).parent
CASES = sorted(path.name for path in HERE.glob("T*"))
CODES = sorted(code for code, kind in REGISTER.items() if issubclass(kind, Finding))


def fetch(name: str, path: str) -> bytes:
    own = HERE / name / path
    return (own if own.is_file() else HERE / "clean" / path).read_bytes()


def source(name: str, path: str) -> Source:
    return Source(f"apples/{path}", fetch(name, path).decode())


@cache
def traced(name: str, *texts: str) -> Traced:
    rules, report, questions = load_for_questions(Folder("apples", lambda path: fetch(name, path)))
    assert not len(report)
    scenarios = read_scenarios(source(name, "scenarios/picking.yaml"), rules)
    accounts = [account_of(rules, rules.texts[text], source(name, f"{text}.txt")) for text in texts]
    return trace(rules, watch(rules, questions, scenarios, 20), accounts)


def said(name: str) -> tuple[str, ...]:
    return tuple(diagnostic.code for diagnostic in traced(name, "en", "hu").findings)


def test_the_clean_game_is_clean() -> None:
    assert said("clean") == ()


@pytest.mark.parametrize("name", CASES)
def test_golden(name: str, golden) -> None:
    report = Report(list(traced(name, "en", "hu").findings))
    golden(HERE / name / "expected.txt", snippets(report) + "\n")


@pytest.mark.parametrize("name", CASES)
def test_one_fault_is_one_finding(name: str) -> None:
    """One for each text, if it is about what stands in both."""
    assert set(said(name)) == {name[:4]}
    assert len(said(name)) <= 2


@pytest.mark.parametrize("name", CASES)
def test_folders_are_named_after_their_finding(name: str) -> None:
    code, _, finding = name.partition("-")
    assert code in REGISTER
    assert finding
    assert not finding[-1].isdigit()


def test_every_code_has_a_folder() -> None:
    assert {name[:4] for name in CASES} == set(CODES)


@pytest.mark.parametrize("code", ["T301", *CODES, "T314", "T315"])
def test_every_code_is_explained(code: str) -> None:
    paragraphs = inspect.cleandoc(REGISTER[code].__doc__ or "").split("\n\n")
    assert paragraphs[0].endswith(".")
    assert len(paragraphs) >= 2


# ---- what is known of clauses


def row(name: str, clause: str):
    return next(row for row in traced(name, "en", "hu").rows if row.clause.id == clause)


def test_a_clause_is_rendered_by_the_lines_that_cite_it_and_those_under_a_header_that_does() -> None:
    assert [site.place for site in row("clean", "§2.2").sites] == [
        "apples/apples.rules:1",
        "apples/apples.rules:2",
        "apples/apples.rules:3",
    ]


def test_playouts_and_scenarios_come_to_a_clause() -> None:
    picking = row("clean", "§2.2")
    assert picking.played == 20
    assert [s.name for s in picking.seen_by] == ["Three apples are the most", "The last apple wins"]
    assert [s.name for s in picking.asserted_by] == ["Three apples are the most"]


def test_a_line_that_play_never_comes_to() -> None:
    never = row("T308-not-executed", "§2.1")
    assert never.played == 0
    assert never.holds("rendered")
    assert not never.holds("executed")


def test_declarations_stand() -> None:
    assert row("clean", "§1.1").stands
    assert row("clean", "§1.1").holds("executed")


def test_what_is_excluded_is_not_asked() -> None:
    assert row("T313-reason-for-an-asserted-clause", "§2.1").asked == ("rendered", "executed")


def test_sentences_are_known_by_clause() -> None:
    account = traced("clean", "en", "hu").accounts[1]
    assert [one.number for one in account.of("§0.1")] == [1, 2]
    assert account.claimed == 7


def test_a_text_in_another_edition_is_carried_over() -> None:
    """Its sentences have moved; the clauses that claim them are found again."""
    rules = traced("clean", "en").rules
    text = fetch("clean", "en.txt").decode()
    account = account_of(rules, rules.texts["en"], Source("new.txt", f"A new edition.\n\n{text}"))
    assert account.alignment.moved == {n: n + 1 for n in range(1, 8)}
    assert account.claims.of_sentence(4) == ("§1.1",)
    assert account.claims.of_sentence(1) == ()


def test_an_unrelated_text_is_no_crash() -> None:
    rules = traced("clean", "en").rules
    account = account_of(rules, rules.texts["en"], Source("other.txt", ""))
    assert len(account.alignment.gone) == 7
    assert account.claimed == 0


# ---- rows of tables


CARDS = """game: cards
seats: 2
clauses: rulebook.yaml
rules: [cards.rules]
components:
  card: {table: cards.csv, columns: {cost: 0..9}}
  token: {rows: {crown: {cost: 4, clause: §3}, cross: {cost: 5}}, columns: {cost: 0..9}}
zones:
  deck: {holds: card, start: all, order: shuffled, seen_by: nobody}
  box: {holds: token, start: all, seen_by: all}
flow:
  turn: {do: [deal], then: final}
  final: {score: none}
"""
FILES = {
    "game.yaml": CARDS,
    "cards.csv": "card,cost,clause\nknight,7,§1 §2\nsquire,3,\n",
    "rulebook.yaml": "clauses: {§1: {says: a}, §2: {says: b}, §3: {says: c}}",
    "cards.rules": "procedure deal\n    shuffle deck\n",
}


def cards(**changes: str):
    files = {**FILES, **{name.replace("_", "."): text for name, text in changes.items()}}
    rules, report, _ = load_for_questions(Folder("cards", lambda path: files[path].encode()))
    assert not report.has_errors
    return rules


def test_rows_render_clauses() -> None:
    by_clause = rendering(sites(cards()))
    assert {mark: [s.place for s in found] for mark, found in by_clause.items()} == {
        "§1": ["cards/cards.csv:2"],
        "§2": ["cards/cards.csv:2"],
        "§3": ["cards/game.yaml:7"],
    }
    assert by_clause["§1"][0].span.text == "knight,7,§1 §2"
    assert numbers_of(cards(), by_clause["§1"]) == {7}


def test_a_mark_in_a_row_is_checked() -> None:
    with pytest.raises(ErrorsReported) as stop:
        cards(cards_csv="card,cost,clause\nknight,7,§4\n")
    assert [m.span.place for m in stop.value.report] == ["cards/cards.csv:2:10"]


def test_a_game_may_have_a_column_of_that_name() -> None:
    changed = CARDS.replace(
        "cards.csv, columns: {cost: 0..9}", "cards.csv, columns: {cost: 0..9, clause: 0..9}"
    )
    rules = cards(game_yaml=changed, cards_csv="card,cost,clause\nknight,7,2\n")
    assert rules.components["card"].columns["clause"].values == (2,)
    assert [row.name for row in rules.rows] == ["crown"]


# ---- what texts say of lines


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("Gain three more coins.", [3]),
        ("One coin each; 4 coins for the king.", [1, 4]),
        ("Whoever has more than three coins pays.", []),
        ("Up to three coins, at least two coins.", []),
        ("Two of the coins, and one card.", []),
    ],
)
def test_a_number_counts_the_thing_that_follows_it(text: str, numbers: list[int]) -> None:
    assert list(_counted(text, "coins")) == numbers


def test_a_choice_among_actions_is_free_enough() -> None:
    """`do one of` is a choice, though one of them must be done."""
    assert FREE.search("A player may take a card")
    assert not FREE.search("A card may be taken")
    assert not FREE.search("Players may not take a card")
