"""Winners that are declared in a loop, of which only the first would count."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass

from dsl import rules as r
from dsl.diagnostics import Label
from dsl.rules.visit import walk
from validators.check import Check, CheckContext, Finding
from validators.settled_conditions import meaning


@dataclass(frozen=True)
class FirstWinnerOnly(Finding):
    """A loop over seats declares its seat the winner, and the game ends at the first one.

    `seat wins` ends the game at once. In a loop the first seat for which it is reached wins alone, whoever
    comes after it: of several seats that have reached a goal, always the first in seat order.

    Example:

        for seat where vp of seat >= goal
            seat wins

    A loop in an order, `by vp of seat`, or behind `if count(seat where ...) is 1` is not reported.

    Let them win together, `those(seat where vp of seat >= goal) win`, or say which one wins:
    `highest(seat where vp of seat >= goal by vp of seat) wins`, with a `let` and a test. If at most one seat
    can fit, `allow` the finding with the reason.
    """

    code = "V344"
    slug = "first-winner-only"
    title = "only the first seat of this loop can win"
    label = "the game ends here, in the first round that comes to it"
    advice = "let them win together: `those(seat where ...) win`"


def find(subject: CheckContext) -> Iterator[Finding]:
    rules = subject.rules
    blocks = [(routine.name, routine.block) for routine in rules.routines.values()]
    blocks += [("when", trigger.block) for trigger in rules.triggers]
    for name, block in blocks:
        alone = _loops_over_one(rules, block)
        for line in walk(block):
            if not any(line is one for one in alone) and (win := _declared(rules, line)) is not None:
                yield FirstWinnerOnly(win.span, name, (Label(line.span, "the loop"),))


def _declared(rules: r.Rules, line: object) -> r.Line | None:
    """The first line of a loop by which its own seat wins, itself or in a procedure that is given it."""
    match line:
        case r.For(binder=binder, keys=(), block=block):
            return next((x for x in walk(block) if _makes_win(rules, x, binder.var)), None)
        case r.EachTurn(block=block) if not any(isinstance(x, ACTS) for x in walk(block)):
            wins = (x for x in walk(block) if isinstance(x, r.Win))
            return next((x for x in wins if isinstance(x.seat, r.Special) and x.seat.what == "me"), None)
    return None


def _makes_win(rules: r.Rules, line: object, seat: r.Var) -> bool:
    """Whether a line declares a seat the winner."""
    match line:
        case r.Win(seat=r.Read(var=var)):
            return var is seat
        case r.CallLine(routine=name, arguments=arguments):
            called = rules.routines[name]
            given = zip(called.parameters, arguments, strict=False)
            own = {p.var for p, x in given if isinstance(x, r.Read) and x.var is seat}
            wins = (x for x in walk(called.block) if isinstance(x, r.Win))
            return any(isinstance(x.seat, r.Read) and x.seat.var in own for x in wins)
    return False


def _loops_over_one(rules: r.Rules, block: r.Block) -> list[object]:
    """The loops that a condition lets run only where there is one such seat: the last one that is left."""
    found: list[object] = []
    for line in walk(block):
        if isinstance(line, r.If):
            ones = [_among(binder) for binder in _counted_as_one(rules, line.condition)]
            loops = (x for x in walk(line.block) if isinstance(x, r.For))
            found += [loop for loop in loops if _among(loop.binder) in ones]
    return found


def _counted_as_one(rules: r.Rules, condition: r.Expr) -> Iterator[r.Binder]:
    """What a condition says there is one of, by `count(...) is 1`."""
    match condition:
        case r.Both(op="and", left=left, right=right):
            yield from _counted_as_one(rules, left)
            yield from _counted_as_one(rules, right)
        case r.Cmp(op="is" | "<" | "<=", left=counted, right=r.Const(value=1 | 2)):
            if isinstance(counted, r.UseValue) and not counted.arguments:
                cases = rules.values[counted.value].cases
                counted = cases[0].value if len(cases) == 1 else counted
            if isinstance(counted, r.AnyOf) and counted.kind == "count":
                yield counted.binder
        case r.UseValue(value=name, arguments=()) if len(cases := rules.values[name].cases) == 1:
            yield from _counted_as_one(rules, cases[0].value)


def _among(binder: r.Binder) -> Hashable:
    return meaning((binder.collection, binder.where), binder.var)


ACTS = r.Choose | r.Offer | r.CallLine
"""What makes a round of seats more than a loop: each of them does something, and may win by it."""

CHECK = Check(FirstWinnerOnly, find)
