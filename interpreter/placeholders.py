"""Other placeholders for what nobody has shown, when what is told contradicts those that there are.

The companion of a physical table (`companion.py`) asks for them: `reassigned` and `released` propose, and
`Search` replays each proposal. `web/match/placeholders.js` does the same in the page.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator, Sequence
from copy import copy
from dataclasses import replace
from itertools import chain, islice

from interpreter import ir
from interpreter.game import Game
from interpreter.match import Match
from interpreter.redacted_log import entries
from interpreter.sights import SPECTATOR
from interpreter.told import Contradiction, ToldOutcomes, Turn

MOST_TRIED = 120
"""How many assignments of placeholders are tried for an answer."""
MOST_REPLAYED = 4_000
"""How many turns are replayed for an answer."""
Place = tuple[int, int]
"""The numbers of a turn and of an outcome in it."""


class TooFar(Exception):
    """Enough has been tried for an answer."""


class Search:
    """The trials for one answer: turns with other placeholders, each replayed as far as it fits."""

    def __init__(self, match: Match, turns: Sequence[Turn]) -> None:
        self.match = match
        self.turns = turns
        self._replayed = 0
        self._entries: dict[tuple[int, int], object] = {}
        ends = [first for _, first in match.history]
        self._ends = [*ends, len(match.steps)]

    def changed(self, turns: Sequence[Turn]) -> Generator[None, None, Match]:
        """The match with other placeholders, replayed from the first turn that differs, step by step.

        Raises `Contradiction` at the first turn of which everybody would have seen something else, and
        whatever a turn that is not possible raises.
        """
        same = next((i for i, (a, b) in enumerate(zip(self.turns, turns, strict=True)) if a != b), len(turns))
        if same == len(turns):
            return self.match
        match = match_before(self.match, same)
        shown = len(match.steps) if not match.state[ir.FORKED] else self._begun(same)
        for number in range(same, len(turns)):
            self._replayed += 1
            if self._replayed > MOST_REPLAYED:
                raise TooFar
            run(match, turns[number])
            if len(match.steps) != self._ends[number]:
                raise Contradiction
            if not match.state[ir.FORKED] or number == len(turns) - 1:
                self._compare(match, shown, number)
                shown = len(match.steps)
            yield
        return match

    def _begun(self, turn: int) -> int:
        """The first step of the running `together` before a turn."""
        while turn and self.match.history[turn - 1][0][ir.FORKED]:
            turn -= 1
        return self.match.history[turn - 1][1] if turn else 0

    def _compare(self, match: Match, since: int, turn: int) -> None:
        """Raises `Contradiction` if everybody has been told something else from a step on."""
        span = since, self._ends[turn]
        if span not in self._entries:
            self._entries[span] = entries(self.match, SPECTATOR, *span)
        if entries(match, SPECTATOR, since) != self._entries[span]:
            raise Contradiction


# ---- which placeholders


def reassigned(
    game: Game, turns: Sequence[Turn], wanted: str, first: Collection[str], only: bool
) -> Iterator[list[Turn]]:
    """Turns with other placeholders: one of them gets the wanted class.

    Those that have one of the classes in `first` now are tried first, or no other ones (`only`). If another
    one has the wanted class already, the two change places; or that one gets any other class.
    """
    unknown = _unknown(turns)
    lacking = [at for at, text in reversed(unknown.items()) if text != wanted]
    likely = [at for at in lacking if unknown[at] in first]
    rest = [] if only else [at for at in lacking if unknown[at] not in first]
    having = [at for at, text in unknown.items() if text == wanted]
    kin = kin_of(game, wanted)
    for some in (likely, rest):
        changes = chain(
            ({at: wanted} for at in some),
            ({at: wanted, other: unknown[at]} for at in some for other in having),
            (
                {at: wanted, other: c}
                for at in some
                for other in having
                for c in kin
                if c not in (wanted, unknown[at])
            ),
        )
        for change in islice(changes, MOST_TRIED):
            yield _with_texts(turns, change)


def released(game: Game, turns: Sequence[Turn], unwanted: str) -> Iterator[list[Turn]]:
    """Turns with other placeholders: one that has the unwanted class gets another."""
    having = [at for at, text in reversed(_unknown(turns).items()) if text == unwanted]
    for change in ({at: c} for at in having for c in kin_of(game, unwanted) if c != unwanted):
        yield _with_texts(turns, change)


def kin_of(game: Game, name: str) -> tuple[str, ...]:
    """The classes of the components that have a class of this name."""
    kin = (decl.classes for decl in game.rules.components.values() if name in decl.classes)
    return tuple(dict.fromkeys(chain.from_iterable(kin)))


def _unknown(turns: Sequence[Turn]) -> dict[Place, str]:
    """The placeholders of some turns."""
    return {
        (i, j): outcome.text
        for i, turn in enumerate(turns)
        for j, outcome in enumerate(turn.outcomes)
        if not outcome.known
    }


def _with_texts(turns: Sequence[Turn], texts: dict[Place, str]) -> list[Turn]:
    """Some turns with other texts of outcomes."""
    changed = list(turns)
    for (i, j), text in texts.items():
        outcomes = list(changed[i].outcomes)
        outcomes[j] = replace(outcomes[j], text=text)
        changed[i] = replace(changed[i], outcomes=tuple(outcomes))
    return changed


# ---- carrying out turns


def match_before(match: Match, turn: int) -> Match:
    """A copy of a match as it was before a turn, by its number."""
    if turn == 0:
        return Match(match.game)
    if turn > len(match.history):
        return copied(match)
    before = copy(match)
    state, first = match.history[turn - 1]
    before.state, before.steps, before.history = state[:], match.steps[:first], match.history[: turn - 1]
    return before


def copied(match: Match) -> Match:
    """A copy that can be played on."""
    found = copy(match)
    found.state, found.steps, found.history = match.state[:], list(match.steps), list(match.history)
    return found


def run(match: Match, turn: Turn, told: ToldOutcomes | None = None) -> None:
    """Carry out a turn with its outcomes. Raises `Fault` or `OutcomeNeeded`; the match is then as before."""
    match.chance = told or ToldOutcomes(turn.outcomes)
    if turn.seat is None:
        match.start()
    else:
        match.choose(turn.seat, turn.words)
