"""Where the words of frames lie: in the state, in locals, or in locals that are saved at every stop."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from interpreter import ir
from interpreter.wasm.emit.operands import STACK, Operand, Variable, const
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.playout_cfg import CfgPoint, Context
from interpreter.wasm.lower.values import Constant, InLocal, Value

FrameRows = list[tuple[int, int]]
"""The first and the number of the words of a frame that hold collections."""


class InMemory:
    """Frames on the stack of the state. `FunctionContext.frame` is the address of the running one."""

    def __init__(self, fx: FunctionContext) -> None:
        self.fx = fx

    def word(self, slot: int) -> Operand:
        return self.fx.frame.load(4 * slot)

    @contextmanager
    def slot(self, slot: int) -> Iterator[None]:
        self.fx.b.push(self.fx.frame)
        yield
        self.fx.b.write(STACK, STACK, 4 * slot)

    def row(self, slot: int) -> Operand:
        return self.fx.frame + 4 * slot if slot else self.fx.frame

    def clear_slots(self, first: int, last: int) -> None:
        self.fx.zero(self.fx.frame, 4 * first, last - first)


@dataclass
class Cursor:
    """The point that is being lowered: control moves it, frames read it."""

    point: CfgPoint


class InLocals:
    """Frames whose words are locals of one function; rows that are indexed lie in memory of their own.

    `words` and `rows` hold, for each context, the value of each word and the address of each row.
    """

    def __init__(
        self,
        fx: FunctionContext,
        cursor: Cursor,
        words: list[dict[int, Value]],
        rows: list[dict[int, int]],
    ) -> None:
        self.fx, self.cursor, self.words, self.rows = fx, cursor, words, rows

    def word(self, slot: int) -> Operand:
        return self.words[self.cursor.point[0]][slot].operand

    @contextmanager
    def slot(self, slot: int) -> Iterator[None]:
        yield
        word = self.words[self.cursor.point[0]][slot]
        assert isinstance(word, InLocal)
        self.fx.b.assign(word.operand, STACK)

    def row(self, slot: int) -> Operand:
        return const(self.rows[self.cursor.point[0]][slot])

    def clear_slots(self, first: int, last: int) -> None:
        words = self.words[self.cursor.point[0]]
        for slot in range(first, last):
            word = words.get(slot)
            if isinstance(word, InLocal):
                self.fx.b.assign(word.operand, 0)

    def clear_frame(self, context: int) -> None:
        """Sets all words of a frame to zero."""
        for word in self.words[context].values():
            assert isinstance(word, InLocal)
            self.fx.b.assign(word.operand, 0)

    def fill_frame(self, context: int, values: dict[int, Value]) -> None:
        """The words of a new frame: those given, the others zero."""
        for slot, word in self.words[context].items():
            assert isinstance(word, InLocal)
            self.fx.b.assign(word.operand, values.get(slot, Constant(0)).operand)


class SavedAtStops(InLocals):
    """Frames in locals that go to the stack of the state at a stop, and come back from there.

    Rows lie in the state. `spread` holds those of each context. A word that shares its slot with a row, as
    parts of a routine may that do not run at the same time, lies in the state too: what is saved at a stop
    does not depend on which of the two is in use.

    `deciding` are the contexts in which a decision is made: no other frame is ever saved. So at a stop only
    their words can be left from the stop before; rows are cleared when their routine returns.
    """

    def __init__(
        self,
        fx: FunctionContext,
        cursor: Cursor,
        words: list[dict[int, Value]],
        rows: list[dict[int, int]],
        contexts: list[Context],
        spread: list[FrameRows],
        deciding: set[int],
    ) -> None:
        apart = [_without(found, spread[context]) for context, found in enumerate(words)]
        super().__init__(fx, cursor, apart, rows)
        self.contexts, self.spread, self.deciding = contexts, spread, deciding

    # ---- the running frame

    def word(self, slot: int) -> Operand:
        if slot in self.words[self.cursor.point[0]]:
            return super().word(slot)
        return self.row(slot).load()

    @contextmanager
    def slot(self, slot: int) -> Iterator[None]:
        if slot in self.words[self.cursor.point[0]]:
            with super().slot(slot):
                yield
            return
        self.fx.b.push(self.row(slot))
        yield
        self.fx.b.write(STACK, STACK)

    def row(self, slot: int) -> Operand:
        return self.fx.b.state + 4 * (self.base(self.cursor.point[0]) + slot)

    def clear_slots(self, first: int, last: int) -> None:
        super().clear_slots(first, last)
        context = self.cursor.point[0]
        for start, n in self.spread[context]:
            low, high = max(first, start), min(last, start + n)
            if low < high:
                self.fx.zero(self.fx.b.state, 4 * (self.base(context) + low), high - low)

    def clear_frame(self, context: int) -> None:
        super().clear_frame(context)
        self.clear_rows(context)

    def fill_frame(self, context: int, values: dict[int, Value]) -> None:
        super().fill_frame(context, values)
        self.clear_rows(context)

    def clear_rows(self, context: int) -> None:
        """Sets the rows of a frame to zero."""
        for first, n in self.spread[context]:
            self.fx.zero(self.fx.b.state, 4 * (self.base(context) + first), n)

    # ---- the stack of the state

    def base(self, context: int) -> int:
        """Where the frame of a context lies in the state, in words."""
        back = self.contexts[context].back
        if back is None:
            return self.fx.mc.stack
        return self.base(back[0]) + self.contexts[back[0]].size

    def load(self) -> None:
        """The frames of the point come from the stack."""
        b = self.fx.b
        for context in self._chain():
            for at, local in self._saved_words(context):
                b.assign(local, b.state.load(4 * at))

    def save(self) -> None:
        """The frames of the point go to the stack, and nothing lies above them."""
        b = self.fx.b
        for context in self._chain():
            for at, local in self._saved_words(context):
                b.write(b.state, local, 4 * at)
            back = self.contexts[context].back
            if back is not None:
                base = self.base(context)
                for slot, value in ((ir.RETURN, back[1]), (ir.CALLER, self.base(back[0]))):
                    b.write(b.state, value, 4 * (base + slot))
        context = self.cursor.point[0]
        self._clear(self.base(context) + self.contexts[context].size, self.deciding)

    def clear_all(self) -> None:
        """Sets the whole stack to zero."""
        self._clear(self.fx.mc.stack, range(len(self.contexts)))

    def _clear(self, first: int, contexts: Iterable[int]) -> None:
        """Sets the stack to zero from a word on, as far as the frames of some contexts reach."""
        last = max((self.base(i) + self.contexts[i].size for i in contexts), default=first)
        self.fx.zero(self.fx.b.state, 4 * first, last - first)

    def _chain(self) -> Iterator[int]:
        """The contexts of the point, its own first."""
        context = self.cursor.point[0]
        while True:
            yield context
            back = self.contexts[context].back
            if back is None:
                return
            context = back[0]

    def _saved_words(self, context: int) -> Iterator[tuple[int, Variable]]:
        """The words of a frame that are locals: their place in the state, and the local."""
        base = self.base(context)
        for slot, word in self.words[context].items():
            assert isinstance(word, InLocal)
            yield base + slot, word.operand


def _without(words: dict[int, Value], rows: FrameRows) -> dict[int, Value]:
    """The words that lie in no row."""
    return {
        slot: word for slot, word in words.items() if not any(first <= slot < first + n for first, n in rows)
    }
