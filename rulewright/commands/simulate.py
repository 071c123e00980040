"""`rulewright simulate`: many matches by random choices, and what they show."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import click

from interpreter.chance import Choosing
from interpreter.game import ExecutorKind, Game, MatchStep
from interpreter.ir import PC
from interpreter.log import write
from interpreter.match import Match
from interpreter.messages import Fault, RunsForEver
from rulewright.library import open_game
from rulewright.parameters import SEED, Whole, json_option, set_up_options, settings
from rulewright.terminal import complain, counted, diagnostic_objects, echo_json, progress
from rulewright.tui.log_file import save_log

if TYPE_CHECKING:
    from interpreter.wasm.cache import CacheEntry
    from interpreter.wasm.program import Rows

MOST_DRAWS = 100_000
"""Outcomes of chance without a decision in between."""
MOST_JOBS = 256
PARTS = 100
"""Parts in which progress is shown."""


@dataclass
class Tally:
    """What playouts came to.

    `won` says how often each set of seats has won. `scores` are totals by seat, `decisions` and `outcomes`
    numbers per playout, `offered` the choices of all decisions that were `asked`.
    """

    won: Counter[tuple[str, ...]] = field(default_factory=Counter)
    scores: dict[str, list[int]] = field(default_factory=dict)
    decisions: list[int] = field(default_factory=list)
    outcomes: list[int] = field(default_factory=list)
    asked: int = 0
    offered: int = 0
    widest: int = 0
    seconds: float = 0.0

    @property
    def wins(self) -> dict[str, float]:
        """Shares by seat: a win that k seats share counts 1/k for each."""
        found = dict.fromkeys(self.scores, 0.0)
        for winners, times in sorted(self.won.items()):
            for seat in winners:
                found[seat] += times / len(winners)
        return found

    @property
    def unwon(self) -> int:
        return self.won[()]

    def add(self, match: Match) -> None:
        """Counts a match that is over. Raises `Fault` if its account does."""
        self.won[tuple(match.winners())] += 1
        for account in match.accounts():
            self.scores.setdefault(account.seat, []).append(account.total)
        self.decisions.append(sum(step.seat is not None for step in match.steps))
        self.outcomes.append(sum(step.stream is not None for step in match.steps))

    def saw(self, offered: int) -> None:
        """Counts a decision with that many choices."""
        self.asked += 1
        self.offered += offered
        self.widest = max(self.widest, offered)

    def take(self, rows: Rows, seats: Sequence[str]) -> None:
        """Counts playouts that a module has made."""
        decisions, outcomes, winners, *totals = (
            rows.words[i :: 3 + len(seats)] for i in range(3 + len(seats))
        )
        self.decisions.extend(decisions)
        self.outcomes.extend(outcomes)
        for mask, times in Counter(winners).items():
            self.won[tuple(seat for i, seat in enumerate(seats) if mask >> i & 1)] += times
        for seat, scores in zip(seats, totals, strict=True):
            self.scores.setdefault(seat, []).extend(scores)
        self.asked += sum(decisions)
        self.offered += rows.offered
        self.widest = max(self.widest, rows.widest)


@dataclass(frozen=True)
class Broken:
    """A playout that came to a fault: its number (from 1), its seed, and the match up to there."""

    number: int
    seed: int
    fault: Fault
    match: Match


@dataclass(frozen=True)
class SimulateArgs:
    """What was asked for on the command line."""

    game: str
    seats: int | None
    options: tuple[str, ...]
    executor: ExecutorKind | None
    checked: bool
    jobs: int

    @property
    def alone(self) -> bool:
        """Whether a module plays by itself, without a look at each decision."""
        return self.executor != "reference" and not self.checked

    @cached_property
    def opened(self) -> Game:
        """The game with all its rules. Raises `ErrorsReported` or `DiagnosticError`."""
        executor: ExecutorKind = "wasm" if self.executor == "wasm" and self.checked else "reference"
        return open_game(self.game, self.seats, settings(self.options), executor)


@dataclass(frozen=True)
class Fast:
    """A module that plays by itself, and how to get at the rules when something must be explained."""

    entry: CacheEntry
    jobs: int
    opened: Callable[[], Game]


@dataclass(frozen=True)
class Heading:
    """Which game was played."""

    title: str
    name: str
    digest: str
    seats: int


@click.command()
@click.argument("game")
@click.option("-n", "number", type=Whole(1), default=100, show_default=True, help="How many playouts.")
@set_up_options
@click.option("--seed", type=SEED, default=0, show_default=True, help="The seed of the first playout.")
@click.option("--jobs", type=Whole(1, MOST_JOBS), default=1, show_default=True, help="How many threads play.")
@click.option(
    "--executor",
    type=click.Choice(["reference", "wasm"]),
    help="What plays (default: wasm, or the reference with --checked).",
)
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
    jobs: int,
    executor: ExecutorKind | None,
    checked: bool,
    log: str | None,
    as_json: bool,
) -> None:
    """Play many matches by random choices.

    Shows who wins, the scores, how long matches are and how fast they run. The first playout has the seed
    SEED, the next one SEED + 1, so any of them can be played again alone; neither the executor nor the
    number of threads changes what it comes to. What must not happen in play, such as a counter that leaves
    its range, ends the simulation with the seed that shows it.

    \b
    Examples:
      rulewright simulate GAME -n 1000 --seats 3
      rulewright simulate GAME -n 1000000 --jobs 4
      rulewright simulate GAME --checked --seed 7 --option NAME=VALUE
      rulewright simulate GAME -n 1 --seed 42 --log match.log
    """
    wish = SimulateArgs(game, seats, options, executor, checked, jobs)
    if jobs > 1 and not wish.alone:
        raise click.UsageError("--jobs needs --executor wasm, without --checked")
    playing, heading = _ready(wish)
    with progress(f"simulating {number}", min(number, PARTS) if wish.alone else number) as done:
        tally, broken = run_playouts(playing, number, seed, checked, done)
    again = _again(wish, heading, broken) if broken else ""
    _show(heading, tally, broken, again, seed, as_json)
    if log is not None:
        last = broken.seed if broken else seed + number - 1
        save_log(Path(log), write(_played(wish.opened, last, checked), settings(options), []))
    ctx.exit(int(broken is not None))


def _ready(wish: SimulateArgs) -> tuple[Game | Fast, Heading]:
    """What plays: a module by itself, or the referee step by step."""
    if not wish.alone:
        machine = wish.opened.machine
        return wish.opened, Heading(wish.opened.rules.title, machine.name, machine.digest, machine.seats)
    from interpreter.wasm.build_config import PLAYOUT
    from rulewright.cache import entry

    found = entry(wish.game, wish.seats, settings(wish.options), PLAYOUT, _refused)
    facts = found.facts
    heading = Heading(facts.title, facts.name, facts.digest, len(facts.seats))
    return Fast(found, wish.jobs, lambda: wish.opened), heading


def _refused(file: Path, fault: Fault) -> None:
    diagnostic = fault.diagnostic
    click.echo(
        f"warning[{diagnostic.code}]: {diagnostic.message}; `{file}` is compiled again from the rules",
        err=True,
    )


# ---- playing


def run_playouts(
    playing: Game | Fast, number: int, seed: int, checked: bool, done: Callable[[], None] = lambda: None
) -> tuple[Tally, Broken | None]:
    """Playouts with the seeds `seed`, `seed + 1`, ...; the first fault ends them.

    `done` is called for each playout, or for each hundredth part if a module plays by itself.
    """
    began = perf_counter()
    if isinstance(playing, Fast):
        tally, broken = _run_alone(playing, number, seed, done)
    else:
        tally, broken = _run_steps(playing, number, seed, checked, done)
    tally.seconds = tally.seconds or perf_counter() - began
    return tally, broken


def _run_steps(
    game: Game, number: int, seed: int, checked: bool, done: Callable[[], None]
) -> tuple[Tally, Broken | None]:
    tally = Tally()
    for i in range(number):
        match = Bounded(game, seed + i, checked=checked, keep_history=False)
        try:
            play_out(match, tally.saw)
            tally.add(match)
        except Fault as fault:
            return tally, Broken(i + 1, seed + i, fault, match)
        done()
    return tally, None


def _run_alone(fast: Fast, number: int, seed: int, done: Callable[[], None]) -> tuple[Tally, Broken | None]:
    from interpreter.wasm.program import SharedRun

    tally, began, record = Tally(), perf_counter(), None
    run = SharedRun(fast.entry.code, number, seed, _in_parts(number, done))
    for rows in run.rows(fast.jobs):
        tally.take(rows, fast.entry.facts.seats)
        record = rows.record
    tally.seconds = perf_counter() - began
    if record is None:
        return tally, None
    return tally, _witnessed(fast.opened(), len(tally.decisions), seed, record, tally)


def _in_parts(number: int, done: Callable[[], None]) -> Callable[[int], None]:
    """Counts playouts, and tells of each hundredth part."""
    played = told = 0

    def count(more: int) -> None:
        nonlocal played, told
        played += more
        while told < played * min(number, PARTS) // number:
            told += 1
            done()

    return count


def _witnessed(game: Game, played: int, seed: int, record: tuple[int, ...], tally: Tally) -> Broken:
    """A fault to which a module came, shown again step by step, so that all of it can be told."""
    from interpreter.wasm.faults import fault

    match = Bounded(game, seed + played, keep_history=False)
    try:
        play_out(match, tally.saw)
        match.winners()
        match.accounts()
    except Fault as found:
        return Broken(played + 1, seed + played, found, match)
    return Broken(played + 1, seed + played, fault(game.machine, *record), match)


@dataclass
class Bounded(Match):
    """A match that chance alone does not keep going for ever."""

    draws: int = 0

    def _go(self, act: Callable[[], int], step: MatchStep) -> MatchStep:
        self.draws = 0
        return super()._go(act, step)

    def draw(self) -> tuple[int, MatchStep]:
        self.draws += 1
        if self.draws > MOST_DRAWS:
            raise Fault(RunsForEver(self.game.machine.nodes[self.state[PC]].span, MOST_DRAWS))
        return super().draw()


def play_out(match: Match, saw: Callable[[int], None] = lambda _: None) -> None:
    """Plays to the end: each time any of the waiting decisions, and any of its options. Raises `Fault`."""
    choosing = Choosing(match.seed)
    match.start()
    while not match.over:
        all_waiting = match.waiting()
        waiting = all_waiting[choosing.below(len(all_waiting))]
        saw(len(waiting.options))
        match.take(waiting, waiting.options[choosing.below(len(waiting.options))])


def _played(game: Game, seed: int, checked: bool) -> Match:
    """A playout again, this time with all that a log needs; up to the fault, if it comes to one."""
    match = Bounded(game, seed, checked=checked)
    with suppress(Fault):
        play_out(match)
    return match


def _again(wish: SimulateArgs, heading: Heading, broken: Broken) -> str:
    """The command that shows a fault again."""
    words = ["rulewright", "simulate", wish.game, "-n", "1", "--seats", str(heading.seats)]
    words += ["--seed", str(broken.seed)]
    words += [word for pair in wish.options for word in ("--option", pair)]
    words += ["--executor", wish.executor] if wish.executor else []
    return shlex.join([*words, *(["--checked"] if wish.checked else [])])


# ---- showing


def _show(game: Heading, tally: Tally, broken: Broken | None, again: str, seed: int, as_json: bool) -> None:
    if as_json:
        whole = _object(game, tally, seed) | {"fault": _fault(broken, again) if broken else None}
        echo_json(whole)
    elif tally.decisions:
        click.echo(_text(game, tally))
    if broken:
        complain([broken.fault.diagnostic])
        made = sum(step.seat is not None for step in broken.match.steps)
        where = f"playout {broken.number} (seed {broken.seed}), after {counted(made, 'decision')}"
        click.echo(f"  in {where}\n  to see it again: {again}", err=True)


def _text(game: Heading, tally: Tally) -> str:
    played = len(tally.decisions)
    lines = [
        f"{game.title}: {played} playouts in {tally.seconds:.1f} s",
        f"  {_rate(played, tally):,.1f} playouts/s, {_rate(sum(tally.decisions), tally):,.0f} decisions/s",
        "",
        f"{'seat':<6}{'wins':>9}{'':>8}{'score mean':>14}{'min':>7}{'max':>7}",
    ]
    wins = tally.wins
    for seat, scores in tally.scores.items():
        share, about = wins[seat], Figures.of(scores)
        lines.append(
            f"{seat:<6}{share:>9.1f}{share / played:>8.1%}{about.mean:>z14.1f}{about.least:>7}{about.most:>7}"
        )
    if tally.unwon:
        lines.append(f"nobody{tally.unwon:>9}{tally.unwon / played:>8.1%}")
    lines += ["", f"{'per playout':<20}{'min':>7}{'median':>9}{'mean':>9}{'max':>7}"]
    lines += [_spread("decisions", tally.decisions), _spread("outcomes of chance", tally.outcomes)]
    per = tally.offered / max(1, tally.asked)
    return "\n".join([*lines, "", f"choices per decision: {per:.1f} on average, at most {tally.widest}"])


def _spread(name: str, numbers: list[int]) -> str:
    about = Figures.of(numbers)
    return f"{name:<20}{about.least:>7}{about.median:>9.1f}{about.mean:>9.1f}{about.most:>7}"


@dataclass(frozen=True)
class Figures:
    """What many numbers come to. There may be millions of them, of which few differ."""

    least: int
    median: float
    mean: float
    most: int

    @classmethod
    def of(cls, numbers: list[int]) -> Figures:
        counts = Counter(numbers)
        values, half = sorted(counts), (len(numbers) - 1) // 2
        middle = (_at(counts, values, half), _at(counts, values, len(numbers) // 2))
        mean = sum(value * times for value, times in counts.items()) / len(numbers)
        return cls(values[0], sum(middle) / 2, mean, values[-1])


def _at(counts: Mapping[int, int], values: list[int], place: int) -> int:
    """The number at a place if all stood in order."""
    for value in values:
        place -= counts[value]
        if place < 0:
            return value
    raise IndexError(place)


def _rate(number: int, tally: Tally) -> float:
    return number / max(tally.seconds, 1e-9)


def _object(game: Heading, tally: Tally, seed: int) -> dict[str, object]:
    played = len(tally.decisions)
    return {
        "game": game.name,
        "rules": game.digest,
        "seats": game.seats,
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
    about = Figures.of(numbers)
    return {"min": about.least, "median": about.median, "mean": round(about.mean, 3), "max": about.most}


def _fault(broken: Broken, again: str) -> dict[str, object]:
    (found,) = diagnostic_objects([broken.fault.diagnostic])
    return {"playout": broken.number, "seed": broken.seed, "again": again, **found}
