"""What a seat may believe, as lines of text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict

from interpreter.beliefs.beliefs import Beliefs
from interpreter.beliefs.estimates import Estimate

MOST_SHOWN = 60
"""How many pieces or values are listed of one place."""


def beliefs_lines(beliefs: Beliefs) -> Iterator[str]:
    """How exact it is; then for each hidden place and value what may be there, the likeliest first."""
    yield f"what {_viewer(beliefs)} may believe ({beliefs.exactness}):"
    hidden = _hidden(beliefs)
    if not hidden:
        yield "  nothing is hidden"
    for address, chances in hidden.items():
        yield f"  {address}:"
        shown = sorted(chances.items(), key=lambda one: -one[1].chance)[:MOST_SHOWN]
        width = max(len(name) for name, _ in shown)
        yield from (f"    {name:<{width}}  {estimate}" for name, estimate in shown)


def beliefs_json(beliefs: Beliefs) -> dict[str, object]:
    """The same for programs."""
    return {
        "seat": _viewer(beliefs),
        "exactness": asdict(beliefs.exactness),
        "hidden": {
            address: {name: asdict(estimate) for name, estimate in chances.items()}
            for address, chances in _hidden(beliefs).items()
        },
    }


def _viewer(beliefs: Beliefs) -> str:
    seat = beliefs.log.seat
    return beliefs.game.names.seat(seat) if seat >= 0 else "a spectator"


def _hidden(beliefs: Beliefs) -> dict[str, Mapping[str, Estimate]]:
    found: dict[str, Mapping[str, Estimate]] = {place: beliefs.pieces(place) for place in beliefs.unseen()}
    return found | {address: beliefs.value(address) for address in beliefs.unread()}
