"""What helps with a word that is not the name of a seat, or of a team."""

from __future__ import annotations

from dsl import rules as r

TEAM = "team"


def seat_help(rules: r.Rules, seats: int, word: str) -> str:
    """The seats of a match; where a word is the name of a team, those of that team."""
    names = rules.types["seat"].names[:seats]
    if TEAM not in rules.types or word not in rules.types[TEAM].names:
        return f"the seats are {', '.join(names)}"
    team = rules.types[TEAM].names.index(word)
    members = [name for name, of in zip(names, rules.teams, strict=False) if of == team]
    return f"`{word}` is a team, and its seats are {', '.join(members)}: name a seat"


def team_help(rules: r.Rules, word: str) -> str:
    """The team of a seat, if a word is one; empty otherwise."""
    names = rules.types["seat"].names
    if TEAM not in rules.types or word not in names[: len(rules.teams)]:
        return ""
    return f"`{word}` is a seat: write its team, `{rules.types[TEAM].names[rules.teams[names.index(word)]]}`"
