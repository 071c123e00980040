"""A bot that takes every choice with equal chance."""

from __future__ import annotations

from array import array

from interpreter import ir
from interpreter.chance import below, stream_key
from interpreter.executor_protocol import Option, Waiting


def pick(seed: int, state: array[int], waiting: Waiting) -> Option:
    """One of the waiting options, each equally likely.

    Pure: the same seed, seat and number of decisions so far give the same pick, so a match that is
    resumed from its log goes on as it would have gone.
    """
    key = stream_key(seed, f"bot/{waiting.seat}")
    number, _ = below(len(waiting.options), state[ir.DECISIONS] << 32, key)
    return waiting.options[number]
