"""Logs with one thing changed, as somebody might who wants another result."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from interpreter.log import sealed

Lines = list[dict[str, Any]]


def edits(log: str) -> dict[str, str]:
    """Edited logs by what was done to them. Some are sealed anew, so that only a replay can tell."""
    lines = log.splitlines(keepends=True)
    choice = next(i for i, line in enumerate(lines) if '"choose"' in line)
    last = max(i for i, line in enumerate(lines) if '"choose"' in line)
    return {
        "a letter": log.replace('"choose": "', '"choose": "x', 1),
        "a line less": "".join(lines[:choice] + lines[choice + 1 :]),
        "two lines exchanged": "".join(
            [*lines[:choice], lines[choice + 1], lines[choice], *lines[choice + 2 :]]
        ),
        "another seed": sealed_anew(log, lambda found: found[0].update(seed=found[0]["seed"] + 1)),
        "another hash": sealed_anew(log, lambda found: found[last].update(hash="0" * 16)),
        "another choice": sealed_anew(log, lambda found: found[last].update(choose="nothing of this")),
        "another outcome": sealed_anew(log, _other_outcome),
        "other rules": sealed_anew(log, lambda found: found[0].update(rules="0" * 32)),
        "a result": sealed_anew(
            log, lambda found: found.append({"over": True, "winners": ["A"], "scores": {"A": 99}})
        ),
        "no seal": log.replace(
            lines[1], json.dumps({k: v for k, v in json.loads(lines[1]).items() if k != "seal"}) + "\n"
        ),
        "nothing": "",
        "no log": "some text\n",
    }


def _other_outcome(lines: Lines) -> None:
    drawn = [line for line in lines if "outcome" in line]
    drawn[0]["outcome"], drawn[1]["outcome"] = drawn[1]["outcome"], drawn[0]["outcome"] + "x"


def sealed_anew(log: str, change: Callable[[Lines], Any]) -> str:
    """The log with a change of its lines, and seals that fit it."""
    lines = [json.loads(line) for line in log.splitlines()]
    change(lines)
    seal, found = "", []
    for line in lines:
        line.pop("seal", None)
        text, seal = sealed(line, seal)
        found.append(text)
    return "".join(found)
