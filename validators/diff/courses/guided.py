"""A match that is led by a log: the recorded choices are made, and chance comes as it came."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from dsl.source import Span
from interpreter import machine as m
from interpreter.events import Event
from interpreter.execution import PASS
from interpreter.log import Entry, Log
from interpreter.match import Choice, Decision, Game, Match, Played, outcome_name
from interpreter.messages import Fault
from interpreter.reference.codes import Run as Node
from interpreter.reference.executor import Executor
from interpreter.words import fitting
from validators.diff.courses.lens import Lens
from validators.diff.names import Form


class Tracing(Executor):
    """The reference executor, which notes the nodes that it runs and how much had happened by then."""

    def __init__(self, machine: m.Machine) -> None:
        super().__init__(machine)
        self.trail: list[tuple[int, int]] = []
        self.nodes = [self._noting(number, run) for number, run in enumerate(self.nodes)]

    def _noting(self, number: int, run: Node) -> Node:
        def noted(s: array[int]) -> int:
            if not self.trial and self.sink is not None:
                self.trail.append((number, len(self.sink)))
            return run(s)

        return noted


def traced(game: Game) -> Game:
    """The game with an executor that notes its way."""
    game.executor = Tracing(game.machine)
    return game


@dataclass(frozen=True, slots=True)
class Key:
    """A step of a log in the names of the new version: who chose what, or which stream brought what.

    `home` is the definition in which a choice was made; it was `forced` if all one could do was to decline.
    """

    seat: str | None
    stream: str | None
    what: Form
    home: str = ""
    forced: bool = False


@dataclass
class Moment:
    """A step that was played, the state after it, and the decisions that wait there."""

    step: Played
    state: array[int]
    trail: tuple[tuple[int, int], ...]
    decisions: tuple[Decision, ...] = ()


@dataclass(frozen=True, slots=True)
class Halt:
    """Why a course cannot go on: a recorded choice or outcome is not possible, or play fails.

    `span` is the line that refuses it, if one does, and `clauses` those that it cites. `begun` if the step
    could be begun, and play fails in the middle of it.
    """

    why: str
    help: str = ""
    clauses: tuple[str, ...] = ()
    span: Span | None = None
    begun: bool = False


@dataclass
class Course:
    """A log played under one version. Moment 0 is the start; `halt` is set if it comes to no end."""

    lens: Lens
    moments: list[Moment] = field(default_factory=list)
    keys: list[Key] = field(default_factory=list)
    halt: Halt | None = None

    @property
    def steps(self) -> int:
        return len(self.moments) - 1


class Astray(Exception):
    """The log does not say what is wanted here."""

    def __init__(self, halt: Halt) -> None:
        super().__init__(halt.why)
        self.halt = halt


class Spent(Exception):
    """The log ends in the middle of a run of chance."""


@dataclass
class Guided(Match):
    """A match whose chance comes from a log; every step of it is kept, even of a run that fails later."""

    draw_next: Callable[[m.Chance, array[int]], tuple[int, str]] = field(kw_only=True)
    moments: list[Moment] = field(default_factory=list)

    def draw(self) -> tuple[int, Played]:
        node = self.game.machine.node(self.state[m.PC], m.Chance)
        outcome, text = self.draw_next(node, self.state)
        return outcome, self.drawn(node, text)

    def _note(self, step: Played, events: list[Event]) -> None:
        super()._note(step, events)
        executor = self.game.executor
        assert isinstance(executor, Tracing)
        self.moments.append(Moment(self.steps[-1], self.state[:], tuple(executor.trail)))
        executor.trail.clear()


class Guide:
    """Leads one match through a log.

    `keys` are the steps as another version has played them; a step that it has not played is found by
    its words.
    """

    def __init__(self, lens: Lens, log: Log, keys: Sequence[Key] = (), other: Lens | None = None) -> None:
        self.lens, self.log, self.given = lens, log, keys
        own, others = lens.homes, other.homes if other is not None else lens.homes
        self.unshared = own ^ others
        self.match = Guided(lens.game, log.seed, keep_history=False, draw_next=self._draw)
        self.at = 0
        self.course = Course(lens)

    def play(self) -> Course:
        """Plays as far as the log leads."""
        match = self.match
        self.course.moments = match.moments
        executor = self.lens.game.executor
        assert isinstance(executor, Tracing)
        executor.trail.clear()
        try:
            self._play(match)
        except Spent:
            pass
        except Astray as astray:
            self.course.halt = astray.halt
        except Fault as fault:
            self.course.halt = _failed(fault, self.lens.machine)
        return self.course

    def _play(self, match: Guided) -> None:
        match.start()
        while True:
            match.moments[-1].decisions = match.decisions()
            if self.at >= len(self.log.entries):
                return
            found = self._asked(match)
            if found is None and self._passes_over(match):
                continue
            decision, choice = self._chosen(match, found)
            self._keep(decision, choice)
            match.take(decision.waiting, choice.option)

    def _keep(self, decision: Decision, choice: Choice) -> None:
        seat, what = self.lens.seat(decision.waiting.seat), self.lens.option(decision.waiting, choice.option)
        home = self.lens.home(decision.waiting.node)
        self.course.keys.append(Key(seat, None, what, home, _forced(decision)))
        self.at += 1

    def _key(self) -> Key | None:
        return self.given[self.at] if self.at < len(self.given) else None

    # ---- choices

    def _asked(self, match: Guided) -> Decision | None:
        """The decision in which the recorded choice was made, if it waits."""
        entry, key = self.log.entries[self.at], self._key()
        if entry.seat is None:
            return None
        for decision in match.moments[-1].decisions:
            seat = self.lens.seat(decision.waiting.seat)
            if key is None and decision.seat == entry.seat:
                return decision
            if key is not None and seat == key.seat and self._at_home(decision, key):
                return decision
        return None

    def _at_home(self, decision: Decision, key: Key) -> bool:
        """Whether a decision can be that in which a choice was made: the same definition asks for it, or
        one that only one of the versions has."""
        home = self.lens.home(decision.waiting.node)
        return home == key.home or not self.unshared.isdisjoint({home, key.home})

    def _passes_over(self, match: Guided) -> bool:
        """Whether something goes on that was no choice: one could only decline, in one of the versions."""
        key = self._key()
        if key is not None and key.forced:
            self._skip(match)
            return True
        forced = next((d for d in match.moments[-1].decisions if _forced(d)), None)
        if key is None or forced is None:
            return False
        before = len(match.moments) - 1
        match.take(forced.waiting, forced.choices[0].option)
        match.moments[before:] = [_merged(match.moments[before:])]
        return True

    def _skip(self, match: Guided) -> None:
        """A step of the log that this version does not ask for."""
        key = self._key()
        assert key is not None
        self.course.keys.append(key)
        self.at += 1
        last = match.moments[-1]
        match.moments.append(Moment(replace(last.step, events=()), last.state, (), last.decisions))

    def _chosen(self, match: Guided, decision: Decision | None) -> tuple[Decision, Choice]:
        """The recorded choice. Raises `Astray` if it is not offered."""
        entry, key = self.log.entries[self.at], self._key()
        if decision is not None:
            return decision, self._choice(match, decision, entry, key)
        nodes, decisions = self.lens.machine.nodes, match.moments[-1].decisions
        if match.over:
            trail = match.moments[-1].trail
            raise Astray(_at(nodes[trail[-1][0]] if trail else None, "the match is over by now"))
        asked = " and ".join(f"{d.seat} ({d.name})" for d in decisions)
        here = nodes[decisions[0].waiting.node]
        if entry.seat is None:
            raise Astray(_at(here, f"`{entry.stream}` brings nothing here: {asked} has to choose"))
        raise Astray(_at(here, f"that is not what is asked here: {asked} has to choose"))

    def _choice(self, match: Guided, decision: Decision, entry: Entry, key: Key | None) -> Choice:
        waiting, choices = decision.waiting, decision.choices
        if key is None:
            found = fitting(entry.text, [c.words for c in choices])
        else:
            keys = [self.lens.option(waiting, c.option) for c in choices]
            found = [i for i, other in enumerate(keys) if other == key.what]
        if len(found) == 1:
            return choices[found[0]]
        raise Astray(refusal(self.lens, match.state, decision, self._said(entry.text)))

    def _said(self, text: str) -> str:
        """The words of a choice as they are now."""
        return " ".join(self.lens.side.names.word(word) for word in text.split())

    # ---- chance

    def _draw(self, node: m.Chance, s: array[int]) -> tuple[int, str]:
        """The recorded outcome. Raises `Astray` if it is none, or none that is possible; `Spent`."""
        while (key := self._key()) is not None and key.forced:
            self._skip(self.match)
        if self.at >= len(self.log.entries):
            raise Spent
        entry, key = self.log.entries[self.at], self._key()
        stream = self.lens.machine.streams[node.stream]
        wanted = key.stream if key is not None else entry.stream
        if wanted not in (stream, self.lens.stream(stream)):
            there = f"an outcome of `{entry.stream}`" if entry.stream else f"a choice of {entry.seat}"
            raise Astray(_at(node, f"`{stream}` brings something here, where the log has {there}"))
        outcome = self._outcome(node, s, entry, key)
        self.course.keys.append(Key(None, self.lens.stream(stream), self.lens.outcome(node, outcome)))
        self.at += 1
        return outcome, outcome_name(node, outcome)

    def _outcome(self, node: m.Chance, s: array[int], entry: Entry, key: Key | None) -> int:
        for outcome, _ in self.lens.game.executor.outcomes(s):
            if key is not None and self.lens.outcome(node, outcome) == key.what:
                return outcome
            if key is None and outcome_name(node, outcome) == entry.text:
                return outcome
        stream = self.lens.machine.streams[node.stream]
        raise Astray(_at(node, f"`{entry.text}` cannot come from `{stream}` here"))


def _forced(decision: Decision) -> bool:
    """Whether all that one can do is to decline."""
    return [choice.option for choice in decision.choices] == [PASS]


def _merged(moments: Sequence[Moment]) -> Moment:
    """Several steps as one, as the other version has it."""
    first, *_, last = moments
    events = tuple(event for moment in moments for event in moment.step.events)
    return Moment(replace(first.step, events=events), last.state, (), last.decisions)


def refusal(lens: Lens, s: array[int], decision: Decision, written: str) -> Halt:
    """Why something is not offered: the line that refuses it, or else that of the decision."""
    game = lens.game
    game.reference.failure = None
    why, hint = game.refusals.why(s[:], decision.waiting, written)
    reason, _, cited = why.partition("  §")
    failed = game.reference.failure
    node = failed[0] if failed is not None else _asking(lens, decision, written)
    return Halt(reason, hint, tuple(f"§{cited}".split()) if cited else node.clauses, node.span)


def _asking(lens: Lens, decision: Decision, written: str) -> m.Step:
    """The node that asks for what is written: the first parameter of what is to be done, or the decision."""
    name = written.partition(" ")[0]
    for doing in decision.waiting.what:
        if doing is not None and lens.machine.routines[doing[0]].name == name:
            return lens.game.names.parameter(doing) or lens.machine.nodes[decision.waiting.node]
    return lens.machine.nodes[decision.waiting.node]


def _at(node: m.Step | None, why: str) -> Halt:
    return Halt(why, "", *((node.clauses, node.span) if node is not None else ()))


def _failed(fault: Fault, machine: m.Machine) -> Halt:
    """A fault of play, with the clauses of its line."""
    mistake = fault.mistake
    cited = (node.clauses for node in machine.nodes if node.span == mistake.span and node.clauses)
    why = f"play fails with {mistake.code}: {mistake.message}"
    return Halt(why, mistake.help, next(cited, ()), mistake.span, begun=True)
