"""Scenarios from play: the choices and outcomes of a match, and what has changed by them as assertions.

A recorded scenario is run before it is offered, so that it holds when it is written. It begins where the
match began, or with a position in its middle, if that can be written as one.
"""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from dsl.load import Questions
from dsl.rules import Rules
from dsl.source import Source
from interpreter import ir
from interpreter.compile.coverage import points
from interpreter.game import MatchStep
from interpreter.match import Match
from interpreter.sights import REFEREE
from interpreter.views import View
from rulewright.studio.playing import PlayedMatch
from rulewright.studio.rpc import Json, refused
from rulewright.studio.scenarios import result_of
from validators.scenarios.reading import read_file
from validators.scenarios.running import ScenarioRunner
from validators.scenarios.steps import FlowSteps

PLAIN = re.compile(r"[A-Za-z0-9_§][\w .§+-]*")
TRAPS = frozenset({"yes", "no", "on", "off", "y", "n", "null", "true", "false", "none"})
"""Words that YAML may take for something else than a text; what is no text is written without quotes."""
MOST_ITEMS = 12
WIDEST = 96
Held = list[str] | int | bool | str | None


@dataclass(frozen=True)
class Recorded:
    """A scenario as text, the assertions that may be made, the likeliest first, and the clauses that it may
    cite: those of what was chosen, then those of all else that it runs."""

    text: str
    offered: tuple[str, ...]
    cites: tuple[str, ...]
    """Those that it cites."""
    clauses: tuple[str, ...]
    result: Json
    whole: bool
    """Whether it begins where the match began."""


@dataclass(frozen=True)
class Recorder:
    """What scenarios are recorded from: a match, and the rules that they are run with."""

    played: PlayedMatch
    questions: Questions

    @property
    def match(self) -> Match:
        return self.played.match

    @property
    def rules(self) -> Rules:
        return self.played.rules

    def record(
        self, since: int, name: str, chosen: Sequence[str] | None, cited: Sequence[str] | None = None
    ) -> Recorded:
        """The scenario of the choices from number `since` on. `chosen` are its assertions; none: the first
        that are offered. `cited` are the clauses that it cites; none: those of what was chosen. Raises
        `RpcError` if nothing was chosen since."""
        if not 0 <= since < len(self.match.history):
            raise refused("nothing-recorded", "there is no choice to record: play some, or begin earlier")
        offered = tuple(self.offers(since))
        claims = list(offered[:MOST_ITEMS]) if chosen is None else list(chosen)
        if since:
            found = self._recorded(name, since, self._position(since), offered, claims, cited)
            if found.result["holds"]:
                return found
        return self._recorded(name, 0, self._beginning(), offered, claims, cited)

    def _recorded(
        self,
        name: str,
        since: int,
        given: Sequence[str],
        offered: tuple[str, ...],
        claims: Sequence[str],
        cited: Sequence[str] | None,
    ) -> Recorded:
        own = tuple(dict.fromkeys(mark for step in self._steps(since) for mark in self._clauses(step)))
        marks = own if cited is None else tuple(cited)
        text = self._text(name, since, given, claims, marks)
        result, ran = self._run(text)
        return Recorded(text, offered, marks, tuple(dict.fromkeys((*own, *ran))), result, since == 0)

    # ---- what has changed

    def offers(self, since: int) -> Iterator[str]:
        """Assertions about what the choices have come to: the end, who is asked, and what has changed."""
        match = self.match
        if match.over:
            outcome = match.outcome()
            yield f"over: {scalar(outcome) if outcome else 'true'}"
            yield f"winner: {_listed(match.winners()) if match.winners() else 'none'}"
            for sheet in match.accounts():
                yield f"score of {sheet.seat}: {sheet.total}"
        else:
            asked = sorted({decision.seat for decision in match.decisions()})
            yield f"asked: {asked[0] if len(asked) == 1 else _listed(asked)}"
        before, now = self._view(match.history[since][0]), self._view(match.state)
        if before.phase != now.phase:
            yield f"phase: {now.phase}"
        yield from _differences(held(before), held(now), self._is_ordered)

    def _view(self, state: array[int]) -> View:
        return self.played.game.views.view(state, REFEREE)

    def _is_ordered(self, address: str) -> bool:
        """Whether the pieces at an address lie in an order."""
        zone = address.split()[0]
        places = self.played.game.machine.places
        return any(place.zone == zone and place.kind == ir.ORDERED for place in places)

    # ---- what is given

    def _beginning(self) -> list[str]:
        """The position in which the match began."""
        opening = self.match.opening
        if opening is None:
            return []
        lines = [f"at: {opening.at}"] if opening.at else []
        lines += [f"seat: {opening.seat}"] if opening.seat else []
        lines += ["prepared: true"] if opening.prepared else []
        values = {address: list(names) for address, names in opening.values}
        written = _set(values)
        return [*lines, *(("carried:", *written[1:]) if opening.carried and written else written)]

    def _position(self, since: int) -> list[str]:
        """The position before a choice, as far as it can be written."""
        game, state = self.played.game, self.match.history[since][0]
        waiting = game.executor.waiting(state)
        standing = FlowSteps(game).standing(state, waiting[0] if waiting else None)
        at = min(standing, default=game.machine.phases[state[ir.PHASE]])
        first = held(self._view(game.executor.initial_state()))
        now = held(self._view(state))
        differing = {address: value for address, value in now.items() if value != first.get(address)}
        seat = game.names.seat(state[ir.ACTIVE]) if state[ir.ACTIVE] >= 0 else None
        lines = [f"at: {at}", *([f"seat: {seat}"] if seat else [])]
        return [*lines, *_set(differing)]

    # ---- the text

    def _text(
        self, name: str, since: int, given: Sequence[str], claims: Sequence[str], cited: Sequence[str]
    ) -> str:
        steps = self._steps(since)
        lines = [f"- scenario: {scalar(name)}"]
        lines += [f"  cites: [{', '.join(cited)}]"] if cited else []
        lines += ["  given:", f"    seats: {self.played.seats}"]
        options = {key: str(value) for key, value in self.played.options.items()}
        lines += [f"    options: {_mapping(options)}"] if options else []
        lines += [f"    {line}" for line in given]
        chance = _chance(steps)
        if chance:
            lines += ["  chance:", *(f"    {key}: {_listed(values)}" for key, values in chance.items())]
        lines += ["  when:", *(f"    - {step.seat}: {scalar(step.text)}" for step in steps if step.seat)]
        lines += ["  then:", *(f"    {claim}" for claim in claims)] if claims else []
        return "\n".join([*lines, ""])

    def _steps(self, since: int) -> list[MatchStep]:
        _, first = self.match.history[since]
        start = 0 if since == 0 else first
        return [step for step in self.match.steps[start:] if step.seat or step.stream]

    def _clauses(self, step: MatchStep) -> tuple[str, ...]:
        """The clauses of what was done: of the action that was chosen, or of the decision."""
        routine = self.rules.routines.get(step.text.split()[0]) if step.seat and step.text else None
        if routine is not None:
            return routine.clauses
        return self.played.game.machine.decision(step.node).clauses if step.node is not None else ()

    def _run(self, text: str) -> tuple[Json, list[str]]:
        """The result of the scenario that was written, and the clauses of the rules that it runs, in their
        order."""
        file = read_file(Source("recorded.yaml", text), self.rules)
        result, ran = result_of(ScenarioRunner(self.rules, self.questions, cover=True), file)
        every = [point for _, point in points(self.rules)]
        known = self.rules.clauses
        return result, [mark for i in sorted(ran) for mark in every[i].clauses if mark in known]


def _chance(steps: Iterable[MatchStep]) -> Mapping[str, list[str]]:
    """The outcomes of each stream in order."""
    found: dict[str, list[str]] = {}
    for step in steps:
        if step.stream is not None:
            found.setdefault(step.stream, []).append(step.text)
    return found


def held(view: View) -> dict[str, Held]:
    """Everything on the table, by address."""
    return {**view.zones, **view.counters, **view.marks, **view.pointers}


def _differences(
    before: Mapping[str, Held], now: Mapping[str, Held], is_ordered: Callable[[str], bool]
) -> list[str]:
    """An assertion for each address whose content is another one: short ones first, and together those of one
    name, in the order of the seats or places that it belongs to."""
    claims: dict[str, list[str]] = {}
    for address, value in now.items():
        if before.get(address) != value:
            claims.setdefault(address.split()[0], []).append(_claim(address, value, is_ordered(address)))
    shortest = sorted(claims.values(), key=lambda own: min(map(len, own)))
    return [claim for own in shortest for claim in own]


def _claim(address: str, value: Held, ordered: bool) -> str:
    key = f"{address} from bottom" if ordered and isinstance(value, list) and len(value) > 1 else address
    return f"{scalar(key)}: {written(value)}"


def _set(values: Mapping[str, Held]) -> list[str]:
    if not values:
        return []
    return ["set:", *(f"  {scalar(address)}: {written(value)}" for address, value in values.items())]


def written(value: Held) -> str:
    """A value as scenarios write it."""
    if isinstance(value, list):
        return _listed(value)
    if isinstance(value, bool):
        return str(value).lower()
    return "none" if value is None else scalar(str(value)) if isinstance(value, str) else str(value)


def _listed(values: Iterable[str]) -> str:
    return f"[{', '.join(map(scalar, values))}]"


def _mapping(values: Mapping[str, str]) -> str:
    return "{" + ", ".join(f"{key}: {scalar(value)}" for key, value in values.items()) + "}"


def scalar(text: str) -> str:
    """A text in YAML: plain if nothing in it means something else, otherwise in quotes."""
    if PLAIN.fullmatch(text) and text.lower() not in TRAPS and text == text.strip():
        return text
    return text if text == "none" else json.dumps(text, ensure_ascii=False)
