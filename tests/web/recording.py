"""Matches played in Python and recorded with all that a host in JavaScript must make again."""

from __future__ import annotations

import base64
import json
from functools import cache
from random import Random
from typing import Any

from interpreter import ir
from interpreter.game import Game
from interpreter.log import write
from interpreter.match import Match
from interpreter.sights import REFEREE, SPECTATOR
from rulewright.presentation.description import describe
from rulewright.presentation.host_tables import host_tables
from rulewright.presentation.position import entries, position, undo
from rulewright.presentation.why_not import why_not, why_not_value
from tests.games import Table, seated

NONCE = "0123456789abcdef" * 2


def text(value: object) -> str:
    """JSON as `JSON.stringify` writes it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@cache
def equipment(table: Table) -> dict[str, Any]:
    """The description of a table, and the module that plays it."""
    game = fast(table)
    data, tables = host_tables(game)
    return {"description": describe(game), "tables": tables, "module": base64.b64encode(data).decode()}


@cache
def fast(table: Table) -> Game:
    rules, machine = seated(table)
    return Game(rules, machine, "wasm")


def recording(table: Table, seeds: list[int], most: int) -> dict[str, Any]:
    """Everything for `lockstep.js`: the equipment, and a match of at most `most` acts for each seed."""
    return equipment(table) | {"matches": [Recorder(fast(table), seed).record(most) for seed in seeds]}


class Recorder:
    """Plays one match by random choices and writes down what is to be compared."""

    def __init__(self, game: Game, seed: int) -> None:
        self.random = Random(seed)
        self.match = Match(game, seed=seed).start()
        self.viewers = (REFEREE, SPECTATOR, *range(game.machine.seats))
        self.told = dict.fromkeys(self.viewers, 0)
        self.words: list[str] = ["pass", "", "nothing of this"]
        self.values: list[tuple[str | None, Any]] = [(None, None)]
        self.turn = 0

    def record(self, most: int) -> dict[str, Any]:
        """The record of the match: what was done, and what was seen and said after each act."""
        acts = [self._seen()]
        while not self.match.over and len(acts) < most:
            acts.append(self._act() | self._seen())
        players = [f"player {i}" for i in range(self.match.game.machine.seats)]
        options = describe(self.match.game)["options"]
        return {
            "seed": str(self.match.seed),
            "acts": acts,
            "log": write(self.match, options, players, nonce=NONCE),
            "players": players,
            "nonce": NONCE,
        }

    def _act(self) -> dict[str, Any]:
        if self.match.history and self.random.random() < 0.08:
            return self._undo_in_branch() if self.match.state[ir.FORKED] else self._undo()
        asked = self.random.choice(self.match.waiting()).seat
        choices = self.match.offered_to(asked)[0].choices
        words = self.random.choice(choices).text
        self.match.choose(self.match.game.names.seat(asked), words)
        return {"choose": [asked, words]}

    def _undo(self) -> dict[str, Any]:
        number = self.random.choice((1, 1, 2, 3))
        seats = range(self.match.game.machine.seats)
        consent = [] if self.random.random() < 0.6 else list(seats)
        names = {self.match.game.names.seat(i) for i in consent}
        done = self.match.undo(names, number)
        if done:
            self.told = dict.fromkeys(self.viewers, 0)
        return {"undo": {"number": number, "consent": consent, "done": done}}

    def _undo_in_branch(self) -> dict[str, Any]:
        number = self.random.choice((1, 1, 2))
        seat = self.random.randrange(self.match.game.machine.seats)
        done = self.match.undo_in_branch(seat, number)
        if done:
            self.told = dict.fromkeys(self.viewers, 0)
        return {"undoInBranch": {"number": number, "seat": seat, "done": done}}

    def _seen(self) -> dict[str, Any]:
        asked = [] if self.match.over else [w.seat for w in self.match.waiting()]
        self.turn += 1
        other = self.viewers[self.turn % len(self.viewers)]
        views = [self._view(viewer) for viewer in dict.fromkeys([*asked[:1], other])]
        return {
            "hash": self.match.steps[-1].hash,
            "views": views,
            "why": [self._why(seat) for seat in asked],
            "whyValue": [self._why_value(seat) for seat in asked],
            "undos": [self._take_back(seat) for seat in range(self.match.game.machine.seats)],
        }

    def _take_back(self, seat: int) -> list[Any]:
        """What a seat may take back if bots play some of the others."""
        seats = range(self.match.game.machine.seats)
        people = [seat_ for seat_ in seats if self.turn >> seat_ & 1]
        return [seat, people, text(undo(self.match, seat, people))]

    def _view(self, viewer: int) -> list[Any]:
        seen = position(self.match, viewer)
        since = self.told[viewer]
        self.told[viewer] = seen["seq"]
        for decision in seen["decisions"]:
            self.words += [choice["words"] for choice in self._some(decision["choices"])]
            self.words += [choice["action"] for choice in self._some(decision["choices"]) if choice["action"]]
            self.values += [(choice["action"], choice["value"]) for choice in self._some(decision["choices"])]
        return [viewer, since, text(seen), text(entries(self.match, viewer, since))]

    def _some(self, found: list[Any]) -> list[Any]:
        return self.random.sample(found, min(2, len(found)))

    def _why(self, seat: int) -> list[Any]:
        written = self.random.choice(self.words)
        if self.random.random() < 0.3:
            written = " ".join([*written.split()[:1], *self.random.choice(self.words).split()[-1:]])
        return [seat, written, text(why_not(self.match, seat, written))]

    def _why_value(self, seat: int) -> list[Any]:
        action, value = self.random.choice(self.values)
        if self.random.random() < 0.3:
            action = self.random.choice(self.values)[0]
        return [seat, action, value, text(why_not_value(self.match, seat, action, value))]
