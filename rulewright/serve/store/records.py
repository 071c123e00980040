"""Rows of a store as values, checked: a damaged one is a `BadRecord`, never a value of another shape.

What the data of a log mean is checked where they are folded, and by replaying them.
"""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from typing import Any, Final, get_args

from sqlalchemy.engine import RowMapping

from rulewright.serve.store.storage import (
    BadRecord,
    LogRow,
    MatchRow,
    NoticeRow,
    RowKind,
    RulesetArchive,
    SeatKind,
    SeatRow,
    Snapshot,
    Status,
)

MATCH_JSON = ("options", "clock", "set_up", "result", "listed")
"""Columns of a match that are JSON."""
MOST_UNPACKED = 256 << 20
"""Bytes of what is kept compressed, unpacked. A bundled game has less than one of these megabytes."""
MOST_SEATS, LATEST, LARGEST_SALT = 99, 10**14, 1 << 128
"""Seats of a match, milliseconds since 1970, and what numbers hidden pieces."""
KINDS: Final = frozenset(get_args(RowKind))
SEAT_KINDS: Final = frozenset(get_args(SeatKind))
STATUSES: Final = frozenset(get_args(Status))

GAME = re.compile(r"[\w-]{1,100}", re.ASCII)
HALVES = re.compile("[\ud800-\udfff]")
"""Halves of characters, which no encoding has."""
Check = Callable[[Any], bool]
Row = Mapping[str, Any] | RowMapping


# ---- shapes


def is_text(value: object) -> bool:
    """Whether a value is a text that can be sent."""
    if not isinstance(value, str):
        return False
    return value.isascii() or HALVES.search(value) is None


def is_flag(value: object) -> bool:
    """Whether a value is true or false."""
    return isinstance(value, bool)


def is_whole(value: object) -> bool:
    """Whether a value is a whole number of at most 32 bits."""
    return type(value) is int and -(1 << 31) <= value < 1 << 31


def is_seat(value: object) -> bool:
    """Whether a value could be the number of a seat."""
    return type(value) is int and 0 <= value < MOST_SEATS


def is_time(value: object) -> bool:
    """Whether a value is a time in milliseconds since 1970."""
    return type(value) is int and 0 <= value <= LATEST


def optional(check: Check) -> Check:
    """A check that lets null pass."""
    return lambda value: value is None or check(value)


def each(check: Check) -> Check:
    """A check of each value of a list."""
    return lambda value: isinstance(value, list) and all(map(check, value))


def texts_of(check: Check) -> Check:
    """A check of each value of an object."""
    return lambda value: (
        isinstance(value, dict) and all(map(is_text, value)) and all(map(check, value.values()))
    )


def one_of(*known: object) -> Check:
    """A check for some words."""
    return lambda value: isinstance(value, str) and value in known


def shaped(fields: Mapping[str, Check], *required: str) -> Check:
    """A check of the fields of an object that are known; others may be there."""

    def check(value: object) -> bool:
        if not isinstance(value, dict) or any(name not in value for name in required):
            return False
        return all(check(value[name]) for name, check in fields.items() if name in value)

    return check


CLOCK = shaped(
    {
        "kind": one_of("none", "move", "match", "days"),
        "seconds": is_whole,
        "increment": is_whole,
        "expiry": one_of("forfeit", "absent"),
    },
)
TALK = shaped({"allowed": one_of("none", "phrases", "free"), "spectators": is_flag}, "allowed", "spectators")
SET_UP = shaped(
    {
        "owner": is_text,
        "address": is_text,
        "served": is_text,
        "rematch_of": is_text,
        "carried": texts_of(is_text),
        "visibility": one_of("open", "invited", "private"),
        "companion": is_flag,
        "hints": is_flag,
        "talk": TALK,
        "spectators": shaped({"allowed": is_flag, "delay": is_whole}),
    }
)
RESULT = shaped(
    {"by": is_text, "winners": each(is_seat), "seat": optional(is_seat), "declined": is_seat}, "by", "winners"
)
LISTED = shaped(
    {"title": is_text, "colours": texts_of(each(is_text)), "changed": is_time, "asked": each(is_seat)},
    *("title", "colours", "changed", "asked"),
)
MATCH: Mapping[str, Check] = {
    "id": is_text,
    "game": lambda value: is_text(value) and GAME.fullmatch(value) is not None,
    "source": lambda value: is_text(value) and "\0" not in value,
    "digest": is_text,
    "archive": is_text,
    "seats": lambda value: is_seat(value) and value > 0,
    "options": texts_of(is_text),
    "salt": lambda value: abs(value) < LARGEST_SALT,
    "nonce": optional(is_text),
    "commitment": optional(is_text),
    "clock": CLOCK,
    "set_up": SET_UP,
    "status": STATUSES.__contains__,
    "result": optional(RESULT),
    "listed": optional(LISTED),
    "created": is_time,
    "updated": is_time,
    "length": lambda value: is_whole(value) and value >= 0,
}
SEAT: Mapping[str, Check] = {
    "match": is_text,
    "seat": is_seat,
    "kind": SEAT_KINDS.__contains__,
    "name": is_text,
    "token": optional(is_text),
    "revoked": is_flag,
    "strategy": optional(is_text),
}
LOG: Mapping[str, Check] = {
    "seq": lambda value: is_whole(value) and value > 0,
    "kind": KINDS.__contains__,
    "at": is_time,
    "seat": optional(is_seat),
    "client": optional(is_text),
    "data": lambda value: isinstance(value, dict),
}
NOTICE: Mapping[str, Check] = dict.fromkeys(("match", "kind", "target", "language"), is_text) | {
    "seat": is_seat
}
GRANT: Mapping[str, Check] = {"visitor": is_text, "match": is_text, "seat": is_seat, "token": is_text}
SAID: Mapping[str, Check] = {
    "number": is_whole,
    "kind": one_of("phrase", "text", "mark", "rule"),
    "at": is_time,
    "seat": optional(is_seat),
    "name": is_text,
    "text": is_text,
    "step": is_whole,
    "of_step": is_text,
}
PLAYTEST: Mapping[str, Check] = {
    "number": is_whole,
    "kind": is_text,
    "at": is_time,
    "seat": is_seat,
    "data": is_text,
}
NOTED: Mapping[str, Check] = {"match": is_text, "kind": is_text, "seat": is_seat, "version": is_whole}


def is_sound(row: Row, checks: Mapping[str, Check]) -> bool:
    """Whether all columns of a row have the types that they should have."""
    return all(check(row[name]) for name, check in checks.items())


def checked(row: Row, checks: Mapping[str, Check], of: str) -> Row:
    """A row. Raises `BadRecord` for the first column that has not the type that it should have."""
    for name, check in checks.items():
        if not check(row[name]):
            raise BadRecord(f"`{name}` of {of} is damaged")
    return row


# ---- rows


def match_row(row: Row) -> MatchRow:
    """A match. Raises `BadRecord`."""
    of = f"match {row['id']}"
    found = dict(row) | {name: parsed(row[name], f"`{name}` of {of}") for name in MATCH_JSON}
    try:
        found["salt"] = int(row["salt"])
    except (ValueError, TypeError):
        raise BadRecord(f"`salt` of {of} is damaged") from None
    found.pop("public", None)
    return MatchRow(**checked(found, MATCH, of))


def log_row(row: RowMapping) -> LogRow:
    """A row of a log; what its data mean is not looked at here. Raises `BadRecord` with its number."""
    seq = row["seq"] if is_whole(row["seq"]) else 0
    try:
        found = {name: row[name] for name in LOG} | {"data": parsed(row["data"], f"`data` of row {seq}")}
        return LogRow(**checked(found, LOG, f"row {seq}"))
    except BadRecord as bad:
        bad.seq = seq
        raise


def seat_row(row: Row) -> SeatRow:
    """A seat. Raises `BadRecord`."""
    return SeatRow(**checked(row, SEAT, f"a seat of match {row['match']}"))


def notice_row(row: RowMapping) -> NoticeRow:
    """How a seat wants to be told. Raises `BadRecord`."""
    return NoticeRow(**checked(row, NOTICE, f"a notice of match {row['match']}"))


def archive_of(digest: str, row: RowMapping) -> RulesetArchive:
    """A ruleset. Raises `BadRecord`."""
    of = f"the files of ruleset {digest}"
    files = parsed(unpacked(row["files"], of).decode(errors="replace"), of)
    if not texts_of(is_text)(files) or not is_text(row["name"]):
        raise BadRecord(f"{of} are damaged")
    try:
        return RulesetArchive(digest, row["name"], {path: b64decode(text) for path, text in files.items()})
    except ValueError:
        raise BadRecord(f"{of} are damaged") from None


def snapshot_of(row: RowMapping) -> Snapshot | None:
    """A snapshot; None if it is damaged, as the log says the same."""
    data = _bytes(row["data"])
    if data is None or not is_whole(row["seq"]) or not is_text(row["digest"]):
        return None
    return Snapshot(row["seq"], row["digest"], data)


# ---- values


def parsed(text: object, of: str) -> Any:
    """The value of JSON; null of null. Raises `BadRecord`."""
    if text is None:
        return None
    try:
        return json.loads(text)  # type: ignore[arg-type]
    except (ValueError, TypeError, RecursionError):
        raise BadRecord(f"{of} is no JSON") from None


def written(value: object) -> str:
    """A value as JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def packed(files: Mapping[str, bytes]) -> bytes:
    """The files of a ruleset in bytes."""
    return zlib.compress(written({path: b64encode(data).decode() for path, data in files.items()}).encode())


def unpacked(data: object, of: str, most: int = MOST_UNPACKED) -> bytes:
    """What was compressed. Raises `BadRecord`, also if it is larger than anything that was."""
    found = _bytes(data)
    if found is None:
        raise BadRecord(f"{of} is no bytes")
    unpacking = zlib.decompressobj()
    try:
        plain = unpacking.decompress(found, most)
    except zlib.error:
        raise BadRecord(f"{of} cannot be unpacked") from None
    if not unpacking.eof:
        raise BadRecord(f"{of} has no end, or is too large")
    return plain


def _bytes(value: object) -> bytes | None:
    return bytes(value) if isinstance(value, bytes | memoryview | bytearray) else None
