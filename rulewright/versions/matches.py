"""Saved matches under two versions, in words: verdicts, causes, and the first difference."""

from __future__ import annotations

from collections import Counter
from typing import assert_never

from rulewright.versions.logs import Judged
from validators.diff.log_replay.attribution import NO_CAUSE, Cause
from validators.diff.log_replay.first_difference import FirstDifference
from validators.diff.log_replay.verdicts import Divergence, VerdictKind

MOST = 3
"""The largest number of changes named as a cause."""
LONG = 90
"""Longer texts are shortened, or only their differences are shown."""
WORDS: dict[VerdictKind, tuple[str, str, str]] = {
    "unaffected": ("is unaffected", "are unaffected", "green"),
    "differs": ("plays on, but differs", "play on, but differ", "yellow"),
    "diverges": ("diverges", "diverge", "red"),
    "incomparable": ("cannot be compared", "cannot be compared", "red"),
}
"""The text for one match and for several, and the colour."""


def cause(one: Judged) -> Cause:
    """The cause of the first difference of a match, if it is known."""
    found = one.divergence or one.parting
    return found.cause if found is not None else NO_CAUSE


def blamed(one: Judged) -> tuple[str, str]:
    """The cause as text (changes and line, or a code), and its clauses. Matches are grouped by it."""
    found = cause(one)
    place = found.place.rpartition(":")[0]
    changes = ", ".join(found.changes[:MOST])
    more = f" and {len(found.changes) - MOST} more" if len(found.changes) > MOST else ""
    parts = [f"{changes}{more}" if changes else "", f"at {place}" if place else ""]
    text = ", ".join(part for part in parts if part)
    if one.diagnostic is not None:
        text = f"with {one.diagnostic.code}"
    return text or "for no single line", " ".join(found.clauses)


# ---- one match


def example(one: Judged) -> str:
    """Where a match differs, and how."""
    if one.diagnostic is not None:
        line = f", line {one.diagnostic.line}" if one.diagnostic.line is not None else ""
        return f"{one.log}{line}: {one.diagnostic.message}"
    if one.divergence is not None:
        return f"{one.log}, {diverging(one.divergence)}{_earlier(one.parting, one.divergence)}"
    assert one.parting is not None
    return f"{one.log}, {differing(one.parting)}"


def diverging(found: Divergence) -> str:
    who = f"{found.seat} chose" if found.seat else f"`{found.stream}` brought"
    who = f"{who} `{found.choice}`, but " if found.choice else ""
    step = f"step {found.step}" if found.step else "set-up"
    version = "" if found.version == "new" else "under the old rules "
    return f"{step}: {who}{version}{found.why}"


def _earlier(parting: FirstDifference | None, found: Divergence) -> str:
    if parting is None or parting.step >= found.step - 1:
        return ""
    return f"; differs {differing(parting)}"


def differing(found: FirstDifference) -> str:
    when = f"after step {found.step}" if found.step else "at the start"
    return f"{when}: {what(found)}"


def what(found: FirstDifference) -> str:
    """The difference, before and now."""
    match found.about:
        case "events":
            return _events(found)
        case "decisions":
            return f"{found.old}; now {found.new}"
        case "offers":
            return _offers(found)
        case "table" | "account":
            return f"{found.what}: {_contrast(found.old, found.new)}"
    assert_never(found.about)


def _events(found: FirstDifference) -> str:
    if not found.old:
        return f"`{_cut(found.new)}` happens too"
    if not found.new:
        return f"`{_cut(found.old)}` does not happen"
    old, _, before = found.old.partition(": ")
    new, _, now = found.new.partition(": ")
    if old == new and before and now:
        return f"{old}: {before}; now {now}"
    if len(found.old) < LONG:
        return f"`{_cut(found.old)}` is `{_cut(found.new)}` now"
    return f"{_cut(found.old)}; now {_contrast(found.old, found.new)}"


def _offers(found: FirstDifference) -> str:
    why = f" ({found.why})" if found.why else ""
    gone = f"{found.what} is offered {_cut(found.old)} no more" if found.old else ""
    come = f"{found.what} is offered {_cut(found.new)} now" if found.new else ""
    return "; ".join(part for part in (gone, come) if part) + why


def _contrast(old: str, new: str) -> str:
    """Before and now; for long lists, only what was removed and added."""
    if len(old) + len(new) < LONG:
        return f"{old} -> {new}"
    before, now = Counter(old.split(", ")), Counter(new.split(", "))
    gone, come = (", ".join((x - y).elements()) for x, y in ((before, now), (now, before)))
    return _cut(" and ".join(part for part in (gone and f"without {gone}", come and f"with {come}") if part))


def _cut(text: str) -> str:
    return text if len(text) <= LONG else f"{text[: LONG - 1]}…"
