"""What an editor waits for: edits of rules, each followed by findings, and questions about a place.

    python -m benchmarks.keystrokes trajan constantinopolis tic_tac_toe --edits 60

Each edit types one more character into a definition, cuts a line, or changes `game.yaml`; then the ruleset
is read and typed as the language server does it. Times are of the processor, in milliseconds: the median,
the 95th of a hundred, the largest.
"""

from __future__ import annotations

import argparse
import gc
import random
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress

from dsl.source import Source
from dsl.workspace.completion import complete
from dsl.workspace.formatting import formatted
from dsl.workspace.hover import hover
from dsl.workspace.navigation import CannotRename, definition, rename
from dsl.workspace.snapshot import Snapshot, Workspace
from rulewright.library import find, folder, names_in


def workspace(name: str) -> Workspace:
    root = find(name)
    return Workspace(
        name,
        folder(root).fetch,
        lambda: [f"scenarios/{file}" for file in names_in(root, "scenarios", ".yaml")],
    )


def typed(text: str, rng: random.Random) -> str:
    """A text in which somebody is typing: a line is cut somewhere, or has a character more."""
    lines = text.split("\n")
    number = rng.choice([n for n, line in enumerate(lines) if line.strip() and not line.startswith("#")])
    line = lines[number]
    at = rng.randrange(len(line) + 1)
    lines[number] = line[:at] if rng.random() < 0.5 else line[:at] + rng.choice("abcx ") + line[at:]
    return "\n".join(lines)


class Stopwatch:
    """Processor times by what was done, in milliseconds."""

    def __init__(self) -> None:
        self.times: dict[str, list[float]] = defaultdict(list)

    def __call__(self, what: str, work: Callable[[], object]) -> None:
        start = time.process_time()
        work()
        self.times[what].append((time.process_time() - start) * 1000)

    def table(self) -> str:
        rows = []
        for what, times in self.times.items():
            times = sorted(times)
            late = times[min(len(times) - 1, round(len(times) * 0.95))]
            rows.append(f"  {what:<22}{times[len(times) // 2]:8.1f}{late:8.1f}{times[-1]:8.1f}")
        return "\n".join(rows)


def measure(name: str, edits: int) -> str:
    """The times of one ruleset."""
    space, rng, watch = workspace(name), random.Random(name), Stopwatch()
    watch("first findings", lambda: space.snapshot().findings)
    whole = space.snapshot()
    watch("first index", lambda: whole.whole_index)
    path = next(path for path in whole.analysis.folder.sources if path.endswith(".rules"))
    text = source_of(whole, path).text
    for number in range(edits):
        edited = "game.yaml" if number % 5 == 4 else path
        space.edit(edited, typed(source_of(whole, edited).text, rng))
        watch("findings after an edit", lambda: space.snapshot().findings)
        _ask(space.snapshot(), path, rng, watch)
        space.edit(edited, None)
        gc.collect()
    watch("format", lambda: formatted(Source(path, text.replace("  ", " "))))
    for _ in range(5):
        _rename(space.snapshot(), path, rng, watch)
    return f"{name}\n{watch.table()}"


def source_of(snapshot: Snapshot, path: str) -> Source:
    source = snapshot.source(path)
    assert source is not None
    return source


def _ask(snapshot: Snapshot, path: str, rng: random.Random, watch: Stopwatch) -> None:
    source = snapshot.source(path)
    if source is None:  # what is typed into `game.yaml` names no rules
        return
    watch("index after an edit", lambda: snapshot.index)
    offset = rng.randrange(len(source.text))
    watch("hover", lambda: hover(snapshot, source, offset))
    watch("definition", lambda: definition(snapshot, source, offset))
    watch("completion", lambda: complete(snapshot, source, offset))


def _rename(snapshot: Snapshot, path: str, rng: random.Random, watch: Stopwatch) -> None:
    source = source_of(snapshot, path)
    place = rng.choice(snapshot.index.within(source)).span

    def renamed() -> None:
        with suppress(CannotRename):
            rename(snapshot, source, place.start, "another_name")

    watch("rename", renamed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("games", nargs="+")
    parser.add_argument("--edits", type=int, default=60)
    given = parser.parse_args()
    gc.disable()  # the server searches for garbage when nobody waits
    print(f"{'milliseconds':<24}{'p50':>8}{'p95':>8}{'max':>8}")
    for name in given.games:
        print(measure(name, given.edits))


if __name__ == "__main__":
    main()
