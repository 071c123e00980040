"""Conditions as clauses, said or denied: `you have at least 3 coins`, `there is no stone on it`."""

from __future__ import annotations

import re

from dsl import rules as r
from dsl.domains import NONE, SEAT, Elem, Int, Type
from rulewright.prose.english import OR, article, belonging, denied, listed, possessive, verb
from rulewright.prose.expressions import Expressions, key_of
from rulewright.prose.nominals import Listed, about, in_or_on, referring
from rulewright.prose.stores import CLAUSE

DENIED = {"is": "is not", "is not": "is", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
MIRRORED = {"is": "is", "is not": "is not", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
WORDS = {"<": "less than", ">": "more than", "<=": "at most", ">=": "at least"}


class Conditions(Expressions):
    """Says what is so, or not so."""

    def clauses(self, node: r.Expr, so: bool = True, among: bool = False) -> list[str]:
        """A condition as one or several clauses that all hold; `among` others, one of two says `either`."""
        node = self.folding.expr(node)
        match node:
            case r.Both(op=op, left=left, right=right) if (op == "and") is so:
                return [*self.clauses(left, so, True), *self.clauses(right, so, True)]
            case r.Both(left=left, right=right):
                return [self._either_or(left, right, so, among)]
            case r.Neg(operand=operand):
                return self.clauses(operand, not so, among)
            case r.UseValue():
                return self._flag_value(node, so)
        return [self._clause(node, so)]

    def condition(self, node: r.Expr, so: bool = True) -> str:
        return listed(self.clauses(node, so))

    def _clause(self, node: r.Expr, so: bool) -> str:
        match node:
            case r.Const(value=value):
                return "this is always so" if bool(value) is so else "this is never so"
            case r.Both(left=left, right=right):
                return self._either_or(left, right, so, False)
            case r.Cmp():
                return self._compared(node, so)
            case r.Empty(group=group):
                found = self.group(group)
                return found.empty() if so else found.exists()
            case r.IsIn():
                return self._is_in(node, so)
            case r.CanDo(target=target):
                return self._can(target, so)
            case r.AnyOf():
                return self._any(node.binder, so)
            case r.FoldOf():
                return self._all(node, so)
            case r.ReadStore(kind="mark"):
                return self.mark(node, so)
            case r.ColumnOf():
                return self._flag_column(node, so)
            case r.Cond(condition=condition, then=then, otherwise=otherwise):
                asked, rest = self.condition(condition), self.condition(otherwise, so)
                return f"if {asked}, {self.condition(then, so)}, and otherwise {rest}"
            case r.Read(var=var):
                return f"“{self.var_noun(var)}” {'holds' if so else 'does not hold'}"
            case r.Setting(name=name):
                return f"“{self.lexicon.label(name)}” is {'on' if so else 'off'}"
        return f"{self._value(node)} {'holds' if so else 'does not hold'}"

    def _either_or(self, left: r.Expr, right: r.Expr, so: bool, among: bool) -> str:
        """One of two; parts that are made of several clauses stay together."""
        parts = [self.clauses(part, so) for part in self._alternatives(left, right, so)]
        said = [listed(p) for p in parts]
        return f"either {OR.join(said)}" if among or any(len(p) > 1 for p in parts) else OR.join(said)

    def _alternatives(self, left: r.Expr, right: r.Expr, so: bool) -> list[r.Expr]:
        """All parts of a chain of `or`."""
        wanted = "or" if so else "and"
        found: list[r.Expr] = []
        for part in (left, right):
            inner = part
            if isinstance(inner, r.Both) and inner.op == wanted:
                found += self._alternatives(inner.left, inner.right, so)
            else:
                found.append(part)
        return found

    # ---- comparisons

    def _compared(self, node: r.Cmp, so: bool) -> str:
        left, right = node.left, node.right
        op: str = node.op
        if isinstance(left, r.Const) and not isinstance(right, r.Const):
            left, right, op = right, left, MIRRORED[op]
        if op in ("is", "is not"):
            return self._same(left, right, (op == "is") is so)
        return self._ordered(left, op if so else DENIED[op], right)

    def _same(self, left: r.Expr, right: r.Expr, so: bool) -> str:
        if isinstance(right, r.ReadStore) and right.kind == "pointer" and not isinstance(left, r.ReadStore):
            left, right = right, left
        match left, right:
            case r.ReadStore(kind="pointer"), _:
                return self.pointed(left, right, so)
            case _, r.Const(value=value) if value == NONE:
                return self._none(left, so)
            case r.ReadStore(kind="counter"), _:
                return self._counted(left, "is" if so else "is not", right)
            case ((r.AnyOf() | r.SizeOf() | r.FoldOf(kind="distinct")), r.Const(value=number)):
                return self._numbered(left, "is" if so else "is not", number)
            case r.ClassOf(), r.Const():
                return self._of_class(left, right, so)
            case r.ClassOf(type=kind), _ if kind != SEAT and not _is_row(kind):
                return f"{self.expr(left.piece)} {'shows' if so else 'does not show'} {self.expr(right)}"
            case r.ColumnOf(), r.Const() if (phrase := self.column_phrase(left)) and phrase.compares:
                holes = self.column_holes(left, self.expr(left.owner), "")
                return self.filled(phrase, {**holes, "value": self.expr(right)}, so)
            case r.Special(what="seats_playing"), r.Const(value=number):
                return _players("is" if so else "is not", number)
            case _ if left.type == SEAT:
                return self._same_seat(left, right, so)
        return self._is(self.part(left), self.part(right), so)

    def _is(self, left: str, right: str, so: bool) -> str:
        said = f"{left} {verb(left, 'is')} {right}"
        return said if so else f"{left} {verb(left, 'is')} not {right}"

    def _same_seat(self, left: r.Expr, right: r.Expr, so: bool) -> str:
        for a, b in ((left, right), (right, left)):
            if isinstance(a, r.Special) and a.what == "active":
                return f"it is {'' if so else 'not '}{possessive(self.expr(b))} turn"
        for a, b in ((left, right), (right, left)):
            if isinstance(a, r.ClassOf | r.PlaceOf):
                belongs = "belongs to" if so else "does not belong to"
                return f"{self.expr(a.piece)} {belongs} {self.expr(b)}"
        one, other = self.expr(left), self.expr(right)
        return self._is(other, one, so) if other == "you" else self._is(one, other, so)

    def _none(self, left: r.Expr, so: bool) -> str:
        """Whether there is something at all."""
        match left:
            case r.SlotPiece(zone=zone):
                found = self.zone(zone)
                return found.empty() if so else found.exists()
            case r.ColumnOf():
                owner = self.expr(left.owner)
                noun = self.column_noun(left)
                has = verb(owner, "has")
                return f"{owner} {has} no {noun}" if so else f"{owner} {has} a {noun}"
            case r.Read(var=var):
                return (
                    f"there is no such {self.var_noun(var)}"
                    if so
                    else f"there is such {article(self.var_noun(var))}"
                )
            case r.Toward():
                place = self.expr(left).removeprefix("the ")
                return f"there is no {place}" if so else f"there is a {place}"
            case r.PickOf(binder=binder):
                found_things = self.bound(binder)
                return found_things.empty() if so else found_things.exists()
        said = self.expr(left)
        return f"{said} does not exist" if so else f"{said} exists"

    def _of_class(self, left: r.ClassOf, right: r.Const, so: bool) -> str:
        piece, kind = self.expr(left.piece), left.type
        word = "" if so else "not "
        if isinstance(kind, Elem) and kind.type.endswith(" row"):
            return f"{piece} is {word}{self.lexicon.one_of_kind(right.type, right.value)}"
        if isinstance(kind, Int):
            return f"{piece} {'shows' if so else 'does not show'} {right.value}"
        if kind == SEAT:
            return f"{piece} {'belongs' if so else 'does not belong'} to {self.expr(right)}"
        return f"{piece} {'shows' if so else 'does not show'} “{self.expr(right)}”"

    def _ordered(self, left: r.Expr, op: str, right: r.Expr) -> str:
        match left, right:
            case r.ReadStore(kind="counter"), _:
                return self._counted(left, op, right)
            case ((r.AnyOf() | r.SizeOf()), r.Const(value=number)):
                return self._numbered(left, op, number)
            case r.Special(what="seats_playing"), r.Const(value=number):
                return _players(op, number)
        said = self.part(left)
        return f"{said} {verb(said, 'is')} {WORDS[op]} {self.part(right)}"

    def _counted(self, left: r.ReadStore, op: str, right: r.Expr) -> str:
        """`you have at least 5 coins`; compared with what is no number, `your coins are at least …`."""
        store = self.rules.counters[left.name].store
        if (
            isinstance(right, r.ReadStore)
            and right.name == left.name
            and store.of == "seat"
            and left.at == right.at
        ):
            return self._more_than(left, op, right)
        if store.of != "seat" or not isinstance(right, r.Const) or not self._is_unit(left.name):
            said, value = self.counter(left), self.expr(right)
            word = {"is": "", "is not": "not "}.get(op, f"{WORDS.get(op, '')} ")
            return f"{said} {verb(said, 'is')} {word}{value}"
        owner = self.index(left.of, store.of)
        number = _how_many(op, right.value)
        return f"{owner} {verb(owner, 'has')} {self.amount(left.name, left.of, left.at, number)}"

    def _more_than(self, left: r.ReadStore, op: str, right: r.ReadStore) -> str:
        """`you have more chips than your opponent`"""
        store = self.rules.counters[left.name].store
        owner, other = self.index(left.of, store.of), self.index(right.of, store.of)
        noun, after = self.unit(left.name, owner, self.index(left.at, store.at))
        what = f"{noun.many}{after}"
        words = {
            "is": f"as many {what} as",
            "is not": f"as many {what} as",
            ">": f"more {what} than",
            "<": f"fewer {what} than",
            ">=": f"at least as many {what} as",
            "<=": f"at most as many {what} as",
        }
        has = f"{verb(owner, 'does')} not have" if op == "is not" else verb(owner, "has")
        return f"{owner} {has} {words[op]} {other}"

    def _is_unit(self, name: str) -> bool:
        """Whether a counter counts things that somebody has."""
        return name in self.lexicon.nouns or self.lexicon.phrase(name) is None

    def _numbered(self, left: r.Expr, op: str, number: int) -> str:
        if isinstance(left, r.FoldOf):
            return self._distinct(left, op, number)
        assert isinstance(left, r.AnyOf | r.SizeOf)
        things = self.bound(left.binder) if isinstance(left, r.AnyOf) else self.group(left.group)
        said = _how_many(op, number)
        if said == "no":
            return things.empty()
        if said == "at least 1":
            return things.exists()
        return things.there(said, said.endswith(" 1"))

    def _distinct(self, node: r.FoldOf, op: str, number: int) -> str:
        things = self.bound(node.binder)
        with self.marked(node.binder.var) as mark:
            key = key_of(mark, self.expr(node.body), things)
        if (op, number) == ("is", 1):
            return f"{things.all()} have the same {key}"
        return f"{things.many()} have {_how_many(op, number)} different {key}s"

    # ---- membership

    def _is_in(self, node: r.IsIn, so: bool) -> str:
        item = self.expr(node.item)
        is_ = f"{verb(item, 'is')}{'' if so else ' not'}"
        match node.group:
            case r.Interval(low=low, high=high):
                return f"{item} {is_} from {self.expr(low)} to {self.expr(high)}"
            case r.InZone() as zone:
                things = self.zone(zone)
                if things.place:
                    return f"{item} {is_} {in_or_on(things.place)} {things.place}{things.after}"
        things_found = self.group(node.group)
        if isinstance(things_found, Listed):
            return f"{item} {is_} {things_found.picked()}"
        return f"{item} {is_} one of {_definite(things_found.many())}"

    # ---- all of them, any of them

    def _any(self, binder: r.Binder, so: bool) -> str:
        binder = self.folding.tree(binder)
        things = self.group(binder.group)
        if binder.where is None:
            return things.exists() if so else things.empty()
        with self.marked(binder.var) as mark:
            said = self.clauses(binder.where)
        if len(said) == 1 and said[0].startswith(f"{mark} "):
            rest = referring(mark, things, said[0].removeprefix(f"{mark} "))
            return f"{things.some() if so else things.no()} {rest}"
        whole = self.bound(binder)
        if so and things.person and len(said) == 1:
            return said[0].replace(mark, things.some(), 1).replace(mark, f"that {things.noun.one}")
        return whole.exists() if so else whole.empty()

    def _all(self, node: r.FoldOf, so: bool) -> str:
        things = self.bound(node.binder)
        with self.marked(node.binder.var) as mark:
            said, denied_ = self.clauses(node.body), self.clauses(node.body, False)
        if so and len(denied_) == 1 and _is_denied(said[0]) and not _is_denied(denied_[0]):
            return about(mark, things.no(), things, denied_[0])
        if len(said) == 1:
            return about(mark, things.every() if so else f"not {things.every()}", things, said[0])
        whole = f"for {things.every()}, {referring(mark, things, listed(said))}"
        return whole if so else f"it is not so that, {whole}"

    # ---- what can be done

    def _can(self, target: r.Target, so: bool) -> str:
        word = "can" if so else "cannot"
        if isinstance(target, r.DoCell):
            return f"{self.expr(target.cell)} {word} be carried out now"
        return f"“{self.lexicon.heading(target.routine)}” {word} be done now"

    # ---- flags by name

    def _flag_column(self, node: r.ColumnOf, so: bool) -> str:
        owner = self.expr(node.owner)
        key = self.expr(node.key) if node.key is not None else ""
        phrase = self.column_phrase(node)
        if phrase is not None:
            return self.filled(phrase, self.column_holes(node, owner, key), so)
        said = belonging(owner, f"“{self.column_noun(node)}”")
        return f"{said} is {'marked' if so else 'not marked'}"

    def _flag_value(self, node: r.UseValue, so: bool) -> list[str]:
        value = self.rules.values[node.value]
        arguments = [self.expr(a) for a in node.arguments]
        phrase = self.lexicon.phrase(node.value)
        if phrase is not None:
            return [self.filled(phrase, self.value_holes(value, arguments), so)]
        if self.is_said_in_place(value):
            return self._clauses_in_place(value, node, so)
        label = self.lexicon.label(node.value)
        if not arguments and _is_clause(label):
            return [label if so else denied(label)]
        if arguments and node.arguments[0].type == SEAT and CLAUSE.match(label):
            said = f"{arguments[0]} {verb(arguments[0], label)} {listed(arguments[1:])}".strip()
            return [said if so else denied(said)]
        word = "holds" if so else "does not hold"
        return [f"“{label}” {word}{f' for {listed(arguments)}' if arguments else ''}"]

    def _clauses_in_place(self, value: r.Value, node: r.UseValue, so: bool) -> list[str]:
        self.depth += 1
        self.cite(value)
        with self.given(dict(zip(value.parameters, node.arguments, strict=True))):
            found = self.clauses(self.folding.cases(value)[0].value, so)
        self.depth -= 1
        return found


def _is_row(kind: Type) -> bool:
    return isinstance(kind, Elem) and kind.type.endswith(" row")


def _is_denied(clause: str) -> bool:
    return bool(re.search(r"\b(not|no|nobody|nothing|cannot)\b", clause))


def _how_many(op: str, number: int) -> str:
    match op:
        case "is":
            return "no" if number == 0 else f"exactly {number}"
        case "is not":
            return "at least 1" if number == 0 else f"not exactly {number}"
        case ">":
            return f"at least {number + 1}"
        case "<":
            return "no" if number == 1 else f"fewer than {number}"
        case ">=":
            return f"at least {number}"
    return "no" if number == 0 else f"at most {number}"


def _players(op: str, number: int) -> str:
    """How many play: `at least 2 players take part`."""
    if op == "is":
        return "you play alone" if number == 1 else f"{number} players take part"
    if (op == ">" and number == 1) or (op == ">=" and number == 2) or (op == "is not" and number == 1):
        return "you do not play alone"
    said = _how_many(op, number)
    return f"{said} {'player takes' if said.endswith(' 1') else 'players take'} part"


def _definite(many: str) -> str:
    return many if many.split(" ")[0].endswith(("r", "'s", "s'")) and "your" in many else f"the {many}"


def _is_clause(label: str) -> bool:
    return any(f" {word} " in f" {label} " for word in ("is", "are", "has", "have", "ends", "can", "may"))
