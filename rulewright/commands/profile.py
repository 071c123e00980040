"""`rulewright profile`: which lines of the rules take the work of a match, and what could be saved."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from dsl.diagnostics import Label
from dsl.render import marked, printable
from dsl.wording import counted
from rulewright.library import read_rules
from rulewright.terminal.output import activity, echo_json, painted, progress
from rulewright.terminal.parameters import SEED, Whole, json_option, set_up_options, settings

if TYPE_CHECKING:
    from interpreter.wasm.profiled import ProfiledProgram
    from validators.profile.hints import Hint
    from validators.profile.lines import Profile, ProfiledLine

LEAST_SHOWN = 0.005
"""The share from which on a line is shown."""
MOST_COPYING = 3
"""Lines that make trials copy the state, at most."""
MOST_SHOWN = 30
MOST_FAULTS = 100
"""The faults after which no more is played."""
PARTS = 100
"""The number of steps in which progress is shown."""
WIDTH = 72
"""The most characters of a line of the rules that are shown."""


@dataclass(frozen=True)
class Profiled:
    """What playouts of a game have shown."""

    title: str
    name: str
    program: ProfiledProgram
    profile: Profile
    hints: tuple[Hint, ...]
    played: int
    decisions: int
    faults: int

    @property
    def copied(self) -> int:
        """How many words of the state a trial copies; 0 if none has copied it."""
        return self.profile.words // self.profile.copies if self.profile.copies else 0


@click.command(short_help="Show which lines of the rules cost most.")
@click.argument("game")
@click.option("-n", "number", type=Whole(1), default=100, show_default=True, help="How many playouts.")
@set_up_options
@click.option("--seed", type=SEED, default=0, show_default=True, help="The seed of the first playout.")
@json_option
def profile(
    game: str, number: int, seats: int | None, options: tuple[str, ...], seed: int, as_json: bool
) -> None:
    """Show which lines of the rules cost most in a match, and what could be saved.

    Plays matches by random choices, the same as `simulate` with the same seeds, and counts what the program
    executes for each line: its share of all operations, how often it was tried, to find out what can be
    chosen, and how often it was carried out. Hints tell of work that the rules ask for and do not need.
    Operations are counted, not seconds: the numbers are the same on every machine.

    \b
    Examples:
      rulewright profile GAME
      rulewright profile GAME -n 1000 --seats 4
      rulewright profile GAME --option NAME=VALUE --json
    """
    from interpreter.wasm.profiled import ProfiledProgram

    with activity(f"compiling {game}"):
        rules, _ = read_rules(game)
        program = ProfiledProgram(rules, seats, settings(options))
    with progress(f"profiling {number}", min(number, PARTS)) as done:
        played, decisions, faults = play(program, number, seed, done)
    with activity("adding up"):
        found = _examined(rules.title, program, played, decisions, faults)
    if as_json:
        echo_json(_object(found, seed))
    else:
        click.echo("\n".join(_shown(found)))


def play(program: ProfiledProgram, number: int, seed: int, done: Callable[[], None]) -> tuple[int, int, int]:
    """Plays with the seeds `seed`, `seed + 1`, ...: how many came to an end, their decisions, the faults.

    What a playout with a fault has executed counts, too.
    """
    played = decisions = faults = 0
    for at in range(number):
        rows = program.playout(seed + at)
        if rows.record is None:
            played += 1
            decisions += rows.words[0]
        else:
            faults += 1
        if _parts(at + 1, number) > _parts(at, number):
            done()
        if faults == MOST_FAULTS:
            break
    return played, decisions, faults


def _parts(at: int, number: int) -> int:
    """How many parts of all playouts are done."""
    return at * min(number, PARTS) // number


def _examined(title: str, program: ProfiledProgram, played: int, decisions: int, faults: int) -> Profiled:
    from validators.profile.hints import Subject, hints
    from validators.profile.lines import profile_of

    measured = program.measured()
    profile = profile_of(measured)
    subject = Subject(program.rules, program.machine, program.marks, measured, profile, decisions)
    machine = program.machine
    return Profiled(title, machine.name, program, profile, hints(subject), played, decisions, faults)


# ---- output


def _shown(found: Profiled) -> Iterator[str]:
    profile, machine = found.profile, found.program.machine
    yield f"{found.title}, {counted(machine.seats, 'seat')}: {counted(found.played, 'playout')}"
    yield ""
    yield f"{'share':>6}{'in trials':>11}{'tried':>12}{'carried out':>13}  line"
    lines = [line for line in profile.lines if profile.share(line.work) >= LEAST_SHOWN][:MOST_SHOWN]
    width = max((len(line.place) for line in lines), default=0)
    for line in lines:
        share, tried = profile.share(line.work), profile.share(line.in_trials)
        text = printable(line.text if len(line.text) <= WIDTH else line.text[: WIDTH - 3] + "...")
        numbers = f"{share:>6.1%}{tried:>11.1%}{line.tried:>12}{line.carried_out:>13}"
        yield f"{numbers}  {line.place:<{width}}  {text}"
    rest = len(profile.lines) - len(lines)
    if rest:
        left = profile.share(sum(line.work for line in profile.lines) - sum(line.work for line in lines))
        yield f"{left:>6.1%}{'':>36}  {counted(rest, 'other line')}"
    yield f"{profile.share(profile.elsewhere):>6.1%}{'':>36}  no line: matches are begun and counted"
    for hint in found.hints:
        yield ""
        yield painted(_hint(hint))
    yield ""
    yield from _totals(found)


def _hint(hint: Hint) -> str:
    share = f" ({hint.share:.1%} of the work at most)" if hint.share else ""
    head = printable(f"hint[{hint.kind}]: {hint.message}{share}")
    return "\n".join((head, marked(Label(hint.span, hint.label)), printable(f"  help: {hint.advice}")))


def _totals(found: Profiled) -> Iterator[str]:
    profile = found.profile
    each = profile.work / max(1, found.played)
    yield f"{profile.work:,.0f} operations, {each:,.0f} a playout; {counted(found.decisions, 'decision')}"
    yield f"{profile.share(profile.in_trials):.1%} of the work finds out what can be chosen"
    if found.copied:
        yield f"{profile.copies} trials copied the state, {found.copied} words each, for what may happen at"
        copying = sorted((line for line in profile.lines if line.copies), key=lambda line: -line.copies)
        for line in copying[:MOST_COPYING]:
            yield f"{line.copies:>12}  {line.place}  {printable(line.text)}"
    else:
        yield "no trial copied the state"
    if profile.undone:
        yield f"{counted(profile.undone, 'trial')} ran on the state itself, with changes undone"
    if found.faults:
        yield f"{counted(found.faults, 'playout')} ended in a fault: `rulewright simulate` shows it"
    yield counted(len(found.hints), "hint")


def _object(found: Profiled, seed: int) -> dict[str, object]:
    profile, machine = found.profile, found.program.machine
    return {
        "game": found.name,
        "rules": machine.digest,
        "seats": machine.seats,
        "seed": seed,
        "playouts": found.played,
        "faults": found.faults,
        "decisions": found.decisions,
        "operations": round(profile.work),
        "operations_in_trials": round(profile.in_trials),
        "operations_elsewhere": round(profile.elsewhere),
        "copies": profile.copies,
        "words_of_a_copy": found.copied,
        "undone": profile.undone,
        "lines": [_line(profile, line) for line in profile.lines],
        "hints": [_hint_object(hint) for hint in found.hints],
    }


def _line(profile: Profile, line: ProfiledLine) -> dict[str, object]:
    return {
        "file": line.source.name,
        "line": line.number,
        "text": line.text,
        "share": round(profile.share(line.work), 6),
        "operations": round(line.work),
        "operations_in_trials": round(line.in_trials),
        "tried": line.tried,
        "carried_out": line.carried_out,
        "copies": line.copies,
        "words_copied": line.words,
        "undone": line.undone,
    }


def _hint_object(hint: Hint) -> dict[str, object]:
    line, column = hint.span.source.position(hint.span.start)
    return {
        "kind": hint.kind,
        "message": hint.message,
        "label": hint.label,
        "help": hint.advice,
        "share": round(hint.share, 6),
        "file": hint.span.source.name,
        "line": line,
        "column": column,
    }
