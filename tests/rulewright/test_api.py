"""The public Python API."""

from __future__ import annotations

import inspect
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import rulewright
from dsl.messages.game import NoSuchGame
from dsl.source import NOWHERE
from tests.games import EACH_TIME


def test_every_public_name_is_there() -> None:
    for name in rulewright.__all__:
        assert getattr(rulewright, name) is not None
    assert dir(rulewright) == sorted(rulewright.__all__)


def test_the_interface_is_the_one_that_is_promised(golden) -> None:
    """A changed line is a change for others: `docs/compatibility.md` says when it may be made."""
    golden(Path(__file__).parent / "interface.txt", "\n".join(interface()) + "\n")


def interface() -> Iterator[str]:
    """The public names with their parameters, and the methods and properties of classes."""
    for name in sorted(rulewright.__all__):
        thing = getattr(rulewright, name)
        assert inspect.getdoc(thing), f"{name} says nothing of itself"
        if not inspect.isclass(thing):
            yield f"{name}{inspect.signature(thing)}"
            continue
        yield f"class {name}({', '.join(inspect.signature(thing).parameters)})"
        for part, value in sorted(vars(thing).items()):
            found = value.__func__ if isinstance(value, classmethod | staticmethod) else value
            if part.startswith("_"):
                continue
            if inspect.isfunction(found):
                yield f"    {part}{inspect.signature(found)}"
            elif isinstance(value, property):
                yield f"    {part}"


def test_importing_is_quick() -> None:
    """Nothing of ours, and no library, is loaded before it is asked for."""
    command = "import sys, rulewright; print(sorted({m.split('.')[0] for m in sys.modules}))"
    root = Path(rulewright.__file__).resolve().parents[1]
    done = subprocess.run(
        [sys.executable, "-c", command], cwd=root, capture_output=True, text=True, check=True
    )
    assert not {"dsl", "interpreter", "validators", "click", "lark", "networkx"} & set(eval(done.stdout))


def test_an_unknown_name() -> None:
    with pytest.raises(AttributeError, match="`nonsense`"):
        _ = rulewright.nonsense


@pytest.mark.parametrize("name", sorted(rulewright.FORMER))
def test_names_of_earlier_releases_are_still_found(name: str) -> None:
    with pytest.warns(DeprecationWarning, match=f"`{name}` is now called `{rulewright.FORMER[name]}`"):
        assert getattr(rulewright, name) is getattr(rulewright, rulewright.FORMER[name])


def test_errors_have_their_diagnostic_by_its_former_name() -> None:
    wrong = NoSuchGame(NOWHERE, "x", "")
    for error in (rulewright.DiagnosticError(wrong), rulewright.Fault(wrong)):
        with pytest.warns(DeprecationWarning, match="`diagnostic`"):
            assert error.mistake is wrong


def test_a_match_as_the_docstring_plays_it() -> None:
    game = rulewright.open_game("roma")
    match = rulewright.Match(game, seed=7).start()
    while not match.over:
        decision = match.decisions()[-1]
        match.choose(decision.seat, decision.choices[-1].text)
    assert match.winners()
    assert [account.seat for account in match.accounts()][: game.machine.seats]


def test_check_is_silent_about_sound_games() -> None:
    for name in EACH_TIME[::4]:
        assert len(rulewright.check(name)) == 0
    with pytest.raises(rulewright.DiagnosticError):
        rulewright.check("nonsense")
