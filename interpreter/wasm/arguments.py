"""Errors for arguments that batches and steppers reject: Python's own exceptions, with a coded message."""

from __future__ import annotations

from operator import index

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from interpreter.wasm.messages import BadArgument

SEED = "a seed"
OF_GAME = "make the batch of a game"
EACH = "give one for each match"
STATES = "`Match.state` is one"
OPTIONS = "an option is a pair: what is done, and its value"
SAVED = "give what `save` has given"
SHOWN = 60
"""Characters of what was given that a message shows."""


class ArgumentTypeError(DiagnosticError, TypeError):
    """Something of another kind than is wanted."""


class ArgumentValueError(DiagnosticError, ValueError):
    """Something that is not possible here."""


class ArgumentIndexError(DiagnosticError, IndexError):
    """A match that there is not."""


def wrong_kind(what: str, hint: str) -> ArgumentTypeError:
    return ArgumentTypeError(BadArgument(NOWHERE, what, hint))


def not_possible(what: str, hint: str) -> ArgumentValueError:
    return ArgumentValueError(BadArgument(NOWHERE, what, hint))


def not_there(what: str, hint: str) -> ArgumentIndexError:
    return ArgumentIndexError(BadArgument(NOWHERE, what, hint))


def not_a_game(given: object) -> ArgumentTypeError:
    """The error for something that no batch is made of."""
    what = f"a batch is made of a game or a machine, not of {type(given).__name__}"
    return wrong_kind(what, 'give a game as `open_game("pig")` makes it')


def whole(given: object, what: str) -> int:
    """A whole number. Raises `ArgumentTypeError` for anything else, `what` says for what it was given."""
    try:
        return index(given)  # type: ignore[arg-type]
    except TypeError:
        raise not_whole(given, what) from None


def is_pair(given: object) -> bool:
    """Whether something is a pair of whole numbers."""
    return isinstance(given, tuple) and len(given) == 2 and all(hasattr(x, "__index__") for x in given)


def not_whole(given: object, what: str) -> ArgumentTypeError:
    """The error for something that is not a whole number."""
    return wrong_kind(f"{what} is a whole number, not {shown(given)}", "give an `int`")


def shown(given: object) -> str:
    """What was given, in one short line."""
    text = " ".join(repr(given).split())
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."
