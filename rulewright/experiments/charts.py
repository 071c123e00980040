"""Pictures of an analysis as values: rows with intervals, histograms, curves. Templates draw them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from validators.experiments.statistics import Interval

MOST_BARS = 40
MOST_UNDER_ONE_SCALE = 12
"""The most rows for which it is enough to have the scale above them."""
TICKS = 7
"""About how many values stand below a histogram."""
NICE = (1, 2, 5, 10)
STEPS = 5
"""The most steps of the grid behind a curve."""
QUARTERS = 4
"""The steps of a grid between ends that are given."""
BARS_OF_FEW = 5
"""How many bars a histogram of the fewest values has at most; more values have more."""


@dataclass(frozen=True)
class Row:
    """A labelled interval. `flag` marks it, `note` stands behind the numbers, `group` says its colour."""

    label: str
    interval: Interval
    text: str
    note: str = ""
    flag: str = ""
    group: int = 0


@dataclass(frozen=True)
class IntervalChart:
    """Rows with intervals on one scale. `zero` is where a line stands, if one does."""

    rows: tuple[Row, ...]
    low: float
    high: float
    zero: float | None
    ticks: tuple[tuple[float, str], ...]

    @property
    def long(self) -> bool:
        """Whether the scale is worth repeating below the rows."""
        return len(self.rows) > MOST_UNDER_ONE_SCALE

    def at(self, value: float) -> float:
        """Where a value stands, in percent of the width."""
        return round(100 * (min(max(value, self.low), self.high) - self.low) / (self.high - self.low), 2)


def interval_chart(
    rows: Iterable[Row],
    zero: float | None = None,
    unit: str = "",
    within: tuple[float, float] | None = None,
    beside: Iterable[Row] = (),
) -> IntervalChart:
    """A chart that holds all its rows and the line; its scale holds those of charts beside it, too."""
    shown = tuple(rows)
    scaled = (*shown, *beside)
    values = [v for row in scaled for v in (row.interval.low, row.interval.high) if math.isfinite(v)]
    values += [zero] if zero is not None else []
    low, high = min(values, default=0.0), max(values, default=1.0)
    if within is not None:
        low, high = max(low, within[0]), min(high, within[1])
    room = max((high - low) * 0.06, 1e-9)
    low, high = low - room, high + room
    step = nice((high - low) / 6)
    first = math.ceil(low / step)
    ticks = tuple(
        (k * step, f"{k * step:z.{_digits(step)}f}{unit}") for k in range(first, math.floor(high / step) + 1)
    )
    return IntervalChart(shown, low, high, zero, ticks)


def nice(step: float) -> float:
    """A round number that is at least as large: 1, 2 or 5 by a power of ten."""
    base = 10.0 ** math.floor(math.log10(step))
    return next(base * factor for factor in NICE if base * factor >= step * (1 - 1e-9))


def _digits(step: float) -> int:
    return max(0, -math.floor(math.log10(step) + 1e-9))


# ---- histograms


@dataclass(frozen=True)
class Bar:
    """The part of all from `low` to `high`, both included; `height` is in percent of the highest bar."""

    low: int
    high: int
    part: float
    height: float

    @property
    def text(self) -> str:
        span = str(self.low) if self.low == self.high else f"{self.low} to {self.high}"
        return f"{span}: {100 * self.part:.1f} %"


@dataclass(frozen=True)
class Histogram:
    """Bars of one width, from the least to the greatest value."""

    bars: tuple[Bar, ...]
    label: str = ""
    group: int = 0

    @property
    def ends(self) -> tuple[int, int]:
        return self.bars[0].low, self.bars[-1].high

    @property
    def highest(self) -> str:
        """The part that the highest bar stands for."""
        return f"{100 * max(bar.part for bar in self.bars):.0f} %"

    @property
    def ticks(self) -> tuple[tuple[float, str], ...]:
        """Round values, by place in percent of the width; a value alone is below the middle of its bar."""
        low, high = self.ends
        step = max(1, round(nice((high - low + 1) / TICKS)))
        values = range(-(-low // step) * step, high + 1, step)
        span = high - low + 1
        return tuple((round(100 * (value - low + 0.5) / span, 1), str(value)) for value in values)


def histogram(
    counts: Mapping[int, int], label: str = "", group: int = 0, within: tuple[int, int] | None = None
) -> Histogram | None:
    """Counted values in at most `MOST_BARS` bars; none for no values. `within` are the ends of the scale.

    Few values have few bars: about twice the root of their number.
    """
    if not counts:
        return None
    low, high = within or (min(counts), max(counts))
    most = min(MOST_BARS, max(BARS_OF_FEW, math.isqrt(4 * sum(counts.values()))))
    size = max(1, math.ceil((high - low + 1) / most))
    number = math.ceil((high - low + 1) / size)
    sums = [0] * number
    for value, times in counts.items():
        sums[(value - low) // size] += times
    whole, most = sum(sums), max(sums)
    bars = (
        Bar(low + i * size, low + (i + 1) * size - 1, n / whole, 100 * n / most) for i, n in enumerate(sums)
    )
    return Histogram(tuple(bars), label, group)


# ---- curves


@dataclass(frozen=True)
class Curve:
    """Estimates with intervals at rising places from 0 to 100, in a box of 100 by 100 for an SVG."""

    line: str
    band: str
    low: float
    high: float
    unit: str
    steps: int
    even: float | None = None
    """How far below the top a line for an even share stands, if one does."""

    @property
    def labels(self) -> tuple[str, ...]:
        """What stands beside the lines of the grid, from the top to the bottom."""
        step = (self.high - self.low) / self.steps
        return tuple(f"{self.low + k * step:.4g}{self.unit}" for k in range(self.steps, -1, -1))

    @property
    def grid(self) -> str:
        """The lines of the grid as the path of an SVG."""
        return "".join(f"M0 {100 * k / self.steps:g}H100" for k in range(self.steps + 1))


def curve(
    points: Sequence[tuple[float, Interval]],
    unit: str = "",
    bounds: tuple[float, float] | None = None,
    even: float | None = None,
) -> Curve | None:
    """Estimates at places in percent; none for less than two. `even` is where a line stands, if one does."""
    if len(points) < 2:
        return None
    most = max(max(i.high for _, i in points), 1e-9)
    step = nice(most / STEPS)
    steps = QUARTERS if bounds is not None else math.ceil(most / step - 1e-9)
    low, high = bounds or (0.0, steps * step)

    def below(y: float) -> float:
        return 100 - 100 * (min(max(y, low), high) - low) / (high - low)

    def place(x: float, y: float) -> str:
        return f"{x:.1f},{below(y):.1f}"

    line = " ".join(place(x, i.estimate) for x, i in points)
    band = [place(x, i.high) for x, i in points] + [place(x, i.low) for x, i in reversed(points)]
    line_at = round(below(even), 1) if even is not None else None
    return Curve(line, " ".join(band), low, high, unit, steps, line_at)
