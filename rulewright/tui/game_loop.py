"""The loop of a match in the terminal: bots choose, people are prompted one after the other."""

from __future__ import annotations

from interpreter.absent import default_option
from interpreter.bots.search import SearchBot
from interpreter.executor_protocol import Option, Waiting
from interpreter.game import Decision
from interpreter.sights import REFEREE
from interpreter.unseen import as_offered
from rulewright.learn.policy_names import player_named
from rulewright.matches.seats import ABSENT, HUMAN
from rulewright.tui.prompt import Prompt
from rulewright.tui.score_sheet import account, derivation, placing, verdict
from rulewright.tui.session import Session
from rulewright.tui.styles import BOLD, DIM


def play(session: Session) -> None:
    """Plays to the end of the match.

    Raises `Leave`, `EOFError` or `KeyboardInterrupt` if a person leaves, `Fault` if the rules fail,
    `DiagnosticError` if the log cannot be written.
    """
    session.begin()
    while not session.match.over:
        _print_story(session)
        _resolve(session, _next_decision(session))
    _print_story(session)
    _print_result(session)


def _next_decision(session: Session) -> Decision:
    """The next decision: of the person at the screen if it has one, else of the first seat that waits."""
    waiting = session.match.decisions()
    return next((d for d in waiting if d.waiting.seat == session.last), waiting[0])


def _resolve(session: Session, decision: Decision) -> None:
    kind = session.config.kinds[decision.waiting.seat]
    if kind != HUMAN:
        _choose_for_bot(session, decision, kind)
    elif session.is_automatic(session.match.state, decision.waiting):
        session.take(decision, decision.choices[0], f" {session.say('terminal-only-choice')}")
    else:
        _hand_over(session, decision)
        Prompt(session, as_offered(session.match, decision)).run()


def _bot_option(session: Session, waiting: Waiting, kind: str) -> Option:
    """What a bot chooses. With people at the table, Ctrl-C ends its thinking and not the match."""
    match, bot = session.match, player_named(kind)
    if not (session.people and isinstance(bot, SearchBot)):
        return bot.choose(match, waiting, match.seed)
    thoughts = bot.move(match, waiting, match.seed, interruptible=True)
    if thoughts.interrupted:
        seat = session.seat_label(match.game.names.seat(waiting.seat))
        session.notice += f"{session.say('terminal-stopped', seat=seat)} "
    return thoughts.best.option


def _choose_for_bot(session: Session, decision: Decision, kind: str) -> None:
    match, waiting = session.match, decision.waiting
    if kind == ABSENT:
        option = default_option(match, waiting)
    else:
        option = _bot_option(session, waiting, kind)
    words = " ".join(match.game.names.choice(match.game.machine.decision(waiting.node), option, waiting.what))
    told = match.decision(match.game.including(waiting, words))
    session.take(decision, next(c for c in told.choices if c.option == option))


def _hand_over(session: Session, decision: Decision) -> None:
    """Removes private information from the screen before another person uses it."""
    changed_values = session.last != decision.waiting.seat
    session.last = decision.waiting.seat
    if not changed_values or len(session.people) < 2 or not session.has_secrets:
        return
    session.screen.forget()
    name = session.seat_label(decision.seat)
    session.screen.say(session.say("terminal-your-turn", seat=name), BOLD)
    session.screen.read(f"{session.say('terminal-alone', seat=name)} ")
    session.screen.clear()


def _print_story(session: Session) -> None:
    """Without people: prints everything that has happened, a line for each choice."""
    if session.people:
        return
    for line in session.story.unread(REFEREE):
        session.screen.long(line)


def _print_result(session: Session) -> None:
    """Prints the last news, the winners, and the scores with their clauses."""
    screen, match = session.screen, session.match
    if session.people:
        for line in _last_news(session):
            screen.say(line, DIM)
    screen.show("")
    screen.show(verdict(match, session.config.kinds))
    if (places := placing(match)) is not None:
        screen.show(places)
    screen.show("")
    if not match.game.machine.scores:
        return
    screen.show(account(match, REFEREE))
    screen.show("")
    for text in derivation(session.game, session.explainer):
        screen.show(text)


def _last_news(session: Session) -> list[str]:
    """The unread news of a single person; with several, the last choice."""
    if len(session.people) == 1:
        return session.story.unread(session.people[0])
    return session.story.last()
