"""A page with nothing but the table, whose backend is a live match in this process."""

from __future__ import annotations

import json
import mimetypes
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlparse

from playwright.sync_api import Page, Route

import rulewright
from interpreter.game import Game
from interpreter.match import Match
from rulewright.bundling.messages import message_files
from rulewright.presentation.description import describe
from rulewright.presentation.position import entries, position
from rulewright.presentation.why_not import why_not_value

WEB = Path(__file__).parents[3] / "rulewright" / "web"
HERE = Path(__file__).parent
CSP = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:"


class Stage:
    """A match on a page at `http://table.test/`, seen by `seat`; other seats choose at random."""

    def __init__(
        self, page: Page, name: str | Game, seats: int | None = None, seat: int = 0, seed: int = 5
    ) -> None:
        self.page, self.seat, self.random = page, seat, Random(seed)
        game = rulewright.open_game(name, seats=seats) if isinstance(name, str) else name
        self.match = Match(game, seed=seed).start()
        self.description = describe(game)
        self.chosen: list[str] = []

    def play(self, number: int) -> Stage:
        """Makes random choices of all seats."""
        for _ in range(number):
            if self.match.over:
                break
            decision = self.random.choice(self.match.decisions())
            self.match.take(decision.waiting, self.random.choice(decision.choices).option)
        return self

    def play_until_asked(self, most: int = 400) -> Stage:
        """Lets the other seats choose until the own seat is asked."""
        for _ in range(most):
            asked = None if self.match.over else self.match.decisions()
            if not asked or any(decision.waiting.seat == self.seat for decision in asked):
                break
            self.play(1)
        return self

    def play_until(self, name: str, most: int = 400) -> Stage:
        """Makes random choices until a decision of this name is waiting; it becomes that of the own seat."""
        for _ in range(most):
            for decision in self.match.decisions():
                if decision.name == name:
                    self.seat = decision.waiting.seat
                    return self
            self.play(1)
        raise AssertionError(f"nobody was asked for {name}")

    def open(self, query: str = "") -> Stage:
        """Shows the table; afterwards `show` brings it up to date."""
        self.page.set_default_timeout(20_000)
        self.page.route("http://table.test/**", _serve)
        for name in ("choose", "why", "undo", "state"):
            self.page.expose_function(f"stage_{name}", getattr(self, f"_{name}"))
        self.page.goto(f"http://table.test/stage/index.html?{query}")
        self.page.wait_for_selector(".table-root")
        return self

    def show(self) -> None:
        self.page.evaluate("window.refresh()")

    @property
    def position(self) -> dict[str, Any]:
        return position(self.match, self.seat)

    # ---- what the page calls

    def _state(self, since: int) -> str:
        found = {"position": self.position, "entries": entries(self.match, self.seat, since)}
        return json.dumps(found | ({} if since else {"description": self.description}))

    def _choose(self, words: str) -> str:
        self.chosen.append(words)
        self.match.choose(self.match.game.names.seat(self.seat), words)
        self.play_until_asked()
        return "{}"

    def _why(self, action: str | None, value: list[Any] | None) -> str:
        return json.dumps(why_not_value(self.match, self.seat, action, value))

    def _undo(self, number: int) -> str:
        self.match.undo(number=number)
        return "{}"


def _serve(route: Route) -> None:
    path = urlparse(route.request.url).path.lstrip("/")
    file = HERE / path.removeprefix("stage/") if path.startswith("stage/") else WEB / path
    if path in message_files():
        route.fulfill(body=message_files()[path], content_type="application/json")
        return
    if not file.is_file():
        route.fulfill(status=404, body="")
        return
    kind = mimetypes.guess_type(file.name)[0] or "text/plain"
    route.fulfill(body=file.read_bytes(), content_type=kind, headers={"content-security-policy": CSP})
