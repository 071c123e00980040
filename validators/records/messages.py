"""D142 and D143: notations that cannot be used. C465 to C467: records that cannot be followed."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.diagnostics import Diagnostic


@dataclass(frozen=True)
class BrokenRecordGrammar(Diagnostic):
    """The grammar of a notation, `records/NAME.lark`, cannot be used.

    It is a grammar for Lark, with a rule `record` for what one record is, and it must be LALR(1). It may not
    import another grammar, and the pattern of a terminal must not repeat what repeats itself, look around, or
    have two repetitions without a bound: then nobody can write a record that takes long to read. What is
    more than a word belongs into rules.
    """

    code = "D142"
    slug = "broken-record-grammar"
    title = "{why}"
    advice = "{hint}"
    why: str
    hint: str = ""


@dataclass(frozen=True)
class BadNotation(Diagnostic):
    """What the parts of a notation mean, `records/NAME.yaml`, does not fit its grammar or the rules.

    Each part that it names must be a rule or a terminal of the grammar, each choice an action, a parameter or
    a name that something is chosen for, each condition an expression of the rules language, and the words
    that a table gives for a part must be values of the expression that it is compared with.
    """

    code = "D143"
    slug = "bad-notation"
    title = "{why}"
    advice = "{hint}"
    why: str
    hint: str = ""


@dataclass(frozen=True)
class NoNotation(Diagnostic):
    """A game has no such notation, or the name of a file does not say in which one it is written.

    The notations of a game are the files `records/NAME.yaml` in its folder, each with its grammar beside it.
    A file of records is read by the notation that names its ending in `files`, or by `--notation NAME`.
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
