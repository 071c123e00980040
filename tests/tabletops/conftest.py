"""A small game with art on its cards, and the command that exports it."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from PIL import Image

from rulewright.main import main

Run = Callable[..., Result]
LANDS = ("coast", "hill")
NUMBER = 75
"""So many kinds of cards: more than a sheet has."""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return lambda *words: CliRunner().invoke(main, words, prog_name="rulewright")


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    """A ruleset with cards, hidden goals, coins and dice, from a table with art: `shores`."""
    folder = tmp_path / "shores"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text, "utf-8")
    rows = [
        f'Card {i};{LANDS[i % 2]};{i % 7};{1 + (i == 0)};"Pay {{wood}}: **draw** {i}";art{i % 2}.jpg'
        for i in range(NUMBER)
    ]
    (folder / "cards.csv").write_text("\n".join(["Card;Land;Cost;Copies;Says;Art", *rows]) + "\n", "utf-8")
    for i, colour in enumerate(("#2060a0", "#208040")):
        (folder / f"art{i}.jpg").write_bytes(jpeg(colour))
    return folder


def jpeg(colour: str, size: tuple[int, int] = (90, 130)) -> bytes:
    """A photograph of one colour."""
    data = BytesIO()
    Image.new("RGB", size, colour).save(data, "JPEG", quality=90)
    return data.getvalue()


def read(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


FILES = {
    "game.yaml": """\
game: shores
title: Shores
seats: 2..4
rules: [shores.rules]
look: look.yaml
longest: 400
types: {land: [coast, hill]}
boards: {bay: {grid: [2, 3]}}
components:
  card:
    table: cards.csv
    columns: {land: land, cost: 0..9, copies: 1..4, says: text, art: text}
    copies: copies
  goal: {kinds: land, count: 2}
  coin: {count: 30}
  cube: {die: 1..6, count: 2}
zones:
  deck: {holds: card, order: shuffled, seen_by: count, start: all}
  hand: {holds: card, of: seat, seen_by: owner}
  table: {holds: card, seen_by: all}
  goals: {holds: goal, order: shuffled, seen_by: nobody, start: all}
  market: {holds: card, at: bay, seen_by: all}
  supply: {holds: coin, seen_by: all, start: all}
  purse: {holds: coin, of: seat, seen_by: all}
  cup: {holds: cube, seen_by: all, start: all}
counters:
  points: {of: seat, range: 0..99}
flow:
  set_up: {do: [deal], then: turn}
  turn: {seat: rotates, do: [take], then: {all_taken: final, otherwise: turn}}
  final: {score: highest}
""",
    "shores.rules": """\
procedure deal
    for seat
        move 5 from deck to hand of seat
        move 3 from supply to purse of seat
    for bay
        move 1 from deck to market at bay

procedure take
    choose held from hand of me
    move held to table
    move up to 1 from deck to hand of me
    gain 1 points

value all_taken = size(deck) is 0

score taken = points of me
""",
    "wood.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4">'
    '<rect width="4" height="4" fill="#c00"/></svg>',
    "look.yaml": """\
icons: {wood: wood.svg}
zones: {market: {board: bay}}
pieces:
  card:
    shape: card
    size: mini-euro
    by: land
    face:
      - {picture: "{art}"}
      - {box: [3, 3, 38, 8], fill: "#ffffff", opacity: 0.9, radius: 1}
      - {box: [4, 3, 30, 8], text: "**{label}**", size: 10}
      - {box: [34, 3, 6, 8], text: "{cost}", size: 12, align: right, ink: {coast: blue, hill: brown}}
      - {box: [3, 45, 38, 20], text: "{says}", fill: "#ffffff"}
    back: [{fill: {coast: "#204060", hill: "#204060"}}, {box: [5, 5, 34, 58], text: "Shores", align: middle}]
  goal: {shape: card, size: hex, face: {middle: "{label}"}}
""",
}
