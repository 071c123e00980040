"""Nodes that move pieces."""

from __future__ import annotations

from dataclasses import replace
from functools import partial, reduce
from operator import or_
from typing import assert_never

from dsl.domains import NONE
from interpreter import events as ev, ir
from interpreter.ir.visit import leaves
from interpreter.wasm.abi import (
    FULL,
    MISSING,
    OUT_OF_BOUNDS,
    OUT_OF_RANGE,
    QUEUE_FULL,
)
from interpreter.wasm.emit.bit_boards import set_bytes
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.module_builder import global_
from interpreter.wasm.emit.operands import Operand, Variable, const, select
from interpreter.wasm.lower import addresses, board_writes, const_eval, piece_loops, writes
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import ONE, WIDE, Constant, InLocal, Interval, Value


def lower_piece_node(fx: FunctionContext, node: ir.PieceNode | ir.SightNode) -> None:
    match node:
        case ir.MovePiece():
            move_piece(fx, node)
        case ir.MoveAll():
            move_all(fx, node)
        case ir.Exchange():
            exchange(fx, node)
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
        case ir.LookAway():
            look_away(fx, node)
        case ir.Show():
            show(fx, node)
        case ir.Tell():
            writes.tell(fx, node)
        case _:
            assert_never(node)


# ---- one piece


def take_piece(fx: FunctionContext, place: Value, class_: Value) -> None:
    if fx.undo is not None:
        fx.undo.note_pieces(place, class_, Constant(0))
    if addresses.are_slots(fx, *place.span):
        _take_from_slot(fx, place, class_)
        return
    if _is_counted(fx, place):
        _take_counted(fx, place, class_)
        return
    _note_boards(fx, place)
    with fx.b.if_(fx.builder.call("take", fx.b.state, place.operand, class_.operand)):
        fx.fault(MISSING, place)


def _is_counted(fx: FunctionContext, place: Value) -> bool:
    """Whether a place has room for any number of pieces of each class, and a set of them of one word."""
    first, last = place.span
    if not piece_loops.keep_sets(fx, first, last) or addresses.place_stride(fx, first, last) is None:
        return False
    places = fx.mc.places[first : last + 1]
    return set_bytes(places[0].classes) == 8 and not any(x.limited for x in places)


def _counted(fx: FunctionContext, place: Value, class_: Value) -> tuple[Operand, Operand, Operand]:
    """The address of the number of a class on a place, that of the place's set, and the class."""
    number = addresses.place_address(fx, place) + (class_.operand << 2)
    return number, piece_loops.set_address(fx, place), class_.operand


def _take_counted(fx: FunctionContext, place: Value, class_: Value) -> None:
    """One piece less of a class; the last one of it leaves the set."""
    b = fx.b
    with b.temporaries(I32, I32, I32, I64) as (at, held, number, bit):
        address, set_at, cls = _counted(fx, place, class_)
        b.assign(at, address)
        with b.if_(number.tee(at.load()).lt_s(1)):
            fx.fault(MISSING, place)
        b.write(at, number.tee(number - 1))
        b.assign(held, set_at)
        b.assign(bit, number.eqz().widened() << cls.widened())
        b.write(held, held.load64() & (bit ^ -1), as_="i64.store")


def _put_counted(fx: FunctionContext, place: Value, class_: Value, number: Value) -> None:
    """More pieces of a class, which is in the set then."""
    b = fx.b
    with b.temporaries(I32, I32) as (at, held):
        address, set_at, cls = _counted(fx, place, class_)
        b.assign(at, address)
        b.write(at, at.load() + number.operand)
        b.assign(held, set_at)
        b.write(held, held.load64() | const(1, I64) << cls.widened(), as_="i64.store")


def _take_from_slot(fx: FunctionContext, place: Value, class_: Value) -> None:
    b = fx.b
    with b.temporaries(I32, I32) as (at, word):
        b.assign(at, addresses.place_address(fx, place))
        with b.if_(at.load().ne(word.tee(class_.operand + 1))):
            fx.fault(MISSING, place)
        b.write(at, 0)
        _on_board(fx, place, InLocal(word, _words_of_class(class_)), Constant(0))


def _put_in_slot(fx: FunctionContext, place: Value, class_: Value, number: Value) -> None:
    b = fx.b
    with b.temporaries(I32, I32) as (at, word):
        b.assign(at, addresses.place_address(fx, place))
        with b.if_(at.load() if number == ONE else at.load() | number.operand.gt_s(1)):
            fx.fault(FULL, place)
        b.write(at, word.tee(class_.operand + 1))
        _on_board(fx, place, Constant(0), InLocal(word, _words_of_class(class_)))


def _words_of_class(class_: Value) -> Interval:
    """What stands on a place of size 1 on which a piece of the class lies."""
    return class_.span[0] + 1, class_.span[1] + 1


def _on_board(fx: FunctionContext, place: Value, old: Value, new: Value) -> None:
    """Another word stands on a place of size 1: the bit boards of its zone, if there are any, follow."""
    board = fx.builder.board_of_place(place.span[0])
    if board is not None and board.place is not None:
        board_writes.change_on_board(fx, board, place.operand - board.place, old, new)


def _note_boards(fx: FunctionContext, place: Value) -> None:
    """A function for any place is about to change what lies on one."""
    first, last = max(place.span[0], 0), min(place.span[1], len(fx.mc.places) - 1)
    for board in fx.builder.boards.values():
        if board.place is not None and board.place <= last and first < board.place + board.rows * board.size:
            fx.moved_boards.add(board.words.name)


def put_piece(fx: FunctionContext, place: Value, class_: Value, number: Value, bottom: bool) -> None:
    if fx.undo is not None:
        fx.undo.note_pieces(place, class_, number)
    if _is_counted(fx, place):
        _put_counted(fx, place, class_, number)
        return
    if addresses.are_slots(fx, *place.span):
        _put_in_slot(fx, place, class_, number)
        return
    _note_boards(fx, place)
    words = place.operand, class_.operand, number.operand
    with fx.b.if_(fx.builder.call("put", fx.b.state, *words, int(bottom))):
        fx.fault(FULL, place)


def note_move(fx: FunctionContext, class_: Value, number: Value, source: Value, to: Value) -> None:
    """Triggers that watch one of the places note a move, and it is told; who was shown them may forget."""
    b = fx.b
    parts = class_, number, source, to
    if _may_be_shown(fx, source) or _may_be_shown(fx, to):
        words = number.operand, source.operand, to.operand
        b.push(fx.builder.call("remember", b.state, *words, results=()))
    if any(t.condition is None for t in fx.mc.triggers):
        with b.temporaries(I32) as (full,):
            moved = fx.builder.call("moved", b.state, *(x.operand for x in parts))
            with b.if_(full.tee(moved).ge_s(0)):
                fx.fault(QUEUE_FULL, InLocal(full, WIDE))
    writes.event(fx, ev.Moved, *parts)


def _may_be_shown(fx: FunctionContext, place: Value) -> bool:
    """Whether it matters that a seat may have been shown a place. A trial shows nobody anything."""
    first, last = place.span
    return fx.undo is None and any(first <= shown <= last for shown in fx.mc.shown)


def note_turn(fx: FunctionContext, place: Value) -> None:
    """Dice on a place show other faces, or come or go: who was shown it may forget."""
    if _may_be_shown(fx, place):
        fx.b.push(fx.builder.call("forget", fx.b.state, place.operand, results=()))


def split_piece(
    fx: FunctionContext, piece: Operand, classes: int, span: Interval = WIDE
) -> tuple[InLocal, InLocal]:
    """The place and class of a piece, whose number lies in an interval."""
    b = fx.b
    place, class_ = b.variables(I32, I32)
    b.assign(class_, place.tee(piece.div_u(classes)) * -classes + piece)
    first, last = max(span[0], 0) // classes, min(span[1] // classes, len(fx.mc.places) - 1)
    return InLocal(place, (first, max(first, last))), InLocal(class_, (0, classes - 1))


def follow_piece(fx: FunctionContext, slot: int | None, place: Value, class_: Value, classes: int) -> None:
    if slot is not None and fx.builder.follows(fx.node, slot):
        fx.set_slot(slot, place.operand * classes + class_.operand)


def _check_piece(fx: FunctionContext, piece: Operand) -> None:
    """Faults if a piece is none."""
    with fx.b.if_(piece.eq(NONE)):
        fx.fault(OUT_OF_BOUNDS, NONE, 0, len(fx.mc.places) - 1)


# ---- nodes


def move_piece(fx: FunctionContext, node: ir.MovePiece) -> None:
    b = fx.b
    with b.temporaries(I32) as (piece,):
        span = fx.evaluate(piece, node.piece)
        to = const_eval.operand(fx, node.place)
        if span[0] < 0:
            _check_piece(fx, piece)
        source, class_ = split_piece(fx, piece, node.classes, span)
        _move_one(fx, node, class_, source, to)
        fx.drop(source, class_, to)


def _move_one(
    fx: FunctionContext, node: ir.MovePiece | ir.MoveSome | ir.Take, class_: Value, source: Value, to: Value
) -> None:
    take_piece(fx, source, class_)
    _moved_one(fx, node, class_, source, to)


def _moved_one(
    fx: FunctionContext, node: ir.MovePiece | ir.MoveSome | ir.Take, class_: Value, source: Value, to: Value
) -> None:
    """Puts a piece that was taken from a place on another, and tells of it."""
    put_piece(fx, to, class_, ONE, node.bottom)
    follow_piece(fx, node.follow, to, class_, node.classes)
    note_move(fx, class_, ONE, source, to)


def list_pairs(fx: FunctionContext, source: ir.Source, first: Variable, end: Variable) -> None:
    """Lists the pieces of a collection in the scratch as pairs of piece and number, from `first` to `end`."""
    b, top = fx.b, global_("top")
    b.assign(first, top)

    def add_pair(value: Value, number: Value) -> None:
        b.write(top, value.operand)
        b.write(top, number.operand, 4)
        b.assign(top, top + 8)

    fx.each(source, add_pair, 20)
    b.assign(end, top)


def move_all(fx: FunctionContext, node: ir.MoveAll) -> None:
    """Moves the pieces of a collection, which are listed in the scratch as pairs of piece and number.

    From whole places that count their pieces to another such place, all numbers are added at once.
    """
    to = const_eval.operand(fx, node.place)
    added, others = _added_parts(fx, node, to)
    if added:
        if others:
            _move_each(fx, replace(node, source=ir.Joined(others)), to)
        _add_numbers(fx, added, to, node.classes)
    else:
        _move_each(fx, node, to)
    fx.drop(to)


def _move_each(fx: FunctionContext, node: ir.MoveAll, to: Value) -> None:
    b, top = fx.b, global_("top")
    if isinstance(node.source, ir.Pieces) and piece_loops.is_one_slot(fx.mc, node.source):
        fx.each(node.source, partial(_move_found, fx, node, to))
        return
    with b.temporaries(I32, I32, I32, I32, I32) as (first, end, p, piece, n):
        list_pairs(fx, node.source, first, end)
        b.assign(p, first)
        with b.until(p.ge_u(end)):
            b.assign(piece, p.load())
            source, class_ = split_piece(fx, piece, node.classes)
            with b.if_(source.operand.ne(to.operand)):
                b.assign(n, p.load(4))
                with b.repeat_while(n.tee(n - 1)):
                    take_piece(fx, source, class_)
                b.assign(n, p.load(4))
                number = InLocal(n, (1, WIDE[1]))
                put_piece(fx, to, class_, number, node.bottom)
                note_move(fx, class_, number, source, to)
            fx.drop(source, class_)
            b.assign(p, p + 8)
        b.assign(top, first)


def _move_found(fx: FunctionContext, node: ir.MoveAll, to: Value, piece: Value, number: Value) -> None:
    """Moves what lies on the one place of a collection, which has room for one piece."""
    assert isinstance(piece, InLocal)
    assert piece.found is not None
    first, k, class_ = piece.found.first, piece.found.place, piece.found.class_
    with fx.b.temporaries(I32) as (number_of_place,):
        source: Value = InLocal(number_of_place, (first + k.span[0], first + k.span[1]))
        if isinstance(k, Constant):
            source = Constant(first + k.value)
        else:
            fx.b.assign(number_of_place, k.operand + first)
        with fx.b.if_(source.operand.ne(to.operand)):
            take_piece(fx, source, class_)
            put_piece(fx, to, class_, number, node.bottom)
            note_move(fx, class_, number, source, to)


def _added_parts(
    fx: FunctionContext, node: ir.MoveAll, to: Value
) -> tuple[list[ir.Pieces], tuple[ir.Source, ...]]:
    """The places that are emptied at once, and the other collections.

    All of them count their pieces, as where those go; no move is noted, and no place is meant twice.
    """
    parts = node.source.parts if isinstance(node.source, ir.Joined) else (node.source,)
    nothing: tuple[list[ir.Pieces], tuple[ir.Source, ...]] = ([], parts)
    first, last = to.span
    if fx.undo is not None or fx.builder.config.events:
        return nothing
    if any(trigger.condition is None for trigger in fx.mc.triggers) or fx.mc.shown:
        return nothing
    if not piece_loops.keep_sets(fx, first, last) or addresses.place_stride(fx, first, last) is None:
        return nothing
    if any(fx.mc.places[i].limited for i in range(first, last + 1)) or not _are_apart(parts):
        return nothing
    added = [part for part in parts if isinstance(part, ir.Pieces) and _can_be_emptied(fx, part)]
    if len(parts) > 1:
        added = [part for part in added if _is_known_before(part)]
    return added, tuple(part for part in parts if not any(part is x for x in added))


def _are_apart(parts: tuple[ir.Source, ...]) -> bool:
    """Whether collections that are joined can have no place in common."""
    places: list[int] = []
    for source in parts:
        zones = {x for x in leaves(source) if isinstance(x, ir.Pieces)}
        if len(parts) > 1 and not all(isinstance(x, ir.Pieces) for x in leaves(source)):
            return False
        places += {i for x in zones for i in range(x.first, x.first + x.of.size * x.at.size)}
    return len(places) == len(set(places))


def _can_be_emptied(fx: FunctionContext, part: ir.Pieces) -> bool:
    last = part.first + part.of.size * part.at.size - 1
    return (
        (piece_loops.keep_sets(fx, part.first, last) or addresses.are_slots(fx, part.first, last))
        and part.of.many is None
        and part.at.many is None
        and addresses.place_stride(fx, part.first, last) is not None
    )


def _is_known_before(part: ir.Pieces) -> bool:
    """Whether no move can change which places are meant."""
    return all(axis.one is None or const_eval.plain(axis.one) for axis in (part.of, part.at))


def _add_numbers(fx: FunctionContext, parts: list[ir.Pieces], to: Value, classes: int) -> None:
    """Adds the numbers of each class, four at a time, and unites the sets."""
    b, words = fx.b, range(0, set_bytes(classes), 8)
    with b.temporaries(I32, I32, I32) as (goal, goal_set, source_set):
        b.assign(goal, addresses.place_address(fx, to))
        b.assign(goal_set, piece_loops.set_address(fx, to))

        def empty(part: ir.Pieces, k: Value) -> None:
            b.assign(source_set, piece_loops.set_of_place(fx, part, k))
            anything = reduce(or_, (source_set.load64(i) for i in words)).ne(0)
            with (
                b.if_(source_set.ne(goal_set) & anything),
                piece_loops.place_address(fx, part, k) as (at, offset),
            ):
                _add_words(fx, goal, at, offset, classes)
                for i in words:
                    b.write(goal_set, goal_set.load64(i) | source_set.load64(i), i, "i64.store")
                    b.write(source_set, 0, i, "i64.store")

        def empty_slot(part: ir.Pieces, k: Value) -> None:
            with (
                piece_loops.place_address(fx, part, k) as (at, offset),
                b.temporaries(I32) as (held,),
                b.if_(held.tee(at.load(offset))),
            ):
                b.write(at, 0, offset)
                place = k.operand + part.first
                span = (part.first + k.span[0], part.first + k.span[1])
                with b.temporaries(I32) as (number,):
                    b.assign(number, place)
                    word = InLocal(held, (1, part.classes))
                    _on_board(fx, InLocal(number, span), word, Constant(0))
                _add_one(fx, goal, goal_set, held - 1, len(words))

        for part in parts:
            emptied = empty_slot if fx.mc.places[part.first].kind == ir.SLOT else empty
            piece_loops.each_place(fx, part, partial(emptied, part))


def _add_one(fx: FunctionContext, goal: Variable, goal_set: Variable, class_: Operand, words: int) -> None:
    """Adds a piece of a class to the numbers at an address, and to the set at another."""
    b = fx.b
    with b.temporaries(I32, I32) as (cls, at):
        b.assign(cls, class_)
        b.write(at.tee(goal + (cls << 2)), at.load() + 1)
        b.assign(at, goal_set + (cls >> 6 << 3) if words > 1 else goal_set)
        b.write(at, at.load64() | const(1, I64) << cls.widened(), as_="i64.store")


def _add_words(fx: FunctionContext, goal: Variable, at: Operand, offset: int, words: int) -> None:
    """Adds words behind one address to those behind another, and sets them to zero."""
    b = fx.b
    for i in range(0, words - 3, 4):
        b.write_vector(goal, goal.load_vector(4 * i) + at.load_vector(offset + 4 * i), 4 * i)
    for i in range(words // 4 * 4, words):
        b.write(goal, goal.load(4 * i) + at.load(offset + 4 * i), 4 * i)
    fx.zero(at, offset, words)


def exchange(fx: FunctionContext, node: ir.Exchange) -> None:
    """Lists the pieces of both places in the scratch, clears both, and puts each on the other one."""
    b, top = fx.b, global_("top")
    one, two = const_eval.operand(fx, node.place), const_eval.operand(fx, node.other)
    with b.temporaries(I32, I32, I32, I32) as (first, end, p, goal), b.if_(one.operand.ne(two.operand)):
        list_pairs(fx, node.source, first, end)
        for place in (one, two):
            _note_boards(fx, place)
            b.push(fx.builder.call("clear", b.state, place.operand, results=()))
        b.assign(p, first)
        with b.until(p.ge_u(end)):
            source, class_ = split_piece(fx, p.load(), node.classes)
            b.assign(goal, select(two.operand, one.operand, source.operand.eq(one.operand)))
            to = InLocal(goal, (0, len(fx.mc.places) - 1))
            with b.temporaries(I32) as (n,):
                b.assign(n, p.load(4))
                number = InLocal(n, (1, WIDE[1]))
                put_piece(fx, to, class_, number, False)
                note_move(fx, class_, number, source, to)
            fx.drop(source, class_)
            b.assign(p, p + 8)
        b.assign(top, first)
    fx.drop(one, two)


def move_some(fx: FunctionContext, node: ir.MoveSome) -> None:
    b = fx.b
    origin, to = const_eval.operand(fx, node.source), const_eval.operand(fx, node.place)
    if node.follow is not None and fx.builder.follows(fx.node, node.follow):
        fx.set_slot(node.follow, NONE)
    with b.temporaries(I32, I32) as (left, c):
        fx.evaluate(left, node.number)
        with b.until(left.le_s(0)) as out:
            if node.below:
                b.br_if(out, c.tee(fx.builder.call("bottom", b.state, origin.operand)).lt_s(0))
                _moved_one(fx, node, InLocal(c, (0, node.classes - 1)), origin, to)
            else:
                b.br_if(out, c.tee(fx.builder.call("top", b.state, origin.operand, 0)).lt_s(0))
                _move_one(fx, node, InLocal(c, (0, node.classes - 1)), origin, to)
            b.assign(left, left - 1)
    fx.drop(origin, to)


def take(fx: FunctionContext, node: ir.Take) -> None:
    b = fx.b
    origin, to = const_eval.operand(fx, node.source), const_eval.operand(fx, node.place)
    with b.temporaries(I32) as (c,):
        b.assign(c, fx.frames.word(node.slot))
        _move_one(fx, node, InLocal(c, (0, node.classes - 1)), origin, to)
    fx.drop(origin, to)


def turn_die(fx: FunctionContext, node: ir.TurnDie) -> None:
    b = fx.b
    with b.temporaries(I32, I32) as (die, face):
        b.assign(die, fx.frames.word(node.slot))
        known = place_of_die(fx, fx.node, node)
        lone = known if known in fx.builder.solid else None
        place: Value
        old: Value = Constant(0)
        if lone is not None:
            place = Constant(lone)
        else:
            _check_piece(fx, die)
            place, old = split_piece(fx, die, node.classes)
        span = fx.evaluate(face, node.face)
        new = InLocal(face, (0, node.classes - 1))
        if not (span[0] >= 0 and span[1] < node.classes):
            with b.if_(face.ge_u(node.classes)), b.temporaries(I32) as (shown,):
                b.assign(shown, face + node.low)
                fx.fault(OUT_OF_RANGE, InLocal(shown, WIDE), node.low, node.low + node.classes - 1)
        if lone is not None:
            fx.set_word(fx.mc.places[lone].base, face + 1)
        else:
            take_piece(fx, place, old)
            put_piece(fx, place, new, ONE, False)
        follow_piece(fx, node.slot, place, new, node.classes)
        note_turn(fx, place)
        writes.event(fx, ev.Thrown, new, place)
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


def lift(fx: FunctionContext, node: ir.Lift) -> None:
    b = fx.b
    at = const_eval.operand(fx, node.source)
    _note_boards(fx, at)
    with b.temporaries(I32, I32) as (there, wanted):
        b.assign(wanted, there.tee(fx.builder.call("count", b.state, at.operand)))
        if node.number is not None:
            fx.evaluate(wanted, node.number)
            b.assign(wanted, select(0, wanted, wanted.lt_s(0)))
            b.assign(wanted, select(there, wanted, wanted.gt_s(there)))
        with b.if_(wanted.eq(there)):
            b.push(fx.builder.call("clear", b.state, at.operand, results=()))
            b.otherwise()
            b.push(fx.builder.call("lift", b.state, at.operand, wanted, results=()))
        fx.set_slot(node.slot, wanted)
    note_turn(fx, at)
    fx.drop(at)


def drop_die(fx: FunctionContext, node: ir.Drop) -> None:
    b = fx.b
    at = const_eval.operand(fx, node.place)
    with b.temporaries(I32) as (face,):
        b.assign(face, fx.frames.word(node.slot))
        class_ = InLocal(face, (0, node.classes - 1))
        put_piece(fx, at, class_, ONE, False)
        note_turn(fx, at)
        writes.event(fx, ev.Thrown, class_, at)
        follow_piece(fx, node.follow, at, class_, node.classes)
    fx.drop(at)


def _slots(node: ir.Step) -> tuple[int, ...]:
    """The words of the frame that a node writes, but for those that are cleared."""
    names = ("slot", "follow", "position")
    return tuple(x for name in names if (x := getattr(node, name, None)) is not None)


def swap(fx: FunctionContext, node: ir.Swap) -> None:
    b = fx.b
    at = const_eval.operand(fx, node.place)
    with b.temporaries(I32, I32, I32, I32) as (first, i, j, t):
        b.assign(first, addresses.place_address(fx, at) + 4)
        b.assign(i, first + (fx.frames.word(node.first) << 2))
        b.assign(j, first + (fx.frames.word(node.second) << 2))
        b.assign(t, i.load())
        b.write(i, j.load())
        b.write(j, t)
    fx.drop(at)


def _shown_word(fx: FunctionContext, place: Value) -> Operand:
    """The address of the word that says who has seen a place; the place can be shown."""
    words = fx.builder.table(fx.mc.shown.get(i, 0) for i in range(len(fx.mc.places)))
    return fx.b.state + (place.operand.entry_of(words) << 2)


def forget(fx: FunctionContext, node: ir.Forget) -> None:
    b = fx.b
    at = const_eval.operand(fx, node.place)
    if fx.mc.shown:
        can_be_shown = fx.builder.table(int(i in fx.mc.shown) for i in range(len(fx.mc.places)))
        with b.if_(at.operand.entry_of(can_be_shown)):
            b.write(_shown_word(fx, at), 0)
    writes.event(fx, ev.Shuffled, at)
    fx.drop(at)


def look_away(fx: FunctionContext, node: ir.LookAway) -> None:
    b = fx.b
    with b.temporaries(I32, I32) as (at, end):
        b.assign(at, b.state + 4 * node.first)
        b.assign(end, at + 4 * node.count)
        with b.until(at.ge_u(end)):
            b.write(at, at.load() & ~ir.LOOKING)
            b.assign(at, at + 4)


def show(fx: FunctionContext, node: ir.Show) -> None:
    b = fx.b
    who = const_eval.operand(fx, node.seat)
    counted = fx.builder.table(ir.seat_bits(x.counted) for x in fx.mc.sights)

    def show_place(k: Value) -> None:
        with b.temporaries(I32, I32) as (place, at):
            b.assign(place, k.operand + node.places.first)
            word = at.tee(_shown_word(fx, InLocal(place, (0, len(fx.mc.places) - 1))))
            bit = const(1) << who.operand
            remembers = (bit & place.entry_of(counted)) << ir.REMEMBERED
            b.write(word, at.load() | bit | remembers)

    piece_loops.each_place(fx, node.places, show_place)
    writes.event(fx, ev.Shown, who, int(node.openly))
    if fx.builder.config.events:
        fx.each(node.source, lambda value, n: _tell_piece(fx, value, n, node.places.classes), 20)
    fx.drop(who)


def _tell_piece(fx: FunctionContext, value: Value, n: Value, classes: int) -> None:
    if isinstance(value, Constant):
        writes.event(fx, ev.SHOWN_PIECE, value.value // classes, value.value % classes, n)
        return
    place, class_ = split_piece(fx, value.operand, classes)
    writes.event(fx, ev.SHOWN_PIECE, place, class_, n)
    fx.drop(place, class_)
