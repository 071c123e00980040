"""The rulesets from which inputs are made."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from random import Random

from dsl.diagnostics import DiagnosticError, ErrorsReported
from dsl.load import load
from dsl.rules import Rules
from rulewright.library import bundled, bundled_folder
from tests.fuzz.inputs import folder_of
from validators.mutate.generate import generate_mutants
from validators.mutate.mutant import Mutant, edited

TESTS = Path(__file__).resolve().parent.parent
LARGE = ("augustus", "constantinopolis", "roll_through_the_ages", "roma", "trajan")
READ = (".yaml", ".rules", ".csv")
Texts = Mapping[str, str]


def _texts(path: Path) -> dict[str, str]:
    """The files of a ruleset that may be read for its rules."""
    found = sorted(p for p in path.rglob("*") if p.suffix in READ and p.is_file())
    return {
        str(p.relative_to(path)): p.read_bytes().decode(errors="surrogateescape")
        for p in found
        if "scenarios" not in p.parts
    }


@cache
def games() -> dict[str, Texts]:
    """Rulesets that mean something: the bundled ones and those of the tests that can be played."""
    found = {name: _texts(bundled_folder() / name) for name in bundled()}
    for kind in ("generality", "diagnostics/runtime"):
        paths = sorted(p.parent for p in (TESTS / kind).glob("*/game.yaml"))
        found |= {f"{kind}/{p.name}": _texts(p) for p in paths if not _is_overlay(p)}
    return found


def _is_overlay(path: Path) -> bool:
    """Whether a ruleset needs another one, which lies elsewhere."""
    return "\noverlay:" in "\n" + (path / "game.yaml").read_text("utf-8")


@cache
def others() -> dict[str, Texts]:
    """Rulesets that have a mistake, or something strange about them."""
    found = {}
    for kind in ("diagnostics/load", "diagnostics/check"):
        for path in sorted(p.parent for p in (TESTS / kind).glob("*/game.yaml")):
            found[f"{kind}/{path.name}"] = _texts(path)
    return found


@cache
def rules_of(name: str) -> Rules:
    return load(folder_of(games()[name], name))[0]


@cache
def mutants_of(name: str) -> tuple[Mutant, ...]:
    """Every mutant by the project's own operators; none of a ruleset that cannot be loaded."""
    try:
        folder = folder_of(games()[name], name)
        return generate_mutants(load(folder)[0], folder)
    except (ErrorsReported, DiagnosticError):
        return ()


def mutated(name: str, mutant: Mutant) -> dict[str, str]:
    texts = dict(games()[name])
    texts[mutant.path] = edited(texts[mutant.path].replace("\r\n", "\n"), mutant.edits)
    return texts


def small_first(pick: Random, names: list[str]) -> str:
    """One of some rulesets; the large ones, which take longest, come up seldom."""
    name = pick.choice(names)
    return pick.choice(names) if name in LARGE and pick.random() < 0.6 else name
