"""Statements that move pieces, throw dice and shuffle, to nodes."""

from __future__ import annotations

from dsl import rules as r
from dsl.domains import Int, Piece
from interpreter import machine as m
from interpreter.compile.expressions import operation
from interpreter.compile.frames import Frames
from interpreter.compile.uses import zones_of


class Pieces(Frames):
    """Lowers what happens to pieces. Draws and throws are loops around a chance node."""

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
