"""Teams: who plays with whom; `teams` of `game.yaml`."""

from __future__ import annotations

from dataclasses import replace

from dsl.declare.enumerations import named_values, value_of
from dsl.declare.nodes import mapping, words
from dsl.declare.symbol_table import SymbolTable
from dsl.diagnostics import DiagnosticError
from dsl.document import Node, Scalar
from dsl.domains import EnumType
from dsl.messages.game import BadTeams
from dsl.rules import Column

TEAM = "team"


def declare_teams(symbols: SymbolTable, node: Node) -> None:
    """`{axis: [A, C], allies: [B, D]}`: the type `team`, and the column `team` of seats.

    Raises `DiagnosticError` unless every seat is in exactly one team.
    """
    found = mapping(node, "`teams`")
    seats, number = symbols.types["seat"], symbols.seat_counts[-1]
    names = tuple(name for name, _ in found.pairs)
    if not names:
        raise DiagnosticError(BadTeams(node.span, "there is no team", "name them, each with its seats"))
    span = names[0].span
    symbols.declare(TEAM, "a type", span)
    team_of: dict[int, int] = {}
    met: dict[int, Scalar] = {}
    for team, (name, members) in enumerate(found.pairs):
        for word in words(members, f"team `{name.text}`"):
            seat = value_of(seats, word)
            if seat in met:
                why = f"`{word.text}` is in two teams"
                raise DiagnosticError(BadTeams(word.span, why, "keep it in one", met[seat].span))
            team_of[seat], met[seat] = team, word
    left = [seats.label(seat) for seat in range(number) if seat not in team_of]
    if left:
        raise DiagnosticError(BadTeams(node.span, f"`{left[0]}` is in no team", "every seat is in one team"))
    values = tuple(team_of[seat] for seat in range(number))
    decl = named_values(Scalar(TEAM, span), names, symbols.reserved)
    absent = {
        playing: gone
        for playing in symbols.seat_counts[:-1]
        if (gone := tuple(team for team in range(len(names)) if team not in values[:playing]))
    }
    symbols.types[TEAM] = replace(decl, without=absent)
    column = Column(TEAM, EnumType(TEAM), values)
    symbols.types["seat"] = replace(seats, columns={**seats.columns, TEAM: column})
    symbols.teams = values
