"""Documents about a game: its rulebook as a page that runs nothing, and its picture."""

from __future__ import annotations

import base64
import hashlib
import random
import re
from collections.abc import Mapping
from contextlib import suppress

from dsl import rules as r
from interpreter import ir
from interpreter.compile.program import compile_rules
from interpreter.game import ExecutorKind, Game
from interpreter.match import Match
from interpreter.messages import Fault
from interpreter.sights import SPECTATOR
from rulewright.layout.heart import heart_svg
from rulewright.presentation.position import position
from rulewright.rulebook.configured import configured_book
from rulewright.rulebook.html import html

STYLES = re.compile(r"<style>(.*?)</style>", re.DOTALL)
PICTURE_SEED, PICTURE_CHOICES = 1, 24


def rulebook(
    source: str, rules: r.Rules, seats: int | None, options: Mapping[str, str], lang: str | None
) -> str:
    """The rulebook of a game as HTML. Raises `DiagnosticError`."""
    return html(configured_book(source, rules, seats, options, lang))


def style_hashes(page: str) -> list[str]:
    """The hashes of the styles in a page, for its content security policy."""
    digests = (hashlib.sha256(style.encode()).digest() for style in STYLES.findall(page))
    return [f"sha256-{base64.b64encode(digest).decode()}" for digest in digests]


def picture(source: str, rules: r.Rules, executor: ExecutorKind = "wasm") -> str:
    """A picture of a game as spectators see it after some random choices. Raises `DiagnosticError`."""
    game = Game(rules, compile_rules(rules, None, {}), executor)
    match, chooser = Match(game, PICTURE_SEED).start(), random.Random(PICTURE_SEED)
    shown = position(match, SPECTATOR)
    with suppress(Fault):
        for _ in range(PICTURE_CHOICES):
            if match.over:
                break
            waiting = chooser.choice(match.waiting())
            match.take(waiting, chooser.choice(waiting.options))
            if not match.state[ir.FORKED]:
                shown = position(match, SPECTATOR)
    return heart_svg(game, shown)
