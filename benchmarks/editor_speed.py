"""What an editor waits for, asked of the real language server over its standard streams.

    python -m benchmarks.editor_speed trajan constantinopolis tic_tac_toe --edits 40

A copy of each ruleset is opened and typed into. Times are of the clock, in milliseconds, from the message
sent to the answer received, waiting of the server included: the median, the 95th of a hundred, the largest,
and the goals beside them. `!` marks what misses its goal; a machine with other work to do misses them.
"""

from __future__ import annotations

import argparse
import random
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from rulewright.library import find
from tests.lsp.client import Client, connected

BURST, BETWEEN = 20, 0.02
"""The keys of a burst, and the seconds between two of them."""
AFTER_BURST = 0.3
"""Seconds in which a publication that comes late, or once too often, would be noticed."""
SMALL = 5_000
"""Characters of rules up to which a ruleset counts as small, and its findings have a goal of their own."""
COUNTING = 1_000_000
"""The number of the request that lets the server play while it answers others."""
ASKED = ("hover", "definition", "completion")


@dataclass(frozen=True)
class Goal:
    """What the median and the 95th of a hundred should not exceed."""

    p50: float | None
    p95: float


@dataclass
class Times:
    """What was measured, by name, with its goal."""

    rows: dict[str, tuple[Goal, list[float]]] = field(default_factory=dict)

    def note(self, what: str, goal: Goal, value: float) -> None:
        self.rows.setdefault(what, (goal, []))[1].append(value)

    def lines(self) -> Iterator[str]:
        for what, (goal, values) in self.rows.items():
            ordered = sorted(values)
            p50 = ordered[len(ordered) // 2]
            p95 = ordered[min(len(ordered) - 1, round(len(ordered) * 0.95))]
            first = "" if goal.p50 is None else f"{goal.p50:g}"
            missed = p95 > goal.p95 or (goal.p50 is not None and p50 > goal.p50)
            yield (
                f"  {what:<34}{len(values):>5}{p50:>9.1f}{p95:>9.1f}{ordered[-1]:>9.1f}"
                f"{first:>8}{goal.p95:>8g}{'  !' if missed else ''}"
            )


HEAD = f"{'':<36}{'n':>5}{'p50':>9}{'p95':>9}{'max':>9}{'goals':>8}{'p95':>8}"


class Typist:
    """Somebody who types into the largest file of rules of a ruleset."""

    def __init__(self, client: Client, root: Path, times: Times) -> None:
        self.client, self.times = client, times
        self.path = max(root.rglob("*.rules"), key=lambda path: path.stat().st_size)
        self.text = self.path.read_text("utf-8")
        self.rng = random.Random(root.name)
        self.uri = client.open(self.path)
        self.version = 0
        client.publication(self.uri, 0)

    def timed(self, what: str, goal: Goal, work: Callable[[], object]) -> None:
        start = time.perf_counter()
        work()
        self.times.note(what, goal, (time.perf_counter() - start) * 1000)

    def change(self, text: str) -> int:
        self.version += 1
        self.client.change(self.uri, self.version, text)
        return self.version

    def settle(self) -> None:
        """Let the text be as it was, and all be known of it."""
        self.client.publication(self.uri, self.change(self.text))
        self.client.at("references", self.uri, 0, 0, context={"includeDeclaration": True})

    # ---- what is measured

    def findings(self) -> None:
        goal = Goal(None, 20) if len(self.text) < SMALL else Goal(50, 100)
        edited = typed(self.text, self.rng)
        self.timed(
            "findings after a key", goal, lambda: self.client.publication(self.uri, self.change(edited))
        )
        self.settle()

    def burst(self) -> None:
        """Keys at the end of the text; then publications are counted, and stale ones among the later."""
        first, seen = self.version + 1, len(self.client.published)
        for number in range(BURST):
            self.change(f"{self.text}\nvalue more = 1 + 2 + 3"[: len(self.text) + 3 + number])
            time.sleep(BETWEEN)
        start = time.perf_counter() - BETWEEN
        self.client.publication(self.uri, self.version)
        self.times.note("last findings of a burst", Goal(None, 150), (time.perf_counter() - start) * 1000)
        time.sleep(AFTER_BURST)
        self.client.at("hover", self.uri, 0, 0)  # takes in what has come since
        told = [each["version"] for each in self.client.published[seen:] if each["uri"] == self.uri]
        of_burst = [version for version in told if version is not None and version >= first]
        stale = sum(later < earlier for earlier, later in pairwise(of_burst))
        self.times.note("publications of a burst", Goal(None, 2), len(of_burst))
        self.times.note("stale publications of a burst", Goal(None, 0), stale)
        self.settle()

    def questions(self, when: str) -> None:
        for method in ASKED:
            line, column = self._place()
            self.timed(
                f"{method}{when}",
                Goal(None, 20),
                lambda method=method, line=line, column=column: self.client.at(
                    method, self.uri, line, column
                ),
            )

    def questions_after_a_key(self) -> None:
        self.change(typed(self.text, self.rng))
        self.questions(" while it is read")
        self.settle()

    def questions_while_playing(self, number: int) -> None:
        """Questions while scenarios and random matches are played for the lenses."""
        command = {"command": "rulewright.trace", "arguments": [self.uri]}
        self.client.send("workspace/executeCommand", command, COUNTING)
        for _ in range(number):
            self.questions(" while it is played")
            time.sleep(BETWEEN)

    def formatting(self) -> None:
        wide = self.text.replace(" = ", "  =  ")
        self.client.publication(self.uri, self.change(wide))
        options = {"tabSize": 4, "insertSpaces": True}
        params = {"textDocument": {"uri": self.uri}, "options": options}
        self.timed("format", Goal(None, 150), lambda: self.client.ask("textDocument/formatting", params))
        self.settle()

    def renaming(self) -> None:
        """A rename of some word; one that has no name to rename, or is refused, is a quick answer."""
        line, column = self._place()

        def rename() -> None:
            with suppress(AssertionError):
                self.client.at("rename", self.uri, line, column, newName="another_name")

        self.timed("rename", Goal(None, 500), rename)

    def _place(self) -> tuple[int, int]:
        """Somewhere in a word of the rules."""
        lines = self.text.split("\n")
        line = self.rng.choice([n for n, text in enumerate(lines) if text.strip() and text[0] != "#"])
        words = [n for n, character in enumerate(lines[line]) if character.isalpha()]
        return line, self.rng.choice(words) if words else 0


def typed(text: str, rng: random.Random) -> str:
    """A text with a character more in some line of the rules."""
    lines = text.split("\n")
    number = rng.choice([n for n, line in enumerate(lines) if line.strip() and line[0] != "#"])
    at = rng.randrange(len(lines[number]) + 1)
    lines[number] = lines[number][:at] + rng.choice("abcx ") + lines[number][at:]
    return "\n".join(lines)


def measure(name: str, edits: int, folder: Path) -> Times:
    """The times of one ruleset, of which a copy is made in a folder."""
    root, times = Path(shutil.copytree(find(name), folder / name)), Times()
    with connected() as client:
        typist = Typist(client, root, times)
        typist.settle()
        steps: list[tuple[Callable[[], Any], int]] = [
            (typist.findings, edits),
            (typist.burst, max(2, edits // 8)),
            (lambda: typist.questions(" at rest"), edits),
            (typist.questions_after_a_key, edits),
            (typist.formatting, max(2, edits // 8)),
            (typist.renaming, edits),
        ]
        for work, number in steps:
            for _ in range(number):
                work()
        typist.questions_while_playing(edits)
        typist.settle()  # ends what is played
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("games", nargs="+")
    parser.add_argument("--edits", type=int, default=40)
    given = parser.parse_args()
    for name in given.games:
        with tempfile.TemporaryDirectory() as folder:
            print("\n".join([f"{name:<12}{HEAD[12:]}", *measure(name, given.edits, Path(folder)).lines()]))


if __name__ == "__main__":
    main()
