"""An offer that must be taken says `otherwise: []`: where nothing can be done, nothing happens."""

from __future__ import annotations

from dsl.load import Folder, load
from dsl.rules import Rules
from rulewright.rulebook.markdown import markdown
from tests.rulebook.test_prose import book
from validators.diff.compare import compare

YAML = """
game: purse
seats: 2
rules: [purse.rules]
counters: {{money: {{of: seat, range: 0..9, start: 1}}, turns: {{range: 0..9}}}}
flow:
  turn: {{seat: rotates, do: [{offer}, pass_on], then: {{turns > 3: final, otherwise: turn}}}}
  final: {{score: highest}}
"""
RULES = """
score saved = money of me
action buy
    pay 1 money
procedure pass_on
    turns += 1
"""
"""Two seats with one coin each, and an action that costs one."""


MUST, MUST_OR_NOTHING = "{do one of: [buy]}", "{do one of: [buy], otherwise: []}"
MAY, MAY_OR_NOTHING = "{may do: [buy]}", "{may do: [buy], otherwise: []}"


def rules_with(offer: str) -> Rules:
    files = {"game.yaml": YAML.format(offer=offer).encode(), "purse.rules": RULES.encode()}
    return load(Folder("purse", files.__getitem__))[0]


def test_the_rulebook_says_it() -> None:
    assert "If nothing can be done, nothing happens." in markdown(book(rules_with(MUST_OR_NOTHING)))
    for other in (MUST, MAY_OR_NOTHING):
        assert "nothing happens" not in markdown(book(rules_with(other)))


def test_to_say_it_changes_the_rules() -> None:
    assert compare(rules_with(MUST), rules_with(MUST_OR_NOTHING)).changes
    assert not compare(rules_with(MAY), rules_with(MAY_OR_NOTHING)).changes
