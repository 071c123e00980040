"""`rulewright tune`: the smallest change of numbers that reaches a target."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from rulewright.commands.experiment_arguments import (
    bots_option,
    check_installed,
    command_line,
    complain_of_faults,
    workers_options,
)
from rulewright.experiments.bots import seated_bots
from rulewright.messages import BadTarget
from rulewright.processes.interrupts import ended_like_interrupts
from rulewright.terminal.exit_codes import exit_code
from rulewright.terminal.output import activity, echo_json
from rulewright.terminal.parameters import SEED, Whole, json_option, set_up_options, settings

if TYPE_CHECKING:
    from rulewright.experiments.tuning import TuningPlan

NOT_REACHED = 1
FEWEST = 100
"""The fewest matches of a try."""


@dataclass(frozen=True)
class TuneArgs:
    """The arguments of the command."""

    game: str
    target: str
    numbers: str
    seats: int | None
    options: tuple[str, ...]
    bots: str
    number: int
    confirm: int
    seed: int

    @property
    def command(self) -> str:
        return self.again(self.number, self.seed)

    def again(self, number: int, seed: int) -> str:
        """The command that does the same, or plays other matches."""
        words = ["rulewright", "tune", self.game, "--target", self.target, "--numbers", self.numbers]
        words += ["--seats", str(self.seats)] if self.seats is not None else []
        words += [word for pair in self.options for word in ("--option", pair)]
        words += ["--bots", self.bots, "-n", str(number), "--confirm", str(self.confirm)]
        return command_line([*words, "--seed", str(seed)])


@click.command(short_help="Find the smallest change of numbers that reaches a target.")
@click.argument("game")
@click.option("--target", required=True, metavar="TEXT", help='What to reach: "share of B in 48..52".')
@click.option(
    "--numbers",
    required=True,
    metavar="NAME[,NAME]",
    help="What may change: options, constants, cells `ROW.COLUMN`, `TABLE.KEY`; bounds as NAME=LOW..HIGH.",
)
@set_up_options
@bots_option
@click.option(
    "-n", "number", type=Whole(FEWEST), default=2_000, show_default=True, help="Matches of each try."
)
@click.option(
    "--confirm", type=Whole(100), default=50_000, show_default=True, help="Matches that confirm it at most."
)
@click.option("--seed", type=SEED, default=0, show_default=True, help="The seed of the first match.")
@workers_options
@json_option
@click.pass_context
def tune(
    ctx: click.Context,
    game: str,
    target: str,
    numbers: str,
    seats: int | None,
    options: tuple[str, ...],
    bots: str,
    number: int,
    confirm: int,
    seed: int,
    jobs: int,
    cluster: str | None,
    as_json: bool,
) -> None:
    """Find the smallest change of numbers that reaches a target.

    A target is `share of SEAT in LOW..HIGH` in percent, `length in LOW..HIGH` in decisions, or `total of SEAT
    in LOW..HIGH` in points. Each number is changed alone, then several together, outwards by doubled steps
    and back to the smallest change that reaches the target; all tries have the same seeds. The answer is
    confirmed with fresh seeds. Along a way of changes it is assumed that what has reached the target goes on
    reaching it for a while: a range that is narrower than one doubled step can be missed.

    Exits with 0 if the target is reached, 1 if it is not. Ctrl-C, or the signal by which a time limit ends a
    program (`timeout 10m rulewright tune ...`), ends it early: it says what was found until then.

    \b
    Examples:
      rulewright tune my_game --target "share of B in 48..52" --numbers compensation
      rulewright tune my_game --target "length in 55..65" --numbers goal=20..60
      rulewright tune my_game --target "total of A in 30..40" --numbers tower.cost,goal
    """
    check_installed(cluster)
    args = TuneArgs(game, target, numbers, seats, options, bots, number, confirm, seed)
    with ended_like_interrupts():
        code = _tune(args, jobs, cluster, as_json)
    ctx.exit(code)


def _tune(args: TuneArgs, jobs: int, cluster: str | None, as_json: bool) -> int:
    from rulewright.experiments.running import runner
    from rulewright.experiments.tuning import tune as look_for
    from rulewright.experiments.tuning_text import tuning_object, tuning_text

    with activity(f"compiling {args.game}"):
        plan = _plan(args)
    with runner([plan.ruleset], jobs, cluster) as where, activity("trying") as now:
        found = look_for(where, plan, now)
    if as_json:
        echo_json(tuning_object(found, args.target, args.command))
    else:
        click.echo(tuning_text(found, args.target, args.command))
    start = found.tried.get(plan.start)
    complain_of_faults(start.failed if start is not None else {}, lambda seed: args.again(FEWEST, seed))
    answered = 0 if found.answer is not None else NOT_REACHED
    return exit_code(found, answered, answered)


def _plan(args: TuneArgs) -> TuningPlan:
    """What is tuned. Raises `ErrorsReported` or `DiagnosticError`."""
    from rulewright.experiments.numbers import find_number
    from rulewright.experiments.rulesets import RulesetGames, read_ruleset
    from rulewright.experiments.tuning import TuningPlan
    from validators.experiments.jobs import Variant
    from validators.experiments.targets import NotATarget, read_target

    ruleset, options = read_ruleset(args.game), settings(args.options)
    rules = ruleset.rules()
    seats = args.seats if args.seats is not None else rules.seats[0]
    game = RulesetGames([ruleset]).game(
        Variant(ruleset.digest, seats, tuple(sorted(options.items()))), "reference"
    )
    names = tuple(game.names.seat(i) for i in range(seats))
    try:
        target = read_target(args.target, names)
    except NotATarget as error:
        raise DiagnosticError(BadTarget(NOWHERE, args.target, str(error))) from None
    numbers = [find_number(name, ruleset, rules, seats, options) for name in args.numbers.split(",")]
    return TuningPlan(
        ruleset=ruleset,
        seats=seats,
        options=options,
        bots=seated_bots(args.bots, game),
        numbers=tuple(dict.fromkeys(numbers)),
        target=target,
        first=args.seed,
        number=args.number,
        confirm=args.confirm,
    )
