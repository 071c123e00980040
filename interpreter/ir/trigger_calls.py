"""Triggers as calls: behind each write only the bindings are asked that read the word written.

A trigger asks its condition of all its bindings behind every write that may change one. Which words a binding
reads is known beforehand, so a write of one word can only change a few of them:

    set drawn at line                   then, for each of the one or two boxes that `line` is a side of:
    when closed(box)                    if closed(box), and it was not closed before: the block, for `box`

That is so where the block changes nothing that the condition reads and makes no other trigger run; then it
makes no difference that bindings are asked one after the other. What held is a mark like any other, and the
block a procedure, so no frame is needed for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from dsl.domains import NONE, IntType
from interpreter.ir.cfg import predecessors, reached, runs
from interpreter.ir.effects import has_cover, has_trial, writes
from interpreter.ir.expressions import (
    Address,
    Best,
    Between,
    Const,
    Contains,
    Either,
    Expr,
    Filtered,
    Fold,
    If,
    Joined,
    Let,
    Linked,
    Listed,
    Load,
    Local,
    Not,
    Op,
    Pick,
    Prefix,
    Reg,
    Size,
    Source,
    Term,
    Values,
)
from interpreter.ir.fold import calculate
from interpreter.ir.nodes import (
    Branch,
    Call,
    CheckTrigger,
    ClearLocals,
    NextTrigger,
    Reset,
    Return,
    Sample,
    SetMe,
    SetWord,
    Step,
    Transfer,
)
from interpreter.ir.program import Machine, RoutineCode, VarLayout
from interpreter.ir.state import FRAME
from interpreter.ir.visit import Part, Tree, children, mapped, walk

MOST_TOUCHED, MOST_VALUES = 6, 256
"""The most bindings that one word may change, and values of what says which words are read."""
READS_NOTHING_ELSE = (
    *(Const, Reg, Load, Address, Term, Op, Not, If, Let, Pick, Fold, Best, Contains, Size),
    *(Values, Between, Listed, Linked, Filtered, Prefix, Joined, Either),
)
Env = Mapping[int, Sequence[int]]
"""The values that registers may have."""


class _UnknownReads(Exception):
    """Which words a condition reads cannot be told."""


def triggers_as_calls(mc: Machine) -> Machine:
    """The same machine with calls for those triggers of which a write changes few bindings."""
    before, nodes = predecessors(mc), list(mc.nodes)
    routines, scratch = list(mc.routines), dict(mc.scratch)
    for number, code in enumerate(mc.triggers):
        try:
            trigger = _Trigger(mc, number, before)
        except _UnknownReads:
            continue
        trigger.replace_checks(nodes)
        routines[code.routine] = trigger.routine(nodes)
        scratch[trigger.held.name] = trigger.held
    if len(nodes) == len(mc.nodes):
        return mc
    mc = replace(mc, nodes=tuple(nodes), routines=tuple(routines), scratch=scratch)
    return mc if any(isinstance(x, CheckTrigger) for x in nodes) else replace(mc, triggers=())


class _Trigger:
    """A trigger whose checks become calls. Raises `_UnknownReads` if they cannot."""

    def __init__(self, mc: Machine, number: int, before: Sequence[list[int]]) -> None:
        self.mc, self.number, self.before, self.code = mc, number, before, mc.triggers[number]
        condition, code = self.code.condition, self.code
        if condition is None or has_trial(condition) or has_cover(condition):
            raise _UnknownReads
        if any(isinstance(x, Sample) and x.both and number in x.triggers for x in mc.nodes):
            raise _UnknownReads
        self.condition = condition
        self.read = _words_read(mc, condition, code.regs, code.bindings)
        self.names = {words.name for words in map(mc.words_at, self.read) if words is not None}
        self.checks = self._checks()
        [self.entry] = mc.routines[code.routine].entries
        head = mc.node(self.entry, NextTrigger)
        if head.first_slot != FRAME or not self._is_settled(head.block):
            raise _UnknownReads
        if any(len(row) > MOST_TOUCHED for _, write in self.checks.values() for row in self._touched(write)):
            raise _UnknownReads
        self.held = VarLayout(
            *("mark", f"when {number}", code.held, None, "binding", 0, 1, 0, len(code.bindings)),
            *(IntType(0, 1), ((0, 1),), (0,), (0,)),
        )

    def routine(self, nodes: list[Step]) -> RoutineCode:
        """The block as a procedure; what asked for the next binding returns."""
        head = self.mc.node(self.entry, NextTrigger)
        nodes[self.entry] = Return(span=head.span)
        block = head.block
        if self.code.seat >= 0:
            nodes.append(SetMe(span=head.span, value=Local(FRAME + self.code.seat), next=block))
            block = len(nodes) - 1
        names = tuple(f"binding {i}" for i in range(len(self.code.regs)))
        before = self.mc.routines[self.code.routine]
        return replace(before, kind="procedure", entries=(block,), parameters=names)

    def _checks(self) -> dict[int, tuple[int, SetWord | Transfer]]:
        """The checks of the trigger, each with the sample before it and the one write before that."""
        mc, found, sampled = self.mc, dict[int, tuple[int, SetWord | Transfer]](), set[int]()
        for number, node in enumerate(mc.nodes):
            if isinstance(node, CheckTrigger) and node.trigger == self.number:
                at = number
                while isinstance(mc.nodes[at], CheckTrigger):
                    at = self._only_before(at)
                write = self._only_before(at)
                sample, written = mc.nodes[at], mc.nodes[write]
                if not isinstance(sample, Sample) or self.number not in sample.triggers:
                    raise _UnknownReads
                if not isinstance(written, SetWord | Transfer) or written.name not in self.names:
                    raise _UnknownReads
                found[number] = at, written
                sampled.add(write)
        for number, node in enumerate(mc.nodes):
            written_to = {name for name, _ in writes(mc, node)} | _reset(mc, node)
            if written_to & self.names and number not in sampled:
                raise _UnknownReads
        return found

    def _only_before(self, number: int) -> int:
        if len(self.before[number]) != 1:
            raise _UnknownReads
        return self.before[number][0]

    def _is_settled(self, block: int) -> bool:
        """Whether a block, with all that it calls, changes no word that is read, and no trigger runs."""
        mc, seen, waiting = self.mc, set[int](), [block]
        while waiting:
            for number in reached(mc, (waiting.pop(),)):
                if number not in seen:
                    seen.add(number)
                    node = mc.nodes[number]
                    if isinstance(node, CheckTrigger | Reset):
                        return False
                    if any(name in self.names for name, _ in writes(mc, node)):
                        return False
                    waiting += [mc.routines[i].entry(given) for i, given in runs(mc, node)]
        return True

    def _touched(self, write: SetWord | Transfer) -> list[list[int]]:
        """For each word that a write may change the bindings that read it."""
        return [self.read.get(word, []) for word in _by_index(write.address)[2]]

    def replace_checks(self, nodes: list[Step]) -> None:
        """Each check becomes a test of those bindings that the written word may change."""
        for check, (sample, write) in self.checks.items():
            node, sampled = self.mc.node(check, CheckTrigger), nodes[sample]
            assert isinstance(sampled, Sample)
            left = tuple(x for x in sampled.triggers if x != self.number)
            nodes[sample] = replace(sampled, triggers=left)
            following = node.next
            for k in reversed(range(max(map(len, self._touched(write))))):
                following = self._tested(nodes, write, k, following)
            nodes[check] = ClearLocals(span=node.span, first=0, last=0, next=following)

    def _tested(self, nodes: list[Step], write: SetWord | Transfer, k: int, following: int) -> int:
        """The first node of the test of the k-th binding that a write may change."""

        def add(kind: type[Step], **parts: object) -> int:
            nodes.append(kind(span=self.mc.routines[self.code.routine].span, **parts))  # type: ignore[arg-type]
            return len(nodes) - 1

        index, lo, _ = _by_index(write.address)
        rows = [row[k] if k < len(row) else NONE for row in self._touched(write)]
        some = next(x for x in rows if x != NONE)
        numbers = [some if x == NONE else x for x in rows]
        last = len(self.code.bindings) - 1
        held = Address(self.held.base, (Term(_picked(numbers, index, lo), 0, last, 1, proved=True),))
        columns = zip(*(self.code.bindings[x] for x in numbers), strict=True)
        values = tuple(_picked(column, index, lo) for column in columns)
        asked = self.condition
        for reg, value in zip(self.code.regs, values, strict=True):
            asked = _with(asked, reg, value)
        word = {"name": self.held.name, "address": held, "op": "=", "ranges": ((0, 1),), "edge": "free"}
        call = add(Call, routine=self.code.routine, arguments=values, next=following)
        now = add(SetWord, **word, value=Const(1), next=call)
        newly = add(Branch, condition=Load(held), then=following, otherwise=now)
        gone = add(SetWord, **word, value=Const(0), next=following)
        not_any_more = add(Branch, condition=Load(held), then=gone, otherwise=following)
        tested = add(Branch, condition=asked, then=newly, otherwise=not_any_more)
        if NONE not in rows:
            return tested
        is_there = _picked([int(x != NONE) for x in rows], index, lo)
        return add(Branch, condition=is_there, then=tested, otherwise=following)


def _reset(mc: Machine, node: Step) -> set[str]:
    """The variables whose lifetime ends."""
    if not isinstance(node, Reset):
        return set()
    return {words.name for address, _ in node.ranges if (words := mc.words_at(address.base)) is not None}


def _picked(values: Sequence[int], index: Expr | None, lo: int) -> Expr:
    """The value for an index."""
    if index is None or len(set(values)) == 1:
        return Const(values[0])
    if list(values) == list(range(lo, lo + len(values))):
        return index
    return Pick(tuple(values), index, lo)


def _by_index(address: Address) -> tuple[Expr | None, int, list[int]]:
    """The local by which an address moves, its least value, and the word for each of its values."""
    base, moving = address.base, list[Term]()
    for term in address.terms:
        if isinstance(term.index, Const):
            base += (term.index.value - term.lo) * term.stride
        else:
            moving.append(term)
    match moving:
        case []:
            return None, 0, [base]
        case [Term(index=Local() as index, lo=lo, hi=hi, stride=stride)]:
            return index, lo, [base + stride * i for i in range(hi - lo + 1)]
    raise _UnknownReads


def _with(e: Expr, reg: int, value: Expr) -> Expr:
    """A condition with a value for a register; rows of links for it are rows for what it follows from."""

    def change(part: Part) -> Part:
        match part:
            case Reg(index=index) if index == reg:
                return value
            case Linked(links=links, index=Reg(index=index), lo=lo) if index == reg:
                match value:
                    case Pick(table=table, index=from_, lo=first):
                        return Linked(tuple(links[x - lo] for x in table), from_, first)
                    case Const(value=known):
                        return Values(links[known - lo])
        return mapped(part, change)

    return change(e)  # type: ignore[return-value]


# ---- which words a condition reads


def _words_read(
    mc: Machine, e: Expr, regs: Sequence[int], bindings: Sequence[tuple[int, ...]]
) -> dict[int, list[int]]:
    """For each word that a condition reads the numbers of the bindings for which it does."""
    found = dict[int, list[int]]()
    if any(not isinstance(part, READS_NOTHING_ELSE) for part in walk(e)):
        raise _UnknownReads
    for number, binding in enumerate(bindings):
        env = {reg: (value,) for reg, value in zip(regs, binding, strict=True)}
        for word in set(_read(mc, e, env)):
            found.setdefault(word, []).append(number)
    return found


def _read(mc: Machine, e: Tree, env: Env) -> Iterator[int]:
    """The words that an expression may read, if registers have one of some values."""
    match e:
        case Load(address=address):
            if mc.words_at(address.base) is None:
                raise _UnknownReads
            words = [address.base]
            for term in address.terms:
                among = _values(term.index, env)
                within = range(term.lo, term.hi + 1)
                inside = within if among is None else [v for v in among if v in within]
                words = [word + (v - term.lo) * term.stride for word in words for v in inside]
            yield from words
            yield from _read(mc, address, env)
        case Fold(reg=reg, source=source, where=where, body=body):
            yield from _read(mc, source, env)
            inside_env = _bound(env, reg, source)
            yield from _read(mc, tuple(x for x in (where, body) if x is not None), inside_env)
        case Filtered(reg=reg, source=source, where=where) | Prefix(reg=reg, source=source, where=where):
            yield from _read(mc, source, env)
            yield from _read(mc, where, _bound(env, reg, source))
        case Let(reg=reg, value=value, body=body):
            yield from _read(mc, value, env)
            among = _values(value, env)
            rest = {i: v for i, v in env.items() if i != reg}
            yield from _read(mc, body, rest if among is None else {**rest, reg: sorted(among)})
        case tuple():
            for part in e:
                yield from _read(mc, part, env)
        case None:
            pass
        case _:
            for part in children(e):
                yield from _read(mc, part, env)


def _values(e: Expr, env: Env) -> set[int] | None:
    """What an expression may be; nothing if that is not known. What it is for none is left out."""
    match e:
        case Const(value=value):
            return {value}
        case Reg(index=index) if index in env:
            return set(env[index])
        case Pick(table=table, index=from_, lo=lo):
            among = _values(from_, env)
            if among is None:
                return set(table)
            return {table[v - lo] for v in among if lo <= v < lo + len(table)}
        case Op(op="+" | "-" | "*" as op, left=left, right=right):
            one, other = _values(left, env), _values(right, env)
            if one is None or other is None or len(one) * len(other) > MOST_VALUES:
                return None
            return {calculate(op, x, y) for x in one for y in other if NONE not in (x, y)}
    return None


def _bound(env: Env, reg: int, source: Source) -> Env:
    """What registers may be inside of a collection."""
    among = _members(source, env)
    rest = {i: v for i, v in env.items() if i != reg}
    return rest if among is None else {**rest, reg: sorted(among)}


def _members(source: Source, env: Env) -> set[int] | None:
    """What a collection may have in it."""
    match source:
        case Values(values=values):
            return set(values)
        case Listed(items=items):
            parts = [_values(item, env) for item in items]
        case Linked(links=links, index=index, lo=lo):
            rows = _values(index, env)
            if rows is None:
                return {v for row in links for v in row}
            return {v for i in rows if 0 <= i - lo < len(links) for v in links[i - lo]}
        case Filtered(source=inner) | Prefix(source=inner):
            return _members(inner, env)
        case Joined(parts=joined):
            parts = [_members(part, env) for part in joined]
        case Either(then=then, otherwise=otherwise):
            parts = [_members(then, env), _members(otherwise, env)]
        case _:
            return None
    found = set[int]()
    for part in parts:
        if part is None:
            return None
        found |= part
    return found
