"""Loops of the machine without decisions."""

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
class NobodyAsked(Finding):
    """From a reachable place, there is no further decision, no further chance event, and no end.

    The referee would loop and stop with R209. Usually two phases lead to each other and neither offers
    anything, or a phase leads to itself.

    Example:

        flow:
          morning: {then: evening}
          evening: {then: morning}

    Add a decision to the loop, or a way out of it.
    """

    code = "V306"
    slug = "nobody-asked"
    severity = Severity.ERROR
    title = "from `{about}` on, there are no decisions and no end"
    label = "the loop is here"
    advice = "offer something in the loop, or lead to the end"


def find(subject: CheckContext) -> Iterator[Finding]:
    for flow, number, name in first_by_name(subject.flows, _first):
        yield NobodyAsked(flow.span(number), name, path_labels(flow, flow.path_to(number)))


def _first(flow: Flow) -> int | None:
    """The nearest node from which nothing stops, preferably one of a cycle."""
    left = [i for i in flow.last_edges if i not in flow.stopping]
    components = nx.strongly_connected_components(flow.within(FLOW).subgraph(left))
    looping = {i for part in components if len(part) > 1 for i in part}
    return next((i for i in left if i in looping), left[0] if left else None)


CHECK = Check(NobodyAsked, find)
