"""Text for the forms of events, places and values, in the words of the new version."""

from __future__ import annotations

from typing import Any

from dsl.diagnostics import InternalError
from interpreter.event_notation import notation
from validators.diff.names import Form


def event_words(form: Form) -> str:
    """The notation of an event: `money of A: 3 -> 5`, `card: hand of A -> discard`.

    Of every change both values are written, since either may be what differs.
    """
    match form:
        case ("changed", where, old, new):
            return f"{address(where)}: {value(old)} -> {value(new)}"
    return notation(_named(form))


def _named(form: Form) -> list[Any]:
    """The form of an event as `Views.named` gives events."""
    match form:
        case ("moved", (component, _) as what, number, source, to):
            return ["moved", component, _piece(what), number, address(source), address(to)]
        case ("thrown", die, face, where):
            return ["thrown", die, value(face), where]
        case ("shown", seat, lying, _) if isinstance(lying, tuple):
            pieces = [[address(x[1]), value(x[0]), x[2]] for x in lying if isinstance(x, tuple)]
            return ["shown", seat, pieces]
        case ("told", seat, where, told, _):
            return ["told", seat, address(where), None if told is None else value(told)]
        case ("shuffled", where):
            return ["shuffled", address(where)]
        case ("ended",):
            return ["ended", None]
        case tuple():
            return list(form)
    raise InternalError(f"an event without a notation: {form}")


def _piece(form: Form) -> str:
    """A piece by its class; also by its component if the class is only a number."""
    assert isinstance(form, tuple)
    component, class_ = form
    return f"{component} {class_}" if f"{class_}".isdigit() else f"{class_}"


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
