"""`rulewright test`: the scenarios of rulesets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import perf_counter

import click

from dsl.diagnostics import Diagnostic, DiagnosticError
from dsl.source import NOWHERE, Span
from dsl.wording import counted
from interpreter.game import ExecutorKind
from rulewright.library import bundled
from rulewright.messages import NothingToTest
from rulewright.processes.early_end import EarlyEnd
from rulewright.scenario_tests import Case, Collected, collect, diagnostics_of
from rulewright.terminal.exit_codes import exit_code
from rulewright.terminal.output import complain, diagnostic_objects, echo_json, progress
from rulewright.terminal.parameters import executor_option, json_option
from validators.scenarios.reading import Faulty
from validators.scenarios.running import Difference, Result

FAILED = 1


@click.command(short_help="Run the scenarios of rulesets.")
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option(
    "-k", "text", metavar="TEXT", default="", help="Only scenarios with this in name, clause or file."
)
@executor_option("reference", "What plays them.")
@click.option("--strict", is_flag=True, help="Fail also for scenarios that would hold by accident.")
@click.option(
    "--falsify", is_flag=True, help="Make each assertion false, one at a time, and report which still hold."
)
@json_option
@click.pass_context
def test(
    ctx: click.Context,
    games: tuple[str, ...],
    text: str,
    executor: ExecutorKind,
    strict: bool,
    falsify: bool,
    as_json: bool,
) -> None:
    """Run the scenarios of rulesets; without GAME those of all bundled games.

    A scenario is a position, what happens, and what must be true afterwards: a worked example from the
    rulebook, or a question that somebody once asked at the table. They are the YAML files in the folder
    `scenarios` of a ruleset. Exits with 1 if one does not hold.

    It warns of assertions that would hold even if the rules were wrong: a refusal without its reason, an
    order that is not compared. With --falsify each assertion is changed, and none of the changed ones may
    hold; --strict fails for either.

    \b
    Examples:
      rulewright test my_game
      rulewright test my_game -k "§4.2"
      rulewright test my_game --strict --falsify
    """
    found = Collected()
    for name in games or bundled():
        collect(found, name, executor, falsify)
    cases = [case for case in found.cases if case.matches(text)]
    if not cases and not found.faulty:
        raise DiagnosticError(_nothing_to_test(text))
    began = perf_counter()
    end, results = EarlyEnd(), list[tuple[Case, Result]]()
    with end.noted():
        for pair in _run(cases):
            results.append(pair)
    if as_json:
        shown = [_object(*pair) for pair in results] + [_faulty_object(*one) for one in found.faulty]
        echo_json(shown)
    else:
        _show(found, results, perf_counter() - began)
    if end.early:
        click.echo(f"{end.why}: {len(results)} of {counted(len(cases), 'scenario')} were run", err=True)
    failed = bool(found.faulty) or not all(_passes(result, strict or falsify) for _, result in results)
    ctx.exit(exit_code(end, FAILED, FAILED if failed else 0))


def _passes(result: Result, strict: bool) -> bool:
    return result.holds and not (strict and result.doubts)


def _nothing_to_test(text: str) -> Diagnostic:
    if text:
        return NothingToTest(NOWHERE, f" with `{text}` in it", "leave out `-k` to run all")
    return NothingToTest(NOWHERE, "", "write one in the folder `scenarios` of the ruleset")


def _run(cases: list[Case]) -> Iterator[tuple[Case, Result]]:
    with progress("testing", len(cases)) as done:
        for case in cases:
            yield case, case.runner.run(case.scenario)
            done()


# ---- output


def _show(found: Collected, results: list[tuple[Case, Result]], seconds: float) -> None:
    for game, one in found.faulty:
        _show_diagnostics(game, one.name or "a scenario without a name", list(one.diagnostics))
    for case, result in results:
        if diagnostics := [*diagnostics_of(result), *result.doubts]:
            _show_diagnostics(case.game, case.scenario.name, diagnostics)
    for game in dict.fromkeys([*(game for game, _ in found.faulty), *(case.game for case, _ in results)]):
        broken = sum(name == game for name, _ in found.faulty)
        click.echo(f"{game}: {_verdict([r for case, r in results if case.game == game], broken)}")
    click.echo(f"{counted(len(results), 'scenario')} in {seconds:.1f} s")
    if changes := sum(result.changes for _, result in results):
        asserted = sum(result.asserted for _, result in results)
        click.echo(f"{counted(asserted, 'assertion')}, made false in {counted(changes, 'way')}")


def _show_diagnostics(game: str, name: str, diagnostics: list[Diagnostic]) -> None:
    click.echo(f"{game}: {click.style(name, bold=True)}")
    complain(diagnostics, err=False)
    click.echo()


def _verdict(results: list[Result], broken: int) -> str:
    failed = broken + sum(not result.holds for result in results)
    number = counted(broken + len(results), "scenario")
    verdict = f"{failed} of {number} failed" if failed else f"{number}, all hold"
    doubtful = sum(result.holds and bool(result.doubts) for result in results)
    return f"{verdict}, {doubtful} with warnings" if doubtful else verdict


def _object(case: Case, result: Result) -> dict[str, object]:
    scenario = result.scenario
    return {
        **_head(case.game, scenario.name, scenario.cites, scenario.span),
        "holds": result.holds,
        "differences": [_difference(d) for d in result.differences],
        "mistakes": diagnostic_objects(diagnostics_of(result)),
        "warnings": diagnostic_objects(result.doubts),
    }


def _faulty_object(game: str, faulty: Faulty) -> dict[str, object]:
    return {
        **_head(game, faulty.name, (), faulty.diagnostics[0].span),
        "holds": False,
        "differences": [],
        "mistakes": diagnostic_objects(faulty.diagnostics),
        "warnings": [],
    }


def _head(game: str, name: str, cites: Sequence[str], span: Span) -> dict[str, object]:
    line = span.line
    return {"game": game, "scenario": name, "cites": list(cites), "file": span.source.name, "line": line}


def _difference(difference: Difference) -> dict[str, object]:
    line, column = difference.span.source.position(difference.span.start)
    found = {"what": difference.what, "wanted": difference.wanted, "found": difference.found}
    return {**found, "file": difference.span.source.name, "line": line, "column": column}
