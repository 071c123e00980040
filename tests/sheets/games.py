"""A game with a table of cards, by the bytes of the table."""

from __future__ import annotations

from dsl.diagnostics import ErrorsReported
from dsl.folder import Folder
from dsl.load import load
from dsl.render import lines
from dsl.rules import Rules

COLUMNS = "cost: 0..9, suit: [red, blue], copies: 1..4, rare: flag, text: text"
GAME = """game: probe
seats: 2
rules: [probe.rules]
components:
  card: {{table: "{table}", columns: {{{columns}}}, copies: copies{more}}}
zones:
  deck: {{holds: card, order: shuffled, seen_by: nobody, start: all}}
  taken: {{holds: card, of: seat, seen_by: all}}
flow:
  set_up: {{do: [shuffling], then: turn}}
  turn: {{seat: rotates, do: [draw_one], then: {{no_more: final, otherwise: turn}}}}
  final: {{score: highest}}
"""
RULES = """procedure shuffling
    shuffle deck

procedure draw_one
    draw card from deck to taken of me

value no_more = deck is empty

score cards_taken = size(taken of me)
"""


def folder(
    data: bytes, table: str = "cards.csv", more: str = "", columns: str = COLUMNS, **files: bytes
) -> Folder:
    """The files of a game whose table is this."""
    game = GAME.format(table=table, columns=columns, more=f", {more}" if more else "")
    there = {
        "game.yaml": game.encode(),
        "probe.rules": RULES.encode(),
        table.partition("#")[0]: data,
        **files,
    }

    def fetch(path: str) -> bytes:
        if path not in there:
            raise FileNotFoundError(2, "no such file")
        return there[path]

    return Folder("probe", fetch)


def rules_of(data: bytes, table: str = "cards.csv", more: str = "", columns: str = COLUMNS) -> Rules:
    rules, report = load(folder(data, table, more, columns))
    assert len(report) == 0, lines(report)
    return rules


def said(data: bytes, table: str = "cards.csv", more: str = "", columns: str = COLUMNS) -> list[str]:
    """What is said of a game with this table, a line for each finding."""
    try:
        _, report = load(folder(data, table, more, columns))
    except ErrorsReported as stop:
        report = stop.report
    return lines(report).splitlines()
