"""What conditions read of hidden things, and whose: who may be told in a refusal that one does not hold."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from dsl import rules as r
from dsl.domains import PieceType
from dsl.rules.effect_cells import effects
from dsl.rules.visibility import apart_in, counted
from dsl.rules.visit import children, walk, walk_values
from interpreter.compile.hidden_reads import HiddenReads
from interpreter.compile.tested_reads import Reads

Noted = tuple[r.Var, int, int]
Turn = tuple[int, ...]
"""The blocks around a line in which other seats act than outside, from the outermost."""
SEATS_ACT = (r.EachTurn, r.Together)
OPEN, OWN, SECRET = range(3)
"""What a local tells: what everybody may know, what the acting seat may, or what it may not."""


@dataclass(frozen=True, slots=True)
class Whose:
    """The variables that are the acting seat, and those that are certainly another one."""

    own: frozenset[r.Var]
    apart: frozenset[r.Var]

    def mine(self, of: Any) -> bool:
        """Whether an index is the acting seat."""
        match of:
            case r.Special(what=what):
                return what == "me"
            case r.Read(var=var):
                return var in self.own
        return False

    def another(self, of: Any) -> bool:
        """Whether an index is certainly another seat."""
        match of:
            case r.Special(what=what):
                return what == "opponent"
            case r.Read(var=var):
                return var in self.apart
        return False

    def see(self, sight: r.Sight, of: Any) -> bool:
        """Whether the acting seat sees what belongs to an index, if only some seats do."""
        return self.another(of) if sight == "others" else self.mine(of)

    def within(self, value: r.Value, arguments: tuple[r.Expr, ...]) -> Whose:
        """The same within a value that is called with these arguments."""
        given = list(zip(value.parameters, arguments, strict=True))
        own = frozenset(var for var, argument in given if self.mine(argument))
        return Whose(own, frozenset(var for var, argument in given if self.another(argument)))


@dataclass
class LocalSecrets:
    """What the value of each local tells; `inside`: also what the piece is that it refers to."""

    value: defaultdict[r.Var, int] = field(default_factory=lambda: defaultdict(int))
    inside: defaultdict[r.Var, int] = field(default_factory=lambda: defaultdict(int))

    def note(self, var: r.Var, value: int, inside: int) -> bool:
        """Adds what a local tells. Returns whether that is more than before."""
        before = self.value[var], self.inside[var]
        self.value[var], self.inside[var] = max(before[0], value), max(before[1], value, inside)
        return before != (self.value[var], self.inside[var])


class SecretReads:
    """The hidden reads of conditions, through values with their arguments and through locals.

    The locals are looked at together, in no order: what is once made from a secret tells it for good.
    """

    def __init__(self, rules: r.Rules, hidden: HiddenReads) -> None:
        self.rules = rules
        self.hidden = hidden
        self._words = hidden.words

    def of(self, condition: Any) -> Reads:
        """What a condition reads; of a piece in a local, only that there is one."""
        return (*self._read(condition), *((("", False),) if self._tries_secrets(condition) else ()))

    def _read(self, condition: Any) -> Reads:
        """The same but for what a trial reads that is made in it."""
        found = dict.fromkeys(self._of_state(condition, self._here))
        levels = (self.locals.value[var] for var in _locals_in(condition))
        level = max(levels, default=OPEN)
        return (*found, *((("", level == OWN),) if level else ()))

    def told_by(self, tree: Any) -> Reads:
        """What the value of a tree can tell, but for trials in it: also what a piece in a local is."""
        level = max((self.locals.inside[var] for var in _locals_in(tree)), default=OPEN)
        return (*self._read(tree), *((("", level == OWN),) if level else ()))

    def tried_in(self, tree: Any) -> Iterator[str]:
        """The routines that are tried to evaluate a tree."""
        for part in walk_values(self.rules.values, tree):
            match part:
                case r.CanDo(target=r.DoRoutine(routine=name)):
                    yield name
                case r.CanDo(target=r.DoCell(cell=cell)):
                    yield from effects(self.rules, cell)

    def looked_at(self, tree: Any) -> frozenset[str]:
        """The zones and stores that a tree reads, hidden or not; none in a game without secrets."""
        if not self.rules.has_secrets:
            return frozenset()
        names = set[str]()
        for part in walk_values(self.rules.values, tree):
            match part:
                case r.InZone(zone=name) | r.ReadStateVar(name=name):
                    names.add(name)
        return frozenset(names)

    def of_presence(self, binder: r.Binder) -> Reads:
        """What it tells that there is something to choose."""
        if binder.where is None and self._knows_number(binder.collection):
            return ()
        return self.told_by(binder)

    # ---- state

    @cached_property
    def _here(self) -> Whose:
        """The variables that are certainly another seat than the acting one, which never changes there."""
        bodies = ((x.parameters, x.block) for x in self.rules.routines.values())
        still = [body for body in bodies if not any(isinstance(part, SEATS_ACT) for part in walk(body))]
        return Whose(frozenset(), frozenset().union(*map(apart_in, still)))

    def _of_state(self, tree: Any, whose: Whose) -> Iterator[tuple[str, bool]]:
        """Reads of zones and hidden variables, and whether the acting seat sees them."""
        for part in walk(tree, enter=self._is_entered):
            match part:
                case r.SlotPiece(zone=r.InZone(of=of, at=at)) if self.rules.is_open_top(part):
                    yield from self._of_state((of, at), whose)
                case r.InZone(zone=zone, of=of):
                    sight = self.rules.zones[zone].seen_by if zone in self.rules.zones else "nobody"
                    yield zone, whose.see(sight, of)
                case r.ReadStateVar(name=name, of=of) if name in self._words:
                    yield name, whose.see(self._words[name], of)
                case r.UseValue(value=name, arguments=arguments):
                    value = self.rules.values[name]
                    yield from self._of_state(value.parts, whose.within(value, arguments))
                case r.SizeOf(collection=collection) | r.Empty(collection=collection):
                    if self._knows_number(collection):
                        indices = [(place.of, place.at) for place in counted(collection)]
                        yield from self._of_state(tuple(indices), whose)

    def _is_entered(self, part: Any) -> bool:
        """Whether the parts of a node are read too; where all know a number of pieces, they are not."""
        match part:
            case r.SizeOf(collection=collection) | r.Empty(collection=collection):
                return not self._knows_number(collection)
        return not self.rules.is_open_top(part)

    def _knows_number(self, collection: r.Collection) -> bool:
        """Whether everybody knows how many pieces a collection has."""
        zones = counted(collection)
        return bool(zones) and all(self.rules.zones[zone.zone].counted_by == "all" for zone in zones)

    def _tries_secrets(self, tree: Any) -> bool:
        return any(map(self.hidden.routine_observes_hidden, self.tried_in(tree)))

    def _level(self, tree: Any, told: LocalSecrets) -> int:
        """What a value tells that is kept in a local."""
        level = OPEN
        for name, mine in self._of_state(tree, self._here):
            level = max(level, self._level_of(name, mine))
        if level == SECRET:
            return level
        return max((level, *(told.inside[var] for var in _locals_in(tree))))

    def _level_of(self, name: str, mine: bool) -> int:
        zone = self.rules.zones.get(name)
        seen = zone.seen_by if zone is not None else self._words.get(name, "nobody")
        if seen == "all":
            return OPEN
        return OWN if mine and seen in ("owner", "team", "others") else SECRET

    # ---- locals

    @cached_property
    def locals(self) -> LocalSecrets:
        """What each local tells, to a fixed point over all calls."""
        told = LocalSecrets()
        if not self.rules.has_secrets:
            return told
        changed = True
        while changed:
            changed = False
            for routine in self.rules.routines.values():
                changed |= self._parameters(told, routine.parameters)
                changed |= self._body(told, routine.block, _held(routine.parameters))
            for trigger in self.rules.triggers:
                changed |= self._body(told, trigger.block, (trigger.piece,) if trigger.piece else ())
                if trigger.piece is not None:
                    changed |= told.note(trigger.piece, OPEN, self._level(trigger.zone, told))
        return told

    def _body(self, told: LocalSecrets, block: r.Block, given: tuple[r.Var, ...]) -> bool:
        """Notes what the locals of a body tell. Returns whether that is more than before.

        What one acting seat may know is no secret to it; a local that another one meets, too, tells it.
        """
        parts = list(_with_turns(block, ()))
        met: defaultdict[r.Var, set[Turn]] = defaultdict(set)
        for var in given:
            met[var].add(())
        grown = False
        for turn, part in parts:
            for var, value, inside in self._line(told, part):
                met[var].add(turn)
                grown |= told.note(var, value, inside)
            for var in _read_here(part):
                met[var].add(turn)
        for var, turns in met.items():
            if len(turns) > 1:
                grown |= told.note(var, _no_ones(told.value[var]), _no_ones(told.inside[var]))
        return grown

    def _parameters(self, told: LocalSecrets, parameters: tuple[r.Parameter, ...]) -> bool:
        """Notes what the parameters tell that the acting seat chooses. Returns whether that is more."""
        grown = False
        for parameter in parameters:
            if parameter.binder is not None:
                for found in self._chosen(told, parameter.binder, parameter.several, True, False):
                    grown |= told.note(*found)
        return grown

    def _line(self, told: LocalSecrets, part: Any) -> Iterator[Noted]:
        match part:
            case r.SetVar(var=var, value=value):
                level = SECRET if self._tries_secrets(value) else self._level(value, told)
                yield var, level, level
            case r.For(binder=binder):
                level = self._level((binder.collection, binder.where), told)
                yield binder.var, level, level
            case r.Choose(binder=binder, several=several, seat=seat, secretly=secretly):
                mine = seat is None or self._here.mine(seat)
                yield from self._chosen(told, binder, several, mine, secretly)
            case r.ChanceChooses(binder=binder):
                yield binder.var, SECRET, SECRET
            case r.MoveCount(name=var, to=to) if var is not None:
                yield var, OPEN, self._level(to, told)
            case r.CallLine(routine=name, arguments=arguments):
                yield from self._given(told, name, arguments, True)
            case r.Offer(seat=seat, targets=targets):
                for target in targets:
                    if isinstance(target, r.DoRoutine):
                        yield from self._given(told, target.routine, target.arguments, seat is None)
            case r.CanDo(target=r.DoRoutine(routine=name, arguments=arguments)):
                yield from self._given(told, name, arguments, True)

    def _chosen(
        self, told: LocalSecrets, binder: r.Binder, several: r.Several | None, mine: bool, secretly: bool
    ) -> Iterator[Noted]:
        """A value that a seat has chosen, or each of a set: all know it, unless it is a piece or a secret."""
        level = self._level((binder.collection, binder.where), told)
        known = OWN if secretly else OPEN
        inside = level if isinstance(binder.var.type, PieceType) else known
        if not mine:
            known = inside = SECRET if level or secretly else OPEN
        for var in (binder.var, *(several.whole.picks if several is not None else ())):
            yield var, known, inside

    def _given(
        self, told: LocalSecrets, name: str, arguments: tuple[r.Expr, ...], mine: bool
    ) -> Iterator[Noted]:
        for parameter, argument in zip(self.rules.routines[name].parameters, arguments, strict=False):
            level = self._level(argument, told)
            level = level if mine else _no_ones(level)
            known = told.value[argument.var] if isinstance(argument, r.Read) else level
            yield parameter.var, known if mine else _no_ones(known), level


def _with_turns(tree: Any, turn: Turn) -> Iterator[tuple[Turn, Any]]:
    """Every node of a tree, with the blocks around it in which other seats act."""
    if isinstance(tree, tuple):
        for member in tree:
            yield from _with_turns(member, turn)
        return
    for part in walk(tree, enter=lambda part: not isinstance(part, SEATS_ACT)):
        yield turn, part
        if isinstance(part, SEATS_ACT):
            for other in children(part):
                inner = any(other is line for line in part.block)
                yield from _with_turns(other, (*turn, id(part)) if inner else turn)


def _held(parameters: tuple[r.Parameter, ...]) -> tuple[r.Var, ...]:
    """The variables of parameters."""
    picks = (p.several.whole.picks for p in parameters if p.several is not None)
    return (*(p.var for p in parameters), *(var for some in picks for var in some))


def _read_here(part: Any) -> tuple[r.Var, ...]:
    """The locals that a node reads itself."""
    match part:
        case r.Read(var=var) | r.HeldSet(var=var):
            return (var,)
        case r.Picked(picks=picks):
            return tuple(picks)
    return ()


def _locals_in(tree: Any) -> Iterator[r.Var]:
    """The locals that a tree reads."""
    for part in walk(tree):
        yield from _read_here(part)


def _no_ones(level: int) -> int:
    return SECRET if level else OPEN
