"""A match of ours and a referee of plain Python, stop by stop."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import assert_never

from benchmarks.agree import ours
from benchmarks.agree.comparison import Disagreement
from benchmarks.agree.referees.stops import Ask, Draw, End, Play, Referee, Together
from interpreter import ir
from interpreter.executor_protocol import Waiting
from interpreter.game import Game
from interpreter.match import Match

LIKELY = 0.95
"""How often one of the likely words is chosen, where there are some."""


@dataclass
class Run:
    """Our match, which leads, and what chance gave us that the referee has not asked for yet."""

    match: Match
    rng: random.Random
    outcomes: list[str]
    decisions: int = 0
    story: list[str] = field(default_factory=list)

    def fail(self, what: str) -> Disagreement:
        return Disagreement(f"{what}\nseed {self.match.seed}; {' | '.join(self.story[-40:])}")


def play_along(referee: Referee, game: Game, seed: int) -> int:
    """One random playout; how many decisions it had. Raises `Disagreement`."""
    match = ours.begun(game, seed)
    run = Run(match, random.Random(seed), ours.outcomes(match))
    seats = [match.game.names.seat(i) for i in range(match.game.machine.seats)]
    end = _follow(run, referee(seats))
    assert end is not None
    _compare_ends(run, end)
    return run.decisions


def _follow(run: Run, play: Play) -> End | None:
    try:
        stop = next(play)
        while True:
            match stop:
                case Ask():
                    (waiting,) = _waiting(run)
                    stop = play.send(_choose(run, waiting, stop))
                case Draw():
                    stop = play.send(_drawn(run, stop))
                case Together():
                    _branch(run, dict(stop.branches))
                    stop = play.send("")
                case _:
                    assert_never(stop)
    except StopIteration as finished:
        end: End | None = finished.value
        return end


def _branch(run: Run, plays: dict[str, Play]) -> None:
    """Every branch up to its end, in a random order of choices."""
    stops: dict[str, Ask] = {}
    for seat, play in plays.items():
        _advance(run, stops, seat, play, None)
    while stops:
        waiting = run.rng.choice(_waiting(run))
        seat = run.match.game.names.seat(waiting.seat)
        if {run.match.game.names.seat(w.seat) for w in _waiting(run)} != stops.keys():
            raise run.fail(f"the referee asks {sorted(stops)} at once")
        _advance(run, stops, seat, plays[seat], _choose(run, waiting, stops[seat]))


def _advance(run: Run, stops: dict[str, Ask], seat: str, play: Play, word: str | None) -> None:
    stops.pop(seat, None)
    try:
        stop = next(play) if word is None else play.send(word)
    except StopIteration:
        return
    if not isinstance(stop, Ask):
        raise run.fail("a branch may only choose")
    stops[seat] = stop


def _waiting(run: Run) -> tuple[Waiting, ...]:
    if run.outcomes:
        raise run.fail(f"we drew {run.outcomes}, and the referee asks somebody")
    if run.match.over:
        raise run.fail("it is over for us alone")
    return run.match.waiting()


def _choose(run: Run, waiting: Waiting, ask: Ask) -> str:
    names, node = run.match.game.names, run.match.game.machine.nodes[waiting.node]
    assert isinstance(node, ir.Decide | ir.Offer)
    mine = {" ".join(names.choice(node, option, waiting.what)): option for option in waiting.options}
    seat = names.seat(waiting.seat)
    if seat != ask.seat:
        raise run.fail(f"{seat} chooses with us, {ask.seat} with the referee")
    if mine.keys() != set(ask.words):
        ours_alone, others = sorted(mine.keys() - set(ask.words)), sorted(set(ask.words) - mine.keys())
        raise run.fail(f"{seat}: only we offer {ours_alone}; only the referee offers {others}")
    word = run.rng.choice(sorted(ask.likely if ask.likely and run.rng.random() < LIKELY else mine))
    before = len(run.match.steps)
    run.match.take(waiting, mine[word])
    run.outcomes += ours.outcomes(run.match, before)
    run.decisions += 1
    run.story.append(f"{seat}: {word}")
    return word


def _drawn(run: Run, draw: Draw) -> str:
    if not run.outcomes:
        raise run.fail(f"the referee draws one of {sorted(set(draw.possible))}, and we did not")
    outcome = run.outcomes.pop(0)
    if outcome not in draw.possible:
        raise run.fail(f"we drew {outcome}, the referee one of {sorted(set(draw.possible))}")
    run.story.append(f"({outcome})")
    return outcome


def _compare_ends(run: Run, end: End) -> None:
    if run.outcomes or not run.match.over:
        raise run.fail("it is over for the referee alone")
    totals = {account.seat: account.total for account in run.match.accounts()}
    mine = (sorted(run.match.winners()), run.match.outcome())
    if mine != (sorted(end.winners), end.name):
        raise run.fail(f"our end is {mine}, the referee's {sorted(end.winners)}, {end.name}; {totals}")
    if end.totals and totals != end.totals:
        raise run.fail(f"our totals are {totals}, the referee's {end.totals}")
