"""A bot that looks ahead: it searches a tree from positions that its seat cannot tell apart."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field

from dsl.diagnostics import DiagnosticError
from dsl.domains import NONE, PieceType
from dsl.source import NOWHERE
from interpreter.bots.bot import Asked, Worlds, asked
from interpreter.bots.budget import Budget, read_budget
from interpreter.bots.dealing import DealtWorlds
from interpreter.bots.messages import ArraysNotInstalled
from interpreter.bots.settings import SearchSettings
from interpreter.chance import below, seed_words
from interpreter.executor_protocol import Option, Waiting
from interpreter.game import Choice, Game
from interpreter.match import Match

Group = tuple[int, int, bool]
"""What a choice is to its seat: the part and the value, or of a piece that it does not see the place."""


@dataclass(frozen=True, slots=True)
class Thought:
    """What a search thinks of a choice: how often it was tried, and what it is worth on average, 0 to 1."""

    choice: Choice
    visits: int
    value: float


@dataclass(frozen=True, slots=True)
class Thoughts:
    """What a search thinks of all choices, the best first, after so many iterations in so many worlds.

    `iterations` is 0 where there was nothing to search: a single choice, or no world in which the seat could
    be. `line` is how the match goes on in one of the worlds if all take what they have tried most: seats with
    words.
    """

    choices: tuple[Thought, ...]
    iterations: int = 0
    worlds: int = 0
    line: tuple[tuple[str, str], ...] = ()

    @property
    def best(self) -> Choice:
        return self.choices[0].choice


@dataclass(frozen=True, slots=True)
class Problem:
    """A decision with what may be known of it: any thread can solve it, without the match."""

    game: Game
    question: Asked
    groups: tuple[Group, ...]
    state: array[int]
    worlds: tuple[array[int], ...]
    settings: SearchSettings

    def solve(self, budget: Budget, line: int = 0, deadline: float | None = None) -> Thoughts:
        """What a search thinks of each choice; with the next choices that it expects, at most `line`.

        `deadline`: seconds after which it answers with what it has found, whatever the budget is. Raises
        `DiagnosticError` with `ArraysNotInstalled`.
        """
        if len(set(self.groups)) < 2 or not self.worlds:
            return _at_random(self.question)
        try:
            from interpreter.bots.tree_search import TreeSearch
        except ImportError as error:
            raise DiagnosticError(ArraysNotInstalled(NOWHERE)) from error
        waiting, seed = self.question.waiting, self.question.seed
        search = TreeSearch(self.game, waiting.seat, self.worlds, seed, self.settings, budget.most)
        budget.spend(search.run, deadline)
        root = search.root()
        if root is None:
            return _at_random(self.question)
        found: dict[Group, tuple[int, float]] = {}
        for edge in root.edges:
            option = search.batch.option(waiting.node, edge.action)
            group = _group(self.game, self.state, waiting, option)
            taken, total = found.get(group, (0, 0.0))
            found[group] = taken + edge.taken, total + edge.total
        thoughts = _thoughts(self.question.decision.choices, self.groups, found)
        expected = search.line(line) if line else ()
        return Thoughts(thoughts, search.iterations, len(self.worlds), expected)


@dataclass(frozen=True, slots=True)
class SearchBot:
    """Searches with a budget for each choice, and takes the choice that was tried most often.

    Raises `DiagnosticError` with `ArraysNotInstalled` if the library for arrays is missing, and `Aborted` if
    the search is stopped from outside.
    """

    budget: Budget
    settings: SearchSettings = field(default_factory=SearchSettings)
    worlds: Worlds = field(default_factory=DealtWorlds)

    def choose(self, match: Match, waiting: Waiting, seed: int) -> Option:
        return self.think(match, waiting, seed).best.option

    def think(self, match: Match, waiting: Waiting, seed: int, line: int = 0) -> Thoughts:
        """What the search thinks of each choice that waits."""
        return self.problem(match, waiting, seed).solve(self.budget, line)

    def problem(self, match: Match, waiting: Waiting, seed: int) -> Problem:
        """What is to be solved, as far as the seat may know it."""
        question = asked(match, waiting, seed)
        groups = tuple(
            _group(match.game, match.state, waiting, choice.option) for choice in question.decision.choices
        )
        number = self.settings.worlds
        worlds = self.worlds.draw(match, waiting, number, question.seed) if len(set(groups)) > 1 else ()
        return Problem(match.game, question, groups, match.state[:], tuple(worlds), self.settings)


def search(match: Match, seat: int, iterations: int = 1_000, seed: int = 0, line: int = 0) -> Thoughts:
    """What a search of so many iterations thinks of the choices of a seat, by its number; the best first.

    It knows what the seat knows. Raises `LookupError` if the seat has nothing to decide, and
    `DiagnosticError` with `BadBudget` for a number of iterations that is not possible.
    """
    for waiting in match.waiting():
        if waiting.seat == seat:
            return SearchBot(read_budget(str(iterations))).think(match, waiting, seed, line)
    raise LookupError(f"seat {seat} has nothing to decide")


def _group(game: Game, state: array[int], waiting: Waiting, option: Option) -> Group:
    """What a choice is to its seat: all pieces of one place that it does not see are the same."""
    node = game.machine.decision(waiting.node)
    part, value = option
    if part >= 0 and game.views.hides_words(state, node, option, waiting.what, waiting.seat):
        classes = _classes(game, waiting, option)
        if classes:
            return part, value // classes, True
    return part, value, False


def _classes(game: Game, waiting: Waiting, option: Option) -> int:
    """How many classes the piece of an option may have; 0 if it is no piece."""
    kind = game.names.value_type(game.machine.decision(waiting.node), option, waiting.what)
    if not isinstance(kind, PieceType) or option[1] == NONE:
        return 0
    return game.machine.component_classes[kind.component]


def _thoughts(
    choices: Sequence[Choice], groups: Sequence[Group], found: dict[Group, tuple[int, float]]
) -> tuple[Thought, ...]:
    """The choices, the one taken most often first; of pieces that are not seen the first stands for all."""
    thoughts: dict[Group, Thought] = {}
    for choice, group in zip(choices, groups, strict=True):
        if group not in thoughts:
            taken, total = found.get(group, (0, 0.0))
            thoughts[group] = Thought(choice, taken, total / taken if taken else 0.0)
    return tuple(sorted(thoughts.values(), key=lambda thought: (-thought.visits, -thought.value)))


def _at_random(question: Asked) -> Thoughts:
    """No thoughts: any of the choices, by the seed."""
    choices = question.decision.choices
    number, _ = below(len(choices), 0, seed_words(question.seed))
    rest = [choice for i, choice in enumerate(choices) if i != number]
    return Thoughts(tuple(Thought(choice, 0, 0.0) for choice in (choices[number], *rest)))
