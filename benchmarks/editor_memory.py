"""Whether a language server grows while somebody types, and how long it stops to search for garbage.

    python -m benchmarks.editor_memory trajan --edits 2000

Each edit is read and indexed as the server does it. A line has the memory of the process in MB, all edits so
far, what searches have found, and the longest search in milliseconds of the processor.
"""

from __future__ import annotations

import argparse
import gc
import random
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.keystrokes import source_of, typed, workspace
from dsl.source import NOWHERE
from rulewright.processes.garbage import clear_up, search_at_rest, spare

LINES = 20


class Searches:
    """What searches for garbage have taken and found."""

    def __init__(self) -> None:
        self.longest, self.found = 0.0, 0
        self._begun = 0.0
        gc.callbacks.append(self.heard)

    def heard(self, phase: str, about: dict[str, int]) -> None:
        if phase == "start":
            self._begun = time.process_time()
        else:
            self.longest = max(self.longest, (time.process_time() - self._begun) * 1000)
            self.found += about["collected"]


def resident() -> float:
    """The memory of this process in MB, on Linux."""
    lines = Path("/proc/self/status").read_text("ascii").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))


def measure(name: str, edits: int, say: Callable[[str], None]) -> None:
    """Type into the rules and `game.yaml` of a ruleset, each time into the text as it was."""
    space, rng = workspace(name), random.Random(name)
    search_at_rest()
    first = space.snapshot()
    path = next(path for path in first.analysis.folder.sources if path.endswith(".rules"))
    texts = {file: source_of(first, file).text for file in (path, "game.yaml")}
    spare()
    searches = Searches()
    for number in range(1, edits + 1):
        edited = "game.yaml" if number % 5 == 0 else path
        space.edit(edited, typed(texts[edited], rng))
        clear_up()
        space.snapshot().whole_index.within(NOWHERE.source)
        spare()
        space.edit(edited, None)
        if number % max(1, edits // LINES) == 0:
            say(f"  {number:>6}{resident():>9.1f}{searches.found:>9}{searches.longest:>9.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("games", nargs="+")
    parser.add_argument("--edits", type=int, default=2000)
    given = parser.parse_args()
    for name in given.games:
        print(f"{name}\n  {'edits':>6}{'MB':>9}{'found':>9}{'longest':>9}", flush=True)
        measure(name, given.edits, lambda line: print(line, flush=True))


if __name__ == "__main__":
    main()
