"""Everything that the programs around the referee show to one watcher of a match."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from functools import cache

from rich.console import Console

from dsl.source import Source, Span
from interpreter import ir
from interpreter.game import Game
from interpreter.log import Log
from interpreter.match import Match
from interpreter.unseen import as_offered
from rulewright.commands import replay
from rulewright.matches.undo import number_of_choices
from rulewright.tui.board import board, heading
from rulewright.tui.explain import Explainer
from rulewright.tui.menu import menu_of, shown
from rulewright.tui.score_sheet import account
from rulewright.tui.screen import Screen
from rulewright.tui.session import Session, SessionConfig
from rulewright.tui.story import Story
from rulewright.tui.words import terminal_messages

WIDTH = 100
Shown = Callable[[Match, int], object]
SEEDS = ("seed", "commitment")


def everything(match: Match, watcher: int) -> object:
    """As it is replayed, and as it is shown at the table."""
    return replayed(match, watcher), at_the_table(match, watcher), drawn(match, watcher)


def briefly(match: Match, watcher: int) -> object:
    """The same without the pictures, which take long."""
    return replayed(match, watcher), at_the_table(match, watcher)


def now_and_then(shows: Shown, every: int) -> Shown:
    """Only at each so many-th decision: it takes long."""

    def found(match: Match, watcher: int) -> object:
        return shows(match, watcher) if match.state[ir.DECISIONS] % every == 0 else ""

    return found


def replayed(match: Match, watcher: int) -> object:
    """What `replay --seat` prints, for people and for programs, with the position. Not of seeds."""
    log = _log(match)
    whole = replay._object(log, match, watcher, True, True)
    told = {key: value for key, value in whole.items() if key not in SEEDS}
    return list(replay._text(replay._Report(log, match, watcher, terminal_messages(match.game)), True))[
        1:
    ], json.dumps(told)


def _log(match: Match) -> Log:
    machine, span = match.game.machine, Span(Source("match.log", ""), 0, 0)
    return Log(machine.name, machine.digest, machine.seats, {}, match.seed, [], (), False, None, span)


def at_the_table(match: Match, watcher: int) -> object:
    """The story as the terminal tells it, who is called to the screen, and what the commands answer."""
    news = Story(match, [watcher] if watcher >= 0 else []).all(watcher)
    if match.over:
        return news
    session = _session(match)
    called = [
        session.is_automatic(match.state, waiting) for waiting in match.waiting() if waiting.seat != watcher
    ]
    score = [str(cell) for column in account(match, watcher).columns for cell in column.cells]
    return news, called, score, _answers(session, watcher) if watcher >= 0 else ()


def _answers(session: Session, watcher: int) -> object:
    """The heading of each decision, its menu with what explains it, and how much `undo` would take back."""
    match, explainer = session.match, _explainer(session.game)
    own = game_seat(match, watcher)
    found: list[object] = [number_of_choices(match, own, session.is_automatic, 1)]
    for decision in (d for d in match.decisions() if d.waiting.seat == watcher):
        menu = menu_of(match.game, as_offered(match, decision))
        found += [str(text) for text in explainer.decision(match, decision)]
        found += [(item.key, item.text, item.row, item.rest, item.help) for item in menu.items]
        found += [str(text) for item in menu.items for text in explainer.item(item)]
    return found


def drawn(match: Match, watcher: int) -> str:
    """The screen of the seat that is asked: its board and its menu."""
    if watcher < 0:
        return ""
    session = _session(match)
    out = io.StringIO()
    console = Console(file=out, width=WIDTH, color_system=None)
    model = session.view_model(watcher, 10_000)
    console.print(heading(model))
    console.print(board(model, console, WIDTH))
    for decision in match.offered_to(watcher):
        console.print(shown(menu_of(match.game, decision), console, WIDTH, 10_000))
    return out.getvalue()


def game_seat(match: Match, watcher: int) -> str:
    return match.game.names.seat(watcher)


@cache
def _explainer(game: Game) -> Explainer:
    return Explainer(game)


def _session(match: Match) -> Session:
    """A table at which all are people; it knows of the game what the last one for it knew."""
    screen = Screen(Console(file=io.StringIO(), width=WIDTH))
    session = Session(match, SessionConfig(["human"] * match.game.machine.seats, {}), screen)
    before = _known(match.game)
    if before:
        session.observed = before[0].observed
        session.public_values = before[0].public_values
    else:
        before.append(session)
    return session


@cache
def _known(game: Game) -> list[Session]:
    return []
