"""Seeded faults: bundled rulesets with one thing spoiled, and whether the checks find it.

`python -m tests.diagnostics.check.seeded` prints for every check how many faults were seeded and found, and
how many findings the bundled games have that they do not allow.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from dsl.folder import Folder
from dsl.load import load
from dsl.rules import Rules
from interpreter.compile.program import compile_rules
from rulewright.library import bundled, bundled_folder
from validators.check import Check, CheckContext
from validators.checks import CHECKS
from validators.run_checks import CheckRun, run_checks

HERE = Path(__file__).parent
ALLOW = "V300"
CODES = (ALLOW, *(check.code for check in CHECKS))
MARKS = (
    re.compile(r"(?m)^[ \t]*clause: §.*\n"),
    re.compile(r",\s*clause: §[^,}\n]*"),
    re.compile(r"clause: §[^,}\n]*, "),
    re.compile(r"(?m)[ \t]*§[\w.]+(?:[ \t]+§[\w.]+)*[ \t]*$"),
    re.compile(r"(?m)[ \t]+$"),
)
PLENTY = 600.0
"""Seconds that no check takes, so that none is left out."""


@dataclass(frozen=True)
class Fault:
    """One fault: what is replaced in which files of a game, each text where it stands first, the code that
    finds it, and what it is about.
    """

    check: str
    game: str
    about: str
    files: dict[str, list[tuple[str, str]]]

    def __str__(self) -> str:
        return f"{self.check}-{self.game}-{self.about}"


def faults() -> list[Fault]:
    """All of `seeded.yaml`."""
    return [_fault(entry) for entry in yaml.safe_load((HERE / "seeded.yaml").read_text("utf-8"))]


def _fault(entry: dict[str, Any]) -> Fault:
    files = entry["files"] if "files" in entry else {entry["file"]: entry["replace"]}
    changes = {path: [(old, new) for old, new in pairs] for path, pairs in files.items()}
    return Fault(entry["check"], entry["game"], entry["about"], changes)


def rules_of(game: str, files: dict[str, list[tuple[str, str]]] | None = None) -> Rules:
    """A bundled game with some texts replaced, loaded and compiled for every number of seats.

    Clause marks are left out, here and in what is replaced: no check looks at them.
    """
    changes = files or {}

    def fetch(path: str) -> bytes:
        text = unmarked((bundled_folder() / game / path).read_text("utf-8"))
        for old, new in changes.get(path, ()):
            if unmarked(old) not in text:
                raise AssertionError(f"{game}/{path} does not have: {old}")
            text = text.replace(unmarked(old), unmarked(new), 1)
        return text.encode()

    rules, _ = load(Folder(game, fetch))
    for seats in range(rules.seats[0], rules.seats[1] + 1):
        compile_rules(rules, seats)
    return rules


def unmarked(text: str) -> str:
    """A text without the clause marks of rules and of `game.yaml`."""
    for pattern in MARKS:
        text = pattern.sub("", text)
    return text


def checks_for(code: str) -> tuple[Check, ...]:
    """The check with a code; for `allow` all that need no play."""
    return tuple(c for c in CHECKS if c.code == code or (code == ALLOW and not c.plays))


def found(fault: Fault) -> bool:
    """Whether the check finds a fault."""
    said = examined(rules_of(fault.game, fault.files), checks_for(fault.check))
    return any((f.code, f.about) == (fault.check, fault.about) for f in said.findings)


def examined(rules: Rules, checks: Iterable[Check] = CHECKS) -> CheckRun:
    return run_checks(CheckContext(rules), PLENTY, checks=checks)


def main() -> None:
    """Prints the table."""
    seeded = faults()
    said = [finding.code for game in bundled() for finding in examined(rules_of(game)).findings]
    missed = [fault for fault in seeded if not found(fault)]
    print("check  seeded  found  false alarms on originals")
    for code in CODES:
        total = sum(f.check == code for f in seeded)
        print(f"{code:<7}{total:>6}{total - sum(f.check == code for f in missed):>7}{said.count(code):>7}")
    print(f"{'all':<7}{len(seeded):>6}{len(seeded) - len(missed):>7}{len(said):>7}")
    for fault in missed:
        print(f"missed: {fault}")


if __name__ == "__main__":
    main()
