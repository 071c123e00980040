"""Uniformly random playouts: everybody who has a game, side by side, game by game."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import geometric_mean

from benchmarks.contestants.contestant import Contestant, Player, Unavailable
from benchmarks.games import Entry
from benchmarks.slices import Pace, Task, interleave, one_core, ratio
from benchmarks.table import Table
from benchmarks.tally import Figures, Tally, differs

LOOKED_AT = 2_000
"""How many playouts `look` is asked for where `play` leaves figures open, if they are short."""

LOOK_SLICES = 8
"""How many slices as many playouts took, else."""

COLUMNS = (
    "game",
    "contestant",
    "playouts/s",
    "decisions/s",
    "wasm is x times",
    "decisions each",
    "first seat wins",
    "mark",
)

OURS = ("wasm", "reference")

HEADLINES = (("wasm", "c"), ("wasm", "openspiel-c++"), ("wasm", "openspiel-python"), ("wasm", "reference"))


@dataclass
class Course:
    """One contestant at one game, measured."""

    game: str
    contestant: str
    task: Task
    tally: Tally
    player: Player
    mark: str = ""

    @property
    def other_game(self) -> bool:
        """Whether its rates mean something else than those of others."""
        return bool(self.mark)


@dataclass
class Playouts:
    """All courses, and who could not take part in what."""

    courses: list[Course] = field(default_factory=list)
    absent: dict[tuple[str, str], str] = field(default_factory=dict)

    def find(self, game: str, contestant: str) -> Course | None:
        found = (c for c in self.courses if (c.game, c.contestant) == (game, contestant))
        return next(found, None)


def measure(entries: Sequence[Entry], lineup: Sequence[Contestant], pace: Pace) -> Playouts:
    found = Playouts()
    with one_core():
        for entry in entries:
            print(f"playouts of {entry.name} …", file=sys.stderr, flush=True)
            seated = [course for c in lineup if (course := _seated(entry, c, found)) is not None]
            interleave([course.task for course in seated], pace)
            _look(seated, pace)
            _mark(entry, seated)
            found.courses += seated
    return found


def _seated(entry: Entry, contestant: Contestant, found: Playouts) -> Course | None:
    try:
        player = contestant.sit(entry)
    except Unavailable as reason:
        found.absent[entry.name, contestant.name] = str(reason)
        return None
    except Exception as error:  # whoever breaks is left out, and named
        found.absent[entry.name, contestant.name] = f"IT BREAKS: {type(error).__name__}: {error}"
        return None
    tally = Tally()

    def run(number: int) -> float:
        played = player.play(number)
        tally.add(played)
        return played.playouts

    return Course(entry.name, contestant.name, Task(contestant.name, run), tally, player)


def _look(courses: Iterable[Course], pace: Pace) -> None:
    """Figures that the timed playouts left open come from slower ones."""
    for course in courses:
        if course.player.look is not None:
            number = round(course.task.rate * LOOK_SLICES * pace.seconds)
            course.tally = course.player.look(max(1, min(LOOKED_AT, number)))


def _mark(entry: Entry, courses: Sequence[Course]) -> None:
    yardstick = entry.yardstick or _own(courses)
    for course in courses:
        if yardstick is not None and differs(course.tally, yardstick):
            course.mark = _difference(entry, course.contestant)


def _difference(entry: Entry, contestant: str) -> str:
    """What it means that a contestant's figures differ. That our rules do not, `benchmarks.agree` shows."""
    if contestant in OURS:
        return f"OTHER CHOICES: {entry.cut or 'parameter by parameter'}"
    return "ANOTHER GAME"


def _own(courses: Sequence[Course]) -> Figures | None:
    """For games that nobody else has: the figures of the reference executor."""
    for course in courses:
        length, wins = course.tally.decisions_each, course.tally.wins_each
        if course.contestant == "reference" and length is not None and wins is not None:
            return Figures(length, wins, course.tally.playouts)
    return None


# ---- shown


def tables(found: Playouts) -> list[Table]:
    return [headline(found), _table(found)]


def _table(found: Playouts) -> Table:
    table = Table("playouts", "Uniformly random playouts", COLUMNS)
    for course in found.courses:
        table.rows.append(_row(course, found.find(course.game, "wasm")))
    table.notes = absences(found)
    return table


def _row(course: Course, wasm: Course | None) -> tuple[str | float | None, ...]:
    rate, each, wins = course.task.rate, _length(course), course.tally.wins_each
    times = ratio(wasm.task, course.task) if wasm is not None else None
    shown = None if wins is None else round(wins, 3)
    decisions = None if each is None else rate * each
    return (course.game, course.contestant, rate, decisions, times, each, shown, _remark(course))


def _length(course: Course) -> float | None:
    return course.tally.decisions_each


def _remark(course: Course) -> str:
    return "; ".join(text for text in (course.mark, course.player.note) if text)


def absences(found: Playouts, of: Sequence[str] = ()) -> list[str]:
    """Who takes no part in what, and why; of those contestants alone, if some are named."""
    absent: dict[tuple[str, str], list[str]] = {}
    for (game, contestant), reason in found.absent.items():
        if not of or contestant in of:
            absent.setdefault((contestant, reason), []).append(game)
    return [f"{who} takes no part in {', '.join(games)}: {why}" for (who, why), games in absent.items()]


def headline(found: Playouts) -> Table:
    """Geometric means of how many times as fast one contestant is as another, over games both play alike."""
    table = Table("headline", "How many times as fast", ("left", "right", "times", "games", "over"))
    for left, right in HEADLINES:
        times = ratios(found, left, right)
        mean = geometric_mean(times.values()) if times else None
        table.rows.append((left, right, mean, len(times), ", ".join(times)))
    table.notes.append("geometric means of medians of ratios; a course that plays another game is left out")
    return table


def ratios(found: Playouts, left: str, right: str) -> dict[str, float]:
    """By game: the rate of the one by that of the other."""
    times = {}
    for one in found.courses:
        other = found.find(one.game, right)
        if one.contestant == left and other is not None and not (one.other_game or other.other_game):
            times[one.game] = ratio(one.task, other.task)
    return times
