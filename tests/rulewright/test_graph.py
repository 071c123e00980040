"""`rulewright graph`: what is drawn is what is played, and what is drawn can be read."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ElementTree
from itertools import combinations
from pathlib import Path

import networkx as nx
import pytest

from dsl import rules as r
from dsl.load import Folder, load
from interpreter import ir
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from interpreter.match import Match
from rulewright.commands.graph import WRITERS
from rulewright.drawing.diagram import Diagram, DiagramNode, Edge, Kind, NodeRow
from rulewright.drawing.layout import Box, layered
from rulewright.drawing.lines import parted
from rulewright.drawing.machine import machine_diagram
from rulewright.drawing.phases import phase_diagram
from rulewright.drawing.reachability import At, Reachability
from rulewright.library import bundled, read_rules
from tests.games import EACH_TIME, ends, game_of, rules_of, seats_of

SET_UPS = [(name, seats) for name, seats, _ in ends()]
ENOUGH = 100
"""After so many decisions no other match is begun."""


@pytest.fixture(scope="module", params=SET_UPS, ids=str)
def opened(request: pytest.FixtureRequest) -> Game:
    name, seats = request.param
    return game_of(name, seats, tuple(all_on(rules_of(name)).items()))


def all_on(rules: r.Rules) -> dict[str, str]:
    """Every variant that can be switched on."""
    return {name: "on" for name, option in rules.options.items() if option.values == ("false", "true")}


def diagrams(game: Game) -> list[Diagram]:
    return [phase_diagram(game.rules), machine_diagram(game.rules, game.machine)]


# ---- what is drawn is what is played


def test_every_step_of_play_is_drawn(opened: Game) -> None:
    """From one decision to the next there is a way in the drawing, past decisions that can be skipped."""
    diagram = machine_diagram(opened.rules, opened.machine)
    after = next_decisions(diagram, opened.machine)
    decisions = 0
    for seed in range(4):
        if decisions > ENOUGH:
            break
        match, rng = Match(opened, seed, keep_history=False).start(), random.Random(seed)
        while not match.over:
            decisions += 1
            forked = bool(match.state[ir.FORKED])
            waiting = rng.choice(match.waiting())
            match.take(waiting, rng.choice(waiting.options))
            for now in match.waiting():
                if not forked and not match.state[ir.FORKED]:
                    assert f"n{now.node}" in after[f"n{waiting.node}"]


def next_decisions(diagram: Diagram, machine: ir.Machine) -> dict[str, set[str]]:
    """For each decision those that can be the next to be asked.

    A decision in which nothing can be chosen is not asked; play goes on where declining it leads.
    """
    decisions = {n.id for n in diagram.nodes if n.kind is Kind.DECISION}
    after: dict[str, list[Edge]] = {n.id: [] for n in diagram.nodes}
    for edge in diagram.edges:
        after[edge.source].append(edge)
    return {node: reach(after, machine, node, decisions) for node in decisions}


def reach(after: dict[str, list[Edge]], machine: ir.Machine, start: str, decisions: set[str]) -> set[str]:
    found: set[str] = set()
    seen: set[str] = set()
    todo = [edge.target for edge in after[start]]
    while todo:
        id = todo.pop()
        if id not in seen:
            seen.add(id)
            found.update({id} & decisions)
            asked = id in decisions
            todo.extend(e.target for e in after[id] if not asked or skips(machine, id))
    return found


def skips(machine: ir.Machine, id: str) -> bool:
    """Whether a decision can be passed by because nothing can be chosen in it."""
    node = machine.nodes[int(id[1:])]
    return node.passing is not None or getattr(node, "nothing", None) is not None  # type: ignore[union-attr]


def test_every_node_is_reached(opened: Game) -> None:
    for diagram in diagrams(opened):
        graph = nx.DiGraph((e.source, e.target) for e in diagram.edges)
        roots = [n.id for n in diagram.nodes if n.kind in (Kind.START, Kind.TRIGGER)]
        found = set(roots).union(*(nx.descendants(graph, root) for root in roots))
        assert found == {n.id for n in diagram.nodes}


def test_every_edge_joins_nodes_that_are_there(opened: Game) -> None:
    for diagram in diagrams(opened):
        ids = [n.id for n in diagram.nodes]
        assert len(ids) == len(set(ids))
        assert all({e.source, e.target} <= set(ids) for e in diagram.edges)
        assert len({(e.source, e.target) for e in diagram.edges}) == len(diagram.edges)


def test_every_reachable_decision_is_a_node(opened: Game) -> None:
    """Nothing but the first parameter of what is offered is merged into what offers it."""
    walk = Reachability(opened.machine)
    drawn = {n.id for n in machine_diagram(opened.rules, opened.machine).nodes}
    for number in walk.owner:
        node = opened.machine.nodes[number]
        if isinstance(node, ir.Offer | ir.Chance) or (isinstance(node, ir.Decide) and not node.trial):
            assert f"n{number}" in drawn


def test_a_trigger_and_a_node_may_have_the_same_number() -> None:
    """The node that the first phase leads to has number 0, as has the trigger."""
    case = Path(__file__).parents[1] / "diagnostics" / "check" / "V340-read-by-a-trigger"
    rules, _ = load(Folder("demo", lambda path: (case / path).read_bytes()))
    diagram = machine_diagram(rules, compile_rules(rules))
    assert {"n0", "when_0"} <= {n.id for n in diagram.nodes}
    assert {e.target for e in diagram.edges} <= {n.id for n in diagram.nodes}


def test_effects_are_found_through_calls() -> None:
    for name in EACH_TIME:
        game = game_of(name, seats_of(name)[0])
        walk = Reachability(game.machine)
        reached = walk.after(At(game.machine.start))
        assert reached
        assert all(isinstance(word, str) for word in reached.values())


def test_phases_with_their_steps(run, game: Path) -> None:
    rules, _ = read_rules("dice")
    diagram = phase_diagram(rules)
    turn = next(n for n in diagram.nodes if n.group == "turn")
    assert [row.text for row in turn.rows] == [
        "first_throw §2.1",
        "throwing: may keep doing",
        "throw §2.2",
        "bank §2.4",
    ]
    assert [(e.target, e.text) for e in diagram.edges if e.source == turn.id] == [
        ("phase_final", "reached"),
        ("phase_turn", "otherwise"),
    ]


def changed(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.parametrize(
    ("then", "ways"),
    [
        (
            "{reached: final, tired: final, otherwise: turn}",
            [("phase_final", "reached or tired"), ("phase_turn", "otherwise")],
        ),
        (
            "{tired: turn, reached: final, otherwise: turn}",
            [("phase_turn", "tired or otherwise"), ("phase_final", "reached")],
        ),
        ("{reached: turn, otherwise: turn}", [("phase_turn", "")]),
    ],
)
def test_conditions_with_the_same_target_are_one_edge(
    run, game: Path, then: str, ways: list[tuple[str, str]]
) -> None:
    changed(game / "game.yaml", "{reached: final, otherwise: turn}", then)
    changed(game / "dice.rules", "value reached", "value tired = pot > 50\n\nvalue reached")
    diagram = phase_diagram(read_rules("dice")[0])
    assert [(e.target, e.text) for e in diagram.edges if e.source == "phase_turn"] == ways
    assert len(labels(diagram)) == len([e for e in diagram.edges if e.text])


def labels(diagram: Diagram) -> list[str]:
    """The words on the lines of a picture; no two of them overlap."""
    root = ElementTree.fromstring(WRITERS["svg"](diagram))
    texts = list(root.iter("{http://www.w3.org/2000/svg}text"))
    assert not any(overlap(box_of(one), box_of(two)) for one, two in combinations(texts, 2))
    return [t.text or "" for t in texts if t.text in {e.text for e in diagram.edges}]


def test_a_scoring_phase_to_which_nothing_leads_is_not_drawn(run, game: Path) -> None:
    """Where a win ends the game, it only says how accounts are read."""
    changed(game / "game.yaml", "then: {reached: final, otherwise: turn}", "then: turn")
    diagram = phase_diagram(read_rules("dice")[0])
    assert "phase_final" not in {n.id for n in diagram.nodes}
    assert "phase_final" not in {e.source for e in diagram.edges}


# ---- how it is written


@pytest.mark.parametrize("form", list(WRITERS))
def test_all_forms_write_every_node_and_edge(opened: Game, form: str) -> None:
    for diagram in diagrams(opened):
        text = WRITERS[form](diagram)
        for node in diagram.nodes:
            assert node.kind is Kind.START or node.text.split()[0].split("(")[0] in text
        if form == "dot" or (form == "mermaid" and diagram.level == "machine"):
            arrow = "->" if form == "dot" else "-->"
            assert text.count(f" {arrow}") == len(diagram.edges)


def winding() -> Diagram:
    """Phases with two ways on, a long way on, two ways back and one round in a circle."""
    names = ("set_up", "draft", "income", "auction", "actions", "clean", "final")
    rows = (NodeRow("one_step §1.1"), NodeRow("one_more_step", 1, Kind.DECISION))
    nodes = [DiagramNode(name, Kind.PHASE, name, rows=rows, group=name) for name in names]
    edges = [
        Edge("start", "set_up"), Edge("set_up", "draft"), Edge("set_up", "final", "short_game"),
        Edge("draft", "income", "drafted"), Edge("draft", "auction", "otherwise"), Edge("income", "actions"),
        Edge("auction", "actions"), Edge("actions", "actions", "otherwise"), Edge("actions", "clean", "done"),
        Edge("clean", "draft", "new_age"), Edge("clean", "income", "otherwise"), Edge("clean", "final"),
    ]  # fmt: skip
    return Diagram("phases", "Winding", (DiagramNode("start", Kind.START, "start"), *nodes), tuple(edges))


def test_svg_is_xml_and_no_words_overlap(opened: Game) -> None:
    for diagram in (*diagrams(opened), winding()):
        root = ElementTree.fromstring(WRITERS["svg"](diagram))
        width, height = float(root.attrib["width"]), float(root.attrib["height"])
        boxes = [box_of(text) for text in root.iter("{http://www.w3.org/2000/svg}text")]
        assert boxes
        for left, top, right, bottom in boxes:
            assert 0 <= left <= right <= width
            assert 0 <= top <= bottom <= height
        for one, two in combinations(boxes, 2):
            assert not overlap(one, two), (one, two)


def box_of(text: ElementTree.Element) -> tuple[float, float, float, float]:
    size, x, y = (float(text.attrib[key]) for key in ("font-size", "x", "y"))
    width = len(text.text or "") * size * 0.6
    left = {"start": x, "middle": x - width / 2}[text.attrib["text-anchor"]]
    return left, y - 0.7 * size, left + width, y + 0.15 * size


def overlap(one: tuple[float, float, float, float], two: tuple[float, float, float, float]) -> bool:
    return one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3]


def test_names_are_escaped() -> None:
    from dataclasses import replace

    rules = rules_of(bundled()[0])
    text = 'a "b" <c> & #d'
    diagram = phase_diagram(replace(rules, title=text))
    assert '"a #quot;b#quot; #lt;c#gt; #amp; #35;d: phases"' in WRITERS["mermaid"](diagram)
    assert r'label="a \"b\" <c> & #d: phases"' in WRITERS["dot"](diagram)
    title = ElementTree.fromstring(WRITERS["svg"](diagram)).find("{http://www.w3.org/2000/svg}title")
    assert title is not None
    assert title.text == f"{text}: phases"


# ---- the command


@pytest.mark.parametrize(
    ("words", "begins"),
    [
        ((), "---\ntitle:"),
        (("-o", "x.svg"), "<svg "),
        (("-o", "x.SVG"), "<svg "),
        (("-o", "x.dot"), "digraph "),
        (("-o", "x.mmd"), "---\ntitle:"),
        (("-o", "x.svg", "--format", "dot"), "digraph "),
        (("--format", "svg", "--level", "machine"), "<svg "),
    ],
)
def test_the_form_follows_the_file(
    run, game: Path, tmp_path: Path, words: tuple[str, ...], begins: str
) -> None:
    result = run("graph", "dice", *words)
    assert result.exit_code == 0
    text = (tmp_path / words[1]).read_text(encoding="utf-8") if "-o" in words else result.output
    assert text.startswith(begins)
    assert "-o" not in words or result.output == ""


def test_seats_and_options_count(run, game: Path) -> None:
    assert "machine for 3 seats" in run("graph", "dice", "--level", "machine", "--seats", "3").output
    assert run("graph", "dice", "--option", "goal=99").exit_code == 2


# ---- the layout


def random_graph(seed: int) -> tuple[dict[str, Box], list[tuple[str, str]]]:
    rng = random.Random(seed)
    names = [f"v{i}" for i in range(rng.randint(1, 25))]
    boxes = {n: Box(rng.randint(20, 200), rng.randint(8, 30), rng.randint(8, 60), 20) for n in names}
    pairs = [(a, b) for a, b in combinations(names, 2) if rng.random() < 0.15]
    return boxes, pairs


@pytest.mark.parametrize("seed", range(30))
def test_nodes_do_not_overlap_and_edges_lead_right(seed: int) -> None:
    boxes, edges = random_graph(seed)
    layout = layered(boxes, edges, 40)
    places = {
        n: (x, y - boxes[n].above, x + boxes[n].width, y + boxes[n].below)
        for n, (x, y) in layout.ports.items()
    }
    assert set(places) == set(boxes)
    for one, two in combinations(places.values(), 2):
        assert not overlap(one, two)
    for left, top, right, bottom in places.values():
        assert left >= 0
        assert top >= -1e-6
        assert right <= layout.width + 1e-6
        assert bottom <= layout.height + 1e-6
    for source, target in edges:
        xs = [x for x, _ in layout.routes[source, target]]
        assert xs == sorted(xs)


def test_a_cycle_cannot_be_layered() -> None:
    boxes = {n: Box(10, 5, 5, 10) for n in "ab"}
    with pytest.raises(ValueError, match="without cycles"):
        layered(boxes, [("a", "b"), ("b", "a")], 40)


def test_lines_cross_no_node() -> None:
    """A long edge passes between the nodes of the columns on its way."""
    boxes = {n: Box(50, 10, 10, 50) for n in "abcd"}
    layout = layered(boxes, [("a", "b"), ("b", "c"), ("c", "d"), ("a", "d")], 40)
    for x, y in layout.routes["a", "d"][1:-1]:
        for name in "bc":
            left, port = layout.ports[name]
            assert not (left < x < left + 50 and port - 10 < y < port + 10)


def test_what_leads_back_is_parted_from_what_leads_on() -> None:
    diagram = phase_diagram(rules_of(bundled()[0]))
    forward, back = parted([n.id for n in diagram.nodes], diagram.edges)
    assert len(forward) + len(back) == len(diagram.edges)
    assert nx.is_directed_acyclic_graph(nx.DiGraph((e.source, e.target) for e in forward))
