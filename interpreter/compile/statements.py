"""Statements to nodes. Every statement fills its entry and leads to the node after it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import assert_never

from dsl import rules as r
from dsl.domains import Int, Piece
from dsl.source import NOWHERE, Span
from interpreter import machine as m
from interpreter.compile.expressions import Lowering, operation
from interpreter.compile.layout import Layout
from interpreter.compile.uses import reads, walk, zones_in, zones_of


@dataclass
class Graph:
    """Nodes under construction. An entry is reserved first and filled later."""

    nodes: list[m.Step | None] = field(default_factory=list)
    alias: dict[int, int] = field(default_factory=dict)

    def reserve(self) -> int:
        self.nodes.append(None)
        return len(self.nodes) - 1

    def fill(self, entry: int, node: m.Step) -> None:
        self.nodes[entry] = node

    def add(self, node: m.Step) -> int:
        self.nodes.append(node)
        return len(self.nodes) - 1


class Statements(Lowering):
    """Lowers the statements of one routine after the other."""

    def __init__(self, rules: r.Rules, seats: int, options: dict[str, int], layout: Layout) -> None:
        super().__init__(rules, seats, options, layout)
        self.graph = Graph()
        self.slots = m.FRAME
        self.slots_most = m.FRAME
        self.calls: dict[str, set[str]] = {}
        self.forks: list[str] = []
        self.current = ""
        self.trigger_reads: list[frozenset[str]] = []
        self.inner: list[tuple[str, r.Together, dict[r.Var, m.Expr]]] = []
        self.resets: dict[str, int] = {}

    # ---- frames

    def slot(self, words: int = 1) -> int:
        first = self.slots
        self.slots += words
        self.slots_most = max(self.slots_most, self.slots)
        return first

    def keep(self, var: r.Var) -> int:
        """A slot for a variable; the one it has, if it has one."""
        known = self.env.get(var)
        if isinstance(known, m.Local):
            return known.slot
        slot = self.slot()
        self.env[var] = m.Local(slot)
        return slot

    def called(self, name: str) -> None:
        self.calls.setdefault(self.current, set()).add(name)

    # ---- blocks

    def block(self, lines: r.Block, entry: int, after: int, clear: bool = True) -> None:
        """Fills `entry` with the block; its locals are cleared behind it."""
        mark = self.slots
        before = dict(self.env)
        end = self.graph.reserve() if clear else after
        at = entry
        for i, line in enumerate(lines):
            following = end if i == len(lines) - 1 else self.graph.reserve()
            self.line(line, at, following)
            at = following
        if not lines:
            self.graph.alias[entry] = end
        if clear:
            if self.slots > mark:
                self.graph.fill(end, m.ClearLocals(span=NOWHERE, first=mark, last=self.slots, next=after))
            else:
                self.graph.alias[end] = after
        self.slots, self.env = mark, before

    def after(self, writes: frozenset[str], following: int) -> int:
        """The node after a write: the triggers that read what was written, then `following`."""
        for number in reversed(range(len(self.trigger_reads))):
            if self.trigger_reads[number] & writes:
                self.called(f"when {number}")
                following = self.graph.add(m.CheckTrigger(span=NOWHERE, trigger=number, next=following))
        return following

    # ---- one statement

    def line(self, line: r.Statement, entry: int, after: int) -> None:
        match line:
            case r.SetVar(var=var, value=value):
                made = self.expr(value)
                self._fill(entry, m.SetLocal, line, slot=self.keep(var), value=made, next=after)
            case r.Write():
                self._write(line, entry, after)
            case r.Transfer():
                self._transfer(line, entry, after)
            case r.TurnDie():
                self._turn(line, entry, after)
            case r.MovePiece():
                self._move_piece(line, entry, after)
            case r.MoveAll(source=source, to=to):
                after = self.after(zones_in(source) | {to.zone}, after)
                self._fill(
                    entry,
                    m.MoveAll,
                    line,
                    source=self.group(source),
                    place=self.place(to),
                    classes=self.classes(to.item),
                    bottom=line.end == "bottom",
                    next=after,
                )
            case r.MoveCount():
                self._move_count(line, entry, after)
            case r.RollPiece():
                self._roll_piece(line, entry, after)
            case r.RollZone():
                self._roll_zone(line, entry, after)
            case r.Shuffle(zone=zone):
                self._shuffle(line, zone, entry, after)
            case r.Show(zone=zone, to=to):
                self._fill(
                    entry,
                    m.Show,
                    line,
                    source=self.pieces(zone),
                    places=self.pieces(zone),
                    seat=self.expr(to),
                    next=after,
                )
            case r.Need(condition=condition):
                self._need(condition, line, entry, after)
            case r.EndGame():
                self._fill(entry, m.End, line)
            case r.Win(seat=seat):
                self._fill(entry, m.Win, line, seat=self.expr(seat))
            case r.Choose():
                self._choose(line, entry, after)
            case r.Offer():
                self._offer(line, entry, after)
            case r.CallLine(routine=routine, arguments=arguments):
                self.called(routine)
                self._fill(
                    entry,
                    m.Call,
                    line,
                    routine=self.routine_numbers[routine],
                    arguments=tuple(self.expr(a) for a in arguments),
                    next=after,
                )
            case r.If():
                self._if(line, entry, after)
            case r.While():
                self._while(line, entry, after)
            case r.Repeat():
                self._repeat(line, entry, after)
            case r.For():
                self._for(line, entry, after)
            case r.EachTurn():
                self._each(line, entry, after)
            case r.Together():
                self._together(line, entry, after)
            case _:
                assert_never(line)

    def _fill(self, entry: int, kind: type, line: r.Line, **parts: object) -> None:
        self.graph.fill(entry, kind(span=line.span, clauses=line.clauses, **parts))

    def _add(self, kind: type, line: r.Line, **parts: object) -> int:
        return self.graph.add(kind(span=line.span, clauses=line.clauses, **parts))

    # ---- counters, marks, pointers

    def _write(self, line: r.Write, entry: int, after: int) -> None:
        words = self.layout.words[line.name]
        edge = self.rules.counters[line.name].at_edge if line.kind == "counter" else "free"
        after = self.after(frozenset({line.name}), after)
        self._fill(
            entry,
            m.SetWord,
            line,
            name=line.name,
            address=self.address(line.name, line.of, line.at),
            op=line.op,
            value=self.expr(line.value),
            ranges=words.ranges,
            edge=edge,
            next=after,
        )

    def _transfer(self, line: r.Transfer, entry: int, after: int) -> None:
        counter = self.rules.counters[line.counter]
        bank = self.layout.words[counter.bank] if counter.bank is not None and line.to is None else None
        to = self.address(line.counter, line.to, line.at) if line.to is not None else None
        written = {line.counter} | ({counter.bank} if counter.bank is not None else set())
        after = self.after(frozenset(written), after)
        self._fill(
            entry,
            m.Transfer,
            line,
            verb=line.verb,
            name=line.counter,
            address=self.address(line.counter, line.of, line.at),
            amount=self.expr(line.amount),
            ranges=self.layout.words[line.counter].ranges,
            edge=counter.at_edge,
            bank=bank.base if bank is not None else None,
            bank_range=bank.ranges[0] if bank is not None else (0, 0),
            bank_name=bank.name if bank is not None else "",
            paid_anyway=counter.paid_anyway,
            to=to,
            next=after,
        )

    # ---- pieces

    def _turn(self, line: r.TurnDie, entry: int, after: int) -> None:
        kind = line.var.type
        assert isinstance(kind, Piece)
        die = self.rules.components[kind.component].die
        low = die.lo if isinstance(die, Int) else 0
        face = operation("-", self.expr(line.face), m.Const(low))
        slot = self.keep(line.var)
        after = self.after(zones_of(self.rules, kind.component), after)
        self._fill(entry, m.TurnDie, line, slot=slot, face=face, classes=self.classes(kind), next=after)

    def _move_piece(self, line: r.MovePiece, entry: int, after: int) -> None:
        kind = line.piece.type
        assert isinstance(kind, Piece)
        piece = self.expr(line.piece)
        after = self.after(zones_of(self.rules, kind.component), after)
        follow = piece.slot if isinstance(piece, m.Local) else None
        self._fill(
            entry,
            m.MovePiece,
            line,
            piece=piece,
            follow=follow,
            place=self.place(line.to),
            classes=self.classes(kind),
            bottom=line.end == "bottom",
            next=after,
        )

    def _move_count(self, line: r.MoveCount, entry: int, after: int) -> None:
        zone = self.rules.zones[line.source.zone]
        follow = self.keep(line.name) if line.name is not None else None
        written = frozenset({zone.name, line.to.zone} | ({zone.refill} if zone.refill else set()))
        if zone.order not in ("shuffled", "bag"):
            after = self.after(written, after)
            self._fill(
                entry,
                m.MoveSome,
                line,
                number=self.expr(line.number),
                source=self.place(line.source),
                place=self.place(line.to),
                classes=self.classes(line.to.item),
                bottom=line.end == "bottom",
                follow=follow,
                next=after,
            )
            return
        self._draw_loop(line, zone, follow, written, entry, after)

    def _draw_loop(
        self,
        line: r.MoveCount,
        zone: r.Zone,
        follow: int | None,
        written: frozenset[str],
        entry: int,
        after: int,
    ) -> None:
        """Draws one after the other, as many as there are; an empty zone is refilled when a draw wants it."""
        left, drawn = self.slot(), self.slot()
        source, to = self.pieces(line.source), self.place(line.to)
        loop = self.graph.reserve()
        end = self._add(m.ClearLocals, line, first=left, last=drawn + 1, next=after)
        self._fill(entry, m.SetLocal, line, slot=left, value=self.expr(line.number), next=loop)
        count = self._add(m.SetLocal, line, slot=left, value=m.Op("-", m.Local(left), m.Const(1)), next=loop)
        count = self.after(written, count)
        take = self._add(
            m.Take,
            line,
            slot=drawn,
            source=self.place(line.source),
            place=to,
            classes=source.classes,
            bottom=line.end == "bottom",
            follow=follow,
            next=count,
        )
        names = self.layout.classes(zone.component)
        chance = self._add(
            m.Chance,
            line,
            stream=self.layout.stream(zone.name),
            slot=drawn,
            faces=None,
            place=self.place(line.source),
            most=None,
            names=names,
            next=take,
        )
        again = self._add(
            m.Branch, line, condition=operation("==", m.Size(source), m.Const(0)), then=end, otherwise=chance
        )
        filled = again
        if zone.refill is not None:
            first, count_ = self.layout.zone_places[zone.refill]
            everything = m.Indices(None, None, 0, count_)
            refill = m.Pieces(first, m.Indices(m.Const(0), None, 0, 1), everything, source.classes)
            filled = self._add(
                m.MoveAll,
                line,
                source=refill,
                place=self.place(line.source),
                classes=source.classes,
                bottom=False,
                next=again,
            )
        empty = self._add(
            m.Branch,
            line,
            condition=operation("==", m.Size(source), m.Const(0)),
            then=filled,
            otherwise=chance,
        )
        self.graph.fill(
            loop,
            m.Branch(
                span=line.span, condition=m.Op(">", m.Local(left), m.Const(0)), then=empty, otherwise=end
            ),
        )

    def _faces(self, component: str) -> tuple[str, ...]:
        return self.layout.classes(component)

    def _roll_piece(self, line: r.RollPiece, entry: int, after: int) -> None:
        kind = line.piece.type
        assert isinstance(kind, Piece)
        names = self._faces(kind.component)
        thrown, held = self.slot(), self.slot()
        piece = self.expr(line.piece)
        follow = piece.slot if isinstance(piece, m.Local) else None
        after = self.after(zones_of(self.rules, kind.component), after)
        end = self._add(m.ClearLocals, line, first=thrown, last=held + 1, next=after)
        turn = self._add(m.TurnDie, line, slot=held, face=m.Local(thrown), classes=len(names), next=end)
        if follow is not None:
            copy = self._add(m.SetLocal, line, slot=follow, value=m.Local(held), next=end)
            turn = self._add(m.TurnDie, line, slot=held, face=m.Local(thrown), classes=len(names), next=copy)
        chance = self._add(
            m.Chance,
            line,
            stream=self.layout.stream(kind.component),
            slot=thrown,
            faces=len(names),
            place=None,
            most=None,
            names=names,
            next=turn,
        )
        self._fill(entry, m.SetLocal, line, slot=held, value=piece, next=chance)

    def _roll_zone(self, line: r.RollZone, entry: int, after: int) -> None:
        component = self.rules.zones[line.to.zone].component
        names = self._faces(component)
        left, thrown = self.slot(), self.slot()
        loop = self.graph.reserve()
        after = self.after(frozenset({line.source.zone, line.to.zone}), after)
        end = self._add(m.ClearLocals, line, first=left, last=thrown + 1, next=after)
        number = self.expr(line.number) if line.number is not None else None
        self._fill(entry, m.Lift, line, source=self.place(line.source), number=number, slot=left, next=loop)
        count = self._add(m.SetLocal, line, slot=left, value=m.Op("-", m.Local(left), m.Const(1)), next=loop)
        drop = self._add(
            m.Drop,
            line,
            slot=thrown,
            place=self.place(line.to),
            classes=len(names),
            component=component,
            follow=None,
            next=count,
        )
        chance = self._add(
            m.Chance,
            line,
            stream=self.layout.stream(component),
            slot=thrown,
            faces=len(names),
            place=None,
            most=None,
            names=names,
            next=drop,
        )
        self.graph.fill(
            loop,
            m.Branch(
                span=line.span, condition=m.Op(">", m.Local(left), m.Const(0)), then=chance, otherwise=end
            ),
        )

    def _shuffle(self, line: r.Shuffle, zone: r.InZone, entry: int, after: int) -> None:
        decl = self.rules.zones[zone.zone]
        place = self.place(zone)
        if decl.order in ("shuffled", "bag"):
            self._fill(entry, m.Forget, line, place=place, next=after)
            return
        i, j = self.slot(), self.slot()
        loop = self.graph.reserve()
        forget = self._add(m.Forget, line, place=place, next=after)
        end = self._add(m.ClearLocals, line, first=i, last=j + 1, next=forget)
        size = m.Size(self.pieces(zone))
        self._fill(entry, m.SetLocal, line, slot=i, value=operation("-", size, m.Const(1)), next=loop)
        count = self._add(m.SetLocal, line, slot=i, value=m.Op("-", m.Local(i), m.Const(1)), next=loop)
        swap = self._add(m.Swap, line, place=place, first=i, second=j, next=count)
        chance = self._add(
            m.Chance,
            line,
            stream=self.layout.stream(zone.zone),
            slot=j,
            faces=None,
            place=None,
            most=m.Op("+", m.Local(i), m.Const(1)),
            names=(),
            next=swap,
        )
        self.graph.fill(
            loop,
            m.Branch(span=line.span, condition=m.Op(">", m.Local(i), m.Const(0)), then=chance, otherwise=end),
        )

    # ---- needs

    def _need(self, condition: r.Expr, line: r.Line, entry: int, after: int) -> None:
        """A need; what is joined by `and` is needed one after the other."""
        if isinstance(condition, r.Both) and condition.op == "and":
            middle = self.graph.reserve()
            self._need(condition.left, line, entry, middle)
            self._need(condition.right, line, middle, after)
            return
        sides: list[tuple[str, m.Expr, object]] = []
        if isinstance(condition, r.Cmp):
            for side in (condition.left, condition.right):
                if not isinstance(side, r.Const):
                    sides.append((plain(side.span), self.expr(side), side.type))
        self._fill(
            entry,
            m.Need,
            line,
            condition=self.expr(condition),
            text=plain(condition.span),
            sides=tuple(sides),
            reads=self._secret_reads(condition),
            next=after,
        )

    def _secret_reads(self, node: r.Expr) -> tuple[tuple[str, bool], ...]:
        """The zones that a condition looks into, and whether only at those of the acting seat."""
        found = []
        for part in walk(node):
            if isinstance(part, r.InZone):
                mine = isinstance(part.of, r.Special) and part.of.what == "me"
                found.append((part.zone, mine))
            if isinstance(part, r.UseValue):
                found.extend((name, False) for name in reads(self.rules, part) if name in self.rules.zones)
        return tuple(found)

    # ---- decisions

    def _choose(self, line: r.Choose, entry: int, after: int) -> None:
        binder = line.binder
        seat = self.expr(line.seat) if line.seat is not None else self.me
        plain_choice = line.strength == "must" and not line.if_any
        mark, before = self.slots, dict(self.env)
        source, reg, where = self._candidates(binder)
        slot = self.keep(binder.var)
        parts = {
            "name": binder.var.name,
            "seat": seat,
            "reg": reg,
            "source": source,
            "where": where,
            "slot": slot,
            "type": binder.group.item,
            "trial": False,
        }
        if plain_choice:
            self._fill(entry, m.Decide, line, **parts, next=after, passing=None, nothing=None)
            return
        body, done, otherwise = self.graph.reserve(), self.graph.reserve(), self.graph.reserve()
        self.block(line.block, body, done)
        back = entry if line.strength == "keep" else after
        self.graph.fill(done, m.ClearLocals(span=NOWHERE, first=slot, last=slot + 1, next=back))
        if line.if_any:
            self._fill(entry, m.Decide, line, **parts, next=body, passing=None, nothing=otherwise)
        else:
            self._fill(entry, m.Decide, line, **parts, next=body, passing=otherwise, nothing=None)
        self.slots, self.env = mark, before
        self.block(line.otherwise, otherwise, after)

    def _candidates(self, binder: r.Binder) -> tuple[m.Source, int, m.Expr | None]:
        source = self.group(binder.group)
        with self.register() as reg, self.bound(binder.var, m.Reg(reg)):
            where = self.expr(binder.where) if binder.where is not None else None
        return source, reg, where

    def _offer(self, line: r.Offer, entry: int, after: int) -> None:
        seat = self.expr(line.seat) if line.seat is not None else self.me
        what = tuple(self.doing(t) for t in line.targets)
        if len(what) == 1 and isinstance(what[0], m.DoCell) and line.strength == "must" and line.seat is None:
            self._fill(entry, m.CallCell, line, what=what[0], next=after)
            return
        done = self.graph.reserve()
        otherwise = self.graph.reserve()
        names = tuple(t.routine if isinstance(t, r.DoRoutine) else plain(t.span) for t in line.targets)
        passing = None if line.strength == "must" else otherwise
        self._fill(
            entry,
            m.Offer,
            line,
            name=names[0] if len(names) == 1 else "action",
            seat=seat,
            what=what,
            names=names,
            next=done,
            passing=passing,
        )
        self.block(line.block, done, entry if line.strength == "keep" else after)
        self.block(line.otherwise, otherwise, after)

    def doing(self, target: r.Target) -> m.Doing:
        """Whatever may be done from here needs room on the stack."""
        names = [target.routine] if isinstance(target, r.DoRoutine) else [n for n, _ in self.rules.cells]
        for name in names:
            self.called(name)
        return super().doing(target)

    # ---- blocks

    def _if(self, line: r.If, entry: int, after: int) -> None:
        condition = self.expr(line.condition)
        then, otherwise = self.graph.reserve(), self.graph.reserve()
        self.block(line.block, then, after)
        self.block(line.otherwise, otherwise, after)
        if isinstance(condition, m.Const):
            self.graph.alias[entry] = then if condition.value else otherwise
            return
        self._fill(entry, m.Branch, line, condition=condition, then=then, otherwise=otherwise)

    def _while(self, line: r.While, entry: int, after: int) -> None:
        rounds = self.slot()
        test, bound, body = self.graph.reserve(), self.graph.reserve(), self.graph.reserve()
        assert line.most is not None
        clear = self._add(m.ClearLocals, line, first=rounds, last=rounds + 1, next=after)
        self._fill(entry, m.SetLocal, line, slot=rounds, value=m.Const(0), next=test)
        self.graph.fill(
            test, m.Branch(span=line.span, condition=self.expr(line.condition), then=bound, otherwise=clear)
        )
        self.graph.fill(
            bound,
            m.Bound(span=line.span, clauses=line.clauses, slot=rounds, most=self.expr(line.most), next=body),
        )
        self.block(line.block, body, test)

    def _repeat(self, line: r.Repeat, entry: int, after: int) -> None:
        left = self.slot()
        test, body = self.graph.reserve(), self.graph.reserve()
        clear = self._add(m.ClearLocals, line, first=left, last=left + 1, next=after)
        self._fill(entry, m.SetLocal, line, slot=left, value=self.expr(line.number), next=test)
        count = self._add(m.SetLocal, line, slot=left, value=m.Op("-", m.Local(left), m.Const(1)), next=body)
        self.graph.fill(
            test,
            m.Branch(
                span=line.span, condition=m.Op(">", m.Local(left), m.Const(0)), then=count, otherwise=clear
            ),
        )
        self.block(line.block, body, test)

    def most(self, source: m.Source, group: r.Group | None) -> int:
        """The greatest number of values that a snapshot has to hold."""
        match source:
            case m.Values(values=values):
                return len(values)
            case m.Listed(items=items):
                return len(items)
            case m.Joined(parts=parts):
                return sum(self.most(p, None) for p in parts)
            case m.Filtered(source=inner):
                return self.most(inner, None)
            case m.Either(then=then, otherwise=otherwise):
                return max(self.most(then, None), self.most(otherwise, None))
            case m.Others(seats=seats):
                return seats
            case m.Linked(links=links):
                return max((len(x) for x in links), default=0)
            case m.Pieces(first=first):
                zone = self.layout.places[first].zone
                found = self.rules.zones.get(zone)
                return self.layout.total(found.component if found else zone)
            case m.Between():
                if isinstance(group, r.Interval) and isinstance(group.item, Int):
                    return min(4096, max(0, group.item.hi - group.item.lo + 1))
                return 4096
        assert_never(source)

    def _for(self, line: r.For, entry: int, after: int) -> None:
        mark, before = self.slots, dict(self.env)
        source, reg, where = self._candidates(line.binder)
        with self.register() as key_reg, self.bound(line.binder.var, m.Reg(reg)):
            assert key_reg >= reg
            keys = tuple(self.expr(k) for k in line.keys)
        capacity = self.most(source, line.binder.group)
        snapshot, position = self.slot(capacity + 1), self.slot()
        slot = self.keep(line.binder.var)
        loop, body = self.graph.reserve(), self.graph.reserve()
        clear = self._add(m.ClearLocals, line, first=snapshot, last=slot + 1, next=after)
        self._fill(
            entry,
            m.Snapshot,
            line,
            slot=snapshot,
            capacity=capacity,
            reg=reg,
            source=source,
            where=where,
            keys=keys,
            rotate=None,
            next=loop,
        )
        self.graph.fill(
            loop,
            m.Iterate(span=line.span, snapshot=snapshot, position=position, slot=slot, next=body, done=clear),
        )
        self.block(line.block, body, loop)
        self.slots, self.env = mark, before

    def _each(self, line: r.EachTurn, entry: int, after: int) -> None:
        mark = self.slots
        source: m.Source = (
            m.Others(self.me, self.seats) if line.opponents else m.Values(tuple(range(self.seats)))
        )
        with self.register() as reg, self.bound(line.probe, m.Reg(reg)):
            where = self.expr(line.where) if line.where is not None else None
            keys = tuple(self.expr(k) for k in line.keys)
        rotate: m.Expr | None = None
        if line.start is not None:
            rotate = self.expr(line.start)
        elif line.opponents:
            rotate = self.me
        snapshot, position, seat, me = (
            self.slot(self.seats + 1),
            self.slot(),
            self.slot(),
            self.slot(),
        )
        loop, body, begin = self.graph.reserve(), self.graph.reserve(), self.graph.reserve()
        clear = self._add(m.ClearLocals, line, first=snapshot, last=me + 1, next=after)
        restore = self._add(m.SetMe, line, value=m.Local(me), next=clear)
        self._fill(entry, m.SetLocal, line, slot=me, value=self.me, next=begin)
        self.graph.fill(
            begin,
            m.Snapshot(
                span=line.span,
                slot=snapshot,
                capacity=self.seats,
                reg=reg,
                source=source,
                where=where,
                keys=keys,
                rotate=rotate,
                next=loop,
            ),
        )
        turn = self._add(m.SetMe, line, value=m.Local(seat), next=body)
        self.graph.fill(
            loop,
            m.Iterate(
                span=line.span, snapshot=snapshot, position=position, slot=seat, next=turn, done=restore
            ),
        )
        self.block(line.block, body, loop)
        self.slots = mark

    def _together(self, line: r.Together, entry: int, after: int) -> None:
        name = f"together {len(self.inner)}"
        self.inner.append((name, line, dict(self.env)))
        self.forks.append(name)
        number = self.routine_numbers[name]
        captured = tuple(self.env[v] for v in line.captured)
        self._fill(entry, m.Fork, line, routine=number, arguments=captured, next=after)


def plain(span: Span) -> str:
    """A piece of rules text on one line."""
    return " ".join(span.text.split())


TARGETS = ("next", "then", "otherwise", "done", "passing", "nothing", "block")
