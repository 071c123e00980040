"""Rules in words: every construct can be said, nothing internal shows, every clause and action is told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, get_args

import pytest

from dsl import rules as r
from dsl.load import load
from dsl.rules.visit import walk
from interpreter.compile.program import configure
from rulewright.drawing.mermaid import mermaid
from rulewright.library import bundled, folder, read_rules
from rulewright.rulebook.book import write_book
from rulewright.rulebook.document import Board, Book, Chart, DocumentBlock, Paragraph, Section, Steps, Table
from rulewright.rulebook.html import html
from rulewright.rulebook.markdown import markdown
from rulewright.sentences.names import Lexicon
from rulewright.sentences.partial_eval import Configuration
from rulewright.sentences.text import Step, plain, tidied
from tests.conftest import Golden
from tests.games import rules_of, sample

HERE = Path(__file__).parent
FAIR = HERE / "fair"
ENDS = [(n, s) for n in bundled() for s in (None, *rules_of(n).seats)]
SET_UPS = [(n, s) for n in bundled() for s in (None, *range(rules_of(n).seats[0], rules_of(n).seats[1] + 1))]
SYNTAX = re.compile(r"\b(of me|seats_playing|div|mod|end game|Const|exists where)\b|[_{}]|  ")
"""What no player should ever read."""


def book(rules: r.Rules, seats: int | None = None, options: dict[str, str] | None = None) -> Book:
    lexicon = Lexicon(rules, rules.labels, rules.helps, rules.nouns, rules.phrases)
    _, chosen = configure(rules, seats, options or {})
    kept = frozenset(rules.nouns) & frozenset(rules.constants)
    return write_book(lexicon, Configuration(rules, seats, chosen, kept))


@cache
def book_of(name: str) -> Book:
    """The rulebook of a bundled game, written once."""
    return book(rules_of(name))


@pytest.fixture(scope="module")
def fair() -> r.Rules:
    return load(folder(FAIR, "fair"))[0]


# ---- what is read


def texts(blocks: tuple[DocumentBlock, ...]) -> Iterator[str]:
    """Everything that is read, piece by piece."""
    for block in blocks:
        match block:
            case Section(title=title, blocks=inner):
                yield title
                yield from texts(inner)
            case Paragraph(text=text):
                yield text
            case Board(names=names, text=text):
                yield from (*(name for board in names.values() for name in board), text)
            case Steps(steps=steps):
                yield from steps_of(steps)
            case Table(head=head, rows=rows):
                yield from head
                yield from (cell.text for row in rows for cell in row.cells)
            case Chart(diagram=diagram):
                yield from (x.text for node in diagram.nodes for x in (node, *node.rows))
                yield from (edge.text for edge in diagram.edges)


def steps_of(steps: tuple[Step, ...]) -> Iterator[str]:
    for step in steps:
        yield step.text
        yield from steps_of(step.parts)


def sections(blocks: tuple[DocumentBlock, ...]) -> Iterator[Section]:
    for block in blocks:
        if isinstance(block, Section):
            yield block
            yield from sections(block.blocks)


def visible(made: Book) -> str:
    return "\n".join(tidied(plain(text)) for text in texts(made.sections))


# ---- every construct


def test_the_fair_uses_every_construct(fair: r.Rules) -> None:
    """What is new in the language must be in the fair, so that it is said there."""
    bodies: tuple[Any, ...] = (
        *fair.routines.values(),
        *fair.values.values(),
        *fair.triggers,
        *fair.scores,
        *fair.invariants,
    )
    used = {type(part) for part in walk(bodies)}
    unions: tuple[Any, ...] = (r.Statement, r.Expr, r.Collection, r.Target)
    assert {kind for union in unions for kind in get_args(union)} <= used
    steps = {type(s) for p in fair.phases.values() for s in p.steps}
    assert steps == set(get_args(r.FlowStep))


def test_the_fair_in_words(fair: r.Rules, golden: Golden) -> None:
    golden(FAIR / "expected.md", markdown(book(fair)))


def test_the_fair_in_words_for_two_with_all_variants(fair: r.Rules, golden: Golden) -> None:
    golden(FAIR / "expected-2.md", markdown(book(fair, 2, {"bidding": "on", "rain": "passes"})))


# ---- settings


def test_only_the_chosen_reading_is_told(fair: r.Rules) -> None:
    falls, passes = (visible(book(fair, None, {"rain": reading})) for reading in ("falls", "passes"))
    assert "Carry out the weather" in falls
    assert "Carry out the weather" not in passes
    assert "Chosen for this book, against the ruling." in passes


def test_numbers_of_players_are_put_in(fair: r.Rules) -> None:
    every, two = visible(book(fair)), visible(book(fair, 2))
    assert "Gain as many coins as the purse." in every
    assert "Gain 6 coins." in two
    assert "if 2 players take part" in every
    assert "players take part" not in two


def test_variants_that_are_left_out_are_told_apart(fair: r.Rules) -> None:
    without, with_ = book(fair), book(fair, None, {"bidding": "on"})
    ids = [s.id for s in sections(without.sections)]
    assert ids.index("variant-bidding-true") < ids.index("do-auction")
    ids = [s.id for s in sections(with_.sections)]
    assert "variant-bidding-true" not in ids
    assert ids.index("phase-turn") < ids.index("do-auction") < ids.index("phase-last")


def test_what_can_never_be_done_is_a_variant() -> None:
    """The swap of Hex is offered always, and needs an option that is off."""
    made = book_of("hex")
    ids = [s.id for s in sections(made.sections)]
    assert ids.index("variants") < ids.index("do-swap")
    assert "do-swap" in [s.id for s in sections(book(rules_of("hex"), None, {"swapping": "on"}).sections)]


# ---- the bundled games


@pytest.mark.parametrize("name", bundled())
def test_every_clause_that_is_cited_is_told(name: str) -> None:
    """In a book for all numbers of players; those of a reading that is left out need not be told."""
    rules = rules_of(name)
    left_out = {c for o in rules.options.values() for c in o.clauses if o.readings}
    assert cited(rules) - left_out <= set(book(rules).where)


@pytest.fixture(scope="module", params=sample(SET_UPS, ENDS), ids=str)
def made(request: pytest.FixtureRequest) -> tuple[r.Rules, Book]:
    name, seats = request.param
    rules = rules_of(name)
    return rules, book(rules, seats)


def test_nothing_internal_is_read(made: tuple[r.Rules, Book]) -> None:
    found = [line for line in visible(made[1]).split("\n") if SYNTAX.search(line)]
    assert not found


def cited(rules: r.Rules) -> set[str]:
    bodies = (*rules.routines.values(), *rules.values.values(), *rules.triggers, *rules.scores)
    collections = rules.collections.values()
    marks = {c for part in walk(bodies) for c in getattr(part, "clauses", ())}
    declared = (
        *rules.types.values(),
        *rules.components.values(),
        *rules.tables.values(),
        *rules.phases.values(),
    )
    marks |= {c for named in collections for c in (*named.clauses, *named.lines)}
    marks |= {c for decl in rules.types.values() for c in decl.all_clauses}
    marks |= {c for decl in (*declared, *rules.rows, *rules.options.values()) for c in decl.clauses}
    stores = (
        *rules.zones.values(),
        *rules.counters.values(),
        *rules.marks.values(),
        *rules.pointers.values(),
    )
    return marks | {c for decl in stores for c in decl.var.clauses}


def test_every_column_has_one_head(fair: r.Rules) -> None:
    """Rows may end before the last column, and none goes on after it."""
    tables = [b for s in sections(book(fair).sections) for b in s.blocks if isinstance(b, Table)]
    assert tables
    for table in tables:
        assert max(len(row.cells) for row in table.rows) == len(table.head)


def test_every_action_is_told(made: tuple[r.Rules, Book]) -> None:
    rules, found = made
    ids = {s.id for s in sections(found.sections)}
    actions = {f"do-{n.replace('_', '-')}" for n, x in rules.routines.items() if x.kind == "action"}
    assert actions <= ids


def test_every_link_leads_somewhere(made: tuple[r.Rules, Book]) -> None:
    text = markdown(made[1])
    anchors = re.findall(r'<a id="([^"]+)"', text)
    assert len(anchors) == len(set(anchors))
    assert set(re.findall(r"\]\(#([^)]+)\)", text)) <= set(anchors)


class Page(HTMLParser):
    """Ids, links and words of a page; every element that is opened is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.words: list[str] = []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "path", "rect", "circle", "polygon", "ellipse", "line"):
            self.open.append(tag)
        named = dict(attrs)
        self.ids += [named["id"] or ""] if "id" in named and tag != "marker" else []
        self.links += [(named["href"] or "").removeprefix("#")] if "href" in named else []

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        if tag in self.open:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "svg" not in self.open and "style" not in self.open:
            self.words += data.split()


def test_the_page_says_the_same(made: tuple[r.Rules, Book]) -> None:
    page = Page(html(made[1]))
    assert len(page.ids) == len(set(page.ids))
    assert set(page.links) <= set(page.ids)
    said = " ".join(page.words)
    for section in made[1].sections:
        for block in section.blocks:
            if isinstance(block, Paragraph):
                assert " ".join(tidied(plain(block.text)).split()) in said


LAND_AND_ROADS = """\
game: land
seats: 2
rules: [land.rules]
look: look.yaml
types: {town: [east, west]}
boards: {road: {line: [north, south]}}
marks: {settled: {at: town}, built: {at: road}}
flow: {turn: {do: [{may keep doing: [settle, build]}], then: final}, final: {score: highest}}
"""


def test_boards_are_drawn_with_their_names(fair: r.Rules) -> None:
    assert ">north gate<" in html(book(fair))


def test_boards_of_one_picture_are_drawn_once_as_on_the_page(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(LAND_AND_ROADS, encoding="utf-8")
    (tmp_path / "land.rules").write_text(
        "action settle(town)\n    set settled at town\n"
        "action build(road)\n    set built at road\n"
        "score roads = count(road where built at road)\n",
        encoding="utf-8",
    )
    (tmp_path / "look.yaml").write_text(
        "boards: {town: {positions: {east: [2, 0], west: [0, 0]}}}\ntogether: [[town, road]]\n",
        encoding="utf-8",
    )
    written = html(book(read_rules(str(tmp_path))[0]))
    assert written.count('aria-label="board ') == 1
    for place in ("east", "west", "north", "south"):
        assert f"<title>{place}</title>" in written


def test_charts_are_for_people(made: tuple[r.Rules, Book]) -> None:
    charts = [b for s in sections(made[1].sections) for b in s.blocks if isinstance(b, Chart)]
    assert len(charts) == 1
    assert "#quot;" not in mermaid(charts[0].diagram)


WIDE = """\
game: wide
seats: 2
rules: [wide.rules]
types: {hue: [red, blue]}
components:
  card:
    table: cards.csv
    columns: {a: 0..9, b: 0..9, c: 0..9, d: 0..9, e: 0..9, f: 0..9, g: 0..9, h: 0..9, tint: hue or none}
zones: {pile: {holds: card, seen_by: all, start: all}}
flow: {play: {do: [rest], then: final}, final: {score: highest}}
"""


def test_in_a_wide_table_the_first_value_of_a_type_is_told(tmp_path: Path) -> None:
    """Its number is 0, which says nothing only where numbers are meant."""
    rows = ["nero,2,2,2,2,2,2,2,2,red", *(f"card_{i},2,2,2,2,2,2,2,2," for i in range(4))]
    (tmp_path / "game.yaml").write_text(WIDE, encoding="utf-8")
    (tmp_path / "cards.csv").write_text("\n".join(["card,a,b,c,d,e,f,g,h,tint", *rows]), encoding="utf-8")
    text = "procedure rest\n    nothing\nscore tints = count(card in pile where card.tint exists)\n"
    (tmp_path / "wide.rules").write_text(text, encoding="utf-8")
    page = markdown(book(load(folder(tmp_path, "wide"))[0]))
    assert [line for line in page.splitlines() if "tint: red" in line]


NOTES = """\
game: notes
seats: 2
rules: [notes.rules]
labels: labels.yaml
types: {colour: [red, blue]}
marks: {hinted: {of: seat, at: colour}, bookkept: {of: seat}}
flow: {turn: {seat: rotates, do: [{do one of: [hint]}], then: turn}, end: {score: highest}}
"""


def test_notes_that_players_read_are_told(tmp_path: Path) -> None:
    """No rule reads them; what an empty label hides from the players is left out."""
    text = "action hint(colour)\n    set hinted of opponent at colour\n    set bookkept of me\n"
    (tmp_path / "game.yaml").write_text(NOTES, encoding="utf-8")
    (tmp_path / "notes.rules").write_text(text, encoding="utf-8")
    (tmp_path / "labels.yaml").write_text('bookkept: ""\n', encoding="utf-8")
    page = markdown(book(load(folder(tmp_path, "notes"))[0]))
    assert "hinted" in page
    assert "bookkept" not in page
