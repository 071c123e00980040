"""Everybody, in the order in which they are shown."""

from __future__ import annotations

from benchmarks.contestants.contestant import Contestant
from benchmarks.contestants.openspiel import PYTHON, ROLLOUTS
from benchmarks.contestants.ours import REFERENCE, WASM
from benchmarks.contestants.pettingzoo import PETTINGZOO
from benchmarks.contestants.pgx import MANY, ONE
from benchmarks.contestants.plain_c import PLAIN_C

LINEUP: tuple[Contestant, ...] = (WASM, REFERENCE, PLAIN_C, ROLLOUTS, PYTHON, PETTINGZOO, ONE, MANY)
