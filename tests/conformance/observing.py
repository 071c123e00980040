"""What is seen of a match at each of its stops, as plain values: what implementations have to agree on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from dsl.diagnostics import DiagnosticError, ErrorsReported, Report
from dsl.folder import Folder
from dsl.load import load_for_questions
from dsl.rules import Rules
from interpreter.compile.program import compile_rules
from interpreter.game import ExecutorKind, Game
from interpreter.match import Match
from interpreter.messages import Fault
from interpreter.opening import Opening
from interpreter.redacted_log import entries
from interpreter.sights import SPECTATOR
from rulewright.library import find, folder

Case = Mapping[str, Any]
"""A case of the suite without what is expected; `docs/conformance.md` has its form."""
Observed = list[dict[str, Any]]


def observed(case: Case, executor: ExecutorKind = "reference") -> Observed:
    """What is seen of a case: its mistakes, or each stop of its match."""
    try:
        rules, report, _ = load_for_questions(folder_of(case))
        if "play" not in case:
            compile_rules(rules, None, {})
            return [{"mistakes": _mistakes(report)}]
    except ErrorsReported as stop:
        return [{"mistakes": _mistakes(stop.report)}]
    except DiagnosticError as failed:
        return [{"mistakes": _mistakes(Report([failed.diagnostic]))}]
    return list(stops(rules, case, executor))


def folder_of(case: Case) -> Folder:
    """The ruleset of a case: a bundled game, or files that the case has itself."""
    if "game" in case:
        return folder(find(case["game"]))
    files: dict[str, str] = case["files"]

    def fetch(path: str) -> bytes:
        if path not in files:
            raise FileNotFoundError(path)
        return files[path].encode()

    return Folder("spec", fetch)


def _mistakes(report: Report) -> list[list[Any]]:
    """Code and line of each mistake, in the order of the text."""
    return sorted([m.code, m.span.source.position(m.span.start)[0]] for m in report)


def stops(rules: Rules, case: Case, executor: ExecutorKind) -> Iterator[dict[str, Any]]:
    """The stops of the match of a case: at its beginning, and after each line of `play`."""
    match = begun(rules, case, executor)
    see = _Observer(match)
    yield see.stop()
    for line in case["play"]:
        try:
            match.choose(line["seat"], line["choose"])
        except Fault:
            yield {"refused": _refusal(match, line["seat"], line["choose"])}
        else:
            yield see.stop()


def begun(rules: Rules, case: Case, executor: ExecutorKind) -> Match:
    """The match of a case at its first stop."""
    game = Game(rules, compile_rules(rules, case["seats"], case["options"]), executor)
    given = case.get("position")
    opening = None
    if given is not None:
        carried = given.get("carried", False)
        opening = Opening.of(given["set"], given.get("at"), given.get("seat"), carried=carried)
    outcomes = {stream: list(texts) for stream, texts in case["outcomes"].items()}
    return Match(game, outcomes=outcomes, opening=opening).start()


def _refusal(match: Match, seat: str, written: str) -> dict[str, Any]:
    """Why a choice is not offered: the kind of reason, and the clauses of the rule that refuses."""
    for decision in match.decisions(written):
        if decision.seat == seat:
            waiting = decision.waiting
            found = match.game.refusals.explain(match.state[:], waiting, written, waiting.seat)
            return {"kind": found.kind, "clauses": list(found.clauses)}
    return {"kind": "not asked", "clauses": []}


class _Observer:
    """Says what is new at each stop: a value of a view is left out if it is as it was at the stop before."""

    def __init__(self, match: Match) -> None:
        self.match = match
        names = match.game.names
        self.viewers = {names.seat(i): i for i in range(match.game.machine.seats)} | {"spectators": SPECTATOR}
        self.seen: dict[str, dict[str, Any]] = {name: {} for name in self.viewers}
        self.told = dict.fromkeys(self.viewers, 0)

    def stop(self) -> dict[str, Any]:
        match = self.match
        found: dict[str, Any] = {
            "asked": self._asked(),
            "views": self._each(self._changes),
            "told": self._each(self._news),
        }
        if match.over:
            found["over"] = {
                "winners": match.winners(),
                "scores": {sheet.seat: sheet.total for sheet in match.accounts()},
                "outcome": match.outcome(),
            }
        return found

    def _each(self, what: Callable[[str], Any]) -> dict[str, Any]:
        """Something of each viewer of whom there is any."""
        return {name: found for name in self.viewers if (found := what(name))}

    def _asked(self) -> dict[str, dict[str, Any]]:
        """The decisions that wait, each with its choices as the seat may read them."""
        found: dict[str, dict[str, Any]] = {}
        for name, seat in self.viewers.items():
            for decision in self.match.offered_to(seat) if seat >= 0 and not self.match.over else ():
                ranges = [
                    [" ".join(each.words), each.numbers.first, each.numbers.last, each.numbers.step]
                    for each in decision.ranges
                ]
                choices = sorted(choice.text for choice in decision.choices)
                found[name] = {"decision": decision.name, "choices": choices}
                if ranges:
                    found[name]["ranges"] = ranges
        return found

    def _changes(self, name: str) -> dict[str, Any]:
        view = self.match.view(self.viewers[name])
        now: dict[str, Any] = {"phase": view.phase, "active": view.active}
        for part in (view.zones, view.counters, view.marks, view.pointers):
            now |= part
        before, self.seen[name] = self.seen[name], now
        return {key: value for key, value in now.items() if key not in before or before[key] != value}

    def _news(self, name: str) -> list[list[Any]]:
        """What has been told since the last stop: who chose what, and the events."""
        known = entries(self.match, self.viewers[name])
        views, first = self.match.game.views, self.told[name]
        self.told[name] = len(known)
        return [
            [entry.seat, entry.text, [views.named(event) for event in entry.events]]
            for entry in known[first:]
        ]
