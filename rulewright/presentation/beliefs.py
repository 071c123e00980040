"""What a seat may believe, as JSON and by its parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from interpreter.beliefs.beliefs import Beliefs
from interpreter.beliefs.estimates import Estimate


def beliefs_json(beliefs: Beliefs) -> dict[str, object]:
    """What a seat may believe, for programs."""
    return {
        "seat": viewer_name(beliefs),
        "exactness": asdict(beliefs.exactness),
        "hidden": {
            address: {name: asdict(estimate) for name, estimate in chances.items()}
            for address, chances in hidden_chances(beliefs).items()
        },
    }


def viewer_name(beliefs: Beliefs) -> str:
    """A seat by its name, or a spectator."""
    seat = beliefs.log.seat
    return beliefs.game.names.seat(seat) if seat >= 0 else "a spectator"


def hidden_chances(beliefs: Beliefs) -> dict[str, Mapping[str, Estimate]]:
    """For each hidden place and value what may be there, with its chance."""
    found: dict[str, Mapping[str, Estimate]] = {place: beliefs.pieces(place) for place in beliefs.unseen()}
    return found | {address: beliefs.value(address) for address in beliefs.unread()}
