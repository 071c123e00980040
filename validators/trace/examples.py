"""The numbers of scenarios, with which those of examples in the rulebook are compared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import assert_never

from dsl.document import Mapping, Node, Scalar, Sequence
from validators.scenarios.scenario import Scenario

NUMERAL = re.compile(r"(?<!\w)[0-9]{1,12}(?!\w)")


def numbers_told(scenarios: Iterable[Scenario]) -> frozenset[int]:
    """All numbers in the positions, outcomes, choices and expectations of some scenarios."""
    texts = (text for scenario in scenarios for text in _texts(scenario))
    return frozenset(int(found[0]) for text in texts for found in NUMERAL.finditer(text))


def _texts(scenario: Scenario) -> Iterator[str]:
    assert isinstance(scenario.node, Mapping)
    for key, value in scenario.node.pairs:
        if key.text in ("given", "chance", "when", "then"):
            yield from _of_node(value)


def _of_node(node: Node) -> Iterator[str]:
    match node:
        case Scalar(text):
            yield text
        case Sequence(items):
            for item in items:
                yield from _of_node(item)
        case Mapping(pairs):
            for key, value in pairs:
                if key.text != "because":
                    yield key.text
                    yield from _of_node(value)
        case _:
            assert_never(node)
