"""Entries of `allow` that allow nothing."""

from __future__ import annotations

from dataclasses import dataclass

from validators.findings import Finding


@dataclass(frozen=True)
class NothingToAllow(Finding):
    """An entry of `allow` names a finding that there is not.

    What it was written for has been mended, or its name has changed. It stays behind as a permission
    that nobody needs, and would hide the finding if it came back for another reason.

    Example:

        allow:
          - {finding: V304, about: trun, why: the deck runs out}      # the phase is called `turn`

    Take the entry out, or correct the name.
    """

    code = "V300"
    slug = "nothing-to-allow"
    title = "there is no finding {found} about `{about}` to allow"
    label = "this allows nothing"
    mend = "{hint}"

    found: str = ""
    hint: str = ""
