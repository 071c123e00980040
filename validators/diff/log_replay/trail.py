"""The trail of a run: which nodes were executed, and how many events preceded each."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from contextlib import contextmanager

from interpreter.reference.closures import NodeFn
from interpreter.reference.context import RunContext
from interpreter.reference.executor import ReferenceExecutor

Trail = list[tuple[int, int]]
"""Nodes in the order of execution, each with the number of events before it."""


@contextmanager
def trailing(executor: ReferenceExecutor) -> Iterator[Trail]:
    """Records every node that the executor runs within the context, except in trials."""
    trail: Trail = []
    loop = executor.loop
    plain = loop.nodes
    loop.nodes = [_noting(trail, executor.context, number, run) for number, run in enumerate(plain)]
    try:
        yield trail
    finally:
        loop.nodes = plain


def _noting(trail: Trail, context: RunContext, number: int, run: NodeFn) -> NodeFn:
    def noted(s: array[int]) -> int:
        if not context.trial and context.sink is not None:
            trail.append((number, len(context.sink)))
        return run(s)

    return noted
