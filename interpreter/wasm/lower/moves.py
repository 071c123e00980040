"""Nodes that move pieces."""

from __future__ import annotations

from typing import assert_never

from dsl.domains import NONE
from interpreter import ir
from interpreter.wasm.abi import MOVED, SHOWN, SHOWN_PIECE, SHUFFLED, THROWN
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.module_builder import GLOBAL
from interpreter.wasm.faults import FULL, MISSING, OUT_OF_BOUNDS, OUT_OF_RANGE, QUEUE_FULL
from interpreter.wasm.lower import addresses, const_eval, piece_loops, writes
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import WIDE, Constant, InLocal, Value


def lower_piece_node(fx: FunctionContext, node: ir.PieceNode | ir.SightNode) -> None:
    match node:
        case ir.MovePiece():
            move_piece(fx, node)
        case ir.MoveAll():
            move_all(fx, node)
        case ir.MoveSome():
            move_some(fx, node)
        case ir.TurnDie():
            turn_die(fx, node)
        case ir.Lift():
            lift(fx, node)
        case ir.Drop():
            drop_die(fx, node)
        case ir.Take():
            take(fx, node)
        case ir.Swap():
            swap(fx, node)
        case ir.Forget():
            forget(fx, node)
        case ir.Show():
            show(fx, node)
        case _:
            assert_never(node)


# ---- one piece


def check_room(fx: FunctionContext, place: Value) -> None:
    """A status on the stack that is not zero: there is no room."""
    fx.b.when()
    fx.fault(FULL, place)
    fx.b.end()


def check_taken(fx: FunctionContext, place: Value) -> None:
    fx.b.when()
    fx.fault(MISSING, place)
    fx.b.end()


def take_piece(fx: FunctionContext, place: Value, class_: Value) -> None:
    b = fx.b
    b.get(fx.s)
    fx.put(place)
    fx.put(class_)
    b.call(fx.builder.function("take", (I32, I32, I32)))
    check_taken(fx, place)


def put_piece(fx: FunctionContext, place: Value, class_: Value, number: Value, bottom: bool) -> None:
    b = fx.b
    b.get(fx.s)
    fx.put(place)
    fx.put(class_)
    fx.put(number)
    b.i32(int(bottom))
    b.call(fx.builder.function("put", (I32,) * 5))
    check_room(fx, place)


def note_move(fx: FunctionContext, class_: Value, number: Value, source: Value, to: Value) -> None:
    """Triggers that watch one of the places note it, and it is told."""
    b = fx.b
    if any(t.condition is None for t in fx.mc.triggers):
        with b.borrowed(I32) as (status,):
            b.get(fx.s)
            for x in (class_, number, source, to):
                fx.put(x)
            b.call(fx.builder.function("moved", (I32,) * 5))
            b.tee(status)
            b.i32(0)
            b.op("i32.ge_s")
            b.when()
            fx.fault(QUEUE_FULL, InLocal(status, WIDE))
            b.end()
    writes.event(fx, MOVED, class_, number, source, to)


def split_piece(fx: FunctionContext, ref: int, classes: int) -> tuple[InLocal, InLocal]:
    """The place and class of a piece in a local."""
    b = fx.b
    place, class_ = b.local(), b.local()
    b.get(ref)
    b.i32(classes)
    b.op("i32.div_u")
    b.tee(place)
    b.i32(-classes)
    b.op("i32.mul")
    b.get(ref)
    b.op("i32.add")
    b.set(class_)
    return InLocal(place, (0, len(fx.mc.places) - 1)), InLocal(class_, (0, classes - 1))


def join_piece(fx: FunctionContext, place: Value, class_: Value, classes: int) -> None:
    """Leaves the piece of a class on a place."""
    b = fx.b
    fx.put(place)
    b.i32(classes)
    b.op("i32.mul")
    fx.put(class_)
    b.op("i32.add")


def follow_piece(fx: FunctionContext, slot: int | None, place: Value, class_: Value, classes: int) -> None:
    if slot is not None:
        with fx.frames.slot(slot):
            join_piece(fx, place, class_, classes)


def _check_piece(fx: FunctionContext, ref: int) -> None:
    """The piece in a local is not none."""
    b = fx.b
    b.get(ref)
    b.i32(NONE)
    b.op("i32.eq")
    b.when()
    fx.fault(OUT_OF_BOUNDS, NONE, 0, len(fx.mc.places) - 1)
    b.end()


# ---- nodes


def move_piece(fx: FunctionContext, node: ir.MovePiece) -> None:
    b = fx.b
    with b.borrowed(I32) as (ref,):
        fx.num(node.piece)
        b.set(ref)
        to = const_eval.operand(fx, node.place)
        _check_piece(fx, ref)
        source, class_ = split_piece(fx, ref, node.classes)
        take_piece(fx, source, class_)
        put_piece(fx, to, class_, Constant(1), node.bottom)
        follow_piece(fx, node.follow, to, class_, node.classes)
        note_move(fx, class_, Constant(1), source, to)
        fx.drop(source, class_, to)


def list_in_scratch(fx: FunctionContext, source: ir.Source, first: int, end: int) -> None:
    """The collection goes to the scratch as pairs of value and number, from `first` to `end`."""
    b, top = fx.b, GLOBAL["top"]
    b.gget(top)
    b.set(first)

    def one(value: Value, n: Value) -> None:
        for i, x in enumerate((value, n)):
            b.gget(top)
            fx.put(x)
            b.store(4 * i)
        fx.global_add("top", 8)

    fx.each(source, one, 20)
    b.gget(top)
    b.set(end)


def move_all(fx: FunctionContext, node: ir.MoveAll) -> None:
    b = fx.b
    to = const_eval.operand(fx, node.place)
    with b.borrowed(I32, I32, I32, I32, I32) as (first, end, p, ref, n):
        list_in_scratch(fx, node.source, first, end)
        b.get(first)
        b.set(p)
        with b.forever() as out:
            b.get(p)
            b.get(end)
            b.op("i32.ge_u")
            b.br_if(out)
            b.get(p)
            b.load()
            b.set(ref)
            source, class_ = split_piece(fx, ref, node.classes)
            fx.put(source)
            fx.put(to)
            b.op("i32.ne")
            b.when()
            b.get(p)
            b.load(4)
            b.set(n)
            taking = b.loop()
            take_piece(fx, source, class_)
            b.get(n)
            b.i32(1)
            b.op("i32.sub")
            b.tee(n)
            b.br_if(taking)
            b.end()
            b.get(p)
            b.load(4)
            b.set(n)
            number = InLocal(n, (1, WIDE[1]))
            put_piece(fx, to, class_, number, node.bottom)
            note_move(fx, class_, number, source, to)
            b.end()
            fx.drop(source, class_)
            b.bump(p, 8)
        b.get(first)
        b.gset(GLOBAL["top"])
    fx.drop(to)


def move_some(fx: FunctionContext, node: ir.MoveSome) -> None:
    b = fx.b
    origin, to = const_eval.operand(fx, node.source), const_eval.operand(fx, node.place)
    if node.follow is not None:
        with fx.frames.slot(node.follow):
            b.i32(NONE)
    with b.borrowed(I32, I32) as (left, c):
        fx.num(node.number)
        b.set(left)
        with b.forever() as out:
            b.get(left)
            b.i32(0)
            b.op("i32.le_s")
            b.br_if(out)
            b.get(fx.s)
            fx.put(origin)
            b.i32(0)
            b.call(fx.builder.function("top", (I32, I32, I32)))
            b.tee(c)
            b.i32(0)
            b.op("i32.lt_s")
            b.br_if(out)
            class_ = InLocal(c, (0, node.classes - 1))
            take_piece(fx, origin, class_)
            put_piece(fx, to, class_, Constant(1), node.bottom)
            follow_piece(fx, node.follow, to, class_, node.classes)
            note_move(fx, class_, Constant(1), origin, to)
            b.get(left)
            b.i32(1)
            b.op("i32.sub")
            b.set(left)
    fx.drop(origin, to)


def take(fx: FunctionContext, node: ir.Take) -> None:
    b = fx.b
    origin, to = const_eval.operand(fx, node.source), const_eval.operand(fx, node.place)
    with b.borrowed(I32) as (c,):
        fx.frames.read_slot(node.slot)
        b.set(c)
        class_ = InLocal(c, (0, node.classes - 1))
        take_piece(fx, origin, class_)
        put_piece(fx, to, class_, Constant(1), node.bottom)
        follow_piece(fx, node.follow, to, class_, node.classes)
        note_move(fx, class_, Constant(1), origin, to)
    fx.drop(origin, to)


def turn_die(fx: FunctionContext, node: ir.TurnDie) -> None:
    b = fx.b
    with b.borrowed(I32, I32) as (ref, face):
        fx.frames.read_slot(node.slot)
        b.set(ref)
        known = place_of_die(fx, fx.node, node)
        place: Value
        old: Value = Constant(0)
        if known in fx.builder.solid:
            assert known is not None
            place = Constant(known)
        else:
            _check_piece(fx, ref)
            place, old = split_piece(fx, ref, node.classes)
        span = fx.num(node.face)
        b.set(face)
        new = InLocal(face, (0, node.classes - 1))
        if not (span[0] >= 0 and span[1] < node.classes):
            b.get(face)
            b.i32(node.classes)
            b.op("i32.ge_u")
            b.when()
            with b.borrowed(I32) as (shown,):
                b.get(face)
                b.i32(node.low)
                b.op("i32.add")
                b.set(shown)
                fx.fault(OUT_OF_RANGE, InLocal(shown, WIDE), node.low, node.low + node.classes - 1)
            b.end()
        if known in fx.builder.solid:
            assert known is not None
            _turn_lone(fx, known, new)
        else:
            take_piece(fx, place, old)
            put_piece(fx, place, new, Constant(1), False)
        follow_piece(fx, node.slot, place, new, node.classes)
        writes.event(fx, THROWN, new, place)
        fx.drop(place, old)


def place_of_die(fx: FunctionContext, number: int, node: ir.TurnDie) -> int | None:
    """The place of a die, where the local that names it is only written from one known place."""
    found: set[int | None] = set()
    for each in fx.builder.regions[fx.builder.region_of[number]].nodes:
        other = fx.mc.nodes[each]
        if isinstance(other, ir.SetLocal) and other.slot == node.slot:
            piece = other.value
            if isinstance(piece, ir.PieceAt) and isinstance(piece.place, ir.Const):
                found.add(piece.place.value)
            else:
                found.add(None)
        elif not isinstance(other, ir.TurnDie) and node.slot in _slots(other):
            found.add(None)
    return found.pop() if len(found) == 1 else None


def _turn_lone(fx: FunctionContext, place: int, new: Value) -> None:
    """The die that lies alone on a place shows another face."""
    b, base = fx.b, fx.mc.places[place].base
    word = fx.kept.get(base)
    if word is None:
        b.get(fx.s)
    fx.put(new)
    b.i32(1)
    b.op("i32.add")
    if word is None:
        b.store(4 * base)
    else:
        b.set(word)


def lift(fx: FunctionContext, node: ir.Lift) -> None:
    b = fx.b
    at = const_eval.operand(fx, node.source)
    found, wanted = b.local(), b.local()
    b.get(fx.s)
    fx.put(at)
    b.call(fx.builder.function("count", (I32, I32)))
    b.tee(found)
    b.set(wanted)
    if node.number is not None:
        fx.num(node.number)
        b.set(wanted)
        _clamp_number(fx, wanted, found)
    b.get(wanted)
    b.get(found)
    b.op("i32.eq")
    b.when()
    b.get(fx.s)
    fx.put(at)
    b.call(fx.builder.function("clear", (I32, I32), ()))
    b.otherwise()
    b.get(fx.s)
    fx.put(at)
    b.get(wanted)
    b.call(fx.builder.function("lift", (I32, I32, I32), ()))
    b.end()
    with fx.frames.slot(node.slot):
        b.get(wanted)
    b.release(found, wanted)
    fx.drop(at)


def _clamp_number(fx: FunctionContext, wanted: int, found: int) -> None:
    """`wanted` comes to lie within 0 and `found`."""
    b = fx.b
    b.i32(0)
    b.get(wanted)
    b.get(wanted)
    b.i32(0)
    b.op("i32.lt_s", "select")
    b.set(wanted)
    b.get(found)
    b.get(wanted)
    b.get(wanted)
    b.get(found)
    b.op("i32.gt_s", "select")
    b.set(wanted)


def drop_die(fx: FunctionContext, node: ir.Drop) -> None:
    b = fx.b
    at = const_eval.operand(fx, node.place)
    with b.borrowed(I32) as (face,):
        fx.frames.read_slot(node.slot)
        b.set(face)
        class_ = InLocal(face, (0, node.classes - 1))
        put_piece(fx, at, class_, Constant(1), False)
        writes.event(fx, THROWN, class_, at)
        follow_piece(fx, node.follow, at, class_, node.classes)
    fx.drop(at)


def _slots(node: ir.Step) -> tuple[int, ...]:
    """The words of the frame that a node writes, but for those that are cleared."""
    names = ("slot", "follow", "position")
    return tuple(x for name in names if (x := getattr(node, name, None)) is not None)


def swap(fx: FunctionContext, node: ir.Swap) -> None:
    b = fx.b
    at = const_eval.operand(fx, node.place)
    with b.borrowed(I32, I32, I32, I32) as (base, i, j, t):
        word_of(fx, at)
        b.i32(4)
        b.op("i32.add")
        b.set(base)
        for slot, local in ((node.first, i), (node.second, j)):
            b.get(base)
            fx.frames.read_slot(slot)
            b.i32(2)
            b.op("i32.shl", "i32.add")
            b.set(local)
        b.get(i)
        b.load()
        b.set(t)
        b.get(i)
        b.get(j)
        b.load()
        b.store()
        b.get(j)
        b.get(t)
        b.store()
    fx.drop(at)


def word_of(fx: FunctionContext, place: Value) -> None:
    """Leaves the address of the first word of a place."""
    b = fx.b
    if isinstance(place, Constant):
        b.get(fx.s)
        b.i32(4 * fx.mc.places[place.value].base)
        b.op("i32.add")
    else:
        addresses.place_base(fx, place.local, place.span)


def _shown_word(fx: FunctionContext, place: Value) -> None:
    """Leaves the address of the word that says who has seen a place; the place can be shown."""
    b = fx.b
    words = fx.builder.table(fx.mc.shown.get(i, 0) for i in range(len(fx.mc.places)))
    b.get(fx.s)
    fx.put(place)
    addresses.look_up(fx, words)
    b.i32(2)
    b.op("i32.shl", "i32.add")


def forget(fx: FunctionContext, node: ir.Forget) -> None:
    b = fx.b
    at = const_eval.operand(fx, node.place)
    if fx.mc.shown:
        fx.put(at)
        addresses.look_up(fx, fx.builder.table(int(i in fx.mc.shown) for i in range(len(fx.mc.places))))
        b.when()
        _shown_word(fx, at)
        b.i32(0)
        b.store()
        b.end()
    writes.event(fx, SHUFFLED, at)
    fx.drop(at)


def show(fx: FunctionContext, node: ir.Show) -> None:
    b = fx.b
    who = const_eval.operand(fx, node.seat)

    def one(k: Value) -> None:
        with b.borrowed(I32, I32) as (place, at):
            fx.put(k)
            b.i32(node.places.first)
            b.op("i32.add")
            b.set(place)
            _shown_word(fx, InLocal(place, (0, len(fx.mc.places) - 1)))
            b.tee(at)
            b.get(at)
            b.load()
            b.i32(1)
            fx.put(who)
            b.op("i32.shl", "i32.or")
            b.store()

    piece_loops.each_place(fx, node.places, one)
    writes.event(fx, SHOWN, who)
    if fx.builder.config.events:
        fx.each(node.source, lambda value, n: _tell_piece(fx, value, n, node.places.classes), 20)
    fx.drop(who)


def _tell_piece(fx: FunctionContext, value: Value, n: Value, classes: int) -> None:
    if isinstance(value, Constant):
        writes.event(fx, SHOWN_PIECE, value.value // classes, value.value % classes, n)
        return
    place, class_ = split_piece(fx, value.local, classes)
    writes.event(fx, SHOWN_PIECE, place, class_, n)
    fx.drop(place, class_)
