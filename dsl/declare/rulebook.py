"""The rulebook: its texts and its clauses."""

from __future__ import annotations

import re
from typing import cast, get_args

from dsl.declare.entry import Entry, entry
from dsl.declare.nodes import interval, mapping, number, word
from dsl.declare.world import World
from dsl.diagnostics import Failed, did_you_mean
from dsl.document import Mapping, Node, Scalar, Sequence
from dsl.messages.names import UnknownName
from dsl.messages.shapes import WrongShape
from dsl.rules import Clause, ClauseKind, Duty, Text
from dsl.wording import shortened

HEADER = ("title", "publisher", "language")
TEXT = ("language", "title", "fingerprints")
CLAUSE = ("heading", "kind", "section", "page", "says", "why", "at", "excluded", "numbers")
KINDS = get_args(ClauseKind)
DUTIES = get_args(Duty)
FINGERPRINT = re.compile(r"[0-9a-f]{8}-[0-9a-f]{8}")
MOST_SENTENCES = 20_000


def read_rulebook(world: World, node: Node) -> None:
    """The rulebook file, into the world. Raises `Failed` if it has no clauses at all."""
    found = entry(world, node, "the rulebook file", ("rulebook", "texts", "clauses"))
    pairs = mapping(found.needed("clauses"), "`clauses`").pairs
    if found.has("rulebook"):
        world.attempt(_header, world, found.needed("rulebook"))
    if found.has("texts"):
        world.attempt(_texts, world, found.needed("texts"))
    world.clauses = {key.text: _bare(key) for key, _ in pairs}
    for key, value in pairs:
        world.clauses[key.text] = world.attempt(_clause, world, key, value) or world.clauses[key.text]


def _header(world: World, node: Node) -> None:
    found = entry(world, node, "`rulebook`", HEADER)
    for key in HEADER:
        found.text(key)


# ---- texts


def _texts(world: World, node: Node) -> None:
    for key, value in mapping(node, "`texts`").pairs:
        text = world.attempt(_text, world, key, value)
        if text is not None:
            world.texts[key.text] = text


def _text(world: World, key: Scalar, node: Node) -> Text:
    found = entry(world, node, f"text `{key.text}`", TEXT)
    language = found.word("language")
    if not re.fullmatch(r"[a-z]{2,3}", language.text):
        raise Failed(WrongShape(language.span, found.of("language"), "a code such as `hu` or `en`"))
    return Text(key.text, language.text, found.line("title") or "", _fingerprints(found), key.span)


def _fingerprints(found: Entry) -> tuple[str, ...]:
    marks = tuple((found.text("fingerprints") or "").split())
    for mark in marks:
        if not FINGERPRINT.fullmatch(mark):
            hint = "`rulewright locate` prints them"
            span = found.needed("fingerprints").span
            wanted = f"fingerprints like `1a2b3c4d-5e6f7a8b`, which `{shortened(mark)}` is not"
            raise Failed(WrongShape(span, found.of("fingerprints"), wanted, hint))
    return marks


# ---- clauses


def _bare(key: Scalar) -> Clause:
    return Clause(key.text, "rule", "", "", key.span)


def _clause(world: World, key: Scalar, node: Node) -> Clause:
    if not key.text.startswith("§"):
        raise Failed(WrongShape(key.span, "a clause mark", "like `§4.3`"))
    found = entry(world, node, f"clause `{key.text}`", CLAUSE)
    return Clause(
        key.text,
        cast(ClauseKind, found.one_of("kind", KINDS) or "rule"),
        found.line("heading") or "",
        found.text("says") or "",
        key.span,
        why=found.text("why") or "",
        section=found.line("section") or "",
        page=found.line("page") or "",
        at=_places(world, found),
        excluded=_excluded(found),
        numbers=_numbers(found),
    )


def _places(world: World, found: Entry) -> dict[str, tuple[int, ...]]:
    """`at: {hu: [57..58, 61]}`: the sentences, by text."""
    if not found.has("at"):
        return {}
    places: dict[str, tuple[int, ...]] = {}
    for key, value in mapping(found.needed("at"), found.of("at")).pairs:
        if key.text not in world.texts:
            hint = did_you_mean(key.text, world.texts) or "list it under `texts` of the rulebook file"
            raise Failed(UnknownName(key.span, key.text, "text", hint))
        places[key.text] = _sentences(found, value, world.texts[key.text])
    return places


def _sentences(found: Entry, node: Node, text: Text) -> tuple[int, ...]:
    items = node.items if isinstance(node, Sequence) else (node,)
    numbers: dict[int, None] = {}
    for item in items:
        low, high = interval(item, found.of("at"))
        most = len(text.fingerprints) or MOST_SENTENCES
        if not 1 <= low <= high <= most:
            wanted = f"within 1..{most}, the sentences of text `{text.name}`"
            raise Failed(WrongShape(item.span, found.of("at"), wanted))
        numbers.update(dict.fromkeys(range(low, high + 1)))
    return tuple(numbers)


def _excluded(found: Entry) -> dict[Duty, str]:
    """`excluded: reason`, of everything that is asked of a clause; or `excluded: {asserted: reason}`."""
    if not found.has("excluded"):
        return {}
    node = found.needed("excluded")
    if not isinstance(node, Mapping):
        return dict.fromkeys(DUTIES, _reason(node, found.of("excluded")))
    kept = entry(found.world, node, found.of("excluded"), DUTIES)
    return {duty: _reason(kept.needed(duty), kept.of(duty)) for duty in DUTIES if kept.has(duty)}


def _reason(node: Node, where: str) -> str:
    reason = word(node, where, "a reason")
    if not reason.text.strip():
        raise Failed(WrongShape(reason.span, where, "a reason"))
    return reason.text


def _numbers(found: Entry) -> dict[int, str]:
    """`numbers: {3: why it need not stand in the rules}`."""
    if not found.has("numbers"):
        return {}
    reasons: dict[int, str] = {}
    for key, value in mapping(found.needed("numbers"), found.of("numbers")).pairs:
        reasons[number(key, found.of("numbers"))] = _reason(value, found.of("numbers"))
    return reasons


# ---- labels
