"""`rulewright play`: a match in the terminal, with people and bots."""

from __future__ import annotations

import itertools
import re
import secrets
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import click
from click.core import ParameterSource

from dsl.diagnostics import Diagnostic, DiagnosticError
from dsl.rules import Rules
from dsl.source import NOWHERE
from interpreter.bots.messages import ArraysNotInstalled
from interpreter.bots.names import RANDOM
from interpreter.compile.program import compile_rules
from interpreter.game import ExecutorKind
from interpreter.match import Match
from interpreter.messages import TornLog
from interpreter.opening import Opening
from rulewright.commands.play_companion import check_companion, follow
from rulewright.files.durable import GrowingFile
from rulewright.files.reading import why_not
from rulewright.i18n.messages import FALLBACK, messages_of
from rulewright.library import in_language, read_rules
from rulewright.matches import saves
from rulewright.matches.log_file import locked
from rulewright.matches.position_file import PositionFile, read_position
from rulewright.matches.seats import HUMAN, STAND_IN, seats_of, without_people
from rulewright.messages import CannotKeep, CannotWrite
from rulewright.processes.interrupts import INTERRUPTED
from rulewright.provenance import provenance_lines
from rulewright.sentences.worded_game import worded_game
from rulewright.terminal.output import complain
from rulewright.terminal.parameters import (
    MOST,
    SEED,
    Whole,
    executor_option,
    game_option,
    language_option,
    named_path,
    position_option,
    settings,
)
from rulewright.tui.game_loop import play as play_to_the_end
from rulewright.tui.screen import standard
from rulewright.tui.session import Leave, Session, SessionConfig, same_file
from rulewright.tui.styles import DIM, HIGHLIGHT

SEED_BITS, NONCE_BYTES = 128, 16


@dataclass(frozen=True, slots=True)
class PlayArgs:
    """The arguments of the command."""

    game: str
    seats: str | None
    players: int | None
    options: tuple[str, ...]
    seed: int | None
    log: Path | None
    resume: Path | None
    auto: bool
    executor: ExecutorKind
    language: str | None
    position: str | None
    after: Path | None


@click.command(name="play", short_help="Play a match in the terminal.")
@click.argument("game")
@click.option(
    "--seats", metavar="KINDS", help="Who sits where, as `human,search:2s,policy:FILE`; or how many play."
)
@click.option(
    "--players",
    type=Whole(least=-MOST),
    metavar="N",
    help="How many play (default: two, if the game has it).",
)
@game_option
@click.option(
    "--seed",
    type=SEED,
    help="The same seed and choices give the same match (default: a secret one from the system).",
)
@click.option(
    "--log",
    type=click.Path(path_type=Path),
    callback=named_path,
    metavar="FILE",
    help="Keep the match in a file: every choice is on the disk before the next is asked for.",
)
@click.option(
    "--resume",
    type=click.Path(path_type=Path),
    callback=named_path,
    metavar="FILE",
    help="Resume a kept match, and keep it there (or in the file given by --log).",
)
@position_option
@click.option(
    "--next",
    "after",
    type=click.Path(path_type=Path),
    callback=named_path,
    metavar="LOG",
    help="Begin the match that follows the one in a log, with what carries over.",
)
@click.option(
    "--companion", is_flag=True, help="Follow a match with your own cards and dice: type what everybody sees."
)
@click.option("--auto/--no-auto", default=True, help="Make choices without an alternative automatically.")
@language_option("The language of labels and clauses (default: the game's first).")
@executor_option("wasm", "What referees the match.")
@click.pass_context
def play(
    ctx: click.Context,
    game: str,
    seats: str | None,
    players: int | None,
    options: tuple[str, ...],
    seed: int | None,
    log: Path | None,
    resume: Path | None,
    position: str | None,
    after: Path | None,
    companion: bool,
    auto: bool,
    language: str | None,
    executor: ExecutorKind,
) -> None:
    """Play a match in the terminal, against bots or with several people at one table.

    A seat is `human`, the name of a bot (`random`, `easy`, `medium`, `hard`, `search`), or `absent`, for
    which the defaults of the rules are chosen; by default the first is human, the others `medium` (`random`
    where numpy is not installed). A search may be given
    iterations or time for each choice: `search:500`, `search:2s`. `policy:FILE` is a trained policy, an ONNX
    file. At the prompt `help` lists the commands: explanations, undo, score, save. Where standard input is
    not a terminal, nobody can be asked: `random` plays for people, and the course of the match is printed.

    The seed stays secret until the end, since everything hidden follows from it. A hash that commits to it is
    shown instead; `rulewright replay` opens it when the match is over. The file of a match is the referee's
    record: whoever reads it knows everything.

    With --companion you play with cards and dice of your own, and the referee follows what you type:
    choices, and what it asks for, such as `4` or `3, 6, 6` for dice. What nobody shows stays unknown; a
    hidden card that is played is typed by its name. `undo` takes back the last entry.

    \b
    Examples:
      rulewright play GAME
      rulewright play GAME --seats human,human,random --option NAME=VALUE
      rulewright play GAME --seats human,search:2s
      rulewright play GAME --log match.log
      rulewright play GAME --resume match.log
      rulewright play GAME --position endgame.yaml
      rulewright play GAME --next match.log --log match-2.log
      rulewright play GAME --companion --players 3 --log table.log
    """
    if resume is not None and (players is not None or seed is not None or options):
        raise click.UsageError("--resume takes the number of seats, options and seed from its file")
    if position is not None and (resume is not None or companion):
        raise click.UsageError("--position begins a new match; it goes with neither --resume nor --companion")
    if after is not None and (position is not None or resume is not None or companion or players or options):
        raise click.UsageError("--next takes what it begins with, seats and options from its log")
    if companion:
        asked = ctx.get_parameter_source("executor") is not ParameterSource.DEFAULT
        check_companion(seed, asked)
        rules = in_language(read_rules(game)[0], language)
        ctx.exit(follow(rules, seats, players, options, log, resume))
    args = PlayArgs(
        game, seats, players, options, seed, log, resume, auto, executor, language, position, after
    )
    ctx.exit(_play(args))


def _play(args: PlayArgs) -> int:
    rules = in_language(read_rules(args.game)[0], args.language)
    terminal = sys.stdin is not None and sys.stdin.isatty()
    if args.after is not None:
        session = _next_session(args, args.after, rules)
    elif args.resume is None:
        session = _new_session(args, rules, terminal)
    else:
        session = _resumed_session(args, args.resume, rules)
    if args.resume is None:
        say = messages_of(rules.language, "page")
        for line in provenance_lines(rules, None if say.language == FALLBACK else say):
            click.echo(line, err=True)
    if not terminal and HUMAN in session.config.kinds:
        _without_people(session, args)
    while True:
        try:
            session.begin()
            code = _run(session, args)
        finally:
            session.close()
        following = _following(session, args) if code == 0 else None
        if following is None:
            return code
        session = following


def _following(session: Session, args: PlayArgs) -> Session | None:
    """The session of the next match, if the rules let one follow and the people want it."""
    if not session.people or session.match.carried() is None:
        return None
    say = session.say
    answer = session.screen.read(f"{say('terminal-next-match', yes=say('table-yes').casefold())} ").casefold()
    if answer not in ("y", "yes", say("table-yes").casefold()):
        return None
    config, log = session.config, session.log_file
    config = replace(config, log=_numbered(log.path) if log is not None else None, nonce=_nonce())
    seed = _seed() if args.seed is None else session.match.seed + 1
    return Session(session.match.next(seed), config, session.screen)


def _numbered(path: Path) -> Path:
    """The log of the next match: `match-2.log` after `match.log`, the first that does not exist."""
    found = re.fullmatch(r"(.*)-(\d{1,6})", path.stem)
    name, number = (found[1], int(found[2])) if found is not None else (path.stem, 1)
    paths = (path.with_name(f"{name}-{number + i}{path.suffix}") for i in itertools.count(1))
    return next(one for one in paths if not one.exists())


def _next_session(args: PlayArgs, path: Path, rules: Rules) -> Session:
    """The session of the match that follows the one in a log. Raises `Fault` if none follows."""
    saved = saves.read_log(path)
    saves.check_game(saved, rules)
    kinds = saves.kinds_of(saved, args.seats)
    match = saves.resumed(rules, saved, args.executor).next(_seed() if args.seed is None else args.seed)
    config = SessionConfig(kinds, saved.options, args.log, args.auto, _nonce(), saved.small)
    return Session(match, config, standard())


def _seed() -> int:
    return secrets.randbits(SEED_BITS)


def _nonce() -> str:
    return secrets.token_hex(NONCE_BYTES)


def _without_people(session: Session, args: PlayArgs) -> None:
    """Lets bots play for people, and says so. A resumed file is not written to then, unless `--log` names
    it."""
    kinds = session.config.kinds
    people = [session.game.names.seat(i) for i, kind in enumerate(kinds) if kind == HUMAN]
    who = " and ".join(people)
    why = f"standard input is not a terminal, so {who} cannot be asked"
    click.echo(f"{why}: bots take all seats, `{STAND_IN}` plays for {who}", err=True)
    session.config = replace(session.config, kinds=without_people(kinds), log=args.log)
    session.restart_story()
    if session.resumed_file is not None and args.log is None:
        session.resumed_file.close()
        session.resumed_file = None


def _new_session(args: PlayArgs, rules: Rules, terminal: bool) -> Session:
    begins = read_position(args.position) if args.position is not None else PositionFile(Opening())
    players = args.players if args.players is not None or args.seats is not None else begins.seats
    kinds = seats_of(rules, args.seats, players, terminal)
    options = {**begins.options, **settings(args.options)}
    game = worded_game(rules, compile_rules(rules, len(kinds), options), args.executor)
    seed = _seed() if args.seed is None else args.seed
    config = SessionConfig(kinds, options, args.log, args.auto, _nonce())
    match = begins.match(game, seed) if args.position is not None else Match(game, seed).start()
    session = Session(match, config, standard())
    if terminal and RANDOM in kinds and RANDOM not in (args.seats or ""):
        session.notice = f"bots choose at random here: a search needs numpy, {ArraysNotInstalled.advice}. "
    return session


def _resumed_session(args: PlayArgs, path: Path, rules: Rules) -> Session:
    """The session of a saved match. Its file is locked before it is read, if it is to grow."""
    file = _lock_resumed_file(args, path)
    try:
        return _load_session(args, path, rules, file)
    except BaseException:
        if file is not None:
            file.close()
        raise


def _load_session(args: PlayArgs, path: Path, rules: Rules, file: GrowingFile | None) -> Session:
    saved = saves.read_log(path)
    saves.check_game(saved, rules)
    kinds = saves.kinds_of(saved, args.seats)
    match = saves.resumed(rules, saved, args.executor)
    log = args.log or (path if file is not None else None)
    config = SessionConfig(kinds, saved.options, log, args.auto, saved.nonce, saved.small)
    session = Session(match, config, standard(), saved_in=path, resumed_file=file)
    if saved.torn is not None:
        _report(session, TornLog(saved.span, saved.torn.line, saved.torn.size))
    return session


def _lock_resumed_file(args: PlayArgs, path: Path) -> GrowingFile | None:
    """Locks the file of a resumed match, if the match is to be kept there. Raises `DiagnosticError`."""
    if not path.is_file() or (args.log is not None and not same_file(args.log, path)):
        return None
    try:
        return locked(path)
    except OSError as error:
        if args.log is not None:
            raise DiagnosticError(CannotWrite(NOWHERE, str(path), why_not(error))) from None
        complain([CannotKeep(NOWHERE, str(path), why_not(error))])
        return None


def _report(session: Session, diagnostic: Diagnostic) -> None:
    """Prints a diagnostic to the error stream, and repeats it in the news, as the screen is cleared."""
    complain([diagnostic])
    session.notice = f"{diagnostic.message}; {diagnostic.help}. "


def _run(session: Session, args: PlayArgs) -> int:
    """Plays the match, and prints where it is saved. Returns the exit code."""
    session.commitment_shown = bool(session.people) or (args.seed is None and args.resume is None)
    if session.commitment_shown:
        _show_commitment(session)
    try:
        play_to_the_end(session)
    except (Leave, EOFError):
        return _quit(session, args.game, 0)
    except KeyboardInterrupt:
        return _quit(session, args.game, INTERRUPTED)
    _show_where_saved(session, args.game)
    return 0


def _show_commitment(session: Session) -> None:
    """Shows the commitment to the seed before the first choice."""
    if session.commitment is None:
        return
    text = session.say("terminal-commitment", commitment=session.commitment)
    if session.people:
        session.notice += text
    else:
        session.screen.long(text)


def _quit(session: Session, game: str, code: int) -> int:
    """Prints where the match is saved after somebody has quit."""
    session.screen.say("")
    _show_where_saved(session, game)
    return code


def _show_where_saved(session: Session, game: str) -> None:
    """Prints how to resume the match, or after its end the seed and what opens the commitment."""
    screen, say, path, over = session.screen, session.say, session.saved_in, session.match.over
    if path is None and session.log_file is not None:
        path = session.log_file.path
        screen.say(say("terminal-last-not-kept"), HIGHLIGHT)
    if path is None:
        screen.say(say("terminal-not-kept" if over else "terminal-not-kept-how"), DIM)
    elif over:
        screen.say(say("terminal-kept-in", file=str(path)), DIM)
        if not session.people and session.match.carried() is not None:
            command = f"rulewright play {game} --next {path}"
            screen.say(say("terminal-kept-next", command=command), DIM)
    else:
        command = f"rulewright play {game} --resume {path}"
        screen.say(say("terminal-kept-resume", command=command), DIM)
    if over:
        screen.say(session.opening, DIM)
