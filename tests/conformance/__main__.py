"""`python -m tests.conformance`: the suite, run by an executor or by a command of another implementation."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.conformance.observing import Case, observed

SUITE = Path(__file__).parent / "suite"
LONGEST = 120
"""Seconds that a command may take for all cases of a file, and once more for each hundred of them."""


def read_suite() -> Iterator[tuple[str, list[Any]]]:
    """The files of the suite, each with its cases and what is expected of them."""
    for path in sorted(SUITE.glob("*.jsonl")):
        yield path.stem, [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def without_answer(kept: Case) -> Case:
    return {key: value for key, value in kept.items() if key != "expected"}


def difference(wanted: Any, found: Any, at: str = "") -> str | None:
    """The first difference between two plain values, with the path to it; none if they are equal."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        for key in [*wanted, *(key for key in found if key not in wanted)]:
            if key not in found:
                return f"{at}/{key}: missing"
            if key not in wanted:
                return f"{at}/{key}: not expected"
            if (inner := difference(wanted[key], found[key], f"{at}/{key}")) is not None:
                return inner
        return None
    if isinstance(wanted, list) and isinstance(found, list):
        for i, (left, right) in enumerate(zip(wanted, found, strict=False)):
            if (inner := difference(left, right, f"{at}/{i}")) is not None:
                return inner
        return f"{at}: {len(found)} items, not {len(wanted)}" if len(found) != len(wanted) else None
    if wanted == found and isinstance(wanted, bool) == isinstance(found, bool):
        return None
    return f"{at}: {json.dumps(found)}, not {json.dumps(wanted)}"


def by_command(command: str, cases: list[Case]) -> list[Any]:
    """What a command says of some cases: a line of JSON for each. Raises `SystemExit` if it does not."""
    text = "".join(json.dumps(case, ensure_ascii=False) + "\n" for case in cases)
    limit = LONGEST * (1 + len(cases) // 100)
    try:
        done = subprocess.run(
            command, shell=True, input=text, stdout=subprocess.PIPE, timeout=limit, encoding="utf-8"
        )
        lines = [json.loads(line) for line in done.stdout.splitlines()]
    except (subprocess.TimeoutExpired, ValueError) as error:
        raise SystemExit(f"`{command}`: {error}") from None
    if len(lines) != len(cases):
        raise SystemExit(
            f"`{command}` answers {len(lines)} of {len(cases)} cases, exit status {done.returncode}"
        )
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.conformance", description=__doc__)
    parser.add_argument("--executor", choices=("reference", "wasm"), default="reference")
    parser.add_argument("--command", help="a program that reads cases and writes what it sees, line by line")
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="of the suite, without `.jsonl`; default: all"
    )
    given = parser.parse_args()
    suite = dict(read_suite())
    if unknown := [name for name in given.files if name not in suite]:
        parser.error(f"unknown file `{unknown[0]}`; there are {', '.join(suite)}")
    failed = total = 0
    for name in given.files or suite:
        cases = [without_answer(kept) for kept in suite[name]]
        answers = (
            by_command(given.command, cases)
            if given.command
            else [observed(case, given.executor) for case in cases]
        )
        for kept, answer in zip(suite[name], answers, strict=True):
            total += 1
            # what was written and read again has lists for tuples, as commands have
            found = difference(kept["expected"], json.loads(json.dumps(answer)))
            if found is not None:
                failed += 1
                print(f"{name}: {kept['name']}\n    {found}")
    print(f"{total - failed} of {total} cases as expected")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
