"""`rulewright play`: a match in the terminal, with people and bots."""

from __future__ import annotations

import secrets
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import click

from dsl.rules import Rules
from interpreter.compile.program import compile_rules
from interpreter.match import Game, Kind, Match
from interpreter.messages import Fault
from rulewright.library import read_rules
from rulewright.parameters import MOST, SEED, Whole, settings
from rulewright.table import saves
from rulewright.table.course import play as play_to_the_end
from rulewright.table.screen import standard
from rulewright.table.seats import HUMAN, seats_of, without_people
from rulewright.table.session import Session, Setting
from rulewright.table.turn import Leave
from rulewright.table.wording import QUIET

INTERRUPTED = 130
SEEDS = 1_000_000


@dataclass(frozen=True, slots=True)
class Wish:
    """What was asked for on the command line."""

    game: str
    seats: str | None
    players: int | None
    options: tuple[str, ...]
    seed: int | None
    log: Path | None
    resume: Path | None
    auto: bool
    executor: Kind


@click.command(name="play", short_help="Play a match in the terminal.")
@click.argument("game")
@click.option("--seats", metavar="KINDS", help="Who sits where, as `human,random`; or how many play.")
@click.option(
    "--players",
    type=Whole(least=-MOST),
    metavar="N",
    help="How many play (default: two, if the game has it).",
)
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="Sets an option or ruling of the game; may be repeated.",
)
@click.option("--seed", type=SEED, help="The same seed and choices give the same match.")
@click.option("--log", type=click.Path(path_type=Path), metavar="FILE", help="Keep the match in a file.")
@click.option("--resume", type=click.Path(path_type=Path), metavar="FILE", help="Go on with a kept match.")
@click.option("--auto/--no-auto", default=True, help="Take choices without an alternative by themselves.")
@click.option(
    "--executor",
    type=click.Choice(["reference", "wasm"]),
    default="reference",
    show_default=True,
    help="What referees the match.",
)
@click.pass_context
def play(
    ctx: click.Context,
    game: str,
    seats: str | None,
    players: int | None,
    options: tuple[str, ...],
    seed: int | None,
    log: Path | None,
    resume: Path | None,
    auto: bool,
    executor: Kind,
) -> None:
    """Play a match in the terminal, against bots or with several people at one table.

    A seat is `human` or the name of a bot (`random`); if nothing is said, the first is human. At the prompt
    `help` lists what can be said: explanations, undo, score, save. Without a terminal bots take all seats,
    and the course of the match is printed.

    \b
    Examples:
      rulewright play GAME
      rulewright play GAME --seats human,human,random --option NAME=VALUE
      rulewright play GAME --log match.log
      rulewright play GAME --resume match.log
    """
    if resume is not None and (players is not None or seed is not None or options):
        raise click.UsageError("--resume has the number of seats, options and seed from its file")
    ctx.exit(_play(Wish(game, seats, players, options, seed, log, resume, auto, executor)))


def _play(wish: Wish) -> int:
    rules, _ = read_rules(wish.game)
    terminal = sys.stdin is not None and sys.stdin.isatty()
    match, setting = _begun(wish, rules, terminal) if wish.resume is None else _resumed(wish, rules)
    if not terminal and HUMAN in setting.kinds:
        click.echo("no terminal to ask at: bots take all seats", err=True)
        setting = replace(setting, kinds=without_people(setting.kinds))
    return _seated(Session(match, setting, standard(), kept=wish.resume), wish.game)


def _begun(wish: Wish, rules: Rules, terminal: bool) -> tuple[Match, Setting]:
    kinds = seats_of(rules, wish.seats, wish.players, terminal)
    options = settings(wish.options)
    game = Game(rules, compile_rules(rules, len(kinds), options), wish.executor)
    seed = secrets.randbelow(SEEDS) if wish.seed is None else wish.seed
    return Match(game, seed).start(), Setting(kinds, options, wish.log, wish.auto)


def _resumed(wish: Wish, rules: Rules) -> tuple[Match, Setting]:
    assert wish.resume is not None
    saved = saves.read_log(wish.resume)
    saves.check_game(saved, rules)
    kinds = saves.kinds_of(saved, wish.seats)
    match = saves.resumed(rules, saved)
    if wish.executor != "reference":
        match.game = Game(rules, match.game.machine, wish.executor)
    return match, Setting(kinds, saved.options, wish.log, wish.auto)


def _seated(session: Session, game: str) -> int:
    """Plays, and says at the end where the match is. The exit code."""
    try:
        play_to_the_end(session)
    except (Leave, EOFError):
        return _left(session, game, 0)
    except KeyboardInterrupt:
        return _left(session, game, INTERRUPTED)
    except Fault:
        session.keep()
        raise
    _tell_where(session, game)
    return 0


def _left(session: Session, game: str, code: int) -> int:
    """Somebody has left the table before the end."""
    session.screen.say("")
    session.keep()
    _tell_where(session, game)
    return code


def _tell_where(session: Session, game: str) -> None:
    """How to get this match back: its file if it is kept, else its seed."""
    screen, path = session.screen, session.kept
    if path is None:
        how = "" if session.match.over else "; `save FILE` or `--log FILE` keep a match"
        screen.say(f"this match is not kept{how}; its seed was {session.match.seed}", QUIET)
    elif session.match.over:
        screen.say(f"this match is kept in {path}", QUIET)
    else:
        again = f"rulewright play {game} --resume {path}"
        screen.say(f"this match is kept; `{again}` goes on with it", QUIET)
