"""Array arguments of batches, each checked before anything changes."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from interpreter.wasm.arguments import (
    EACH,
    ArgumentValueError,
    not_possible,
    not_there,
    shown,
    whole,
    wrong_kind,
)


def _array(given: object, what: str) -> npt.NDArray[Any]:
    """What was given as an array. Raises `ArgumentValueError` for lists of unequal lengths."""
    try:
        return np.asarray(given)
    except ValueError:
        raise not_possible(f"{what} are one list, not {shown(given)}", EACH) from None


def choices_of_all(given: npt.ArrayLike, n: int) -> npt.NDArray[np.integer]:
    """[n]: a choice for each match. Raises `ArgumentTypeError` or `ArgumentValueError`."""
    array = _array(given, "choices")
    if array.dtype.kind not in "iu":
        raise wrong_kind(f"choices are whole numbers, not {array.dtype}", "give an array of `int32`")
    if array.shape != (n,):
        raise not_possible(f"choices have the shape ({n},), not {array.shape}", EACH)
    return array


def truths_of_all(given: npt.ArrayLike, n: int) -> npt.NDArray[np.bool_]:
    """[n]: which matches continue. Raises `ArgumentValueError`."""
    array = _array(given, "matches that go on")
    if array.shape != (n,) or array.dtype != np.bool_:
        raise not_possible(f"which matches go on is an array of booleans of the shape ({n},)", EACH)
    return array


def not_offered(mask: npt.NDArray[np.uint8], match: int, action: int) -> ArgumentValueError:
    """The error for an action that the mask of a match does not offer."""
    offered = ", ".join(str(a) for a in np.flatnonzero(mask)[:12])
    what = f"action {action} is not offered in match {match}; offered: {offered or 'none'}"
    return not_possible(what, "`masks` has what is offered")


def match_number(given: object, n: int) -> int:
    """The number of one of `n` matches. Raises `ArgumentTypeError` or `ArgumentIndexError`."""
    number = whole(given, "a match")
    if not 0 <= number < n:
        raise not_there(f"there are matches 0 to {n - 1}, not {number}", "they are counted from 0")
    return number
