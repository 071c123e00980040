"""Two edits of one text, put together."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from rulewright.studio.merging import merged

LINES = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=6).map("\n".join)


@pytest.mark.parametrize(
    ("base", "mine", "theirs", "both"),
    [
        ("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n", "A\nb\nC\n"),
        ("a\nb\n", "a\nb\nmine\n", "theirs\na\nb\n", "theirs\na\nb\nmine\n"),
        ("a\nb\nc\n", "a\nc\n", "a\nb\nC\n", "a\nC\n"),
        ("a\nb\n", "a\nB\n", "a\nB\n", "a\nB\n"),
        ("a\n", "", "a\n", ""),
    ],
)
def test_both_edits_are_done(base: str, mine: str, theirs: str, both: str) -> None:
    assert merged(base, mine, theirs).text == both


@pytest.mark.parametrize(
    ("mine", "theirs", "clash"),
    [("a\nX\nc", "a\nY\nc", (2, 2)), ("a\nb\nX\nc", "a\nb\nY\nc", (3, 3)), ("a\nc", "a\nY\nc", (2, 2))],
)
def test_edits_of_the_same_lines_are_not_put_together(mine: str, theirs: str, clash: tuple[int, int]) -> None:
    found = merged("a\nb\nc", mine, theirs)
    assert found.text is None
    assert found.clash == clash


@given(LINES, LINES, LINES)
def test_the_order_does_not_matter_and_one_edit_alone_is_done(base: str, one: str, other: str) -> None:
    assert merged(base, one, other).text == merged(base, other, one).text
    assert merged(base, one, base).text == one
    assert merged(base, one, one).text == one


@given(LINES, LINES, LINES)
def test_no_line_of_either_is_lost(base: str, one: str, other: str) -> None:
    """What one side has added stands in the merged text."""
    both = merged(base, one, other).text
    if both is not None:
        for side in (one, other):
            for line in set(side.split("\n")) - set(base.split("\n")):
                assert line in both.split("\n")
