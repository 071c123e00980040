"""Every library game that OpenSpiel has, beside its C++: moves a second, and their means by group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import geometric_mean

from benchmarks import playouts
from benchmarks.contestants.openspiel import ROLLOUTS
from benchmarks.contestants.ours import WASM
from benchmarks.contestants.plain_c import PLAIN_C
from benchmarks.games import HELD_OUT, Entry
from benchmarks.playouts import Course, Playouts
from benchmarks.recorded import RECORDED, by
from benchmarks.slices import Pace, ratio
from benchmarks.table import Cell, Table

LINEUP = (WASM, ROLLOUTS, PLAIN_C)

COLUMNS = (
    "game",
    "group",
    "wasm, moves/s",
    "OpenSpiel, moves/s",
    "times",
    "by playouts",
    "wasm, moves each",
    "OpenSpiel, moves each",
    "wasm, first seat wins",
    "OpenSpiel, first seat wins",
    "mark",
)

GROUPS = ("untuned", "tuned")


@dataclass(frozen=True)
class Row:
    """One game. `playouts` are those of ours a second, `times` how many times as many that is.

    `moves` and `their_moves` are those of a playout; nothing where ours cannot be counted as OpenSpiel's are.
    """

    name: str
    playouts: float
    their_playouts: float
    times: float
    moves: float | None
    their_moves: float
    wins: float | None = None
    their_wins: float | None = None
    cut: str = ""
    mark: str = ""
    note: str = ""
    plain_c: float | None = None

    @property
    def group(self) -> str:
        return "untuned" if self.name in HELD_OUT else "tuned"

    @property
    def by_moves(self) -> float | None:
        """How many times as many moves a second."""
        return None if self.moves is None else self.times * self.moves / self.their_moves

    @property
    def alike(self) -> bool:
        """Whether both play the same game by the same choices."""
        return not self.cut and not self.mark

    @property
    def comparable(self) -> bool:
        """Whether moves can be compared, at least."""
        return self.alike or (bool(self.cut) and self.moves is not None)


def measure(entries: Sequence[Entry], pace: Pace) -> list[Table]:
    entries = [entry for entry in entries if entry.openspiel]
    found = playouts.measure(entries, LINEUP, pace)
    rows = [row for entry in entries if (row := _row(entry, found)) is not None]
    return [headline(rows), table(rows, playouts.absences(found, (WASM.name, ROLLOUTS.name))), peers(rows)]


def _row(entry: Entry, found: Playouts) -> Row | None:
    """Nothing if one of both takes no part, or nobody knows how long OpenSpiel's playouts are."""
    wasm, openspiel = found.find(entry.name, WASM.name), found.find(entry.name, ROLLOUTS.name)
    c = found.find(entry.name, PLAIN_C.name)
    if wasm is None or openspiel is None or entry.yardstick is None:
        return None
    return Row(
        entry.name,
        wasm.task.rate,
        openspiel.task.rate,
        ratio(wasm.task, openspiel.task),
        _moves(entry, wasm),
        entry.yardstick.decisions,
        wasm.tally.wins_each,
        entry.yardstick.wins,
        entry.cut,
        "" if entry.cut else "; ".join(filter(None, (wasm.mark, openspiel.mark))),
        openspiel.player.note,
        None if c is None else ratio(wasm.task, c.task),
    )


def _moves(entry: Entry, wasm: Course) -> float | None:
    """Moves of ours in a playout: each decision is one, unless it is unknown how many belong to a move."""
    return wasm.tally.decisions_each if entry.whole_actions or not entry.cut else None


# ---- shown


def headline(rows: Sequence[Row]) -> Table:
    """Geometric means of how many times as many moves a second, first of the group nobody tuned for."""
    found = Table("library_headline", "Library: moves a second, times OpenSpiel's C++", HEADLINE)
    for group in (*GROUPS, "all"):
        members = [row for row in rows if group in (row.group, "all")]
        alike = [row for row in members if row.alike]
        comparable = [row for row in members if row.comparable]
        found.rows += [
            _mean(group, "the same choices", alike, members),
            _mean(group, "and cut ones, by moves", comparable, members),
        ]
    found.notes = [
        "geometric means; the headline is the first line: games that nobody tuned for, by the same choices",
        "by moves: with games that cut some actions otherwise, but whose moves can be counted",
    ]
    return found


HEADLINE = ("group", "games with", "times", "least", "most", "games", "left out")


def _mean(group: str, what: str, rows: Sequence[Row], members: Sequence[Row]) -> tuple[Cell, ...]:
    times = [float(row.by_moves) for row in rows if row.by_moves is not None]
    left_out = ", ".join(sorted(row.name for row in members if row not in rows))
    if not times:
        return (group, what, None, None, None, 0, left_out)
    return (group, what, geometric_mean(times), min(times), max(times), len(times), left_out)


def table(rows: Sequence[Row], absences: Sequence[str]) -> Table:
    found = Table("library", "Library games beside OpenSpiel's C++ rollouts", COLUMNS)
    for group in GROUPS:
        members = [row for row in rows if row.group == group]
        found.rows += [_cells(row) for row in sorted(members, key=lambda row: row.name)]
    found.notes = [
        "a move is what OpenSpiel asks as one action, less what only has to be passed",
        "times: moves a second by OpenSpiel's; by playouts: the same for whole playouts",
        *absences,
    ]
    return found


def _cells(row: Row) -> tuple[Cell, ...]:
    return (
        row.name,
        row.group,
        None if row.moves is None else row.playouts * row.moves,
        row.their_playouts * row.their_moves,
        row.by_moves,
        row.times,
        row.moves,
        row.their_moves,
        None if row.wins is None else round(row.wins, 3),
        row.their_wins,
        "; ".join(filter(None, (f"cut: {row.cut}" if row.cut else "", row.mark, row.note))),
    )


def peers(rows: Sequence[Row]) -> Table:
    """The recorded figures of peers that are not installed, beside ours of this run."""
    found = Table("library_peers", "Compiled by others: recorded ratios, and ours of this run", PEERS)
    measured = {row.name: row for row in rows}
    for name, kept in RECORDED.items():
        row = measured.get(name)
        found.rows.append(
            (
                name,
                by(kept.rbg, kept.plain_c),
                by(kept.bit_boards, kept.plain_c),
                row.plain_c if row else None,
                by(kept.rbg, kept.openspiel),
                by(kept.bit_boards, kept.openspiel),
                row.times if row else None,
            )
        )
    found.notes = ["recorded in one run on another machine, see recorded.py; wasm: this run; by playouts"]
    return found


PEERS = (
    "game",
    "RBG / plain C",
    "bit boards / plain C",
    "wasm / plain C",
    "RBG / OpenSpiel's C++",
    "bit boards / OpenSpiel's C++",
    "wasm / OpenSpiel's C++",
)
