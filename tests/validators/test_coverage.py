"""What playouts and scenarios execute, of a small game whose coverage is known by hand."""

from __future__ import annotations

import pytest

from dsl.folder import Folder
from dsl.load import load_for_questions
from dsl.source import Source, Span
from interpreter import ir
from interpreter.compile.coverage import points
from interpreter.compile.program import compile_rules
from interpreter.game import ExecutorKind
from validators.coverage import Performed, concerned, joined, perform, playouts_covered
from validators.scenarios.reading import read_scenarios
from validators.scenarios.running import ScenarioRunner

YAML = """game: small
seats: 2..3
rules: [small.rules]
longest: 60
options: {strict: {values: [lax, hard], default: lax}}
components: {card: {table: cards.csv, columns: {power: effect}}}
zones: {pile: {holds: card, start: all, seen_by: all}}
counters: {points: {of: seat, range: 0..100}, coins: {of: seat, range: 0..9, start: 1}}
tables: {wage: {over: 1..2, gives: 0..9, rows: {1: 3, 2: 7}}}
flow:
  main: {do: [run], then: fin}
  fin: {score: highest}
"""
CARDS = "card,power\noak,grow 1\nash,grow 2\nelm,wither\n"
RULES = """procedure run §1
    each seat in turn §2
        do one of buy, save §3
    if points of active > 90 §4
        points of active = 0 §5
    if strict is hard §6
        points of active = 1 §7
    for card in pile where card is ash §8
        do card.power §9
        may do card.power §10

action buy(n: 1..2) §11
    needs n < 2 §12
    pay 5 coins §13
    gain worth(n) points §14

action save §15
    gain worth(1) points §16

effect grow(by_: 1..2) §17
    gain by_ points §18

effect wither §19
    lose 1 points §20

value worth(n: 1..2)
    9 when n is 2 §21
    otherwise wage(n) §22
modify worth by 1 while coins of active > 8 §23

when points of seat > 2 §24
    coins of seat += 1 §25
when points of seat > 50 §26
    end game §27

score points = points of me §28
always points of active >= 0 §29
"""
SCENARIOS = """- scenario: nothing happens, and a value is asked
  given: {at: main.run}
  then: {worth(2): 9}
- scenario: both save and one card is chosen
  given: {at: main.run}
  when: [{A: save}, {B: save}, {A: grow}]
  then: {points of A: 7}
- scenario: nobody chooses the card
  given: {at: main.run}
  when: [{A: save}, {B: save}, {A: pass}]
  then: {score of A: 5}
- scenario: there are too many
  given: {seats: 9}
"""
FILES = {"game.yaml": YAML, "small.rules": RULES, "cards.csv": CARDS}
RULES_MADE, _, QUESTIONS = load_for_questions(Folder("small", lambda name: FILES[name].encode()))
POINTS = tuple(point for _, point in points(RULES_MADE))
RAN, TRIED, HELD, FAILED = ir.RAN, ir.TRIED, ir.HELD, ir.FAILED
EVERY_PLAYOUT = {
    "§1": RAN,
    "§2": RAN,
    "§3": RAN,
    "§4": RAN | FAILED,
    "§5": 0,
    "§6": RAN | FAILED,
    "§7": 0,
    "§8": RAN,
    "§9": RAN,
    "§10": RAN,
    "§11": TRIED,
    "§12": RAN | HELD | FAILED,
    "§13": TRIED,
    "§14": 0,
    "§15": RAN,
    "§16": RAN,
    "§17": RAN,
    "§18": RAN,
    "§19": 0,
    "§20": 0,
    "§21": FAILED,
    "§22": RAN,
    "§23": FAILED,
    "§24": RAN | HELD | FAILED,
    "§25": RAN,
    "§26": FAILED,
    "§27": 0,
    "§28": RAN,
    "§29": RAN | HELD,
}
"""What each marked point comes to, whatever is chosen: `buy` can never be paid for."""


def number(clause: str) -> int:
    return next(i for i, point in enumerate(POINTS) if clause in point.clauses)


def unmarked(kind: str, name: str) -> list[int]:
    return [i for i, point in enumerate(POINTS) if (point.kind, point.name) == (kind, name)]


def outcomes(performed: Performed, *clauses: str) -> list[int]:
    return [performed.outcomes[number(clause)] for clause in clauses]


# ---- playouts


def test_playouts_known_by_hand() -> None:
    found = playouts_covered(RULES_MADE, number=300)
    assert found.points == POINTS
    assert (found.playouts, found.faults) == (300, 0)
    columns = {RAN: found.ran, TRIED: found.tried, HELD: found.held, FAILED: found.failed}
    for clause, bits in EVERY_PLAYOUT.items():
        point = number(clause)
        told = sum(bit for bit, counts in columns.items() if counts[point] == 300)
        assert told == bits, (clause, told)
        assert all(counts[point] in (0, 300) for counts in columns.values())
        assert found.reached[point] == (300 if bits else 0)


def test_points_without_marks() -> None:
    found = playouts_covered(RULES_MADE, number=50)
    (parameter,) = unmarked("parameter", "buy")
    assert found.ran[parameter] == 50
    assert [found.ran[i] for i in unmarked("table", "wage")] == [50]
    assert [found.ran[i] for i in unmarked("step", "main")] == [50]
    assert [found.ran[unmarked("phase", name)[0]] for name in ("main", "fin")] == [50, 50]
    cells = {point.name: found.ran[i] for i, point in enumerate(POINTS) if point.kind == "cell"}
    assert cells == {"grow 1": 0, "grow 2": 50, "wither": 0}


def test_configurations_taken_together() -> None:
    lax, hard = (playouts_covered(RULES_MADE, 3, {"strict": x}, 20) for x in ("lax", "hard"))
    both = joined([lax, hard])
    point, inner = number("§6"), number("§7")
    assert (both.playouts, both.ran[point], both.held[point], both.failed[point]) == (40, 40, 20, 20)
    assert (lax.ran[inner], hard.ran[inner], both.ran[inner], both.reached[inner]) == (0, 20, 20, 20)


def test_playouts_that_come_to_a_fault() -> None:
    files = FILES | {"game.yaml": YAML.replace("longest: 60", "longest: 2")}
    rules, *_ = load_for_questions(Folder("small", lambda name: files[name].encode()))
    found = playouts_covered(rules, number=10)
    assert (found.playouts, found.faults) == (10, 10)
    assert (found.ran[number("§9")], found.ran[number("§28")]) == (10, 0)


def test_without_cover_nothing_is_noted() -> None:
    plain, covered = (compile_rules(RULES_MADE, cover=cover) for cover in (False, True))
    assert plain.cover == ()
    assert not any(isinstance(node, ir.Cover) for node in plain.nodes)
    assert any(isinstance(node, ir.Cover) for node in covered.nodes)
    assert compile_rules(RULES_MADE) == plain


# ---- scenarios


@pytest.fixture(scope="module", params=["reference", "wasm"])
def performed(request: pytest.FixtureRequest) -> list[Performed]:
    executor: ExecutorKind = request.param
    runner = ScenarioRunner(RULES_MADE, QUESTIONS, executor=executor, cover=True)
    return [perform(runner, s) for s in read_scenarios(Source("all.yaml", SCENARIOS), RULES_MADE)]


def test_what_scenarios_execute(performed: list[Performed]) -> None:
    asked, chosen, passed, _ = performed
    assert all(one.result.holds for one in (asked, chosen, passed)), performed
    clauses = ("§1", "§8", "§15", "§17", "§18", "§21", "§28", "§29")
    assert outcomes(asked, *clauses) == [RAN, 0, 0, 0, 0, RAN | HELD, 0, RAN | HELD]
    assert outcomes(chosen, *clauses) == [RAN, RAN, RAN, RAN, RAN, FAILED, 0, RAN | HELD]
    assert outcomes(passed, *clauses) == [RAN, RAN, RAN, RAN, RAN, FAILED, RAN, RAN | HELD]
    assert number("§8") in chosen.ran & passed.reached
    assert number("§13") in asked.reached - asked.ran


def test_a_game_that_cannot_be_made_executes_nothing(performed: list[Performed]) -> None:
    assert performed[-1].result.diagnostic is not None
    assert performed[-1].outcomes == b""
    assert performed[-1].reached == frozenset()


# ---- what a change concerns


def at(text: str, file: str = "small.rules") -> Span:
    start = FILES[file].index(text)
    return Span(Source(f"small/{file}", FILES[file]), start, start + len(text))


def test_a_change_concerns_the_innermost_point() -> None:
    assert concerned(POINTS, at("n < 2")) == {number("§12")}
    assert concerned(POINTS, at("points of active > 90")) == {number("§4")}
    assert concerned(POINTS, at("n is 2")) == {number("§21")}
    assert concerned(POINTS, at("wage(n)")) == {number("§22")}
    assert concerned(POINTS, at("coins of active > 8")) == {number("§23")}
    assert concerned(POINTS, at("points of seat > 50")) == {number("§26")}
    assert concerned(POINTS, at("wage", "game.yaml")) == set(unmarked("table", "wage"))
    assert concerned(POINTS, at("1..2")) == set(unmarked("parameter", "buy"))


def test_a_change_in_a_head_concerns_the_whole_routine() -> None:
    wanted = {number(f"§{i}") for i in range(11, 15)} | set(unmarked("parameter", "buy"))
    assert concerned(POINTS, at("action buy")) == wanted


def test_what_a_change_concerns_is_not_always_known() -> None:
    assert concerned(POINTS, at("range: 0..9", "game.yaml")) is None
    assert concerned(POINTS, at("2: 7", "game.yaml")) is None
    assert concerned(POINTS, at("grow 2", "cards.csv")) is None
