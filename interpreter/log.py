"""The log of a match: JSON lines that replay to the same states and show every change to them.

The first line says which game, rules, seats, options and seed; each further line is one choice or one
outcome of chance with the hash of the state after it. Every line carries a seal over itself and all
lines before it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from dsl.characters import forbidden, named
from dsl.source import Source, Span
from interpreter.events import Event
from interpreter.match import Match, Played
from interpreter.messages import BrokenLog, Fault
from interpreter.views import REFEREE

VERSION = 1
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a log: a choice (`seat`) or an outcome (`stream`), and the state's hash after it."""

    seat: str | None
    stream: str | None
    text: str
    hash: str
    supplied: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Log:
    """A log that was read: its head and its entries, in order. `small` is the preset it was played with."""

    game: str
    digest: str
    seats: int
    options: dict[str, str]
    seed: int
    players: list[str]
    entries: tuple[Entry, ...]
    complete: bool
    result: tuple[list[str], dict[str, int]] | None
    span: Span
    small: str | None = None


def write(match: Match, options: dict[str, str], players: list[str], small: str | None = None) -> str:
    """The log of a match so far."""
    head: dict[str, Any] = {
        "rulewright": VERSION,
        "game": match.game.machine.name,
        "rules": match.game.machine.digest,
        "seats": match.game.machine.seats,
        "options": options,
        "seed": match.seed,
        "players": players,
    }
    if small is not None:
        head["small"] = small
    lines = [head, *(_line(match, step) for step in match.steps)]
    if match.over:
        accounts = {a.seat: a.total for a in match.accounts()}
        lines.append({"over": True, "winners": match.winners(), "scores": accounts})
    return "".join(_sealed(lines))


def _line(match: Match, step: Played) -> dict[str, Any]:
    found: dict[str, Any] = (
        {"seat": step.seat, "choose": step.text}
        if step.seat
        else ({"chance": step.stream, "outcome": step.text} if step.stream else {"start": True})
    )
    if step.supplied:
        found["supplied"] = True
    found["events"] = [text for e in step.events if (text := _event(match, e))]
    found["hash"] = step.hash
    return found


def _event(match: Match, event: Event) -> str | None:
    return match.game.views.text(match.state, event, REFEREE)


def _sealed(lines: Iterable[dict[str, Any]]) -> Iterable[str]:
    seal = ""
    for line in lines:
        body = json.dumps(line, ensure_ascii=False, separators=(", ", ": "))
        seal = _seal(seal, body)
        yield body[:-1] + f', "seal": "{seal}"}}\n'


def _seal(before: str, body: str) -> str:
    return hashlib.sha256(f"{before}\n{body}".encode()).hexdigest()[:16]


def read(source: Source, trusted: bool = False) -> Log:
    """The log in a text. Raises `Fault` with `BrokenLog` at the first line that is not as it was written."""
    lines = [(i, text) for i, text in enumerate(source.text.split("\n"), 1) if text.strip()]
    if not lines:
        raise Fault(BrokenLog(Span(source, 0, 0), "the log is empty"))
    seal = ""
    found: list[tuple[dict[str, Any], Span]] = []
    for number, text in lines:
        start = source.lines[number - 1]
        span = Span(source, start, start + len(text))
        line = _parsed(text, span)
        seal = _check_seal(text, line, seal, span, trusted)
        found.append((line, span))
    head, span = found[0]
    return _read_head(head, span, found[1:])


def _parsed(text: str, span: Span) -> dict[str, Any]:
    if len(text) > 200_000:
        raise Fault(BrokenLog(span, "this line is too long for a log"))
    try:
        line = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        why = error.msg if isinstance(error, json.JSONDecodeError) else "nested too deep"
        hint = "a log is a file of JSON lines, as `play --log` and `save` write it"
        raise Fault(BrokenLog(span, f"this is no line of a log: {why}", hint)) from None
    if not isinstance(line, dict):
        raise Fault(BrokenLog(span, "this is no line of a log: an object is wanted"))
    _check_texts(line, span)
    return line


def _check_texts(line: dict[str, Any], span: Span) -> None:
    """Raises `Fault` if a text, a key among them, holds what steers a terminal."""
    for text in _texts(line):
        offset = forbidden(text)
        if offset is not None:
            raise Fault(BrokenLog(span, f"{named(text[offset])} cannot stand in a log", "remove it"))


def _texts(line: dict[str, Any]) -> Iterator[str]:
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
    found = line.get("seal")
    mark = ', "seal": "'
    body = text[: text.rfind(mark)] + "}" if mark in text else text
    wanted = _seal(before, body)
    if found != wanted and not trusted:
        raise Fault(
            BrokenLog(
                span,
                "this line or one before it was changed after it was written",
                "the seal does not fit; get the log from where it was written",
            )
        )
    return wanted


def _read_head(head: dict[str, Any], span: Span, rest: list[tuple[dict[str, Any], Span]]) -> Log:
    if head.get("rulewright") != VERSION:
        raise Fault(BrokenLog(span, "the first line is not the head of a log of this version"))
    entries = [_read_entry(line, at) for line, at in rest if "start" not in line and "over" not in line]
    options = _field(head, "options", dict, span)
    return Log(
        game=_field(head, "game", str, span),
        digest=_field(head, "rules", str, span),
        seats=_field(head, "seats", int, span),
        options={str(k): str(v) for k, v in options.items()},
        seed=_field(head, "seed", int, span),
        players=[str(p) for p in _field(head, "players", list, span)],
        entries=tuple(entries),
        complete=any("over" in line for line, _ in rest),
        result=next((_result(line, at) for line, at in rest if "over" in line), None),
        span=span,
        small=_field(head, "small", str, span) if "small" in head else None,
    )


def _result(line: dict[str, Any], span: Span) -> tuple[list[str], dict[str, int]]:
    winners, scores = _field(line, "winners", list, span), _field(line, "scores", dict, span)
    return [str(w) for w in winners], scores


def _field(head: dict[str, Any], name: str, kind: type[T], span: Span) -> T:
    value = head.get(name)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise Fault(BrokenLog(span, f"the head of the log has no `{name}`, or not as it is written"))
    return value


def _read_entry(line: dict[str, Any], span: Span) -> Entry:
    seat, stream, digest = line.get("seat"), line.get("chance"), line.get("hash")
    text = line.get("choose") if seat is not None else line.get("outcome")
    if not isinstance(text, str) or not isinstance(digest, str) or not isinstance(seat or stream, str):
        raise Fault(BrokenLog(span, "this line is neither a choice nor an outcome of chance"))
    return Entry(seat, stream, text, digest, line.get("supplied") is True, span)
