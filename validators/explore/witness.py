"""Witnesses: a path through positions in the words of the game, and as a match to replay."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from interpreter import ir
from interpreter.executor_protocol import Waiting
from interpreter.formatting import outcome_name
from interpreter.game import Game
from interpreter.match import Match
from interpreter.messages import Fault
from validators.explore.stepping import WORLD, Move, StepExecutor


@dataclass(frozen=True)
class ExploreWitness:
    """A path from the start, as moves and in words."""

    moves: tuple[Move, ...]
    words: tuple[str, ...]


def moves_on(steps: StepExecutor, path: Sequence[int], last: int | None = None) -> list[Move]:
    """The moves of a path, with a failing one at its end."""
    state, made = steps.first(), []
    for number in path:
        move = steps.moves(state)[number]
        made.append(move)
        state = steps.after(state, move)
    return made if last is None else [*made, steps.moves(state)[last]]


def witness(game: Game, moves: Sequence[Move]) -> ExploreWitness:
    """The same moves in the words of the game."""
    reference = game.reference
    words = []
    s = reference.initial_state()
    with suppress(Fault):
        reference.advance(s, game.machine.start)
        for move in moves:
            if move.branch == WORLD:
                words.append(_outcome(game, move))
                reference.resolve_chance(s, move.value)
            else:
                waiting = next(w for w in reference.waiting(s) if (w.node, w.branch) == move[:2])
                words.append(_choice(game, waiting, move))
                reference.choose(s, waiting, move.option)
    return ExploreWitness(tuple(moves), tuple(words))


def _outcome(game: Game, move: Move) -> str:
    node = game.machine.node(move.node, ir.Chance)
    return f"{game.machine.streams[node.stream]}: {outcome_name(node, move.value)}"


def _choice(game: Game, waiting: Waiting, move: Move) -> str:
    node = game.machine.decision(move.node)
    seat = game.names.seat(waiting.seat)
    return f"{seat} {' '.join(game.names.choice(node, move.option, waiting.what))}"


def replayable(game: Game, moves: Sequence[Move]) -> Match:
    """A match along a path, for a log. The outcomes of chance on the path are supplied.

    A failing move is not in it. After the path, chance before the next decision comes from the seed.
    """
    outcomes: dict[str, list[str | None]] = {}
    for move in moves:
        node = game.machine.nodes[move.node]
        if isinstance(node, ir.Chance):
            stream = game.machine.streams[node.stream]
            outcomes.setdefault(stream, []).append(outcome_name(node, move.value))
    match = Match(game, outcomes=outcomes)
    with suppress(Fault):
        match.start()
        for move in moves:
            if move.branch != WORLD:
                waiting = next(w for w in match.waiting() if (w.node, w.branch) == move[:2])
                match.take(waiting, move.option)
    return match
