"""Figures that a seat moves from its own place are its own: that goes without saying."""

from __future__ import annotations

from dsl.load import Folder, load
from rulewright.rulebook.markdown import markdown
from tests.rulebook.test_prose import book

YAML = """
game: demo
seats: 2
rules: [demo.rules]
components: {man: {of: seat, count: 3}}
zones:
  home: {holds: man, of: seat, seen_by: all, start: all}
  road: {holds: man, seen_by: all}
flow: {play: {seat: rotates, do: [act], then: final}, final: {score: highest}}
"""
RULES = """
procedure act
    move 1 from home of me to road
    move 1 from those(man in home of me where man.seat is opponent) to road
score men = size(home of me)
"""


def test_own_figures_are_not_said_to_belong_to_their_owner() -> None:
    texts = {"game.yaml": YAML, "demo.rules": RULES}
    text = markdown(book(load(Folder("demo", lambda inner: texts[inner].encode()))[0]))
    assert "Put 1 man from your home into the road." in text
    assert "Put 1 man from your home that belongs to your opponent into the road." in text
