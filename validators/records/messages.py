"""C465 to C467: records that cannot be followed."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.diagnostics import Diagnostic


@dataclass(frozen=True)
class NoNotation(Diagnostic):
    """A game has no such notation, no file's name says it, or it cannot write a match.

    The notations of a game are the files `records/NAME.yaml` in its folder, each with its grammar beside it.
    A file of records is read by the notation that names its ending in `files`, or by `--notation NAME`. With
    `--write`, a notation writes the plays for which it has texts, of matches that begin with the set-up.
    """

    code = "C465"
    slug = "no-notation"
    title = "{why}"
    advice = "{hint}"
    why: str
    hint: str = ""


@dataclass(frozen=True)
class UnreadRecord(Diagnostic):
    """A record is not written as its notation says.

    The grammar of the notation cannot read it from the marked place on. Other records of the file are read
    all the same. Correct the record, or extend the grammar of the notation.
    """

    code = "C466"
    slug = "unread-record"
    title = "this record cannot be read: {why}"
    advice = "correct it, or extend the grammar of the notation"
    why: str


@dataclass(frozen=True)
class RecordRefused(Diagnostic):
    """A record has a play that the rules do not offer.

    All before the marked place agrees with the rules. Either the record is wrong, or it was played by other
    rules, or the rules are wrong; where a play can mean several choices, the notation is not exact enough.
    The answer is that of the referee to the choice, as far as the record says which one it is.
    """

    code = "C467"
    slug = "record-refused"
    title = "{why}"
    advice = "{hint}"
    why: str
    hint: str = ""
