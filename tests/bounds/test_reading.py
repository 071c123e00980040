"""Texts are read in time that grows with them, however many parts of them are broken."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from time import process_time
from typing import Any

import pytest
import yaml

from dsl.diagnostics import DiagnosticError, ErrorsReported
from dsl.document_recovery import read_recovering
from dsl.indentation import Indenter
from dsl.load import load, load_for_questions
from dsl.source import Source
from dsl.workspace.snapshot import Workspace
from dsl.workspace.yaml_form import formatted_yaml
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from rulewright.updates.rules import updated
from rulewright.updates.scenarios import updated_scenarios
from tests.fuzz.inputs import folder_of
from tests.fuzz.readers import FILES, READERS
from tests.fuzz.sizes import ALWAYS, PARTS, SHAPES, grid
from tests.fuzz.trying import tried
from tests.games import loaded
from validators.checks import label_of_nothing
from validators.checks.label_of_nothing import labels_of_nothing, shown_names
from validators.diff.lines import written
from validators.scenarios.falsify import _happened
from validators.scenarios.reading import read_file
from validators.scenarios.words import words_of
from validators.trace.alignment import align
from validators.trace.sentences import _paragraphs

BROKEN = {
    "a key again and again": ("game: x\n", "seats: 2\n"),
    "an entry again and again": ("game: x\nzones:\n", "  a: {holds: b}\n"),
    "open brackets": ("game: x\n", "s: [a\n"),
    "entries with open brackets": ("game: x\nzones:\n", "  s: [a\n"),
    "some entries with open brackets": ("game: x\nzones:\n", "  s: [a\n  t: [a]\n"),
    "open quotes": ("game: x\n", "s: 'a\nt: b'\n"),
}


@pytest.mark.parametrize("shape", BROKEN)
def test_each_part_is_read_a_few_times(shape: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once quickly and once thoroughly as a document, as a section and as an entry."""
    given = _parsed(monkeypatch)
    first, more = BROKEN[shape]
    text = first + more * 300
    try:
        read_recovering(Source("game.yaml", text))
    except DiagnosticError:
        assert given
    assert sum(given) <= 6 * len(text)


def test_each_scenario_of_a_broken_file_is_read_a_few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    rules, _, _ = loaded("tic_tac_toe")
    given = _parsed(monkeypatch)
    text = "- scenario: broken\n  then: [\n\n" + "- scenario: sound\n  then: [nobody: 1]\n" * 300
    found = read_file(Source("x.yaml", text), rules)
    assert [one.name for one in found.faulty] == ["broken", *["sound"] * 300]
    assert found.faulty[0].diagnostics[0].span.start == text.index("[")
    assert found.faulty[300].diagnostics[0].span.start == text.rindex("[")
    assert sum(given) <= 4 * len(text)


def test_near_names_are_searched_for_a_few_labels_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search takes as long as there are names; all labels are told."""
    searched: list[str] = []
    monkeypatch.setattr(label_of_nothing, "did_you_mean", lambda name, _: searched.append(name) or "")
    rules, _, _ = loaded("tic_tac_toe")
    more = replace(rules, labels={**rules.labels, **{f"nothing_{i}": "x" for i in range(500)}})
    found = list(labels_of_nothing(more, shown_names(more)))
    assert len(found) == 500
    assert len(searched) == label_of_nothing.MOST_HINTS


def test_comments_are_formatted_by_the_block_below() -> None:
    """Each finds it without a search of all lines below."""
    text = "a:\n" + "     # under b\n" * 4_000 + "     b: 1\n" + "# at the margin\n" * 4_000
    expected = "a:\n" + "  # under b\n" * 4_000 + "  b: 1\n" + "# at the margin\n" * 4_000
    assert formatted_yaml(Source("x.yaml", text)) == expected


@pytest.mark.parametrize(
    ("line", "bare"),
    [
        ("value v = 1 §1.1 §2  # more", "value v = 1"),
        ("value v = 1 §1.1 + 2 §2", "value v = 1 §1.1 + 2"),
        ("value v = 1§1.1§2", "value v = 1"),
        ("§1" * 10_000 + " x", "§1" * 10_000 + " x"),
        ("x" + " " * 100_000 + "y §1", "x" + " " * 100_000 + "y"),
        ("x" + " §1" * 50_000, "x"),
    ],
)
def test_marks_at_the_end_of_a_line_are_found_at_once(line: str, bare: str) -> None:
    assert written(Source("x.rules", line).beginning) == bare


def test_a_long_line_is_not_looked_through_for_each_soft_word() -> None:
    layout = Indenter(Source("", ""))
    layout.line = [_token("NAME")] * 50_000
    layout.verb = [_token("GAIN")]
    assert len(layout._before()) < 20
    assert "GAIN" in layout._before()


def _parsed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The lengths of the texts that are parsed from now on."""
    given: list[int] = []
    parse = yaml.parse

    def counted(text: str, Loader: Any) -> Iterator[Any]:  # noqa: N803
        given.append(len(text))
        return parse(text, Loader=Loader)

    monkeypatch.setattr(yaml, "parse", counted)
    return given


def _token(kind: str) -> Any:
    from lark import Token

    return Token(kind, "x")


@pytest.mark.parametrize("long", ["a" + ".b" * 6_000, "-" * 12_000 + "1"])
def test_what_is_deep_before_a_syntax_error_is_not_copied(long: str) -> None:
    assert _first_message(long) == _first_message("a.b") == "missing name or value before `from`"


def _first_message(chosen: str) -> str:
    text = f"action sow\n    choose {chosen} from hand of me\n"
    with pytest.raises(ErrorsReported) as found:
        load(folder_of({**FILES, "demo.rules": text}))
    return found.value.report.first.message


# ---- every reader, every shape


def test_every_kind_of_text_has_the_shapes_that_each_has() -> None:
    assert {reader.parts for reader in READERS.values()} == SHAPES.keys() == PARTS.keys()
    assert all(set(ALWAYS) <= shapes.keys() for shapes in SHAPES.values())
    assert len(list(grid())) == sum(len(SHAPES[reader.parts]) for reader in READERS.values())


@pytest.mark.long
@pytest.mark.parametrize("number", range(40))
def test_readers_go_through_each_shape_once(number: int) -> None:
    for one in list(grid())[number::40]:
        outcome = tried(one)
        assert not outcome.is_wrong, f"{one.said['reader']}, {one.said['shape']}: {outcome.detail}"


# ---- what each goes through once


def test_each_scenario_is_rewritten_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is read once, and each scenario a few times."""
    start = "- scenario: s\n  given: {at: turn, set: {gold of A: 7}}\n"
    one = f"{start}  then: {{gold of A: 7}}\n"
    rules, _, questions = load_for_questions(
        folder_of({**FILES, "demo.rules": f"{FILES['demo.rules']}always gold of A < 5\n"})
    )
    given = _parsed(monkeypatch)
    found = updated_scenarios(Source("x.yaml", f"# some\n{one * 50}"), rules, questions)
    allowed = one.replace("  then", "  allow: [impossible position]\n  then")
    assert found == f"# some\n{allowed * 50}"
    assert sum(given) <= 6 * len(one) * 50


@pytest.mark.parametrize(
    ("event", "other"),
    [
        ("gold of A: 0 -> 1", "gold of A: 0 -> 2"),
        ("A gains 3 coins", "A gains 4 coins"),
        ("down -1", "down 0"),
        ("1" * 5_000, "1" * 5_000 + "0"),
        ("1 " * 100_000 + "x", "1 " * 99_999 + "2 x"),
    ],
)
def test_the_last_number_of_an_event_is_found_at_once(event: str, other: str) -> None:
    begun = process_time()
    assert [claim.events for claim in _happened((event,))] == [(other,)]
    assert process_time() - begun < 1


def test_many_numbers_of_pieces_are_rewritten_at_once() -> None:
    line = "    move ((1)) from deck to hand of me"
    text = "action sow\n" + f"{line}   §1\n" * 2_000
    begun = process_time()
    assert updated(Source("x.rules", text)) == text.replace("move (", "move up to (")
    assert process_time() - begun < 5


def test_a_text_of_one_sentence_is_read_once() -> None:
    found = list(_paragraphs("Sow\n" + "and sow\n" * 40_000))
    assert [(start, len(text)) for start, text in found] == [(0, 4 + 8 * 40_000)]


def test_many_sentences_that_have_changed_are_aligned_where_they_are_expected() -> None:
    old = [f"{n:08x}-{n:08x}" for n in range(3_000)]
    new = [mark if n % 3 else f"ffff{n:04x}-{n:08x}" for n, mark in enumerate(old)]
    found = align(old, new)
    assert found.changed == {n + 1: n + 1 for n in range(0, 3_000, 3)}
    none = align(old, [f"eeee{n:04x}-{n ^ 0x0FFFFFFF:08x}" for n in range(3_000)])
    assert set(none.gone.values()) == {None}


def test_locals_of_many_definitions_are_found_once() -> None:
    text = "".join(f"procedure p{n}\n    let x{n} = 1\n    gold of A = x{n}\n" for n in range(300))
    workspace = Workspace(
        "demo", lambda path: {**FILES, "demo.rules": f"{FILES['demo.rules']}{text}"}[path].encode()
    )
    assert set(workspace.snapshot().locals["procedure p299"]) == {"x299"}


def test_random_matches_for_words_end_in_time() -> None:
    game = Game(load(folder_of(FILES))[0], compile_rules(load(folder_of(FILES))[0], None, {}))
    clock = iter(range(1_000_000))
    assert words_of(game, lambda: 0.0).complete
    assert not words_of(game, lambda: float(next(clock))).complete
    assert next(clock) < 50
