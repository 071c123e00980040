"""Functions that note to which place of the rules their instructions belong.

They emit the same instructions as any other: only the marks beside them are more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from interpreter.wasm.emit.body import Body
from interpreter.wasm.emit.marked_body import Here, MarkedBody, Marks
from interpreter.wasm.emit.module_builder import ModuleBuilder
from interpreter.wasm.lower.context import FunctionContext, LoweringTable

F = TypeVar("F", bound=Callable[..., Any])


class LocatedContext(FunctionContext):
    """The context of a function with marks."""

    b: MarkedBody

    def __init__(self, builder: ModuleBuilder, body: Body, lowering: LoweringTable) -> None:
        assert isinstance(body, MarkedBody)
        super().__init__(builder, body, lowering)

    def enter(self, number: int) -> None:
        self.resume(number)
        self.b.enter(number)

    def resume(self, number: int) -> None:
        self.node = number
        self.b.mark(Here(self.mc.nodes[number].span, self.offering))

    def note_trial(self, words: int = 0) -> None:
        self.resume(self.node)
        self.b.begin_trial(words)


def located(table: LoweringTable, marks: Marks) -> LoweringTable:
    """The same functions, each of which marks what it emits for a part whose place is known."""

    def marking(lower: F) -> F:
        def within(fx: FunctionContext, part: object, *rest: object) -> object:
            span = marks.spans.get(id(part))
            if span is None:
                return lower(fx, part, *rest)
            assert isinstance(fx, LocatedContext)
            before = fx.b.here
            fx.b.mark(Here(span, fx.offering))
            if before.span is not span and not _is_at_hand(fx, part):
                fx.b.enter(span)
            found = lower(fx, part, *rest)
            fx.b.mark(before)
            return found

        return within  # type: ignore[return-value]

    return replace(
        table,
        num=marking(table.num),
        keep=marking(table.keep),
        each=marking(table.each),
        size=marking(table.size),
        source_bits=marking(table.source_bits),
    )


def _is_at_hand(fx: FunctionContext, part: Any) -> bool:
    """Whether an expression may have been evaluated before, and is then not evaluated again."""
    return id(part) in fx.hoisted or (bool(fx.common) and part in fx.common)
