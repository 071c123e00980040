"""What a variant changes is told, also where a step has no section of its own, and where nothing counts."""

from __future__ import annotations

from click.testing import CliRunner

from rulewright.main import main


def variant(game: str, title: str) -> str:
    """What the book of a game says of a variant."""
    book = CliRunner().invoke(main, ["rules", game]).output
    return book.partition(f"\n#### {title}\n")[2].partition("\n#### ")[0]


def test_turns_that_nobody_counts_end_nothing() -> None:
    told = variant("backgammon", "Without: a draw after five hundred turns")
    assert "Put all dice to play with the dice played.\n" in told
    assert "number of turns" not in told
    assert "The game is over if a player has borne off all men. " in told


def test_a_step_of_a_phase_is_told_as_the_variant_has_it() -> None:
    told = variant("einstein_wuerfelt_nicht", "How the stones are placed: by chance")
    assert "##### Placing the stones" in told
    assert "Choose at random a free square" in told
