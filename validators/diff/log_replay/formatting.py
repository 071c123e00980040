"""Text for the forms of events, places and values, in the words of the new version."""

from __future__ import annotations

from dsl.diagnostics import InternalError
from validators.diff.names import Form


def event_words(form: Form) -> str:
    """The text of an event: `money of A: 3 -> 5`, `card: hand of A -> discard`."""
    match form:
        case ("moved", what, number, source, to):
            several = f"{number} " if number != 1 else ""
            return f"{several}{_piece(what)}: {address(source)} -> {address(to)}"
        case ("changed", where, old, new):
            return f"{address(where)}: {value(old)} -> {value(new)}"
        case ("thrown", die, face, _):
            return f"{die} shows {face}"
        case ("shown", seat, lying) if isinstance(lying, tuple):
            pieces = (f"{value(x[2])} {value(x[0])}" for x in lying if isinstance(x, tuple))
            return f"{seat} is shown {', '.join(pieces) or 'nothing'}"
        case ("shuffled", where):
            return f"{address(where)} is shuffled"
        case ("entered", phase):
            return f"phase {phase} begins"
        case ("turned", seat):
            return f"it is the turn of {seat}"
        case ("branched", None):
            return "all have finished"
        case ("branched", seat):
            return f"{seat} goes on"
        case ("ended",):
            return "the game is over"
    raise InternalError(f"an event without words: {form}")


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
