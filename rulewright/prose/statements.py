"""Statements: what is done, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, assert_never

from dsl import rules as r
from dsl.domains import NONE, Flag, Int, is_optional
from interpreter.compile.uses import walk
from rulewright.prose.conditions import Conditions
from rulewright.prose.document import Step, cited, link, slug
from rulewright.prose.english import (
    article,
    capital,
    listed,
    lower,
    plain_verb,
    possessive,
    sentence,
    times,
    verb,
)
from rulewright.prose.expressions import key_of
from rulewright.prose.names import Noun
from rulewright.prose.nominals import Described, Things, narrowed
from rulewright.prose.usage import Usage

HIDDEN_ORDER = ("pile", "stack", "row", "shuffled", "bag")
VERBS = {"gain": "gains", "pay": "pays", "lose": "loses"}
LONG = 3
"""The fewest parts of a sum that are told one by one."""
BEGINNINGS = ("If ", "For ", "As long as ", "As soon as ", "Otherwise")
ONCE_MORE = r.While | r.Repeat | r.For | r.EachTurn | r.Together


@dataclass
class Statements(Conditions):
    """Says blocks as steps."""

    calls: Usage = field(default_factory=Usage)

    # ---- blocks

    def block(self, block: r.Block) -> tuple[Step, ...]:
        """The steps of a block, in order.

        What is set only to be used in the next line is said there; what nothing asks about is not said.
        """
        before = set(self.names)
        found = self._steps(list(self.folding.block(block)))
        for var in self.names.keys() - before:
            del self.names[var]
        return tuple(found)

    def _steps(self, lines: list[r.Statement]) -> list[Step]:
        found: list[Step] = []
        while lines:
            line = lines.pop(0)
            if isinstance(line, r.SetVar) and lines and self._is_used_once(line, lines):
                with self.given({line.var: line.value}):
                    lines[0] = self.folding.block((_with_marks(lines[0], line.clauses),))[0]
            elif self._is_idle(line):
                _pass_marks(line.clauses, lines, found)
            elif lines and (merged := self._merged(line, lines[0])):
                lines.pop(0)
                found.append(merged)
            else:
                found += self.line(line)
        return found

    def _is_used_once(self, line: r.SetVar, rest: Sequence[r.Statement]) -> bool:
        """Whether a new name is only asked about in the next line, once, and never changed."""
        if line.var in self.names or isinstance(line.value, r.PickOf) or isinstance(rest[0], ONCE_MORE):
            return False
        reads, here = (_reads(lines, line.var) for lines in (tuple(rest), (rest[0],)))
        return reads == here == 1 and not any(_writes(p, line.var) for p in walk((line.value, *rest)))

    def _is_idle(self, line: r.Statement) -> bool:
        """Whether a line only keeps the rules' own books, or calls what does no more."""
        match line:
            case r.Write(name=name):
                return name not in self.calls.read
            case r.CallLine(routine=name):
                return name in self.calls.idle
        return False

    def _merged(self, line: r.Statement, after: r.Statement) -> Step | None:
        """`Choose a card from your hand and put it on the discard pile.`"""
        match line, after:
            case r.Choose(strength="must", if_any=False, seat=None), r.MovePiece(piece=r.Read(var=var)) if (
                var is line.binder.var
            ):
                chosen = self.picked(line.binder)
                text = sentence(f"choose {chosen} and put it {self.place(after.to)}{_end(after.end)}")
                return Step(text, _joined(line.clauses, after.clauses))
        return None

    # ---- lines

    def line(self, line: r.Statement) -> list[Step]:
        """One statement; its marks stand behind its first sentence."""
        found = self._said(line)
        if found and line.clauses:
            found[0] = replace(found[0], clauses=_joined(found[0].clauses, line.clauses))
        return found

    def _said(self, line: r.Statement) -> list[Step]:
        match line:
            case r.SetVar():
                return [self._set(line)]
            case r.Write():
                return [self._written(line)]
            case r.Transfer():
                return [self._transfer(line)]
            case r.TurnDie(var=var, face=face):
                return [_step(f"turn {self.name_of(var)} to {self.expr(face)}")]
            case r.MovePiece(piece=piece, to=to, end=end):
                return [_step(f"put {self.expr(piece)} {self.place(to)}{_end(end)}")]
            case r.MoveAll():
                return [_step(self._moved_all(line))]
            case r.MoveCount():
                return [_step(self._moved(line))]
            case r.RollPiece(piece=piece):
                return [_step(f"roll {self.expr(piece)}")]
            case r.RollZone():
                return [_step(self._rolled(line))]
            case r.Shuffle(zone=zone):
                return [_step(f"shuffle {_whole(self.zone(zone))}")]
            case r.Show(zone=zone, to=to):
                return [_step(self._shown(zone, to))]
            case r.Need(condition=condition):
                return [_step(f"this is only allowed if {self.condition(condition)}")]
            case r.EndGame():
                return [_step("the game ends at once")]
            case r.Win(seat=seat):
                return [_step(self._won(seat))]
            case r.Choose():
                return self._choose(line)
            case r.Offer():
                return self._offer(line)
            case r.CallLine():
                return self._call(line)
            case r.If():
                return self._if(line)
            case r.While(condition=condition, block=block):
                return [opened(f"As long as {self.condition(condition)}", self.block(block))]
            case r.Repeat(number=number, block=block):
                return [opened(f"Do this {times(self.expr(number))}", self.block(block))]
            case r.For():
                return self._for(line)
            case r.EachTurn():
                return self._each(line)
            case r.Together():
                return [self._together(line)]
        assert_never(line)

    # ---- writing

    def _set(self, line: r.SetVar) -> Step:
        known = line.var in self.names
        name = self.name_of(line.var)
        if isinstance(line.var.type, Flag) and isinstance(line.value, r.Const):
            holds = "holds" if line.value.value else "no longer holds"
            return _step(f"from now on “{self.var_noun(line.var)}” {holds}")
        if isinstance(line.var.type, Flag):
            now = "now " if known else ""
            return _step(f"note {now}whether {self.condition(line.value)} (“{self.var_noun(line.var)}”)")
        match line.value:
            case r.Step(by=by, operand=r.Read(var=var)) if var is line.var:
                return _step(f"{name} is now the {'next' if by > 0 else 'previous'} one")
            case r.Arith(op="+", left=r.Read(var=var), right=right) if var is line.var:
                return _step(f"add {self.expr(right)} to {name}")
            case r.Arith(op="-", left=r.Read(var=var), right=right) if var is line.var:
                return _step(f"take {self.expr(right)} from {name}")
        value = self.expr(line.value)
        there = ", if there is one" if is_optional(line.value.type) else ""
        return _step(f"{name} {verb(name, 'is')} {'now ' if known else ''}{value}{there}")

    def _written(self, line: r.Write) -> Step:
        match line.kind:
            case "counter":
                terms = _terms(self.folding.expr(line.value))
                if line.op == "=" and len(terms) >= LONG:
                    head = f"set {self.counter(_read(line))} to the sum of:"
                    return Step(sentence(head), (), self._parts(terms), False)
                return _step(self._counter_written(line))
            case "mark":
                return _step(self._mark_written(line))
            case "pointer":
                return _step(self._pointer_written(line))
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
            return f"from now on {'nobody' if pointer.to == 'seat' else 'nothing'} is {thing}"
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
        terms = _terms(self.folding.expr(line.amount))
        if len(terms) < LONG:
            return _step(self._transferred(line))
        whole = self._transferred(replace(line, amount=r.Const(Int(2, 2), line.span, 2)))
        return Step(
            f"{sentence(whole.replace(' 2 ', ' ')).removesuffix('.')}, in all:", (), self._parts(terms), False
        )

    def _parts(self, terms: list[tuple[bool, r.Expr]]) -> tuple[Step, ...]:
        return tuple(_step(f"{'plus' if more else 'minus'} {self.expr(term)}" if i else self.expr(term))
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
                    return self._for_each(self.folding.expr(self.folding.cases(value)[0].value))
        return ""

    # ---- pieces

    def _moved_all(self, line: r.MoveAll) -> str:
        to = f"{self.place(line.to)}{_end(line.end)}"
        found = self.group(line.source)
        if isinstance(found, Things) and found.single:
            piece = self.slot(line.source) if isinstance(line.source, r.InZone) else found.all()
            return f"put {piece}, if there is one, {to}"
        return f"put {found.all('from')} {to}"

    def _moved(self, line: r.MoveCount) -> str:
        decl = self.rules.zones[line.source.zone]
        source = self.zone(line.source)
        drawn = "draw" if decl.order in HIDDEN_ORDER else "move"
        piece = self.lexicon.noun(decl.component)
        number = self.folding.expr(line.number)
        what = self.quantity(number, piece, "")
        start = f" from {_whole(source)}"
        if line.name is not None:
            self.name_of(line.name)
            what = article(piece.one)
        place = self.place(line.to)
        if place.startswith(("with ", "among ")):
            place = f"and put {'it' if line.name is not None or what.startswith('1 ') else 'them'} {place}"
        return f"{drawn} {what}{start} {place}{_end(line.end)}"

    def _rolled(self, line: r.RollZone) -> str:
        source = self.zone(line.source)
        if line.number is None and line.source.zone == line.to.zone:
            return f"roll {source.all('in')}"
        if line.number is None:
            return f"roll {source.all('from')} and put them {self.place(line.to)}"
        what = self.quantity(line.number, self.lexicon.noun(self.rules.zones[line.source.zone].component), "")
        them = "it" if what.startswith("1 ") else "them"
        return f"take {what} from {_whole(source)}, roll {them}, and put {them} {self.place(line.to)}"

    def _shown(self, zone: r.InZone, to: r.Expr) -> str:
        who, what = self.expr(to), self.zone(zone)
        whole = what.place or what.many()
        return f"look at {whole}" if who == "you" else f"{who} {verb(who, 'looks')} at {whole}"

    def _won(self, seat: r.Expr) -> str:
        who = self.expr(seat)
        return f"{who} {verb(who, 'wins')} the game at once"

    # ---- choices

    def picked(self, binder: r.Binder) -> str:
        """What is chosen, and what it is called from now on, if that is another word."""
        binder = self.folding.tree(binder)
        self.names.pop(binder.var, None)
        if isinstance(binder.group, r.Items | r.Interval) and binder.where is not None:
            things = self.group(binder.group)
            called = self._called(things, binder.var, self.name_of(binder.var))
            return f"{things.picked()}{called}, so that {self.condition(binder.where)}"
        things = self.bound(binder)
        return f"{things.picked()}{self._called(things, binder.var, self.name_of(binder.var))}"

    def _called(self, things: Described, var: r.Var, name: str) -> str:
        noun = name.removeprefix("the ")
        known = noun == self.lexicon.type_noun(var.type).one or f" {things.noun.one}".endswith(f" {noun}")
        return "" if known else f" (“{noun}”)"

    def _choose(self, line: r.Choose) -> list[Step]:
        who = self.expr(line.seat) if line.seat is not None else "you"
        chosen = self.picked(line.binder)
        block = self.block(line.block)
        if line.strength != "must" or line.if_any:
            self.names.pop(line.binder.var, None)
        match line.strength:
            case "must" if not line.if_any:
                return [_step(_told(who, "chooses", chosen))]
            case "must":
                head = f"{_told(who, 'chooses', chosen)}, if there is one"
                found = [_headed(head, "Then:", block)]
                without = "If there is none"
            case "may":
                found = [_headed(f"{who} may choose {chosen}", f"If {who} {verb(who, 'does')}:", block)]
                without = f"If {who} {verb(who, 'does')} not"
            case "keep":
                head = f"{who} may choose {chosen}, as often as {who} {verb(who, 'likes')}"
                return [_headed(head, "Each time:", block)]
        return found + self._otherwise(without, line.otherwise)

    def _otherwise(self, words: str, block: r.Block) -> list[Step]:
        steps = self.block(block)
        return [guarded(words, steps)] if steps else []

    def _offer(self, line: r.Offer) -> list[Step]:
        who = self.expr(line.seat) if line.seat is not None else "you"
        targets = [self.target(t) for t in line.targets]
        block = self.block(line.block)
        does = verb(who, "does")
        match line.strength:
            case "must":
                found = self._offered(
                    _told(who, "does", ""), _told(who, "does", "one of the following"), targets
                )
            case "may":
                found = self._offered(f"{who} may", f"{who} may do one of the following", targets)
            case "keep":
                often = f"as often as {who} {verb(who, 'likes')}, {who} may"
                found = self._offered(often, f"{often} do one of the following", targets)
        if block:
            found.append(guarded(f"If {who} {does}" if line.strength == "may" else "Each time", block))
        return found + self._otherwise(f"If {who} {does} not", line.otherwise)

    def _offered(self, one: str, several: str, targets: list[str]) -> list[Step]:
        if len(targets) == 1:
            head = one.removesuffix(" ")
            if head == "do":
                return [_step(targets[0])]
            return [_step(f"{head} {targets[0]}")]
        return [Step(sentence(f"{several}:"), (), tuple(_step(t) for t in targets), ordered=False)]

    def target(self, target: r.Target) -> str:
        """What can be done, as a verb with what it is done to."""
        if isinstance(target, r.DoCell):
            return self._cell(target)
        return self.reference(target.routine, target.arguments)

    def _cell(self, target: r.DoCell) -> str:
        cell = self.folding.expr(target.cell)
        as_self = ""
        owner = cell.owner if isinstance(cell, r.ColumnOf) else None
        if target.actor is not None and owner is not None and target.actor != owner:
            as_self = f", as if {self.expr(target.actor)} did it"
        table = (
            f" (→ {link(slug('table', cell.table), self.lexicon.heading(cell.table))})"
            if isinstance(cell, r.LookUp)
            else ""
        )
        return f"carry out {self.expr(cell)}{as_self}{table}"

    def reference(self, name: str, arguments: tuple[r.Expr, ...]) -> str:
        """A routine that is told elsewhere, with what it is given."""
        routine = self.rules.routines[name]
        phrase = self.lexicon.phrase(name)
        said = [self.expr(a) for a in arguments]
        heading = link(routine_id(name), self.lexicon.heading(name, routine.clauses))
        if phrase is not None and len(said) == len(routine.parameters):
            holes = {p.var.name: a for p, a in zip(routine.parameters, said, strict=True)}
            return f"{self.filled(name, phrase, holes)} (→ {heading})"
        names = [self.var_noun(p.var) for p in routine.parameters]
        pairs = [a if a.endswith(f" {n}") else f"{n}: {a}" for n, a in zip(names, said, strict=False)]
        return f"carry out “{heading}”{f' ({listed(pairs)})' if pairs else ''}"

    # ---- calls

    def _call(self, line: r.CallLine) -> list[Step]:
        routine = self.rules.routines[line.routine]
        if not self.calls.is_told_in_place(line.routine):
            return [_step(self.reference(line.routine, line.arguments))]
        given = {p.var: a for p, a in zip(routine.parameters, line.arguments, strict=True)}
        with self.given(given):
            steps = list(self.block(routine.block))
        if steps:
            steps[0] = replace(steps[0], clauses=_joined(routine.clauses, steps[0].clauses))
        return steps

    # ---- branches and rounds

    def _if(self, line: r.If) -> list[Step]:
        found = (
            [guarded(f"If {self.condition(line.condition)}", self.block(line.block))] if line.block else []
        )
        rest = line.otherwise
        if not line.block:
            return [guarded(f"If {self.condition(line.condition, False)}", self.block(rest))]
        while len(rest) == 1 and isinstance(rest[0], r.If) and rest[0].block:
            inner = rest[0]
            words = f"Otherwise, if {self.condition(inner.condition)}"
            found.append(replace(guarded(words, self.block(inner.block)), clauses=inner.clauses))
            rest = inner.otherwise
        return found + self._otherwise("Otherwise", rest)

    def _for(self, line: r.For) -> list[Step]:
        binder = self.folding.tree(line.binder)
        things = self.bound(binder)
        order = ""
        if line.keys:
            with self.marked(binder.var) as mark:
                order = f", {self.order(mark, line.keys, things)}"
        name = self.name_of(binder.var)
        words = f"For {things.every()}{self._called(things, binder.var, name)}{order}"
        steps = self.block(line.block)
        self.names.pop(binder.var, None)
        return [guarded(words, steps)]

    def _each(self, line: r.EachTurn) -> list[Step]:
        things: Described = Things(Noun("player", "players"), person=True)
        if line.opponents:
            things = Things(Noun("other player", "other players"), person=True)
        with self.marked(line.probe) as mark:
            order = f", {self.order(mark, line.keys, things)}" if line.keys else " in turn"
            said = self.clauses(line.where) if line.where is not None else []
        who = f"each {things.noun.one}"
        if said:
            who = narrowed(mark, things, said).every()
        start = f", beginning with {self.expr(line.start)}," if line.start is not None else ""
        return [opened(capital(f"{who}{order}{start}"), self.block(line.block))]

    def order(self, mark: str, keys: tuple[r.Expr, ...], things: Described) -> str:
        """`in the order of price, the lowest first`"""
        said = []
        for key in keys:
            folded, first = self.folding.expr(key), "lowest"
            match folded:
                case r.Arith(op="-", left=r.Const(value=0), right=right):
                    folded, first = right, "highest"
            said.append(f"{key_of(mark, self.expr(folded), things)} ({first} first)")
        return f"in the order of {listed(said, 'and then')}"

    def _together(self, line: r.Together) -> Step:
        things = Things(Noun("player", "players"), person=True)
        with self.marked(line.probe) as mark:
            order = f" (if it matters: {self.order(mark, line.keys, things)})" if line.keys else ""
        return opened(f"All players at the same time, in secret{order}", self.block(line.block))


def _terms(node: r.Expr) -> list[tuple[bool, r.Expr]]:
    """The parts of a sum, each with whether it is added."""
    match node:
        case r.Arith(op="+" | "-" as op, left=left, right=right):
            rest = [(more is (op == "+"), term) for more, term in _terms(right)]
            return [*_terms(left), *rest]
    return [(True, node)]


def routine_id(name: str) -> str:
    return slug("do", name)


def guarded(words: str, steps: tuple[Step, ...]) -> Step:
    """`If …, do this.` in one sentence where that is all; else with the steps below it."""
    if not steps:
        return _step(f"{words}, nothing happens")
    if len(steps) == 1 and not steps[0].text.startswith(BEGINNINGS):
        only = steps[0]
        return replace(only, text=f"{words}, {lower(only.text)}")
    return opened(words, steps)


def opened(words: str, steps: tuple[Step, ...]) -> Step:
    """`As long as …: do this.`, or with the steps below it."""
    if len(steps) == 1 and not steps[0].parts:
        return replace(steps[0], text=f"{words}: {lower(steps[0].text)}")
    return Step(f"{words}:", (), steps)


def _headed(head: str, then: str, steps: tuple[Step, ...]) -> Step:
    """A choice and what is done with what was chosen."""
    if len(steps) == 1 and not steps[0].parts:
        word = {"Then:": "Then", "Each time:": "Each time,"}.get(then, then.replace(":", ","))
        return Step(f"{sentence(head)} {word} {lower(steps[0].text)}", tuple(cited(steps[0])))
    return Step(f"{sentence(head)} {then}", (), steps)


def _step(text: str) -> Step:
    return Step(sentence(text))


def _told(who: str, third: str, what: str) -> str:
    """`choose a card`; of another seat `your opponent chooses a card`."""
    said = plain_verb(third) if who == "you" else f"{who} {verb(who, third)}"
    return f"{said} {what}"


def _whole(things: Things) -> str:
    """A place as a whole, or what lies there."""
    return things.place or (things.many() if things.subject else f"the {things.many()}")


def _end(end: r.End | None) -> str:
    return ", at the bottom" if end == "bottom" else ""


def _joined(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*first, *second)))


def _with_marks(line: r.Statement, clauses: tuple[str, ...]) -> r.Statement:
    return replace(line, clauses=_joined(clauses, line.clauses)) if clauses else line


def _pass_marks(clauses: tuple[str, ...], lines: list[r.Statement], found: list[Step]) -> None:
    """The marks of a line that is not said go to the next one, or to the last that was said."""
    if lines:
        lines[0] = _with_marks(lines[0], clauses)
    elif found:
        found[-1] = replace(found[-1], clauses=_joined(found[-1].clauses, clauses))


def _writes(part: Any, var: r.Var) -> bool:
    match part:
        case r.SetVar(var=written) | r.TurnDie(var=written):
            return written is var
        case r.Choose(binder=binder):
            return binder.var is var
    return False


def _reads(lines: tuple[r.Statement, ...], var: r.Var) -> int:
    return sum(1 for p in walk(lines) if isinstance(p, r.Read) and p.var is var)


def _read(line: r.Write) -> r.ReadStore:
    return r.ReadStore(Int(0, 0), line.span, line.kind, line.name, line.of, line.at)
