"""Array arguments of batches, each checked before anything changes."""

from __future__ import annotations

from collections.abc import Sequence
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


def whole_numbers(given: object, what: str) -> npt.NDArray[np.int64]:
    """An array of whole numbers. Raises `ArgumentTypeError` or `ArgumentValueError` for anything else."""
    array = _array(given, what)
    if array.dtype.kind not in "iu" and array.size:
        raise wrong_kind(
            f"{what} are whole numbers, not {shown(given)}", "give a list, or an array of `int64`"
        )
    return array.astype(np.int64)


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


def matches_with_seats(
    matches: npt.ArrayLike, seeds: Sequence[int], seats: npt.ArrayLike, n: int, of: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Some of `n` matches, and one of `of` seats for each, as many as there are seeds.

    Raises `ArgumentTypeError` or `ArgumentValueError`.
    """
    which, who = whole_numbers(matches, "matches"), whole_numbers(seats, "seats")
    if not isinstance(seeds, Sequence | np.ndarray) or isinstance(seeds, str | bytes):
        raise wrong_kind(f"seeds are a list of whole numbers, not {shown(seeds)}", "give one for each match")
    if not which.shape == who.shape == (len(seeds),):
        raise not_possible("matches, seeds and seats are lists of the same length", "give one of each")
    if not ((which >= 0) & (which < n) & (who >= 0) & (who < of)).all():
        raise not_possible(f"there are matches below {n} and seats below {of}", "they are counted from 0")
    return which, who


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
