"""Definitions: signatures first, then bodies; values in the order in which they need each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from dsl import rules as r
from dsl import syntax as s
from dsl.declare.world import BUILT_IN, World
from dsl.diagnostics import Failed, Label, did_you_mean
from dsl.domains import (
    FLAG,
    Elem,
    Flag,
    Int,
    Nothing,
    Piece,
    Type,
    arithmetic,
    hull,
    is_optional,
    possible,
)
from dsl.elaborate.expressions import Expressions
from dsl.elaborate.scope import Scope, facts
from dsl.elaborate.statements import Statements
from dsl.messages import (
    BadCell,
    CannotOffer,
    ComesToLittle,
    DefinitionsInCircle,
    NameTaken,
    UnknownName,
    WrongStatement,
    WrongType,
)
from dsl.source import Span


@dataclass
class Definitions:
    """All definitions of a ruleset, elaborated one after the other."""

    world: World
    written: tuple[s.Definition, ...]
    routines: dict[str, s.Routine] = field(default_factory=dict)
    values: dict[str, s.Value] = field(default_factory=dict)
    modifiers: dict[str, list[s.Modify]] = field(default_factory=dict)
    signatures: dict[str, tuple[str, tuple[r.Parameter, ...]]] = field(default_factory=dict)
    made_values: dict[str, r.Value] = field(default_factory=dict)
    underway: list[tuple[str, Span]] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    broken: set[str] = field(default_factory=set)

    # ---- what places ask for

    def value(self, name: str, span: Span) -> tuple[tuple[r.Var, ...], Type] | None:
        if name not in self.values:
            return None
        self.used.add(name)
        if any(name == n for n, _ in self.underway):
            self._circle(name, span)
        if name in self.broken:
            raise Failed(
                UnknownName(span, name, "value that could be understood", "mend its definition first")
            )
        if name not in self.made_values:
            self.underway.append((name, span))
            try:
                self.made_values[name] = self._value(self.values[name])
            except Failed as failed:
                self.broken.add(name)
                self.world.fail(failed.mistake)
                raise
            finally:
                self.underway.pop()
        made = self.made_values[name]
        return made.parameters, made.type

    def _circle(self, name: str, span: Span) -> None:
        start = next(i for i, (n, _) in enumerate(self.underway) if n == name)
        loop = [*self.underway[start:], (name, span)]
        hops = tuple(Label(at, f"needs `{n}`") for n, at in loop[2:])
        raise Failed(DefinitionsInCircle(loop[1][1], name, loop[1][0], hops))

    def routine(self, name: str) -> tuple[str, tuple[r.Parameter, ...]] | None:
        found = self.signatures.get(name)
        if found is not None:
            self.used.add(name)
        return found

    def names(self) -> tuple[str, ...]:
        return (*self.routines, *self.values)

    # ---- gathering

    def gather(self) -> None:
        for definition in self.written:
            self.world.attempt(lambda d=definition: self._declare(d))  # type: ignore[misc]
        for name, routine in self.routines.items():
            self.world.attempt(lambda n=name, d=routine: self._sign(n, d))  # type: ignore[misc]

    def _declare(self, definition: s.Definition) -> None:
        match definition:
            case s.Routine(name=word, kind=kind):
                self._free(word)
                self.world.declare(word.text, f"{'an' if kind[0] in 'ae' else 'a'} {kind}", word.span)
                self.routines[word.text] = definition
            case s.Value(name=word):
                self._free(word)
                self.world.declare(word.text, "a value", word.span)
                self.values[word.text] = definition
            case s.Modify(name=word):
                self.modifiers.setdefault(word.text, []).append(definition)

    def _free(self, word: s.Word) -> None:
        if word.text in BUILT_IN:
            raise Failed(NameTaken(word.span, word.text, BUILT_IN[word.text], word.span))

    def _sign(self, name: str, routine: s.Routine) -> None:
        scope = Scope(self.world, self, in_effect=routine.kind == "effect")
        typer = Expressions(scope)
        made = tuple(self._parameter(typer, p, routine.kind) for p in routine.parameters)
        self.signatures[name] = (routine.kind, made)

    def _parameter(self, typer: Expressions, node: s.Parameter, kind: str) -> r.Parameter:
        """A parameter with its type, and, where it can be chosen, its collection."""
        if node.group is not None:
            group = typer.group(node.group)
            var = typer.scope.bind(node.name, group.item)
        else:
            found = self._domain(typer, node.domain) if node.domain else typer.scope.type_of_name(node.name)
            var = typer.scope.bind(node.name, found)
            made = self._all_of(typer, found, node)
            if made is None:
                if node.where is not None:
                    typer.condition(node.where)
                return r.Parameter(var, None)
            group = made
        where = typer.condition(node.where) if node.where is not None else None
        typer.scope.known |= facts(node.where)
        return r.Parameter(var, r.Binder(var, group, where) if kind != "procedure" else None)

    def _domain(self, typer: Expressions, node: s.Domain) -> Type:
        found: Type
        if isinstance(node.group, s.Name):
            found = typer.scope.type_of_name(s.Word(node.group.span, node.group.text))
        else:
            group = typer.group(node.group)
            found = group.item
        return possible(found) if node.optional else found

    def _all_of(self, typer: Expressions, found: Type, node: s.Parameter) -> r.Group | None:
        match found:
            case Int(lo, hi):
                low, high = (r.Const(Int(n, n), node.span, n) for n in (lo, hi))
                return r.Interval(found, node.span, low, high)
            case Elem(name, optional) if not optional:
                return r.OfType(found, node.span, name)
            case Piece() if not found.optional:
                return typer.all_pieces(found, node.span)
        return None

    # ---- values

    def _value(self, node: s.Value) -> r.Value:
        marks = self._marks(node.clauses)
        scope = Scope(self.world, self)
        typer = Expressions(scope)
        parameters = tuple(self._value_parameter(typer, p) for p in node.parameters)
        cases: list[r.ValueCase] = []
        kind: Type | None = None
        for case in node.cases:
            made, kind = self._case(typer, case, kind)
            cases.append(made)
        if cases[-1].condition is not None:
            raise Failed(WrongStatement(node.span, f"`{node.name.text}` has no value if no condition holds",
                                        "end it with `otherwise`"))  # fmt: skip
        assert kind is not None
        modifiers = tuple(self._modifier(m, node, parameters) for m in self.modifiers.get(node.name.text, ()))
        if isinstance(kind, Nothing):
            raise Failed(WrongType(node.span, "a value whose type can be seen", "none"))
        kind = self._modified(kind, modifiers, node)
        return r.Value(node.name.text, parameters, kind, tuple(cases), modifiers, node.span, marks)

    def _value_parameter(self, typer: Expressions, node: s.Parameter) -> r.Var:
        if node.group is not None or node.where is not None:
            raise Failed(WrongStatement(node.span, "a value chooses nothing", "leave out `from` and `where`"))
        found = self._domain(typer, node.domain) if node.domain else typer.scope.type_of_name(node.name)
        return typer.scope.bind(node.name, found)

    def _case(self, typer: Expressions, case: s.Case, kind: Type | None) -> tuple[r.ValueCase, Type]:
        condition = typer.condition(case.condition) if case.condition is not None else None
        with typer.scope.knowing(facts(case.condition)):
            value = typer.expr(case.value, kind)
        if kind is not None:
            known = r.Const(kind, case.span, 0)
            kind = typer.joined(known, value, case.value)
        else:
            kind = value.type
        typer.scope.known |= facts(case.condition, False)
        return r.ValueCase(value, condition, case.span, self._marks(case.clauses)), kind

    def _modifier(self, node: s.Modify, value: s.Value, parameters: tuple[r.Var, ...]) -> r.Modifier:
        scope = Scope(self.world, self)
        typer = Expressions(scope)
        own = tuple(self._value_parameter(typer, p) for p in node.parameters)
        if own and len(own) != len(parameters):
            raise Failed(WrongStatement(node.span, f"`{value.name.text}` has other parameters",
                                        "repeat the parameters of the value, or leave them all out"))  # fmt: skip
        condition = typer.condition(node.condition) if node.condition is not None else None
        with scope.knowing(facts(node.condition)):
            amount = typer.expr(node.amount) if node.mode == "to" else typer.number(node.amount)
        return r.Modifier(node.mode, own, amount, condition, node.span, self._marks(node.clauses))

    def _modified(self, kind: Type, modifiers: tuple[r.Modifier, ...], node: s.Value) -> Type:
        for modifier in modifiers:
            if modifier.mode == "to":
                if isinstance(kind, Int) and isinstance(modifier.amount.type, Int):
                    kind = hull(kind, modifier.amount.type)
                elif type(kind) is not type(modifier.amount.type):
                    raise Failed(WrongType(modifier.span, str(kind), str(modifier.amount.type)))
            elif not isinstance(kind, Int) or not isinstance(modifier.amount.type, Int):
                raise Failed(
                    WrongType(modifier.span, "a number", str(kind), "only numbers are modified `by`")
                )
            else:
                kind = hull(kind, arithmetic("+", kind, modifier.amount.type))
        return kind

    def _marks(self, clauses: tuple[s.Word, ...]) -> tuple[str, ...]:
        for clause in clauses:
            self.world.cite(clause.text, clause.span)
        return tuple(c.text for c in clauses)

    def all_values(self) -> dict[str, r.Value]:
        for name, node in self.values.items():
            self._quietly(name, lambda n=name, d=node: self.value(n, d.name.span))  # type: ignore[misc]
        for name, written in self.modifiers.items():
            if name not in self.values:
                hint = did_you_mean(name, self.values)
                self.world.fail(UnknownName(written[0].name.span, name, "value", hint))
        return self.made_values

    def _quietly(self, name: str, work: Callable[[], object]) -> None:
        """Elaborating a value is no use of it."""
        used = name in self.used
        try:
            work()
        except Failed as failed:
            if not isinstance(failed.mistake, UnknownName) or "mend" not in failed.mistake.hint:
                self.world.fail(failed.mistake)
        if not used:
            self.used.discard(name)

    # ---- bodies

    def all_routines(self) -> dict[str, r.Routine]:
        made: dict[str, r.Routine] = {}
        for name, node in self.routines.items():
            if name in self.signatures:
                self.world.attempt(lambda n=name, d=node: made.__setitem__(n, self._routine(n, d)))  # type: ignore[misc]
        return made

    def _routine(self, name: str, node: s.Routine) -> r.Routine:
        _, parameters = self.signatures[name]
        scope = Scope(self.world, self, in_effect=node.kind == "effect")
        for parameter in parameters:
            scope.locals[parameter.var.name] = parameter.var
        for written in node.parameters:
            scope.known |= facts(written.where)
        block = Statements(scope).block(node.block)
        return r.Routine(node.kind, name, parameters, block, node.nests, node.span, self._marks(node.clauses))

    def triggers(self) -> tuple[r.Trigger, ...]:
        made: list[r.Trigger] = []
        for node in self.written:
            if isinstance(node, s.When):
                self.world.attempt(lambda n=node: made.append(self._trigger(n)))  # type: ignore[misc]
            if isinstance(node, s.WhenMoves):
                self.world.attempt(lambda n=node: made.append(self._move_trigger(n)))  # type: ignore[misc]
        return tuple(made)

    def _trigger(self, node: s.When) -> r.Trigger:
        scope = Scope(self.world, self, free={})
        condition = Expressions(scope).condition(node.condition)
        assert scope.free is not None
        free = tuple(scope.free.values())
        scope.free = None
        scope.locals = {v.name: v for v in free}
        scope.known = facts(node.condition)
        block = Statements(scope, in_trigger=True).block(node.block)
        marks = self._marks(node.clauses)
        return r.Trigger(free, condition, None, None, None, block, node.span, marks)

    def _move_trigger(self, node: s.WhenMoves) -> r.Trigger:
        scope = Scope(self.world, self, free={})
        zone = Expressions(scope).zone(node.zone)
        assert scope.free is not None
        free = tuple(scope.free.values())
        for index in (zone.of, zone.at):
            if index is not None and not (isinstance(index, r.Read) and index.var in free):
                hint = "name the type: `when card enters hand of seat`"
                raise Failed(WrongStatement(node.zone.span, "the index of this zone must be free", hint))
        scope.free = None
        scope.locals = {v.name: v for v in free}
        piece = scope.bind(node.name, zone.item)
        block = Statements(scope, in_trigger=True).block(node.block)
        marks = self._marks(node.clauses)
        return r.Trigger(free, None, node.event, piece, zone, block, node.span, marks)

    def scores(self) -> tuple[r.ScoreLine, ...]:
        made: list[r.ScoreLine] = []
        for node in self.written:
            if isinstance(node, s.Score):
                self.world.attempt(lambda n=node: made.append(self._score(n)))  # type: ignore[misc]
        return tuple(made)

    def _score(self, node: s.Score) -> r.ScoreLine:
        value = Expressions(Scope(self.world, self)).number(node.value)
        return r.ScoreLine(node.kind, node.name.text, value, node.span, self._marks(node.clauses))

    def invariants(self) -> tuple[r.Invariant, ...]:
        made: list[r.Invariant] = []
        for node in self.written:
            if isinstance(node, s.Always):
                self.world.attempt(lambda n=node: made.append(self._invariant(n)))  # type: ignore[misc]
        return tuple(made)

    def _invariant(self, node: s.Always) -> r.Invariant:
        condition = Expressions(Scope(self.world, self)).condition(node.condition)
        return r.Invariant(condition, node.span, self._marks(node.clauses))

    # ---- cells and flow

    def cells(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """Every cell of a table that names an effect, with its arguments as numbers."""
        made: list[tuple[str, tuple[int, ...]]] = []
        for (name, arguments), number in self.world.cells.items():
            assert number == len(made)
            made.append((name, ()))
            span = self.world.cell_spans[name, arguments]
            self.world.attempt(lambda: made.__setitem__(-1, (name, self._cell(name, arguments, span))))  # noqa: B023
        return tuple(made)

    def _cell(self, name: str, arguments: tuple[str, ...], span: Span) -> tuple[int, ...]:
        text = " ".join((name, *arguments))
        signature = self.routine(name)
        if signature is None and name in self.routines:
            return ()
        if signature is None:
            raise Failed(BadCell(span, text, "effect", f"there is no effect `{name}`",
                                 did_you_mean(name, self.signatures)))  # fmt: skip
        kind, parameters = signature
        if kind != "effect":
            raise Failed(CannotOffer(span, name, f"no effect but a {kind}", "define it with `effect`"))
        if len(arguments) > len(parameters):
            raise Failed(BadCell(span, text, "effect", f"`{name}` takes at most {len(parameters)} arguments"))
        for parameter in parameters[len(arguments) :]:
            if parameter.binder is None:
                raise Failed(BadCell(span, text, "effect", f"`{parameter.var.name}` must be given"))
        return tuple(
            self._cell_value(a, p.var.type, span, text) for a, p in zip(arguments, parameters, strict=False)
        )

    def _cell_value(self, argument: str, wanted: Type, span: Span, text: str) -> int:
        match wanted:
            case Int(lo, hi) if argument.lstrip("-").isdigit() and lo <= int(argument) <= hi:
                return int(argument)
            case Elem(name) if argument in self.world.types[name].names:
                decl = self.world.types[name]
                return decl.lo + decl.names.index(argument)
            case Flag() if argument in ("true", "false"):
                return int(argument == "true")
        if argument == "none" and is_optional(wanted):
            return -(2**31)
        raise Failed(BadCell(span, text, "effect", f"`{argument}` is not {wanted}"))

    def check_flow(self, phases: dict[str, r.Phase]) -> None:
        for phase in phases.values():
            for condition, _ in phase.then:
                if condition is not None:
                    self.world.attempt(lambda c=condition, p=phase: self._flow_condition(c, p))  # type: ignore[misc]
            for step in phase.steps:
                inner = step.steps if isinstance(step, r.SeatsStep) else (step,)
                for one in inner:
                    self.world.attempt(lambda o=one: self._flow_step(o))  # type: ignore[misc]
                if isinstance(step, r.SeatsStep) and step.by is not None:
                    self.world.attempt(lambda st=step: self._flow_value(st.by or "", st.span))  # type: ignore[misc]

    def _flow_condition(self, name: str, phase: r.Phase) -> None:
        known = self.world.options.get(name)
        if known is not None and known.type == FLAG or name in self.world.marks:
            return
        found = self.value(name, phase.span)
        if found is None or not isinstance(found[1], Flag) or found[0]:
            hint = did_you_mean(name, (*self.values, *self.world.marks)) or "define it with `value`"
            raise Failed(UnknownName(phase.span, name, "condition without parameters", hint))

    def _flow_value(self, name: str, span: Span) -> None:
        found = self.value(name, span)
        if found is None or len(found[0]) != 1:
            raise Failed(UnknownName(span, name, "value of a seat", did_you_mean(name, self.values)))

    def _flow_step(self, step: r.CallStep | r.OfferStep) -> None:
        names = (step.routine,) if isinstance(step, r.CallStep) else step.routines
        for name in names:
            signature = self.routine(name)
            if signature is None:
                raise Failed(UnknownName(step.span, name, "routine", did_you_mean(name, self.routines)))
            kind, parameters = signature
            if isinstance(step, r.CallStep) and (kind != "procedure" or parameters):
                hint = "offer an action with `may do` or `do one of`; procedures in the flow take nothing"
                raise Failed(CannotOffer(step.span, name, f"a{'n' if kind[0] in 'ae' else ''} {kind}", hint))
            if isinstance(step, r.OfferStep) and kind != "action":
                raise Failed(CannotOffer(step.span, name, f"a{'n' if kind[0] in 'ae' else ''} {kind}",
                                         "only actions are offered"))  # fmt: skip

    def warn_unused(self) -> None:
        for name, node in self.routines.items():
            if name not in self.used:
                self.world.fail(ComesToLittle(node.name.span, node.kind, name))
        for name, value in self.values.items():
            if name not in self.used:
                self.world.fail(ComesToLittle(value.name.span, "value", name))
