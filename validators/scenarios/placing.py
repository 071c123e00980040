"""The position in which a scenario begins."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeVar

from dsl import rules as r
from dsl.document import Node, Scalar
from dsl.numbers import whole
from dsl.source import Span
from interpreter import ir
from interpreter.game import Game
from interpreter.match import Match
from interpreter.messages import Fault
from interpreter.position import CannotPlace, Position
from validators.scenarios.look import ORDERED
from validators.scenarios.reading import texts
from validators.scenarios.scenario import Scenario, bad_scenario

T = TypeVar("T")
SEED = 1
MOST_PREPARING = 10_000
"""The most decisions of a set-up before it reaches its phase."""
MEANT = "if this is intended, write `allow: [impossible position]`"
SPARE = "`allow: [spare pieces]` allows more"


def set_up(scenario: Scenario, game: Game) -> tuple[array[int], int]:
    """The state in which a scenario begins, and the node at which play starts.

    Raises `DiagnosticError` with `BadScenario` if there is no such position.
    """
    position = Position(game, _prepared(scenario, game) if scenario.prepared else None)
    _check_once(scenario)
    for address, value in _in_order(scenario, game):
        _placing(address.span, partial(_set, position, address, value, scenario))
    if "spare pieces" not in scenario.allow:
        for component, name in _surplus(game, position.state):
            why = f"there are more `{name}` than the game has"
            raise bad_scenario(scenario.span, why, f"{SPARE} of `{component}` if this is intended")
    node = _stand(scenario, game, position)
    if "impossible position" not in scenario.allow:
        for name, total, wanted in _unbalanced(game, position.state):
            why = f"the position holds {total} of bank `{name}` in all, but the game has {wanted}"
            raise bad_scenario(scenario.span, why, f"set `{name}` so that they add up; {MEANT}")
    return position.state, node


def broken_promise(scenario: Scenario, game: Game, state: array[int]) -> None:
    """Raises `DiagnosticError` if an invariant does not hold in the position in which play begins."""
    if "impossible position" not in scenario.allow and not state[ir.FORKED]:
        try:
            game.reference.check_promises(state)
        except Fault as fault:
            why = f"the position breaks a promise of the rules: {fault.diagnostic.message}"
            raise bad_scenario(scenario.span, why, MEANT) from None


def _check_once(scenario: Scenario) -> None:
    """Raises `DiagnosticError` if a place is set twice, in the same or other words."""
    seen: set[str] = set()
    for address, _ in scenario.position:
        name = " ".join(address.text.removesuffix(" from top").split())
        if name in seen:
            raise bad_scenario(address.span, f"`{name}` is set twice")
        seen.add(name)


def _surplus(game: Game, state: array[int]) -> Iterator[tuple[str, str]]:
    """Components and classes with more pieces in a position than in the game; of dice only the number."""
    found, start = _counted(game, state), _counted(game, game.executor.initial_state())
    for (component, class_), number in found.items():
        if number > start[component, class_]:
            yield component, component if class_ < 0 else game.rules.components[component].classes[class_]


def _counted(game: Game, state: array[int]) -> Counter[tuple[str, int]]:
    position, counts = Position(game, state), Counter[tuple[str, int]]()
    for place, component in enumerate(game.reference.component_of):
        die = game.rules.components[component].die is not None
        counts.update((component, -1 if die else class_) for class_ in position.held(place))
    return counts


def _in_order(scenario: Scenario, game: Game) -> Iterator[tuple[Scalar, Node]]:
    """What is set; zones in which pieces start come last, since other pieces are taken from them."""

    def starts(address: Scalar) -> bool:
        zone = game.rules.zones.get(address.text.split()[0] if address.text.split() else "")
        return zone is not None and zone.start

    yield from (pair for pair in scenario.position if not starts(pair[0]))
    yield from (pair for pair in scenario.position if starts(pair[0]))


def _stand(scenario: Scenario, game: Game, position: Position) -> int:
    if scenario.at is None:
        if scenario.turn is not None:
            why = "`seat` needs `at`: it gives the turn at the place where play starts"
            raise bad_scenario(scenario.turn, why, "add `at` with a phase")
        game.reference.prime_triggers(position.state)
        return game.machine.start if not scenario.prepared else _phase_after_set_up(scenario, game, position)
    seat, at = _seat(scenario, game), scenario.at
    return _placing(at.span, lambda: position.stand_at(at.text, seat))


def _seat(scenario: Scenario, game: Game) -> int:
    try:
        return game.seat_number(scenario.seat)
    except KeyError:
        why = f"unknown seat `{scenario.seat}`"
        raise bad_scenario(scenario.span, why, "the seats are A, B, C, ...") from None


def _placing(span: Span, act: Callable[[], T]) -> T:
    try:
        return act()
    except CannotPlace as error:
        raise bad_scenario(span, str(error), error.hint) from None


# ---- setting


def _set(position: Position, address: Scalar, value: Node, scenario: Scenario) -> None:
    text, top_first = address.text.removesuffix(" from top"), address.text.endswith(" from top")
    name = text.split()[0] if text.split() else ""
    if name in position.machine.variables:
        position.set_word(text, " ".join(texts(value)))
        return
    number = position.place(text)
    names = texts(value)
    zone = position.game.rules.zones.get(name)
    if top_first and (zone is None or zone.order not in ORDERED):
        raise CannotPlace(f"`{name}` has no order")
    spare = "spare pieces" in scenario.allow
    count = whole(names[0]) if len(names) == 1 else None
    if count is not None and count >= 0 and names[0] not in _classes(position.game, number):
        position.set_count(number, count, spare)
        return
    names = [] if names == ["none"] else names
    position.set_pieces(number, names[::-1] if top_first else names, spare)


def _classes(game: Game, place: int) -> tuple[str, ...]:
    return game.rules.components[game.reference.component_of[place]].classes


# ---- banks


def _unbalanced(game: Game, state: array[int]) -> Iterator[tuple[str, int, int]]:
    """Banks whose sum with the counters booked to them has changed: the sum, and the sum at the start.

    If a counter is `paid_anyway`, the sum may grow.
    """
    start = game.executor.initial_state()
    for bank, booked in _banks(game).items():
        words = [game.machine.variables[name] for name in (bank, *booked)]
        total, wanted = (sum(sum(s[w.base : w.base + w.size]) for w in words) for s in (state, start))
        anyway = any(game.rules.counters[name].paid_anyway for name in booked)
        if total < wanted or (total > wanted and not anyway):
            yield bank, total, wanted


def _banks(game: Game) -> dict[str, list[str]]:
    """The counters that are booked to each bank, unless something bypasses the bank or is clamped."""
    counters = game.rules.counters
    written = {node.name for node in game.machine.nodes if isinstance(node, ir.SetWord)}
    found: dict[str, list[str]] = {}
    for counter in counters.values():
        if counter.bank is not None and counter.bank in counters:
            found.setdefault(counter.bank, []).append(counter.name)
    exact = {bank for bank in found if all(_is_exact(counters[name]) for name in (bank, *found[bank]))}
    return {bank: names for bank, names in found.items() if bank in exact and not written & {bank, *names}}


def _is_exact(counter: r.Counter) -> bool:
    return counter.at_edge != "clamp" and counter.var.lasts is None


# ---- the game as it is prepared


def _prepared(scenario: Scenario, game: Game) -> array[int]:
    """The state after the set-up, with a fixed seed and the first option of each decision.

    It is played until the phase in which the scenario begins, or without `at` until the first phase ends.
    """
    match = Match(game, SEED, keep_history=False).start()
    wanted = scenario.at.text.partition(".")[0] if scenario.at is not None else None
    if wanted is not None and wanted not in game.machine.phases:
        return match.state
    for _ in range(MOST_PREPARING):
        phase = game.machine.phases[match.state[ir.PHASE]]
        if match.over or (phase == wanted if wanted is not None else match.state[ir.PHASE] != 0):
            return match.state
        waiting = match.waiting()[0]
        match.take(waiting, waiting.options[0])
    why = f"the set-up does not reach `{wanted}` within {MOST_PREPARING} decisions"
    raise bad_scenario(scenario.span, why)


def _phase_after_set_up(scenario: Scenario, game: Game, position: Position) -> int:
    """The first node of the phase that the set-up has reached."""
    phase, seat = game.machine.phases[position.state[ir.PHASE]], position.state[ir.ACTIVE]
    return _placing(scenario.span, lambda: position.stand_at(phase, seat))
