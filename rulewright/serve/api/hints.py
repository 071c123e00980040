"""The HTTP API of hints: what a search thinks of one's choices, from what one's seat knows."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from interpreter.bots.search import Thought, Thoughts
from rulewright.http.errors import ApiError
from rulewright.serve.api.bodies import fields_of
from rulewright.serve.api.matches import visited
from rulewright.serve.games.catalogue import MOST_SEATS

SHOWN = 5
"""The most choices that are told."""


async def asked(request: Request) -> Response:
    """`POST /api/matches/ID/hint`"""
    found, fields = await visited(request), await fields_of(request)
    seat = found.holder_of(fields.whole("seat", 0, MOST_SEATS)).seat
    found.context.rates.check("documents", request)
    thoughts = await found.context.service.hint(found.live.row.id, seat)
    if thoughts is None:
        raise ApiError("not-now", "there are no hints in this match, or not now")
    await found.context.playtests.note(found.live, seat, "hint", {})
    return JSONResponse(hint_json(thoughts))


def hint_json(thoughts: Thoughts) -> dict[str, Any]:
    """What a search thinks: the best choices, and on how much that rests."""
    return {
        "choices": [_choice(thought) for thought in thoughts.choices[:SHOWN]],
        "more": max(0, len(thoughts.choices) - SHOWN),
        "iterations": thoughts.iterations,
        "worlds": thoughts.worlds,
        "solved": thoughts.solved,
    }


def _choice(thought: Thought) -> dict[str, Any]:
    proof = {"result": thought.proof.result, "choices": thought.proof.choices} if thought.proof else None
    return {"words": thought.choice.text, "tried": thought.visits, "value": thought.value, "proof": proof}
