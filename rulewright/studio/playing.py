"""The match that is played beside the editor: by one person, and by bots, under the rules as they were when
it was begun or reloaded."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from dsl.rules import Rules
from dsl.source import Source, Span
from interpreter import ir
from interpreter.compile.program import compile_rules
from interpreter.executor_protocol import Option
from interpreter.game import Game
from interpreter.log import Log, LogEntry, read, write
from interpreter.match import Match
from interpreter.messages import Fault
from interpreter.redacted_log import entries as redacted
from interpreter.sights import REFEREE, SPECTATOR
from rulewright.presentation.description import describe, digest_of, encode
from rulewright.presentation.position import entries, position
from rulewright.presentation.scores import scores
from rulewright.presentation.why_not import why_not, why_not_value
from rulewright.sentences.worded_game import worded_game
from rulewright.studio.rpc import Json, refused

LOG = "the match"
"""The name of its log in messages."""


@dataclass
class PlayedMatch:
    """A match, the rules that it is played under, and the settings that were chosen for it."""

    rules: Rules
    game: Game
    match: Match
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def seats(self) -> int:
        return self.game.machine.seats

    def log(self) -> str:
        """The match as a log, which says all that is needed to play it again."""
        return write(self.match, dict(self.options), [])

    def read_log(self) -> Log:
        """The same, read."""
        return read(Source(LOG, self.log()))


def compiled(rules: Rules, seats: int | None, options: Mapping[str, str]) -> Game:
    """The game of a setting. Raises `ErrorsReported` if the rules have no such setting."""
    return worded_game(rules, compile_rules(rules, seats, options))


def begun(rules: Rules, seats: int | None, options: Mapping[str, str], seed: int) -> PlayedMatch:
    """A new match. Raises `ErrorsReported` or `Fault`."""
    game = compiled(rules, seats, options)
    return PlayedMatch(rules, game, Match(game, seed).start(), options)


def shown_by(rules: Rules) -> tuple[object, object]:
    """What of rules only says how they are shown, and is not in their digest: look and translations."""
    return rules.look, rules.translations


def shown_anew(played: PlayedMatch, rules: Rules) -> PlayedMatch:
    """The same match, under the same rules with another look. Raises `ErrorsReported` or `Fault`."""
    log = played.read_log()
    game = compiled(rules, log.seats, log.options)
    return PlayedMatch(rules, game, follow(game, log, log.entries).match, played.options)


@dataclass(frozen=True)
class Followed:
    """A match that was played by the entries of a log: how many of them, and why no further."""

    match: Match
    entries: int
    why: str = ""


def follow(game: Game, log: Log, entries: Sequence[LogEntry]) -> Followed:
    """Play the choices of a log, and its outcomes of chance, as far as the rules allow.

    First chance is drawn from the seed, as it was; where that brings something else, the outcomes of the log
    are supplied. Raises `Fault` if the match cannot even begin.
    """
    drawn = _followed(game, log, entries, {})
    if drawn.entries == len(entries):
        return drawn
    outcomes: dict[str, list[str | None]] = {}
    for entry in entries:
        if entry.stream is not None:
            outcomes.setdefault(entry.stream, []).append(entry.text)
    try:
        supplied = _followed(game, log, entries, outcomes)
    except Fault:
        return drawn
    return supplied if supplied.entries > drawn.entries else drawn


def _followed(
    game: Game, log: Log, entries: Sequence[LogEntry], outcomes: Mapping[str, Sequence[str | None]]
) -> Followed:
    given = outcomes or _supplied(entries)
    match = Match(game, log.seed, {name: list(some) for name, some in given.items()}, opening=log.opening)
    match.start()
    why = ""
    for entry in entries:
        if entry.seat is None:
            continue
        try:
            match.choose(entry.seat, entry.text)
        except Fault as fault:
            why = fault.diagnostic.message
            break
    done = [step for step in match.steps if step.seat or step.stream]
    same = 0
    for step, entry in zip(done, entries, strict=False):
        if (step.seat, step.stream, step.text) != (entry.seat, entry.stream, entry.text):
            break
        same += 1
    return Followed(match, same, why)


def _supplied(entries: Sequence[LogEntry]) -> dict[str, list[str | None]]:
    """The outcomes of a log that were supplied; none for those that were drawn."""
    found: dict[str, list[str | None]] = {}
    for entry in entries:
        if entry.stream is not None:
            found.setdefault(entry.stream, []).append(entry.text if entry.supplied else None)
    return found


def rewound(game: Game, log: Log, steps: int) -> Match:
    """The match after so many entries of its log, or the last choice before. Raises `Fault`."""
    kept = list(log.entries[:steps])
    while kept and kept[-1].seat is None:
        kept.pop()
    return follow(game, replace(log, result=None), kept).match


# ---- what is shown


def seen_by(played: PlayedMatch, viewer: int) -> Json:
    """What a viewer may know of the match now, and all that it was told."""
    return {"position": position(played.match, viewer), "entries": entries(played.match, viewer)}


def viewers(played: PlayedMatch) -> list[int]:
    """Each seat, the spectators, and the referee, who sees everything."""
    return [*range(played.seats), SPECTATOR, REFEREE]


def description_of(played: PlayedMatch) -> tuple[str, Json]:
    """What the page needs of the game that no choice changes, and its hash."""
    found = describe(played.game)
    return digest_of(encode(found)), found


def state_of(played: PlayedMatch) -> Json:
    """The match in a few words: who is asked, in which phase and step, how many steps."""
    match, machine = played.match, played.game.machine
    state = match.state
    waiting = [] if match.over else [w.seat for w in match.waiting()]
    return {
        "seats": played.seats,
        "options": {name: str(value) for name, value in played.options.items()},
        "seed": str(match.seed),
        "over": match.over,
        "waiting": waiting,
        "phase": machine.phases[state[ir.PHASE]] if state[ir.PHASE] < len(machine.phases) else None,
        "steps": sum(1 for step in match.steps if step.seat or step.stream),
        "choices": len(match.history),
    }


def asking(played: PlayedMatch) -> Span | None:
    """The line of the rules that asks now."""
    if played.match.over:
        return None
    first = next(iter(played.match.waiting()), None)
    return played.game.machine.decision(first.node).span if first is not None else None


# ---- what is asked


def choose(played: PlayedMatch, seat: int, words: str) -> None:
    """A choice of a seat. Raises `RpcError` with the reason if it is not offered, or the rules fail."""
    match = played.match
    if match.over:
        raise refused("over", "the game is over")
    name = played.game.names.seat(seat)
    try:
        match.choose(name, words)
    except Fault as fault:
        offered = [choice.text for d in match.offered_to(seat) for choice in d.choices]
        if words in offered:
            diagnostic = fault.diagnostic
            raise refused("fault", f"{diagnostic.code}: {diagnostic.message}") from None
        raise refused(
            "not-offered", "this choice is not offered", refusal=why_not(match, seat, words)
        ) from None


def take(played: PlayedMatch, seat: int, option: Option) -> None:
    """What a bot has chosen for a seat. Raises `RpcError` if it is not offered, or the rules fail."""
    match, name = played.match, played.game.names.seat(seat)
    waiting = next((one for one in match.waiting() if one.seat == seat and one.allows(option)), None)
    if match.over or waiting is None:
        raise refused("not-offered", f"what the bot of {name} has chosen is not offered any more")
    node = match.game.machine.decision(waiting.node)
    words = " ".join(match.game.names.choice(node, option, waiting.what))
    try:
        match.take(waiting, option)
    except Fault as fault:
        diagnostic = fault.diagnostic
        told = (
            f"the bot of {name} chose `{words}`, and the rules fail: {diagnostic.code}: {diagnostic.message}"
        )
        raise refused("fault", told) from None


def why(played: PlayedMatch, seat: int, about: Json) -> Json | None:
    """Why something is not offered to a seat; none if it is. Raises `RpcError`."""
    match, words = played.match, about.get("words")
    if isinstance(words, str):
        offered = [choice.text for d in match.offered_to(seat) for choice in d.choices]
        return None if words in offered else why_not(match, seat, words)
    action, value = about.get("action"), about.get("value")
    try:
        return why_not_value(match, seat, action, value)
    except (ValueError, TypeError):
        raise refused("malformed", "there is no such value") from None


def take_back(played: PlayedMatch, number: int, people: Collection[str]) -> bool:
    """Take back the last choices of people, and all that came after them; if people have chosen nothing,
    those of any seats. Returns whether people have. Raises `RpcError` if there are not so many choices."""
    log = played.read_log()
    choices = [at for at, entry in enumerate(log.entries) if entry.seat is not None]
    own = [at for at in choices if log.entries[at].seat in people]
    if not 0 < number <= len(own or choices):
        raise refused("not-undone", "there is nothing to take back")
    played.match = rewound(played.game, log, (own or choices)[-number])
    return bool(own)


def go_back(played: PlayedMatch, viewer: int, seq: int) -> None:
    """Take back all that came after so many entries of a viewer. Raises `RpcError`."""
    known = redacted(played.match, viewer)
    if not 0 <= seq <= len(known):
        raise refused("not-yet", "there is no such entry")
    last = known[seq - 1].step if seq else 0
    steps = [step for step in played.match.steps[: last + 1] if step.seat or step.stream]
    played.match = rewound(played.game, played.read_log(), len(steps))


def accounts(played: PlayedMatch, viewer: int) -> list[Json]:
    """The score sheets, line by line."""
    return scores(played.match, viewer)
