"""Frames: those that are laid on the stack, and those that are only thought of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from dsl.domains import NONE
from interpreter import machine as m
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.faults import TOO_DEEP
from interpreter.wasm.lower.changes.changes import Changes
from interpreter.wasm.lower.numbers.values import WIDE, Held, Known, Thought, Value


class Frames(Changes):
    """Adds frames, and the routines that cells may name."""

    # ---- frames that are only thought of

    @contextmanager
    def virtual(self, slots: Mapping[int, Value | Thought]) -> Iterator[None]:
        """Words of the frame are these values, and zero; nothing is written."""
        before = self.slots
        self.slots = Zeros(slots)
        yield
        self.slots = before

    @contextmanager
    def with_slot(self, slot: int, value: Value | Thought) -> Iterator[None]:
        before = self.slots
        self.slots = Zeros({**before, slot: value}) if isinstance(before, Zeros) else {**before, slot: value}
        yield
        self.slots = before

    # ---- frames on the stack

    def push_frame(
        self, number: int, routine: int, me: Value, actor: Value, arguments: list[Value], back: int
    ) -> None:
        """A new frame on top of the running one becomes the running one; `frame` stays."""
        b = self.b
        size = 4 * self.plan.size_at[number]
        if self.plan.recursive:
            self._check_depth(size, routine)
        with b.borrowed(I32) as (fp,):
            b.get(self.s)
            b.load(4 * m.FP)
            b.set(fp)
            words: list[tuple[int, Value]] = [
                (m.RETURN, Known(back)),
                (m.CALLER, Held(fp, WIDE)),
                (m.ME, me),
                (m.SELF, actor),
            ]
            words += [(m.FRAME + i, a) for i, a in enumerate(arguments)]
            for slot, value in words:
                b.get(self.frame)
                self.put(value)
                b.store(size + 4 * slot)
            b.get(self.s)
            b.get(fp)
            b.i32(self.plan.size_at[number])
            b.op("i32.add")
            b.store(4 * m.FP)

    def _check_depth(self, size: int, routine: int) -> None:
        """The frame's end must lie within the stack."""
        b, mc = self.b, self.mc
        b.get(self.frame)
        b.i32(size + 4 * mc.routines[routine].size)
        b.op("i32.add")
        b.get(self.s)
        b.op("i32.sub")
        if mc.branches:
            b.i32(4 * (mc.stack + mc.stack_size))
            b.get(self.s)
            b.load(4 * m.RUNNING)
            b.i32(4 * mc.branch_size)
            b.op("i32.mul")
            b.i32(4 * mc.branch_stack)
            b.op("i32.add")
            b.get(self.s)
            b.load(4 * m.RUNNING)
            b.op("i32.eqz", "select")
        else:
            b.i32(4 * (mc.stack + mc.stack_size))
        b.op("i32.gt_s")
        b.when()
        self.fault(TOO_DEEP, routine)
        b.end()

    def pop_frame(self, number: int, arguments: int) -> None:
        """The frame that was pushed last is gone; the words that pushing wrote are zero."""
        b = self.b
        self.zero(self.frame, 4 * self.plan.size_at[number], m.FRAME + arguments)
        b.get(self.s)
        b.get(self.s)
        b.load(4 * m.FP)
        b.i32(self.plan.size_at[number])
        b.op("i32.sub")
        b.store(4 * m.FP)

    # ---- what runs in them

    def region_function(self, target: int) -> int:
        """The function that runs a node's region: state and leader to a code or node."""
        return self.plan.function(f"region {self.plan.region_of[target]}", (I32, I32))

    def each_cell(self, cell: m.Expr, one: Callable[[int, list[Value]], None], taking: bool = False) -> None:
        """Emits `one` for each routine and number of arguments that a cell may name; none does nothing.

        `taking`: it is carried out, and not only offered.
        """
        b = self.b
        cells = self.mc.cells
        known = self.constant(cell)
        if known is not None:
            if known != NONE:
                one(cells[known][0], [Known(a) for a in cells[known][1]])
            return
        kinds = list(dict.fromkeys((r, len(a)) for r, a in cells))
        most = max((k for _, k in kinds), default=0)
        with b.borrowed(I32) as (c,):
            self.taking = taking
            self.num(cell)
            self.taking = False
            b.tee(c)
            b.i32(NONE)
            b.op("i32.ne")
            b.when()
            tables = [self.plan.table(a[i] if i < len(a) else 0 for _, a in cells) for i in range(most)]
            kind_of = self.plan.table(kinds.index((r, len(a))) for r, a in cells)
            arguments: list[Value] = []
            for i, table in enumerate(tables):
                local = b.local()
                b.get(c)
                self.look_up(table)
                b.set(local)
                given = [a[i] for _, a in cells if i < len(a)]
                arguments.append(Held(local, (min(given), max(given))))
            out = b.block()
            labels = [b.block() for _ in kinds]
            b.get(c)
            self.look_up(kind_of)
            b.br_table(labels[::-1], labels[-1])
            for routine, given_ in kinds:
                b.end()
                one(routine, arguments[:given_])
                b.br(out)
            b.end()
            self.drop(*arguments)
            b.end()


class Zeros(dict[int, Value | Thought]):
    """Words of a frame that is only thought of: those not named are zero."""

    def __contains__(self, key: object) -> bool:
        return True

    def __missing__(self, key: int) -> Value | Thought:
        return Known(0)

    def get(self, key: int, default: object = None) -> Value | Thought:
        return self[key]
