"""Every form of an event has a text, also where versions differ in what somebody was shown."""

from __future__ import annotations

import pytest

from validators.diff.log_replay.formatting import event_words
from validators.diff.names import Form

HAND, PURSE = ("hand", "A", None), ("purse", "B", None)


@pytest.mark.parametrize(
    ("form", "text"),
    [
        (("moved", "card", "king", 2, ("deck", None, None), HAND), "2 king: deck -> hand of A"),
        (("moved", "tile", "3", 1, ("deck", None, None), HAND), "tile 3: deck -> hand of A"),
        (("changed", PURSE, 3, 5), "purse of B: 3 -> 5"),
        (("changed", ("passed", "A", None), False, True), "passed of A: false -> true"),
        (("changed", ("role", "A", None), "wolf", "seer"), "role of A: wolf -> seer"),
        (("thrown", "die", "6", None), "die shows 6"),
        (("shown", "B", (("king", HAND, 2),), True), "B is shown king, king"),
        (("shown", "B", (), True), "B is shown nothing"),
        (("shown", None, (("king", HAND, 1),), True), "on top of hand of A: king"),
        (("told", "A", PURSE, 4, False), "A is shown purse of B: 4"),
        (("told", None, PURSE, None, True), "everybody is shown purse of B"),
        (("shuffled", ("deck", None, None)), "deck is shuffled"),
        (("entered", "night"), "phase: night"),
        (("turned", "B"), "turn of B"),
        (("branched", "B"), "B goes on"),
        (("branched", None), "all have finished"),
        (("ended", None), "the game is over"),
    ],
)
def test_an_event_has_a_text(form: Form, text: str) -> None:
    assert event_words(form) == text
