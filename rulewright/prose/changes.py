"""What is written: locals, counters, marks and pointers; what is gained, paid and lost."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from dsl import rules as r
from dsl.domains import NONE, Flag, Int, is_optional
from rulewright.prose.conditions import Conditions
from rulewright.prose.document import Step
from rulewright.prose.english import article, possessive, sentence, verb
from rulewright.prose.names import Noun
from rulewright.prose.steps import said

VERBS = {"gain": "gains", "pay": "pays", "lose": "loses"}
LONG = 3
"""The fewest parts of a sum that are told one by one."""


class Changes(Conditions):
    """The part of saying statements that deals with numbers and notes. `Statements` completes it."""

    # ---- writing

    def _set(self, line: r.SetVar) -> Step:
        known = line.var in self.names
        name = self.name_of(line.var)
        if isinstance(line.var.type, Flag) and isinstance(line.value, r.Const):
            holds = "holds" if line.value.value else "no longer holds"
            return said(f"from now on “{self.var_noun(line.var)}” {holds}")
        if isinstance(line.var.type, Flag):
            now = "now " if known else ""
            return said(f"note {now}whether {self.condition(line.value)} (“{self.var_noun(line.var)}”)")
        match line.value:
            case r.Step(by=by, operand=r.Read(var=var)) if var is line.var:
                return said(f"{name} is now the {'next' if by > 0 else 'previous'} one")
            case r.Arith(op="+", left=r.Read(var=var), right=right) if var is line.var:
                return said(f"add {self.expr(right)} to {name}")
            case r.Arith(op="-", left=r.Read(var=var), right=right) if var is line.var:
                return said(f"take {self.expr(right)} from {name}")
        value = self.expr(line.value)
        there = ", if there is one" if is_optional(line.value.type) else ""
        return said(f"{name} {verb(name, 'is')} {'now ' if known else ''}{value}{there}")

    def _written(self, line: r.Write) -> Step:
        match line.kind:
            case "counter":
                terms = terms_of(self.folding.expr(line.value))
                if line.op == "=" and len(terms) >= LONG:
                    head = f"set {self.counter(_read(line))} to the sum of:"
                    return Step(sentence(head), (), self.parts(terms), False)
                return said(self._counter_written(line))
            case "mark":
                return said(self._mark_written(line))
            case "pointer":
                return said(self._pointer_written(line))
        assert_never(line.kind)

    def _counter_written(self, line: r.Write) -> str:
        counter = self.counter(_read(line))
        value = self.expr(line.value)
        match line.op:
            case "+=":
                return f"add {value} to {counter}"
            case "-=":
                return f"take {value} from {counter}"
            case "=":
                return f"set {counter} to {value}"
        assert_never(line.op)

    def _mark_written(self, line: r.Write) -> str:
        so = isinstance(line.value, r.Const) and bool(line.value.value)
        store = self.rules.marks[line.name].store
        said = self.mark(line, so)
        until = self.until(store, self.index(line.of, store.of))
        return f"{until}, {said}" if until and so else f"from now on {said}"

    def until(self, store: r.Store, owner: str) -> str:
        """How long something lasts, as the beginning of a sentence."""
        match store.lasts:
            case None:
                return ""
            case "turn":
                return "until the end of this turn"
            case "own turn":
                return f"until the end of {possessive(owner)} next turn"
            case "action":
                return "until this action is over"
        return f"until the end of “{self.lexicon.label(store.lasts)}”"

    def _pointer_written(self, line: r.Write) -> str:
        pointer = self.rules.pointers[line.name]
        none = isinstance(line.value, r.Const) and line.value.value == NONE
        store, noun = pointer.store, self.lexicon.noun(line.name).one
        at = self.index(line.at, store.at)
        if self.is_piece(line.name):
            where = f"{self.preposition(store.at)} {at}"
            if none:
                return f"take the {noun} off {at}"
            return f"put {self._piece_of(line.value, noun)} {where}"
        thing = self.pointer(_read(line))
        if none:
            return f"from now on {self.unset(line.name, thing)}"
        value = self.expr(line.value)
        if pointer.to == "seat":
            return f"{value} {verb(value, 'becomes')} {thing}"
        return f"{thing} {verb(thing, 'is')} now {value}"

    def _piece_of(self, owner: r.Expr, noun: str) -> str:
        said = self.expr(owner)
        if said == "you":
            return f"a {noun} of yours" if article(noun).startswith("a ") else f"an {noun} of yours"
        return f"{article(noun)} of {said}"

    # ---- gaining, paying, losing

    def _transfer(self, line: r.Transfer) -> Step:
        """One sentence; of a long sum the parts one by one."""
        terms = terms_of(self.folding.expr(line.amount))
        if len(terms) < LONG:
            return said(self._transferred(line))
        whole = self._transferred(replace(line, amount=r.Const(Int(2, 2), line.span, 2)))
        return Step(
            f"{sentence(whole.replace(' 2 ', ' ')).removesuffix('.')}, in all:", (), self.parts(terms), False
        )

    def parts(self, terms: list[tuple[bool, r.Expr]]) -> tuple[Step, ...]:
        return tuple(said(f"{'plus' if more else 'minus'} {self.expr(term)}" if i else self.expr(term))
                     for i, (more, term) in enumerate(terms))  # fmt: skip

    def _transferred(self, line: r.Transfer) -> str:
        store = self.rules.counters[line.counter].store
        subject = self.index(line.of, store.of) if store.of == "seat" else "you"
        noun, after = self.unit(line.counter, self.index(line.of, store.of), self.index(line.at, store.at))
        what = self.quantity(line.amount, noun, after)
        to = f" to {self.expr(line.to)}" if line.to is not None else ""
        what = f"{what}{to}" if " for each " not in what else what.replace(" for each ", f"{to} for each ", 1)
        limit = f" (as far as {subject} can)" if line.verb == "lose" else ""
        if subject == "you":
            return f"{line.verb} {what}{limit}"
        if line.to is not None and self.expr(line.to) == "you":
            what = what.replace(" to you", "", 1)
            return f"{subject} pays you {what}{limit}"
        return f"{subject} {verb(subject, VERBS[line.verb])} {what}{limit}"

    def quantity(self, number: r.Expr, noun: Noun, after: str) -> str:
        """`3 coins`, `1 coin for each card …`, `as many coins as the price of the card`."""
        number = self.folding.expr(number)
        each = self._for_each(number)
        match number:
            case r.Const(value=value):
                return f"{value} {noun.one if value == 1 else noun.many}{after}"
            case r.Arith(op="*", left=r.Const(value=value), right=right) if found := self._for_each(right):
                return f"{value} {noun.many}{after} for {found}"
        if isinstance(number, r.Cond) and isinstance(number.then, r.Const):
            then, rest = (self.quantity(x, noun, after) for x in (number.then, number.otherwise))
            return f"{then} if {self.condition(number.condition)}, otherwise {rest}"
        if each:
            return f"1 {noun.one}{after} for {each}"
        much = "much" if noun.one == noun.many else "many"
        return f"as {much} {noun.many}{after} as {self.expr(number)}"

    def _for_each(self, number: r.Expr) -> str:
        match number:
            case r.AnyOf(kind="count", binder=binder):
                return self.bound(binder).every()
            case r.SizeOf(group=group):
                return self.group(group).every()
            case r.UseValue(value=name, arguments=()):
                value = self.rules.values[name]
                if self.is_said_in_place(value) and self.lexicon.phrase(name) is None:
                    self.cite(value)
                    return self._for_each(self.folding.expr(self.folding.cases(value)[0].value))
        return ""


def terms_of(node: r.Expr) -> list[tuple[bool, r.Expr]]:
    """The parts of a sum, each with whether it is added."""
    match node:
        case r.Arith(op="+" | "-" as op, left=left, right=right):
            rest = [(more is (op == "+"), term) for more, term in terms_of(right)]
            return [*terms_of(left), *rest]
    return [(True, node)]


def _read(line: r.Write) -> r.ReadStore:
    return r.ReadStore(Int(0, 0), line.span, line.kind, line.name, line.of, line.at)
