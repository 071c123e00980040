"""What people find a game by: words in all languages, players, kinds, how long and how heavy it is."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Any

from dsl import rules as r
from rulewright.i18n.messages import languages, messages_in
from rulewright.measures import Measures

APOSTROPHES = re.compile(r"['\u2019]")
MOST_WORDS = 4_000
"""The most characters that are searched; more are left out."""


def folded(text: str) -> str:
    """A text as it is searched: without accents, case, apostrophes and other signs, words apart by a blank.

    `folded` of `web/shell/game_search.js` does the same.
    """
    plain = unicodedata.normalize("NFD", APOSTROPHES.sub("", text.lower()))
    letters = (c if c.isalnum() else " " for c in plain if not unicodedata.combining(c))
    return " ".join("".join(letters).split())


def search_text(rules: r.Rules) -> str:
    """All that a game can be found by, folded, in every language.

    The title, other names, the lines that say what it is, its kinds, what its components are called.
    """
    return " ".join(dict.fromkeys(filter(None, map(folded, _texts(rules)))))[:MOST_WORDS]


def _texts(rules: r.Rules) -> Iterator[str]:
    yield from (rules.title, rules.name)
    for names in rules.about.names.values():
        yield from names
    for tag in rules.about.tags:
        yield tag
        for language in languages():
            yield str(messages_in(language, "server")[f"tag-{tag}"])
    yield from rules.about.says.values()
    for language in rules.languages:
        labels = rules.in_language(language).labels
        yield from (labels[name] for name in (*rules.components, *rules.types) if name in labels)


def matches_words(words: str, text: str) -> bool:
    """Whether every word that is sought begins a word of a search text."""
    return all(f" {word}" in f" {text}" for word in folded(words).split())


def finding_json(rules: r.Rules, measured: Measures | None) -> dict[str, Any]:
    """What lists of games have of one: `says` by language, `tags`, `words`, and what was measured."""
    found: dict[str, Any] = {
        "says": dict(rules.about.says),
        "tags": list(rules.about.tags),
        "words": search_text(rules),
        "lengths": [],
        "weight": None,
    }
    if measured is not None:
        shown = rules.seat_counts if measured.has_lengths else ()
        lengths = (measured.length(seats) for seats in shown)
        found["lengths"] = [[one.seats, one.decisions, one.minutes] for one in lengths]
        found["weight"] = measured.weight
    return found
