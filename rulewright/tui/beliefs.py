"""What a seat may believe, as lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.beliefs.beliefs import Beliefs
from rulewright.presentation.beliefs import hidden_chances, viewer_name

MOST_SHOWN = 60
"""How many pieces or values are listed of one place."""


def beliefs_lines(beliefs: Beliefs) -> Iterator[str]:
    """How exact it is; then for each hidden place and value what may be there, the likeliest first."""
    yield f"what {viewer_name(beliefs)} may believe ({beliefs.exactness}):"
    hidden = hidden_chances(beliefs)
    if not hidden:
        yield "  nothing is hidden"
    for address, chances in hidden.items():
        yield f"  {address}:"
        shown = sorted(chances.items(), key=lambda one: -one[1].chance)[:MOST_SHOWN]
        width = max(len(name) for name, _ in shown)
        yield from (f"    {name:<{width}}  {estimate}" for name, estimate in shown)
