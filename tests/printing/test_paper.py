"""Where pieces lie on paper, and texts in boxes."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, strategies as st

from rulewright.printing.canvas import Canvas
from rulewright.printing.fitting import LINE, fitted
from rulewright.printing.flowing import Flow, Run
from rulewright.printing.paper import MARGIN, PAPERS, sheet

SIZES = st.floats(10, 200)


@given(st.sampled_from(sorted(PAPERS)), SIZES, SIZES, st.floats(0, 10))
def test_pieces_lie_on_the_page_beside_each_other(
    paper: str, width: float, height: float, bleed: float
) -> None:
    found = sheet(PAPERS[paper], (width, height), bleed)
    if found is None:
        return
    spots = list(found.spots())
    assert len(spots) == found.room > 0
    for spot in spots:
        for start, size, page in zip(
            (spot.left, spot.top), (found.width, found.height), found.page, strict=True
        ):
            assert start - bleed >= MARGIN - 1e-6
            assert start + size + bleed <= page - MARGIN + 1e-6
    for a in (found.lefts, found.width), (found.tops, found.height):
        starts, size = a
        assert all(later - sooner >= size + 2 * bleed - 1e-6 for sooner, later in itertools.pairwise(starts))


def test_a_back_lies_behind_its_face() -> None:
    found = sheet(PAPERS["a4"], (63, 88), 3)
    assert found is not None
    for spot in found.spots():
        back = found.back_of(spot)
        assert back.left == pytest.approx(found.page[0] - spot.left - found.width)
        assert back.top == spot.top
        assert any(
            back.left == pytest.approx(other.left) and back.top == other.top for other in found.spots()
        )


def test_cards_lie_as_more_of_them_fit() -> None:
    upright, on_its_side = (sheet(PAPERS["a4"], (63, 88), bleed) for bleed in (0, 3))
    assert upright is not None
    assert on_its_side is not None
    assert (upright.room, upright.turned) == (9, False)
    assert (on_its_side.room, on_its_side.turned) == (8, True)


def test_what_is_larger_than_a_page_does_not_lie_on_it() -> None:
    assert sheet(PAPERS["letter"], (203, 100), 0) is None or sheet(PAPERS["letter"], (203, 100), 0).turned
    assert sheet(PAPERS["a4"], (290, 290), 0) is None


WORDS = st.lists(st.text("abcdefghij", min_size=1, max_size=30), max_size=40).map(" ".join)


@given(WORDS, st.floats(2, 80), st.floats(2, 80))
def test_a_text_is_never_cut(text: str, width: float, height: float) -> None:
    found = fitted(text, width, height, 14, lambda part, size: len(part) * size * 0.2)
    assert "".join(found.lines).replace(" ", "") == text.replace(" ", "")
    assert len(found.lines) * found.size * LINE * 25.4 / 72 <= height or found.size < 0.1


def test_words_stay_whole_as_long_as_they_can_be_read() -> None:
    found = fitted("a considerable hinterland", 20, 30, 14, lambda part, size: len(part) * size * 0.2)
    assert all(
        line.split() == [w for w in line.split() if w in "a considerable hinterland"] for line in found.lines
    )
    assert found.size < 14


WORDS = st.builds(Run, st.text("abc,.", min_size=1, max_size=30), glued=st.booleans())


@pytest.fixture(scope="module")
def flow() -> Flow:
    return Flow(Canvas((210, 297), ""))


@given(st.lists(WORDS, max_size=12), st.floats(20, 60))
def test_a_word_is_broken_only_if_it_is_wider_than_a_line(flow: Flow, runs: list[Run], width: float) -> None:
    def wide(run: Run) -> float:
        return flow.canvas.measure(run.text, 9, run.strong)

    lines = flow.broken(runs, width, 9)
    assert "".join(run.text for line in lines for _, run in line) == "".join(run.text for run in runs)
    assert all(at + wide(run) <= width + 1e-6 for line in lines for at, run in line)
    for line, (first, *_) in itertools.pairwise(lines):
        if first[1].glued:
            start = max((at for at, run in line if not run.glued), default=0.0)
            at, last = line[-1]
            assert at + wide(last) - start + wide(first[1]) > width - 1e-6
