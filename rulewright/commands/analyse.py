"""`rulewright analyse`: a page of pictures of what many matches of a game show."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from dsl.characters import visible
from dsl.wording import counted
from rulewright.commands.experiment_arguments import (
    bots_option,
    check_installed,
    command_line,
    complain_of_faults,
    seeds_of,
    workers_options,
)
from rulewright.files import durable
from rulewright.terminal.exit_codes import exit_code
from rulewright.terminal.output import activity, complain, echo_json, now_and_then
from rulewright.terminal.parameters import (
    SEED,
    Duration,
    Whole,
    check_writable,
    json_option,
    named_path,
    set_up_options,
    settings,
)

if TYPE_CHECKING:
    from rulewright.experiments.analysis import Analysed

FINDINGS = 1
FIRST_SECONDS, SECONDS = 10.0, 20.0
"""When the page is written for the first time, and how long it stays as it is then, at least."""
RESERVE, MOST_RESERVE = 0.1, 5.0
"""The part of the time, and the most seconds, that are kept for what is not play."""


@dataclass(frozen=True)
class AnalyseArgs:
    """The arguments of the command."""

    game: str
    seats: int | None
    options: tuple[str, ...]
    bots: str
    number: int
    doubled: tuple[int, ...]
    choices: int
    thorough: bool
    budget: float | None
    seed: int
    into: str | None

    def command(self, number: int | None = None, seed: int | None = None) -> str:
        """The command that does the same, or plays other matches."""
        words = ["rulewright", "analyse", self.game]
        words += ["--seats", str(self.seats)] if self.seats is not None else []
        words += [word for pair in self.options for word in ("--option", pair)]
        words += ["--bots", self.bots, "-n", str(self.number if number is None else number)]
        words += [word for budget in self.doubled for word in ("--double", str(budget))]
        words += ["--choices", str(self.choices)]
        words += ["--thorough"] if self.thorough else []
        words += ["--budget", f"{self.budget:g}s"] if self.budget is not None else []
        words += ["--seed", str(self.seed if seed is None else seed)]
        return command_line([*words, *(["--into", self.into] if self.into is not None else [])])


@click.command(short_help="Make a page of pictures: what do many matches show?")
@click.argument("game")
@set_up_options
@bots_option
@click.option("-n", "number", type=Whole(10), default=1_000, show_default=True, help="Matches of each part.")
@click.option(
    "--budget",
    type=Duration(),
    metavar="TIME",
    help="The page is made within this time, as 90s or 15m, by fewer matches (default: as long as it takes).",
)
@click.option(
    "--double",
    "doubled",
    type=Whole(1, 100_000),
    multiple=True,
    metavar="N",
    help="What does it bring to search 2N iterations and not N? May be repeated.",
)
@click.option(
    "--choices", type=Whole(0, 1000), default=24, show_default=True, help="How many choices are forbidden."
)
@click.option("--thorough", is_flag=True, help="Let the bots play also the parts with many comparisons.")
@click.option("--seed", type=SEED, default=0, show_default=True, help="The seed of the first match.")
@click.option("--into", callback=named_path, metavar="FILE", help="The page (default: GAME-analysis.html).")
@click.option(
    "--logs",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Play nothing, and report the records of playtests in a folder.",
)
@workers_options
@json_option
@click.pass_context
def analyse(
    ctx: click.Context,
    game: str,
    seats: int | None,
    options: tuple[str, ...],
    bots: str,
    number: int,
    budget: float | None,
    doubled: tuple[int, ...],
    choices: int,
    thorough: bool,
    seed: int,
    into: str | None,
    logs: Path | None,
    jobs: int,
    cluster: str | None,
    as_json: bool,
) -> None:
    """Make a page of pictures of what many matches show.

    Who wins from which seat, what a doubling of the budget brings, how much is luck, how long matches are and
    when they are decided; how often each choice is taken, what it is worth and what changes if a seat may
    never take it; what each option, ruling and number does. Every figure has its interval and its number of
    matches, and findings are corrected for being many.

    The page is there as soon as the first matches have ended, and grows while more are played: reload it.
    Ctrl-C ends it with what there is.

    Comparisons are played by random bots if the bots of the main part are not, unless --thorough.

    With --logs, people have played: it is told where they were refused, asked why not or thought long, what
    they marked and answered, and what differs between versions of the rules, from the records that
    `serve --playtest` has written. GAME may be FOLDER@REVISION.

    \b
    Examples:
      rulewright analyse my_game
      rulewright analyse my_game --budget 5m
      rulewright analyse my_game --bots search:200 --double 50 --double 100 --jobs 2
      rulewright analyse my_game --logs tests
    """
    if logs is not None:
        _check_plays_nothing(ctx)
        from rulewright.commands.analyse_playtests import analyse_playtests

        ctx.exit(analyse_playtests(game, logs, as_json))
    from rulewright.pages.rendering import check_installed as check_pages

    check_installed(cluster)
    check_pages()
    args = AnalyseArgs(game, seats, options, bots, number, doubled, choices, thorough, budget, seed, into)
    ctx.exit(_analyse(args, jobs, cluster, as_json))


def _analyse(args: AnalyseArgs, jobs: int, cluster: str | None, as_json: bool) -> int:
    from rulewright.experiments.analysis import analyse as analyse_game
    from rulewright.experiments.analysis_object import analysis_object
    from rulewright.experiments.analysis_plan import planned
    from rulewright.experiments.rulesets import read_ruleset
    from rulewright.experiments.running import runner
    from rulewright.experiments.time_limit import TimeLimit
    from rulewright.files.rescue import write_or_rescue
    from rulewright.pages.analysis import page

    limit = TimeLimit.within(args.budget - min(MOST_RESERVE, RESERVE * args.budget) if args.budget else None)
    with activity(f"compiling {args.game}"):
        plan = planned(
            read_ruleset(args.game),
            args.seats,
            settings(args.options),
            args.bots,
            args.number,
            args.seed,
            doubled=args.doubled,
            most_choices=args.choices,
            thorough=args.thorough,
        )
    file = args.into if args.into is not None else f"{plan.rules.name}-analysis.html"

    check_writable(file)

    def files(found: Analysed) -> dict[Path, bytes]:
        return {Path(file): visible(page(found, plan.rules.title, args.command())).encode()}

    def write_if_possible(found: Analysed) -> None:
        with suppress(OSError, ValueError):  # there may be room again at the end
            for path, data in files(found).items():
                durable.write(path, data)

    with (
        runner([plan.ruleset], jobs, cluster, apart=limit.limited) as where,
        activity("playing") as now,
    ):
        found = analyse_game(where, plan, now, limit, now_and_then(write_if_possible, FIRST_SECONDS, SECONDS))
    problem = write_or_rescue(files(found))
    if as_json:
        echo_json(analysis_object(found, file, args.command()))
    else:
        click.echo("\n".join(_said(found, file, written=problem is None)))
    complain_of_faults(seeds_of(found.main.faults), lambda seed: _beside(args, file).command(10, seed))
    if problem is not None:
        complain([problem])
    failed = bool(found.main.faults or found.faults or problem is not None)
    return exit_code(found, FINDINGS, FINDINGS if failed else 0)


def _said(found: Analysed, file: str, written: bool) -> Iterator[str]:
    """The findings, and where the page is, if it is there."""
    from rulewright.pages.analysis import NOTHING, TOO_FEW, verdict
    from validators.experiments.findings import findings, too_few
    from validators.experiments.players import UNIFORM

    effects = found.effects
    flagged = findings(effects)
    for effect in flagged:
        between = f", between {UNIFORM} bots" if found.plan.plainly_played(effect.kind) else ""
        yield verdict(effect).replace("`", "") + between
    if not found.main.matches and not found.main.faults and not found.playing:
        yield NOTHING
    if found.interrupted or found.failure is not None:
        why = "interrupted" if found.interrupted else "play ended"
        yield f"{why} during “{found.playing}”: this is what was finished"
    for part, tally in found.faults.items():
        yield f"{counted(tally.failed, 'match')} of “{part}” ended in a fault: the page has the seeds"
    if found.main.matches and too_few(effects):
        yield TOO_FEW
    where = f"the page is `{file}`" if written else "the page could not be written"
    yield f"{counted(len(flagged), 'finding')}; {where}"


def _beside(args: AnalyseArgs, file: str) -> AnalyseArgs:
    """The same with another page, for a few matches that must not take the place of many."""
    path = Path(file)
    return replace(args, into=str(path.with_name(f"{path.stem}-faults{path.suffix}")))


def _check_plays_nothing(ctx: click.Context) -> None:
    """Raises `click.UsageError` for options of matches, where only records are read."""
    for option in ctx.command.params:
        name = option.name or ""
        given = ctx.get_parameter_source(name) is not ParameterSource.DEFAULT
        if given and name not in ("game", "logs", "as_json"):
            raise click.UsageError(f"{option.opts[0]}: nothing is played with --logs")
