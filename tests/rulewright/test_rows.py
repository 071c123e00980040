"""What the table says of rows: cells, words for the rest, and pieces that are drawn as rows."""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console, RenderableType

from interpreter.match import Match
from rulewright.library import open_game
from rulewright.tui.board import board
from rulewright.tui.explain import Explainer
from rulewright.tui.menu import menu_of, shown
from rulewright.tui.public_values import PublicValues
from rulewright.tui.view_model import RowScope, ViewModel

GAME = """\
game: plots
seats: 2
rules: [plots.rules]
labels: labels.yaml
types: {good: [wood, stone, cloth]}
components:
  plot:
    table: plots.csv
    columns:
      number: 1..9
      plot_kind: [field, hill]
      wants: {each: good, range: 0..4}
      open_to: {each: good, range: 0..1}
      walled: flag
      power: effect or none
      from_good: good or none
      most: 0..9
  cube: {count: 20}
zones:
  pile: {holds: plot, seen_by: all, start: all}
  offer: {holds: plot, seen_by: all, drawn: rows}
  land: {holds: plot, of: seat, seen_by: all, drawn: rows}
  heap: {holds: cube, seen_by: all, start: all}
  laid: {holds: cube, of: plot, at: good, seen_by: all}
flow: {play: {do: [deal], then: final}, final: {score: highest}}
"""
PLOTS = """\
plot,number,plot_kind,wants_wood,wants_stone,wants_cloth,open_to_wood,open_to_stone,open_to_cloth,walled,power,from_good,most
acre,1,field,2,0,1,0,0,0,,gain_cubes 3,,
bend,2,hill,0,1,0,1,0,0,true,bend,,
crag,3,hill,1,0,0,0,0,0,,,wood,8
dale,4,field,4,0,0,0,0,0,,turn_two wood cloth,,
edge,5,field,0,3,0,0,0,0,,,,
"""
RULES = """\
procedure deal
    for plot in pile where plot.number < 3
        move plot to land of me
    for plot in pile where plot.number is 3
        move plot to land of B
    move 1 from heap to laid of acre at wood
    move 2 from heap to laid of crag at stone
    for plot in pile where plot.number > 3
        move plot to offer
    may do take
action take(plot from offer)
    move plot to land of me
effect gain_cubes(number: 1..3)
    gain number spare
effect bend
    gain 1 spare
effect turn_two(good, other: good)
    gain 1 spare
score plots = size(land of me)
"""
LABELS = """\
{gain_cubes: gain cubes, turn_two: turn, walled: wall, power: power, from_good: comes from, plot_kind: kind,
 wants: wants, open_to: open to, number: "no", heap: "", pile: "", spare: ""}
"""


def dealt(folder: Path, plots: str = PLOTS) -> Match:
    files = {"game.yaml": GAME, "plots.csv": plots, "plots.rules": RULES, "labels.yaml": LABELS}
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    counter = "counters: {spare: {range: 0..99}}\nflow:"
    (folder / "game.yaml").write_text(GAME.replace("flow:", counter), encoding="utf-8")
    return Match(open_game(str(folder)), seed=1).start()


def lines(what: RenderableType, console: Console) -> list[str]:
    with console.capture() as said:
        console.print(what)
    return [" ".join(line.split()) for line in said.get().splitlines() if line.strip()]


def console_of(width: int) -> Console:
    return Console(file=io.StringIO(), width=width, color_system=None)


def menu(match: Match, height: int, width: int = 100) -> list[str]:
    console = console_of(width)
    return lines(shown(menu_of(match.game, match.decisions()[0]), console, width, height), console)


def table(match: Match, tells: RowScope = "all") -> list[str]:
    console = console_of(100)
    model = ViewModel(
        match.game, match.view(0), ["human", "human"], PublicValues(match.game), match.state, row_scope=tells
    )
    return lines(board(model, console, 100), console)


def test_groups_effects_and_what_few_rows_have_are_put_into_words(tmp_path: Path) -> None:
    assert menu(dealt(tmp_path), 20) == [
        "take no kind wants",
        "1 dale 4 field 4 wood; power: turn wood and cloth",
        "2 edge 5 field 3 stone",
        "0 pass",
    ]


def test_in_a_list_the_words_stand_behind_the_cells(tmp_path: Path) -> None:
    assert menu(dealt(tmp_path), 2, 130) == [
        "take (no, kind; wants) "
        "1 dale (4, field; 4 wood; power: turn wood and cloth) 2 edge (5, field; 3 stone)",
        "0 pass",
    ]


def test_pieces_are_drawn_as_rows_with_what_lies_on_them(tmp_path: Path) -> None:
    told = table(dealt(tmp_path))
    start = told.index("offer no kind wants")
    assert told[start:] == [
        "offer no kind wants",
        "dale 4 field 4 wood; power: turn wood and cloth",
        "edge 5 field 3 stone",
        "land no kind wants",
        "A acre 1 field 1/2 wood, 0/1 cloth; power: gain cubes 3",
        "bend 2 hill 1 stone; open to 1 wood; wall",
        "B crag 3 hill 0/1 wood, 2/0 stone; comes from wood; most 8",
    ]
    assert not any(line.startswith("laid") for line in told)


def test_where_lines_are_few_others_or_all_are_told_by_their_names(tmp_path: Path) -> None:
    match = dealt(tmp_path)
    own, none = "\n".join(table(match, "own")), "\n".join(table(match, "none"))
    mine, others = "A acre 1 field 1/2 wood", "B crag 3 hill"
    assert [text in own for text in (mine, others, "land acre, bend crag", "crag · cube ×2 ·")] == [
        True, False, True, True,
    ]  # fmt: skip
    assert [text in none for text in (mine, others, "land acre, bend crag", "acre cube · ·")] == [
        False, False, True, True,
    ]  # fmt: skip
    assert "offer dale, edge" in none


def test_all_of_a_row_is_told_when_it_is_asked_for(tmp_path: Path) -> None:
    explainer = Explainer(dealt(tmp_path).game)
    told = [[text.plain for text in explainer.word(word)] for word in ("crag", "bend")]
    assert told == [
        ["crag", "no 3, kind hill; wants 1 wood; comes from wood; most 8"],
        ["bend", "no 2, kind hill; wants 1 stone; open to 1 wood; wall"],
    ]


def test_where_each_key_has_its_number_the_key_comes_first(tmp_path: Path) -> None:
    full = PLOTS.replace("hill,1,0,0", "hill,1,2,3").replace("hill,0,1,0", "hill,4,4,4")
    full = full.replace("field,4,0,0", "field,4,1,1").replace("field,0,3,0", "field,2,3,1")
    explainer = Explainer(dealt(tmp_path, full).game)
    assert [text.plain for text in explainer.word("crag")] == [
        "crag",
        "no 3, kind hill; wants wood 1, stone 2, cloth 3; comes from wood; most 8",
    ]


STACKS = {
    "game.yaml": """\
game: stacks
seats: 2
rules: [stacks.rules]
types: {suit: [red, black]}
components: {card: {table: cards.csv, columns: {colour: suit, worth: 0..9}}}
zones:
  pile: {holds: card, seen_by: all, start: all}
  stack: {holds: card, at: suit, seen_by: all}
flow: {play: {do: [choose_one], then: final}, final: {score: highest}}
""",
    "cards.csv": "card,colour,worth\nace,red,1\nten,black,9\n",
    "stacks.rules": """\
procedure choose_one
    for card in pile
        move card to WHERE
    choose card from stack
    move card to pile
score worth = 0
""",
}


def stacked(folder: Path, where: str, stack: str = "seen_by: all}") -> Match:
    for name, text in STACKS.items():
        written = text.replace("WHERE", where).replace("at: suit, seen_by: all}", f"at: suit, {stack}")
        (folder / name).write_text(written, encoding="utf-8")
    return Match(open_game(str(folder)), seed=1).start()


def test_a_place_that_the_row_names_is_not_told_twice(tmp_path: Path) -> None:
    match = stacked(tmp_path, "stack at card.colour")
    assert [choice.label for choice in match.decisions()[0].choices] == ["ace red", "ten black"]
    assert menu(match, 20) == ["colour worth", "1 ace red 1", "2 ten black 9"]


def test_places_that_are_drawn_as_rows_are_told_once(tmp_path: Path) -> None:
    match = stacked(tmp_path, "stack at card.colour", "seen_by: all, drawn: rows}")
    rows, by_name = (" ".join(table(match, tells)) for tells in ("all", "none"))
    assert [rows.count(word) for word in ("stack", "worth", "ace", "ten")] == [1, 1, 1, 1]
    assert by_name.endswith("stack red black ace ten")


def test_another_place_is_told(tmp_path: Path) -> None:
    match = stacked(tmp_path, "stack at (black if card.colour is red else red)")
    assert menu(match, 20) == ["colour worth", "1 ten red black 9", "2 ace black red 1"]
