"""Somebody who clicks on nothing but what is seen, and the words that a page must not show."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

from playwright.sync_api import ElementHandle, Error

import rulewright
from rulewright.i18n.fluent import Pattern
from rulewright.i18n.messages import messages_in
from rulewright.presentation.description import describe
from tests.browser.end_to_end.hands import PATIENCE, Hands

SEEN = """(thing) => {
    const { left, top, width, height } = thing.getBoundingClientRect();
    for (const [i, j] of [5, 3, 7, 1, 9].flatMap((i) => [5, 3, 7, 1, 9].map((j) => [i, j]))) {
        const [x, y] = [left + width * i / 10, top + height * j / 10];
        if (thing.contains(document.elementFromPoint(x, y))) {
            return [x, y];
        }
    }
    return null;
}"""
"""A point of a thing that is seen, without scrolling; null if there is none."""

ARROW = """(thing) => {
    const { left, top, width, height } = thing.getBoundingClientRect();
    const [x, y] = [left + width / 2 - innerWidth / 2, top + height / 2 - innerHeight / 2];
    const upright = Math.abs(y) / innerHeight > Math.abs(x) / innerWidth;
    const ways = [y > 0 ? "down" : "up", x > 0 ? "right" : "left"];
    const all = upright ? ways : ways.toReversed();
    return all.map((way) => document.querySelector(`.out-of-sight .to-${way}`)).find(Boolean) ?? null;
}"""
"""The arrow that leads towards a thing; null if there is none."""

TEXTS = """() => {
    const found = [], own = document.documentElement.lang;
    const walk = (node) => {
        if (node.nodeType === Node.TEXT_NODE) {
            found.push(node.data);
        } else if (node instanceof Element && node.checkVisibility() && (node.lang || own) === own) {
            const said = ["aria-label", "aria-description", "title"];
            found.push(...said.map((name) => node.getAttribute(name) ?? ""));
            node.childNodes.forEach(walk);
        }
    };
    walk(document.body);
    return found.join("\\n");
}"""
"""What a page says in its own language, to the eye and to a screen reader."""

FILES = ("page", "table", "server")
"""The messages that a page at a server has."""

PATCHES = 60
"""So often an arrow may be pressed before what is wanted is in sight."""


class Eyes(Hands):
    """Clicks on what is seen; where something is out of sight, on the arrow that leads there."""

    arrows = 0
    """How often an arrow was pressed."""
    clicks = 0

    def touch(self, thing: ElementHandle, name: str) -> None:
        self.page.mouse.click(*self.seen_point(thing, name))
        self.clicks += 1

    def seen_point(self, thing: ElementHandle, name: str) -> list[float]:
        """A point of a thing, led to by arrows if need be. In a window one scrolls."""
        for _ in range(PATCHES):
            point: list[float] | None = thing.evaluate(SEEN)
            if point:
                return point
            if not thing.evaluate("(thing) => thing.isConnected"):
                raise Error("not attached")
            if thing.evaluate("(thing) => thing.closest('.details, .found') !== null"):
                return self.resting(thing, name)
            arrow = thing.evaluate_handle(ARROW).as_element()
            if arrow is not None:
                arrow.evaluate("(arrow) => arrow.click()")
                self.arrows += 1
            self.page.wait_for_timeout(40)
        raise AssertionError(f"{name!r} is out of sight, and no arrow leads there")

    def wait_for_change(self, before: dict[str, Any], what: str) -> None:
        """As others do; a press that is shown not to be taken, because somebody else was quicker, is over."""
        self.page.wait_for_function(
            """([seq]) => {
                const root = document.querySelector(".table-root");
                return Number(root?.dataset.seq ?? -1) !== seq || root.querySelector(".untaken, .notice")
                    || document.querySelector("dialog.cover[open], section.result");
            }""",
            arg=[before["seq"]],
            timeout=1000 * PATIENCE,
            polling=15,
        )
        now = self.seen()
        assert not now["notice"], f"{what}: {now['notice']}"


def words_of(texts: str) -> set[str]:
    """The words of a text of three letters and more."""
    return set(re.findall(r"[^\W\d_]{3,}", texts.lower()))


def spoken(pattern: Pattern) -> str:
    """All texts of a message."""
    if isinstance(pattern, str):
        return pattern
    parts = (part if isinstance(part, str) else _forms(part) for part in pattern)
    return " ".join(parts)


def _forms(variable: list[Any]) -> str:
    forms = variable[1] if len(variable) > 1 and isinstance(variable[1], dict) else {}
    return " ".join(spoken(form) for form in forms.values())


@cache
def page_words(tag: str) -> set[str]:
    """The words of all messages of the pages in a language."""
    patterns = (pattern for name in FILES for pattern in messages_in(tag, name).values())
    return {word for pattern in patterns for word in words_of(spoken(pattern))}


def foreign_words(name: str, tag: str, seats: int) -> set[str]:
    """The English words of a page that the page in another language has no use for; those of the game only
    if it speaks that language."""
    game = describe(rulewright.open_game(name, seats=seats))
    if tag not in game["languages"]:
        return page_words("en") - page_words(tag) - words_of(json.dumps(game).replace("_", " "))
    own = page_words(tag) | words_of(game["title"])
    english = set(page_words("en"))
    for part in ("labels", "helps", "clauses"):
        texts = {language: words_of(" ".join(told.values())) for language, told in game[part].items()}
        english |= texts.get("en", set()) if tag in texts else set()
        own |= texts.get(tag) or set().union(*texts.values())
    return english - own
