"""Notation: the log of a match in short, in the words of the rules, for people to copy and to write.

The first line is `# rulewright notation 1`; the next ones, `# NAME VALUE`, have what the first line of a log
has, as JSON. `SEAT: WORDS` is a choice. `* STREAM: OUTCOME` is an outcome of chance as it is told, and
`> STREAM: OUTCOME` one that the seed brings; those of one stream stand on one line, with ` | ` between.
It has neither seals nor hashes and shows no change: the rules alone refuse what they do not allow.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from dsl.source import Source, Span
from interpreter.messages import BrokenLog, Fault

FIRST = "# rulewright notation 1"
HEAD = ("game", "rules", "seats", "options", "players", "small", "position", "ended")
"""What the notation has of the first line of a log; the seed stands behind it, if it brings something."""
TOLD, DRAWN, BETWEEN = "* ", "> ", " | "
HINT = "use a notation as `rulewright replay LOG --notation` writes it"
Line = tuple[dict[str, Any], Span]


def is_notation(text: str) -> bool:
    """Whether a text is meant to be a notation."""
    return text.lstrip().startswith(FIRST.rpartition(" ")[0])


def notation_of(lines: Sequence[dict[str, Any]]) -> str:
    """The notation of the lines of a log that was read."""
    first, *rest = lines
    steps = [step for step in rest if step.get("seat") or step.get("chance")]
    found = [FIRST, *(f"# {name} {_written(first[name])}" for name in HEAD if name in first)]
    if any(step.get("chance") and not step.get("supplied") for step in steps):
        found.append(f"# seed {first['seed']}")
    before = ""
    for step in steps:
        seat = step.get("seat")
        front = f"{seat}: " if seat else f"{TOLD if step.get('supplied') else DRAWN}{step['chance']}: "
        if not seat and front == before:
            found[-1] += f"{BETWEEN}{step['outcome']}"
        else:
            found.append(front + step["choose" if seat else "outcome"])
        before = front
    return "\n".join(found) + "\n"


def _written(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def lines_of_notation(source: Source) -> list[Line]:
    """The lines of the log that a notation is of. Raises `Fault` with `BrokenLog` at the first wrong one."""
    head: dict[str, Any] = {"rulewright": 1, "options": {}, "players": [], "seed": 0}
    lines: list[Line] = []
    texts = source.text.lstrip("\n").split("\n")
    skipped = source.text.count("\n") - (len(texts) - 1)
    # As of other logs, messages show no line: it may have what somebody is not to know.
    veil = Source(source.name, "…\n" * (len(texts) + skipped))
    for number, text in enumerate(texts, 1 + skipped):
        span = veil.span_of_line(number)
        if text.startswith("# "):
            if not lines:
                head |= _head(text, span)
        elif text.strip():
            lines += _steps(text.rstrip(), span)
    return [(head, veil.span_of_line(1 + skipped)), *lines]


def _head(text: str, span: Span) -> dict[str, Any]:
    """What a line of the head says."""
    if text.rstrip() == FIRST:
        return {}
    name, _, value = text.removeprefix("# ").partition(" ")
    if name not in (*HEAD, "seed"):
        raise Fault(BrokenLog(span, f"unknown part `{name}` of a notation", HINT))
    try:
        return {name: json.loads(value)}
    except (ValueError, RecursionError):
        raise Fault(BrokenLog(span, f"`{name}` is malformed", HINT)) from None


def _steps(text: str, span: Span) -> list[Line]:
    """A choice, or outcomes."""
    told, drawn = text.startswith(TOLD), text.startswith(DRAWN)
    name, colon, rest = text[2 * (told or drawn) :].partition(": ")
    if not colon or not name or not rest:
        raise Fault(BrokenLog(span, "this line is neither a choice nor a random outcome", HINT))
    if not (told or drawn):
        return [({"seat": name, "choose": rest, "hash": ""}, span)]
    return [
        ({"chance": name, "outcome": outcome, "supplied": told, "hash": ""}, span)
        for outcome in rest.split(BETWEEN)
    ]
