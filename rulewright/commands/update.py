"""`rulewright update`: a ruleset of an older version of the language, rewritten."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from pathlib import Path

import click

from dsl.diagnostics import DiagnosticError, ErrorsReported
from dsl.folder import LARGEST_FILE
from dsl.grammar import parse
from dsl.load import load_for_questions
from dsl.overlays import GAME
from dsl.source import NOWHERE
from rulewright.files import durable
from rulewright.files.reading import read_source
from rulewright.files.rescue import writing
from rulewright.library import find, scenario_sources
from rulewright.messages import NotARuleset, NothingToUpdate
from rulewright.terminal.output import activity
from rulewright.updates.none_tests import replaced, with_tests
from rulewright.updates.rules import shown_to_one, updated
from rulewright.updates.scenarios import updated_scenarios
from rulewright.updates.version import says_its_version, with_version


@click.command(short_help="Rewrite a ruleset of an older version of the language.")
@click.argument("folder")
@click.option("--scenarios", "only", is_flag=True, help="Rewrite the scenarios alone.")
@click.option("--openly", is_flag=True, help="What is shown to one seat is shown openly, as it was before.")
@click.option("--write", "writes", is_flag=True, help="Change the files; without it, changes are shown.")
def update(folder: str, only: bool, openly: bool, writes: bool) -> None:
    """Rewrite a ruleset of an older version of the language, so that it means the same now.

    `language: 1` in game.yaml says that the rules are written in the language as it is since version 1: such
    rules are not rewritten. Where it is missing it is added, together with what follows.

    A number of pieces, `move 3 from deck to hand of me`, meant as many as there are, at most three. Now it
    means exactly three, and `move up to 3 from deck` is what it meant. Every such line gets `up to`; where
    exactly that many are meant, take it away again.

    Two values that may both be none are compared with a test, and a step that may lead beyond the last value
    is stored only if it exists (D043).

    `show deck to me` was told to all; now the others do not learn of it. Such lines are named; with --openly
    they get `openly`, as they were meant. That is for the author to say: what is told cannot be taken back.

    Of scenarios that do not hold, those are rewritten that hold then: outcomes of chance that nothing draws
    are removed, a position that is impossible is allowed, and pieces that were set for a zone as a whole lie
    on its first places, if it has places now. --scenarios leaves the rules as they are.

    \b
    Examples:
      rulewright update my_game
      rulewright update my_game --write
      rulewright update my_game --openly --write
      rulewright update my_game --scenarios --write
    """
    found = find(folder)
    if not (found / GAME).is_file():
        raise DiagnosticError(NotARuleset(NOWHERE, folder))
    game = read_source(str(found / GAME), LARGEST_FILE)
    is_old = not says_its_version(game)
    with activity(f"reading {folder}") as told:
        rules = _rules(found, openly) if is_old and not only else {}
        changed = rules | _scenarios(found, rules, told)
    if is_old and not only:
        if (text := with_version(game)) != game.text:
            changed[found / GAME] = text
        if not openly:
            _name_shows(found)
    if not changed:
        raise DiagnosticError(NothingToUpdate(NOWHERE, folder))
    for path, text in changed.items():
        if writes:
            with writing(path):
                durable.write(path, text.encode())
            click.echo(f"rewritten: {path}")
        else:
            old = read_source(str(path), LARGEST_FILE).text.splitlines()
            for line in difflib.unified_diff(old, text.splitlines(), str(path), str(path), "", "", 0, ""):
                click.echo(line)
    if not writes:
        click.echo("\nnothing is changed yet: `--write` changes the files")


def _name_shows(found: Path) -> None:
    """Name the lines that were told to all in an earlier version."""
    for path in sorted(found.rglob("*.rules")):
        for line in shown_to_one(parse(read_source(str(path), LARGEST_FILE))):
            said = " ".join(line.span.text.partition("§")[0].split())
            click.echo(
                f"{path}:{line.span.line}: the others do not learn of `{said}`, as they once did: "
                "`openly` tells them, --openly writes it",
                err=True,
            )


def _rules(found: Path, openly: bool) -> dict[Path, str]:
    """The new texts of the files of rules that change."""
    paths = sorted(found.rglob("*.rules"))
    sources = {path: read_source(str(path), LARGEST_FILE) for path in paths}
    texts = {path.relative_to(found).as_posix(): updated(source, openly) for path, source in sources.items()}
    tested = with_tests(found, texts)
    now = {found / inner: text for inner, text in tested.items()}
    return {path: text for path, text in now.items() if text != sources[path].text}


def _scenarios(found: Path, rules: dict[Path, str], told: Callable[[str], None]) -> dict[Path, str]:
    """The new texts of the files of scenarios that change; none while the rules have mistakes."""
    texts = {path.relative_to(found).as_posix(): text for path, text in rules.items()}
    try:
        typed, _, questions = load_for_questions(replaced(found, texts))
    except (ErrorsReported, DiagnosticError):
        return {}
    changed: dict[Path, str] = {}
    for source in scenario_sources(found, lambda diagnostic: None):
        told(f"playing {source.name}")
        text = updated_scenarios(source, typed, questions)
        if text != source.text:
            changed[found / "scenarios" / Path(source.name).name] = text
    return changed
