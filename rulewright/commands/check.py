"""`rulewright check`: every mistake of a ruleset, for every number of seats."""

from __future__ import annotations

import click

from dsl.diagnostics import Mistake, Report, Severity, Stop
from dsl.render import as_json, lines, snippets
from interpreter.compile.program import compile_rules
from rulewright.library import read_rules
from rulewright.terminal import painted, progress, tally


@click.command()
@click.argument("games", nargs=-1, required=True, metavar="GAME...")
@click.option(
    "--format",
    "form",
    type=click.Choice(["snippet", "line", "json"]),
    default="snippet",
    show_default=True,
    help="How mistakes are shown: with the source, one line each, or as JSON.",
)
@click.option("--strict", is_flag=True, help="Warnings fail too.")
@click.pass_context
def check(ctx: click.Context, games: tuple[str, ...], form: str, strict: bool) -> None:
    """Find the mistakes of a ruleset.

    GAME is the name of a bundled game, or the path of a folder with a `game.yaml`. The ruleset is read,
    typed, and compiled for every number of seats. `rulewright explain CODE` says more about a mistake.

    Exits with 1 if there are errors, with --strict also if there are warnings.

    \b
    Examples:
      rulewright check my_game
      rulewright check . --format line
    """
    found: list[Mistake] = []
    with progress("checking", len(games)) as done:
        for game in games:
            found.extend(check_game(game))
            done()
    _show(Report(found), form)
    if form != "json":
        click.echo(f"checked {', '.join(games)}: {tally(found)}", err=form == "line")
    ctx.exit(int(any(strict or m.severity is Severity.ERROR for m in found)))


def _show(report: Report, form: str) -> None:
    if form == "json":
        click.echo(as_json(report))
    elif len(report):
        click.echo(lines(report) if form == "line" else painted(snippets(report)) + "\n")


def check_game(name: str) -> Report:
    """All mistakes of a game, by name or path. Raises `Failed` if there is no such game."""
    report = Report()
    try:
        rules, warnings = read_rules(name)
    except Stop as stop:
        return stop.report
    for mistake in warnings:
        report.add(mistake)
    low, high = rules.seats
    for seats in range(low, high + 1):
        try:
            compile_rules(rules, seats)
        except Stop as stop:
            for mistake in stop.report:
                report.add(mistake)
    return report
