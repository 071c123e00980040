"""`python -m benchmarks.pig_playouts`: what the tree search loses in Pig by the playouts that it makes.

The search is that of `tests/reference_tree.py`, written in C for Pig alone (`c/pig_search.c`), so
that its playouts may throw as often as one likes, learn when to throw, or play the exact policy, and that
choices may be compared by common random numbers. At each position of matches
between exact policies it says how much less likely a win is by its choice than by the best one. What that
comes to in a match is what it loses. Playouts of the exact policy are a bound of what better ones can bring.
"""

from __future__ import annotations

import ctypes
import math

import click
import numpy as np

from benchmarks.contestants.contestant import Unavailable
from benchmarks.contestants.plain_c import compiled
from benchmarks.exact_pig import chances
from benchmarks.strength import Z

EXACT = -1.0


class Settings(ctypes.Structure):
    """`Settings` of c/pig_search.c."""

    _fields_ = (
        ("throwing", ctypes.c_double),
        ("margin", ctypes.c_double),
        ("trace", ctypes.c_double),
        ("iterations", ctypes.c_int),
        ("playouts", ctypes.c_int),
        ("learning", ctypes.c_int),
        ("common", ctypes.c_int),
    )


def lost(settings: Settings, matches: int, seed: int) -> list[float]:
    """What a search loses in each match, as a share of the win. Raises `Unavailable` without gcc."""
    run = ctypes.CDLL(str(compiled("pig_search"))).pig_search
    table, found = np.ascontiguousarray(chances()), (ctypes.c_double * matches)()
    at = table.ctypes.data_as(ctypes.POINTER(ctypes.c_double))
    run(at, ctypes.byref(settings), matches, ctypes.c_uint64(seed), found)
    return list(found)


@click.command()
@click.option("--throw", "throwing", default=0.5, show_default=True, type=click.FloatRange(0.1, 1.0))
@click.option("--exact", is_flag=True, help="Playouts of the exact policy.")
@click.option("--learn", default=0, type=click.IntRange(min=0), help="So many iterations learn to play on.")
@click.option("--common", is_flag=True, help="Common random numbers for the choices of the root.")
@click.option("--playouts", default=1, show_default=True, type=click.IntRange(1, 64), help="In an iteration.")
@click.option("--margin", default=0.1, show_default=True, type=click.FloatRange(0.0, 1.0))
@click.option("--trace", default=0.8, show_default=True, type=click.FloatRange(0.0, 1.0))
@click.option("--iterations", default=10_000, show_default=True, type=click.IntRange(4, 4_000_000))
@click.option("-n", "--matches", default=16, show_default=True, type=click.IntRange(min=2))
@click.option("--seed", default=0, show_default=True, type=click.IntRange(min=0))
def main(
    throwing: float,
    exact: bool,
    learn: int,
    common: bool,
    playouts: int,
    margin: float,
    trace: float,
    iterations: int,
    matches: int,
    seed: int,
) -> None:
    """Search the positions of matches, and say what share of the wins such playouts have."""
    if learn > iterations - 4:
        raise click.UsageError("--learn leaves no iterations to search")
    throwing = EXACT if exact else throwing
    try:
        found = lost(Settings(throwing, margin, trace, iterations, playouts, learn, common), matches, seed)
    except Unavailable as error:
        raise click.ClickException(str(error)) from error
    mean = sum(found) / matches
    spread = Z * math.sqrt(sum((x - mean) ** 2 for x in found) / (matches - 1) / matches)
    kind = "by the exact policy" if exact else f"that throw with probability {throwing:g}"
    kind = f"learned in {learn}" if learn else kind
    share = f"{0.5 - mean:.2%} of the wins ({0.5 - mean - spread:.2%} to {0.5 - mean + spread:.2%})"
    click.echo(f"pig: {iterations} iterations, playouts {kind}: {share}")


if __name__ == "__main__":
    main()
