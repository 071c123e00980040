"""Every position is looked at, and what is wrong comes with the shortest way to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.load import ChosenPreset, Folder, load
from dsl.source import Source
from interpreter.compile.program import compile_rules
from interpreter.game import ExecutorKind, Game
from interpreter.log import read, write
from interpreter.replay import replay
from rulewright.library import open_game
from validators.explore import automorphisms, choosing, symmetry_reduction
from validators.explore.explore import Exploration, explore
from validators.explore.playouts import play
from validators.explore.search import Bounds
from validators.explore.witness import moves_on, replayable, witness

BOUNDS = Bounds()
FLOW = """flow:
  turn: {seat: rotates, do: [{do one of: [%s], named: act}], then: {%s}}
  final: {score: highest}
"""


def made(rules: str, declared: str, acts: str = "act", then: str = "over: final, otherwise: turn") -> Game:
    """A small game of two seats."""
    head = "game: demo\nseats: 2\nrules: [demo.rules]\n" + declared + FLOW % (acts, then)
    files = {"game.yaml": head.encode(), "demo.rules": rules.encode()}
    found, _ = load(Folder("demo", files.__getitem__))
    return Game(found, compile_rules(found))


def said(
    game: Game, fold: bool = True, executor: ExecutorKind = "wasm"
) -> list[tuple[str, tuple[str, ...] | None]]:
    """The codes of the findings with the ways to them in words."""
    return [
        (f.diagnostic.code, way(x, i))
        for x in [explore(game, BOUNDS, executor, fold=fold)]
        for i, f in enumerate(x.findings)
    ]


def way(found: Exploration, number: int) -> tuple[str, ...] | None:
    finding = found.findings[number]
    if finding.path is None:
        return None
    return witness(found.game, moves_on(found.steps, finding.path, finding.last)).words


# ---- known numbers


@pytest.mark.parametrize(("fold", "positions", "ends"), [(False, 5478, 958), (True, 765, 138)])
def test_three_in_a_row_has_as_many_positions_as_everybody_counts(
    fold: bool, positions: int, ends: int
) -> None:
    found = explore(open_game("tic_tac_toe"), BOUNDS, fold=fold)
    assert (len(found.found.graph), found.found.finals) == (positions, ends)
    assert found.found.exhaustive
    assert not found.findings
    assert found.found.depth == 9
    assert bool(found.proved) == fold


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker"])
def test_both_executors_find_the_same(name: str) -> None:
    fast, slow = (explore(open_game(name), BOUNDS, kind) for kind in ("wasm", "reference"))
    assert fast.found.graph.ids == slow.found.graph.ids
    assert fast.found.graph.targets == slow.found.graph.targets
    assert not fast.findings
    assert not slow.findings


def test_seats_that_can_be_exchanged_are_folded() -> None:
    game = open_game("pig", options={"goal": 10})
    plain, folded = (explore(game, BOUNDS, fold=fold) for fold in (False, True))
    assert len(plain.found.graph) in range(2 * len(folded.found.graph) - 50, 2 * len(folded.found.graph) + 1)
    assert len(folded.found.graph) < len(plain.found.graph)
    assert folded.proved


def test_chance_on_branches_of_those_who_choose_together() -> None:
    rules = "score points = points of me\nprocedure act\n    each seat together\n        choose x from 1..2\n"
    rules += "        roll box of me\n        points of me = x + sum(die.face for die in box of me)\n"
    declared = "counters: {points: {of: seat, range: 0..4}}\ncomponents: {die: {die: 1..2, of: seat}}\n"
    declared += "zones: {box: {holds: die, of: seat, seen_by: all, start: all}}\n"
    head = "game: demo\nseats: 2\nrules: [demo.rules]\n" + declared
    head += "flow:\n  turn: {do: [act], then: final}\n  final: {score: highest}\n"
    files = {"game.yaml": head.encode(), "demo.rules": rules.encode()}
    loaded, _ = load(Folder("demo", files.__getitem__))
    fast, slow = (
        explore(Game(loaded, compile_rules(loaded)), BOUNDS, kind) for kind in ("wasm", "reference")
    )
    assert fast.found.graph.ids == slow.found.graph.ids
    assert fast.found.finals == 16
    assert not fast.findings


# ---- what may be renamed

NUMBER = "counters: {number: {range: 0..3}}\n"
OVER = "value over = number is 3\nscore points = number if me is A else 0\n"


def test_what_positions_hold_may_be_renamed_and_so_may_two_seats() -> None:
    declared = (
        NUMBER + "types: {ware: [wood, stone], place: 1..3}\npointers: {holder: {at: ware, to: seat}}\n"
    )
    rules = OVER + "action act(ware)\n    holder at ware = me\n    number += 1\n"
    assert choosing.used(made(rules, declared)) == {"ware", "seat"}


# ---- findings


def test_a_fault_has_the_shortest_way_to_it() -> None:
    rules = OVER + "action up\n    number += 1\naction leap\n    number += 2\n"
    found = said(made(rules, NUMBER, "up, leap"))
    assert found[0] == ("R201", ("A leap", "B leap"))


def test_chance_is_a_branch() -> None:
    rules = (
        OVER
        + "action act\n    roll die\n    if die.face is 2 and number is 1\n        number = die.face - 3\n"
    )
    rules += "    else\n        number += 1\n"
    game = made(rules, NUMBER + "components: {die: {die: 1..2}}\n")
    assert ("R201", ("A act", "die: 1", "B act", "die: 2")) in said(game)


def test_nothing_to_choose_is_found() -> None:
    rules = OVER + "action act\n    roll die\n    number += 1\n    choose x from 1..3 where x > number + 1\n"
    found = said(made(rules, NUMBER + "components: {die: {die: 1..2}}\n"))
    assert found == [("R202", ("A act", "die: 1", "A 3", "B act", "die: 1"))]


@pytest.mark.parametrize("promise", ["always number < 2", "never number is 2"])
def test_a_promise_that_is_broken(promise: str) -> None:
    rules = OVER + "action act\n    number += 1\n" + promise + "\n"
    assert ("R211", ("A act", "B act")) in said(made(rules, NUMBER))


def test_positions_without_an_end_ahead() -> None:
    rules = OVER + "action act\n    needs stuck is 0\n    number += 1\naction stick\n    stuck = 1\n"
    declared = "counters: {number: {range: 0..3}, stuck: {range: 0..1}}\n"
    assert ("V505", ("A stick",)) in said(made(rules, declared, "act, stick"))


def test_what_never_happens_is_certain_only_if_all_was_seen() -> None:
    rules = OVER + "value lost = number > 5\naction act\n    number += 1\n    if lost\n        end game\n"
    rules += "action bare\n    needs number > 4\n    number = 0\n"
    game = made(rules, NUMBER, "act, bare")
    assert {code for code, _ in said(game, fold=False)} == {"V502", "V503", "V504"}
    bounded = explore(game, Bounds(depth=1), fold=False)
    assert not bounded.findings
    assert not bounded.found.exhaustive
    assert len(bounded.unseen) >= 3


def test_a_phase_that_is_never_entered() -> None:
    rules = OVER + "value lost = number > 5\naction act\n    number += 1\nprocedure nap\n    nothing\n"
    head = "game: demo\nseats: 2\nrules: [demo.rules]\n" + NUMBER
    head += "flow:\n  turn: {seat: rotates, do: [{do one of: [act]}],"
    head += " then: {over: final, lost: sleep, otherwise: turn}}\n"
    head += "  sleep: {do: [nap], then: turn}\n  final: {score: highest}\n"
    files = {"game.yaml": head.encode(), "demo.rules": rules.encode()}
    found, _ = load(Folder("demo", files.__getitem__))
    assert "V501" in {code for code, _ in said(Game(found, compile_rules(found)))}


EVER = OVER + "action up\n    number += 1\naction rest\n    needs number is 1\n    number = number\n"


def test_what_must_hold_eventually_can_be_missed_or_put_off() -> None:
    rules = EVER + "action leap\n    needs number is 1\n    number += 2\neventually number is 2\n"
    found = said(made(rules, NUMBER, "up, rest, leap"))
    assert ("V506", ("A up", "B leap")) in found
    assert ("V507", ("A up",)) in found


def test_what_holds_at_last_is_no_finding() -> None:
    game = made(EVER + "eventually number is 2\neventually number is 3\n", NUMBER, "up")
    assert not [code for code, _ in said(game) if code in ("V506", "V507")]


@pytest.mark.parametrize("fold", [True, False])
def test_folding_changes_nothing_of_what_is_found(fold: bool) -> None:
    rules = "value over = false\naction mark(cell where stone at cell is none)\n    stone at cell = me\n"
    rules += "score points = count(cell where stone at cell is me)\n"
    rules += "never count(cell where stone at cell exists) is 3\n"
    board = "boards: {cell: {grid: [2, 2]}}\npointers: {stone: {at: cell, to: seat}}\n"
    found = explore(made(rules, board, "mark"), BOUNDS, fold=fold)
    assert {f.diagnostic.code for f in found.findings} == {"R202", "R211"}
    lengths = {f.diagnostic.code: len(f.path or ()) + (f.last is not None) for f in found.findings}
    assert lengths == {"R211": 3, "R202": 4}
    assert bool(found.proved) == fold


def test_a_symmetry_of_a_board_holds_for_several_indices() -> None:
    """Places of a board with a second index are renamed with the board."""
    rules = "score points = 0\nvalue over = all(lit at (cell, 1) or lit at (cell, 2) for cell)\n"
    rules += "action put(cell, layer where not lit at (cell, layer))\n    set lit at (cell, layer)\n"
    declared = "types: {layer: 1..2}\nboards: {cell: {grid: [1, 2]}}\nmarks: {lit: {at: [cell, layer]}}\n"
    game = made(rules, declared, "put")
    one, all_of_them = (explore(game, BOUNDS, fold=fold) for fold in (True, False))
    assert one.proved
    assert len(one.found.graph) < len(all_of_them.found.graph)
    assert not one.findings


def test_a_symmetry_that_does_not_hold_is_not_used() -> None:
    rules = "value over = all(stone at cell exists for cell)\nscore points = 1\n"
    rules += "action mark(cell where stone at cell is none)\n    stone at cell = me\n"
    rules += "    if cell is a1\n        me wins\n"
    board = "boards: {cell: {grid: [2, 2]}}\npointers: {stone: {at: cell, to: seat}}\n"
    found = explore(made(rules, board, "mark"), BOUNDS)
    assert all(dict(x.renamed)["cell"][0] == 0 for x in found.proved)
    assert len(found.found.graph) < len(explore(made(rules, board, "mark"), BOUNDS, fold=False).found.graph)


# ---- the counterexample


def test_symmetries_that_cost_more_than_they_save_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """The exploration starts again without them, and finds what it finds without them."""
    game = open_game("tic_tac_toe", executor="wasm")
    plain = explore(game, Bounds(), fold=False)
    monkeypatch.setattr(symmetry_reduction, "LOOKED", 100)
    monkeypatch.setattr(symmetry_reduction, "DEAREST", 0)
    found = explore(game, Bounds())
    assert found.dear
    assert not found.proved
    assert not plain.dear
    assert len(found.found.graph) == len(plain.found.graph) == 5478
    assert found.found.won == plain.found.won


def test_symmetries_of_which_most_lead_nowhere_are_not_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choosing, "DEAREST", 1)
    found = explore(open_game("tic_tac_toe", executor="wasm"), Bounds())
    assert found.dear
    assert not found.proved


@pytest.mark.parametrize(
    ("links", "renamings"),
    [
        (((1,), (0, 2), (1,)), [(0, 1, 2), (2, 1, 0)]),
        (((1,), (0, 2, 3), (1,), (1, 4), (3,)), [(0, 1, 2, 3, 4), (2, 1, 0, 3, 4)]),
        (((1,), (0, 2, 4), (1, 3), (2,), (1, 5), (4, 6), (5,)), [(0, 1, 2, 3, 4, 5, 6)]),
    ],
)
def test_renamings_of_a_graph(links: tuple[tuple[int, ...], ...], renamings: list[tuple[int, ...]]) -> None:
    assert sorted(automorphisms._of_graph(links, 0)) == renamings


def test_a_counterexample_replays() -> None:
    rules = OVER + "action act\n    roll die\n    number += die.face\nnever number is 2\n"
    game = made(rules, NUMBER + "components: {die: {die: 1..2}}\n")
    found = explore(game, BOUNDS)
    number = next(i for i, f in enumerate(found.findings) if f.diagnostic.code == "R211")
    finding = found.findings[number]
    moves = moves_on(found.steps, finding.path or (), finding.last)
    log = read(Source("log", write(replayable(game, moves), {}, [])))
    verdict = replay(game, log)
    assert [s.text for s in verdict.match.steps if s.supplied] == ["2"]
    assert verdict.steps == verdict.total == len(moves) == 2


# ---- bounds


@pytest.mark.parametrize(
    ("bounds", "why"),
    [(Bounds(depth=2), "depth"), (Bounds(states=100), "states"), (Bounds(seconds=0.0), "seconds")],
)
def test_bounds_are_said(bounds: Bounds, why: str) -> None:
    found = explore(open_game("tic_tac_toe"), bounds, fold=False).found
    assert found.stopped == why
    assert not found.exhaustive
    assert found.open > 0


def test_playouts_show_faults_with_their_seeds() -> None:
    rules = OVER + "action up\n    number += 1\naction leap\n    number += 2\n"
    game = made(rules, NUMBER, "up, leap")
    sample = play(game, 50)
    assert sample.number == 50
    assert {f.diagnostic.code for f in sample.failed} == {"R201"}
    again = play(game, 1, sample.failed[0].seed)
    assert again.failed[0].moves == sample.failed[0].moves


# ---- presets


def test_a_preset_makes_a_game_smaller_and_leaves_the_game_alone() -> None:
    rules = b"action act\n    number += 1\nvalue over = number >= goal\nscore points = goal + count(card)\n"
    game = (
        """game: demo
seats: 2
rules: [demo.rules]
constants: {goal: 5}
components: {card: {kinds: colour, count: 3}}
types: {colour: [red, blue]}
zones: {box: {holds: card, seen_by: all, start: all}}
counters: {number: {range: 0..9}}
small:
  tiny: {constants: {goal: 2}, components: {card: {keep: {red: 1}}}, counters: {number: {start: 1}}}
"""
        + FLOW % ("act", "over: final, otherwise: turn")
    )
    files = {"game.yaml": game.encode(), "demo.rules": rules}
    other = Source("other.yaml", "constants: {goal: 3}\n")
    found = {}
    for name, small in (
        ("whole", None),
        ("tiny", ChosenPreset("tiny")),
        ("file", ChosenPreset("other.yaml", other)),
    ):
        loaded, _ = load(Folder("demo", files.__getitem__), small)
        found[name] = loaded
    sizes = {name: len(explore(Game(x, compile_rules(x)), BOUNDS).found.graph) for name, x in found.items()}
    assert sizes == {"whole": 6, "tiny": 2, "file": 4}
    assert found["tiny"].components["card"].copies == (1, 0)
    assert len({x.digest for x in found.values()}) == 3


def test_a_bundled_preset_is_looked_at_as_a_whole() -> None:
    game = open_game("roll_through_the_ages", small=str(Path(__file__).parent / "two_rounds.yaml"))
    found = explore(game, BOUNDS, whole=False)
    assert found.found.exhaustive
    assert not found.findings


@pytest.mark.parametrize("name", ["roma", "roll_through_the_ages"])
def test_bundled_presets_can_be_explored(name: str) -> None:
    found = explore(open_game(name, small="small"), Bounds(states=2000), whole=False, fold=False)
    assert len(found.found.graph) >= 2000
    assert not found.findings
