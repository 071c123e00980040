"""`rulewright arena`: bots against each other, rated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import click

from dsl.diagnostics import DiagnosticError
from dsl.rules import Rules
from dsl.source import NOWHERE
from dsl.wording import counted
from rulewright.commands.experiment_arguments import (
    check_installed,
    command_line,
    complain_of_faults,
    repeated,
    seeds_of,
    workers_options,
)
from rulewright.experiments.bots import check_bot, named_bots
from rulewright.experiments.messages import NobodyToMeet
from rulewright.matches.seats import default_seats
from rulewright.messages import NotAsManyBots
from rulewright.pages.rendering import check_installed as check_pages
from rulewright.terminal.exit_codes import exit_code
from rulewright.terminal.output import activity, echo_json, progress
from rulewright.terminal.parameters import (
    SEED,
    Real,
    Whole,
    check_writable,
    json_option,
    page_option,
    set_up_options,
    settings,
    write_text,
)

FINDINGS = 1


@dataclass(frozen=True)
class ArenaArgs:
    """The arguments of the command."""

    game: str
    bots: str
    seats: int | None
    options: tuple[str, ...]
    number: int
    margin: float
    seed: int

    def command(self, number: int | None = None, seed: int | None = None) -> str:
        """The command that does the same, or plays other pairs."""
        words = ["rulewright", "arena", "--game", self.game, "--bots", self.bots]
        words += ["--seats", str(self.seats)] if self.seats is not None else []
        words += [word for pair in self.options for word in ("--option", pair)]
        words += ["--margin", f"{self.margin:g}", "-n", str(self.number if number is None else number)]
        return command_line([*words, "--seed", str(self.seed if seed is None else seed)])


@click.command(short_help="Let bots play each other, and rate them.")
@click.option("--game", required=True, help="The game, by name or path.")
@click.option(
    "--bots", required=True, metavar="NAME,NAME[,...]", help="Two bots or more: `search:100,policy:FILE`."
)
@set_up_options
@click.option(
    "-n", "number", type=Whole(1), default=2_000, show_default=True, help="Pairs of each two at most."
)
@click.option(
    "--margin",
    type=Real(1, 1000),
    default=50.0,
    show_default=True,
    metavar="ELO",
    help="The difference in normalised Elo that matters.",
)
@click.option("--seed", type=SEED, default=0, show_default=True, help="The seed of the first pair.")
@page_option("Write a leaderboard, with the intervals as pictures.")
@workers_options
@json_option
@click.pass_context
def arena(
    ctx: click.Context,
    game: str,
    bots: str,
    seats: int | None,
    options: tuple[str, ...],
    number: int,
    margin: float,
    seed: int,
    html: str | None,
    jobs: int,
    cluster: str | None,
    as_json: bool,
) -> None:
    """Let bots play each other, and rate them.

    Each two bots play pairs of matches with the same chance, the second with their seats swapped; with more
    than two seats they sit by turns. A sequential test of each meeting stops it as soon as it is known who is
    better, or that the difference is less than --margin. Ratings are Elo, with their mean at 0 and 95 %
    intervals; in the meetings, Elo is normalised: it does not depend on how many matches are drawn.

    \b
    Examples:
      rulewright arena --game my_game --bots random,search:100
      rulewright arena --game my_game --bots random,search:50,search:200 -n 500 --jobs 2
      rulewright arena --game my_game --bots easy,medium,policy:my_game.onnx --html leaderboard.html
    """
    check_installed(cluster)
    if html is not None:
        check_pages()
        check_writable(html)
    args = ArenaArgs(game, bots, seats, options, number, margin, seed)
    ctx.exit(_arena(args, html, jobs, cluster, as_json))


def _different(written: str) -> tuple[str, ...]:
    """The names of bots, each once. Raises `DiagnosticError` with `NotAsManyBots` if that is only one."""
    named = named_bots(written)
    names = tuple(dict.fromkeys(named))
    if len(names) > 1:
        return names
    if len(named) > 1 and names[0]:
        why = f"are {len(named)} times the same"
        hint = f"a bot does not meet itself; name another one, as `{names[0]},search:100`"
    else:
        why = "are only one" if names[0] else "have no name"
        hint = "name two or more, separated by commas"
    raise DiagnosticError(NotAsManyBots(NOWHERE, written, why, hint))


def _seats(args: ArenaArgs, rules: Rules, names: Sequence[str]) -> int:
    """How many play. Raises `DiagnosticError` with `NobodyToMeet` if that is one."""
    seats = args.seats if args.seats is not None else default_seats(rules)
    if seats > 1:
        return seats
    alone = f"`rulewright simulate {args.game} --seats {names[0]}` shows what a bot reaches alone"
    hint = alone if rules.seat_counts == (1,) else "give `--seats 2` or more"
    raise DiagnosticError(NobodyToMeet(NOWHERE, args.game, hint))


def _arena(args: ArenaArgs, html: str | None, jobs: int, cluster: str | None, as_json: bool) -> int:
    from rulewright.experiments.arena import ArenaPlan, faults_of, hold
    from rulewright.experiments.arena_text import arena_object, arena_text
    from rulewright.experiments.rulesets import RulesetGames, read_ruleset
    from rulewright.experiments.running import runner
    from rulewright.pages.leaderboard import page
    from validators.experiments.jobs import Variant
    from validators.experiments.statistics import ALPHA

    names = _different(args.bots)
    with activity(f"compiling {args.game}"):
        ruleset = read_ruleset(args.game)
        seats = _seats(args, ruleset.rules(), names)
        variant = Variant(ruleset.digest, seats, tuple(sorted(settings(args.options).items())))
        opened = RulesetGames([ruleset]).game(variant, "reference")
        for name in names:
            check_bot(name)
    plan = ArenaPlan(variant, names, args.seed, args.number, args.margin, ALPHA)
    most = args.number * len(plan.meetings)
    what = f"playing at most {counted(most, 'pair')}"
    with runner([ruleset], jobs, cluster) as where, progress(what, most) as count:
        found = hold(where, plan, repeated(count))
    if html is not None:
        write_text(html, page(found, opened.rules.title, args.command()))
    if as_json:
        echo_json(arena_object(found, args.command()))
    else:
        click.echo(arena_text(found, opened.rules.title, args.command()))
    faults = faults_of(list(found.met.values())).faults
    complain_of_faults(seeds_of(faults), lambda seed: args.command(1, seed))
    return exit_code(found, FINDINGS, FINDINGS if faults else 0)
