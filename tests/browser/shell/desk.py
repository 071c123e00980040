"""The page of the shell over a made-up server: canned answers, and sockets that the test holds."""

from __future__ import annotations

import json
import mimetypes
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

from playwright.sync_api import Page, Request, Route, WebSocketRoute

from rulewright.bundling.messages import message_files

WEB = Path(__file__).parents[3] / "rulewright" / "web"
ORIGIN = "http://shell.test"
CSP = "default-src 'self'; connect-src 'self' ws://shell.test"
PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 5"><circle cx="4" cy="2.5" r="2"/></svg>'
STUB = """import { html } from "../html.js";
export function Table({ backend }) {
    const { words } = backend.position.value;
    if (words[0] === -1) {
        throw new Error("a table that fails");
    }
    return html`<p>${JSON.stringify(words)}</p>
        <button onClick=${() => backend.choose("roll").catch(() => {})}>choose roll</button>`;
}"""
"""In place of the table: these tests are about what is around it."""

GAME: dict[str, Any] = {
    "game": "pebbles",
    "title": "Pebbles",
    "seats": [2, 3],
    "languages": ["en"],
    "picture": "/api/games/pebbles/picture.svg",
    "seat_colours": {"colours": ["#112233", "#445566", "#778899"], "dark": [], "ink": []},
    "says": {"en": "Take the last pebble."},
    "tags": ["board"],
    "words": "pebbles kavics",
    "lengths": [[2, 20, 5], [3, 30, 8]],
    "weight": "light",
    "options": [
        {"name": "long", "values": ["on", "off"], "range": None, "default": "off", "clauses": ["§2"]},
        {"name": "size", "values": None, "range": [1, 9], "default": "5", "clauses": ["§3"]},
    ],
    "teams": [],
    "bots": ["easy", "medium", "hard", "random"],
    "usual_bot": "medium",
    "rulings": [
        {
            "name": "ties",
            "values": ["shared", "nobody"],
            "default": "shared",
            "readings": {"shared": "both have won", "nobody": "nobody has won"},
            "why": "it is friendlier",
            "clauses": ["§R1"],
        }
    ],
    "labels": {"en": {"long": "a long game", "ties": "who wins a tie", "size": "how large"}},
    "clauses": {"en": {"§2": "Length", "§3": "Size", "§R1": "Ties"}},
}
DESCRIPTION: dict[str, Any] = {
    "format": 1,
    "game": "pebbles",
    "title": "Pebbles",
    "seats": 2,
    "options": {},
    "languages": ["en"],
    "labels": {"en": {"main": "The game", "points": "points"}},
    "helps": {},
    "phases": ["main"],
    "scores": [{"name": "points", "kind": "score", "clauses": ["§4"]}],
    "seat_names": ["A", "B"],
    "zones": {},
    "variables": [],
    "scene": {"seats": GAME["seat_colours"]},
}
RULEBOOK = (
    "<style>p { color: red }</style><main><section id='do-it'><h2>Play</h2><p>Take a pebble. "
    "<a href='#clause-4'>§4</a> <a href='http://elsewhere.test'>out</a></p></section>"
    "<table><tr id='clause-4'><td>§4</td><td>Each pebble is a point.</td></tr></table></main>"
)


def match_json(**changes: Any) -> dict[str, Any]:
    """A match as the lobby tells it."""
    seats = [
        {"seat": 0, "kind": "person", "name": "Ann", "mine": True, "present": True},
        {"seat": 1, "kind": "open", "name": None, "mine": False, "present": False},
    ]
    made = {
        "match": "m1",
        "game": "pebbles",
        "title": "Pebbles",
        "options": {},
        "status": "open",
        "seats": seats,
        "seat_colours": GAME["seat_colours"],
    }
    return (
        made | {"clock": None, "waiting": False, "owner": True, "changed": "2026-11-22T20:00:00Z"} | changes
    )


def table_message(**changes: Any) -> dict[str, Any]:
    """The `table` message of a running match between Ann, who is the viewer, and Ben."""
    seats = [
        {"seat": 0, "kind": "person", "name": "Ann", "mine": True, "present": True},
        {"seat": 1, "kind": "person", "name": "Ben", "mine": False, "present": True},
    ]
    table = {
        "type": "table",
        "match": "m1",
        "game": "pebbles",
        "title": "Pebbles",
        "description": "d1",
        "seat": 0,
    }
    more = {
        "status": "running",
        "seats": seats,
        "watching": 0,
        "clocks": None,
        "proposals": [],
        "options": {},
    }
    return table | more | {"owner": True, "visibility": "invited", "rematch": None} | changes


def position_message(count: int, since: int = 0, **changes: Any) -> dict[str, Any]:
    """A `position` message with so many entries, those after `since` told."""
    position = {
        "seq": count,
        "seat": 0,
        "over": False,
        "winners": None,
        "phase": 0,
        "active": 0,
        "turns": True,
    }
    position |= {"together": False, "places": [], "words": [count], "waiting": [0], "decisions": []}
    position |= {"scores": [{"lines": [["points", n]], "total": n, "ties": []} for n in (3, 4)]}
    position |= {"undo": {"free": 0, "ask": 0, "why": "", "consent": []}}
    entries = [{"seat": 0, "words": f"take {n}", "events": []} for n in range(since, count)]
    told = {"type": "position", "version": count, "position": position | changes, "entries": entries}
    return told | {"since": since, "mark": f"mark {count}"}


@dataclass
class Desk:
    """A page at `http://shell.test` with what it has asked for."""

    page: Page
    answers: dict[str, Any] = field(default_factory=dict)
    asked: list[tuple[str, str, Any]] = field(default_factory=list)
    sockets: list[WebSocketRoute] = field(default_factory=list)
    heard: list[list[dict[str, Any]]] = field(default_factory=list)
    """What each socket was told, from the first one on."""
    on_message: Callable[[int, dict[str, Any]], None] | None = None

    def __post_init__(self) -> None:
        self.answers = {
            "/api/server": {"notices": [], "uploads": False},
            "/api/games": {"games": [GAME]},
            "/api/games/pebbles": GAME,
            "/api/matches": {"mine": [], "open": [], "watch": []},
            "/api/matches/m1": match_json(),
            "/api/descriptions/d1": DESCRIPTION,
        } | self.answers
        self.page.route(f"{ORIGIN}/**", self._answer)
        self.page.route_web_socket("ws://shell.test/**", self._connected)

    def open(self, path: str = "/") -> Page:
        """Goes to a path of the page."""
        self.page.goto(ORIGIN + path)
        return self.page

    def tell(self, message: dict[str, Any]) -> None:
        """Sends a message over the last socket."""
        self.sockets[-1].send(json.dumps(message))

    def requests(self, type_: str) -> list[dict[str, Any]]:
        """All messages of a type that any socket was told."""
        return [message for heard in self.heard for message in heard if message["type"] == type_]

    def _connected(self, socket: WebSocketRoute) -> None:
        number = len(self.sockets)
        self.sockets.append(socket)
        self.heard.append([])

        def hear(text: str | bytes) -> None:
            message = json.loads(text)
            self.heard[number].append(message)
            if self.on_message is not None:
                self.on_message(number, message)

        socket.on_message(hear)

    def _answer(self, route: Route, request: Request) -> None:
        path = urlparse(request.url).path
        if path.startswith("/api/"):
            self._answer_api(route, request, path)
            return
        file = path.removeprefix("/web/") if path.startswith("/web/") else "index.html"
        if file == "table/table.js":
            route.fulfill(body=STUB, content_type="text/javascript")
        elif file in message_files():
            route.fulfill(body=message_files()[file], content_type="application/json")
        elif (WEB / file).is_file():
            kind = (
                "text/javascript" if file.endswith(".js") else mimetypes.guess_type(file)[0] or "text/plain"
            )
            headers = {"Content-Security-Policy": CSP, "Content-Type": f"{kind}; charset=utf-8"}
            route.fulfill(body=(WEB / file).read_bytes(), headers=headers)
        else:
            route.fulfill(status=200, body="", content_type="text/css")

    def _answer_api(self, route: Route, request: Request, path: str) -> None:
        self.asked.append((request.method, path, request.post_data_json if request.post_data else None))
        answer = self.answers.get(f"{request.method} {path}", self.answers.get(path))
        if path.endswith(".svg"):
            route.fulfill(body=PICTURE, content_type="image/svg+xml")
        elif path.endswith("/rulebook"):
            route.fulfill(body=RULEBOOK, content_type="text/html")
        elif answer is None:
            route.fulfill(status=204, body="")
        else:
            route.fulfill(json=answer)


def until(page: Page, held: Callable[[], bool], most: int = 150) -> None:
    """Waits until something holds, at most some seconds."""
    for _ in range(most):
        if held():
            return
        page.wait_for_timeout(30)
    raise AssertionError("it has not happened")


def until_true(page: Page, expression: str) -> None:
    """Waits until an expression is true in the page. `wait_for_function` would need `eval`."""
    until(page, lambda: bool(page.evaluate(expression)))
