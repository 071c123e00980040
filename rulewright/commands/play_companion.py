"""`rulewright play --companion`: a match at a physical table, followed in the terminal."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import NoReturn

from dsl.diagnostics import DiagnosticError
from dsl.rules import Rules
from dsl.source import NOWHERE
from interpreter.companion import Companion
from interpreter.companion_log import Record, resumed
from interpreter.compile.program import compile_rules
from interpreter.messages import TornLog
from rulewright.matches.messages import NotAtAPhysicalTable
from rulewright.matches.saves import check_game, options_of
from rulewright.matches.seats import HUMAN, seats_of
from rulewright.matches.told_file import ToldFile, open_told, read_told
from rulewright.sentences.worded_game import worded_game
from rulewright.terminal.output import complain
from rulewright.terminal.parameters import settings
from rulewright.tui.companion_table import CompanionTable
from rulewright.tui.screen import standard
from rulewright.tui.session import Leave, same_file

INTERRUPTED = 130
SEED_BITS = 64


def follow(
    rules: Rules, seats: str | None, players: int | None, options: tuple[str, ...], log: Path | None,
    resume: Path | None,
) -> int:  # fmt: skip
    """Follow a match at a physical table to its end. Returns the exit code."""
    record = _new(rules, seats, players, options) if resume is None else _resumed(rules, resume)
    path = log or resume
    same = resume is not None and path is not None and (path == resume or same_file(path, resume))
    file = open_told(path, record.text(), same) if path is not None else None
    try:
        return _run(CompanionTable(record, standard(), file), rules.name)
    finally:
        if file is not None:
            file.close()


def check_companion(seed: int | None, executor: bool) -> None:
    """Raises `DiagnosticError` for options that make no sense at a physical table: a seed, an executor."""
    if seed is not None:
        _refuse("`--seed`", "chance comes from your own dice and cards")
    if executor:
        _refuse("`--executor`", "leave it out")


def _refuse(what: str, hint: str) -> NoReturn:
    raise DiagnosticError(NotAtAPhysicalTable(NOWHERE, what, hint))


def _new(rules: Rules, seats: str | None, players: int | None, options: tuple[str, ...]) -> Record:
    kinds = seats_of(rules, seats, players, True)
    if seats is not None and not seats.strip().isdigit() and any(kind != HUMAN for kind in kinds):
        _refuse("a bot", "people play all seats: give their number, as `--seats 3`")
    chosen = settings(options)
    game = worded_game(rules, compile_rules(rules, len(kinds), chosen))
    record = Record(Companion(game, seed=secrets.randbits(SEED_BITS)), dict(chosen))
    record.start()
    return record


def _resumed(rules: Rules, path: Path) -> Record:
    saved = read_told(path)
    check_game(saved, rules)
    with options_of(saved):
        game = worded_game(rules, compile_rules(rules, saved.seats, saved.options))
    record = resumed(game, saved)
    if saved.torn is not None:
        complain([TornLog(saved.span, saved.torn.line, saved.torn.size)])
    return record


def _run(table: CompanionTable, game: str) -> int:
    """Follows the match, and says where it is kept. Returns the exit code."""
    code = 0
    try:
        table.run()
    except (Leave, EOFError):
        table.screen.say("")
    except KeyboardInterrupt:
        table.screen.say("")
        code = INTERRUPTED
    _show_where_kept(table.file, game, table)
    return code


def _show_where_kept(file: ToldFile | None, game: str, table: CompanionTable) -> None:
    say = table.say
    if file is None:
        table.screen.say(say("terminal-not-kept-told"))
    elif table.companion.match.over:
        table.screen.say(say("terminal-kept-in", file=str(file.path)))
    else:
        command = f"rulewright play {game} --companion --resume {file.path}"
        table.screen.say(say("terminal-kept-resume", command=command))
