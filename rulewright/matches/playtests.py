"""Records of playtests: what people did at a table who agreed to that, as JSON lines without their names."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast, get_args

from dsl.diagnostics import Diagnostic, DiagnosticError
from dsl.source import NOWHERE
from rulewright.files.reading import plain_file, why_not
from rulewright.messages import BadPlaytest

FORMAT = "rulewright-playtest"
PREFIX, SUFFIX = "playtest-", ".jsonl"
MOST_BYTES = 8 << 20
"""Bytes of one record that are read."""
MOST_QUESTIONS, LONGEST_QUESTION = 10, 200
LONGEST_COMMENT = 300
Kind = Literal["time", "undo", "refused", "why", "hint", "mark", "answer"]
KINDS: tuple[str, ...] = get_args(Kind)


@dataclass(frozen=True, slots=True)
class Happening:
    """One thing that a seat did.

    `choice` is the first word of a choice: the one that was thought about, taken back or made before a mark.
    `clauses` and `condition` are of the rule that refused. `question` is its index among the questions.
    """

    kind: Kind
    seat: int
    choice: str = ""
    clauses: tuple[str, ...] = ()
    condition: str = ""
    seconds: float = 0.0
    entry: int = 0
    question: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True)
class PlaytestRecord:
    """What is kept of one match that has ended. `rules` is the digest of its rules; `agreed` are seats."""

    game: str
    rules: str
    seats: int
    by: str
    winners: tuple[int, ...]
    minutes: float
    agreed: tuple[int, ...]
    questions: tuple[str, ...]
    happened: tuple[Happening, ...]

    def of(self, kind: Kind) -> list[Happening]:
        """All that happened of one kind."""
        return [one for one in self.happened if one.kind == kind]


def written(record: PlaytestRecord) -> str:
    """A record as JSON lines."""
    head = {"format": FORMAT, "version": 1} | {name: getattr(record, name) for name in _HEAD}
    lines = [head, *(_fields(one) for one in record.happened)]
    return "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines)


def _fields(one: Happening) -> dict[str, Any]:
    given = {name: getattr(one, name) for name in Happening.__slots__ if name not in ("kind", "seat")}
    return {"kind": one.kind, "seat": one.seat} | {
        name: value for name, value in given.items() if value != _DEFAULTS[name]
    }


_HEAD = ("game", "rules", "seats", "by", "winners", "minutes", "agreed", "questions")
_DEFAULTS: Mapping[str, Any] = {
    "choice": "",
    "clauses": (),
    "condition": "",
    "seconds": 0.0,
    "entry": 0,
    "question": 0,
    "text": "",
}


def read(path: Path) -> PlaytestRecord:
    """A record from its file. Raises `DiagnosticError` with `BadPlaytest`."""
    number = 0

    def values() -> Iterator[Any]:
        nonlocal number
        for line in lines:
            number += 1
            yield json.loads(line)

    try:
        lines = plain_file(path, MOST_BYTES).decode().splitlines()
        return parsed(values())
    except OSError as error:
        raise DiagnosticError(BadPlaytest(NOWHERE, str(path), why_not(error))) from None
    except UnicodeDecodeError:
        raise DiagnosticError(BadPlaytest(NOWHERE, str(path), "it is not UTF-8")) from None
    except (ValueError, RecursionError):
        why = f"line {max(number, 1)} is not that of such a record"
        raise DiagnosticError(BadPlaytest(NOWHERE, str(path), why)) from None


def read_folder(folder: Path) -> tuple[dict[str, PlaytestRecord], list[Diagnostic]]:
    """The records of a folder by the names of their matches, and an error for each that cannot be read.

    Raises `DiagnosticError` if there is no such folder.
    """
    if not folder.is_dir():
        raise DiagnosticError(BadPlaytest(NOWHERE, str(folder), "there is no such folder"))
    found: dict[str, PlaytestRecord] = {}
    errors: list[Diagnostic] = []
    for path in sorted(folder.glob(f"{PREFIX}*{SUFFIX}")):
        try:
            found[path.name.removeprefix(PREFIX).removesuffix(SUFFIX)] = read(path)
        except DiagnosticError as error:
            errors.append(error.diagnostic)
    return found, errors


def parsed(lines: Iterator[Any]) -> PlaytestRecord:
    """A record from its lines. Raises `ValueError` at the first that is not as it should be."""
    head = next(lines, None)
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise ValueError("no record")
    if head.get("version") != 1:
        raise ValueError("another version")
    seats = _whole(head.get("seats"), 1, 1000)
    questions = tuple(_text(one) for one in _items(head.get("questions")))
    return PlaytestRecord(
        _text(head.get("game")),
        _text(head.get("rules")),
        seats,
        _text(head.get("by")),
        tuple(_whole(one, 0, seats - 1) for one in _items(head.get("winners"))),
        _number(head.get("minutes")),
        tuple(_whole(one, 0, seats - 1) for one in _items(head.get("agreed"))),
        questions,
        tuple(_happening(line, seats, len(questions)) for line in lines),
    )


def _happening(line: Any, seats: int, questions: int) -> Happening:
    if not isinstance(line, dict) or line.get("kind") not in KINDS:
        raise ValueError("an unknown line")
    most = max(0, questions - 1) if line["kind"] == "answer" else 0
    return Happening(
        cast(Kind, line["kind"]),
        _whole(line.get("seat"), 0, seats - 1),
        _text(line.get("choice", "")),
        tuple(_text(one) for one in _items(line.get("clauses", []))),
        _text(line.get("condition", "")),
        _number(line.get("seconds", 0.0)),
        _whole(line.get("entry", 0), 0, 10**9),
        _whole(line.get("question", 0), 0, most),
        _text(line.get("text", "")),
    )


def _items(value: Any) -> Iterable[Any]:
    if not isinstance(value, list) or len(value) > 1000:
        raise ValueError("no list")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str) or len(value) > 1000 or not value.isprintable():
        raise ValueError("no text")
    return value


def _whole(value: Any, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise ValueError("no whole number")
    return value


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e9:
        raise ValueError("no number")
    return float(value)


def questions_of(path: Path) -> tuple[str, ...]:
    """The questions of a designer: the lines of a file that are not empty. Raises `DiagnosticError`."""
    try:
        lines = [line.strip() for line in plain_file(path, 1 << 16).decode("utf-8-sig").splitlines()]
    except OSError as error:
        raise DiagnosticError(BadPlaytest(NOWHERE, str(path), why_not(error))) from None
    except ValueError:
        raise DiagnosticError(BadPlaytest(NOWHERE, str(path), "it is not UTF-8")) from None
    asked = tuple(line for line in lines if line)
    if len(asked) > MOST_QUESTIONS or not all(
        len(line) <= LONGEST_QUESTION and line.isprintable() for line in asked
    ):
        why = f"it may have {MOST_QUESTIONS} questions of {LONGEST_QUESTION} characters, one a line"
        raise DiagnosticError(BadPlaytest(NOWHERE, str(path), why))
    return asked
