"""Many matches side by side in linear memory: the functions that step all of them."""

from __future__ import annotations

from dsl.domains import NONE
from interpreter import machine as m
from interpreter.wasm.actions import Numbering, numbering, row_bytes, write_mask, write_spread
from interpreter.wasm.body import Body, Label
from interpreter.wasm.chance import STREAM
from interpreter.wasm.encoding import I32, I64
from interpreter.wasm.menus import FAULT
from interpreter.wasm.observe import Observed, write_observe
from interpreter.wasm.plan import Plan
from interpreter.wasm.play import Play
from interpreter.wasm.playouts import write_begin
from interpreter.wasm.rows import FIELDS, Block
from interpreter.wasm.sampling import write_sample
from interpreter.wasm.steps import OVER, STOP, Function

RUNNING, FINISHED, FAULTED = range(3)
"""Codes of a match."""
REFUSED, BROKEN, ENDED = -102, -101, -100
"""What a step of one match gives that does not go on; otherwise the seat that decides, inverted."""


# ---- regions that leave what they stop for


class Stepping(Play):
    """One region's function. A decision at which it stops has left its menu in the buffer."""

    def decision(self, number: int, node: m.Decide | m.Offer) -> int | None:
        b = self.b
        self.tried()
        self._stopping(number, node, both=False)
        b.end()
        with b.borrowed(I32) as (total,):
            self._leave_menu(number, node, total)
            self.node = number
            b.get(total)
            if node.asks:
                self.num(node.seat)
                b.i32(NONE)
                b.op("i32.ne", "i32.or")
            b.when()
            self.stop_at(number, STOP)
            b.end()
        self.nothing(number, node, both=True)
        return None

    def _leave_menu(self, number: int, node: m.Decide | m.Offer, total: int) -> None:
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


# ---- the functions


def write_batches(plan: Plan, seen: Observed | None) -> None:
    """Functions that are called from outside: to begin, look, copy, observe and step."""
    mc = plan.machine
    plan.map["batch"] = plan.reserve(4 * len(FIELDS))
    rows = [numbering(mc, plan.menus[i]) for i, n in enumerate(mc.nodes) if isinstance(n, m.Decide | m.Offer)]
    most = max((r.total for r in rows), default=1)
    plan.map["actions"] = most
    write_begin(plan)
    if seen is not None:
        write_observe(plan, seen)
        _write_observe_as(plan, seen)
    write_spread(plan)
    for row in rows:
        write_mask(plan, row, most)
    _write_fill(plan, rows, most, seen)
    _write_clear(plan, most, seen)
    _write_apply(plan, rows)
    _write_finish(plan)
    _write_settle(plan)
    _write_begin_match(plan)
    _write_look(plan)
    _write_clone(plan, most, seen)
    _write_step(plan, most)
    _write_step_one(plan, most)
    _write_begin_one(plan)
    write_sample(plan, most)


# ---- what a match shows


def _each_decision(b: Body, rows: list[Numbering], index: int) -> list[Label]:
    """Opens a block for each decision and leads to the one whose place in the list is in a local."""
    labels = [b.block() for _ in rows][::-1]
    b.get(index)
    b.br_table(labels, labels[-1])
    return labels


def _places(plan: Plan, rows: list[Numbering]) -> int:
    """The table from nodes to the places of decisions in the list."""
    place = {row.node: i for i, row in enumerate(rows)}
    return plan.table(place.get(i, 0) for i in range(len(plan.machine.nodes)))


def _write_fill(plan: Plan, rows: list[Numbering], most: int, seen: Observed | None) -> None:
    """(s, i, fresh): the decision that waits, its mask and what its seat sees; STOP, or FAULT.

    `fresh`: the menu of the last decision is still in the buffer.
    """
    mc = plan.machine
    b = plan.body("fill", (I32,) * 3, (I32,))
    block, f = Block(plan, b), Function(plan, b)
    node, branch, seat, row, k = (b.local() for _ in range(5))
    plan_menu = plan.function("menu", (I32, I32, I32))
    b.get(0)
    b.load(4 * m.PC)
    b.set(node)
    if mc.branches:
        b.get(0)
        b.load(4 * m.FORKED)
        b.when()
        b.i32(0)
        b.set(2)
        _first_waiting(plan, b, branch, node)
        b.end()
    block.row("branches", 1, 4)
    b.get(branch)
    b.store()
    block.row("nodes", 1, 4)
    b.get(node)
    b.store()
    b.get(2)
    b.op("i32.eqz")
    b.when()
    b.get(0)
    b.get(branch)
    b.i32(plan.menu_address)
    b.call(plan_menu)
    b.i32(0)
    b.op("i32.lt_s")
    b.when()
    b.i32(FAULT)
    b.op("return")
    b.end()
    b.end()
    block.row("masks", 1, row_bytes(most))
    b.set(row)
    b.get(node)
    f.look_up(_places(plan, rows))
    b.set(k)
    out = b.block(I32)
    _each_decision(b, rows, k)
    for each in rows:
        b.end()
        b.get(row)
        b.call(plan.function(f"mask {each.node}"))
        b.get(0)
        if mc.branches:
            b.get(branch)
            b.i32(0)
            b.call(plan.function("seat_at", (I32, I32, I32)))
        else:
            b.i32(0)
            b.call(plan.function(f"seat {each.node}", (I32, I32)))
        b.br(out)
    b.op("unreachable")
    b.end()
    b.tee(seat)
    b.i32(0)
    b.op("i32.lt_s")
    b.when()
    b.i32(FAULT)
    b.op("return")
    b.end()
    block.row("seats", 1, 4)
    b.get(seat)
    b.store()
    if seen is not None:
        b.get(0)
        b.get(seat)
        block.row("observations", 1, 4 * seen.size)
        b.call(plan.function("observe"))
    b.i32(STOP)


def _first_waiting(plan: Plan, b: Body, branch: int, node: int) -> None:
    mc = plan.machine
    found = b.block()
    for seat in range(mc.seats):
        base = mc.branches + 3 * seat
        b.i32(seat)
        b.set(branch)
        b.get(0)
        b.load(4 * base)
        b.set(node)
        b.get(0)
        b.load(4 * (base + 2))
        b.i32(m.WAITING)
        b.op("i32.eq")
        b.br_if(found)
    b.end()


def _write_clear(plan: Plan, most: int, seen: Observed | None) -> None:
    """(i): nothing waits in a match."""
    b = plan.body("clear_row", (I32,), ())
    block = Block(plan, b)
    for name in ("nodes", "seats"):
        block.row(name, 0, 4)
        b.i32(-1)
        b.store()
    rows = [("masks", row_bytes(most)), *([("observations", 4 * seen.size)] if seen is not None else [])]
    for name, size in rows:
        block.row(name, 0, size)
        b.i32(0)
        b.i32(size)
        b.fill()


def _write_apply(plan: Plan, rows: list[Numbering]) -> None:
    """(s, i, action): carries it out, and runs to the next stop; its code."""
    b = plan.body("apply", (I32,) * 3, (I32,))
    block, f = Block(plan, b), Function(plan, b)
    node, part, bit, k = (b.local() for _ in range(4))
    block.row("nodes", 1, 4)
    b.load()
    b.set(node)
    b.get(node)
    f.look_up(_places(plan, rows))
    b.set(k)
    out = b.block()
    _each_decision(b, rows, k)
    for each in rows:
        b.end()
        _decode(b, each, part, bit, out)
    b.end()
    b.get(0)
    block.row("branches", 1, 4)
    b.load()
    b.get(part)
    b.get(bit)
    b.call(plan.function("choose", (I32,) * 4))


def _decode(b: Body, row: Numbering, part: int, bit: int, out: Label) -> None:
    if row.passing is not None:
        b.i32(-1)
        b.set(part)
        b.get(2)
        b.i32(row.passing)
        b.op("i32.eq")
        b.br_if(out)
    for i in range(len(row.starts) - 1, -1, -1):
        b.i32(i)
        b.set(part)
        b.get(2)
        if row.starts[i]:
            b.i32(row.starts[i])
            b.op("i32.sub")
        b.tee(bit)
        b.i32(0)
        b.op("i32.ge_s")
        b.br_if(out)
    b.br(out)


# ---- one match goes on


def _write_finish(plan: Plan) -> None:
    """(s, i): the account of a match that is over; 0, or FAULT."""
    mc = plan.machine
    b = plan.body("finish", (I32, I32), (I32,))
    block = Block(plan, b)
    scores, won = b.local(), b.local()
    block.row("scores", 1, 4 * mc.seats)
    b.set(scores)
    for seat in range(mc.seats):
        b.get(0)
        b.i32(seat)
        b.call(plan.function("account", (I32, I32)))
        b.i32(FAULT)
        b.op("i32.eq")
        b.when()
        b.i32(FAULT)
        b.op("return")
        b.end()
        b.get(scores)
        b.i32(0)
        b.load(plan.seats_out + 4 * (len(mc.scores) + 1) * seat + 4 * len(mc.scores))
        b.store(4 * seat)
    b.get(0)
    b.load(4 * m.WINNERS)
    if mc.best != "none":
        b.tee(won)
        b.when(I32)
        b.get(won)
        b.otherwise()
        b.call(plan.function("best", ()))
        b.end()
    b.set(won)
    block.row("winners", 1, mc.seats)
    b.set(scores)
    for seat in range(mc.seats):
        b.get(scores)
        b.get(won)
        b.i32(seat)
        b.op("i32.shr_u")
        b.i32(1)
        b.op("i32.and")
        b.mem("i32.store8", seat)
    block.row("over", 1, 1)
    b.i32(1)
    b.mem("i32.store8")
    b.i32(0)


def _write_settle(plan: Plan) -> None:
    """(s, i, code, fresh, renews): what a match shows at the stop to which it came; its code in the batch."""
    b = plan.body("settle", (I32,) * 5, (I32,))
    block = Block(plan, b)
    b.get(2)
    b.i32(STOP)
    b.op("i32.eq")
    b.when()
    for local in (0, 1, 3):
        b.get(local)
    b.call(plan.function("fill"))
    b.tee(2)
    b.i32(STOP)
    b.op("i32.eq")
    b.when()
    _mark(block, 1, RUNNING)
    b.i32(RUNNING)
    b.op("return")
    b.end()
    b.end()
    b.get(2)
    b.i32(OVER)
    b.op("i32.eq")
    b.when()
    b.get(0)
    b.get(1)
    b.call(plan.function("finish"))
    b.op("i32.eqz")
    b.when()
    b.get(4)
    block.field("automatic")
    b.op("i32.and")
    b.when()
    b.get(0)
    b.get(1)
    b.call(plan.function("renew", (I32, I32)))
    b.op("return")
    b.end()
    _mark(block, 1, FINISHED)
    b.get(1)
    b.call(plan.function("clear_row"))
    b.i32(FINISHED)
    b.op("return")
    b.end()
    b.end()
    block.row("faults", 1, 20)
    b.i32(plan.record)
    b.i32(20)
    b.copy()
    block.row("over", 1, 1)
    b.i32(0)
    b.mem("i32.store8")
    _mark(block, 1, FAULTED)
    b.get(1)
    b.call(plan.function("clear_row"))
    b.i32(FAULTED)
    _write_renew(plan)


def _mark(block: Block, i: int, code: int) -> None:
    block.row("codes", i, 4)
    block.b.i32(code)
    block.b.store()


def _write_renew(plan: Plan) -> None:
    """(s, i): the match begins anew under the next fresh seed."""
    b = plan.body("renew", (I32, I32), (I32,))
    block = Block(plan, b)
    seed = b.local(I64)
    b.i32(0)
    b.mem("i64.load", plan.map["batch"])
    b.set(seed)
    b.i32(0)
    b.get(seed)
    b.i64(1)
    b.op("i64.add")
    b.mem("i64.store", plan.map["batch"])
    block.row("seeds", 1, 8)
    b.get(seed)
    b.mem("i64.store")
    _begun(plan, b, 1)


def _begun(plan: Plan, b: Body, i: int) -> None:
    """Leaves the code of a match at its first stop; its seed stands in its row."""
    block = Block(plan, b)
    s = b.local()
    block.state(i)
    b.tee(s)
    for offset in (0, 4):
        block.row("seeds", i, 8)
        b.load(offset)
    b.call(plan.function("begin"))
    b.get(s)
    b.get(i)
    b.get(s)
    b.i32(plan.machine.start)
    b.call(plan.function("advance", (I32, I32)))
    b.i32(1)
    b.i32(0)
    b.call(plan.function("settle", (I32,) * 5))


def _write_begin_match(plan: Plan) -> None:
    """(i): begins under the seed in its row."""
    b = plan.body("begin_match", (I32,), (I32,), export=True)
    block = Block(plan, b)
    block.row("over", 0, 1)
    b.i32(0)
    b.mem("i32.store8")
    _begun(plan, b, 0)


def _write_look(plan: Plan) -> None:
    """(i): what a match shows whose state was written from outside."""
    b = plan.body("look", (I32,), (I32,), export=True)
    block = Block(plan, b)
    s = b.local()
    block.row("over", 0, 1)
    b.i32(0)
    b.mem("i32.store8")
    block.state(0)
    b.set(s)
    b.get(s)
    b.get(0)
    b.i32(OVER)
    b.i32(STOP)
    b.get(s)
    b.load(4 * m.STATUS)
    b.op("select")
    b.i32(0)
    b.i32(0)
    b.call(plan.function("settle"))


def _write_clone(plan: Plan, most: int, seen: Observed | None) -> None:
    """(from, to): one match becomes the same as another in all its rows."""
    mc = plan.machine
    b = plan.body("clone", (I32, I32), (I32,), export=True)
    block = Block(plan, b)
    before = (STREAM * len(mc.streams) + 63) // 64 * 64
    for local in (1, 0):
        block.state(local)
        b.i32(before)
        b.op("i32.sub")
    b.i32(before + plan.state_bytes)
    b.copy()
    sizes = {"masks": row_bytes(most), "nodes": 4, "seats": 4, "codes": 4, "over": 1, "branches": 4}
    sizes |= {"scores": 4 * mc.seats, "winners": mc.seats, "faults": 20, "seeds": 8}
    if seen is not None:
        sizes["observations"] = 4 * seen.size
    for name, size in sizes.items():
        for local in (1, 0):
            block.row(name, local, size)
        b.i32(size)
        b.copy()
    b.i32(0)


def _write_observe_as(plan: Plan, seen: Observed) -> None:
    """(i, seat): what any seat sees of a match, in the row behind those of the matches."""
    b = plan.body("observe_as", (I32, I32), (I32,), export=True)
    block = Block(plan, b)
    behind = b.local()
    block.field("number")
    b.set(behind)
    block.state(0)
    b.get(1)
    block.row("observations", behind, 4 * seen.size)
    b.call(plan.function("observe"))
    b.i32(0)


# ---- steps


def _is_offered(block: Block, i: int, action: int, most: int) -> None:
    """Leaves whether the 64-bit number in a local is an action of a match that waits."""
    b = block.b
    b.get(action)
    b.i64(most)
    b.op("i64.ge_u")
    b.when(I32)
    b.i32(0)
    b.otherwise()
    block.row("masks", i, row_bytes(most))
    b.get(action)
    b.op("i32.wrap_i64", "i32.add")
    b.mem("i32.load8_u")
    b.end()


def _write_step(plan: Plan, most: int) -> None:
    """(): a choice is made in every match that waits; -1, or the first match whose choice is not offered."""
    b = plan.body("step", (), (I32,), export=True)
    block = Block(plan, b)
    i, action = b.local(), b.local(I64)
    for checking in (True, False):
        b.i32(0)
        b.set(i)
        out = b.block()
        again = b.loop()
        b.get(i)
        block.field("number")
        b.op("i32.ge_s")
        b.br_if(out)
        block.row("choices", i, 8)
        b.mem("i64.load")
        b.set(action)
        block.row("codes", i, 4)
        b.load()
        if checking:
            b.op("i32.eqz")
            b.when()
            _is_offered(block, i, action, most)
            b.op("i32.eqz")
            b.when()
            b.get(i)
            b.op("return")
            b.end()
            b.end()
        else:
            _advanced(plan, block, i, action)
        b.get(i)
        b.i32(1)
        b.op("i32.add")
        b.set(i)
        b.br(again)
        b.end()
        b.end()
    b.i32(-1)


def _advanced(plan: Plan, block: Block, i: int, action: int) -> None:
    """A match whose code is on the stack goes on, or begins anew if it is over and shall."""
    b = block.b
    with b.borrowed(I32, I32) as (code, s):
        b.tee(code)
        b.op("i32.eqz")
        b.when()
        block.row("over", i, 1)
        b.i32(0)
        b.mem("i32.store8")
        block.state(i)
        b.tee(s)
        b.get(i)
        b.get(s)
        b.get(i)
        b.get(action)
        b.op("i32.wrap_i64")
        b.call(plan.function("apply"))
        b.i32(1)
        b.i32(1)
        b.call(plan.function("settle"))
        b.op("drop")
        b.otherwise()
        b.get(code)
        b.i32(FINISHED)
        b.op("i32.eq")
        block.field("automatic")
        b.op("i32.and")
        b.when()
        block.row("over", i, 1)
        b.i32(0)
        b.mem("i32.store8")
        block.state(i)
        b.get(i)
        b.call(plan.function("renew"))
        b.op("drop")
        b.end()
        b.end()


def _write_step_one(plan: Plan, most: int) -> None:
    """(action): a choice in the first match; the seat that decides next, inverted, or why none does."""
    b = plan.body("step_one", (I32,), (I32,), export=True)
    block = Block(plan, b)
    i, s, action = b.local(), b.local(), b.local(I64)
    b.get(0)
    b.op("i64.extend_i32_u")
    b.set(action)
    _is_offered(block, i, action, most)
    b.op("i32.eqz")
    b.when()
    b.i32(REFUSED)
    b.op("return")
    b.end()
    b.i32(0)
    b.set(i)
    block.field("states")
    b.tee(s)
    b.get(i)
    b.get(s)
    b.get(i)
    b.get(0)
    b.call(plan.function("apply"))
    b.i32(1)
    b.i32(1)
    b.call(plan.function("settle"))
    _gone_on(block, 0)


def _write_begin_one(plan: Plan) -> None:
    """(low, high): the first match begins under a seed; like `step_one`."""
    b = plan.body("begin_one", (I32, I32), (I32,), export=True)
    block = Block(plan, b)
    i = b.local()
    for local, offset in ((0, 0), (1, 4)):
        block.field("seeds")
        b.get(local)
        b.store(offset)
    b.get(i)
    b.call(plan.function("begin_match"))
    _gone_on(block, 0)


def _gone_on(block: Block, code: int) -> None:
    """Leaves what a step of one match gives; its code is on the stack and goes to a local."""
    b = block.b
    b.tee(code)
    b.op("i32.eqz")
    b.when(I32)
    b.i32(-1)
    block.field("seats")
    b.load()
    b.op("i32.xor")
    b.otherwise()
    b.i32(BROKEN)
    b.i32(ENDED)
    b.get(code)
    b.i32(FAULTED)
    b.op("i32.eq", "select")
    b.end()
