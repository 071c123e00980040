"""`rulewright replay`: replays a match from its log."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import assert_never

import click

from dsl.declare.presets import is_name
from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from interpreter.beliefs.beliefs import Beliefs, believe
from interpreter.beliefs.opponents import OpponentModel
from interpreter.beliefs.seat_log import SeatLog
from interpreter.early_end import EarlyEnd, plain
from interpreter.events import Changed
from interpreter.game import Decision, ExecutorKind, Game, MatchStep
from interpreter.log import Log
from interpreter.match import Match, ScoreSheet
from interpreter.messages import BrokenLog, Fault, OtherRules, OtherSeed, TornLog
from interpreter.opening import Opening
from interpreter.replay import fits, replay as replay_log
from interpreter.sights import REFEREE, SPECTATOR
from interpreter.unseen import as_offered
from interpreter.views import View
from rulewright.i18n.messages import Messages
from rulewright.learn.model_names import model_named
from rulewright.library import bundled, in_language, open_game
from rulewright.matches.saves import options_of, read_log_or_notation
from rulewright.messages import NoSuchSeat, NoSuchStep, PresetInAFile, UnknownGameOfLog
from rulewright.presentation.beliefs import beliefs_json
from rulewright.story.lines import step_lines
from rulewright.story.names import TableNames
from rulewright.terminal.output import activity, complain, echo_json
from rulewright.terminal.parameters import Whole, executor_option, json_option, language_option
from rulewright.tui.beliefs import beliefs_lines
from rulewright.tui.words import kind_name, terminal_messages


@click.command(short_help="Play a match again from its log.")
@click.argument("log")
@click.option("--verify/--no-verify", default=True, help="Refuse changed logs and other rules (default).")
@click.option("--step", type=Whole(), metavar="K", help="Go only so far, and show the position there.")
@click.option("--seat", metavar="SEAT", help="Tell only what this seat may know.")
@click.option("--beliefs", metavar="SEAT", help="Tell it as to this seat, and what it may believe there.")
@click.option("--model", metavar="MODEL", help="For --beliefs, how others choose: search:100, policy:FILE.")
@click.option("--notation", is_flag=True, help="Write it in short, as people copy it.")
@click.option("--game", "path", metavar="GAME", help="Where the ruleset is, if it is not bundled.")
@click.option("--small", metavar="PRESET", help="The preset; needed if it is a file.")
@executor_option("wasm", "What plays it.")
@language_option("The language in which it is told (default: the game's first).")
@json_option
def replay(
    log: str,
    verify: bool,
    step: int | None,
    seat: str | None,
    beliefs: str | None,
    model: str | None,
    notation: bool,
    path: str | None,
    small: str | None,
    executor: ExecutorKind,
    language: str | None,
    as_json: bool,
) -> None:
    """Play a match again from its log, and show its course and result.

    Every choice and every outcome of chance is a step. The log is verified on the way: its seals, the
    rules it was written under, the commitment to its seed, and the state after each step. LOG may be - for
    standard input. A log that breaks off in the middle of a line ends before that line, and a message says
    so.

    LOG may also be a notation, the short text that a page copies and --notation writes: what was chosen and
    what chance brought, in the words of the rules. It has no seals; the rules refuse what they do not allow.

    With --seat a step is what the seat is told of, counted for it. The seed is not shown before the end of
    the match, only the hash that commits to it; then seed and nonce, which open it.

    With --beliefs it is told as with --seat, and then what lies where the seat does not see it, with what
    chance: from the rules and from what the seat was told alone. What others chose counts by a --model of
    how they choose.

    \b
    Examples:
      rulewright replay match.log
      rulewright replay match.log --step 20 --seat A
      rulewright replay match.log --notation
      rulewright replay match.log --step 20 --beliefs A
      rulewright replay match.log --step 20 --beliefs A --model search:100
      rulewright replay match.log --no-verify --game path/to/ruleset
    """
    if beliefs is not None and seat is not None and beliefs.lower() != seat.lower():
        raise click.UsageError("--beliefs is told to its own seat: leave out --seat")
    if model is not None and beliefs is None:
        raise click.UsageError("--model is for what a seat believes: add --beliefs SEAT")
    if notation and (seat is not None or beliefs is not None or step is not None or as_json):
        raise click.UsageError(
            "--notation is of the whole match: leave out --seat, --beliefs, --step, --json"
        )
    others = model_named(model) if model is not None else None
    with activity(f"reading {log}") as told:
        found, in_short = read_log_or_notation(log, trusted=not verify)
        game = _open(found, path, small, executor, language)
        watcher = _watcher(game, beliefs or seat)
        told("playing it again")
        match = _replayed(game, found, watcher, verify, _log_steps(game, found, watcher, verify, step))
    if notation:
        click.echo(in_short, nl=False)
        return
    if found.torn is not None and watcher == REFEREE:
        complain([TornLog(found.span, found.torn.line, found.torn.size)])
    with activity("working out what may be believed"):
        believed = _believed(match, watcher, others) if beliefs is not None else None
    if as_json:
        whole = _object(found, match, watcher, verify, step is not None)
        echo_json(whole if believed is None else {**whole, "beliefs": beliefs_json(believed)})
    else:
        report = _Report(found, match, watcher, terminal_messages(game))
        lines = [*_text(report, step is not None)]
        click.echo("\n".join(lines if believed is None else [*lines, "", *beliefs_lines(believed)]))


def _believed(match: Match, watcher: int, model: OpponentModel | None) -> Beliefs:
    """What a seat may believe."""
    return believe(match.game, SeatLog.of(match, watcher), model=model)


def _replayed(game: Game, log: Log, watcher: int, verify: bool, step: int | None) -> Match:
    """The replayed match. Raises `Fault`; for a seat, its message reveals nothing of the log."""
    try:
        return replay_log(game, log, verify, step).match
    except Fault as fault:
        if watcher == REFEREE or isinstance(fault.diagnostic, OtherRules | OtherSeed):
            raise
        why = "the match cannot be replayed as the log says"
        hint = "leave out `--seat` to see where, and why"
        raise Fault(BrokenLog(log.span, why, hint)) from None


def _log_steps(game: Game, log: Log, watcher: int, verify: bool, step: int | None) -> int | None:
    """How many steps of the log are played: for a seat, those before what it is told of after `step` things.

    Raises `DiagnosticError` if so much has not happened.
    """
    if step is None:
        return None
    known = len(log.entries)
    if watcher != REFEREE:
        match = _replayed(game, log, watcher, verify, None)
        told = [step for step, _ in _steps(match, watcher)]
        if step < len(told):
            at = next(i for i, other in enumerate(match.steps) if other is told[step])
            return sum(1 for other in match.steps[:at] if other.seat or other.stream)
        known = len(told)
    if step > known:
        raise DiagnosticError(NoSuchStep(NOWHERE, str(step), known))
    return step if watcher == REFEREE else None


def _open(
    log: Log, path: str | None, small: str | None, executor: ExecutorKind, language: str | None
) -> Game:
    """The game of a log.

    Raises `DiagnosticError` if it is not found, `Fault` if it does not accept the options of the log.
    """
    if path is None and log.game not in bundled():
        raise DiagnosticError(UnknownGameOfLog(NOWHERE, log.game))
    if small is None and log.small is not None and not is_name(log.small):
        raise DiagnosticError(PresetInAFile(log.span, log.small))
    with options_of(log):
        game = open_game(path or log.game, log.seats, log.options, executor, small or log.small)
    if language is None:
        return game
    return Game(in_language(game.ruleset, language), game.machine, executor, game.wording)


def _watcher(game: Game, seat: str | None) -> int:
    """The watcher: a seat, spectator or referee. Raises `DiagnosticError` for an unknown seat."""
    if seat is None:
        return REFEREE
    names = [game.names.seat(i) for i in range(game.machine.seats)]
    found = next((i for i, name in enumerate(names) if name.lower() == seat.lower()), None)
    if found is not None:
        return found
    if seat.lower() == "spectator":
        return SPECTATOR
    raise DiagnosticError(NoSuchSeat(NOWHERE, seat, ", ".join((*names, "spectator"))))


# ---- text


@dataclass(frozen=True, slots=True)
class _Report:
    """What is told of a match that has been played again, to whom, and in which words."""

    log: Log
    match: Match
    watcher: int
    say: Messages

    @property
    def sees_seed(self) -> bool:
        known = self.log.hashed or self.log.seed != 0  # else it has a seed only where that brings something
        return known and _may_see_seed(self.match, self.watcher)


def _text(report: _Report, position: bool) -> Iterator[str]:
    log, match, watcher, say = report.log, report.match, report.watcher, report.say
    yield _head(report)
    if log.opening is not None:
        yield from _opening(report, log.opening)
    yield ""
    steps = _steps(match, watcher)
    for number, (_, lines) in enumerate(steps, start=1):
        yield from _step_lines(number, lines)
    if position:
        after = say("terminal-replay-position", number=len(steps))
        yield from ("", after, *_position(say, match.view(watcher)))
    yield ""
    if match.over:
        yield from _result(report)
    elif log.ended is not None and not position:
        yield from _ended(say, log.ended)
    else:
        yield from _waiting(report)
    if log.torn is not None:
        yield say("terminal-replay-torn")
    if log.commitment is not None:
        yield from _commitment(report)


def _opening(report: _Report, opening: Opening) -> Iterator[str]:
    """That the match began from a position; what it was is the referee's, since some of it may be hidden."""
    say = report.say
    if opening.carried:
        yield say("terminal-replay-carried")
        yield from _carried(report, opening)
        return
    if opening.at is None:
        yield say("terminal-replay-begun")
    else:
        yield say("terminal-replay-begun-at", phase=opening.at, seat=str(opening.seat))
    if report.watcher == REFEREE:
        yield from (f"  {address}: {', '.join(names)}" for address, names in opening.values)


def _carried(report: _Report, opening: Opening) -> Iterator[str]:
    """What the match has carried over, as far as the watcher sees it."""
    views, steps = report.match.game.views, report.match.steps
    told = views.redacted(steps[0].events, report.watcher) if report.watcher != REFEREE else steps[0].events
    known = {str(views.named(event)[1]) for event in told if isinstance(event, Changed)}
    yield from (f"  {address}: {', '.join(names)}" for address, names in opening.values if address in known)


def _may_see_seed(match: Match, watcher: int) -> bool:
    """Whether a watcher may see the seed, which reveals everything: a seat only after the match."""
    return watcher == REFEREE or match.over


def _commitment(report: _Report) -> Iterator[str]:
    log, say = report.log, report.say
    yield say("terminal-commitment", commitment=str(log.commitment))
    if report.sees_seed:
        message = "terminal-replay-fits" if fits(log) else "terminal-replay-does-not-fit"
        yield f"  {say(message, seed=str(log.seed), nonce=str(log.nonce))}"


def _head(report: _Report) -> str:
    log, say, names = report.log, report.say, report.match.game.names
    set_up = [say("terminal-replay-seats", number=log.seats)]
    set_up += [say("terminal-replay-seed", seed=str(log.seed))] if report.sees_seed else []
    set_up += [f"{name}={value}" for name, value in log.options.items()]
    set_up += [
        say("terminal-replay-player", seat=names.label(names.seat(i)), kind=kind_name(say, who))
        for i, who in enumerate(log.players[: log.seats])
    ]
    return click.style(report.match.game.rules.title, bold=True) + f" ({', '.join(set_up)})"


def _steps(match: Match, watcher: int) -> list[tuple[MatchStep, list[str]]]:
    """Choices and outcomes, each with what began with it; for a seat, those that it is told of.

    What began before the first is told with it.
    """
    told = step_lines(TableNames.of(match.game), match, watcher)
    steps = [(at, step) for at, step in enumerate(match.steps) if step.seat or step.stream]
    if steps and 0 in told:
        told[steps[0][0]] = told.pop(0) + told.get(steps[0][0], [])
    return [(step, told.get(at, [])) for at, step in steps if watcher == REFEREE or at in told]


def _step_lines(number: int, lines: list[str]) -> Iterator[str]:
    for i, line in enumerate(lines):
        yield f"{number:>5}  {line}" if i == 0 else f"{'':>5}      {line}"


def _position(say: Messages, view: View) -> Iterator[str]:
    """All zones, counters, marks and pointers that are not empty, in the words of the rules."""
    yield f"  {say('terminal-replay-phase', phase=view.phase, seat=view.active)}"
    for address, pieces in view.zones.items():
        if pieces or pieces is None:
            yield f"  {address}: {_pieces(say, pieces)}"
    yield from (f"  {address}: {value}" for address, value in view.counters.items() if value)
    yield from (f"  {address}" for address, set_ in view.marks.items() if set_)
    yield from (f"  {address}: {to}" for address, to in view.pointers.items() if to not in (None, "none"))
    for name, value in view.chosen.items():
        yield f"  {say('terminal-replay-chosen', what=f'{name} {value}')}"


def _pieces(say: Messages, pieces: list[str] | int | None) -> str:
    if pieces is None:
        return say("terminal-replay-unknown")
    return say("terminal-replay-unseen", number=pieces) if isinstance(pieces, int) else ", ".join(pieces)


def _waiting(report: _Report) -> Iterator[str]:
    say = report.say
    yield say("terminal-replay-not-over")
    for decision in report.match.decisions():
        seat = report.match.game.names.label(decision.seat)
        choices = _choices(report.match, decision, report.watcher)
        if choices is None:
            yield f"  {say('terminal-replay-has-to-choose', seat=seat)}"
        else:
            yield f"  {say('terminal-replay-chooses-of', seat=seat, choices=', '.join(choices))}"


def _choices(match: Match, decision: Decision, watcher: int) -> list[str] | None:
    """The choices as the watcher may see them; None if another seat is asked."""
    if watcher == REFEREE:
        return [choice.text for choice in decision.choices]
    if decision.waiting.seat != watcher:
        return None
    return [choice.text for choice in as_offered(match, decision).choices]


def _ended(say: Messages, end: EarlyEnd) -> Iterator[str]:
    """What has ended a match before its rules did."""
    seat = end.seat
    match end.by:
        case "resignation" if seat is None:
            why = say("terminal-replay-resigned")
        case "resignation":
            why = say("terminal-replay-resigned-seat", seat=str(seat))
        case "clock" if seat is None:
            why = say("terminal-replay-time")
        case "clock":
            why = say("terminal-replay-time-seat", seat=str(seat))
        case "agreement":
            why = say("terminal-replay-agreed")
        case "owner":
            why = say("terminal-replay-closed")
        case _:
            assert_never(end.by)
    won = f"{say('terminal-replay-won-by', seats=say.list(end.winners))}: " if end.winners else ""
    yield click.style(f"{won}{why}", bold=True)


def _result(report: _Report) -> Iterator[str]:
    match, say, names = report.match, report.say, report.match.game.names
    winners = [names.label(seat) for seat in match.winners()]
    end = TableNames(match.game, say).end(match.outcome(), match.ended_by())
    won = say("terminal-replay-nobody")
    if winners:
        won = say("terminal-replay-won-by", seats=say.list(winners))
    if end:
        won = say("terminal-end-named", end=end, who=won)
    yield click.style(won, bold=True)
    for account in match.accounts():
        yield f"  {names.label(account.seat)}: {account.total}"
        for name, value, clauses in account.lines:
            yield f"      {names.score(name)}: {value}  {' '.join(clauses)}".rstrip()
        for name, value in account.tiebreaks:
            yield f"      {say('table-tie', line=names.score(name))}: {value}"


# ---- JSON


def _object(log: Log, match: Match, watcher: int, verified: bool, position: bool) -> dict[str, object]:
    found: dict[str, object] = {
        "game": log.game,
        "rules": log.digest,
        "seats": log.seats,
        "options": log.options,
        **_seed(log, _may_see_seed(match, watcher)),
        "players": log.players,
        "verified": verified,
        "steps": [_step(n, *step, watcher) for n, step in enumerate(_steps(match, watcher), start=1)],
        "over": match.over,
    }
    if log.torn is not None:
        found["torn"] = asdict(log.torn) if watcher == REFEREE else True
    if position:
        found["position"] = asdict(match.view(watcher))
    if match.over:
        ended = {
            "winners": match.winners(),
            "outcome": match.outcome(),
            "ended_by": match.ended_by(),
            "places": match.places(),
        }
        return found | ended | {"accounts": [_account(a) for a in match.accounts()]}
    if log.ended is not None and not position:
        found["ended"] = plain(log.ended)
    return found | {"waiting": [_decision(match, d, watcher) for d in match.decisions()]}


def _seed(log: Log, reveal: bool) -> dict[str, object]:
    """The seed and its commitment; the commitment alone as long as the seed is secret."""
    found: dict[str, object] = {"seed": log.seed} if reveal else {}
    if log.commitment is not None:
        found["commitment"] = log.commitment
        found |= {"nonce": log.nonce, "fits": fits(log)} if reveal else {}
    return found


def _step(number: int, step: MatchStep, told: list[str], watcher: int) -> dict[str, object]:
    """A step; its text and hash only for the referee."""
    found: dict[str, object] = {"step": number, "seat": step.seat, "stream": step.stream}
    if watcher == REFEREE:
        found |= {"text": step.text, "supplied": step.supplied, "hash": step.hash}
    return found | {"told": told}


def _decision(match: Match, decision: Decision, watcher: int) -> dict[str, object]:
    found: dict[str, object] = {"seat": decision.seat, "name": decision.name}
    choices = _choices(match, decision, watcher)
    if choices is not None:
        found["choices"] = choices
    return found


def _account(account: ScoreSheet) -> dict[str, object]:
    lines = [{"name": n, "value": v, "clauses": list(c)} for n, v, c in account.lines]
    return {
        "seat": account.seat,
        "total": account.total,
        "lines": lines,
        "tiebreaks": dict(account.tiebreaks),
    }
