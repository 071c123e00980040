"""Texts of faces in which `**bold**`, `*italic*` and `{icon}` mean something."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

BOLD_OR_ITALIC = re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*(?!\*)|\*(?=\S)([^*]+?)(?<=\S)\*", re.DOTALL)
HOLE = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Letters:
    """A part of a word in one style."""

    text: str
    bold: bool = False
    italic: bool = False


@dataclass(frozen=True, slots=True)
class Icon:
    """A picture within a text, a `data:` URL, as high as the letters."""

    url: str


Atom = Letters | Icon
Word = tuple[Atom, ...]


def paragraphs(text: str, icons: Mapping[str, str]) -> tuple[tuple[Word, ...], ...]:
    """The words of each line of a text. `icons` has what stands for names in braces; others stay."""
    lines: list[list[Word]] = [[]]
    word: list[Atom] = []

    def close() -> None:
        if word:
            lines[-1].append(tuple(word))
            word.clear()

    for atom in _atoms(text, icons, bold=False, italic=False):
        if isinstance(atom, Icon):
            word.append(atom)
            continue
        for blank, part in re.findall(r"(\s+)|(\S+)", atom.text):
            if part:
                word.append(Letters(part, atom.bold, atom.italic))
            else:
                close()
                lines += [[]] * ("\n" in blank and bool(lines[-1]))
                lines[-1] = list(lines[-1])
    close()
    return tuple(tuple(line) for line in lines if line)


def _atoms(text: str, icons: Mapping[str, str], *, bold: bool, italic: bool) -> Iterator[Atom]:
    at = 0
    for found in BOLD_OR_ITALIC.finditer(text):
        yield from _with_icons(text[at : found.start()], icons, bold, italic)
        strong = found[1] is not None
        yield from _atoms(found[1] or found[2], icons, bold=bold or strong, italic=italic or not strong)
        at = found.end()
    yield from _with_icons(text[at:], icons, bold, italic)


def _with_icons(text: str, icons: Mapping[str, str], bold: bool, italic: bool) -> Iterator[Atom]:
    at = 0
    for found in HOLE.finditer(text):
        icon = icons.get(found[1])
        if icon is None:
            continue
        yield Letters(text[at : found.start()], bold, italic)
        yield Icon(icon) if icon.startswith("data:") else Letters(icon, bold, italic)
        at = found.end()
    yield Letters(text[at:], bold, italic)
