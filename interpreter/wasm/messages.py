"""R277: what batches and steppers cannot take."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.diagnostics import Diagnostic


@dataclass(frozen=True)
class BadArgument(Diagnostic):
    """A batch of matches, or a stepper, was given something that it cannot take.

    Nothing has changed, and it works on. Seeds, matches, seats, nodes and actions are whole numbers, of
    Python or numpy; choices are an array of them with one for each match. An action is one that `masks`
    offers. The error is a `TypeError`, a `ValueError` or an `IndexError` of Python, too.
    """

    code = "R277"
    slug = "bad-argument"
    title = "{what}"
    advice = "{hint}"
    what: str
    hint: str
