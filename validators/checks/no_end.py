"""Reachable places from which the game cannot end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import networkx as nx

from dsl.diagnostics import Severity
from interpreter.ir.cfg import FLOW
from validators.check import Check, CheckContext, Finding
from validators.flow.graph import Flow
from validators.flow.path_text import first_by_name, path_labels


@dataclass(frozen=True)
class NoEnd(Finding):
    """From a reachable place, no path leads to an end of the game.

    A game ends in a phase with `score`, by `wins`, or by `end the game`. None of these is reachable
    from here: the match continues until `longest` stops it with an error.

    Example:

        flow:
          turn: {seat: rotates, do: [...], then: turn}     # and no line uses `wins`
          final: {score: highest}

    Lead the phase to one that scores, under the condition that ends the game.
    """

    code = "V303"
    slug = "no-end"
    severity = Severity.ERROR
    title = "from `{about}` on, the game cannot end"
    label = "no path leads from here to an end"
    advice = "lead its `then` to a phase that scores, or use `wins`"


def find(subject: CheckContext) -> Iterator[Finding]:
    for flow, number, name in first_by_name(subject.flows, _first):
        yield NoEnd(flow.span(number), name, path_labels(flow, flow.path_to(number)))


def _first(flow: Flow) -> int | None:
    """The nearest node from which the game cannot end, though there are decisions.

    Where there are no more decisions, `nobody_asked` reports it.
    """
    left = [i for i in flow.last_edges if i not in flow.ending and i in flow.stopping]
    parts = nx.strongly_connected_components(flow.within(FLOW).subgraph(left))
    goes_round = any(len(part) > 1 for part in parts) or flow.reached <= flow.stopping
    return left[0] if left and goes_round else None


CHECK = Check(NoEnd, find)
