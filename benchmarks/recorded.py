"""What peers were once measured at that the benchmarks do not install: recorded, not measured in a run.

Playouts a second, uniformly random, one thread; medians of five or more interleaved runs after a warm-up, on
two cores of a Xeon at 2.5 GHz with gcc 12. RBG is Regular Boardgames compiled to C++ by its own compiler. C
with bit boards was written by hand for the purpose. As machines differ, only ratios within a line mean
something.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Recorded:
    """Playouts a second at one game; nothing where there was no such program."""

    openspiel: float
    plain_c: float | None = None
    bit_boards: float | None = None
    rbg: float | None = None


RECORDED = {
    "tic_tac_toe": Recorded(206_000, 2_830_000, 34_600_000, 1_030_000),
    "connect_four": Recorded(24_700, 652_000, 5_810_000, 332_000),
    "breakthrough": Recorded(5_640, 59_400, 1_275_000, 12_600),
    "hex": Recorded(5_720, None, 206_000, 8_300),
    "othello": Recorded(692, None, None, 9_100),
    "nine_mens_morris": Recorded(6_620, None, None, 14_800),
    "pig": Recorded(25_200, None, 1_226_000, None),
}
"""By our names of the games."""


def by(left: float | None, right: float | None) -> float | None:
    return None if left is None or right is None else left / right
