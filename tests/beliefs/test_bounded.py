"""What was worked out is kept up to a bound."""

from interpreter.beliefs.bounded import MOST_KEPT, Bounded


def test_all_is_forgotten_where_one_more_has_no_room() -> None:
    kept = Bounded[int, str]()
    for number in range(MOST_KEPT):
        kept[number] = "worked out"
    kept[0] = "worked out again"
    assert len(kept) == MOST_KEPT
    kept[MOST_KEPT] = "new"
    assert kept == {MOST_KEPT: "new"}
