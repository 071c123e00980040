"""Companions told at random in Python, and recorded with all that a host in JavaScript must say again."""

from __future__ import annotations

from random import Random
from typing import Any

from interpreter.companion import Companion
from interpreter.companion_log import Record
from interpreter.game import MatchStep
from interpreter.match import Match
from interpreter.messages import Fault
from interpreter.sights import SPECTATOR
from rulewright.presentation.companion import (
    asked_seat,
    companion_position,
    past_position,
    question_json,
    why_not_possible,
    why_not_possible_value,
)
from rulewright.presentation.description import describe
from rulewright.presentation.position import entries
from tests.games import Table
from tests.interpreter.test_companion import revealed
from tests.web.recording import equipment, fast, text


def recording(table: Table, seeds: list[int], most: int) -> dict[str, Any]:
    """Everything for `companions.js`: the equipment, and a companion of at most `most` acts for each seed."""
    found = [Recorder(fast(table), seed).recorded(most) for seed in seeds]
    return equipment(table) | {"companions": found}


class Recorder:
    """People at a table, who tell the referee what they see, mistake themselves, and take back."""

    def __init__(self, game: Any, seed: int) -> None:
        self.random = Random(seed)
        self.seed = seed
        self.game = game
        self.truth = Match(game, seed=seed).start()
        self.steps: list[MatchStep] = list(self.truth.steps)
        self.words = ""
        self.record = Record(Companion(game, seed=seed), describe(game)["options"])
        self.values: list[tuple[str | None, Any]] = [(None, None)]

    def recorded(self, most: int) -> dict[str, Any]:
        self.record.start()
        acts = [self._seen({})]
        while len(acts) < most:
            act = self._act()
            if act is None:
                break
            acts.append(self._seen(act))
        return {"seed": str(self.seed), "acts": acts, "log": self.record.text()}

    @property
    def companion(self) -> Companion:
        return self.record.companion

    def _act(self) -> dict[str, Any] | None:
        companion, lot = self.companion, self.random.random()
        if companion.question is not None:
            possible = companion.answers()
            if lot < 0.1:
                return self._told(self.random.choice([*possible, None, "nonsense"]), try_out=True)
            if lot < 0.15 and companion.given:
                self.record.take_back_answer()
                return {"takeBackAnswer": True}
            return self._told(self._answer())
        if lot < 0.06 and companion.last_is_answer:
            assert self.record.take_back_answer()
            return {"takeBackAnswer": True}
        if self.truth.over:
            return None
        if lot < 0.25:
            seat = asked_seat(companion)
            assert seat is not None
            words = self.random.choice([*companion.named(seat), "nothing of this"])
            return self._chosen(seat, words, try_out=True)
        decision, before = self.truth.decisions()[0], len(self.truth.steps)
        self.words = self.random.choice(decision.choices).text
        self.truth.choose(decision.seat, self.words)
        self.steps = list(self.truth.steps[before:])
        return self._chosen(decision.waiting.seat, self.words)

    def _chosen(self, seat: int, words: str, try_out: bool = False) -> dict[str, Any]:
        """A choice; one that is only tried out is taken back in both, if it was possible."""
        act: dict[str, Any] = {"choose": [seat, words], "back": try_out}
        return act | {
            "refused": self._tried(lambda: self.record.choose(self.game.names.seat(seat), words), try_out)
        }

    def _told(self, answer: str | None, try_out: bool = False) -> dict[str, Any]:
        act: dict[str, Any] = {"tell": answer, "back": False}
        if try_out:
            draft = self.companion.draft()
            try:
                draft.tell(answer)
            except Fault:
                return act | {"refused": True}
            return {}
        self.record.tell(answer)
        return act | {"refused": False}

    def _tried(self, act: Any, try_out: bool) -> bool:
        try:
            act()
        except Fault:
            assert try_out
            return True
        if try_out:
            self.record.take_back()
        return False

    def _answer(self) -> str:
        companion = self.companion
        assert companion.question is not None
        if companion.question.stream is not None:
            outcomes = [step.text for step in self.steps if step.stream is not None]
            return outcomes[len(companion.told.outcomes)]
        left = revealed(self.game, self.steps, self.words)
        for piece in companion.told.revealed:
            left.remove(piece)
        return next(name for name, place in left if place == companion.question.place)

    def _seen(self, act: dict[str, Any]) -> dict[str, Any]:
        """An act with all that a page is told after it."""
        companion = self.companion
        shown = companion_position(companion)
        for decision in shown["decisions"]:
            some = self.random.sample(decision["choices"], min(2, len(decision["choices"])))
            self.values += [(choice["action"], choice["value"]) for choice in some]
        if companion.question is None and not self.truth.over:
            assert companion.match.view(SPECTATOR) == self.truth.view(SPECTATOR)
        about = self.random.choice(self.values)
        past = self.random.randrange(len(companion.match.history) + 1)
        return act | {
            "position": text(shown),
            "entries": text(entries(companion.match, SPECTATOR)),
            "question": text(question_json(companion, 0)),
            "hash": companion.match.steps[-1].hash if companion.match.steps else "",
            "why": text(why_not_possible(companion, "nothing of this")),
            "whyValue": [*about, text(why_not_possible_value(companion, *about))],
            "past": [past, text(past_position(self._as_of(past)))] if companion.match.steps else None,
        }

    def _as_of(self, choices: int) -> Match:
        from interpreter.placeholders import match_before

        return match_before(self.companion.match, choices + 1)
