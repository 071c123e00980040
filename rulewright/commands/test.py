"""`rulewright test`: the scenarios of rulesets."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter

import click

from dsl.diagnostics import Failed, Mistake, Report
from dsl.load import load_for_questions
from dsl.render import as_json as mistakes_as_json
from dsl.source import NOWHERE
from interpreter.match import Kind
from rulewright.library import bundled, find, folder, scenario_sources
from rulewright.messages import DoesNotHold, NothingToTest
from rulewright.parameters import json_option
from rulewright.terminal import complain, counted, progress
from validators.scenarios import Difference, Result, Scenario, Theatre, read_scenarios


@dataclass(frozen=True)
class Case:
    """A scenario of a game, with all that is needed to run it."""

    game: str
    theatre: Theatre
    scenario: Scenario

    def speaks_of(self, text: str) -> bool:
        """Whether a text occurs in its name, its clauses or the name of its file."""
        words = (self.scenario.name, *self.scenario.cites, self.scenario.span.source.name)
        return any(text.lower() in word.lower() for word in words)


@click.command(short_help="Run the scenarios of rulesets.")
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option(
    "-k", "text", metavar="TEXT", default="", help="Only scenarios with this in name, clause or file."
)
@click.option(
    "--executor",
    type=click.Choice(["reference", "wasm"]),
    default="reference",
    show_default=True,
    help="What plays them.",
)
@json_option
@click.pass_context
def test(ctx: click.Context, games: tuple[str, ...], text: str, executor: Kind, as_json: bool) -> None:
    """Run the scenarios of rulesets; without GAME those of all bundled games.

    A scenario is a position, what happens, and what must be true afterwards: a worked example from the
    rulebook, or a question that somebody once asked at the table. They are the YAML files in the folder
    `scenarios` of a ruleset. Exits with 1 if one does not hold.

    \b
    Examples:
      rulewright test my_game
      rulewright test my_game -k "§4.2"
    """
    names = games or bundled()
    cases = [case for name in names for case in _cases(name, executor) if case.speaks_of(text)]
    if not cases:
        raise Failed(_nothing(text))
    began = perf_counter()
    results = list(_run(cases))
    if as_json:
        click.echo(json.dumps([_object(*pair) for pair in results], indent=2, ensure_ascii=False))
    else:
        _show(results, perf_counter() - began)
    ctx.exit(int(not all(result.holds for _, result in results)))


def _cases(game: str, executor: Kind) -> Iterator[Case]:
    """Raises `Stop` if the ruleset or a scenario file has mistakes, `Failed` if there is no such game."""
    path = find(game)
    rules, _, questions = load_for_questions(folder(path))
    theatre = Theatre(rules, questions, executor=executor)
    for source in scenario_sources(path):
        for scenario in read_scenarios(source, rules):
            yield Case(game, theatre, scenario)


def _nothing(text: str) -> Mistake:
    if text:
        return NothingToTest(NOWHERE, f" with `{text}` in it", "leave out `-k` to run all")
    return NothingToTest(NOWHERE, "", "write one in the folder `scenarios` of the ruleset")


def _run(cases: list[Case]) -> Iterator[tuple[Case, Result]]:
    with progress("testing", len(cases)) as done:
        for case in cases:
            yield case, case.theatre.run(case.scenario)
            done()


# ---- showing


def mistakes_of(result: Result) -> list[Mistake]:
    """Why a scenario does not hold: its own mistake, or everything that is not as it says."""
    if result.mistake is not None:
        return [result.mistake]
    return [DoesNotHold(d.span, d.what, d.wanted, d.found) for d in result.differences]


def _show(results: list[tuple[Case, Result]], seconds: float) -> None:
    for case, result in results:
        if not result.holds:
            click.echo(f"{case.game}: {click.style(case.scenario.name, bold=True)}")
            complain(mistakes_of(result), err=False)
            click.echo()
    for game in dict.fromkeys(case.game for case, _ in results):
        held = [result.holds for case, result in results if case.game == game]
        failed = held.count(False)
        verdict = f"{failed} of {counted(len(held), 'scenario')} failed" if failed else (
            f"{counted(len(held), 'scenario')}, all hold")  # fmt: skip
        click.echo(f"{game}: {verdict}")
    click.echo(f"{counted(len(results), 'scenario')} in {seconds:.1f} s")


def _object(case: Case, result: Result) -> dict[str, object]:
    span = result.scenario.span
    line, _ = span.source.position(span.start)
    return {
        "game": case.game,
        "scenario": result.scenario.name,
        "cites": list(result.scenario.cites),
        "file": span.source.name,
        "line": line,
        "holds": result.holds,
        "differences": [_difference(d) for d in result.differences],
        "mistakes": json.loads(mistakes_as_json(Report(mistakes_of(result)))),
    }


def _difference(difference: Difference) -> dict[str, object]:
    line, column = difference.span.source.position(difference.span.start)
    found = {"what": difference.what, "wanted": difference.wanted, "found": difference.found}
    return {**found, "file": difference.span.source.name, "line": line, "column": column}
