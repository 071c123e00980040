"""What people read when a match at a server cannot go on."""

from __future__ import annotations

import pytest

from dsl.diagnostics import Diagnostic
from dsl.source import NOWHERE
from rulewright.serve import messages_of_matches as said

GOLDEN: list[tuple[Diagnostic, str, str]] = [
    (
        said.NewerStore(NOWHERE, 3, 1),
        "the database has schema 3, this version knows up to 1",
        "use the newer version of the program, or another database",
    ),
    (
        said.CannotOpenStore(NOWHERE, "unable to open database file"),
        "the database cannot be opened: unable to open database file",
        "write a path, or `postgresql://USER@HOST/DATABASE`",
    ),
    (
        said.NotKept(NOWHERE),
        "the change could not be kept",
        "try again; the same request is never carried out twice",
    ),
    (said.NoSuchMatch(NOWHERE, "abc"), "there is no match `abc`", "check the link"),
    (
        said.Stale(NOWHERE, 3, 5),
        "the position has changed: 3 was seen, it is 5 now",
        "look at the position again",
    ),
    (said.NotNow(NOWHERE, "the match is over"), "the match is over", ""),
    (
        said.SeatTaken(NOWHERE, "A", "somebody has taken it"),
        "seat A cannot be taken: somebody has taken it",
        "ask for another seat, or for a new link",
    ),
    (
        said.BadTable(NOWHERE, "there is no bot `wise`", "a bot is one of random"),
        "there is no bot `wise`",
        "a bot is one of random",
    ),
    (
        said.NeedsOutcome(NOWHERE, "dice", "1, 2, 3"),
        "`dice` brings one of 1, 2, 3: which?",
        "tell the referee",
    ),
    (
        said.NotPossible(NOWHERE, "7", "dice"),
        "`7` is not a possible answer for `dice`",
        "tell one of those that are offered",
    ),
    (
        said.BrokenMatch(NOWHERE, "abc", 7, "the position differs"),
        "match `abc` cannot be replayed at row 7: the position differs",
        "please report this, with the log",
    ),
]


@pytest.mark.parametrize(("diagnostic", "message", "help_"), GOLDEN, ids=lambda x: getattr(x, "code", ""))
def test_golden(diagnostic: Diagnostic, message: str, help_: str) -> None:
    assert (diagnostic.message, diagnostic.help) == (message, help_)


def test_every_code_is_shown() -> None:
    kinds = [kind for kind in vars(said).values() if isinstance(kind, type) and kind is not Diagnostic]
    assert {type(diagnostic) for diagnostic, _, _ in GOLDEN} == set(kinds)
