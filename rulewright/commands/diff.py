"""`rulewright diff`: what changed between two versions of a ruleset, and how it affects saved matches."""

from __future__ import annotations

from collections.abc import Sequence

import click

from dsl.diagnostics import ErrorsReported
from dsl.load import load
from rulewright.commands.diff_text import matches_report, report
from rulewright.pages.rendering import check_installed
from rulewright.terminal.output import activity, complain, echo_json, progress
from rulewright.terminal.parameters import jobs_option, json_option, page_option, write_text
from rulewright.versions.logs import Judged, find_logs, judge_all
from rulewright.versions.objects import comparison_object
from rulewright.versions.revisions import open_version
from validators.diff.compare import Comparison, compare

CHANGES, ERRORS = 1, 2
MOST_JOBS = 256


@click.command(short_help="Show what changed between two versions of a ruleset.")
@click.argument("old")
@click.argument("new")
@click.option("--logs", metavar="DIR", help="Replay every saved match in a folder, and report differences.")
@click.option(
    "--by",
    type=click.Choice(["section", "clause"]),
    default="section",
    show_default=True,
    help="Group by what a player would notice, or by the clauses of the rulebook.",
)
@page_option("Write a page for a browser.")
@jobs_option(MOST_JOBS, "How many processes play logs again.")
@json_option
@click.pass_context
def diff(
    ctx: click.Context,
    old: str,
    new: str,
    logs: str | None,
    by: str,
    html: str | None,
    jobs: int,
    as_json: bool,
) -> None:
    """Show what changed between two versions of a ruleset: in meaning, not in text.

    OLD and NEW are games by name, folders, or folders as they were at a revision of their git repository:
    `PATH@REVISION`. Comments, spacing, the order of declarations and the names of local variables make no
    difference. With --logs, each saved match is played again under both versions: it is unaffected, plays
    on but differs, or diverges, and the first step at which it does so is shown.

    Exits with 0 if nothing changed in meaning, 1 if something did, 2 if it could not be said.

    \b
    Examples:
      rulewright diff my_game@HEAD my_game
      rulewright diff my_game@v1.0 my_game@v1.1 --by clause
      rulewright diff old_folder new_folder --logs matches --jobs 4
    """
    if html is not None:
        check_installed()
    paths = find_logs(logs) if logs is not None else None
    versions = open_version(old), open_version(new)
    try:
        with activity(f"comparing {old} with {new}"):
            comparison = compare(load(versions[0])[0], load(versions[1])[0])
    except ErrorsReported as stop:
        complain(list(stop.report))
        ctx.exit(ERRORS)
    judged: list[Judged] | None = None
    if logs is not None and paths is not None:
        with progress("playing logs", len(paths)) as done:
            judged = judge_all(logs, paths, versions, comparison, jobs, done)
    names = versions[0].name, versions[1].name
    if html is not None:
        _write_page(html, comparison, names, judged)
    _show(comparison, names, by, judged, as_json)
    ctx.exit(0 if comparison.same else CHANGES)


def _show(
    comparison: Comparison, names: tuple[str, str], by: str, judged: Sequence[Judged] | None, as_json: bool
) -> None:
    if as_json:
        found = comparison_object(comparison, names, judged)
        echo_json(found)
        return
    click.echo("\n".join(report(comparison, names, by)))
    if judged is not None:
        click.echo("\n" + "\n".join(matches_report(judged)))


def _write_page(
    path: str, comparison: Comparison, names: tuple[str, str], judged: Sequence[Judged] | None
) -> None:
    from rulewright.pages.versions import page

    write_text(path, page(comparison, names, judged))
