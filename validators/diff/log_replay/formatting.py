"""Text for the forms of events, places and values, in the words of the new version."""

from __future__ import annotations

from typing import Any

from interpreter.event_notation import notation
from interpreter.events import KINDS, FieldRole
from validators.diff.names import Form

FIELDS = {kind.name: tuple(kind.fields.values()) for kind in KINDS.values()}


def event_words(form: Form) -> str:
    """The notation of an event: `money of A: 3 -> 5`, `card: hand of A -> discard`.

    Of every change both values are written, since either may be what differs.
    """
    assert isinstance(form, tuple)
    name, *parts = form
    if name == "changed":
        where, old, new = parts
        return f"{address(where)}: {value(old)} -> {value(new)}"
    named = [_named(role, part) for role, part in zip(FIELDS[f"{name}"], parts, strict=False)]
    if name == "moved" and named[1].isdigit():
        named[1] = f"{named[0]} {named[1]}"
    return notation([name, *named])


def _named(role: FieldRole, part: Form) -> Any:
    """A field as `Views.named` gives it."""
    match role, part:
        case _, None:
            return None
        case ((FieldRole.PLACE | FieldRole.WORD), _):
            return address(part)
        case ((FieldRole.CLASS | FieldRole.VALUE), _):
            return value(part)
        case FieldRole.PIECES, tuple():
            return [
                [address(piece[1]), value(piece[0]), piece[2]] for piece in part if isinstance(piece, tuple)
            ]
    return part


def address(key: Form) -> str:
    """`hand of A`, `slot of A at 3`; pieces without a source, such as dice, come from `the air`."""
    match key:
        case (name, of, at):
            return " ".join(part for part in (f"{name}", of and f"of {of}", at and f"at {at}") if part)
        case None:
            return "the air"
    return f"{key}"


def value(form: Form) -> str:
    """The text of a value; of a piece its class."""
    match form:
        case None:
            return "none"
        case bool():
            return str(form).lower()
        case ("value", _, name):
            return f"{name}"
        case (what, (_, _, _)):
            return f"{what}"
    return str(form)


def lying(form: Form) -> str:
    """The pieces at an address and who sees them, or the value there."""
    match form:
        case None:
            return "nothing"
        case (seen, counted, pieces, number) if isinstance(seen, tuple):
            if not seen:
                return f"{number} unseen" if counted else "unknown"
            what = ", ".join(map(value, pieces)) if isinstance(pieces, tuple) else value(pieces)
            return f"{what}, seen by {_watchers(seen)}"
    return value(form)


def _watchers(seen: tuple[Form, ...]) -> str:
    return "all" if "spectators" in seen else " and ".join(map(str, seen))
