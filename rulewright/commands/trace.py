"""`rulewright trace`: which lines render each clause of the rulebook, and which scenarios test it."""

from __future__ import annotations

from collections.abc import Sequence

import click

from dsl.diagnostics import DiagnosticError, Report, did_you_mean
from dsl.folder import LARGEST_FILE
from dsl.load import load_for_questions
from dsl.messages import UnknownClause
from dsl.render import snippets
from dsl.rules import Duty, Rules
from dsl.source import NOWHERE
from dsl.wording import counted
from rulewright.files.reading import read_source
from rulewright.library import find, folder, scenario_sources
from rulewright.pages.rendering import check_installed
from rulewright.pages.trace import page
from rulewright.terminal.output import activity, diagnostic_objects, echo_json, painted, progress
from rulewright.terminal.parameters import Whole, json_option, page_option, write_text
from validators.scenarios.reading import read_scenarios
from validators.trace.accounts import Account, account_of
from validators.trace.clause_row import ASKED, ClauseRow
from validators.trace.executed import watch
from validators.trace.sites import RuleSite
from validators.trace.texts import text_named
from validators.trace.trace import Traced, trace as traced

DUTIES: tuple[Duty, ...] = ("rendered", "executed", "asserted")
PLAYOUTS = 1000
MOST_SITES = 3


@click.command(short_help="Show which lines render each clause of the rulebook.")
@click.argument("game")
@click.option(
    "--text",
    "files",
    multiple=True,
    metavar="[NAME=]FILE",
    help="A text of the rulebook, to account for its sentences; may be repeated for translations.",
)
@click.option(
    "--playouts",
    type=Whole(0, 1_000_000),
    default=PLAYOUTS,
    show_default=True,
    help="Random matches, shared among the numbers of seats.",
)
@click.option(
    "--seed", type=Whole(0, 2**255), default=0, show_default=True, help="Seed of the first playout."
)
@click.option("--clause", "mark", metavar="ID", help="Only this clause, with its lines and scenarios.")
@page_option("Write a page: clauses, rules and scenarios side by side.")
@json_option
@click.pass_context
def trace(
    ctx: click.Context,
    game: str,
    files: tuple[str, ...],
    playouts: int,
    seed: int,
    mark: str | None,
    html: str | None,
    as_json: bool,
) -> None:
    """Show which lines render each clause of the rulebook, and what would detect a mistake.

    For each clause: the declarations and lines that cite it, in how many random playouts and scenarios they
    were executed, and which scenarios assert it: those that cite it, hold, and reach one of its lines.
    Rules need all three, unless `rulebook.yaml` excludes them with a reason.

    With --text, each sentence of the rulebook is accounted for as well: claimed by a clause, changed, moved
    or gone since it was located; and its numbers are compared with those of the rules.

    Exits with 1 if something is missing.

    \b
    Examples:
      rulewright trace my_game
      rulewright trace my_game --text rules.hu.txt --html trace.html
      rulewright trace my_game --clause §4.1
    """
    if html is not None:
        check_installed()
    with activity("reading the rules"):
        rules, _, questions = load_for_questions(folder(find(game)))
        accounts = [_account(rules, file) for file in files]
        scenarios = [s for source in scenario_sources(find(game)) for s in read_scenarios(source, rules)]
    steps = len(scenarios) + len(rules.seat_counts)
    with progress("playing", steps) as tick:
        watched = watch(rules, questions, scenarios, playouts, seed, tick)
    with activity("tracing"):
        found = traced(rules, watched, accounts)
    rows = _selected_rows(found, mark)
    if html is not None:
        write_text(html, page(found))
    if as_json:
        echo_json(_object(found, rows))
    elif mark is not None:
        _show_one(found, rows[0])
    else:
        _show(found)
    ctx.exit(int(bool(found.findings)))


def _account(rules: Rules, file: str) -> Account:
    name, equals, path = file.partition("=")
    if not equals or name not in rules.texts:
        name, path = "", file
    source = read_source(path, LARGEST_FILE)
    return account_of(rules, text_named(rules, name or None), source)


def _selected_rows(found: Traced, mark: str | None) -> tuple[ClauseRow, ...]:
    if mark is None:
        return found.rows
    rows = tuple(row for row in found.rows if row.clause.id == mark)
    if not rows:
        marks = [row.clause.id for row in found.rows]
        hint = did_you_mean(mark, marks) or "`rulewright trace GAME` lists the clauses"
        raise DiagnosticError(UnknownClause(NOWHERE, mark, hint))
    return rows


# ---- output


def _show(found: Traced) -> None:
    width = max((len(row.clause.id) for row in found.rows), default=0)
    for row in found.rows:
        click.echo(_line(found, row, width))
    if not found.rows:
        click.echo("nothing to trace: `clauses` of `game.yaml` names no rulebook file")
        return
    if found.findings:
        click.echo(f"\n{painted(snippets(Report(list(found.findings))))}")
    click.echo(f"\n{_summary(found)}")


def _line(found: Traced, row: ClauseRow, width: int) -> str:
    clause = row.clause
    colour = "red" if row.missing else "green" if row.asked else "bright_black"
    mark = click.style(f"{clause.id:<{width}}", fg=colour, bold=True)
    status = ", ".join(_status(found, row))
    return f"{mark}  {clause.kind:<10}  {clause.heading or clause.says[:40]}: {status}"


def _status(found: Traced, row: ClauseRow) -> list[str]:
    """The status of a clause, as texts."""
    if not ASKED[row.clause.kind] and not row.sites:
        return ["nothing to render"]
    parts = [_lines(row.sites) if row.sites else "not rendered"]
    if row.stands:
        parts.append("always in force")
    elif row.sites:
        parts.append(f"{row.played:,} of {counted(len(found.watched.playouts), 'playout')}")
        parts.append(f"in {counted(len(row.seen_by), 'scenario')}")
    if row.asserted_by:
        parts.append(f"asserted by {len(row.asserted_by)}")
    elif "asserted" in ASKED[row.clause.kind]:
        parts.append("not asserted")
    parts += [f"not {duty} because {why}" for duty, why in row.clause.excluded.items() if not row.holds(duty)]
    return parts


def _lines(sites: Sequence[RuleSite]) -> str:
    places = list(dict.fromkeys(site.place.rpartition("/")[2] for site in sites))
    more = len(places) - MOST_SITES
    return " ".join(places[:MOST_SITES]) + (f" and {more} more" if more > 0 else "")


def _show_one(found: Traced, row: ClauseRow) -> None:
    clause = row.clause
    click.echo(f"{click.style(clause.id, bold=True)}  {clause.kind}  {clause.heading}\n  {clause.says}")
    for account in found.accounts:
        for one in account.of(clause.id):
            click.echo(f"  {account.text.name} {one.number}: {one.text}")
    click.echo(f"\n  {', '.join(_status(found, row))}\n")
    for site in row.sites:
        played = found.played[site]
        count = "in force" if played is None else counted(played, "playout")
        click.echo(f"  {site.place:<28} {count:>14}  {site.span.first_line().text.strip()}")
    for scenario in row.cited_by:
        sign = "asserted by" if scenario in row.asserted_by else "cited by, not asserted"
        click.echo(f"  {sign}: {scenario.name} ({scenario.span.place})")


def _summary(found: Traced) -> str:
    lines = [_kind_summary(found, kind) for kind in ASKED if any(r.clause.kind == kind for r in found.rows)]
    lines += [_text_summary(account) for account in found.accounts]
    failing = sum(not result.holds for _, result, _ in found.watched.scenarios)
    if failing:
        lines.append(
            f"{counted(failing, 'scenario')} of {len(found.watched.scenarios)} failed: see `rulewright test`"
        )
    if found.watched.faults:
        lines.append(
            f"{counted(found.watched.faults, 'playout')} ended with a fault: see `rulewright simulate`"
        )
    return "\n".join(lines)


def _kind_summary(found: Traced, kind: str) -> str:
    total = found.tally(kind, "rendered")[2]
    parts = []
    for duty in ASKED[kind]:
        done, excluded, _ = found.tally(kind, duty)
        parts.append(f"{done} {duty}" + (f" ({excluded} excluded)" if excluded else ""))
    return f"{counted(total, kind)}: {', '.join(parts) or 'nothing asked'}"


def _text_summary(account: Account) -> str:
    where = account.alignment
    drift = [
        f"{len(numbers)} {what}"
        for what, numbers in (("moved", where.moved), ("changed", where.changed), ("gone", where.gone))
        if numbers
    ]
    claimed = f"{account.claimed} of {counted(len(account.sentences), 'sentence')} claimed"
    return f"text {account.text.name}: {', '.join([claimed, *drift])}"


# ---- JSON


def _object(found: Traced, rows: Sequence[ClauseRow]) -> dict[str, object]:
    return {
        "game": found.rules.name,
        "playouts": len(found.watched.playouts),
        "faults": found.watched.faults,
        "scenarios": len(found.watched.scenarios),
        "clauses": [_row_object(found, row) for row in rows],
        "lines without clause": sorted({s.place for s in found.sites if not s.clauses}),
        "texts": [_text_object(account) for account in found.accounts],
        "findings": diagnostic_objects(found.findings),
    }


def _row_object(found: Traced, row: ClauseRow) -> dict[str, object]:
    clause = row.clause
    return {
        "clause": clause.id,
        "kind": clause.kind,
        "heading": clause.heading,
        "says": clause.says,
        "sentences": {text: list(numbers) for text, numbers in clause.at.items()},
        "rendered": [{"place": s.place, "playouts": found.played[s]} for s in row.sites],
        "always in force": row.stands,
        "playouts": row.played,
        "executed by": [s.name for s in row.seen_by],
        "cited by": [s.name for s in row.cited_by],
        "asserted by": [s.name for s in row.asserted_by],
        "excluded": dict(clause.excluded),
        "missing": list(row.missing),
    }


def _text_object(account: Account) -> dict[str, object]:
    where = account.alignment
    return {
        "text": account.text.name,
        "sentences": len(account.sentences),
        "claimed": account.claimed,
        "unclaimed": [s.number for s in account.sentences if not account.claims.of_sentence(s.number)],
        "moved": {str(old): now for old, now in where.moved.items()},
        "changed": {str(old): now for old, now in where.changed.items()},
        "gone": list(where.gone),
    }
