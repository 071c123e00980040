"""Fuzzer of times: the texts of `sizes.py`, measured by the time of the processor. For quiet computers."""

from __future__ import annotations

import gc
from random import Random
from time import process_time

from tests.fuzz import sizes
from tests.fuzz.inputs import Input
from tests.fuzz.readers import Reader

NAME = "times"


def make(pick: Random) -> Input:
    """Parts drawn at random, or one of the shapes that a test of calls tries with each reader."""
    if pick.random() < 0.5:
        return Input(NAME, pick.choice(SHAPES).said)
    return sizes.made(NAME, pick)


def run(tried: Input) -> str:
    return sizes.judged(tried, SECONDS)


def _seconds(reader: Reader, text: str) -> tuple[float, str]:
    gc.collect()
    gc.disable()
    began = process_time()
    try:
        stage = sizes.read_anew(reader, text)
    finally:
        gc.enable()
    return process_time() - began, stage


SHAPES = list(sizes.grid())
SECONDS = sizes.Measure("s", _seconds, floor=0.2, enough=1.5, again=3, longest=10.0)
