"""The parts of a face in a still picture, one below another where they would overlap."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from dsl.signs import in_colour
from rulewright.layout.preview_blocks import picture, text

PARTS = {"corner": 0.13, "top": 0.13, "middle": 0.45, "body": 0.7, "bottom": 0.88}
"""The height of each part of a face, where nothing is in its way."""
SMALL, LARGE, MARGIN = 8.5, 12.0, 5.0
LETTER = 0.56
"""The width of a letter, in its size."""


@dataclass(frozen=True, slots=True)
class FacePart:
    """A part of a face: its lines, or the `data:` URL of a picture. `top`: its upper edge."""

    lines: tuple[str, ...]
    size: float
    top: float
    url: str = ""
    anchor: str = "middle"

    @property
    def height(self) -> float:
        return self.size if self.url else len(self.lines) * (self.size + 1)


def written(texts: Mapping[str, str], width: float, height: float, ink: str) -> str:
    """The parts of a face."""
    given = {part: words for part, words in texts.items() if words}
    blocks = [_block(part, given[part], width, height) for part in PARTS if part in given]
    if _share_a_line(given, blocks, width):
        corner, top = blocks[0], replace(blocks[1], anchor="start")
        apart = [corner, *_apart([top, *blocks[2:]], height)]
    else:
        apart = _apart(blocks, height)
    return "".join(_drawn(block, width, ink) for block in apart)


def _share_a_line(given: Mapping[str, str], blocks: Sequence[FacePart], width: float) -> bool:
    """Whether a face has a text at the left of its corner, and there is room for both."""
    if not {"corner", "top"} <= given.keys() or any(block.url for block in blocks[:2]):
        return False
    room = width - 3 * MARGIN
    return all(len(b.lines) == 1 for b in blocks[:2]) and sum(_width(b) for b in blocks[:2]) <= room


def _width(block: FacePart) -> float:
    return max(len(line) for line in block.lines) * block.size * LETTER


def _block(part: str, words: str, width: float, height: float) -> FacePart:
    """A part in the middle of its height."""
    middle = PARTS[part] * height
    if words.startswith("data:"):
        return FacePart((), width / 2, middle - width / 4, words)
    if part == "corner":
        size = min(LARGE, (width - 2 * MARGIN) / len(words) / LETTER)
        return FacePart((words,), size, middle - size / 2 - 0.5, anchor="end")
    size = LARGE if part in ("top", "bottom") and len(words) < 6 else SMALL
    lines = _broken(words, max(4, round(width / (size * LETTER))))[: 3 if part != "bottom" else 2]
    return FacePart(lines, size, middle - len(lines) * (size + 1) / 2)


def _apart(blocks: Sequence[FacePart], height: float) -> list[FacePart]:
    """Blocks that do not overlap: moved down as far as there is room, then up; lines that do not fit go."""
    found = list(blocks)
    while sum(block.height for block in found) > height and any(len(block.lines) > 1 for block in found):
        longest = max(range(len(found)), key=lambda i: len(found[i].lines))
        found[longest] = replace(found[longest], lines=found[longest].lines[:-1])
    end = 1.0
    for i, block in enumerate(found):
        found[i] = replace(block, top=max(block.top, end))
        end = found[i].top + block.height
    end = height - 1
    for i in reversed(range(len(found))):
        found[i] = replace(found[i], top=min(found[i].top, end - found[i].height))
        end = found[i].top
    return found


def _drawn(block: FacePart, width: float, ink: str) -> str:
    if block.url:
        return picture(in_colour(block.url, ink), block.size, (width - block.size) / 2, block.top)
    x = {"start": MARGIN, "middle": width / 2, "end": width - MARGIN}[block.anchor]
    bold = block.anchor == "end"
    step = block.size + 1
    return "".join(
        text(x, block.top + i * step + block.size * 0.9, line, block.size, ink, block.anchor, bold=bold)
        for i, line in enumerate(block.lines)
    )


def _broken(words: str, letters: int) -> tuple[str, ...]:
    lines: list[str] = []
    for word in words.split():
        if lines and len(lines[-1]) + 1 + len(word) <= letters:
            lines[-1] += f" {word}"
        else:
            lines.append(word if len(word) <= letters + 1 else f"{word[:letters]}…")
    return tuple(lines)
