"""Entries of `allow` without a finding."""

from __future__ import annotations

from dataclasses import dataclass

from validators.check import Finding


@dataclass(frozen=True)
class NothingToAllow(Finding):
    """An entry of `allow` matches no finding.

    The finding has been resolved, or its name has changed. The entry is a leftover permission, and would
    hide the finding if it came back for another reason.

    Example:

        allow:
          - {finding: V304, about: trun, why: the deck runs out}      # the phase is called `turn`

    Remove the entry, or correct the name.
    """

    code = "V300"
    slug = "nothing-to-allow"
    title = "no finding {found} about `{about}` to allow"
    label = "unused entry"
    advice = "{hint}"

    found: str = ""
    hint: str = ""
