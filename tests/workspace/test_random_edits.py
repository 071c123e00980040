"""Incremental is fresh: after any edits of any files, what is known is what a cold reading finds.

Files of all kinds are typed into, cut, emptied, saved, closed, taken away and put back, and names are
renamed. After each few of these steps, findings, index and digests are compared with those of a reading
that knows nothing of what came before.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from contextlib import suppress

import pytest

from dsl.workspace.navigation import CannotRename, rename
from dsl.workspace.snapshot import TESTS, Snapshot, Workspace
from rulewright.editors.open_rulesets import findings
from rulewright.library import bundled
from tests.workspace.edited import TOKEN, files_of
from tests.workspace.test_index import edited

EDITED = ("pig", "leduc_poker", "tic_tac_toe")
TYPED = (
    "\n",
    " ",
    "    ",
    "(",
    ")",
    "{",
    "]",
    "#",
    ":",
    "§",
    "'",
    '"',
    ",",
    "value ",
    "of ",
    "0",
    "é",
    "\t",
    "- ",
)
"""What is typed between what is there already."""


class Edited:
    """A ruleset in an editor: files on a disk, unsaved texts over them, and a workspace that lives on."""

    def __init__(self, name: str, rng: random.Random) -> None:
        self.name, self.rng = name, rng
        self.first = {path: data.decode() for path, data in files_of(name).items()}
        self.disk = dict(self.first)
        self.space = self.cold()

    def cold(self) -> Workspace:
        """A workspace that has read nothing yet, with the same unsaved texts."""

        def fetch(path: str) -> bytes:
            if path not in self.disk:
                raise FileNotFoundError(2, "no such file")
            return self.disk[path].encode()

        space = Workspace(self.name, fetch, lambda: [path for path in self.disk if TESTS.fullmatch(path)])
        if hasattr(self, "space"):
            space.texts.update(self.space.texts)
        return space

    @property
    def texts(self) -> dict[str, str]:
        """All files as they are now."""
        return {**self.disk, **self.space.texts}

    # ---- steps

    def step(self) -> str:
        """Do something to some file; what was done, in words."""
        steps: list[tuple[Callable[[str], None], int]] = [
            (self.type, 9), (self.revert, 5), (self.save, 1), (self.close, 1),
            (self.vanish, 1), (self.appear, 2), (self.empty, 1), (self.rename, 3),
        ]  # fmt: skip
        work = self.rng.choices([each for each, _ in steps], [weight for _, weight in steps])[0]
        path = self.rng.choice(sorted({*self.texts, *self.first}))
        work(path)
        return f"{work.__name__} {path}"

    def type(self, path: str) -> None:
        self.space.edit(path, typed(self.texts.get(path, ""), self.rng))

    def revert(self, path: str) -> None:
        for changed in self.rng.sample(sorted(self.first), len(self.first) // 2):
            if self.texts.get(changed) != self.first[changed]:
                self.space.edit(changed, self.first[changed])

    def save(self, path: str) -> None:
        if path in self.space.texts:
            self.disk[path] = self.space.texts[path]

    def close(self, path: str) -> None:
        self.space.edit(path, None)

    def vanish(self, path: str) -> None:
        self.disk.pop(path, None)
        self.space.edit(path, None)

    def appear(self, path: str) -> None:
        for missing in sorted(self.first.keys() - self.disk.keys()):
            self.disk[missing] = self.first[missing]
        self.disk["scenarios/more.yaml"] = "- scenario: More\n  when: []\n  then: {active: A}\n"

    def empty(self, path: str) -> None:
        self.space.edit(path, self.rng.choice(("", "\n", "# nothing\n")))

    def rename(self, path: str) -> None:
        """Give something another name, which is refused while there are errors."""
        for changed, text in self.first.items():
            self.space.edit(changed, text)
        before = self.space.snapshot()
        place = self.rng.choice(sorted(before.whole_index.found, key=lambda at: (at.source.name, at.start)))
        new = "§Q9" if place.text.startswith("§") else f"qq_{place.text}"
        with suppress(CannotRename):
            for changed, text in edited(before, rename(before, place.source, place.start, new)).items():
                self.space.edit(changed, text)


def typed(text: str, rng: random.Random) -> str:
    """A text in which somebody types, deletes, cuts or pastes."""
    lines = text.split("\n")
    number = rng.randrange(len(lines))
    line = lines[number]
    places = [0, *(end for token in TOKEN.finditer(line) for end in token.span()), len(line)]
    start, end = sorted(rng.choices(places, k=2))
    kind = rng.choice(("cut", "insert", "delete", "word", "double", "drop", "paste", "swap"))
    if kind == "cut":
        lines[number] = line[:start]
    elif kind == "insert":
        lines[number] = line[:start] + rng.choice(TYPED) + line[start:]
    elif kind == "delete":
        lines[number] = line[:start] + line[end:]
    elif kind == "word":
        lines[number] = line[:start] + rng.choice(re.findall(r"\S+", text) or ["x"]) + line[end:]
    elif kind in ("double", "paste"):
        lines.insert(number, line if kind == "double" else rng.choice(lines))
    elif kind == "drop":
        del lines[number : number + rng.randrange(1, 4)]
    else:
        lines[number : number + 2] = reversed(lines[number : number + 2])
    return "\n".join(lines)


def known(snapshot: Snapshot) -> dict[str, object]:
    """What is known of a ruleset, without the identity of its sources."""
    rules = snapshot.analysis.rules
    index = snapshot.whole_index
    return {
        "findings": [(f.span.place, f.span.end, f.code, f.message, f.help) for f in findings(snapshot)],
        "names": sorted(
            (each.span.place, each.span.end, each.symbols, each.declares) for each in index.found.values()
        ),
        "links": index.linked,
        "rules": rules.digest if rules is not None else None,
        "texts": snapshot.digest,
        "locals": {(at.place, kind) for at, kind in snapshot.analysis.symbols.local_types.items()},
    }


def play(name: str, seed: int, steps: int) -> None:
    game = Edited(name, random.Random(f"{name} {seed}"))
    done: list[str] = []
    for _ in range(steps):
        done.append(game.step())
        if game.rng.random() < 0.5:
            now, fresh = known(game.space.snapshot()), known(game.cold().snapshot())
            for what, value in fresh.items():
                assert now[what] == value, (what, done)


@pytest.mark.parametrize("name", EDITED)
def test_edits_of_any_file_leave_what_a_cold_reading_finds(name: str) -> None:
    play(name, 1, 12)


@pytest.mark.long
@pytest.mark.parametrize("name", bundled())
@pytest.mark.parametrize("seed", range(2, 6))
def test_long_edits_of_any_file_leave_what_a_cold_reading_finds(name: str, seed: int) -> None:
    play(name, seed, 60)
