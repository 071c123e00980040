"""Logs: the record of a match as JSON lines, from which it can be replayed and every edit detected.

The first line has the game, the digest of its rules, seats, options and seed. Each further line is a choice
or a random outcome, with the hash of the state after it. Every line has a seal, a hash over itself and all
lines before it. A log is the referee's record: it contains the seed and everything hidden.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar

from dsl.characters import forbidden, named
from dsl.source import Source, Span
from interpreter import early_end
from interpreter.commitment import Subject, commitment, is_commitment, is_nonce
from interpreter.early_end import EarlyEnd
from interpreter.events import Branched
from interpreter.game import MatchStep
from interpreter.match import Match
from interpreter.messages import BrokenLog, Fault
from interpreter.notation import lines_of_notation
from interpreter.opening import Opening

VERSION = 1
LONGEST_LINE = 4_000_000
"""Characters."""
LONGEST_TEXT = 10_000
"""Characters of a choice, an outcome or a name."""
LONGEST_NUMBER = 80
"""Digits."""
SEALED = re.compile(r', "seal": "[0-9a-f]{16}"\}\s*$')
HASH = re.compile(r"([0-9a-f]{16})?")
VEIL = "…"
"""Replaces the lines of a log in messages: the lines themselves may contain secrets."""
HINT = "use a log that `play --log` or `save` has written: a file of JSON lines"
T = TypeVar("T")
Line = tuple[dict[str, Any], Span]


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One line of a log: a choice (`seat`) or an outcome (`stream`), and the hash of the state after it."""

    seat: str | None
    stream: str | None
    text: str
    hash: str
    supplied: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Torn:
    """The damaged end of a log, such as a line that was only partly written.

    `line` is the number of the last whole line, `size` the number of bytes after it.
    """

    line: int
    size: int


@dataclass(frozen=True, slots=True)
class Log:
    """A log that was read: its header, and its entries in order.

    `result` has the winners and the scores by seat, `outcome` is the name of the end, if it has one, `small`
    the preset that was played, and `nonce` opens the `commitment`. The damaged end, `torn`, is not part of
    the entries. `opening` is the position that the match began from, if it was not the set-up of the game;
    `ended` what has ended the match, if it was not its rules.
    """

    game: str
    digest: str
    seats: int
    options: dict[str, str]
    seed: int
    players: list[str]
    entries: tuple[LogEntry, ...]
    complete: bool
    result: tuple[list[str], dict[str, int]] | None
    span: Span
    outcome: str | None = None
    small: str | None = None
    nonce: str | None = None
    commitment: str | None = None
    torn: Torn | None = None
    opening: Opening | None = None
    ended: EarlyEnd | None = None

    @property
    def hashed(self) -> bool:
        """Whether states can be compared: notations, and logs of other programs, have no hashes."""
        return any(entry.hash for entry in self.entries)

    @property
    def subject(self) -> Subject:
        """What a commitment to the seed is about."""
        return Subject(self.game, self.digest, self.seats, self.options)


# ---- writing


def write(
    match: Match,
    options: dict[str, str],
    players: list[str],
    small: str | None = None,
    nonce: str | None = None,
    ended: EarlyEnd | None = None,
) -> str:
    """The text of the log of a match so far. With `nonce`, it has a commitment to the seed."""
    first = head(match, options, players, small, nonce)
    if ended is not None:
        first["ended"] = early_end.plain(ended)
    return "".join(_sealed([first, *lines(match)]))


def head(
    match: Match,
    options: dict[str, str],
    players: Sequence[str],
    small: str | None = None,
    nonce: str | None = None,
) -> dict[str, Any]:
    """The header line of a log. With `nonce`, it has a commitment to the seed."""
    machine = match.game.machine
    found: dict[str, Any] = {
        "rulewright": VERSION,
        "game": machine.name,
        "rules": machine.digest,
        "seats": machine.seats,
        "options": options,
        "seed": match.seed,
        "players": list(players),
    }
    if small is not None:
        found["small"] = small
    if match.opening is not None:
        found["position"] = _position(match.opening)
    if nonce is not None:
        chosen = {name: str(value) for name, value in options.items()}
        about = Subject(machine.name, machine.digest, machine.seats, chosen)
        found |= {"nonce": nonce, "commitment": commitment(about, match.seed, nonce)}
    return found


def _position(opening: Opening) -> dict[str, Any]:
    """The position that a match began from; what is as by default is left out."""
    found: dict[str, Any] = {"set": {address: list(names) for address, names in opening.values}}
    if opening.at is not None:
        found |= {"at": opening.at} if opening.seat is None else {"at": opening.at, "seat": opening.seat}
    return found | {name: True for name in ("prepared", "spare", "carried") if getattr(opening, name)}


def lines(match: Match, since: int = 0) -> list[dict[str, Any]]:
    """The lines of the steps of a match from number `since` on, and of its result if it is over."""
    found = [_line(match, step) for step in match.steps[since:]]
    if match.over:
        accounts = {a.seat: a.total for a in match.accounts()}
        found.append({"over": True, "winners": match.winners(), "scores": accounts})
        if (outcome := match.outcome()) is not None:
            found[-1]["outcome"] = outcome
        if clauses := match.ended_by():
            found[-1]["ended_by"] = list(clauses)
    return found


def _line(match: Match, step: MatchStep) -> dict[str, Any]:
    found: dict[str, Any] = (
        {"seat": step.seat, "choose": step.text}
        if step.seat
        else ({"chance": step.stream, "outcome": step.text} if step.stream else {"start": True})
    )
    if step.supplied:
        found["supplied"] = True
    found["events"] = [match.game.views.named(e) for e in step.events if not isinstance(e, Branched)]
    found["hash"] = step.hash
    return found


def sealed(line: dict[str, Any], before: str) -> tuple[str, str]:
    """The text of a line with its seal, and the seal; `before` is the seal of the previous line."""
    body = json.dumps(line, ensure_ascii=False, separators=(", ", ": "))
    seal = _seal(before, body)
    return body[:-1] + f', "seal": "{seal}"}}\n', seal


def _sealed(found: Iterable[dict[str, Any]]) -> Iterator[str]:
    seal = ""
    for line in found:
        text, seal = sealed(line, seal)
        yield text


def _seal(before: str, body: str) -> str:
    return hashlib.sha256(f"{before}\n{body}".encode()).hexdigest()[:16]


# ---- reading


def text_of(data: bytes) -> str:
    """The text of a log; bytes that are not UTF-8 become surrogates, which `read` detects."""
    text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", errors="surrogateescape")
    return text.replace("\r\n", "\n")


def read(source: Source, trusted: bool = False) -> Log:
    """The log in a text. Raises `Fault` with `BrokenLog` at the first line that was changed.

    A damaged line with no whole line after it was only partly written when the program stopped: the log ends
    before it. With `trusted`, seals may be wrong or missing.
    """
    found, torn = whole_lines(source, trusted)
    return _read_log(*found[0], found[1:], torn)


def read_notation(source: Source) -> Log:
    """The log that a notation is of; its entries have no hashes. Raises `Fault` with `BrokenLog`."""
    found = lines_of_notation(source)
    for line, span in found:
        _check_texts(line, span)
    return _read_log(*found[0], found[1:], None)


def whole_lines(source: Source, trusted: bool = False) -> tuple[list[Line], Torn | None]:
    """The undamaged lines of a log, and the damaged end."""
    texts = source.text.split("\n")
    veil = Source(source.name, f"{VEIL}\n" * len(texts))
    seal, found, last = "", list[Line](), 0
    for number, text in enumerate(texts, 1):
        if not text.strip():
            continue
        span = veil.span_of_line(number)
        try:
            line = _parsed(text, span)
            seal = _check_seal(text, line, seal, span, trusted)
        except Fault:
            rest = texts[number - 1 :]
            if not found or any(map(SEALED.search, rest)):
                raise
            return found, Torn(last, len("\n".join(rest).encode("utf-8", "surrogateescape")))
        found.append((line, span))
        last = number
    if not found:
        _refuse(Span(Source(source.name, ""), 0, 0), "the log is empty")
    return found, None


def _refuse(span: Span, why: str, hint: str = "") -> NoReturn:
    raise Fault(BrokenLog(span, why, hint)) from None


def _parsed(text: str, span: Span) -> dict[str, Any]:
    """The JSON object in a line. Raises `Fault` if it is not one."""
    if len(text) > LONGEST_LINE:
        _refuse(span, "this line is too long for a log")
    if not _is_text(text):
        _refuse(span, "not a line of a log: not UTF-8 text", HINT)
    try:
        line = json.loads(
            text, object_pairs_hook=_object, parse_int=_integer, parse_float=_none, parse_constant=_none
        )
    except RecursionError:
        _refuse(span, "not a line of a log: nested too deeply", HINT)
    except ValueError as error:
        why = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
        _refuse(span, f"not a line of a log: {why}", HINT)
    if not isinstance(line, dict):
        _refuse(span, "not a line of a log: expected an object")
    _check_texts(line, span)
    return line


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("duplicate key")
    return found


def _integer(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER:
        raise ValueError("number too long")
    return int(digits)


def _none(_: str) -> NoReturn:
    raise ValueError("expected a whole number")


def _is_text(text: str) -> bool:
    """Whether a text can be encoded as UTF-8, that is, has no lone surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _check_texts(line: dict[str, Any], span: Span) -> None:
    """Raises `Fault` if a key or a text contains control characters."""
    for text in _all_texts(line):
        offset = forbidden(text)
        if offset is not None:
            _refuse(span, f"{named(text[offset])} is not allowed in a log", "remove it")


def _all_texts(line: dict[str, Any]) -> Iterator[str]:
    left: list[Any] = [line]
    while left:
        match left.pop():
            case str() as text:
                yield text
            case dict() as found:
                left += [*found, *found.values()]
            case list() as found:
                left += found


def _check_seal(text: str, line: dict[str, Any], before: str, span: Span, trusted: bool) -> str:
    """The seal of a line. Raises `Fault` if the line has another one and is not trusted."""
    mark = ', "seal": "'
    body = text[: text.rfind(mark)] + "}" if mark in text else text
    wanted = _seal(before, body)
    if line.get("seal") != wanted and not trusted:
        why = "this line, or one before it, was changed after it was written"
        _refuse(span, why, "get the log from its original place: the seal does not match")
    return wanted


# ---- the fields of the lines


def head_fields(first: dict[str, Any], span: Span) -> dict[str, Any]:
    """What every header says: game, digest of its rules, seats, options, seed. Raises `Fault`."""
    return {
        "game": _text(first, "game", span),
        "digest": _text(first, "rules", span),
        "seats": _field(first, "seats", int, span),
        "options": _options(first, span),
        "seed": _field(first, "seed", int, span),
    }


def _read_log(first: dict[str, Any], span: Span, rest: list[Line], torn: Torn | None) -> Log:
    if type(first.get("rulewright")) is not int or first["rulewright"] != VERSION:
        _refuse(span, "the first line is not the header of a log of this version")
    if first.get("companion") is True:
        why = "this log has what was told to the referee of a physical table"
        _refuse(span, why, "continue it with `rulewright play GAME --companion --resume FILE`")
    kinds = [_kind(line, at) for line, at in rest]
    if "over" in kinds[:-1] or "start" in kinds[1:]:
        _refuse(span, "the log starts again, or continues after the end of its match")
    entries = [_read_entry(line, at, k) for (line, at), k in zip(rest, kinds, strict=True) if k in STEPS]
    ended = _ended(first, span) if "ended" in first else None
    last = next(((line, at) for (line, at), k in zip(rest, kinds, strict=True) if k == "over"), None)
    return Log(
        **head_fields(first, span),
        players=_texts(first, "players", span),
        entries=tuple(entries),
        complete=last is not None,
        result=_result(*last) if last is not None else None,
        outcome=_outcome(*last) if last is not None else None,
        span=span,
        small=_text(first, "small", span) if "small" in first else None,
        nonce=_opening(first, span)[0],
        commitment=_opening(first, span)[1],
        torn=torn,
        opening=_read_position(first, span) if "position" in first else None,
        ended=ended if ended is not None and ended.steps == len(entries) else None,
    )


STEPS = ("seat", "chance")
KINDS = (*STEPS, "start", "over")


def _kind(line: dict[str, Any], span: Span) -> str:
    """The kind of a line. Raises `Fault` if it is of none, or of several."""
    kinds = [kind for kind in KINDS if line.get(kind) is not None]
    if len(kinds) != 1:
        _refuse(span, "this line is neither a choice nor a random outcome")
    if kinds[0] not in STEPS and line[kinds[0]] is not True:
        _refuse(span, f"`{kinds[0]}` is malformed")
    if not isinstance(line.get("supplied", False), bool):
        _refuse(span, "`supplied` is malformed")
    if not isinstance(line.get("events", []), list):
        _refuse(span, "`events` is malformed")
    return kinds[0]


def _read_entry(line: dict[str, Any], span: Span, kind: str) -> LogEntry:
    key = "choose" if kind == "seat" else "outcome"
    name, text, digest = (_text(line, field, span, "line") for field in (kind, key, "hash"))
    if not HASH.fullmatch(digest):
        _refuse(span, "`hash` is malformed")
    seat, stream = (name, None) if kind == "seat" else (None, name)
    return LogEntry(seat, stream, text, digest, line.get("supplied", False), span)


def _read_position(first: dict[str, Any], span: Span) -> Opening:
    """The position that the match began from. Raises `Fault` if it is malformed."""
    found = _field(first, "position", dict, span)
    values = _field(found, "set", dict, span)
    wrong = set(found) - {"set", "at", "seat", "prepared", "spare", "carried"}
    flags = [found.get(name, False) for name in ("prepared", "spare", "carried")]
    lists = [*values.values()]
    texts = [*values, *(text for names in lists if isinstance(names, list) for text in names)]
    named = [found.get("at", ""), found.get("seat", "A"), *texts]
    if wrong or not all(isinstance(x, list) for x in lists) or not all(map(_is_name, named)):
        _refuse(span, "`position` is malformed")
    if not all(isinstance(x, bool) for x in flags):
        _refuse(span, "`position` is malformed")
    placed = tuple((address, tuple(names)) for address, names in values.items())
    return Opening(placed, found.get("at"), found.get("seat"), *flags)


def _ended(first: dict[str, Any], span: Span) -> EarlyEnd:
    try:
        return early_end.read_end(first["ended"])
    except ValueError:
        _refuse(span, "`ended` is malformed")


def _options(first: dict[str, Any], span: Span) -> dict[str, str]:
    found = _field(first, "options", dict, span)
    if not all(_is_name(k) and (_is_name(v) or type(v) is int) for k, v in found.items()):
        _refuse(span, "`options` is malformed")
    return {k: str(v) for k, v in found.items()}


def _opening(first: dict[str, Any], span: Span) -> tuple[str | None, str | None]:
    """The nonce and the commitment that it opens, if the log has them."""
    if "nonce" not in first and "commitment" not in first:
        return None, None
    nonce, committed = _text(first, "nonce", span), _text(first, "commitment", span)
    if not is_nonce(nonce) or not is_commitment(committed):
        _refuse(span, "`nonce` or `commitment` is malformed")
    return nonce, committed


def _result(line: dict[str, Any], span: Span) -> tuple[list[str], dict[str, int]]:
    scores = _field(line, "scores", dict, span, "line")
    if not all(_is_name(seat) and type(score) is int for seat, score in scores.items()):
        _refuse(span, "`scores` is malformed")
    return _texts(line, "winners", span, "line"), scores


def _outcome(line: dict[str, Any], span: Span) -> str | None:
    return _text(line, "outcome", span, "line") if "outcome" in line else None


def _texts(line: dict[str, Any], name: str, span: Span, where: str = "head") -> list[str]:
    found = _field(line, name, list, span, where)
    if not all(map(_is_name, found)):
        _refuse(span, f"`{name}` is malformed")
    return found


def _text(line: dict[str, Any], name: str, span: Span, where: str = "head") -> str:
    found = _field(line, name, str, span, where)
    if not _is_name(found):
        _refuse(span, f"`{name}` is too long for a log, or not text")
    return found


def _is_name(value: object) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_TEXT and _is_text(value)


def _field(line: dict[str, Any], name: str, kind: type[T], span: Span, where: str = "head") -> T:
    """A field of a line by its type. Raises `Fault` if it is missing or of another type."""
    value = line.get(name)
    if not isinstance(value, kind) or isinstance(value, bool):
        subject = "the header of the log" if where == "head" else "this line"
        _refuse(span, f"{subject} has no `{name}`, or a malformed one")
    return value
