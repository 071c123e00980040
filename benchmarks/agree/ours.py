"""Our side: complete choices, the outcomes of chance, and results."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from interpreter import ir
from interpreter.executor_protocol import Option, Waiting
from interpreter.game import Game
from interpreter.match import Match

Words = tuple[str, ...]


@dataclass(frozen=True)
class Path:
    """A complete choice: where it is made, and the words and options of its decisions in order."""

    start: Match
    words: tuple[Words, ...]
    options: tuple[Option, ...]

    def behind(self) -> Match:
        """The match after it."""
        match = copied(self.start)
        follow(match, self)
        return match


GoesOn = Callable[[Match, Waiting, Option], Match | None]
"""The match behind a choice, if the choice is still incomplete there."""


def parameters(match: Match, waiting: Waiting, option: Option) -> Match | None:
    """The usual reading: what follows is another parameter of the same action."""
    if not _has_more(match.game.machine, waiting, option):
        return None
    behind = taken(match, waiting, option)
    if behind.over:
        return None
    node = behind.game.machine.nodes[behind.state[ir.PC]]
    return behind if isinstance(node, ir.Decide) and node.trial else None


def _has_more(machine: ir.Machine, waiting: Waiting, option: Option) -> bool:
    """Whether parameters are left once the option is taken."""
    if not isinstance(machine.nodes[waiting.node], ir.Offer):
        return True
    doing = waiting.what[option[0]] if option[0] >= 0 else None
    return doing is not None and len(machine.routines[doing[0]].parameters) > len(doing[1]) + 1


def begun(game: Game, seed: int) -> Match:
    return Match(game, seed, keep_history=False).start()


def copied(match: Match) -> Match:
    """The same position with the same chance before it; its steps begin anew."""
    copy = Match(match.game, match.seed, keep_history=False)
    copy.state = match.state[:]
    return copy


def taken(match: Match, waiting: Waiting, option: Option) -> Match:
    copy = copied(match)
    copy.take(waiting, option)
    return copy


def paths(match: Match, goes_on: GoesOn, in_any_order: bool = False) -> Iterator[Path]:
    """Every complete choice of whoever has to choose.

    `in_any_order`: decisions of a choice that lead to the same position are the same choice, and told once.
    """
    met: set[bytes] | None = set() if in_any_order else None
    return (Path(match, words, options) for words, options in _tails(match, goes_on, met))


def _tails(
    match: Match, goes_on: GoesOn, met: set[bytes] | None
) -> Iterator[tuple[tuple[Words, ...], tuple[Option, ...]]]:
    if met is not None:
        before = match.state.tobytes()
        if before in met:
            return
        met.add(before)
    waiting = asked(match)
    node = match.game.machine.nodes[waiting.node]
    assert isinstance(node, ir.Decide | ir.Offer)
    for option in waiting.options:
        words = match.game.names.choice(node, option, waiting.what)
        behind = goes_on(match, waiting, option)
        tails = _tails(behind, goes_on, met) if behind is not None else [((), ())]
        for later_words, later in tails:
            yield (words, *later_words), (option, *later)


def follow(match: Match, path: Path) -> list[str]:
    """Makes the choices of a path; the outcomes of chance that came of it."""
    before = len(match.steps)
    for option in path.options:
        match.take(asked(match), option)
    return outcomes(match, before)


def outcomes(match: Match, since: int = 0) -> list[str]:
    return [step.text for step in match.steps[since:] if step.stream is not None]


def asked(match: Match) -> Waiting:
    """The decision that is made next. Of seats that choose at the same time the first chooses first."""
    return match.waiting()[0]


def seat(match: Match) -> int:
    """Who has to choose."""
    return asked(match).seat


def position(match: Match) -> bytes:
    """What tells positions apart. What the frames of a match hold that is over means nothing any more."""
    end = match.game.machine.stack if match.over else len(match.state)
    words = match.state[ir.HEADER : end]
    return words.tobytes() + bytes((match.over, match.state[ir.WINNERS], match.state[ir.ACTIVE]))


# ---- results


def by_winners(match: Match) -> tuple[float, ...]:
    """1 for a seat that has won alone, -1 for the others; nothing for anybody in a draw."""
    names = [match.game.names.seat(i) for i in range(match.game.machine.seats)]
    winners = match.winners()
    if len(winners) != 1:
        return tuple(0.0 for _ in names)
    return tuple(1.0 if name in winners else -1.0 for name in names)


def by_scores(match: Match) -> tuple[float, ...]:
    return tuple(float(account.total) for account in match.accounts())
