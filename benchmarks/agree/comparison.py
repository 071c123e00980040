"""Both sides played along each other, stop by stop."""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from benchmarks.agree import ours
from benchmarks.agree.pairing import PASS, Key, Pairing
from interpreter.game import Game
from interpreter.match import Match

MOST_SHOWN = 4


class Disagreement(Exception):
    """The two sides differ; the text says in what, and shows the position."""


class Uncovered(Exception):
    """The other side cannot play on from here, as the text says; up to here both were the same."""


@dataclass
class Sides:
    """One playout of both: our match, their state, and our outcomes of chance that theirs still needs."""

    pairing: Pairing
    match: Match
    state: Any
    outcomes: list[str]
    decisions: int = 0

    def fail(self, what: str) -> Disagreement:
        made = f"seed {self.match.seed}, after {self.decisions} decisions"
        return Disagreement(f"{what}\n{made}; OpenSpiel's history {self.state.history()}:\n{self.state}")


def play_along(pairing: Pairing, game: Game, theirs: Any, seed: int) -> Sides:
    """One random playout. Raises `Disagreement`."""
    match = ours.begun(game, seed)
    sides = Sides(pairing, match, theirs.new_initial_state(), ours.outcomes(match))
    rng = random.Random(seed)
    with suppress(Uncovered):
        catch_up(sides)
        while not match.over:
            _choose(sides, rng)
            catch_up(sides)
    return sides


def catch_up(sides: Sides) -> None:
    """Feeds our chance to the other side and lets it pass, up to our stop; compares what there is."""
    while not sides.state.is_terminal():
        if sides.state.is_chance_node():
            _draw(sides)
        elif _must_pass(sides):
            sides.state.apply_action(sides.state.legal_actions()[0])
        else:
            break
    _compare_stops(sides)


def _draw(sides: Sides) -> None:
    try:
        action = sides.pairing.chance(sides.state, sides.outcomes)
    except IndexError:
        raise sides.fail("OpenSpiel draws, and we did not") from None
    sides.state.apply_action(action)


def _must_pass(sides: Sides) -> bool:
    """Whether all that the other side offers is to pass, and we do not ask for it."""
    actions = sides.state.legal_actions()
    if len(actions) > 1 or sides.pairing.their_key(sides.state, actions[0]) != PASS:
        return False
    return sides.match.over or PASS not in _our_choices(sides)


def _compare_stops(sides: Sides) -> None:
    match, state = sides.match, sides.state
    if match.over != state.is_terminal():
        raise sides.fail("it is over for us alone" if match.over else "it is over for OpenSpiel alone")
    if len(sides.outcomes) > (sides.pairing.last_outcomes if match.over else 0):
        raise sides.fail(f"we drew what OpenSpiel did not: {sides.outcomes}")
    if match.over:
        found, expected = sides.pairing.result(match), sides.pairing.their_result(state)
        if found != expected:
            raise sides.fail(f"our result is {found}, OpenSpiel's {expected}")
    elif ours.seat(match) != state.current_player():
        raise sides.fail(f"seat {ours.seat(match)} chooses with us, {state.current_player()} with OpenSpiel")


def choices(sides: Sides) -> tuple[dict[Key, ours.Path], dict[Key, int]]:
    """What each side offers, by key. Raises `Disagreement` if the keys differ."""
    mine, state = _our_choices(sides), sides.state
    other = {sides.pairing.their_key(state, action): action for action in state.legal_actions()}
    if mine.keys() != other.keys():
        only = f"only we offer {_shown(mine.keys() - other.keys())}"
        raise sides.fail(f"{only}; only OpenSpiel offers {_shown(other.keys() - mine.keys())}")
    return mine, other


def _our_choices(sides: Sides) -> dict[Key, ours.Path]:
    pairing, match = sides.pairing, sides.match
    paths = ours.paths(match, pairing.goes_on, pairing.in_any_order)
    return {pairing.our_key(match, path): path for path in paths}


def _shown(keys: set[Key]) -> str:
    """Some of the keys, and how many there are."""
    texts = sorted(map(str, keys))
    more = f" and {len(texts) - MOST_SHOWN} more" if len(texts) > MOST_SHOWN else ""
    return ", ".join(texts[:MOST_SHOWN]) + more or "nothing more"


def _choose(sides: Sides, rng: random.Random) -> None:
    mine, other = choices(sides)
    key = rng.choice(sides.pairing.steer(sorted(mine, key=str)))
    sides.outcomes += ours.follow(sides.match, mine[key])
    sides.state.apply_action(other[key])
    sides.decisions += 1
