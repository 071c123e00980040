"""D142 and D143: notations of records of real play that cannot be used."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.diagnostics import Diagnostic


@dataclass(frozen=True)
class BrokenRecordGrammar(Diagnostic):
    """The grammar of a notation, `records/NAME.lark`, cannot be used.

    It is a grammar for Lark, with a rule `record` for what one record is, and it must be LALR(1): what comes
    next in a record is clear from the next word. It imports no other grammar. The pattern of a terminal must
    not repeat what repeats itself, look around, or have two repetitions without a bound: then nobody can
    write a record that takes long to read.

    Example:

        NUMBERS: /([0-9]+ ?)+/

    Let rules repeat what is more than one word:

        numbers: NUMBER+
        NUMBER: /[0-9]+/
    """

    code = "D142"
    slug = "broken-record-grammar"
    title = "{why}"
    advice = "{hint}"
    why: str
    hint: str = ""


@dataclass(frozen=True)
class BadNotation(Diagnostic):
    """What `records/NAME.yaml` says of the parts of a record does not fit its grammar or the rules.

    Each part that it names is a rule or a terminal of the grammar, each choice an action, a parameter or a
    name that something is chosen for, each condition an expression of the rules language; and the words that
    a table gives for a part are values of the expression that they are compared with.

    Example:

        play:
          move: [{choose: goes, where: {piece.kind: KIND}}]

    If the action is called `go`, name it so:

        play:
          move: [{choose: go, where: {piece.kind: KIND}}]
    """

    code = "D143"
    slug = "bad-notation"
    title = "{why}"
    advice = "{hint}"
    why: str
    hint: str = ""
