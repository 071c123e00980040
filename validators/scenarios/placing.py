"""The position in which a scenario begins."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeVar

from dsl import rules as r
from dsl.document import Node, Scalar
from dsl.source import Span
from interpreter import ir
from interpreter.game import Game
from interpreter.given_records import forget_records, record_given
from interpreter.match import prepared
from interpreter.messages import Fault
from interpreter.opening import check_carried, in_order, place, plain, surplus
from interpreter.position import CannotPlace, Position
from interpreter.seat_words import seat_help
from validators.scenarios.reading import texts
from validators.scenarios.scenario import Scenario, bad_scenario

T = TypeVar("T")
SEED = 1
MEANT = "if this is intended, write `allow: [impossible position]`, or let `rulewright update` write it"
SPARE = "`allow: [spare pieces]` allows more"


def set_up(scenario: Scenario, game: Game) -> tuple[array[int], int]:
    """The state in which a scenario begins, and the node at which play starts.

    Raises `DiagnosticError` with `BadScenario` if there is no such position.
    """
    position = Position(game, _prepared(scenario, game) if scenario.prepared else None)
    _check_once(scenario)
    if scenario.carried:
        for address, _ in scenario.position:
            _placing(address.span, partial(check_carried, game.ruleset, (address.text,)))
    if scenario.position:
        forget_records(game, position.state)
    for address, value in _in_order(scenario, game):
        spare = "spare pieces" in scenario.allow
        _placing(address.span, partial(place, position, address.text, texts(value), spare))
    if "spare pieces" not in scenario.allow:
        for component, name in surplus(game, position.state):
            why = f"there are more `{name}` than the game has"
            raise bad_scenario(scenario.span, why, f"{SPARE} of `{component}` if this is intended")
    node = _stand(scenario, game, position)
    if "impossible position" not in scenario.allow:
        for name, total, wanted in _unbalanced(game, position.state):
            why = f"the position holds {total} of bank `{name}` in all, but the game has {wanted}"
            raise bad_scenario(scenario.span, why, f"set `{name}` so that they add up; {MEANT}")
    if not scenario.carried and (scenario.at is not None or scenario.position or scenario.prepared):
        _placing(scenario.span, lambda: record_given(game, position.state, node))
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
        name = plain(address.text)
        if name in seen:
            raise bad_scenario(address.span, f"`{name}` is set twice")
        seen.add(name)


def _in_order(scenario: Scenario, game: Game) -> Iterator[tuple[Scalar, Node]]:
    """What is set; zones in which pieces start come last, since other pieces are taken from them."""
    pairs = {address.text: (address, value) for address, value in scenario.position}
    yield from (pairs[address] for address in in_order(game, pairs))


def _stand(scenario: Scenario, game: Game, position: Position) -> int:
    if scenario.at is None:
        if scenario.turn is not None:
            why = "`seat` needs `at`: it gives the turn at the place where play starts"
            raise bad_scenario(scenario.turn, why, "add `at` with a phase")
        game.reference.prime_triggers(position.state)
        return position.go_on() if scenario.prepared else game.machine.start
    seat, at = _seat(scenario, game), scenario.at
    return _placing(at.span, lambda: position.stand_at(at.text, seat))


def _seat(scenario: Scenario, game: Game) -> int | None:
    """The number of the seat that has the turn; none if the scenario leaves that to the rules."""
    if scenario.seat is None:
        return None
    try:
        return game.seat_number(scenario.seat)
    except KeyError:
        why = f"unknown seat `{scenario.seat}`"
        hint = seat_help(game.rules, game.machine.seats, scenario.seat)
        raise bad_scenario(scenario.turn or scenario.span, why, hint) from None


def _placing(span: Span, act: Callable[[], T]) -> T:
    try:
        return act()
    except CannotPlace as error:
        raise bad_scenario(span, str(error), error.hint) from None


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
    """The state after the set-up, with a fixed seed and the first option of each decision."""
    at = scenario.at.text if scenario.at is not None else None
    return _placing(scenario.span, lambda: prepared(game, at, SEED))
