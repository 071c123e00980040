"""Regions that leave what they stop for."""

from __future__ import annotations

from dsl.domains import NONE
from interpreter import machine as m
from interpreter.wasm.emit.codes import STOP
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.lower.play.play import Play


class Stepping(Play):
    """One region's function. A decision at which it stops has left its menu in the buffer."""

    def decision(self, number: int, node: m.Decide | m.Offer) -> int | None:
        b = self.b
        self.tried()
        self._stopping(number, node, both=False)
        b.end()
        with b.borrowed(I32) as (total,):
            self.leave_menu(number, node, total)
            self.node = number
            self.stop_if_asked(number, node, total)
        self.nothing(number, node, both=True)
        return None

    def stop_if_asked(self, number: int, node: m.Decide | m.Offer, total: int) -> None:
        """Stops if there is something to choose, or somebody is asked in any case."""
        b = self.b
        b.get(total)
        if node.asks:
            self.num(node.seat)
            b.i32(NONE)
            b.op("i32.ne", "i32.or")
        b.when()
        self.stop_at(number, STOP)
        b.end()

    def leave_menu(self, number: int, node: m.Decide | m.Offer, total: int) -> None:
        """The menu goes to the buffer, and how many options it has to a local."""
        b = self.b
        b.i32(0)
        b.set(total)
        for i, part in enumerate(self.menu_of(number).parts):
            mask = b.local(I64) if self._in_register(node, i, part) else None
            with b.borrowed(I32) as (count,):
                self._fill(number, node, i, part, mask, count)
                if mask is not None:
                    b.i32(0)
                    b.get(mask if part.size else count)
                    if not part.size:
                        b.op("i64.extend_i32_u")
                    b.mem("i64.store", self.plan.menu_address + 8 * part.first)
                    b.release(mask)
                b.get(total)
                b.get(count)
                b.op("i32.add")
                b.set(total)
