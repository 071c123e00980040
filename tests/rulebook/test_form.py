"""The form of a rulebook: what stands where, what is told once, and examples that were played."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.diagnostics import ErrorsReported
from dsl.load import load
from rulewright.library import folder
from rulewright.rulebook.document import Book, Illustration, Section, Steps, Table, all_sections
from rulewright.rulebook.html import html
from rulewright.rulebook.markdown import markdown
from tests.rulebook.test_prose import book, book_of

GAME = """\
game: ferry
title: The Ferry
seats: 2..3
clauses: rulebook.yaml
rules: [ferry.rules]
labels: labels.yaml
constants: {crossings: 4, tolls: {by_seats: {2: 3, 3: 5}}}
boards:
  isle: {graph: [north, south, rock], links: {north: [south], south: [rock]}}
components:
  parcel:
    table: parcels.csv
    columns: {weight: 1..9, does: effect or none}
    clause: §2
zones:
  shed: {holds: parcel, order: shuffled, seen_by: count, start: all}
  hold: {holds: parcel, of: seat, seen_by: all}
counters:
  money: {of: seat, range: 0..99, start: tolls}
  left: {range: 0..9, start: crossings}
pointers: {boat: {to: isle, start: north}}
flow:
  loading: {do: [load_up], then: turn}
  turn:
    seat: rotates
    do: [{do one of: [cross, wait, earn]}, pass_time]
    then: {over: count_up, otherwise: turn}
  count_up: {score: highest}
"""
RULES = """\
procedure load_up
    each seat in turn
        move 1 from shed to hold of me

value over = left is 0                        §3

value busy = boat is rock

action cross(isle where isle in neighbours(boat))    §1
    needs not busy
    boat = isle

action wait
    nothing

action earn(parcel from hold of me)
    gain parcel.weight money

procedure pass_time
    left -= 1

effect wet(number: 1..2)
    choose parcel from hold of me
    move parcel to shed
    gain number money

score savings = money of me
score cargo = size(hold of me)
"""
PARCELS = "parcel,weight,does\nbarrel,3,wet 1\nsack,4,wet 1\ncrate,5,wet 2\nbox,2,\n"
CLAUSES = """\
brief:
  role: Ferrymen of {isle} (§9).
  end: "After {crossings} crossings, with tolls of {tolls} (§3)."
clauses:
  §1: {heading: Crossing, says: The boat goes to the next isle.}
  §2: {heading: Parcels, kind: component, says: Four of them.}
  §3: {heading: The end, says: The ferry stops.}
  §9: {heading: The story, kind: flavour, says: It was long ago.}
  §10: {heading: Nowhere, kind: example, says: Nobody tells this.}
"""


def written(tmp_path: Path, clauses: str = CLAUSES, seats: int | None = None) -> Book:
    files = {
        "game.yaml": GAME, "ferry.rules": RULES, "parcels.csv": PARCELS, "rulebook.yaml": clauses,
        "labels.yaml": "help: {wait: The ferry stays where it is.}\nnouns: {over: the last crossing}\n",
    }  # fmt: skip
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return book(load(folder(tmp_path, "ferry"))[0], seats)


def section(made: Book, id: str) -> Section:
    return next(s for s in all_sections(made.sections) if s.id == id)


def rows(found: Section) -> list[list[str]]:
    return [[cell.text for cell in row.cells] for b in found.blocks if isinstance(b, Table) for row in b.rows]


def test_the_parts_come_in_their_order(tmp_path: Path) -> None:
    parts = [part.id for part in written(tmp_path).sections]
    assert parts == ["short", "components", "set-up", "glance", "course", "scoring", "reference"]


def test_the_designers_lines_come_before_derived_ones(tmp_path: Path) -> None:
    lines = [
        s.text for b in section(written(tmp_path), "short").blocks if isinstance(b, Steps) for s in b.steps
    ]
    said = "\n".join(lines)
    assert "Ferrymen of isle." in said
    assert "After 4 crossings, with tolls of 3 with 2 players and 5 with 3 players." in said
    assert "Whoever has the highest total wins." in said
    assert "“earn”" in said
    assert len(lines) == 5


@pytest.mark.parametrize(
    ("line", "code"),
    [("aim: Take {moneys}.", "D030"), ("aim: Take all (§77).", "D034"), ("goal: Take all.", "D009")],
)
def test_what_the_lines_name_must_be_there(tmp_path: Path, line: str, code: str) -> None:
    clauses = CLAUSES.replace("brief:\n", f"brief:\n  {line}\n")
    with pytest.raises(ErrorsReported) as caught:
        written(tmp_path, clauses)
    assert [error.code for error in caught.value.report.errors] == [code]


def test_phases_that_come_once_are_set_up(tmp_path: Path) -> None:
    made = written(tmp_path)
    inner = {
        id: [b.id for b in section(made, id).blocks if isinstance(b, Section)] for id in ("set-up", "course")
    }
    assert "phase-loading" in inner["set-up"]
    assert "phase-turn" in inner["course"]


def test_what_everybody_has_is_told(tmp_path: Path) -> None:
    said = markdown(written(tmp_path, seats=2))
    assert "When play begins, every player has: 1 parcel (hold) and 3 money." in said


def test_actions_are_listed_with_what_they_are_in_short(tmp_path: Path) -> None:
    found = rows(section(written(tmp_path), "glance"))
    assert [row[2] for row in found] == [
        "",  # its section says it
        "The ferry stays where it is.",
        "",
    ]
    assert markdown(written(tmp_path)).count("The ferry stays where it is.") == 1


def test_a_definition_is_told_where_alone_it_is_needed(tmp_path: Path) -> None:
    made = written(tmp_path)
    assert any(isinstance(b, Section) and b.id == "word-over" for b in section(made, "phase-turn").blocks)


def test_an_effect_of_several_rows_is_told_once(tmp_path: Path) -> None:
    made = written(tmp_path)
    tables = [b for b in section(made, "table-parcel").blocks if isinstance(b, Table)]
    assert [len(table.rows) for table in tables] == [1, 4]
    assert markdown(made).count("Gain 1 money.") == 1


def test_neighbours_of_places_drawn_by_hand_are_told(tmp_path: Path) -> None:
    assert rows(section(written(tmp_path), "table-isle")) == [
        ["North", "south", ""], ["South", "north and rock", ""], ["Rock", "south", "See “busy”."],
    ]  # fmt: skip


def test_only_what_is_told_nowhere_is_summed_up(tmp_path: Path) -> None:
    made = written(tmp_path)
    assert rows(section(made, "clauses"))[-1] == ["§10", "Nowhere (example): Nobody tells this"]
    told = next(where for said, where in rows(section(made, "clauses")) if said.startswith("§1"))
    assert "do-cross" in told
    text = markdown(made)
    assert "Nobody tells this" not in text
    assert "Nobody tells this" in html(made)
    assert "Told in" not in text


def test_neighbours_that_are_told_at_one_place_share_a_row() -> None:
    """Links to each of them lead there."""
    made = book_of("trajan")
    index = next(b for b in section(made, "clauses").blocks if isinstance(b, Table))
    sowing = next(row for row in index.rows if "§4.2 – §4.10" in row.cells[0].text)
    assert {sowing.id, *sowing.others} >= {"clause-4-5", "clause-4-6"}
    assert '<a id="clause-4-6"></a>' in html(made)


def test_a_mark_stands_at_a_sentence_or_at_its_heading() -> None:
    made = book_of("constantinopolis")
    text = markdown(made)
    assert "\n#### Contracts to draw\n" in text
    assert text.count("<sub>§9.1 §9.5 §9.7</sub>") == 1


def test_an_action_of_several_moments_is_told_once_at_a_glance() -> None:
    found = rows(section(book_of("constantinopolis"), "glance"))
    assert len({what for _, what, _ in found}) == len(found)
    assert [when for when, what, _ in found if "buy a good" in what.lower()] == [
        "Build and trade; Look at the contracts; Accept contracts"
    ]


def test_what_the_rules_say_elsewhere_is_not_told_as_a_promise() -> None:
    made = markdown(book_of("constantinopolis"))
    assert "number of free outposts is at least 0" not in made
    assert "There are exactly 106 contracts" not in made


@pytest.mark.parametrize("name", ["roma", "trajan"])
def test_examples_are_played_alike_each_time(name: str) -> None:
    first, second = (html(book_of(name)) for _ in range(2))
    assert "An example" in first
    assert first == second
    assert "An example" not in markdown(book_of(name))


def test_an_account_adds_up() -> None:
    found = rows(section(book_of("trajan"), "account"))
    *lines, total = found
    for column in range(1, len(total)):
        digits = "".join(c for c in total[column] if c.isdigit() or c == "-")
        assert sum(int(line[column]) for line in lines) == int(digits)


def test_the_prepared_table_is_drawn_on_the_page(tmp_path: Path) -> None:
    made = written(tmp_path)
    assert any(isinstance(b, Illustration) for b in section(made, "set-up").blocks)
    assert "the prepared table of The Ferry" in html(made)


def test_a_table_tells_numbers_in_their_order_and_each_kind_once() -> None:
    """Buildings are the kinds of building tiles; what help repeats of a row is left out."""
    made = book_of("constantinopolis")
    ids = {s.id for s in all_sections(made.sections)}
    assert "table-tile" in ids
    assert "table-building" not in ids
    contracts = next(b for b in section(made, "table-contract").blocks if isinstance(b, Table))
    assert "Rounds at sea (Parvus Dromo, Medius Dromo, Magnus Dromo)" in contracts.head
    wall = next(row for row in rows(section(book_of("roll_through_the_ages"), "table-project"))
                if row[0] == "Great Wall")  # fmt: skip
    assert wall[-1] == "Once finished, your own invasion costs you nothing."


def test_rows_with_the_same_cells_share_a_row() -> None:
    """Of each tile its name stands there, how many there are, and the one cell that is its own."""
    needs, *_ = [row for row in rows(section(book_of("trajan"), "table-trajan-tile")) if "need" in row]
    assert needs[:2] == ["need", "1"]
    assert needs[-1].startswith("Green+green 1 +bread; Green+orange 1 +bread; ")
    tiles = markdown(book_of("trajan"))
    assert "… 4 +marker: Blue+pink; " in tiles
    assert "; Pink+white ×2;" in tiles
    assert "; Extra seaport ×3; " in tiles


def test_what_names_say_has_no_column() -> None:
    tiles = markdown(book_of("trajan"))
    assert "| Trajan tile, named after its markers wanted and need |" in tiles
    assert "\nConstruction tile, named after its points and kind: Stairs 2 to 5; Door 2 to 5; " in tiles


def test_a_table_with_one_key_is_a_line() -> None:
    assert "\nNumber 0 to 2: 0; 3: 10; 4: 20.\n" in markdown(book_of("trajan"))


def test_a_table_whose_numbers_a_summary_tells_is_left_out() -> None:
    text = markdown(book_of("trajan"))
    assert "Penalty" not in text
    assert "One, two or three demands not met cost 4, 9 or 15 points." in text


def test_a_ruling_that_a_sentence_says_is_not_told_again() -> None:
    text = markdown(book_of("trajan"))
    assert "A leader in the camp" not in text
    assert "* Your leader is on a province. <sub>§R16</sub>" in text
    assert "The tray that was emptied" in text  # its sentence is told by a summary
