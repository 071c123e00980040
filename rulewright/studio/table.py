"""The table beside the editor: one match, seen by all of its seats, and what the page is told of it."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from dsl.diagnostics import ErrorsReported
from dsl.rules import Rules
from dsl.source import Source
from interpreter.log import read
from interpreter.messages import Fault
from interpreter.redacted_log import entries as redacted
from rulewright.presentation.position import entry_json, position
from rulewright.studio import playing, reloading
from rulewright.studio.bot_seats import BotSeats
from rulewright.studio.playing import LOG, PlayedMatch
from rulewright.studio.reloading import Parting
from rulewright.studio.rpc import INVALID_PARAMS, Call, Json, RpcError, refused

SEEDS = 1 << 31
ANSWERS = ("stay", "rewind", "anew")


@dataclass(eq=False)
class LiveTable:
    """A match that is played, where it parts from the rules as they are now, and what its page knows."""

    tell: Callable[[str, Json], None]
    changed: Callable[[], None]
    """Called when the match, or who plays it, is another one."""
    bot_seats: BotSeats
    played: PlayedMatch | None = None
    parting: Parting | None = None
    stays: bool = False
    """Whether the match stays under its own rules, whatever is edited."""
    differs: str = ""
    failed: str = ""
    """Why there is no match: the rules fail before the first decision."""
    _described: str = ""
    _sent: dict[int, list[str]] = field(default_factory=dict)

    # ---- rules change

    def begin(self, rules: Rules, seats: int | None, options: Mapping[str, str], seed: int | None) -> None:
        """Begin a new match under some rules."""
        chosen = seed if seed is not None else secrets.randbelow(SEEDS)
        try:
            self._adopt(playing.begun(rules, seats, options, chosen))
        except ErrorsReported as stop:
            self._fail(stop.report.first.message)
        except Fault as fault:
            self._fail(f"{fault.diagnostic.code}: {fault.diagnostic.message}")

    def resume(self, rules: Rules, text: str, held: bool = False) -> None:
        """Take up a match that a page has kept; a new one if it cannot be played any more.

        `held`: bots that are asked wait, since the match is to be looked at.
        """
        try:
            log = read(Source(LOG, text))
            game = playing.compiled(rules, log.seats, log.options)
            found = playing.follow(game, log, log.entries)
            played = PlayedMatch(rules, game, found.match, log.options)
            if held:
                self._hold_bots(played)
            self._adopt(played)
        except (ErrorsReported, Fault):
            self.begin(rules, None, {}, None)

    def reload(self, rules: Rules) -> None:
        """Go on under the rules as they are now, or say where the match parts from them."""
        played = self.played
        if played is None:
            self.begin(rules, None, {}, None)
            return
        if played.rules.digest == rules.digest:
            if playing.shown_by(played.rules) != playing.shown_by(rules):
                self._adopt(playing.shown_anew(played, rules))
            elif self.parting is not None or self.stays:
                self.parting, self.stays = None, False
                self.show()
            return
        if self.stays:
            self.parting = Parting(0, "", rules=rules)
            self.show()
            return
        found = reloading.reload(played, rules)
        if found.played is not None:
            self._adopt(found.played, found.differs)
        elif any(step.seat for step in played.match.steps):
            self.parting = found.parting
            self.show()
        else:
            self._begin_like(played, rules)

    def _begin_like(self, played: PlayedMatch, rules: Rules) -> None:
        """Nobody has chosen anything yet, so nothing is lost by another match under the new rules."""
        try:
            self._adopt(playing.begun(rules, played.seats, played.options, secrets.randbelow(SEEDS)))
        except (ErrorsReported, Fault):
            self.begin(rules, None, {}, None)

    def settle(self, call: Call) -> None:
        """What to do with a match that the new rules cannot follow. Raises `RpcError`."""
        answer, parting, played = call.text("answer"), self.parting, self.played
        rules = parting.rules if parting is not None else None
        if answer not in ANSWERS:
            raise RpcError(INVALID_PARAMS, f"`answer` is one of {', '.join(ANSWERS)}")
        if parting is None or rules is None or played is None:
            raise refused("settled", "the match follows the rules already")
        if answer == "stay":
            self.stays = True
            self.show()
        elif answer == "rewind":
            if not parting.text:
                parting = reloading.reload(played, rules).parting or parting
            self._adopt(reloading.rewind(played, parting))
        else:
            self.begin(rules, played.seats, played.options, None)

    def _adopt(self, played: PlayedMatch, differs: str = "") -> None:
        self.played, self.parting, self.stays = played, None, False
        self.differs, self.failed = differs, ""
        self.show()

    def _fail(self, why: str) -> None:
        self.failed = why
        if self.played is None:
            self.tell("match", {"failed": why})
        else:
            self.show()

    # ---- what the page is told

    def show(self) -> None:
        """Tell the page of the match as it is now: each viewer's position, and the entries that are new."""
        played = self.played
        if played is None:
            return
        hash_, description = playing.description_of(played)
        if hash_ != self._described:
            self._described = hash_
            self._sent.clear()
            self.tell("description", {"description": description})
        line = playing.asking(played)
        self.tell(
            "match",
            {
                **playing.state_of(played),
                "digest": played.rules.digest,
                "views": {str(viewer): self._view(played, viewer) for viewer in playing.viewers(played)},
                "log": played.log(),
                "line": line.place if line is not None else None,
                "parting": self.parting.as_json() if self.parting is not None else None,
                "stays": self.stays,
                **self.bot_seats.as_json(played.seats),
                "differs": self.differs,
                "failed": self.failed,
            },
        )
        self.changed()

    def _view(self, played: PlayedMatch, viewer: int) -> Json:
        """A viewer's position, and the entries from the first on that the page does not have."""
        found = [entry_json(played.match, entry) for entry in redacted(played.match, viewer)]
        encoded = [json.dumps(entry) for entry in found]
        before = self._sent.get(viewer, [])
        same = next((i for i, (a, b) in enumerate(zip(before, encoded, strict=False)) if a != b), None)
        since = min(len(before), len(encoded)) if same is None else same
        self._sent[viewer] = encoded
        return {
            "position": position(played.match, viewer, len(found)),
            "since": since,
            "entries": found[since:],
        }

    # ---- what the page asks for

    def _current(self) -> PlayedMatch:
        if self.played is None:
            raise refused("no-match", self.failed or "there is no match yet")
        return self.played

    def choose(self, call: Call) -> None:
        playing.choose(self._current(), self._seat(call), call.text("words"))
        self.chosen()

    def chosen(self) -> None:
        """Somebody has chosen something."""
        self.differs = ""
        self.show()

    def why(self, call: Call) -> Json | None:
        return playing.why(self._current(), self._seat(call), call.params)

    def undo(self, call: Call) -> None:
        played = self._current()
        if not playing.take_back(played, call.number("number"), self.bot_seats.people(played)):
            self.bot_seats.hold()
        self.show()

    def back(self, call: Call) -> None:
        """Go back to after some entries of a viewer."""
        played = self._current()
        playing.go_back(played, self._viewer(call), call.number("seq"))
        self._hold_bots(played)
        self.show()

    def _hold_bots(self, played: PlayedMatch) -> None:
        """Let the bots wait if one would choose at once: somebody wants to see the match as it is."""
        if self.bot_seats.is_asked(played):
            self.bot_seats.hold()

    def player(self, call: Call) -> None:
        """Let a bot, or a person, play a seat. Raises `RpcError` if there is no such bot."""
        bot = call.params.get("bot")
        self.bot_seats.seat(self._seat(call), bot if isinstance(bot, str) else None)
        self.show()

    def bots(self, call: Call) -> None:
        """Let the bots wait, or play on."""
        if call.params.get("wait") is True:
            self.bot_seats.hold()
        else:
            self.bot_seats.go_on()
        self.show()

    def account(self, call: Call) -> Any:
        return playing.accounts(self._current(), self._viewer(call))

    def at(self, call: Call) -> Json:
        """The position after some entries of a viewer."""
        played, viewer, seq = self._current(), self._viewer(call), call.number("seq")
        known = redacted(played.match, viewer)
        if not 0 <= seq <= len(known):
            raise refused("not-yet", "there is no such entry")
        past = PlayedMatch(played.rules, played.game, played.match, played.options)
        playing.go_back(past, viewer, seq)
        shown = [entry_json(played.match, known[seq - 1])] if seq else []
        return {"position": position(past.match, viewer, seq), "entries": shown}

    def _viewer(self, call: Call) -> int:
        viewer = call.number("viewer")
        if viewer not in playing.viewers(self._current()):
            raise RpcError(INVALID_PARAMS, "there is no such viewer")
        return viewer

    def _seat(self, call: Call) -> int:
        seat = call.number("seat")
        if not 0 <= seat < self._current().seats:
            raise RpcError(INVALID_PARAMS, "there is no such seat")
        return seat
