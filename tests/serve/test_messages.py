"""What people read when a server, or a match at it, cannot go on."""

from __future__ import annotations

import pytest

from dsl.diagnostics import Diagnostic
from dsl.source import NOWHERE
from rulewright.http.messages import PortTaken
from rulewright.serve import messages as said

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
    (
        said.NoSuchHost(NOWHERE, "nowhere", "name or service not known"),
        "the server cannot listen at `nowhere`: name or service not known",
        "`--host 127.0.0.1` for this computer alone, `--host 0.0.0.0` for all that reach it",
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
    (
        said.TooCostly(NOWHERE, "take too long"),
        "the rules of this game take too long",
        "nothing was changed; try again in a minute",
    ),
    (
        PortTaken(NOWHERE, "127.0.0.1", 80, "permission denied"),
        "the server cannot listen at 127.0.0.1:80: permission denied",
        "choose another port: `--port N`, or 0 for any free one",
    ),
    (
        said.DataInUse(NOWHERE, "tables"),
        "another server uses `tables`",
        "end it, use another folder with `--data`, or PostgreSQL with `--database`",
    ),
    (
        said.CannotUseData(NOWHERE, "tables", "no such folder"),
        "the data folder `tables` cannot be used: no such folder",
        "name another one with `--data DIR`",
    ),
    (
        said.BadSetting(NOWHERE, "--smtp", "…", "write `smtps://HOST`"),
        "`--smtp` cannot be `…`",
        "write `smtps://HOST`",
    ),
]


@pytest.mark.parametrize(("diagnostic", "message", "help_"), GOLDEN, ids=lambda x: getattr(x, "code", ""))
def test_golden(diagnostic: Diagnostic, message: str, help_: str) -> None:
    assert (diagnostic.message, diagnostic.help) == (message, help_)


def test_every_code_is_shown() -> None:
    kinds = [kind for kind in vars(said).values() if isinstance(kind, type) and kind is not Diagnostic]
    assert {type(diagnostic) for diagnostic, _, _ in GOLDEN} == {*kinds, PortTaken}
