"""A bot that looks ahead: it searches a tree from positions that its seat cannot tell apart."""

from __future__ import annotations

import math
import time
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from dsl.diagnostics import DiagnosticError
from dsl.domains import NONE, PieceType
from dsl.source import NOWHERE
from interpreter import ir
from interpreter.bots.bot import Asked, Worlds, asked
from interpreter.bots.budget import Budget, read_budget
from interpreter.bots.dealing import DealtWorlds
from interpreter.bots.messages import ArraysNotInstalled
from interpreter.bots.number_search import NumbersInParts
from interpreter.bots.plans import Plans
from interpreter.bots.questions import waiting_of
from interpreter.bots.ranking import Finding, Proof, best_first, proof_of
from interpreter.bots.settings import SearchSettings
from interpreter.chance import below, seed_words
from interpreter.executor_protocol import Option, Waiting
from interpreter.game import Choice, Game
from interpreter.match import Match
from interpreter.messages import Aborted

if TYPE_CHECKING:
    from interpreter.bots.tree_search import TreeSearch

EXACT: Final = 7
"""Choices whose values are the same in so many digits are equally good."""
SHORTEST: Final = 0.05
"""Seconds below which nothing is solved: it stops between steps of many rows, each of which takes a while."""
AFTERTHOUGHT: Final = 0.3
"""Seconds of a search for whoever has stopped the enumeration of positions, which has found nothing yet."""
_plans: Final = Plans()
Group = tuple[int, int, bool]
"""What a choice is to its seat: the part and the value, or of a piece that it does not see the place."""


@dataclass(frozen=True, slots=True)
class Thought:
    """What a search thinks of a choice: how often it was tried, what it is worth on average, 0 to 1.

    `proof`: the result to which it leads, where that is proven; the value is that of the result then.
    """

    choice: Choice
    visits: int
    value: float
    proof: Proof | None = None


@dataclass(frozen=True, slots=True)
class Thoughts:
    """What a search thinks of all choices, the best first, after so many iterations in so many worlds.

    `iterations` is 0 where there was nothing to search: a single choice, or no world in which the seat could
    be. `line` is how the match goes on in one of the worlds if all take what they have tried most: seats with
    words. `proof`: the result of the match for the side of the seat, where that is proven; the search has
    ended then, whatever its budget was. `interrupted`: somebody has stopped the search before its end.
    `solved`: how many positions can follow, if all were looked at and the values are exact; nothing was
    searched then. `plan`: if the best choice begins a move of several decisions, the states in which the next
    ones wait, with what is chosen there.
    """

    choices: tuple[Thought, ...]
    iterations: int = 0
    worlds: int = 0
    line: tuple[tuple[str, str], ...] = ()
    proof: Proof | None = None
    interrupted: bool = False
    solved: int = 0
    plan: tuple[tuple[array[int], Option], ...] = ()

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

    def solve(
        self,
        budget: Budget,
        line: int = 0,
        deadline: float | None = None,
        interruptible: bool = False,
        clock: Callable[[], float] = time.perf_counter,
        whole: bool = False,
    ) -> Thoughts:
        """What a search thinks of each choice; with the next choices that it expects, at most `line`.

        With `whole` the budget is for all decisions of the move that begins here, and there is a plan.
        `deadline`: seconds after which it answers with what it has found, whatever the budget is. If it is
        `interruptible`, it does so at Ctrl-C, too, instead of raising `KeyboardInterrupt` or `Aborted`.
        `clock` gives the seconds, and is looked at every moment: it may stand still while others work.
        Raises `DiagnosticError` with `ArraysNotInstalled`.
        """
        if len(set(self.groups)) < 2 or not self.worlds:
            return _at_random(self.question)
        begun, interrupted = clock(), False
        try:
            exact = self._solved(budget, deadline, clock)
        except (KeyboardInterrupt, Aborted):
            if not interruptible:
                raise
            exact, interrupted = None, True
        if exact is not None:
            return exact
        spent = clock() - begun
        left = None if deadline is None else max(0.0, deadline - spent)
        if interrupted:
            left = AFTERTHOUGHT if left is None else min(left, AFTERTHOUGHT)
        budget = budget.without(spent)
        if whole and not self.question.waiting.ranges:
            thoughts = self._moved(budget, left, interruptible, clock)
        else:
            thoughts = self._searched(budget, line, left, interruptible, clock)
        return replace(thoughts, interrupted=interrupted or thoughts.interrupted)

    def _solved(self, budget: Budget, deadline: float | None, clock: Callable[[], float]) -> Thoughts | None:
        """What each choice is worth, if that can be worked out; in at most half of the time that there is."""
        seconds = min(x for x in (budget.seconds, deadline, math.inf) if x is not None)
        if len(self.worlds) > 1 or seconds < SHORTEST or self.question.waiting.ranges:
            return None
        try:
            from interpreter.bots.exact import solution
        except ImportError as error:
            raise DiagnosticError(ArraysNotInstalled(NOWHERE)) from error
        end = clock() + seconds / 2
        found = solution(self.game, self.worlds[0], self.settings, budget.most, lambda: clock() > end)
        if found is None:
            return None
        thoughts = [
            Thought(choice, 0, found.values[choice.option]) for choice in self.question.decision.choices
        ]
        thoughts.sort(key=lambda thought: -round(thought.value, EXACT))
        return Thoughts(tuple(thoughts), 0, 1, solved=found.positions)

    def _searched(
        self,
        budget: Budget,
        line: int,
        deadline: float | None,
        interruptible: bool,
        clock: Callable[[], float],
    ) -> Thoughts:
        """What a tree search thinks of each choice; of numbers from ranges, of one in each part."""
        if not self.question.waiting.ranges:
            search, interrupted = self._grown(self.worlds, budget, deadline, interruptible, clock)
            return self._closed(search, self._read(search, line), interrupted)
        half = None if deadline is None else deadline / 2
        search, interrupted = self._grown(self.worlds, budget.half, half, interruptible, clock)
        thoughts = self._closed(search, self._read(search, line), interrupted)
        inner = self._within(thoughts.best.option) if thoughts.iterations and not interrupted else None
        if inner is None:
            return thoughts
        (waiting, worlds), numbers, place = inner
        search, interrupted = self._grown(worlds, budget.half, half, interruptible, clock)
        root = search.root()
        if root is not None:
            order = best_first([Finding(edge.taken, edge.total, edge.bounds) for edge in root.edges])
            _, best = search.batch.option(waiting.node, root.edges[order[0]].action)
            choice = numbers.choice((thoughts.best.option[0], best), [place])
            first = replace(thoughts.choices[0], choice=choice)
            thoughts = replace(thoughts, choices=(first, *thoughts.choices[1:]))
        return self._closed(search, thoughts, interrupted)

    def _grown(
        self,
        worlds: Sequence[array[int]],
        budget: Budget,
        deadline: float | None,
        interruptible: bool,
        clock: Callable[[], float],
    ) -> tuple[TreeSearch, bool]:
        """A search that has spent its budget, or that somebody has stopped."""
        search = self._begun(worlds, budget)
        return search, self._spent(search, budget, deadline, interruptible, clock)

    def _begun(self, worlds: Sequence[array[int]], budget: Budget) -> TreeSearch:
        try:
            from interpreter.bots.tree_search import TreeSearch
        except ImportError as error:
            raise DiagnosticError(ArraysNotInstalled(NOWHERE)) from error
        seat, seed = self.question.waiting.seat, self.question.seed
        return TreeSearch(self.game, seat, worlds, seed, self.settings, budget.most)

    def _spent(
        self,
        search: TreeSearch,
        budget: Budget,
        deadline: float | None,
        interruptible: bool,
        clock: Callable[[], float],
    ) -> bool:
        """Spends a budget on a search; whether somebody has stopped it."""
        try:
            budget.spend(search.run, deadline, clock)
        except (KeyboardInterrupt, Aborted):
            if not interruptible:
                raise
            return True
        return False

    def _moved(
        self, budget: Budget, deadline: float | None, interruptible: bool, clock: Callable[[], float]
    ) -> Thoughts:
        """What a tree search thinks of each choice, and its plan for the rest of the move.

        Of what is left each decision of the move gets a half, and where the best choice completes the move,
        all of it. What was found of the next decision is kept.
        """
        search, begun = self._begun(self.worlds, budget), clock()

        def grow(all_of_it: bool) -> bool:
            passed = clock() - begun
            left = budget.after(search.iterations, passed)
            until = None if deadline is None else deadline - passed
            if left is None or (until is not None and until <= 0.0):
                return False
            if not all_of_it:
                left, until = left.half, until and until / 2
            return self._spent(search, left, until, interruptible, clock)

        thoughts = _at_random(self.question)
        plan: list[tuple[array[int], Option]] = []
        state, number, is_first = self.state, self.question.waiting.node, True
        while True:
            option = inside = None
            for all_of_it in (False, True):
                interrupted = grow(all_of_it)
                if is_first:
                    thoughts = self._read(search, 0)
                option = self._best(search, number, state)
                if option is not None and not interrupted:
                    inside = search.enter(search.batch.action(number, option), state)
                if interrupted or inside is not None:
                    break
            if option is not None and not is_first:
                plan.append((state, option))
            if inside is None:
                thoughts = replace(thoughts, iterations=search.iterations, plan=tuple(plan))
                return self._closed(search, thoughts, interrupted)
            state, number, is_first = inside, inside[ir.PC], False

    def _best(self, search: TreeSearch, number: int, state: array[int]) -> Option | None:
        """What is best at the decision that is searched. None if nothing is known of it, or if it is a piece
        that the seat does not see."""
        root = search.root()
        if root is None:
            return None
        order = best_first([Finding(edge.taken, edge.total, edge.bounds) for edge in root.edges])
        option = search.batch.option(number, root.edges[order[0]].action)
        waiting = replace(self.question.waiting, node=number)
        hidden = option[0] >= 0 and self.game.views.hides_option(state, waiting, option)
        return None if hidden else option

    def _closed(self, search: TreeSearch, thoughts: Thoughts, interrupted: bool) -> Thoughts:
        if not interrupted:
            search.close()
        return replace(thoughts, interrupted=interrupted)

    def _within(self, option: Option) -> tuple[tuple[Waiting, list[array[int]]], NumbersInParts, int] | None:
        """The decision within the part of a number, if there are several numbers in it; which part it is."""
        numbers = NumbersInParts(self.game, self.question.waiting)
        if not numbers.ranges(option[0]):
            return None
        place = numbers.place(option)
        entered = numbers.entered(self.worlds, (option[0], place))
        return None if entered is None else (entered, numbers, place)

    def _read(self, search: TreeSearch, line: int) -> Thoughts:
        root = search.root()
        if root is None:
            return _at_random(self.question)
        waiting = self.question.waiting
        numbers = NumbersInParts(self.game, waiting)
        found: dict[Group, Finding] = {}
        in_ranges: dict[Group, Choice] = {}
        for edge in root.edges:
            option = search.batch.option(waiting.node, edge.action)
            if numbers.ranges(option[0]):
                choice = numbers.choice(option)
                option = choice.option
                in_ranges[(*option, False)] = choice
            group = _group(self.game, self.state, waiting, option)
            one = found.get(group, Finding())
            found[group] = Finding(one.taken + edge.taken, one.total + edge.total, edge.bounds)
        listed = [
            (choice, group)
            for choice, group in zip(self.question.decision.choices, self.groups, strict=True)
            if not numbers.ranges(choice.option[0])
        ]
        choices = [*(choice for choice, _ in listed), *in_ranges.values()]
        thoughts = _thoughts(choices, [*(group for _, group in listed), *in_ranges], found)
        expected = search.line(line) if line else ()
        number, proof = len(self.worlds), proof_of(root.bounds)
        return Thoughts(thoughts, search.iterations, number, expected, proof)


@dataclass(frozen=True, slots=True)
class SearchBot:
    """Searches with a budget for each move, and takes the choice that was tried most often, or is proven.

    Raises `DiagnosticError` with `ArraysNotInstalled` if the library for arrays is missing, and `Aborted` if
    the search is stopped from outside.
    """

    budget: Budget
    settings: SearchSettings = field(default_factory=SearchSettings)
    worlds: Worlds = field(default_factory=DealtWorlds)

    def choose(self, match: Match, waiting: Waiting, seed: int) -> Option:
        return self.move(match, waiting, seed).best.option

    def move(self, match: Match, waiting: Waiting, seed: int, interruptible: bool = False) -> Thoughts:
        """What the search thinks of each choice, with its budget for all decisions of the move.

        Where this bot has planned the choice with the one before it in the move, nothing is searched.
        """
        return self.mover(match, waiting, seed, seed)(interruptible=interruptible)

    def mover(self, match: Match, waiting: Waiting, seed: int, key: object) -> Callable[..., Thoughts]:
        """What `move` does, for any thread: it does not touch the match.

        It takes the deadline and the clock of `Problem.solve`. Whoever has the same key has the same plans.
        """
        question, place = asked(match, waiting, seed), (self.budget, self.settings, key)
        planned = _plans.find(match.game, place, match.state)
        if planned is not None:
            return lambda **_: _planned(question, planned)
        problem = self.problem(match, waiting, seed)

        def solve(**how: Any) -> Thoughts:
            thoughts = problem.solve(self.budget, whole=True, **how)
            _plans.note(problem.game, place, thoughts.plan)
            return thoughts

        return solve

    def think(
        self, match: Match, waiting: Waiting, seed: int, line: int = 0, interruptible: bool = False
    ) -> Thoughts:
        """What the search thinks of each choice that waits; the arguments are those of `Problem.solve`."""
        return self.problem(match, waiting, seed).solve(self.budget, line, interruptible=interruptible)

    def problem(self, match: Match, waiting: Waiting, seed: int) -> Problem:
        """What is to be solved, as far as the seat may know it."""
        question = asked(match, waiting, seed)
        groups = tuple(
            _group(match.game, match.state, waiting, choice.option) for choice in question.decision.choices
        )
        number = self.settings.worlds
        worlds = self.worlds.draw(match, waiting, number, question.seed) if len(set(groups)) > 1 else ()
        return Problem(match.game, question, groups, match.state[:], tuple(worlds), self.settings)


def search(match: Match, seat: int | str, iterations: int = 1_000, seed: int = 0, line: int = 0) -> Thoughts:
    """What a search of so many iterations thinks of the choices of a seat, by its number or name; the best
    first.

    It knows what the seat knows. Raises `DiagnosticError` with `NothingToDecide` if the seat has nothing to
    decide, and with `BadBudget` for a number of iterations that is not possible.
    """
    bot = SearchBot(read_budget(str(iterations)))
    return bot.think(match, waiting_of(match, seat), seed, line)


def _group(game: Game, state: array[int], waiting: Waiting, option: Option) -> Group:
    """What a choice is to its seat: all pieces of one place that it does not see are the same."""
    part, value = option
    if part >= 0 and game.views.hides_option(state, waiting, option):
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
    choices: Sequence[Choice], groups: Sequence[Group], found: dict[Group, Finding]
) -> tuple[Thought, ...]:
    """The choices, the best first; of pieces that are not seen the first stands for all."""
    firsts: dict[Group, Choice] = {}
    for choice, group in zip(choices, groups, strict=True):
        firsts.setdefault(group, choice)
    all_found = [found.get(group, Finding()) for group in firsts]
    thoughts = [
        Thought(choice, one.taken, one.value, proof_of(one.bounds))
        for choice, one in zip(firsts.values(), all_found, strict=True)
    ]
    return tuple(thoughts[i] for i in best_first(all_found))


def _planned(question: Asked, option: Option) -> Thoughts:
    """The choice that was planned, and the others."""
    choices = sorted(question.decision.choices, key=lambda choice: choice.option != option)
    return Thoughts(tuple(Thought(choice, 0, 0.0) for choice in choices))


def _at_random(question: Asked) -> Thoughts:
    """No thoughts: any of the choices, by the seed."""
    choices = question.decision.choices
    number, _ = below(len(choices), 0, seed_words(question.seed))
    rest = [choice for i, choice in enumerate(choices) if i != number]
    return Thoughts(tuple(Thought(choice, 0, 0.0) for choice in (choices[number], *rest)))
