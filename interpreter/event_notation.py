"""The notation of events, in the words of the rules, as scenarios and comparisons of versions have it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from interpreter.events import KINDS
from interpreter.formatting import UNSEEN

BY_NAME = {kind.name: kind for kind in KINDS.values()}


def notation(named: Sequence[Any], alone: Collection[str] = ()) -> str:
    """The line for an event as `Views.named` gives it: `money of A: 3 -> 5`, `card: hand of A -> discard`.

    A piece of a component that is `alone`, with one class only, is written as the component.
    """
    match named:
        case ["moved", component, class_, number, source, to]:
            hidden = class_ == UNSEEN
            piece = component if hidden or component in alone else class_
            several = f"{number} " if number > 1 or hidden else ""
            return f"{several}{piece}: {source} -> {to}"
        case ["changed", address, int(old), new]:
            return f"{address}: {old} -> {new}"
        case ["changed", address, _, new]:
            return f"{address}: {new}"
        case ["thrown", die, face, _]:
            return f"{die} is thrown" if face == UNSEEN else f"{die} shows {face}"
        case ["shown", None, [[place, class_, _]]]:
            return f"on top of {place}: {class_}"
        case ["shown", seat, None]:
            return f"{seat} is shown cards"
        case ["shown", seat, pieces]:
            classes = [class_ for _, class_, number in pieces for _ in range(number)]
            return f"{seat} is shown {', '.join(classes) or 'nothing'}"
        case ["told", seat, address, value]:
            told = f"{seat or 'everybody'} is shown {address}"
            return told if value is None else f"{told}: {value}"
        case ["ended", outcome]:
            return f"the game is over: {outcome}" if outcome else "the game is over"
        case ["branched", seat]:
            return f"{seat} goes on" if seat else "all have finished"
    kind = BY_NAME[named[0]]
    return kind.notation.format(**dict(zip(kind.fields, named[1:], strict=True)))
