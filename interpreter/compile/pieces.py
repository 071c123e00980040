"""Statements that move pieces, throw dice and shuffle, to nodes."""

from __future__ import annotations

from dsl import rules as r
from dsl.domains import NONE, Piece
from dsl.rules.reads import zones_in, zones_of
from interpreter import machine as m
from interpreter.compile.frames import Frames
from interpreter.machine.fold import operation


class Pieces(Frames):
    """Lowers what happens to pieces. Draws and throws are loops around a chance node."""

    def _turn(self, line: r.TurnDie, entry: int, after: int) -> None:
        kind = line.var.type
        assert isinstance(kind, Piece)
        low = self.lowest_face(kind.component)
        face = operation("-", self.expr(line.face), m.Const(low))
        slot = self.keep(line.var)
        after = self.after(zones_of(self.rules, kind.component), after)
        self._fill(
            entry, m.TurnDie, line, slot=slot, face=face, classes=self.classes(kind), low=low, next=after
        )

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
        if zone.order in ("shuffled", "bag") or zone.refill is not None:
            self._draw_loop(line, zone, follow, written, entry, after)
            return
        after = self.after(written, after)
        self._fill(entry, m.MoveSome, line, number=self.expr(line.number), **self._some(line, follow, after))

    def _move_alike(self, line: r.MoveAlike, entry: int, after: int) -> None:
        """One of the equal pieces stands for all; so many are moved, and then triggers are checked."""
        source, held, left = self.group(line.source), self.slot(), self.slot()
        loop, move = self.graph.reserve(), self.graph.reserve()
        with self.register() as reg:
            one = m.Best(False, reg, source, None, (m.Const(0),))
        number = m.Op("min", self.expr(line.number), m.Size(source))
        counted = self._add(m.SetLocal, line, slot=left, value=number, next=loop)
        self._fill(entry, m.SetLocal, line, slot=held, value=one, next=counted)
        count = self._add(m.SetLocal, line, slot=left, value=m.Op("-", m.Local(left), m.Const(1)), next=move)
        self._one_of_these(line, held, move, loop)
        after = self.after(zones_in(line.source) | {line.to.zone}, after)
        end = self._add(m.ClearLocals, line, first=held, last=left + 1, next=after)
        more = m.Op(">", m.Local(left), m.Const(0))
        self.graph.fill(loop, m.Branch(span=line.span, condition=more, then=count, otherwise=end))

    def _one_of_these(self, line: r.MoveAlike, held: int, entry: int, after: int) -> None:
        self._fill(
            entry,
            m.MovePiece,
            line,
            piece=m.Local(held),
            follow=None,
            place=self.place(line.to),
            classes=self.classes(line.to.item),
            bottom=line.end == "bottom",
            next=after,
        )

    def _some(self, line: r.MoveCount, follow: int | None, after: int) -> dict[str, object]:
        return {
            "source": self.place(line.source),
            "place": self.place(line.to),
            "classes": self.classes(line.to.item),
            "bottom": line.end == "bottom",
            "follow": follow,
            "next": after,
        }

    def _draw_loop(
        self,
        line: r.MoveCount,
        zone: r.Zone,
        follow: int | None,
        written: frozenset[str],
        entry: int,
        after: int,
    ) -> None:
        """Draws one after the other, as many as there are; an empty zone is refilled when a draw wants it.

        A name for what is drawn means nothing until something has been drawn.
        """
        left, drawn = self.slot(), self.slot()
        loop, begin = self.graph.reserve(), self.graph.reserve()
        end = self._add(m.ClearLocals, line, first=left, last=drawn + 1, next=after)
        if follow is None:
            self.graph.alias[begin] = loop
        else:
            self.graph.fill(begin, m.SetLocal(span=line.span, slot=follow, value=m.Const(NONE), next=loop))
        self._fill(entry, m.SetLocal, line, slot=left, value=self.expr(line.number), next=begin)
        count = self._add(m.SetLocal, line, slot=left, value=m.Op("-", m.Local(left), m.Const(1)), next=loop)
        one = self._draw_one(line, zone, drawn, follow, self.after(written, count))
        is_empty = operation("==", m.Size(self.pieces(line.source)), m.Const(0))
        again = self._add(m.Branch, line, condition=is_empty, then=end, otherwise=one)
        filled = self._refill(line, zone, again) if zone.refill is not None else end
        empty = self._add(m.Branch, line, condition=is_empty, then=filled, otherwise=one)
        more = m.Op(">", m.Local(left), m.Const(0))
        self.graph.fill(loop, m.Branch(span=line.span, condition=more, then=empty, otherwise=end))

    def _draw_one(self, line: r.MoveCount, zone: r.Zone, drawn: int, follow: int | None, after: int) -> int:
        """One piece: by chance out of a shuffled zone, from the top of an ordered one."""
        if zone.order not in ("shuffled", "bag"):
            return self._add(m.MoveSome, line, number=m.Const(1), **self._some(line, follow, after))
        take = self._add(m.Take, line, slot=drawn, **self._some(line, follow, after))
        return self._add(
            m.Chance,
            line,
            stream=self.layout.stream(zone.name),
            slot=drawn,
            faces=None,
            place=self.place(line.source),
            most=None,
            names=self.layout.classes(zone.component),
            next=take,
        )

    def _refill(self, line: r.MoveCount, zone: r.Zone, after: int) -> int:
        """All pieces of the zone that refills this one; the same seat's, if both belong to seats."""
        refill = self.rules.zones[zone.refill or ""]
        same = refill.store.of is not None and refill.store.of == zone.store.of
        source = r.InZone(line.source.item, line.span, refill.name, line.source.of if same else None, None)
        following = after
        if zone.order == "pile":
            following = self.graph.reserve()
            self._shuffle(r.Shuffle(line.span, line.clauses, line.source), line.source, following, after)
        return self._add(
            m.MoveAll,
            line,
            source=self.pieces(source),
            place=self.place(line.source),
            classes=self.classes(line.source.item),
            bottom=False,
            next=following,
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
        turn = self._add(
            m.TurnDie, line, slot=held, face=m.Local(thrown), classes=len(names), low=0, next=end
        )
        if follow is not None:
            copy = self._add(m.SetLocal, line, slot=follow, value=m.Local(held), next=end)
            turn = self._add(
                m.TurnDie, line, slot=held, face=m.Local(thrown), classes=len(names), low=0, next=copy
            )
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
