"""What carries over from a match to the next one of the same seats."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

from dsl import rules as r
from dsl.domains import FLAG
from dsl.source import NOWHERE
from interpreter import ir
from interpreter.events import Changed
from interpreter.game import Game
from interpreter.messages import NoNextMatch
from interpreter.once_per_game import once_per_game
from interpreter.opening import Opening
from interpreter.queries import Function, QueryEvaluator


def carried_from(game: Game, s: array[int]) -> Opening | None:
    """What the match after one that has ended in a state begins with; none if no match follows.

    What is as at the start is left out. Raises `Fault` if the condition of the rules fails.
    """
    if game.ruleset.carries is None or not goes_on(game, s):
        return None
    start, names = game.executor.initial_state(), game.names
    values = tuple(
        (names.word(words, at - words.base), (_text(game, words, s[at]),))
        for words, at in _words(game)
        if s[at] != start[at]
    )
    return Opening(values, carried=True)


def goes_on(game: Game, s: array[int]) -> bool:
    """Whether the rules let another match follow one that has ended in a state."""
    carries = game.ruleset.carries
    if carries is None:
        return False
    return carries.goes_on is None or bool(_condition(game)(s, ()))


def changes_of(game: Game, s: array[int]) -> tuple[Changed, ...]:
    """What a match that has not begun has carried over, as events: each word that is not as at the start."""
    start = game.executor.initial_state()
    return tuple(
        Changed(words.name, at, start[at], s[at]) for words, at in _words(game) if s[at] != start[at]
    )


def no_next(game: Game, over: bool) -> NoNextMatch:
    """Why no match follows."""
    carries = game.ruleset.carries
    if carries is None:
        return NoNextMatch(game.ruleset.span, "nothing carries over in this game", "begin a new match")
    if not over:
        return NoNextMatch(carries.span, "the match is not over", "play it to its end")
    return NoNextMatch(carries.span, f"`{carries.goes_on}` does not hold at its end", "begin a new series")


def _words(game: Game) -> Iterator[tuple[ir.VarLayout, int]]:
    """The words of the state that carry over, each with its variable."""
    carries, variables = game.ruleset.carries, game.machine.variables
    for name in carries.of if carries is not None else ():
        if (words := variables.get(name)) is not None:
            yield from ((words, at) for at in range(words.base, words.base + words.size))


def _text(game: Game, words: ir.VarLayout, value: int) -> str:
    return str(value) if words.kind == "counter" else game.names.value(words.type, value)


@once_per_game
def _condition(game: Game) -> Function:
    carries = game.ruleset.carries
    assert carries is not None
    assert carries.goes_on is not None
    return QueryEvaluator(game).function(r.UseValue(FLAG, NOWHERE, carries.goes_on, ()), ())
