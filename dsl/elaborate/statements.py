"""Statements: from what was written to what is done."""

from __future__ import annotations

from typing import assert_never

from dsl import rules as r
from dsl import syntax as s
from dsl.diagnostics import Failed, did_you_mean
from dsl.domains import ANY_INT, FLAG, SEAT, Elem, Int, Nothing, Piece, Type, certain, is_optional
from dsl.elaborate.expressions import Expressions, as_routine, assigned, wide
from dsl.elaborate.renaming import renamed
from dsl.elaborate.scope import Scope, facts, key_of
from dsl.messages import (
    CannotChange,
    CannotOffer,
    NeedsTooLate,
    SharedWrite,
    UnboundedLoop,
    UnboundedRange,
    UnequalPieces,
    UnknownName,
    WrongArguments,
    WrongStatement,
    WrongType,
)


class Statements:
    """Types the statements of one routine, in order; a mistake in one does not hide the next."""

    def __init__(self, scope: Scope, in_trigger: bool = False) -> None:
        self.scope = scope
        self.world = scope.world
        self.typer = Expressions(scope)
        self.in_trigger = in_trigger
        self.assigned: frozenset[str] = frozenset()

    def block(self, lines: s.Block) -> r.Block:
        made: list[r.Statement] = []
        self.assigned |= assigned(lines)
        with self.scope.inner():
            for line in lines:
                self.world.attempt(lambda line=line: made.extend(self._line(line)))  # type: ignore[misc]
        return tuple(made)

    def _marks(self, line: s.Line) -> tuple[str, ...]:
        for clause in line.clauses:
            self.world.cite(clause.text, clause.span)
        return tuple(c.text for c in line.clauses)

    def _line(self, line: s.Line) -> list[r.Statement]:
        marks = self._marks(line)
        match line:
            case s.Nothing():
                return []
            case s.Let():
                return [self._let(line, marks)]
            case s.Assign():
                return [self._assign(line, marks)]
            case s.CallLine():
                return [self._call(line, marks)]
            case s.Gain():
                return [self._transfer(line, marks)]
            case s.Move():
                return [self._move(line, marks)]
            case s.Draw():
                return [self._draw(line, marks)]
            case s.Roll():
                return [self._roll(line, marks)]
            case s.Shuffle(zone=zone):
                return [r.Shuffle(line.span, marks, self._pile(zone))]
            case s.Show(zone=zone, to=to):
                return [r.Show(line.span, marks, self.typer.zone(zone), self._seat(to))]
            case s.SetMark(mark=mark):
                return [self._mark(line, marks, mark, 1)]
            case s.Clear(target=target):
                return [self._clear(line, marks, target)]
            case s.Needs():
                return [self._needs(line, marks)]
            case s.EndGame():
                return [r.EndGame(line.span, marks)]
            case s.Wins(seat=seat):
                return [r.Win(line.span, marks, self._seat(seat))]
            case s.Choose():
                return [self._choose(line, marks)]
            case s.Offer():
                return [self._offer(line, marks)]
            case s.If():
                return [self._if(line, marks)]
            case s.While():
                return [self._while(line, marks)]
            case s.Repeat():
                number = self.typer.number(line.number)
                return [r.Repeat(line.span, marks, number, self.block(line.block))]
            case s.For():
                return [self._for(line, marks)]
            case s.EachTurn():
                return [self._each(line, marks)]
            case s.EachTogether():
                return [self._together(line, marks)]
        assert_never(line)

    def _stops(self, what: str, line: s.Line) -> None:
        self.scope.stopped.append((what, line.span))

    # ---- locals and stores

    def _let(self, line: s.Let, marks: tuple[str, ...]) -> r.Statement:
        named = Elem(line.name.text) if line.name.text in self.world.types else None
        value = self.typer.expr(line.value, named)
        if isinstance(value.type, Nothing):
            raise Failed(WrongType(line.value.span, "a value whose type can be seen", "none"))
        if named is not None and self.typer.related(value.type, named) and not is_optional(value.type):
            value = self.typer.fit(value, named, line.value)
            return r.SetVar(line.span, marks, self.scope.bind(line.name, named), value)
        kind = wide(value.type) if line.name.text in self.assigned else value.type
        var = self.scope.bind(line.name, kind)
        return r.SetVar(line.span, marks, var, value)

    def _assign(self, line: s.Assign, marks: tuple[str, ...]) -> r.Statement:
        target = line.target
        if isinstance(target, s.Name) and target.text in self.scope.locals:
            return self._assign_local(line, marks, target)
        if isinstance(target, s.Attribute) and target.name.text == "face":
            return self._turn(line, marks, target)
        place = self._store_of(target)
        self._may_write(place, target)
        match place:
            case r.ReadStore(kind="counter", name=name, of=of, at=at):
                value = self.typer.fit(self.typer.number(line.value), ANY_INT, line.value)
                return r.Write(line.span, marks, "counter", name, of, at, line.op, value)
            case r.ReadStore(kind="pointer", name=name, of=of, at=at) if line.op == "=":
                decl = self.world.pointers[name]
                wanted = Elem(decl.to, True)
                value = self.typer.fit(self.typer.expr(line.value, wanted), wanted, line.value)
                return r.Write(line.span, marks, "pointer", name, of, at, "=", value)
        raise Failed(CannotChange(target.span, f"`{key_of(target)}`", "marks change with `set` and `clear`"))

    def _store_of(self, target: s.Expr) -> r.ReadStore:
        with self.scope.knowing(frozenset({key_of(target)})):
            place = self.typer.expr(target)
        if not isinstance(place, r.ReadStore):
            hint = "counters, pointers and locals can be changed"
            raise Failed(CannotChange(target.span, f"`{key_of(target)}`", hint))
        return place

    def _assign_local(self, line: s.Assign, marks: tuple[str, ...], target: s.Name) -> r.Statement:
        var = self.scope.locals[target.text]
        if target.text in self.scope.fixed:
            hint = "each seat has its own copy inside `together`; use a counter `of: seat`"
            raise Failed(CannotChange(target.span, f"`{target.text}`, made outside `together`,", hint))
        read = r.Read(var.type, target.span, var)
        value = self.typer.expr(line.value, var.type)
        if line.op != "=":
            value = r.Arith(ANY_INT, line.span, "+" if line.op == "+=" else "-", self.typer.number(target),
                            self.typer.number(line.value))  # fmt: skip
            self.typer.fit(read, ANY_INT, target)
        self.typer.fit(value, var.type, line.value)
        return r.SetVar(line.span, marks, var, value)

    def _turn(self, line: s.Assign, marks: tuple[str, ...], target: s.Attribute) -> r.Statement:
        die = self.typer.expr(target.owner)
        if not isinstance(die, r.Read) or not isinstance(die.type, Piece):
            raise Failed(
                CannotChange(target.span, "the face of something that was not chosen", "choose a die first")
            )
        faces = self.world.components[die.type.component].die
        if faces is None:
            raise Failed(CannotChange(target.span, f"`{key_of(target)}`", "only dice have faces"))
        if line.op == "=":
            face = self.typer.fit(self.typer.expr(line.value, faces), faces, line.value)
        else:
            now = self.typer.number(target)
            change = self.typer.number(line.value)
            face = r.Arith(ANY_INT, line.span, "+" if line.op == "+=" else "-", now, change)
        return r.TurnDie(line.span, marks, die.var, face)

    def _mark(self, line: s.Line, marks: tuple[str, ...], target: s.Expr, value: int) -> r.Statement:
        place = self._store_of(target)
        self._may_write(place, target)
        if place.kind != "mark":
            raise Failed(CannotChange(target.span, f"`{place.name}`", "`set` and `clear` are for marks"))
        constant = r.Const(FLAG, line.span, value)
        return r.Write(line.span, marks, "mark", place.name, place.of, place.at, "=", constant)

    def _clear(self, line: s.Clear, marks: tuple[str, ...], target: s.Expr) -> r.Statement:
        place = self._store_of(target)
        if place.kind == "pointer":
            self._may_write(place, target)
            nothing = r.Const(Nothing(), line.span, -(2**31))
            return r.Write(line.span, marks, "pointer", place.name, place.of, place.at, "=", nothing)
        return self._mark(line, marks, target, 0)

    def _transfer(self, line: s.Gain, marks: tuple[str, ...]) -> r.Statement:
        subject = self._seat(line.subject) if line.subject is not None else None
        amount = self.typer.number(line.amount)
        node = line.counter
        head = node.head if isinstance(node, s.Address) else node
        if not isinstance(head, s.Name) or head.text not in self.world.counters:
            text = key_of(head)
            raise Failed(UnknownName(head.span, text, "counter", did_you_mean(text, self.world.counters)))
        counter = self.world.counters[head.text]
        at_node = node.at if isinstance(node, s.Address) else None
        of_node = node.of if isinstance(node, s.Address) else None
        if subject is not None and of_node is not None:
            raise Failed(
                WrongStatement(of_node.span, "it is said twice whose counter this is", "leave one out")
            )
        owner: s.Expr | None = of_node
        if owner is None and counter.store.of == "seat":
            owner = line.subject if line.subject is not None else s.Name(head.span, "me")
        address = (
            s.Address(node.span, head, owner, at_node) if owner is not None or at_node is not None else head
        )
        of, at = self.typer.indices(address, counter.store, several=False)
        self._may_write(r.ReadStore(ANY_INT, node.span, "counter", counter.name, of, at), node)  # type: ignore[arg-type]
        to = self._seat(line.to) if line.to is not None else None
        if to is not None and (line.verb != "pay" or counter.store.of != "seat"):
            raise Failed(WrongStatement(line.span, "only `pay`, of a counter of seats, has a receiver"))
        return r.Transfer(line.span, marks, line.verb, counter.name, of, at, amount, to)  # type: ignore[arg-type]

    def _may_write(self, place: r.ReadStore, node: s.Node) -> None:
        if not self.scope.together:
            return
        tables = {
            "counter": self.world.counters,
            "mark": self.world.marks,
            "pointer": self.world.pointers,
        }
        store = tables[place.kind][place.name].store  # type: ignore[index]
        mine = isinstance(place.of, r.Special) and place.of.what == "me"
        if not (store.of == "seat" and mine) and store.shared is None:
            raise Failed(SharedWrite(node.span, store.name))

    def _seat(self, node: s.Expr) -> r.Expr:
        return self.typer.fit(self.typer.expr(node, SEAT), SEAT, node)

    # ---- pieces

    def _to(self, place: s.Place, piece: Type) -> tuple[r.InZone, str | None]:
        zone = self.typer.one_place(place.zone)
        if not self.typer.related(zone.item, piece):
            raise Failed(WrongType(place.span, f"a zone of {piece}", f"one of {zone.item}"))
        decl = self.world.zones[zone.zone]
        if place.end is not None and decl.order not in ("pile", "stack", "row"):
            hint = "declare `order: pile`, or leave out the end"
            raise Failed(WrongStatement(place.span, f"`{zone.zone}` has no {place.end}", hint))
        self._may_move(zone, place)
        return zone, place.end

    def _may_move(self, group: r.Group, node: s.Node) -> None:
        if not self.scope.together or not isinstance(group, r.InZone):
            return
        store = self.world.zones[group.zone].store
        mine = isinstance(group.of, r.Special) and group.of.what == "me"
        if not (store.of == "seat" and mine) and store.shared is None:
            raise Failed(SharedWrite(node.span, store.name))

    def _move(self, line: s.Move, marks: tuple[str, ...]) -> r.Statement:
        if line.what == "all":
            assert line.source is not None
            source = self.typer.group(line.source)
            self._may_move(source, line.source)
            to, end = self._to(line.to, source.item)
            self._no_rolling(source, to, line)
            return r.MoveAll(line.span, marks, source, to, end)  # type: ignore[arg-type]
        assert not isinstance(line.what, str)
        if line.source is not None:
            return self._move_count(line, marks, line.what, line.source)
        piece = self.typer.certain(self.typer.expr(line.what), line.what)
        if not isinstance(piece.type, Piece):
            hint = "`move all from Z to Z` moves everything, `move n from Z to Z` a number"
            raise Failed(WrongType(line.what.span, "a piece", str(piece.type), hint))
        to, end = self._to(line.to, piece.type)
        return r.MovePiece(line.span, marks, piece, to, end)  # type: ignore[arg-type]

    def _move_count(self, line: s.Move, marks: tuple[str, ...], what: s.Expr, source: s.Expr) -> r.Statement:
        number = self.typer.number(what)
        zone = self.typer.one_place(source)
        self._may_move(zone, source)
        to, end = self._to(line.to, zone.item)
        self._no_rolling(zone, to, line)
        decl = self.world.zones[zone.zone]
        if decl.order == "open" and len(self.world.components[decl.component].classes) > 1:
            raise Failed(UnequalPieces(source.span, zone.zone))
        if decl.order in ("shuffled", "bag"):
            self._stops("a draw", line)
        return r.MoveCount(line.span, marks, number, zone, to, end, None)  # type: ignore[arg-type]

    def _no_rolling(self, source: r.Group, to: r.InZone, line: s.Line) -> None:
        """Dice that show nothing must be rolled before they can show something."""
        blank = isinstance(source, r.InZone) and self.world.zones[source.zone].blank
        if blank and not self.world.zones[to.zone].blank:
            hint = f"`roll all from {source.zone} to {to.zone}`"  # type: ignore[union-attr]
            raise Failed(WrongStatement(line.span, "dice that show nothing cannot simply be moved", hint))

    def _draw(self, line: s.Draw, marks: tuple[str, ...]) -> r.Statement:
        zone = self.typer.one_place(line.source)
        self._may_move(zone, line.source)
        to, end = self._to(line.to, zone.item)
        decl = self.world.zones[zone.zone]
        if decl.order == "open":
            hint = "`choose` takes one from an open zone"
            raise Failed(WrongStatement(line.span, f"`{zone.zone}` is no pile, bag or shuffled zone", hint))
        if decl.order in ("shuffled", "bag"):
            self._stops("a draw", line)
        var = self.scope.bind(line.name, certain(zone.item))
        one = r.Const(Int(1, 1), line.span, 1)
        return r.MoveCount(line.span, marks, one, zone, to, end, var)  # type: ignore[arg-type]

    def _pile(self, node: s.Expr) -> r.InZone:
        zone = self.typer.one_place(node)
        if self.world.zones[zone.zone].order == "open":
            raise Failed(WrongStatement(node.span, f"`{zone.zone}` has no order to shuffle",
                                        "declare `order: shuffled` or `order: pile`"))  # fmt: skip
        return zone

    def _roll(self, line: s.Roll, marks: tuple[str, ...]) -> r.Statement:
        self._stops("a throw", line)
        if line.to is not None:
            assert line.source is not None
            source = self.typer.one_place(line.source)
            self._dice(source, line)
            to, _ = self._to(line.to, source.item)
            number = None if isinstance(line.what, str) else self.typer.number(line.what)
            return r.RollZone(line.span, marks, number, source, to)
        assert not isinstance(line.what, str)
        group = None
        if not (isinstance(line.what, s.Name) and line.what.text in self.scope.locals):
            group = self.typer.maybe_group(line.what)
        if isinstance(group, r.InZone):
            zone = self.typer.one_place(line.what)
            self._dice(zone, line)
            return r.RollZone(line.span, marks, None, zone, zone)
        die = self.typer.certain(self.typer.expr(line.what), line.what)
        if not isinstance(die.type, Piece) or self.world.components[die.type.component].die is None:
            raise Failed(WrongType(line.what.span, "a die or a zone of dice", str(die.type)))
        return r.RollPiece(line.span, marks, die)

    def _dice(self, zone: r.InZone, line: s.Line) -> None:
        component = self.world.zones[zone.zone].component
        if self.world.components[component].die is None:
            raise Failed(WrongType(line.span, "a zone of dice", f"one of `{component}`"))

    # ---- conditions of being offered

    def _needs(self, line: s.Needs, marks: tuple[str, ...]) -> r.Statement:
        if self.in_trigger:
            raise Failed(WrongStatement(line.span, "nobody can be refused in a trigger", "use `if`"))
        if self.scope.stopped:
            what, at = self.scope.stopped[0]
            raise Failed(NeedsTooLate(line.span, what, at))
        condition = self.typer.condition(line.condition)
        self.scope.known |= facts(line.condition)
        return r.Need(line.span, marks, condition)

    # ---- decisions

    def _choose(self, line: s.Choose, marks: tuple[str, ...]) -> r.Statement:
        if line.strength == "must" and not line.if_any and (line.block is not None or line.otherwise):
            hint = "add `if any`, or unindent the lines below"
            raise Failed(WrongStatement(line.span, "a plain `choose` has no block", hint))
        if line.strength != "must" and line.block is None:
            raise Failed(WrongStatement(line.span, "what is done with the choice must follow in a block",
                                        "indent a block under it"))  # fmt: skip
        if line.strength == "keep" and line.otherwise is not None:
            raise Failed(WrongStatement(line.span, "`may keep choosing` has no `else`"))
        seat = self._seat(line.subject) if line.subject is not None else None
        plain = line.strength == "must" and not line.if_any
        old = self.scope.locals.get(line.name.text) if plain else None
        if old is not None:
            binder = self._rechoose(line, old)
            self._stops("a choice", line)
            return r.Choose(line.span, marks, "must", seat, binder, False, (), ())
        if plain:
            binder = self._choice_binder(line)
            self._stops("a choice", line)
            return r.Choose(line.span, marks, "must", seat, binder, False, (), ())
        with self.scope.inner():
            binder = self._choice_binder(line)
            self._stops("a choice", line)
            block = self.block(line.block or ())
        otherwise = self.block(line.otherwise or ())
        return r.Choose(line.span, marks, line.strength, seat, binder, line.if_any, block, otherwise)

    def _choice_binder(self, line: s.Choose) -> r.Binder:
        binder = self.typer.binder(s.Binder(line.span, line.name, line.group, line.where))
        self._bounded(binder.group, line)
        return binder

    def _rechoose(self, line: s.Choose, old: r.Var) -> r.Binder:
        """A choice into a name that `let` has made."""
        with self.scope.inner():
            del self.scope.locals[line.name.text]
            binder = self._choice_binder(line)
        if not self.typer.related(binder.var.type, old.type):
            raise Failed(WrongType(line.span, str(old.type), str(binder.var.type)))
        return r.Binder(old, binder.group, renamed(binder.where, binder.var, old))

    def _bounded(self, group: r.Group, line: s.Line) -> None:
        if (
            isinstance(group, r.Interval)
            and isinstance(group.item, Int)
            and group.item.hi - group.item.lo > 4096
        ):
            raise Failed(UnboundedRange(line.span))

    def _offer(self, line: s.Offer, marks: tuple[str, ...]) -> r.Statement:
        if line.strength == "must" and (line.block is not None or line.otherwise is not None):
            hint = "lines after it are done in any case; `may do` has a block"
            raise Failed(WrongStatement(line.span, "a plain `do` has no block", hint))
        if line.strength == "keep" and line.otherwise is not None:
            raise Failed(WrongStatement(line.span, "`may keep doing` has no `else`"))
        seat = self._seat(line.subject) if line.subject is not None else None
        targets = tuple(self.typer.target(t, line.actor) for t in line.targets)
        if len(targets) == 1 and isinstance(targets[0], r.DoCell) and line.strength == "must":
            self._stops_after_cell(line)
        else:
            self._stops("a choice", line)
        block = self.block(line.block) if line.block is not None else ()
        otherwise = self.block(line.otherwise) if line.otherwise is not None else ()
        return r.Offer(line.span, marks, line.strength, seat, targets, block, otherwise)

    def _stops_after_cell(self, line: s.Line) -> None:
        self._stops("an effect that may ask or throw", line)

    # ---- blocks

    def _if(self, line: s.If, marks: tuple[str, ...]) -> r.Statement:
        condition = self.typer.condition(line.condition)
        before = list(self.scope.stopped)
        with self.scope.knowing(facts(line.condition)):
            block = self.block(line.block)
        after = list(self.scope.stopped)
        self.scope.stopped[:] = before
        with self.scope.knowing(facts(line.condition, False)):
            otherwise = self.block(line.otherwise or ())
        self.scope.stopped[:] = after if len(after) > len(self.scope.stopped) else self.scope.stopped
        return r.If(line.span, marks, condition, block, otherwise)

    def _while(self, line: s.While, marks: tuple[str, ...]) -> r.Statement:
        if line.most is None:
            raise Failed(UnboundedLoop(line.span))
        most = self.typer.number(line.most)
        condition = self.typer.condition(line.condition)
        with self.scope.knowing(facts(line.condition)):
            block = self.block(line.block)
        return r.While(line.span, marks, condition, most, block)

    def _for(self, line: s.For, marks: tuple[str, ...]) -> r.Statement:
        with self.scope.inner():
            binder = self.typer.binder(line.binder)
            keys = tuple(self.typer.number(k) for k in line.keys)
            block = self.block(line.block)
        return r.For(line.span, marks, binder, keys, block)

    def _each(self, line: s.EachTurn, marks: tuple[str, ...]) -> r.Statement:
        if line.who.text not in ("seat", "opponent"):
            raise Failed(WrongStatement(line.who.span, f"`each {line.who.text}` is no round of seats",
                                        "say `each seat in turn`, `each opponent in turn` or `for x in ...`"))  # fmt: skip
        start = self._seat(line.start) if line.start is not None else None
        probe = r.Var("me", SEAT, line.who.span)
        where, keys = self._about_each(probe, line.where, line.keys)
        block = self.block(line.block)
        return r.EachTurn(line.span, marks, line.who.text == "opponent", start, probe, keys, where, block)

    def _about_each(
        self, probe: r.Var, where: s.Expr | None, keys: tuple[s.Expr, ...]
    ) -> tuple[r.Expr | None, tuple[r.Expr, ...]]:
        before = self.scope.me
        self.scope.me = probe
        try:
            made = self.typer.condition(where) if where is not None else None
            return made, tuple(self.typer.number(k) for k in keys)
        finally:
            self.scope.me = before

    def _together(self, line: s.EachTogether, marks: tuple[str, ...]) -> r.Statement:
        if line.who.text != "seat":
            raise Failed(WrongStatement(line.who.span, f"`each {line.who.text} together` is not known",
                                        "say `each seat together`"))  # fmt: skip
        if self.scope.together:
            raise Failed(WrongStatement(line.span, "`together` stands inside `together`"))
        probe = r.Var("me", SEAT, line.who.span)
        _, keys = self._about_each(probe, None, line.keys)
        captured = tuple(self.scope.locals.values())
        fixed = self.scope.fixed
        self._stops("a choice", line)
        self.scope.together, self.scope.fixed = True, frozenset(self.scope.locals)
        try:
            block = self.block(line.block)
        finally:
            self.scope.together, self.scope.fixed = False, fixed
        return r.Together(line.span, marks, probe, keys, captured, block)

    # ---- calls

    def _call(self, line: s.CallLine, marks: tuple[str, ...]) -> r.Statement:
        found = as_routine(line.call)
        if found is None:
            raise Failed(WrongStatement(line.span, "this line does nothing", "a value alone is no statement"))
        word, arguments = found
        signature = self.scope.signatures.routine(word.text)
        if signature is None:
            raise self.scope.unknown(word.text, word.span, "procedure")
        kind, parameters = signature
        if kind != "procedure":
            article = "an" if kind[0] in "ae" else "a"
            raise Failed(CannotOffer(word.span, word.text, f"{article} {kind}", f"say `do {word.text}`"))
        if len(arguments) != len(parameters):
            hint = "a procedure chooses nothing: give it everything, or make it an action"
            names = ", ".join(p.var.name for p in parameters) or "nothing"
            raise Failed(WrongArguments(line.span, word.text, names, f"{len(arguments)} are", hint))
        made = tuple(
            self.typer.fit(self.typer.expr(a, p.var.type), p.var.type, a)
            for a, p in zip(arguments, parameters, strict=True)
        )
        return r.CallLine(line.span, marks, word.text, made)
