"""Games of which there are several phrasings, and the rulesets that they make.

A folder here is a game. What there is stands in its `game.yaml`, or else in that of the bundled game of that
name. Each of its `.rules` files is a phrasing; where that needs something else, a `.yaml` file of its name
holds the sections that replace those of `game.yaml`. The bundled game of that name is a phrasing, too.

`python -m tests.phrasings.phrasing GAME/PHRASING FOLDER` writes one as a ruleset, for `rulewright`.
"""

from __future__ import annotations

import re
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from dsl.diagnostics import ErrorsReported
from dsl.folder import Folder
from dsl.load import load
from rulewright.library import bundled, bundled_folder

HERE = Path(__file__).parent
LIBRARY = "library"
SECTION = re.compile(r"^(\w+):", re.MULTILINE)
WORDS = ("clauses", "labels", "look")
"""The sections that say how a game reads and looks; no phrasing has them."""


@dataclass(frozen=True)
class Phrasing:
    """One phrasing of a game."""

    game: str
    name: str

    def __str__(self) -> str:
        return f"{self.game}/{self.name}"

    def folder(self) -> Folder:
        """Its ruleset, without words for players."""
        return Folder(str(self), self.fetch)

    def fetch(self, path: str) -> bytes:
        """The bytes of a file. Raises `OSError` if there is none."""
        if path == "game.yaml":
            return self._declarations().encode()
        if path == f"{self.name}.rules" and self.name != LIBRARY:
            return self._own(path).read_bytes()
        place = self._own(path) if self._own(path).is_file() else bundled_folder() / self.game / path
        return place.read_bytes()

    def write(self, into: Path) -> None:
        """Writes it as a ruleset, whatever its mistakes."""
        folder = self.folder()
        with suppress(ErrorsReported):
            load(folder)
        into.mkdir(parents=True, exist_ok=True)
        for path, data in folder.files.items():
            (into / path).write_bytes(data)

    def _declarations(self) -> str:
        shared = self._own("game.yaml")
        if self.name == LIBRARY or not shared.is_file():
            shared = bundled_folder() / self.game / "game.yaml"
        found = _sections(shared.read_text("utf-8"))
        if self.name != LIBRARY:
            found["rules"] = f"rules: [{self.name}.rules]\n"
        if (own := self._own(f"{self.name}.yaml")).is_file():
            found |= _sections(own.read_text("utf-8"))
        return "".join(text for key, text in found.items() if key not in WORDS)

    def _own(self, path: str) -> Path:
        return HERE / self.game / path


def _sections(text: str) -> dict[str, str]:
    """The text of each section of a `game.yaml`, by its key."""
    starts = list(SECTION.finditer(text))
    ends = [*(start.start() for start in starts[1:]), len(text)]
    return {start[1]: text[start.start() : end] for start, end in zip(starts, ends, strict=True)}


def phrasings(game: str) -> tuple[Phrasing, ...]:
    """The phrasings of a game; that of the library is the first."""
    names = sorted(path.stem for path in (HERE / game).glob("*.rules"))
    first = [LIBRARY] if game in bundled() else []
    return tuple(Phrasing(game, name) for name in (*first, *names))


def games() -> tuple[str, ...]:
    """The games of which there are phrasings."""
    return tuple(sorted({path.parent.name for path in HERE.glob("*/*.rules")}))


if __name__ == "__main__":
    game, _, name = sys.argv[1].partition("/")
    Phrasing(game, name).write(Path(sys.argv[2]))
