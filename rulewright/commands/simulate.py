"""`rulewright simulate`: many matches by random choices, and what they show."""

from __future__ import annotations

import json
import random
import shlex
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from statistics import mean, median
from time import perf_counter

import click

from dsl.diagnostics import Mistake, Report
from dsl.render import as_json as mistakes_as_json
from interpreter.log import write
from interpreter.match import Game, Match
from interpreter.messages import Fault
from rulewright.library import open_game
from rulewright.parameters import json_option, set_up_options, settings, write_text
from rulewright.terminal import complain, counted, progress


@dataclass
class Tally:
    """What playouts came to.

    `wins` are shares by seat: a win that k seats share counts 1/k for each. `scores` are totals by seat,
    `decisions` and `outcomes` numbers per playout, `offered` the choices of all decisions that were `asked`.
    """

    wins: dict[str, float] = field(default_factory=dict)
    unwon: int = 0
    scores: dict[str, list[int]] = field(default_factory=dict)
    decisions: list[int] = field(default_factory=list)
    outcomes: list[int] = field(default_factory=list)
    asked: int = 0
    offered: int = 0
    widest: int = 0
    seconds: float = 0.0

    def add(self, match: Match) -> None:
        """Counts a match that is over."""
        winners = match.winners()
        self.unwon += not winners
        for account in match.accounts():
            share = 1 / len(winners) if account.seat in winners else 0.0
            self.wins[account.seat] = self.wins.get(account.seat, 0.0) + share
            self.scores.setdefault(account.seat, []).append(account.total)
        self.decisions.append(sum(step.seat is not None for step in match.steps))
        self.outcomes.append(sum(step.stream is not None for step in match.steps))

    def saw(self, offered: int) -> None:
        """Counts a decision with that many choices."""
        self.asked += 1
        self.offered += offered
        self.widest = max(self.widest, offered)


@dataclass(frozen=True)
class Broken:
    """A playout that came to a fault: its number (from 1), its seed, and the match up to there."""

    number: int
    seed: int
    fault: Fault
    match: Match


@click.command()
@click.argument("game")
@click.option(
    "-n", "number", type=click.IntRange(min=1), default=100, show_default=True, help="How many playouts."
)
@set_up_options
@click.option("--seed", type=int, default=0, show_default=True, help="The seed of the first playout.")
@click.option("--checked", is_flag=True, help="Check invariants and lost pieces at every stop (slower).")
@click.option("--log", "log", metavar="FILE", help="Write the last playout, or the one that fails, as a log.")
@json_option
@click.pass_context
def simulate(
    ctx: click.Context,
    game: str,
    number: int,
    seats: int | None,
    options: tuple[str, ...],
    seed: int,
    checked: bool,
    log: str | None,
    as_json: bool,
) -> None:
    """Play many matches by random choices.

    Shows who wins, the scores, how long matches are and how fast they run. Playout i (from 0) has the seed
    SEED + i, so any of them can be played again alone. What must not happen in play, such as a counter
    that leaves its range, ends the simulation with the seed that shows it.

    \b
    Examples:
      rulewright simulate GAME -n 1000 --seats 3
      rulewright simulate GAME --checked --seed 7 --option NAME=VALUE
      rulewright simulate GAME -n 1 --seed 42 --log match.log
    """
    chosen = settings(options)
    opened = open_game(game, seats, chosen)
    with progress("simulating", number) as done:
        tally, broken = run_playouts(opened, number, seed, checked, done)
    again = _again(game, opened, options, broken, checked) if broken else ""
    _show(opened, tally, broken, again, seed, as_json)
    if log is not None:
        last = broken.seed if broken else seed + number - 1
        write_text(log, write(_played(opened, last, checked), chosen, []))
    ctx.exit(int(broken is not None))


# ---- playing


def run_playouts(
    game: Game, number: int, seed: int, checked: bool, done: Callable[[], None] = lambda: None
) -> tuple[Tally, Broken | None]:
    """Playouts with the seeds `seed`, `seed + 1`, ...; the first fault ends them."""
    tally = Tally()
    began = perf_counter()
    for i in range(number):
        match = Match(game, seed + i, checked=checked, keep_history=False)
        try:
            play_out(match, tally.saw)
        except Fault as fault:
            tally.seconds = perf_counter() - began
            return tally, Broken(i + 1, seed + i, fault, match)
        tally.add(match)
        done()
    tally.seconds = perf_counter() - began
    return tally, None


def play_out(match: Match, saw: Callable[[int], None] = lambda _: None) -> None:
    """Plays to the end: each time any of the waiting decisions, and any of its options. Raises `Fault`."""
    rng = random.Random(match.seed)
    match.start()
    while not match.over:
        waiting = rng.choice(match.waiting())
        saw(len(waiting.options))
        match.take(waiting, rng.choice(waiting.options))


def _played(game: Game, seed: int, checked: bool) -> Match:
    """A playout again, this time with all that a log needs; up to the fault, if it comes to one."""
    match = Match(game, seed, checked=checked)
    with suppress(Fault):
        play_out(match)
    return match


def _again(name: str, game: Game, options: tuple[str, ...], broken: Broken, checked: bool) -> str:
    """The command that shows a fault again."""
    words = ["rulewright", "simulate", name, "-n", "1", "--seats", str(game.machine.seats)]
    words += ["--seed", str(broken.seed)]
    words += [word for pair in options for word in ("--option", pair)]
    return shlex.join([*words, *(["--checked"] if checked else [])])


# ---- showing


def _show(game: Game, tally: Tally, broken: Broken | None, again: str, seed: int, as_json: bool) -> None:
    if as_json:
        whole = _object(game, tally, seed) | {"fault": _fault(broken, again) if broken else None}
        click.echo(json.dumps(whole, indent=2, ensure_ascii=False))
    elif tally.decisions:
        click.echo(_text(game, tally))
    if broken:
        complain([broken.fault.mistake])
        made = sum(step.seat is not None for step in broken.match.steps)
        where = f"playout {broken.number} (seed {broken.seed}), after {counted(made, 'decision')}"
        click.echo(f"  in {where}\n  to see it again: {again}", err=True)


def _text(game: Game, tally: Tally) -> str:
    played = len(tally.decisions)
    lines = [
        f"{game.rules.title}: {played} playouts in {tally.seconds:.1f} s",
        f"  {_rate(played, tally):,.1f} playouts/s, {_rate(sum(tally.decisions), tally):,.0f} decisions/s",
        "",
        f"{'seat':<6}{'wins':>9}{'':>8}{'score mean':>14}{'min':>7}{'max':>7}",
    ]
    for seat, scores in tally.scores.items():
        wins = tally.wins[seat]
        lines.append(
            f"{seat:<6}{wins:>9.1f}{wins / played:>8.1%}{mean(scores):>14.1f}{min(scores):>7}{max(scores):>7}"
        )
    if tally.unwon:
        lines.append(f"nobody{tally.unwon:>9}{tally.unwon / played:>8.1%}")
    lines += ["", f"{'per playout':<20}{'min':>7}{'median':>9}{'mean':>9}{'max':>7}"]
    lines += [_spread("decisions", tally.decisions), _spread("outcomes of chance", tally.outcomes)]
    per = tally.offered / max(1, tally.asked)
    return "\n".join([*lines, "", f"choices per decision: {per:.1f} on average, at most {tally.widest}"])


def _spread(name: str, numbers: list[int]) -> str:
    return f"{name:<20}{min(numbers):>7}{median(numbers):>9.1f}{mean(numbers):>9.1f}{max(numbers):>7}"


def _rate(number: int, tally: Tally) -> float:
    return number / max(tally.seconds, 1e-9)


def _object(game: Game, tally: Tally, seed: int) -> dict[str, object]:
    played = len(tally.decisions)
    return {
        "game": game.machine.name,
        "rules": game.machine.digest,
        "seats": game.machine.seats,
        "seed": seed,
        "playouts": played,
        "seconds": round(tally.seconds, 3),
        "playouts_per_second": round(_rate(played, tally), 1),
        "decisions_per_second": round(_rate(sum(tally.decisions), tally), 1),
        "wins": {seat: round(share, 6) for seat, share in tally.wins.items()},
        "won_by_nobody": tally.unwon,
        "scores": {seat: _numbers(scores) for seat, scores in tally.scores.items()},
        "decisions": _numbers(tally.decisions),
        "outcomes": _numbers(tally.outcomes),
        "choices": {"mean": round(tally.offered / max(1, tally.asked), 3), "max": tally.widest},
    }


def _numbers(numbers: list[int]) -> dict[str, float]:
    if not numbers:
        return {}
    found = {"min": min(numbers), "median": median(numbers), "mean": round(mean(numbers), 3)}
    return {**found, "max": max(numbers)}


def _fault(broken: Broken, again: str) -> dict[str, object]:
    mistake: Mistake = broken.fault.mistake
    (found,) = json.loads(mistakes_as_json(Report([mistake])))
    return {"playout": broken.number, "seed": broken.seed, "again": again, **found}
