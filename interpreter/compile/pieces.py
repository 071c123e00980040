"""Lowering of the statements that move pieces, roll dice and shuffle."""

from __future__ import annotations

from dsl import rules as r
from dsl.domains import ANY_INT, NONE, PieceType, Type
from dsl.rules.reads import zones_in, zones_of
from interpreter import ir
from interpreter.compile.collections import pieces_at
from interpreter.compile.frames import Frames, one_line
from interpreter.compile.tested_reads import Reads, Trace
from interpreter.ir.fold import operation


def turn_die(lower: Frames, line: r.TurnDie, entry: int, after: int) -> None:
    kind = line.var.type
    assert isinstance(kind, PieceType)
    low = lower.lowest_face(kind.component)
    face = operation("-", lower.expr(line.face), ir.Const(low))
    slot = lower.keep(line.var)
    after = lower.after(zones_of(lower.rules, kind.component), after)
    lower.fill_node(
        entry, ir.TurnDie, line, slot=slot, face=face, classes=lower.classes(kind), low=low, next=after
    )


def move_piece(lower: Frames, line: r.MovePiece, entry: int, after: int) -> None:
    kind = line.piece.type
    assert isinstance(kind, PieceType)
    piece = lower.expr(line.piece)
    after = lower.after(zones_of(lower.rules, kind.component), after)
    follow = piece.slot if isinstance(piece, ir.Local) else None
    lower.fill_node(
        entry,
        ir.MovePiece,
        line,
        piece=piece,
        follow=follow,
        place=lower.place(line.to),
        classes=lower.classes(kind),
        bottom=line.end == "bottom",
        next=after,
    )


def move_all(lower: Frames, line: r.MoveAll, entry: int, after: int) -> None:
    after = lower.after(zones_in(line.source) | {line.to.zone}, after)
    lower.fill_node(
        entry,
        ir.MoveAll,
        line,
        source=lower.collection(line.source),
        place=lower.place(line.to),
        classes=lower.classes(line.to.item),
        bottom=line.end == "bottom",
        next=after,
    )


def swap_pieces(lower: Frames, line: r.SwapPieces, entry: int, after: int) -> None:
    after = lower.after(frozenset({line.one.zone, line.other.zone}), after)
    lower.fill_node(
        entry,
        ir.Exchange,
        line,
        source=ir.Joined((pieces_at(lower, line.one), pieces_at(lower, line.other))),
        place=lower.place(line.one),
        other=lower.place(line.other),
        classes=lower.classes(line.one.item),
        next=after,
    )


def move_count(lower: Frames, line: r.MoveCount, entry: int, after: int) -> None:
    zone = lower.rules.zones[line.source.zone]
    follow = lower.keep(line.name) if line.name is not None else None
    written = frozenset({zone.name, line.to.zone} | ({zone.refill} if zone.refill else set()))
    if not line.up_to:
        entry = _need_enough(lower, line, line.source, _available(lower, line, zone), line.number, entry)
    if zone.order in ("shuffled", "bag") or zone.refill is not None:
        _draw_loop(lower, line, zone, follow, written, entry, after)
        return
    after = lower.after(written, after)
    lower.fill_node(
        entry, ir.MoveSome, line, number=lower.expr(line.number), **_taken(lower, line, follow, after)
    )


def move_alike(lower: Frames, line: r.MoveAlike, entry: int, after: int) -> None:
    """A loop that moves one piece of a class at a time; triggers are checked after it."""
    source, held, left = lower.collection(line.source), lower.slot(), lower.slot()
    if not line.up_to:
        entry = _need_enough(lower, line, line.source, ir.Size(source), line.number, entry)
    loop, move = lower.graph.reserve(), lower.graph.reserve()
    with lower.register() as reg:
        piece = ir.Best(False, reg, source, None, (ir.Const(0),))
    wanted = lower.expr(line.number)
    number = ir.Op("min", wanted, ir.Size(source)) if line.up_to else wanted  # else there are enough
    counted = lower.add_node(ir.SetLocal, line, slot=left, value=number, next=loop)
    lower.fill_node(entry, ir.SetLocal, line, slot=held, value=piece, next=counted)
    count = lower.count_down(line, left, move)
    lower.fill_node(
        move,
        ir.MovePiece,
        line,
        piece=ir.Local(held),
        follow=None,
        place=lower.place(line.to),
        classes=lower.classes(line.to.item),
        bottom=line.end == "bottom",
        next=loop,
    )
    after = lower.after(zones_in(line.source) | {line.to.zone}, after)
    end = lower.add_node(ir.ClearLocals, line, first=held, last=left + 1, next=after)
    lower.fill_while_positive(loop, line, left, count, end)


def _available(lower: Frames, line: r.MoveCount, zone: r.Zone) -> ir.Expr:
    """The number of pieces that can be taken from a place, with those that refill it."""
    there = ir.Size(pieces_at(lower, line.source))
    if zone.refill is None:
        return there
    return ir.Op("+", there, ir.Size(pieces_at(lower, _refilling(lower, line, zone))))


def _need_enough(
    lower: Frames,
    line: r.Line,
    source: r.InZone | r.Filtered,
    there: ir.Expr,
    number: r.Expr,
    entry: int,
) -> int:
    """The node behind a test that there are as many pieces as are to be moved."""
    following = lower.graph.reserve()
    text, wanted = one_line(source.span), one_line(number.span)
    sides: list[tuple[str, ir.Expr, Type]] = [(f"size({text})", there, ANY_INT)]
    if not isinstance(number, r.Const):
        sides.append((wanted, lower.expr(number), number.type))
    counts = (*_hidden_counts(lower, source), *lower.secret_reads(number))
    enough, said = ir.Op(">=", there, lower.expr(number)), f"size({text}) >= {wanted}"
    lower.fill_node(
        entry,
        ir.Precondition,
        line,
        condition=enough,
        text=said,
        wants=(ir.Condition(enough, said, tuple(sides), counts),),
        asked=source.span,
        next=following,
        demand="pieces",
    )
    lower.notes(Trace(reads=counts))
    return following


def _hidden_counts(lower: Frames, source: r.InZone | r.Filtered) -> Reads:
    """The zone whose pieces are counted, unless everybody knows their number."""
    zone = source if isinstance(source, r.InZone) else source.binder.collection
    assert isinstance(zone, r.InZone)
    decl = lower.rules.zones[zone.zone]
    known = decl.counted_by == "all" if isinstance(source, r.InZone) else decl.seen_by == "all"
    mine = isinstance(zone.of, r.Special) and zone.of.what == "me"
    chosen = () if isinstance(source, r.InZone) else lower.secret_reads(source.binder.where)
    return (*chosen, *(() if known else ((zone.zone, mine),)))


def _some(lower: Frames, line: r.MoveCount, follow: int | None, after: int) -> dict[str, object]:
    """The fields that the nodes of a draw have in common."""
    return {
        "source": lower.place(line.source),
        "place": lower.place(line.to),
        "classes": lower.classes(line.to.item),
        "bottom": line.end == "bottom",
        "follow": follow,
        "next": after,
    }


def _taken(lower: Frames, line: r.MoveCount, follow: int | None, after: int) -> dict[str, object]:
    """The fields of a node that takes pieces from an end of a place."""
    return {**_some(lower, line, follow, after), "below": line.bottom}


def _draw_loop(
    lower: Frames,
    line: r.MoveCount,
    zone: r.Zone,
    follow: int | None,
    written: frozenset[str],
    entry: int,
    after: int,
) -> None:
    """A loop that draws one piece at a time, and refills the zone if it is empty at a draw.

    The name of the drawn piece is none until something has been drawn.
    """
    left, drawn = lower.slot(), lower.slot()
    loop, begin = lower.graph.reserve(), lower.graph.reserve()
    end = lower.add_node(ir.ClearLocals, line, first=left, last=drawn + 1, next=after)
    if follow is None:
        lower.graph.alias[begin] = loop
    else:
        lower.graph.fill(begin, ir.SetLocal(span=line.span, slot=follow, value=ir.Const(NONE), next=loop))
    lower.fill_node(entry, ir.SetLocal, line, slot=left, value=lower.expr(line.number), next=begin)
    count = lower.count_down(line, left, loop)
    draw = _draw_one(lower, line, zone, drawn, follow, lower.after(written, count))
    is_empty = operation("==", ir.Size(pieces_at(lower, line.source)), ir.Const(0))
    again = lower.add_node(ir.Branch, line, condition=is_empty, then=end, otherwise=draw)
    filled = _refill(lower, line, zone, again) if zone.refill is not None else end
    empty = lower.add_node(ir.Branch, line, condition=is_empty, then=filled, otherwise=draw)
    lower.fill_while_positive(loop, line, left, empty, end)


def _draw_one(
    lower: Frames, line: r.MoveCount, zone: r.Zone, drawn: int, follow: int | None, after: int
) -> int:
    """The node that draws one piece: at random from a shuffled zone, from the top of an ordered one."""
    if zone.order not in ("shuffled", "bag"):
        return lower.add_node(ir.MoveSome, line, number=ir.Const(1), **_taken(lower, line, follow, after))
    take = lower.add_node(ir.Take, line, slot=drawn, **_some(lower, line, follow, after))
    return lower.add_node(
        ir.Chance,
        line,
        stream=lower.layout.stream(zone.name),
        slot=drawn,
        faces=None,
        place=lower.place(line.source),
        most=None,
        names=lower.layout.classes(zone.component),
        next=take,
    )


def _refill(lower: Frames, line: r.MoveCount, zone: r.Zone, after: int) -> int:
    """The node that moves all pieces of the refilling zone here; of the same seat if both belong to seats."""
    source = _refilling(lower, line, zone)
    following = after
    if zone.order == "pile":
        following = lower.graph.reserve()
        shuffle(lower, r.Shuffle(line.span, line.clauses, line.source), line.source, following, after)
    return lower.add_node(
        ir.MoveAll,
        line,
        source=pieces_at(lower, source),
        place=lower.place(line.source),
        classes=lower.classes(line.source.item),
        bottom=False,
        next=following,
    )


def _refilling(lower: Frames, line: r.MoveCount, zone: r.Zone) -> r.InZone:
    """The place that refills a zone; that of the same seat if both belong to seats."""
    refill = lower.rules.zones[zone.refill or ""]
    same = refill.var.of is not None and refill.var.of == zone.var.of
    return r.InZone(line.source.item, line.span, refill.name, line.source.of if same else None, None)


def roll_piece(lower: Frames, line: r.RollPiece, entry: int, after: int) -> None:
    kind = line.piece.type
    assert isinstance(kind, PieceType)
    names = lower.layout.classes(kind.component)
    thrown, held = lower.slot(), lower.slot()
    piece = lower.expr(line.piece)
    follow = piece.slot if isinstance(piece, ir.Local) else None
    after = lower.after(zones_of(lower.rules, kind.component), after)
    end = lower.add_node(ir.ClearLocals, line, first=thrown, last=held + 1, next=after)
    turn = lower.add_node(
        ir.TurnDie, line, slot=held, face=ir.Local(thrown), classes=len(names), low=0, next=end
    )
    if follow is not None:
        copy = lower.add_node(ir.SetLocal, line, slot=follow, value=ir.Local(held), next=end)
        turn = lower.add_node(
            ir.TurnDie, line, slot=held, face=ir.Local(thrown), classes=len(names), low=0, next=copy
        )
    chance = _roll(lower, line, kind.component, thrown, turn)
    lower.fill_node(entry, ir.SetLocal, line, slot=held, value=piece, next=chance)


def roll_zone(lower: Frames, line: r.RollZone, entry: int, after: int) -> None:
    component = lower.rules.zones[line.to.zone].component
    names = lower.layout.classes(component)
    if line.number is not None and not line.up_to:
        there = ir.Size(pieces_at(lower, line.source))
        entry = _need_enough(lower, line, line.source, there, line.number, entry)
    left, thrown = lower.slot(), lower.slot()
    loop = lower.graph.reserve()
    after = lower.after(frozenset({line.source.zone, line.to.zone}), after)
    end = lower.add_node(ir.ClearLocals, line, first=left, last=thrown + 1, next=after)
    number = lower.expr(line.number) if line.number is not None else None
    lower.fill_node(
        entry, ir.Lift, line, source=lower.place(line.source), number=number, slot=left, next=loop
    )
    count = lower.count_down(line, left, loop)
    drop = lower.add_node(
        ir.Drop,
        line,
        slot=thrown,
        place=lower.place(line.to),
        classes=len(names),
        component=component,
        follow=None,
        next=count,
    )
    chance = _roll(lower, line, component, thrown, drop)
    lower.fill_while_positive(loop, line, left, chance, end)


def _roll(lower: Frames, line: r.Line, component: str, slot: int, following: int) -> int:
    """The node that rolls one die; its face goes to a local."""
    names = lower.layout.classes(component)
    return lower.add_node(
        ir.Chance,
        line,
        stream=lower.layout.stream(component),
        slot=slot,
        faces=len(names),
        place=None,
        most=None,
        names=names,
        next=following,
    )


def shuffle(lower: Frames, line: r.Shuffle, zone: r.InZone, entry: int, after: int) -> None:
    decl = lower.rules.zones[zone.zone]
    place = lower.place(zone)
    if decl.order in ("shuffled", "bag"):
        lower.fill_node(entry, ir.Forget, line, place=place, next=after)
        return
    i, j = lower.slot(), lower.slot()
    loop = lower.graph.reserve()
    forget = lower.add_node(ir.Forget, line, place=place, next=after)
    end = lower.add_node(ir.ClearLocals, line, first=i, last=j + 1, next=forget)
    size = ir.Size(pieces_at(lower, zone))
    lower.fill_node(entry, ir.SetLocal, line, slot=i, value=operation("-", size, ir.Const(1)), next=loop)
    count = lower.count_down(line, i, loop)
    swap = lower.add_node(ir.Swap, line, place=place, first=i, second=j, next=count)
    chance = lower.add_node(
        ir.Chance,
        line,
        stream=lower.layout.stream(zone.zone),
        slot=j,
        faces=None,
        place=None,
        most=ir.Op("+", ir.Local(i), ir.Const(1)),
        names=(),
        next=swap,
    )
    lower.fill_while_positive(loop, line, i, chance, end)
