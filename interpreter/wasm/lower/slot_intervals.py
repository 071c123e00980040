"""Interval analysis of the words of frames, so that checks which cannot fail are left out.

Every write to a word is seen once per round, and its interval joined to what is known; what still grows after
some rounds may be anything. Where frames are locals, each context has its own words; where they lie in the
state, each routine has, and a node is looked at again only if a word that it reads has grown since. This
holds for states that the machine comes to by itself from the first one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from dsl.domains import NONE
from interpreter import ir
from interpreter.ir.cfg import counts_down
from interpreter.ir.effects import has_trial
from interpreter.ir.live_slots import slots_read
from interpreter.ir.visit import walk
from interpreter.wasm.lower import loops, option_layouts
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.control import WholeGame
from interpreter.wasm.lower.playout_cfg import CfgPoint
from interpreter.wasm.lower.values import WIDE, InLocal, Interval

ROUNDS = 4


def routine_spans(fx: FunctionContext) -> None:
    """Gives the words of all routines' frames their intervals, kept in the builder of a measuring function.

    Whose frame it is, and whose cell, may be anything as far as this knows.
    """
    spans = fx.builder.spans
    every = {(x.routine, slot) for x in fx.builder.regions for slot in range(ir.FRAME, x.size)}
    zero = {(x.routine, slot) for x in fx.builder.regions for slot in fx.builder.read_before_written(x)}
    growth = Growth(unset=every - zero)
    spans |= dict.fromkeys(every, (0, 0))
    rounds = 0
    while _routines_grow(fx, growth, wide=rounds >= ROUNDS):
        rounds += 1


@dataclass
class Growth:
    """How often the words of each routine's frame have grown, and how often when nodes were looked at."""

    words: Counter[tuple[int, int]] = field(default_factory=Counter)
    frames: Counter[int] = field(default_factory=Counter)
    seen: dict[int, int] = field(default_factory=dict)
    reads: dict[int, tuple[int, ...] | None] = field(default_factory=dict)
    """For each node the words of its frame that it reads; none where it may read any."""
    unset: set[tuple[int, int]] = field(default_factory=set)
    """The words of routines' frames that no node is known to write, and that are not read as they begin."""

    def join(self, before: Interval, span: Interval, routine: int, slot: int) -> Interval:
        """What a word may be that is written once more."""
        if (routine, slot) in self.unset:
            self.unset.discard((routine, slot))
            return span
        return (min(before[0], span[0]), max(before[1], span[1]))

    def is_unreached(self, routine: int, node: ir.Step) -> bool:
        """Whether a node reads what no node is known to write, so that no run is known to come there."""
        return any((routine, slot) in self.unset for slot in slots_read(node))

    def note(self, routine: int, slot: int) -> None:
        """A word of a routine's frame has grown."""
        self.words[routine, slot] += 1
        self.frames[routine] += 1

    def is_stale(self, routine: int, number: int, node: ir.Step) -> bool:
        """Whether a node must be looked at, which is done now: what it writes depends on its frame alone."""
        if number not in self.reads:
            self.reads[number] = _read_words(node)
        slots = self.reads[number]
        times = self.frames[routine] if slots is None else sum(self.words[routine, i] for i in slots)
        if self.seen.get(number) == times:
            return False
        self.seen[number] = times
        return True


def _read_words(node: ir.Step) -> tuple[int, ...] | None:
    """The words of its frame on which it depends what a node writes; none where it may be any."""
    if not isinstance(node, ir.SetLocal | ir.Chance | ir.Bound | ir.Call | ir.Fork) or has_trial(node):
        return None
    return tuple({part.slot for part in walk(node) if isinstance(part, ir.Local)})


def _routines_grow(fx: FunctionContext, growth: Growth, wide: bool) -> bool:
    """Joins all writes once; whether anything has grown."""
    spans, grown = fx.builder.spans, False
    for region in fx.builder.regions:
        fx.routine = region.routine
        for number in region.nodes:
            node = fx.mc.nodes[number]
            if growth.is_unreached(region.routine, node):
                continue
            if not growth.is_stale(region.routine, number, node):
                continue
            fx.node = number
            for routine, slot, span in _routine_writes(fx, region.routine, number):
                if slot < ir.FRAME:
                    continue
                before, is_new = spans[routine, slot], (routine, slot) in growth.unset
                joined = growth.join(before, span, routine, slot)
                if joined != before or is_new:
                    spans[routine, slot] = WIDE if wide else joined
                    growth.note(routine, slot)
                    grown = True
    return grown


def _routine_writes(fx: FunctionContext, routine: int, number: int) -> Iterator[tuple[int, int, Interval]]:
    """What a node writes: routine, word, interval."""
    node = fx.mc.nodes[number]
    match node:
        case ir.Call(routine=called, arguments=arguments) | ir.Fork(routine=called, arguments=arguments):
            for i, argument in enumerate(arguments):
                yield called, ir.FRAME + i, loops.interval(fx, argument)
        case ir.CallCell(what=what):
            yield from _given(fx, what)
        case ir.Offer(what=offered):
            for doing in offered:
                yield from _given(fx, doing)
                for entry in option_layouts.entries_of(fx, doing):
                    if entry.choice is not None:
                        yield entry.routine, *_chosen(fx, entry.choice)
        case ir.Decide():
            yield routine, *_chosen(fx, number)
        case ir.NextTrigger(trigger=trigger, first_slot=first):
            code = fx.mc.triggers[trigger]
            if code.condition is None:
                yield from ((routine, first + i, WIDE) for i in range(len(code.indices) + 1))
            for binding in code.bindings:
                yield from ((routine, first + i, (value, value)) for i, value in enumerate(binding))
        case _:
            for slot, span in _plain(fx, number, node):
                yield routine, slot, span


def _given(fx: FunctionContext, doing: ir.Doing) -> Iterator[tuple[int, int, Interval]]:
    """The arguments that a routine is given by what does it, or by a cell."""
    if isinstance(doing, ir.DoRoutine):
        for i, argument in enumerate(doing.arguments):
            yield doing.routine, ir.FRAME + i, loops.interval(fx, argument)
        return
    for routine, arguments in (fx.mc.cells[cell] for cell in doing.cells if cell != NONE):
        for i, value in enumerate(arguments):
            yield routine, ir.FRAME + i, (value, value)


def _chosen(fx: FunctionContext, number: int) -> tuple[int, Interval]:
    """The word that a choice writes."""
    node = fx.mc.node(number, ir.Decide)
    return node.slot, option_layouts.values_of(fx, node)


def find_spans(fx: FunctionContext, game: WholeGame) -> None:
    """Gives the words of all contexts their intervals."""
    growth, zero = Growth(), {x.routine: fx.builder.read_before_written(x) for x in fx.builder.regions}
    for context, words in enumerate(game.frames.words):
        for slot, word in words.items():
            if slot >= ir.FRAME and slot not in zero[game.paths.contexts[context].routine]:
                growth.unset.add((context, slot))
            assert isinstance(word, InLocal)
            span = (0, fx.mc.seats - 1) if slot == ir.ME else WIDE if slot == ir.SELF else (0, 0)
            words[slot] = InLocal(word.operand, span)
    label = fx.b.block()
    with fx.faulting(label, quiet=True):
        rounds = 0
        while _round(fx, game, growth, wide=rounds >= ROUNDS):
            rounds += 1
    fx.b.end()


def _round(fx: FunctionContext, game: WholeGame, growth: Growth, wide: bool) -> bool:
    """Joins all writes once; whether anything has grown. `wide`: what grows may be anything."""
    grown = False
    for point in game.paths.number:
        if point[1] < 0 or growth.is_unreached(point[0], fx.mc.nodes[point[1]]):
            continue
        for context, slot, span in _writes(fx, game, point):
            word = game.frames.words[context].get(slot)
            if not isinstance(word, InLocal) or slot == ir.ME:
                continue
            is_new = (context, slot) in growth.unset
            joined = growth.join(word.span, span, context, slot)
            if joined != word.span or is_new:
                game.frames.words[context][slot] = InLocal(word.operand, WIDE if wide else joined)
                grown = True
    return grown


def _writes(fx: FunctionContext, game: WholeGame, point: CfgPoint) -> Iterator[tuple[int, int, Interval]]:
    """What a point writes: context, word, interval."""
    context, number = point
    node = fx.mc.nodes[number]
    game.cursor.point, fx.node = point, number
    with game.in_context(context):
        match node:
            case ir.Call(routine=routine, arguments=arguments):
                inner = game.paths.inner[(*point, 0, routine)]
                for i, argument in enumerate(arguments):
                    yield inner, ir.FRAME + i, loops.interval(fx, argument)
            case ir.Offer():
                yield from _offered(fx, game, point, node)
            case ir.Decide():
                yield context, node.slot, option_layouts.values_of(fx, node)
            case _:
                for slot, span in _plain(fx, number, node):
                    yield context, slot, span


def _offered(
    fx: FunctionContext, game: WholeGame, point: CfgPoint, node: ir.Offer
) -> Iterator[tuple[int, int, Interval]]:
    parts = option_layouts.layout_of(fx, point[1]).parts
    for i, (doing, part) in enumerate(zip(node.what, parts, strict=True)):
        assert isinstance(doing, ir.DoRoutine)
        inner = game.paths.inner[(*point, i, doing.routine)]
        for j, argument in enumerate(doing.arguments):
            yield inner, ir.FRAME + j, loops.interval(fx, argument)
        pair = option_layouts.pair_of(fx, part)
        for number in (part.entries[0].choice, None if pair is None else pair.second):
            if number is not None:
                yield inner, *_chosen(fx, number)


def _plain(fx: FunctionContext, number: int, node: ir.Step) -> Iterator[tuple[int, Interval]]:
    mc = fx.mc
    pieces = (NONE, len(mc.places) * max(mc.component_classes.values(), default=1))
    match node:
        case ir.SetLocal(slot=slot, value=value):
            yield (
                slot,
                (0, 0) if counts_down(mc, fx.builder.predecessors, number) else loops.interval(fx, value),
            )
        case ir.Chance(slot=slot):
            if node.faces is not None:
                yield slot, (0, node.faces - 1)
            elif node.picked is not None:
                yield slot, fx.domain(node.picked.source)
            elif node.most is not None:
                yield slot, (0, max(0, loops.interval(fx, node.most)[1] - 1))
            else:
                yield slot, (0, max(mc.component_classes.values(), default=1) - 1)
        case ir.Bound(slot=slot, most=most):
            yield slot, (0, min(loops.interval(fx, most)[1], WIDE[1] - 1) + 1)
        case ir.Iterate(snapshot=snapshot, position=position, slot=slot):
            region = fx.builder.regions[fx.builder.region_of[number]]
            for other in (mc.nodes[i] for i in region.nodes):
                if isinstance(other, ir.Snapshot) and other.slot == snapshot:
                    yield position, (0, other.capacity)
                    yield slot, fx.domain(other.source)
        case ir.SelectRecords(history=history, slot=slot):
            yield slot, (0, mc.histories[history].most)
        case ir.TakeRecord(history=history, slot=slot):
            yield from ((slot + i, WIDE) for i in range(mc.histories[history].words))
        case ir.Lift(slot=slot):
            yield slot, (0, WIDE[1])
        case ir.TurnDie(slot=slot):
            yield slot, pieces
    follow = getattr(node, "follow", None)
    if follow is not None and fx.builder.follows(number, follow):
        yield follow, pieces
