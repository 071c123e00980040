"""`rulewright check`: every mistake of a ruleset, and what is wrong with the game that it describes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from dsl.diagnostics import MOST_ERRORS, Diagnostic, Report, Severity
from dsl.render import as_json, lines, snippets
from dsl.wording import counted
from rulewright.editors.form import differences
from rulewright.examination import FAST_SECONDS, SECONDS, Checked, checked
from rulewright.pages.rendering import check_installed
from rulewright.processes.early_end import EarlyEnd
from rulewright.terminal.exit_codes import exit_code
from rulewright.terminal.output import activity, painted, tally
from rulewright.terminal.parameters import Real, page_option, write_text

FINDINGS = 1


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
@click.option("--fast", is_flag=True, help="Only what can be found without playing the game.")
@click.option(
    "--seconds",
    type=Real(min=0),
    default=None,
    show_default=f"{SECONDS:g}, with --fast {FAST_SECONDS:g}",
    help="Time limit for each game, of processor time, including reading it; skipped checks are listed.",
)
@click.option("--allowed", is_flag=True, help="Show the findings that the game allows, with their reasons.")
@page_option("Write a page with the phases, boards, tables and findings of one game.")
@click.option("--strict", is_flag=True, help="Warnings fail too, and files without their form.")
@click.pass_context
def check(
    ctx: click.Context,
    games: tuple[str, ...],
    form: str,
    fast: bool,
    seconds: float | None,
    allowed: bool,
    html: str | None,
    strict: bool,
) -> None:
    """Find what is wrong with a game.

    GAME is the name of a bundled game, or the path of a folder with a `game.yaml`. The ruleset is read,
    typed, and compiled for every number of seats. Then the game is examined: whether it can end, whether play
    can go round in circles, what is never reached or used, and what random matches run into. `rulewright
    explain CODE` says more about a code.

    A finding that is intended is allowed in `game.yaml`: `allow: [{finding: V304, about: turn, why: ...}]`.

    Exits with 1 if there are errors or there was no time for all checks; with --strict also if there are
    warnings or a file is not in the form of `rulewright format`.

    \b
    Examples:
      rulewright check my_game
      rulewright check . --format line --fast
      rulewright check my_game --html my_game.html
    """
    if seconds is not None and seconds != seconds:
        raise click.BadParameter("it must be a number", param_hint="--seconds")
    if html is not None and len(games) > 1:
        raise click.UsageError("a page shows one game: name one with --html")
    if html is not None:
        check_installed()
    end = EarlyEnd()
    results: list[Checked] = []
    with end.noted():
        for result in _each(games, fast, seconds):
            results.append(result)
            if result.examined.interrupted:
                raise KeyboardInterrupt
    diagnostics = [m for result in results for m in result.all]
    if strict:
        named = dict.fromkeys(game for game, _ in zip(games, results, strict=False))
        diagnostics += [found for game in named for found in differences(game)]
    _show(Report(diagnostics), form)
    _report_skipped(results, err=form != "snippet")
    if form != "json" and results:
        _summarise(results, diagnostics, allowed, err=form == "line")
    if end.early:
        _say_what_is_left(end, games, results)
    if html is not None and results:
        _write_page(html, results[0])
    unfinished = any(result.examined.left for result in results)
    failed = unfinished or any(strict or m.severity is Severity.ERROR for m in diagnostics)
    ctx.exit(exit_code(end, FINDINGS, FINDINGS if failed else 0))


def _each(games: Sequence[str], fast: bool, seconds: float | None) -> Iterator[Checked]:
    for number, game in enumerate(games, 1):
        which = f" ({number} of {len(games)})" if len(games) > 1 else ""
        with activity(f"checking {game}{which}") as told:
            yield checked(game, not fast, seconds, told)


def _say_what_is_left(end: EarlyEnd, games: Sequence[str], results: Sequence[Checked]) -> None:
    """Which games were not checked, as the work has ended early."""
    left = ", ".join(games[len(results) :])
    click.echo(f"{end.why}{f': {left} not checked' if left and results else ''}", err=True)


def _show(report: Report, form: str) -> None:
    if form == "json":
        click.echo(as_json(report))
    elif len(report):
        click.echo(lines(report) if form == "line" else painted(snippets(report)) + "\n")


def _report_skipped(results: Sequence[Checked], err: bool) -> None:
    for result in results:
        if result.examined.left:
            left = ", ".join(result.examined.left)
            why = "interrupted before" if result.examined.interrupted else "no time left for"
            more = "" if result.examined.interrupted else "; give more `--seconds`"
            click.echo(f"{result.name}: {why} {left}{more}", err=err)


def _summarise(
    results: Sequence[Checked], diagnostics: Sequence[Diagnostic], allowed: bool, err: bool
) -> None:
    """Prints which games were checked, and the allowed findings."""
    for result in results:
        for finding, why in result.examined.allowed if allowed else ():
            click.echo(f"{finding.span.place}: allowed: {finding.message} [{finding.code}]: {why}", err=err)
    permitted = sum(len(result.examined.allowed) for result in results)
    more = f", {counted(permitted, 'finding')} allowed" if permitted else ""
    if any(len(result.diagnostics) >= MOST_ERRORS for result in results):
        more += f"; what follows the first {MOST_ERRORS} of a game was not read"
    more += ", and not all was checked" if (left := any(result.examined.left for result in results)) else ""
    found = "nothing found" if left and not diagnostics else tally(diagnostics)
    click.echo(f"checked {', '.join(result.name for result in results)}: {found}{more}", err=err)


def _write_page(path: str, result: Checked) -> None:
    from rulewright.pages.report import page

    write_text(path, page(result.name, result.rules, result.diagnostics, result.examined))
