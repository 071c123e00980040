"""Lowering of the statements that move pieces, roll dice and shuffle."""

from __future__ import annotations

from dsl import rules as r
from dsl.domains import NONE, PieceType
from dsl.rules.reads import zones_in, zones_of
from interpreter import ir
from interpreter.compile.frames import Frames
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


def move_count(lower: Frames, line: r.MoveCount, entry: int, after: int) -> None:
    zone = lower.rules.zones[line.source.zone]
    follow = lower.keep(line.name) if line.name is not None else None
    written = frozenset({zone.name, line.to.zone} | ({zone.refill} if zone.refill else set()))
    if zone.order in ("shuffled", "bag") or zone.refill is not None:
        _draw_loop(lower, line, zone, follow, written, entry, after)
        return
    after = lower.after(written, after)
    lower.fill_node(
        entry, ir.MoveSome, line, number=lower.expr(line.number), **_some(lower, line, follow, after)
    )


def move_alike(lower: Frames, line: r.MoveAlike, entry: int, after: int) -> None:
    """A loop that moves one piece of a class at a time; triggers are checked after it."""
    source, held, left = lower.collection(line.source), lower.slot(), lower.slot()
    loop, move = lower.graph.reserve(), lower.graph.reserve()
    with lower.register() as reg:
        piece = ir.Best(False, reg, source, None, (ir.Const(0),))
    number = ir.Op("min", lower.expr(line.number), ir.Size(source))
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
    is_empty = operation("==", ir.Size(lower.pieces(line.source)), ir.Const(0))
    again = lower.add_node(ir.Branch, line, condition=is_empty, then=end, otherwise=draw)
    filled = _refill(lower, line, zone, again) if zone.refill is not None else end
    empty = lower.add_node(ir.Branch, line, condition=is_empty, then=filled, otherwise=draw)
    lower.fill_while_positive(loop, line, left, empty, end)


def _draw_one(
    lower: Frames, line: r.MoveCount, zone: r.Zone, drawn: int, follow: int | None, after: int
) -> int:
    """The node that draws one piece: at random from a shuffled zone, from the top of an ordered one."""
    if zone.order not in ("shuffled", "bag"):
        return lower.add_node(ir.MoveSome, line, number=ir.Const(1), **_some(lower, line, follow, after))
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
    refill = lower.rules.zones[zone.refill or ""]
    same = refill.var.of is not None and refill.var.of == zone.var.of
    source = r.InZone(line.source.item, line.span, refill.name, line.source.of if same else None, None)
    following = after
    if zone.order == "pile":
        following = lower.graph.reserve()
        shuffle(lower, r.Shuffle(line.span, line.clauses, line.source), line.source, following, after)
    return lower.add_node(
        ir.MoveAll,
        line,
        source=lower.pieces(source),
        place=lower.place(line.source),
        classes=lower.classes(line.source.item),
        bottom=False,
        next=following,
    )


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
    size = ir.Size(lower.pieces(zone))
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
