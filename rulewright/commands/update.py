"""`rulewright update`: a ruleset of an older version of the language, rewritten."""

from __future__ import annotations

import difflib
from pathlib import Path

import click

from dsl.diagnostics import DiagnosticError, ErrorsReported
from dsl.folder import LARGEST_FILE
from dsl.load import load_for_questions
from dsl.source import NOWHERE
from rulewright import durable
from rulewright.library import find, scenario_sources
from rulewright.messages import CannotWrite, NotARuleset, NothingToUpdate
from rulewright.none_tests import replaced, with_tests
from rulewright.reading import read_source, why_not
from rulewright.scenario_updates import updated_scenarios
from rulewright.updating import updated


@click.command(short_help="Rewrite a ruleset of an older version of the language.")
@click.argument("folder")
@click.option("--scenarios", "only", is_flag=True, help="Rewrite the scenarios alone.")
@click.option("--write", "writes", is_flag=True, help="Change the files; without it, changes are shown.")
def update(folder: str, only: bool, writes: bool) -> None:
    """Rewrite a ruleset of an older version of the language, so that it means the same now.

    A number of pieces, `move 3 from deck to hand of me`, meant as many as there are, at most three. Now it
    means exactly three, and `move up to 3 from deck` is what it meant. Every such line gets `up to`; where
    exactly that many are meant, take it away again.

    Two values that may both be none are compared with a test, and a step that may lead beyond the last value
    is stored only if it exists (D043).

    Of scenarios that do not hold, those are rewritten that hold then: outcomes of chance that nothing draws
    are removed, a position that is impossible is allowed, and pieces that were set for a zone as a whole lie
    on its first places, if it has places now. --scenarios leaves the rules as they are.

    \b
    Examples:
      rulewright update my_game
      rulewright update my_game --write
      rulewright update my_game --scenarios --write
    """
    found = find(folder)
    if not (found / "game.yaml").is_file():
        raise DiagnosticError(NotARuleset(NOWHERE, folder))
    rules = {} if only else _rules(found)
    changed = rules | _scenarios(found, rules)
    if not changed:
        raise DiagnosticError(NothingToUpdate(NOWHERE, folder))
    for path, text in changed.items():
        if writes:
            _write(path, text)
            click.echo(f"rewritten: {path}")
        else:
            old = read_source(str(path), LARGEST_FILE).text.splitlines()
            for line in difflib.unified_diff(old, text.splitlines(), str(path), str(path), "", "", 0, ""):
                click.echo(line)
    if not writes:
        click.echo("\nnothing is changed yet: `--write` changes the files")


def _rules(found: Path) -> dict[Path, str]:
    """The new texts of the files of rules that change."""
    paths = sorted(found.rglob("*.rules"))
    sources = {path: read_source(str(path), LARGEST_FILE) for path in paths}
    texts = {path.relative_to(found).as_posix(): updated(source) for path, source in sources.items()}
    tested = with_tests(found, texts)
    now = {found / inner: text for inner, text in tested.items()}
    return {path: text for path, text in now.items() if text != sources[path].text}


def _scenarios(found: Path, rules: dict[Path, str]) -> dict[Path, str]:
    """The new texts of the files of scenarios that change; none while the rules have mistakes."""
    texts = {path.relative_to(found).as_posix(): text for path, text in rules.items()}
    try:
        typed, _, questions = load_for_questions(replaced(found, texts))
    except (ErrorsReported, DiagnosticError):
        return {}
    changed: dict[Path, str] = {}
    for source in scenario_sources(found, lambda diagnostic: None):
        text = updated_scenarios(source, typed, questions)
        if text != source.text:
            changed[found / "scenarios" / Path(source.name).name] = text
    return changed


def _write(path: Path, text: str) -> None:
    try:
        durable.write(path, text.encode())
    except OSError as error:
        raise DiagnosticError(CannotWrite(NOWHERE, str(path), why_not(error))) from None
