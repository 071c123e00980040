"""The cases of the suite: from the specification by examples, and matches of bundled games by chance."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from dsl.load import load_for_questions
from dsl.rules import Rules
from dsl.source import Source
from interpreter.match import Match
from interpreter.messages import Fault
from tests.conformance.observing import Case, begun
from tests.games import rules_of, seats_of
from tests.spec import test_spec as spec
from validators.scenarios.reading import read_scenarios, texts
from validators.scenarios.running import ScenarioRunner
from validators.scenarios.scenario import Scenario

PAGES = tuple(sorted(path.stem for path in spec.HERE.glob("*.md")))
GAMES = ("connect_four", "gin_rummy", "hearts", "kalah", "kuhn_poker", "roma", "texas_holdem", "yacht")
MOST_CHOICES = 40
"""Of a match of a bundled game."""
REFUSED = 4
"""Of how many choices of a match one is followed by an attempt that is refused."""


def cases_of(page: str) -> Iterator[Case]:
    """The cases of a page of the specification: mistakes, and the matches of its scenarios."""
    text = (spec.HERE / f"{page}.md").read_text("utf-8")
    for case in spec.read_cases(page, text):
        files = {path: data.decode() for path, data in case.files.items()}
        if case.errors is not None:
            yield {"name": case.name, "files": files}
        if case.scenarios:
            yield from _matches(case, files)


def _matches(case: spec.Case, files: dict[str, str]) -> Iterator[Case]:
    rules, _, questions = load_for_questions(spec.folder_of(case))
    for text in case.scenarios:
        for scenario in read_scenarios(Source("scenario", text), rules):
            seen: list[Match] = []
            ScenarioRunner(rules, questions, watch=seen.append).run(scenario)
            found = _match_of(rules, f"{case.name}: {scenario.name}", files, scenario, seen[-1])
            if found is not None:
                yield found


def _match_of(
    rules: Rules, name: str, files: dict[str, str], scenario: Scenario, match: Match
) -> Case | None:
    """The match of a scenario; none if no match begins from its position.

    So it is where the position is impossible on purpose, depends on drawn outcomes, or sets what only the
    questions of the scenario read.
    """
    if scenario.prepared or scenario.allow:
        return None
    case: dict[str, Any] = {"name": name, "files": files, **_setting(match, scenario.options)}
    if scenario.position or scenario.at is not None:
        values = {address.text: list(texts(value)) for address, value in scenario.position}
        case["position"] = {"set": values}
        if scenario.carried:
            case["position"]["carried"] = True
        if scenario.at is not None:
            case["position"]["at"] = scenario.at.text
        if scenario.seat is not None and scenario.turn is not None:
            case["position"]["seat"] = scenario.seat
    case["play"] = [{"seat": step.seat, "choose": step.text} for step in match.steps if step.seat]
    try:
        begun(rules, case, "reference")
    except Fault:
        return None
    return case


def _setting(match: Match, options: dict[str, str]) -> dict[str, Any]:
    outcomes: dict[str, list[str]] = {}
    for step in match.steps:
        if step.stream:
            outcomes.setdefault(step.stream, []).append(step.text)
    return {"seats": match.game.machine.seats, "options": options, "outcomes": outcomes}


def match_by_chance(game: str) -> Case:
    """A match of a bundled game with its fewest seats, by chance, with refusals in between."""
    pick, rules = Random(game), rules_of(game)
    start: dict[str, Any] = {
        "game": game,
        "seats": seats_of(game)[0],
        "options": {},
        "outcomes": {},
        "play": [],
    }
    match = begun(rules, start, "reference")
    play, known = [], list[tuple[str, str]]()
    while not match.over and len(play) < MOST_CHOICES:
        decision = match.decisions()[0]
        known += [(decision.seat, choice.text) for choice in decision.choices]
        if pick.randrange(REFUSED) == 0:
            seat, text = pick.choice(known)
            offered = [
                choice.text for other in match.decisions() if other.seat == seat for choice in other.choices
            ]
            if text not in offered:
                play.append({"seat": seat, "choose": text})
        text = pick.choice(decision.choices).text
        play.append({"seat": decision.seat, "choose": text})
        match.choose(decision.seat, text)
    return {"name": f"a match of {game}", "game": game, **_setting(match, {}), "play": play}


def all_cases() -> Iterator[tuple[str, list[Case]]]:
    """The files of the suite, each with its cases."""
    for page in PAGES:
        yield page, list(cases_of(page))
    yield "matches", [match_by_chance(game) for game in GAMES]
