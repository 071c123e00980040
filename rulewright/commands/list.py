"""`rulewright list`: the games with their seats, options and rulings."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from textwrap import wrap

import click

from dsl import rules as r
from dsl.diagnostics import Diagnostic, ErrorsReported
from dsl.domains import FlagType, IntType, SetType
from dsl.option_sets import size_text
from dsl.wording import plural
from rulewright.library import bundled, read_rules
from rulewright.measures import WEIGHTS, Measures, measures_of
from rulewright.presentation.game_search import finding_json, matches_words, search_text
from rulewright.presentation.option_sets import sets_json
from rulewright.provenance import provenance_json, provenance_lines
from rulewright.terminal.output import activity, complain, echo_json
from rulewright.terminal.parameters import json_option


@click.command("list", short_help="List the bundled games.")
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option("--players", type=click.IntRange(1), metavar="N", help="Only games that so many can play.")
@click.option(
    "--tag",
    "tags",
    multiple=True,
    type=click.Choice(r.TAGS),
    metavar="TAG",
    help="Only games of this kind, such as `cards`; may be repeated.",
)
@click.option("--weight", type=click.Choice([name for name, _ in WEIGHTS]), help="Only games so heavy.")
@click.option("--minutes", type=click.IntRange(1), metavar="N", help="Only games of at most so many minutes.")
@click.option(
    "--search",
    "words",
    default="",
    metavar="WORDS",
    help="Only games with these words in their names, kinds or lines, in any language.",
)
@json_option
@click.pass_context
def list_games(
    ctx: click.Context,
    games: tuple[str, ...],
    players: int | None,
    tags: tuple[str, ...],
    weight: str | None,
    minutes: int | None,
    words: str,
    as_json: bool,
) -> None:
    """List the bundled games: what they are, for whom and how long, with their options and rulings.

    An option is a variant or a number that can be set. A ruling is a place where the rulebook can be read
    in more than one way: the reading that is chosen is marked with *, the others can be switched on.

    \b
    Examples:
      rulewright list
      rulewright list GAME
      rulewright list --players 2 --tag cards
      rulewright list --search sakk
      rulewright list --json
    """
    with activity("reading games") as told:
        read = dict(_read(games or bundled(), told))
    sought = Sought(players, frozenset(tags), weight, minutes, words)
    found = {
        name: one
        for name, one in read.items()
        if isinstance(one, list) or sought.fits(one, measured(name, one))
    }
    if as_json:
        objects = [_object(name, rules) for name, rules in found.items() if isinstance(rules, r.Rules)]
        echo_json(objects)
    else:
        texts = (_text(name, rules) for name, rules in found.items() if isinstance(rules, r.Rules))
        click.echo("\n\n".join(texts) or f"none of the {len(read)} games fits")
    broken = [m for rules in found.values() if isinstance(rules, list) for m in rules]
    if broken:
        complain(broken)
        ctx.exit(1)


@dataclass(frozen=True, slots=True)
class Sought:
    """What games must be; None, none and empty stand for anything. What was not measured fits no measure."""

    players: int | None = None
    tags: frozenset[str] = frozenset()
    weight: str | None = None
    minutes: int | None = None
    words: str = ""

    def fits(self, rules: r.Rules, measures: Measures | None) -> bool:
        """Whether a game is what is sought."""
        if self.players is not None and self.players not in rules.seat_counts:
            return False
        if not self.tags <= set(rules.about.tags) or not matches_words(self.words, search_text(rules)):
            return False
        if self.weight is None and self.minutes is None:
            return True
        if measures is None or (self.weight is not None and measures.weight != self.weight):
            return False
        if self.minutes is not None and not measures.has_lengths:
            return False
        return (
            self.minutes is None
            or measures.length(self.players or rules.seat_counts[0]).minutes <= self.minutes
        )


def measured(name: str, rules: r.Rules) -> Measures | None:
    """What was measured of a bundled game."""
    return measures_of(name, rules.digest) if name in bundled() else None


def _read(
    names: tuple[str, ...], told: Callable[[str], None]
) -> Iterator[tuple[str, r.Rules | list[Diagnostic]]]:
    """The rules or the errors of each game. Raises `DiagnosticError` if a game does not exist."""
    for name in names:
        told(name)
        try:
            yield name, read_rules(name)[0]
        except ErrorsReported as stop:
            yield name, list(stop.report)


def seats_text(rules: r.Rules) -> str:
    """`1 seat`, `2 to 4 seats`"""
    counts = rules.seat_counts
    return plural(counts[0], "seat") if len(counts) == 1 else f"{rules.played_by} seats"


# ---- text


def _text(name: str, rules: r.Rules) -> str:
    head = click.style(name, bold=True)
    measures = _measures_text(rules, measured(name, rules))
    lines = [f"{head}  {rules.title}, {seats_text(rules)}{measures}"]
    said = rules.about.says.get("en") or next(iter(rules.about.says.values()), "")
    lines.extend(_wrapped(f"  {said}", 4) if said else ())
    lines.extend([f"  {', '.join(rules.about.tags)}"] if rules.about.tags else ())
    for said in provenance_lines(rules):
        lines.extend(_wrapped(f"  {said}", 4))
    for option in rules.options.values():
        lines.extend(_option_lines(option))
    return "\n".join(lines)


def _measures_text(rules: r.Rules, measures: Measures | None) -> str:
    """`, about 12 to 30 minutes, medium`"""
    if measures is None:
        return ""
    if not measures.has_lengths:
        return f", {measures.weight}"
    minutes = list(dict.fromkeys(measures.length(seats).minutes for seats in rules.seats))
    text = " to ".join(map(str, sorted(minutes)))
    return f", about {text} {'minute' if text == '1' else 'minutes'}, {measures.weight}"


def _option_lines(option: r.Option) -> Iterator[str]:
    clauses = " ".join(option.clauses)
    if not option.readings:
        yield f"  {option.name}: {_values(option)}, default {default_of(option)}  {clauses}".rstrip()
        return
    yield f"  {option.name} (ruling)  {clauses}".rstrip()
    for i, (reading, says) in enumerate(option.readings.items()):
        mark = "*" if i == option.default else " "
        yield from _wrapped(f"   {mark} {reading}: {says}", 8)
    yield from _wrapped(f"     because {option.why}", 8)


def _wrapped(text: str, indent: int) -> list[str]:
    width = min(100, shutil.get_terminal_size().columns)
    return wrap(text, max(40, width), subsequent_indent=" " * indent)


def _values(option: r.Option) -> str:
    match option.type:
        case FlagType():
            return "on or off"
        case IntType(lo, hi):
            return f"{lo}..{hi}"
        case SetType():
            return f"{sizes_of(option)} of {', '.join(option.values)}"
    return " or ".join(option.values)


def sizes_of(option: r.Option) -> str:
    """How many values a set has: `6`, `0 to 3`, or `4 to 6, by the number of seats`."""
    sets = option.sets.values()
    bounds = replace(
        option.sets[max(option.sets)], least=min(s.least for s in sets), most=max(s.most for s in sets)
    )
    return size_text(bounds) + (", by the number of seats," if len({size_text(s) for s in sets}) > 1 else "")


def default_of(option: r.Option) -> str:
    """The default value, as written after `--option NAME=`."""
    if isinstance(option.type, FlagType):
        return "on" if option.default else "off"
    return option.text(option.default)


# ---- JSON


def _object(name: str, rules: r.Rules) -> dict[str, object]:
    return {
        "name": name,
        "title": rules.title,
        "seats": {"fewest": rules.seats[0], "most": rules.seats[1], "numbers": list(rules.seat_counts)},
        **finding_json(rules, measured(name, rules)),
        "provenance": provenance_json(rules),
        "options": [_option(option) for option in rules.options.values()],
    }


def _option(option: r.Option) -> dict[str, object]:
    found: dict[str, object] = {
        "name": option.name,
        "kind": "ruling" if option.readings else "option",
        "default": default_of(option),
        "clauses": list(option.clauses),
    }
    match option.type:
        case FlagType():
            found["values"] = ["on", "off"]
        case IntType(lo, hi):
            found["range"] = [lo, hi]
        case SetType():
            found |= {"values": list(option.values), "sets": sets_json(option)}
        case _:
            found["values"] = list(option.values)
    if option.readings:
        found |= {"readings": option.readings, "why": option.why}
    return found
