"""What becomes of saved matches, for people at a terminal: by kind and by cause, with examples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import click

from dsl.render import printable
from rulewright.versions.logs import Judged
from rulewright.versions.text import marked
from validators.diff.courses.parting import Parting
from validators.diff.courses.verdicts import KINDS, Divergence, Kind

EXAMPLES = 3
"""The most matches that are shown of one cause."""
WORDS: dict[Kind, tuple[str, str, str]] = {
    "unaffected": ("is unaffected", "are unaffected", "green"),
    "differs": ("plays on, but differs", "play on, but differ", "yellow"),
    "diverges": ("diverges", "diverge", "red"),
    "incomparable": ("cannot be compared", "cannot be compared", "red"),
}
"""What is said of one match and of several, and the colour."""


@dataclass(frozen=True, slots=True)
class Cause:
    """Why matches go another way: the place of a line, its clauses; or a code, or what differs."""

    place: str
    clauses: tuple[str, ...]
    text: str


def matches_report(judged: Sequence[Judged]) -> Iterator[str]:
    """How many there are of each kind, and the causes with the most matches first."""
    yield click.style(f"{len(judged)} saved match{'es' if len(judged) > 1 else ''}", bold=True)
    for kind in KINDS:
        found = [one for one in judged if one.kind == kind]
        if found:
            one, several, colour = WORDS[kind]
            said = one if len(found) == 1 else several
            yield f"  {click.style(f'{len(found)} {said}', fg=colour)}"
            if kind != "unaffected":
                yield from _causes(found)
    yield from _foreign(judged)


def _foreign(judged: Sequence[Judged]) -> Iterator[str]:
    number = sum(one.sealed == "neither" for one in judged)
    if number:
        verb = "was" if number == 1 else "were"
        yield f"  {number} of them {verb} written under other rules than these two"


def _causes(judged: Sequence[Judged]) -> Iterator[str]:
    groups: dict[Cause, list[Judged]] = {}
    for one in judged:
        groups.setdefault(cause(one), []).append(one)
    for found, matches in sorted(groups.items(), key=lambda pair: -len(pair[1])):
        text = f"    {len(matches)}: " + (f"at {found.place}" if found.place else found.text)
        yield marked(printable(text), len(text), found.clauses)
        yield from (f"      {printable(example(one))}" for one in matches[:EXAMPLES])
        if len(matches) > EXAMPLES:
            yield f"      … and {len(matches) - EXAMPLES} more"


def cause(one: Judged) -> Cause:
    """What matches of one cause have in common."""
    if one.mistake is not None:
        return Cause("", (), f"with {one.mistake.code}")
    found = one.divergence or one.parting
    assert found is not None
    if found.place:
        return Cause(found.place, found.clauses, "")
    return Cause("", found.clauses, found.why if isinstance(found, Divergence) else f"in {found.about}")


# ---- one match


def example(one: Judged) -> str:
    """Where a match goes another way, and how."""
    if one.mistake is not None:
        line = f", line {one.mistake.line}" if one.mistake.line is not None else ""
        return f"{one.log}{line}: {one.mistake.message}"
    if one.divergence is not None:
        earlier = _earlier(one.parting, one.divergence)
        return f"{one.log}, {diverging(one.divergence)}{earlier}"
    assert one.parting is not None
    return f"{one.log}, {differing(one.parting)}"


def diverging(found: Divergence) -> str:
    who = f"{found.seat} has `{found.choice}`, but " if found.choice else ""
    step = f"step {found.step}" if found.step else "set-up"
    version = "" if found.version == "new" else "under the old rules "
    return f"{step}: {who}{version}{found.why}"


def _earlier(parting: Parting | None, found: Divergence) -> str:
    if parting is None or parting.step >= found.step - 1:
        return ""
    return f"; differs {_after(parting)}: {what(parting)}"


def differing(found: Parting) -> str:
    return f"{_after(found)}: {what(found)}"


def _after(found: Parting) -> str:
    return f"after step {found.step}" if found.step else "at the start"


def what(found: Parting) -> str:
    """What differs, before and now."""
    why = f" ({found.why})" if found.why else ""
    if found.about.startswith("offers"):
        seat = found.about.removeprefix("offers to ")
        gone = f"{seat} is offered {found.old} no more" if found.old else ""
        come = f"{seat} is offered {found.new} now" if found.new else ""
        return "; ".join(part for part in (gone, come) if part) + why
    if found.about in ("events", "decisions"):
        return f"{found.old}; now {found.new}"
    return f"{found.about}: {found.old} -> {found.new}{why}"
