"""Each operator shows its edits."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.diagnostics import DiagnosticError, ErrorsReported
from dsl.load import load
from dsl.source import Source, Span
from tests.games import sample
from validators.mutate.generate import generate_mutants
from validators.mutate.mutant import Mutant, TextEdit, edited, in_memory, mutated
from validators.mutate.operators import OPERATORS

SPECIMEN = Path(__file__).parent / "specimen"
FILES = {path.name: path.read_bytes() for path in SPECIMEN.iterdir()}


SHELF = in_memory("specimen", FILES)


def made(files: dict[str, bytes]) -> tuple[Mutant, ...]:
    folder = in_memory("specimen", files)
    return generate_mutants(load(folder)[0], folder)


MUTANTS = made(FILES)
CASES = [
    ("dropped-needs", "action sell", "needs count(card in table of me) is not 0", "nothing"),
    ("dropped-condition", "procedure rest", "not tired of me and gold of me > 0", "gold of me > 0"),
    ("dropped-condition", "action buy", "gold of me > 1 or tired of me", "gold of me > 1"),
    (
        "dropped-condition",
        "action buy",
        "gold of me >= card.cost and (gold of me > 1 or tired of me)",
        "(gold of me > 1 or tired of me)",
    ),
    ("dropped-condition", "action buy", "where card.cost <= gold of me", ""),
    (
        "dropped-condition",
        "modify worth",
        "while card.sort is nut and any(die in box where die.face is 6)",
        "",
    ),
    ("negated-condition", "procedure rest", "not tired of me", "tired of me"),
    ("negated-condition", "action buy", "tired of me", "not tired of me"),
    ("negated-condition", "value finished", "true", "false"),
    ("swapped-comparison", "action buy", ">=", ">"),
    ("swapped-comparison", "action buy", ">=", "<"),
    ("swapped-comparison", "action buy", "is", "is not"),
    ("swapped-comparison", "value finished", "is empty", "is not empty"),
    ("swapped-comparison", "action sell", "exists", "is none"),
    ("wrong-logic", "procedure rest", "and", "or"),
    (
        "wrong-logic",
        "value finished",
        "all(die.face > 1 for die in box)",
        "any(die in box where (die.face > 1))",
    ),
    (
        "wrong-logic",
        "modify worth",
        "any(die in box where die.face is 6)",
        "all(die.face is 6 for die in box)",
    ),
    ("off-by-one", "procedure rest", "2", "3"),
    ("off-by-one", "procedure rest", "2", "1"),
    ("off-by-one", "action pick", "2", "3"),
    ("off-by-one", "action barter", "3", "4"),
    ("off-by-one", "action barter", "2", "1"),
    ("off-by-one", "phase fair do at most", "3", "2"),
    ("off-by-one", "constant hand_size", "3", "4"),
    ("off-by-one", "counter gold range", "9", "8"),
    ("off-by-one", "counter silver start", "4", "5"),
    ("off-by-one", "component die die", "6", "7"),
    ("off-by-one", "table price rows", "5", "6"),
    ("off-by-one", "cards.csv pear cost", "3", "2"),
    ("wrong-arithmetic", "action sell", "+=", "-="),
    ("wrong-arithmetic", "action sell", "*", "+"),
    (
        "wrong-arithmetic",
        "score bonus",
        "-1",
        "1",
    ),
    ("wrong-extreme", "action sell", "max", "min"),
    ("wrong-extreme", "action sell", "lowest", "highest"),
    ("wrong-extreme", "action barter", "highest", "lowest"),
    ("wrong-extreme", "phase final score", "highest", "lowest"),
    ("wrong-fold", "score riches", "sum(worth(card) for card in table of me)", "count(card in table of me)"),
    ("dropped-statement", "procedure deal", "shuffle deck", "nothing"),
    ("dropped-statement", "action buy", "do card.power", "nothing"),
    ("dropped-statement", "action pick", "record stand", "nothing"),
    ("wrong-verb", "action buy", "to opponent", ""),
    ("wrong-verb", "action sell", "pay", "lose"),
    ("wrong-verb", "action sell", "gains", "loses"),
    ("wrong-verb", "action buy", "set", "clear"),
    ("wrong-verb", "action buy", "bottom", "top"),
    ("wrong-verb", "when card enters waste", "enters", "leaves"),
    ("wrong-seat", "action buy", "me", "opponent"),
    ("wrong-seat", "effect feast", "gain", "opponent gains"),
    ("wrong-seat", "action sell", "next", "previous"),
    ("wrong-zone", "action buy", "hand", "table"),
    ("wrong-zone", "action sell", "waste", "deck"),
    ("wrong-value", "action buy", "nut", "fruit"),
    ("wrong-value", "action sell", "last", "first"),
    (
        "may-for-must",
        "action buy",
        "may choose other from hand of me",
        "choose other from hand of me if any",
    ),
    (
        "may-for-must",
        "action sell",
        "choose one_more from table of opponent if any",
        "may choose one_more from table of opponent",
    ),
    ("may-for-must", "action buy", "do", "may do"),
    ("may-for-must", "action sell", "may do", "does"),
    ("may-for-must", "phase turn do", "may keep doing", "may do"),
    ("dropped-line", "value finished", "true when deck is empty", ""),
    ("dropped-line", "tiebreak best", "tiebreak best = gold of me", ""),
    ("dropped-line", "when card enters waste", "when card enters waste shuffle waste", ""),
    ("up-to-for-exactly", "action pick", "", "up to"),
    ("up-to-for-exactly", "action pick", "up to", ""),
    ("up-to-for-exactly", "action barter", "up to", ""),
    ("while-for-until", "action barter", "until", "while"),
    ("while-for-until", "action barter", "repeat until gold of me > 3, at most 9 times", "repeat 1 times"),
    ("wrong-turns", "action barter", "from pawn_holder", ""),
    (
        "wrong-turns",
        "phase fair do",
        "each seat in turn from pawn_holder where not tired of me",
        "each seat in turn where not tired of me",
    ),
    ("dropped-weight", "action pick", "by weight 1 + gold of seat", ""),
    ("wrong-row", "cards.csv apple sort", "fruit", "nut"),
    ("wrong-row", "table price rows", "2", "5"),
    ("wrong-reading", "ruling ties chosen", "first", "last"),
    ("wrong-reading", "option long default", "false", "true"),
    ("wrong-sight", "zone hand seen_by", "owner", "all"),
    ("wrong-sight", "zone hand counted_by", "all", "nobody"),
    ("wrong-sight", "zone table seen_by", "all", "owner"),
    ("dropped-step", "phase set_up do", "deal,", ""),
    ("dropped-step", "phase set_up do", ", rest", ""),
    ("dropped-step", "phase turn do", "- {may keep doing: [buy, sell], named: trade, clause: §3.3}", ""),
    ("wrong-phase", "phase set_up then", "turn", "fair"),
    ("dropped-otherwise", "phase fair do otherwise", ", otherwise: [rest]", ""),
    ("dropped-part", "history stand of", "gold,", ""),
]


@pytest.mark.parametrize(("operator", "header", "old", "new"), CASES)
def test_edits(operator: str, header: str, old: str, new: str) -> None:
    found = {(m.operator, m.header, m.old, m.new) for m in MUTANTS}
    assert (operator, header, old, new) in found


def test_every_operator_has_a_case() -> None:
    assert list(dict.fromkeys(case[0] for case in CASES)) == [operator.name for operator in OPERATORS]


def test_more_than_two_seats_have_a_next_one() -> None:
    game = FILES["game.yaml"].replace(b"seats: 2\n", b"seats: 2..3\n")
    rules = FILES["specimen.rules"].replace(b"opponent", b"next(me)")
    found = made({**FILES, "game.yaml": game, "specimen.rules": rules})
    seats = {(m.old, m.new) for m in found if m.operator == "wrong-seat" and m.header == "action buy"}
    assert seats == {("me", "next(me)"), ("next", "previous")}


# ---- what no operator touches


@pytest.mark.parametrize(
    ("header", "old"),
    [
        ("procedure rest", "5"),  # how often a loop may go round
        ("counter silver range", "9"),  # the end of a range that is a fault
        ("action barter", "9"),  # how often a block may be repeated
        ("value twice", "4"),  # what a parameter may be that is always given
        ("always gold of A < 10", "10"),  # a promise
        ("zone deck seen_by", "count"),  # who sees what cites no clause
        ("component card columns cost", "9"),  # the range of a column
    ],
)
def test_promises_stay(header: str, old: str) -> None:
    assert not [m for m in MUTANTS if (m.header, m.old) == (header, old)]


# ---- overlays

HOUSE = b"""
overlay: specimen
game: house
rules: [house.rules]
removes: [score bonus, value twice]
"""


def test_what_an_overlay_leaves_of_the_game_below() -> None:
    below = FILES["specimen.rules"].replace(b" + twice(1)", b"")
    files = {
        "game.yaml": HOUSE,
        "house.rules": b"score houses = gold of me\n",
        **{f"base/{name}": text for name, text in {**FILES, "specimen.rules": below}.items()},
    }
    found = made(files)
    dropped = [m.old for m in found if m.operator == "dropped-part" and m.header.startswith("removes")]
    assert dropped == ["score bonus,", ", value twice"]


# ---- what all have in common


def test_a_mutant_belongs_to_the_clauses_of_its_line_or_of_what_is_around_it() -> None:
    by_place = {(m.header, m.old, m.new): m.clauses for m in MUTANTS}
    assert by_place["procedure rest", "clear tired of me", "nothing"] == ("§2",)
    assert by_place["procedure rest", "gain", "lose"] == ("§2",)
    assert {m.clauses for m in MUTANTS if m.header == "procedure rest"} == {("§2",), ("§2.1",)}
    assert by_place["value finished", ">", ">="] == ()
    assert by_place["phase set_up do", "deal,", ""] == ("§1",)
    assert by_place["cards.csv apple cost", "2", "1"] == ("§3",)
    assert by_place["cards.csv pear cost", "3", "2"] == ("§3.1",)
    assert by_place["phase turn do", "may keep doing", "may do"] == ("§3.3",)
    assert not [m for m in MUTANTS if m.old.startswith("§") or m.header.endswith(" clause")]


def test_each_edit_is_made_once() -> None:
    places = [tuple((m.path, e.span.start, e.span.end, e.new) for e in m.edits) for m in MUTANTS]
    assert len(places) == len(set(places))


@pytest.mark.parametrize("every", sample([2, 1], [2]))
def test_nearly_all_are_games(every: int) -> None:
    """Of how many mutants one is loaded: every second, or all."""

    def is_game(mutant: Mutant) -> bool:
        try:
            load(mutated(SHELF, mutant))
        except (ErrorsReported, DiagnosticError):
            return False
        return True

    tried = MUTANTS[::every]
    broken = [m for m in tried if not is_game(m)]
    syntax = [(m.operator, m.old, m.new) for m in broken if _cannot_be_parsed(m)]
    assert syntax == []
    assert len(broken) < len(tried) // 5


def _cannot_be_parsed(mutant: Mutant) -> bool:
    try:
        load(mutated(SHELF, mutant))
    except ErrorsReported as stop:
        return any(diagnostic.code in ("D023", "D005", "D025") for diagnostic in stop.report)
    return False


def test_edits_are_made_from_the_end() -> None:
    source = Source("x", "one two three")
    edits = (TextEdit(Span(source, 0, 3), "four"), TextEdit(Span(source, 8, 13), "1"))
    assert edited(source.text, edits) == "four two 1"
