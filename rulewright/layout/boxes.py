"""Faces as data, laid out: what is drawn where, in mm from the upper left corner of what is cut out.

The page, the printer and pictures draw the same parts, so that a card looks the same everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from dsl.rules.look import FaceBox
from dsl.signs import in_colour
from rulewright.layout.colours import INK
from rulewright.layout.letters import MM
from rulewright.layout.markup import Icon, Letters, Word, paragraphs

LINE, BETWEEN = 1.22, 0.4
"""The distance of lines, and what is added between paragraphs, in the size of the letters."""
ICON = 1.05
"""The side of an icon in a text, in the size of the letters."""
SHRINK = 0.96
WHOLE = 3.5
"""The smallest size in points at which words stay whole."""
Area = tuple[float, float, float, float]
"""Left, top, width and height."""
Measure = Callable[[str, bool], float]
"""The width of a text, perhaps bold, in mm, in letters of one point."""


@dataclass(frozen=True, slots=True)
class Filled:
    """A rectangle."""

    area: Area
    fill: str
    edge: str
    radius: float
    opacity: float


@dataclass(frozen=True, slots=True)
class Pictured:
    """A picture, a `data:` URL; `cover`: it fills the area and is cut."""

    area: Area
    url: str
    cover: bool


@dataclass(frozen=True, slots=True)
class Lettered:
    """A text in one style. `y` is the middle of its line, `size` in points."""

    x: float
    y: float
    width: float
    text: str
    size: float
    ink: str
    bold: bool
    italic: bool


Part = Filled | Pictured | Lettered


@dataclass(frozen=True, slots=True)
class LaidFace:
    """What is drawn, from the lowest, and the texts that had to be smaller than they may: box and points."""

    parts: tuple[Part, ...]
    small: tuple[tuple[int, float], ...] = ()


def lay_out(
    boxes: Sequence[FaceBox],
    name: str,
    texts: Sequence[str | None],
    icons: Mapping[str, str],
    whole: Area,
    measure: Measure,
) -> LaidFace:
    """The face of a class. `texts` are those of the boxes, none for a box that is not there for it."""
    parts: list[Part] = []
    small: list[tuple[int, float]] = []
    for i, (box, text) in enumerate(zip(boxes, texts, strict=True)):
        if text is None:
            continue
        area = box.place or whole
        fill, edge = box.fills.get(name, ""), box.edges.get(name, "")
        if fill or edge:
            parts.append(Filled(area, fill, edge, box.radius, box.opacity))
        if name in box.pictures:
            parts.append(Pictured(area, box.pictures[name], box.fit == "cover"))
        words = paragraphs(text, icons)
        if words:
            block = _fitted(words, area, box.size, measure)
            if block.size < box.least - 0.01:
                small.append((i + 1, block.size))
            parts += _placed(block, area, box, box.inks.get(name, INK), measure)
    return LaidFace(tuple(parts), tuple(small))


# ---- texts


@dataclass(frozen=True, slots=True)
class _Block:
    """Lines of words, with the number of the paragraph of each, in letters of a size."""

    lines: tuple[tuple[int, tuple[Word, ...]], ...]
    size: float

    @property
    def height(self) -> float:
        if not self.lines:
            return 0.0
        return (len(self.lines) * LINE + self.lines[-1][0] * BETWEEN) * self.size * MM


def _fitted(words: Sequence[Sequence[Word]], area: Area, largest: float, measure: Measure) -> _Block:
    """A text as large as it fits. Below `WHOLE`, words are broken too; nothing is ever cut off."""
    size = largest
    while True:
        given = words if size >= WHOLE else [[*_broken(p, area[2], size, measure)] for p in words]
        block = _Block(tuple(_lines(given, area[2], size, measure)), size)
        wide = all(_width(word, measure) * size <= area[2] + 1e-6 for p in given for word in p)
        if (wide and block.height <= area[3] + 1e-6) or size < 0.2:
            return block
        size *= SHRINK


def _lines(
    words: Sequence[Sequence[Word]], width: float, size: float, measure: Measure
) -> Iterator[tuple[int, tuple[Word, ...]]]:
    blank = measure(" ", False)
    for number, paragraph in enumerate(words):
        line: list[Word] = []
        used = 0.0
        for word in paragraph:
            more = _width(word, measure)
            if line and (used + blank + more) * size > width + 1e-6:
                yield number, tuple(line)
                line, used = [], 0.0
            used += more + (blank if line else 0.0)
            line.append(word)
        yield number, tuple(line)


def _width(word: Word, measure: Measure) -> float:
    """The width of a word in letters of one point."""
    return sum(_atom_width(atom, measure) for atom in word)


def _atom_width(atom: Letters | Icon, measure: Measure) -> float:
    match atom:
        case Letters(text=text, bold=bold):
            return measure(text, bold)
        case Icon():
            return ICON * MM
        case _:
            assert_never(atom)


def _broken(words: Sequence[Word], width: float, size: float, measure: Measure) -> Iterator[Word]:
    """Words in parts, each as long as fits."""
    for word in words:
        if _width(word, measure) * size <= width:
            yield word
            continue
        for atom in word:
            if isinstance(atom, Icon):
                yield (atom,)
            else:
                yield from ((Letters(letter, atom.bold, atom.italic),) for letter in atom.text)


def _placed(block: _Block, area: Area, box: FaceBox, ink: str, measure: Measure) -> Iterator[Part]:
    left, top, width, height = area
    size, blank = block.size, measure(" ", False) * block.size
    first = top + {"top": 0.0, "middle": 0.5, "bottom": 1.0}[box.level] * (height - block.height)
    for i, (paragraph, words) in enumerate(block.lines):
        y = first + ((i + 0.5) * LINE + paragraph * BETWEEN) * size * MM
        used = sum(_width(word, measure) for word in words) * size + blank * (len(words) - 1)
        x = left + {"left": 0.0, "middle": 0.5, "right": 1.0}[box.align] * (width - used)
        for atom in _joined(words):
            if isinstance(atom, Icon):
                side = ICON * size * MM
                yield Pictured((x, y - side / 2, side, side), in_colour(atom.url, ink), False)
                x += side
            else:
                wide = measure(atom.text, atom.bold) * size
                if atom.text.strip():
                    yield Lettered(x, y, wide, atom.text, size, ink, atom.bold, atom.italic)
                x += wide if atom.text != " " else blank


def _joined(words: Sequence[Word]) -> Iterator[Letters | Icon]:
    """The atoms of a line with blanks between words; what has one style is one text."""
    pending: Letters | None = None
    for i, word in enumerate(words):
        for k, atom in enumerate(word):
            between = " " if i and not k else ""
            if (
                isinstance(atom, Letters)
                and pending is not None
                and (pending.bold, pending.italic) == (atom.bold, atom.italic)
                and not (between and pending.bold)
            ):
                pending = Letters(pending.text + between + atom.text, atom.bold, atom.italic)
                continue
            if pending is not None:
                yield pending
            if between:
                yield Letters(" ")
            pending = None
            if isinstance(atom, Letters):
                pending = atom
            else:
                yield atom
    if pending is not None:
        yield pending


# ---- outlines


def hexagon(area: Area) -> list[tuple[float, float]]:
    """The corners of the hexagon in an area, from the upper one on, clockwise."""
    x, y, width, height = area
    return [
        (x + width * across, y + height * down)
        for across, down in ((0.5, 0.0), (1.0, 0.25), (1.0, 0.75), (0.5, 1.0), (0.0, 0.75), (0.0, 0.25))
    ]
