"""Documents about a game: its rulebook as a page that runs nothing, and its picture."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping
from xml.sax.saxutils import escape

from dsl import rules as r
from interpreter.compile.program import configure
from rulewright.commands.rules import lexicon_of
from rulewright.layout.board_svg import board_svg
from rulewright.rulebook.book import write_book
from rulewright.rulebook.document import Book
from rulewright.rulebook.html import html
from rulewright.rulebook.partial_eval import Configuration

STYLES = re.compile(r"<style>(.*?)</style>", re.DOTALL)
WIDTH, HEIGHT = 320, 200


def book(
    source: str, rules: r.Rules, seats: int | None, options: Mapping[str, str], lang: str | None
) -> Book:
    """The rulebook of a game for a configuration. Raises `DiagnosticError`."""
    lexicon = lexicon_of(source, rules, lang)
    _, chosen = configure(rules, seats, options)
    kept = frozenset(lexicon.nouns) & frozenset(rules.constants)
    return write_book(lexicon, Configuration(rules, seats, chosen, kept))


def rulebook(
    source: str, rules: r.Rules, seats: int | None, options: Mapping[str, str], lang: str | None
) -> str:
    """The rulebook of a game as HTML. Raises `DiagnosticError`."""
    return html(book(source, rules, seats, options, lang))


def style_hashes(page: str) -> list[str]:
    """The hashes of the styles in a page, for its content security policy."""
    digests = (hashlib.sha256(style.encode()).digest() for style in STYLES.findall(page))
    return [f"sha256-{base64.b64encode(digest).decode()}" for digest in digests]


def picture(source: str, rules: r.Rules) -> str:
    """A picture of a game's largest board as SVG; of its title, if it has none."""
    boards = [decl for decl in rules.types.values() if decl.links or len(decl.sides) == 2]
    if not boards:
        return _title_picture(rules.title)
    return board_svg(max(boards, key=lambda decl: len(decl.names)), rules.seats[0])


def _title_picture(title: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#eef1f4"/>'
        f'<text x="{WIDTH // 2}" y="{HEIGHT // 2 + 8}" text-anchor="middle" font-size="24" '
        f'font-family="serif" fill="#24292f">{escape(title)}</text></svg>'
    )
