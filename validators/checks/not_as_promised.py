"""Promises about constants, tables and pieces that do not hold."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass

from dsl import rules as r
from dsl.diagnostics import Severity
from dsl.domains import FLAG
from dsl.rules.static import is_static
from interpreter.game import Game
from interpreter.messages import Fault
from interpreter.queries import QueryEvaluator
from validators.check import Check, CheckContext, Finding

NAMED = 6
"""The most counterexamples that are named."""


@dataclass(frozen=True)
class NotAsPromised(Finding):
    """A promise about tables, pieces or constants does not hold.

    `always` is a promise about every position. If it reads nothing that play can change, only columns of
    tables, numbers of pieces, constants and the number of seats, it holds always or never, and is checked
    here, once. So the facts that a rulebook states about its cards can be written down, and a table that is
    typed in, or replaced, is checked against them.

    Example:

        always count(card) is 52
        always count(card where card.suit is hearts) is 13
        always all(card.points <= 4 for card where card.suit is hearts)

    Correct the table or the promise.
    """

    code = "V316"
    slug = "not-as-promised"
    severity = Severity.ERROR
    title = "`{about}` does not hold{why}"
    label = "promised here"
    advice = "correct the table or the promise"

    why: str = ""


def find(subject: CheckContext) -> Iterator[Finding]:
    promises = [x for x in subject.rules.invariants if is_static(subject.rules, x.condition)]
    if not promises:
        return
    reported: set[int] = set()
    for machine in subject.machines:
        subject.tick()
        initial = _InitialState(Game(subject.rules, machine))
        for number, promise in enumerate(promises):
            if number not in reported and not initial.holds(promise.condition):
                reported.add(number)
                text = _plain(promise.condition)
                yield NotAsPromised(promise.span, text, why=initial.why(promise.condition))


class _InitialState:
    """The initial state of a game, in which promises are evaluated."""

    def __init__(self, game: Game) -> None:
        self.answers = QueryEvaluator(game)
        self.state: array[int] = game.reference.initial_state()

    def holds(self, condition: r.Expr) -> bool:
        try:
            return self.answers.answer(self.state, condition) == "true"
        except Fault:
            return False

    def why(self, condition: r.Expr) -> str:
        """The part that fails, with its values or with counterexamples."""
        match condition:
            case r.Both(op="and", left=left, right=right):
                return self.why(right if self.holds(left) else left)
            case r.FoldOf(kind="all", body=body, binder=binder):
                return f" for {self._named(binder, r.Neg(FLAG, body.span, body))}"
            case r.Neg(operand=r.AnyOf(kind="any", binder=binder)):
                return f" for {self._named(binder, None)}"
            case r.Cmp(left=left, right=right):
                sides = [x for x in (left, right) if not isinstance(x, r.Const)]
                return ": " + ", ".join(f"`{_plain(x)}` is {self._value(x)}" for x in sides)
        return ""

    def _named(self, binder: r.Binder, failing: r.Expr | None) -> str:
        """The items of a collection that break a promise."""
        asked = [x for x in (binder.where, failing) if x is not None]
        where = asked[0] if asked else None
        for more in asked[1:]:
            where = r.Both(FLAG, more.span, "and", where, more) if where is not None else more
        collection = r.Filtered(
            binder.collection.item, binder.collection.span, r.Binder(binder.var, binder.collection, where)
        )
        found = self.answers.answer(self.state, collection)
        names = list(dict.fromkeys(found if isinstance(found, list) else [found]))
        rest = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
        return ", ".join(f"`{name}`" for name in names[:NAMED]) + rest

    def _value(self, side: r.Expr) -> str:
        try:
            return str(self.answers.answer(self.state, side))
        except Fault as fault:
            return f"nothing: {fault.diagnostic.message}"


def _plain(part: r.Expr) -> str:
    return " ".join(part.span.text.split())


CHECK = Check(NotAsPromised, find)
