"""Where clauses can be cited besides lines of rules: seats, types, rows of tables, steps of the flow."""

from __future__ import annotations

from functools import cache

from dsl.folder import Folder
from dsl.load import load_for_questions
from dsl.rules import Rules
from validators.trace.constants import numbers_of
from validators.trace.sites import RuleSite, rendering, sites

FILES = {
    "game.yaml": """
game: market
seats: {count: 2..4, clause: §1.1}
rules: [market.rules]
clauses: rulebook.yaml
types:
  hue: {values: [red, blue], clause: §1.2}
  rank: {values: 1..6, clause: §1.2}
boards:
  track: {line: track.csv, columns: {points: 0..9}, clause: §1.3}
components:
  card: {table: cards.csv, columns: {sort: [fruit, meal], cost: 0..9, power: effect or none}, clause: §1.4}
  tile: {rows: {hill: {cost: 3, clause: §2.1}, lake: {cost: 4}}, columns: {cost: 0..5}}
zones:
  hand: {holds: card, of: seat, seen_by: owner}
  deck: {holds: card, order: shuffled, seen_by: count, start: all}
  bag: {holds: tile, seen_by: nobody, start: all}
counters: {coins: {of: seat, range: 0..99}}
tables:
  fee: {over: 0..9, gives: 0..30, rows: {0..2: 1, 3..6: 11, 7..9: 12}, clause: §3.1}
flow:
  round:
    do:
      - each seat in turn:
          - {may do: [work, rest], clause: §3.2}
          - {may do: [rest], named: nap}
        clause: §3.3
    then: final
    clause: §3.4
  final: {score: highest}
""",
    "market.rules": """
action work
    gain fee(2) coins                                                §3.1
action rest
    gain 1 coins
effect take(number: 0..9)
    gain number coins
score coins = coins of me
""",
    "cards.csv": """card,sort,clause,cost,power
apple,fruit,§2.1 §2.2,3,take 7
stew,meal,,5,
""",
    "track.csv": """track,points,clause
start,0,§2.3
goal,9,
""",
    "rulebook.yaml": "clauses: {"
    + ", ".join(f"§{a}.{b}: {{says: x}}" for a in (1, 2, 3) for b in (1, 2, 3, 4))
    + "}",
}


@cache
def market() -> Rules:
    rules, report, _ = load_for_questions(Folder("market", lambda path: FILES[path].encode()))
    assert not report.has_errors, list(report)
    return rules


def cited(mark: str) -> tuple[RuleSite, ...]:
    return rendering(sites(market()))[mark]


def names(mark: str) -> list[str]:
    return [site.name for site in cited(mark)]


def test_seats_and_types_cite() -> None:
    assert names("§1.1") == ["seat"]
    assert names("§1.2") == ["hue", "rank"]


def test_values_that_a_column_lists_render_what_the_table_renders() -> None:
    assert names("§1.4") == ["card", "sort"]


def test_rows_have_the_numbers_of_their_cells_and_those_that_effects_get() -> None:
    assert numbers_of(market(), cited("§2.2")) == {3, 7}
    assert names("§2.3") == ["start"]


def test_steps_cite_and_count_what_they_offer() -> None:
    assert names("§3.2") == names("§3.3") == names("§3.4") == ["round"]
    assert numbers_of(market(), cited("§3.2")) == {2}


def test_a_table_has_the_numbers_at_which_it_changes() -> None:
    declared = [site for site in cited("§3.1") if site.kind == "declaration"]
    assert {3, 7} <= numbers_of(market(), declared)
    assert not {2, 6} & numbers_of(market(), declared)
