"""A bot that chooses uniformly at random."""

from __future__ import annotations

from array import array

from interpreter import ir
from interpreter.chance import below, stream_key
from interpreter.executor_protocol import Option, Waiting


def pick(seed: int, state: array[int], waiting: Waiting) -> Option:
    """One of the waiting options, chosen uniformly.

    It depends only on the seed, the seat and the number of decisions so far, so a match that is resumed
    from its log continues as it would have.
    """
    key = stream_key(seed, f"bot/{waiting.seat}")
    number, _ = below(len(waiting.options), state[ir.DECISIONS] << 32, key)
    return waiting.options[number]
