"""`rulewright compare`: two versions of a game, played in pairs with the same chance."""

from __future__ import annotations

from dataclasses import dataclass

import click

from dsl.wording import counted
from rulewright.commands.experiment_arguments import (
    bots_option,
    check_installed,
    command_line,
    complain_of_faults,
    repeated,
    seeds_of,
    workers_options,
)
from rulewright.terminal.exit_codes import exit_code
from rulewright.terminal.output import activity, json_text, progress
from rulewright.terminal.parameters import SEED, Real, Whole, json_option, settings

DIFFERS = 1
MOST_PAIRS = 100_000_000


@dataclass(frozen=True)
class CompareArgs:
    """The arguments of the command."""

    old: str
    new: str
    old_options: tuple[str, ...]
    new_options: tuple[str, ...]
    options: tuple[str, ...]
    seats: int | None
    bots: str
    margin: float
    number: int
    seed: int

    def command(self, number: int | None = None, seed: int | None = None) -> str:
        """The command that does the same, or plays other pairs."""
        words = ["rulewright", "compare", self.old, *([self.new] if self.new != self.old else [])]
        for flag, pairs in (
            ("--old", self.old_options),
            ("--new", self.new_options),
            ("--option", self.options),
        ):
            words += [word for pair in pairs for word in (flag, pair)]
        words += ["--seats", str(self.seats)] if self.seats is not None else []
        words += ["--bots", self.bots, "--margin", f"{self.margin:g}"]
        words += ["-n", str(self.number if number is None else number)]
        return command_line([*words, "--seed", str(self.seed if seed is None else seed)])


@click.command(short_help="Play two versions in pairs with the same chance: what differs?")
@click.argument("old")
@click.argument("new", required=False)
@click.option("--old", "old_options", multiple=True, metavar="NAME=VALUE", help="An option of the old side.")
@click.option("--new", "new_options", multiple=True, metavar="NAME=VALUE", help="An option of the new side.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of both sides.")
@click.option("--seats", type=Whole(1), metavar="N", help="How many play (default: the fewest of both).")
@bots_option
@click.option(
    "--margin",
    type=Real(0.1, 50),
    default=2.0,
    show_default=True,
    metavar="PERCENT",
    help="The difference of a share of the win that matters.",
)
@click.option(
    "-n", "number", type=Whole(1, MOST_PAIRS), default=20_000, show_default=True, help="Pairs at most."
)
@click.option("--seed", type=SEED, default=0, show_default=True, help="The seed of the first pair.")
@workers_options
@json_option
@click.pass_context
def compare(
    ctx: click.Context,
    old: str,
    new: str | None,
    old_options: tuple[str, ...],
    new_options: tuple[str, ...],
    options: tuple[str, ...],
    seats: int | None,
    bots: str,
    margin: float,
    number: int,
    seed: int,
    jobs: int,
    cluster: str | None,
    as_json: bool,
) -> None:
    """Play two versions of a game in pairs of matches with the same chance, and say what differs.

    OLD and NEW are games by name, folders, or folders at a revision, `PATH@REVISION`; without NEW, both sides
    have the same rules and differ by --old and --new: two values of an option, two readings of a ruling.
    Dice, piles and the choices of random bots are the same in both matches of a pair until the rules make
    them differ, so that small changes show early. A sequential test looks for a difference of the win share
    of each seat by --margin, and of the length by a tenth of its spread, and stops as soon as it knows.

    Exits with 0 if nothing was found to differ, 1 if something was or matches failed.

    \b
    Examples:
      rulewright compare my_game@HEAD my_game
      rulewright compare my_game --new goal=40
      rulewright compare my_game my_house_rules --bots search:100 --margin 4
    """
    check_installed(cluster)
    args = CompareArgs(old, new or old, old_options, new_options, options, seats, bots, margin, number, seed)
    ctx.exit(_compare(args, jobs, cluster, as_json))


def _compare(args: CompareArgs, jobs: int, cluster: str | None, as_json: bool) -> int:
    from rulewright.experiments.compared import ComparisonPlan, carry_out
    from rulewright.experiments.comparison_text import (
        comparison_object,
        comparison_text,
        nothing_to_compare,
    )
    from rulewright.experiments.running import runner
    from rulewright.experiments.sides import read_sides
    from validators.experiments.comparing import differing
    from validators.experiments.jobs import PairJob

    with activity(f"compiling {args.old}"):
        sides = read_sides(
            (args.old, {**settings(args.options), **settings(args.old_options)}),
            (args.new, {**settings(args.options), **settings(args.new_options)}),
            args.seats,
            args.bots,
        )
    if sides.old == sides.new:
        click.echo(nothing_to_compare(as_json, args.command()))
        return 0
    job = PairJob(sides.old, sides.new, args.seed, args.number)
    plan = ComparisonPlan(job, sides.seats, args.margin / 100)
    with (
        runner(sides.rulesets, jobs, cluster) as where,
        progress(f"playing at most {counted(args.number, 'pair')}", args.number) as count,
    ):
        found = carry_out(where, plan, repeated(count))
    if as_json:
        answer = json_text(comparison_object(found, args.command(), sides.note))
    else:
        answer = comparison_text(found, sides.titles, args.command(), sides.note)
    click.echo(answer)
    complain_of_faults(seeds_of(found.tally.faults), lambda seed: args.command(1, seed))
    different = bool(found.tally.faults or differing(found.measures))
    return exit_code(found, DIFFERS, DIFFERS if different else 0)
