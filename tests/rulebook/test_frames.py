"""Sentences around what rules say: each is a sentence of its language, and says a thing once."""

from __future__ import annotations

import pytest

from rulewright.i18n.grammar.hungarian import indefinite
from rulewright.library import read_rules
from rulewright.rulebook.configured import configured_book
from rulewright.rulebook.markdown import markdown


@pytest.fixture(scope="module")
def roma() -> str:
    return markdown(configured_book("roma", read_rules("roma")[0], None, {}))


@pytest.fixture(scope="module")
def augustus() -> str:
    return markdown(configured_book("augustus", read_rules("augustus")[0], None, {}, "hu"))


def test_conditions_are_sentences(roma: str) -> None:
    assert "\nOnly if all your unused dice have the same number.\n" in roma


def test_an_end_is_told_once(roma: str) -> None:
    assert "* As soon as a player has no victory points. " in roma


def test_a_sentence_has_one_colon(roma: str) -> None:
    assert "Each player in turn, as long as your hand is not empty: " in roma


def test_a_step_of_one_sentence_stands_at_its_heading(roma: str) -> None:
    assert "1. **Deal the cards.** All cards are shuffled" in roma


def test_what_was_taken_is_not_moved_again(roma: str) -> None:
    assert "Put the rest of your drawn cards on the discard pile." in roma


def test_what_has_happened_is_noted(roma: str) -> None:
    assert "Note that you have had a turn." in roma


def test_what_everybody_has_is_told_after_the_set_up(roma: str) -> None:
    assert roma.index("## Set-up") < roma.index("every player has: 4 cards on the table")


@pytest.mark.parametrize(
    ("definite", "order"),
    [
        ("helyezd át", "helyezz át"),
        ("válaszd ki", "válassz ki"),
        ("építsd meg", "építs meg"),
        ("fizesd ki", "fizess ki"),
        ("rakd le", "rakj le"),
        ("tedd le", "tegyél le"),
        ("húzz", "húzz"),
    ],
)
def test_orders_before_an_indefinite_object(definite: str, order: str) -> None:
    assert indefinite(definite) == order


def test_hungarian_verbs_agree_with_their_objects(augustus: str) -> None:
    assert "Helyezz át egy légiót" in augustus
    assert "Keverjétek meg az összes célkártyát; kezdetben a húzópakliban vannak." in augustus
    assert "edd az összes kiosztott célkártyádat a húzópakliba" in augustus
    assert "van szabad ilyen meződ" in augustus
