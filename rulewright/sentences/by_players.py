"""Numbers of declarations that depend on how many play: `2 for each player`, `11 with 2 players …`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from dsl import rules as r
from rulewright.sentences.context import BookContext
from rulewright.sentences.english import counted

T = TypeVar("T")


def by_players(ctx: BookContext, read: Callable[[r.Rules], T]) -> dict[int, T]:
    """What a declaration says, for each number of players that the book covers."""
    config = ctx.folding.config
    chosen = dict(config.options)
    return {n: read(ctx.rules.configured(n, chosen)) for n in config.counts}


def players(ctx: BookContext, number: int) -> str:
    if ctx.grammar is not None:
        return ctx.grammar.counted(number, ctx.lexicon.player.one)
    return counted(number, ctx.lexicon.player.one, ctx.lexicon.player.many)


def varies(found: Mapping[int, T]) -> bool:
    return any(value != next(iter(found.values())) for value in found.values())


def amount(ctx: BookContext, found: Mapping[int, int], what: str = "") -> str:
    """A number by how many play, with what it counts: `4 coins`, `2 coins for each player`."""
    counts = list(found)
    first = found[counts[0]]
    each = (found[counts[-1]] - first) // (counts[-1] - counts[0]) if len(counts) > 1 else 0
    more = first - each * counts[0]
    if not varies(found):
        return _of(ctx, first, what)
    if each > 0 <= more and all(number == each * n + more for n, number in found.items()):
        said = ctx.say("for-each-counted", amount=_of(ctx, each, what), player=ctx.lexicon.player.one)
        return ctx.say("and-more", amount=said, more=more) if more else said
    return told(ctx, {n: _of(ctx, number, what) for n, number in found.items()})


def told(ctx: BookContext, found: Mapping[int, str]) -> str:
    """A text by how many play: `0 to 4 with 2 or 3 players and 0 to 6 with 4 players`, or the one text."""
    if not varies(found):
        return next(iter(found.values()))
    return ctx.listed([ctx.say("text-with", text=text, who=who) for text, who in by_text(ctx, found).items()])


def by_text(ctx: BookContext, found: Mapping[int, str]) -> dict[str, str]:
    """For each text with how many players it holds: `2 or 3 players`."""
    counts: dict[str, list[int]] = {}
    for n, text in found.items():
        counts.setdefault(text, []).append(n)
    return {
        text: ctx.listed([*map(str, some[:-1]), players(ctx, some[-1])], "or")
        for text, some in counts.items()
    }


def _of(ctx: BookContext, number: int, what: str) -> str:
    if ctx.grammar is not None and what:
        return ctx.grammar.counted(number, what)
    return f"{number} {what}".strip()
