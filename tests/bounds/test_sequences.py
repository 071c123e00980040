"""Versions of sequences are compared in time that grows with them; short ones as by `difflib`."""

from __future__ import annotations

from difflib import SequenceMatcher
from time import process_time

import pytest
from hypothesis import given, strategies as st

from dsl import sequences
from dsl.sequences import differences, matching_blocks
from rulewright.studio.line_changes import changed_lines
from rulewright.studio.merging import merged

WORDS = st.lists(st.sampled_from("abcdefgh"), max_size=40)
LONG = 20_000
HOSTILE = {
    "all equal, moved": (["x"] * LONG + ["a"], ["b"] + ["x"] * LONG),
    "each second one equal": (
        [w for i in range(LONG // 2) for w in ("x", f"a{i}")],
        [w for i in range(LONG // 2) for w in ("x", f"b{i}")],
    ),
    "each second one changed": (
        [f"a{i}" for i in range(LONG)],
        [f"a{i}" if i % 2 else f"b{i}" for i in range(LONG)],
    ),
    "turned around": ([f"a{i}" for i in range(LONG)], [f"a{i}" for i in reversed(range(LONG))]),
    "nothing in common": ([f"a{i}" for i in range(LONG)], [f"b{i}" for i in range(LONG)]),
    "few words": ([f"a{i % 7}" for i in range(LONG)], [f"a{i % 11}" for i in range(LONG)]),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_long_sequences_are_compared_soon(name: str) -> None:
    old, new = HOSTILE[name]
    begun = process_time()
    found = list(differences(old, new))
    assert process_time() - begun < 1
    assert restored(old, new, found) == (old, new)


@given(WORDS, WORDS)
def test_short_ones_are_compared_by_their_longest_common_parts(old: list[str], new: list[str]) -> None:
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    assert matching_blocks(old, new) == [tuple(block) for block in matcher.get_matching_blocks()]


@given(WORDS, WORDS)
def test_long_ones_are_cut(old: list[str], new: list[str]) -> None:
    """Whatever is the same is in order in both, and what differs is the rest."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sequences, "SHORT", 6)
        assert restored(old, new, list(differences(old, new))) == (old, new)


def test_what_occurs_once_stays_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sequences, "SHORT", 0)
    found = [(same, list(a), list(b)) for same, a, b in differences("one x two x", "x one x 2 x two x")]
    assert [part for part in found if part[0]][-1][2][-1] == len("x one x 2 x two x") - 1
    assert matching_blocks("abc", "xabcy") == [(0, 1, 3), (3, 5, 0)]
    assert matching_blocks("aaa", "baa") == [(1, 1, 2), (3, 3, 0)]


def restored(
    old: list[str], new: list[str], found: list[tuple[bool, range, range]]
) -> tuple[list[str], list[str]]:
    """Both, put together from the parts that were found."""
    for same, a, b in found:
        assert not same or old[a.start : a.stop] == new[b.start : b.stop]
    return [old[i] for _, a, _ in found for i in a], [new[j] for _, _, b in found for j in b]


def test_a_long_text_of_equal_lines_is_merged_soon() -> None:
    begun = process_time()
    lines = "x\n" * (LONG - 10)
    assert merged(f"a\n{lines}b", f"b\n{lines}a", f"a\n{lines}b").text == f"b\n{lines}a"
    assert [change["kind"] for change in changed_lines(f"a\n{lines}", f"{lines}b")] == ["removed", "changed"]
    assert process_time() - begun < 1
