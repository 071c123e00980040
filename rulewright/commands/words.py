"""`rulewright words`: the words that a game's scenarios are written with."""

from __future__ import annotations

from dataclasses import asdict

import click

from rulewright.library import open_game
from rulewright.terminal.output import activity, echo_json
from rulewright.terminal.parameters import json_option, set_up_options, settings
from validators.scenarios.words import SECONDS, Section, words_of

FINDINGS = 1
"""The exit code where choices are not complete."""
WIDEST = 48
"""The largest width of the column of forms."""


@click.command(short_help="List the words that a game's scenarios are written with.")
@click.argument("game")
@set_up_options
@json_option
@click.pass_context
def words(ctx: click.Context, game: str, seats: int | None, options: tuple[str, ...], as_json: bool) -> None:
    """List the words that a game's scenarios are written with.

    Steps and phases, addresses of places and counters, outcomes of chance, decisions with their choices,
    values of the rules, lines of the account; each with an example. SEAT and other words in capitals stand
    for a value. Choices are those of some random matches; where these take too long, that is said, and the
    exit code is 1.

    \b
    Examples:
      rulewright words GAME
      rulewright words GAME --seats 4 --option NAME=VALUE
    """
    with activity(f"reading {game}") as told:
        opened = open_game(game, seats, settings(options), executor="wasm")
        told("some random matches")
        found = words_of(opened)
    if as_json:
        echo_json([asdict(section) for section in found.sections])
    else:
        click.echo("\n".join(_section_text(section) for section in found.sections))
    if not found.complete:
        why = f"choices are not complete: random matches took more than {SECONDS:g} seconds"
        click.echo(f"{game}: {why}", err=True)
        ctx.exit(FINDINGS)


def _section_text(section: Section) -> str:
    head = f"{click.style(section.title, bold=True)} ({section.key})"
    width = max((len(e.form) for e in section.entries if len(e.form) <= WIDEST), default=0)
    lines = [f"  {entry.form:<{width}}   {entry.example}" for entry in section.entries]
    return "\n".join([head, *lines, ""])
