"""The score sheet with its clauses, and the winners."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.table import Table
from rich.text import Text

from interpreter.game import Game
from interpreter.match import Match
from rulewright.i18n.messages import Messages
from rulewright.presentation.scores import scores
from rulewright.story.names import TableNames
from rulewright.tui.explain import Explainer
from rulewright.tui.styles import BOLD, DIM, borderless_table, styled
from rulewright.tui.words import kind_name, terminal_messages

HIDDEN = "?"


def account(match: Match, who: int) -> Table:
    """The score sheet as a table: a row per line, a column per seat; `?` for what `who` may not know.

    During a simultaneous choice it is the score from before it, as a line may count what others have.
    """
    game, accounts, known = match.game, match.accounts(), scores(match, who)
    say = terminal_messages(game)
    table = borderless_table(2)
    table.add_column("")
    for seat in accounts:
        table.add_column(styled(game.names.label(seat.seat), BOLD), justify="right")
    table.add_column(styled(say("terminal-by"), DIM))
    for i, (name, _, clauses) in enumerate(accounts[0].lines):
        cells = [_cell(sheet["lines"][i][1]) for sheet in known]
        table.add_row(styled(game.names.score(name)), *map(styled, cells), styled(" ".join(clauses), DIM))
    if len(accounts[0].lines) > 1:
        table.add_row(
            styled(say("table-total"), BOLD),
            *(styled(_cell(sheet["total"]), BOLD) for sheet in known),
        )
    for i, (name, _) in enumerate(accounts[0].tiebreaks):
        cells = [_cell(sheet["ties"][i][1]) for sheet in known]
        line = say("table-tie", line=game.names.score(name))
        table.add_row(styled(line, DIM), *map(styled, cells))
    return table


def _cell(value: int | None) -> str:
    return HIDDEN if value is None else str(value)


def derivation(game: Game, explainer: Explainer) -> Iterator[Text]:
    """The clauses of all score lines, without repetition."""
    marks = [mark for line in game.machine.scores for mark in line.clauses]
    return explainer.cited(dict.fromkeys(marks))


def verdict(match: Match, kinds: Sequence[str]) -> Text:
    """`B (random) wins`, after why the match has ended."""
    say = terminal_messages(match.game)
    text, end = (
        _verdict(say, match, kinds),
        TableNames(match.game, say).end(match.outcome(), match.ended_by()),
    )
    if end:
        text = say("terminal-end-named", end=end, who=text)
    return styled(text, BOLD)


def _verdict(say: Messages, match: Match, kinds: Sequence[str]) -> str:
    label = match.game.names.label
    winners = [
        say("terminal-player", seat=label(name), kind=kind_name(say, kinds[match.game.seat_number(name)]))
        for name in match.winners()
    ]
    decided = match.game.machine.is_decided(match.state)
    if len(kinds) == 1:
        end = ("won" if winners else "lost") if decided else "over"
        return say(f"terminal-end-{end}")
    if not winners:
        return say("terminal-nobody-wins")
    if len(winners) == 1:
        return say("terminal-wins", seat=winners[0])
    if len(winners) == len(kinds) and decided:
        return say("terminal-everybody-wins")
    return say("terminal-win" if decided else "terminal-share", seats=say.list(winners))


def placing(match: Match) -> Text | None:
    """`1 B · 2 A and C · 4 D`, if there are more than two seats and not all have the same place."""
    by_place: dict[int, list[str]] = {}
    for seat, place in enumerate(match.places()):
        names = match.game.names
        by_place.setdefault(place, []).append(names.label(names.seat(seat)))
    if match.game.machine.seats < 3 or len(by_place) < 2:
        return None
    say = terminal_messages(match.game)
    return styled(" · ".join(f"{place} {say.list(by_place[place])}" for place in sorted(by_place)), DIM)
