"""A game for other tables: its pictures, and a file in which they lie as the rules set them up."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, assert_never

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from dsl.wording import counted, listed
from interpreter.game import Game
from interpreter.match import Match
from rulewright.layout.compose import scene
from rulewright.printing.decks import decks_of
from rulewright.printing.kit import effects
from rulewright.rulebook import document as d
from rulewright.rulebook.plain import plain
from rulewright.tabletops import Table
from rulewright.tabletops.arrangement import Arrangement, CounterThing, arranged
from rulewright.tabletops.messages import NothingToExport
from rulewright.tabletops.pictures import make_pictures
from rulewright.tabletops.playground import package
from rulewright.tabletops.screentop import lists
from rulewright.tabletops.simulator import MOST_NOTES, SEATS, saved

WITHOUT_COUNTERS = {"playground": "Tabletop Playground", "screentop": "screentop"}
LOOSE_DPI = 300
"""The pixels of an inch of cards by themselves."""


@dataclass(frozen=True, slots=True)
class Exported:
    """The files of an export, by their paths in its folder, and remarks for who exports."""

    files: Mapping[str, bytes]
    remarks: Sequence[str]
    pictures: int


def export_to(
    table: Table, name: str, game: Game, book: d.Book, folder: Path, address: str | None, *,
    seed: int = 0, dpi: int = LOOSE_DPI, fonts: Sequence[Path] = (),
) -> Exported:  # fmt: skip
    """A game for a table. `address` is where its pictures will lie, else they are found in the folder.

    Raises `DiagnosticError` if there is nothing to make pictures of, and `Fault` if the set-up fails.
    """
    drawn = scene(game.rules, game.machine.seats)
    told = {it.name: effects(book, it) for it in game.rules.components.values()}
    decks = decks_of(game, drawn, told)
    pictures = make_pictures(game, drawn, decks, single=table == "images", dpi=dpi, fonts=fonts)
    if not pictures.files:
        raise DiagnosticError(NothingToExport(NOWHERE, name))
    remarks = [*pictures.remarks]
    if table == "images":
        return Exported(pictures.files, remarks, len(pictures.files))
    arrangement = arranged(Match(game, seed, keep_history=False).start(), drawn, pictures)
    things = arrangement.things
    remarks += _remarks_on_counters(table, arrangement)
    notes, title = plain(book), game.rules.title
    seats = [game.names.seat(seat) for seat in range(game.machine.seats)]
    within, made = "", dict[str, Any]()
    match table:
        case "tts":
            url = _url(folder, address)
            if len(seats) > len(SEATS):
                remarks.append(
                    f"{len(SEATS)} can sit there: {listed(seats[len(SEATS) :], 'and')} share hands"
                )
            if len(notes) > MOST_NOTES:
                remarks.append(f"the notebook has the first {MOST_NOTES:,} characters of the rulebook")
            made = {f"{name}.json": saved(title, game.machine.seats, things, pictures, url, notes)}
        case "playground":
            made, within = package(title, things, pictures, f"{title}\n"), "Textures/"
        case "screentop":
            made = lists(title, seats, things, pictures)
        case _:
            assert_never(table)
    files = {within + file: data for file, data in pictures.files.items()}
    files |= {file: _text(data) for file, data in made.items()}
    return Exported(files, remarks, len(pictures.files))


def _remarks_on_counters(table: Table, arrangement: Arrangement) -> list[str]:
    """Which counters are not on the table."""
    there = sum(isinstance(thing, CounterThing) for thing in arrangement.things)
    if table in WITHOUT_COUNTERS:
        left_out = there + arrangement.counters_left_out
        return [f"{WITHOUT_COUNTERS[table]} has no counters: {left_out} are left out"] if left_out else []
    left_out = arrangement.counters_left_out
    return [f"{counted(left_out, 'counter')} left out: one seat would have too many"] if left_out else []


def _url(folder: Path, address: str | None) -> Callable[[str], str]:
    """Where a picture lies: under an address, or in the folder on this machine."""
    if address is None:
        return lambda file: (folder.absolute() / file).as_uri()
    prefix = address if address.endswith(("/", "=")) else f"{address}/"
    return lambda file: prefix + file


def _text(data: object) -> bytes:
    return (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode()
