"""Finding and reading rulesets, bundled or by path.

The compiler is imported only when it is needed; a cached game does not need it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from os.path import isdir, isfile
from pathlib import Path
from typing import TYPE_CHECKING

from dsl.diagnostics import Diagnostic, DiagnosticError, Report, did_you_mean
from dsl.folder import BASE, LARGEST_FILE, MOST_FILES, Folder, Outside, decoded, overlaid
from dsl.messages import CannotRead, LeadsOutside, NoSuchGame, TooMuch
from dsl.source import NOWHERE, Source, Span
from interpreter.garbage import garbage_collection_paused
from rulewright.files.reading import TooMany, inner_file, inner_names, read_bytes, why_not
from rulewright.sentences.worded_game import worded_game

if TYPE_CHECKING:
    from dsl.declare.presets import ChosenPreset
    from dsl.rules import Rules
    from interpreter.game import ExecutorKind, Game


def bundled_folder() -> Path:
    """The folder of the bundled rulesets: next to the packages in a checkout, inside when installed."""
    beside = Path(__file__).resolve().parent.parent / "rulesets"
    return beside if beside.is_dir() else Path(__file__).resolve().parent / "rulesets"


def bundled() -> tuple[str, ...]:
    """The names of the bundled games."""
    return tuple(sorted(p.parent.name for p in bundled_folder().glob("*/game.yaml")))


def find(name: str) -> Path:
    """The folder of a game by name or path. Raises `DiagnosticError` if there is none."""
    path = Path(name)
    if name in bundled() and not isfile(path / "game.yaml"):
        return bundled_folder() / name
    if path.name == "game.yaml" and isfile(path):
        return path.parent
    if name and isdir(path):
        return path
    hint = (
        did_you_mean(name, bundled())
        or "`rulewright list` lists the bundled games, `rulewright new` makes one"
    )
    if isfile(path):
        hint = f"name the folder: `{path.parent}`"
    raise DiagnosticError(NoSuchGame(NOWHERE, name, hint))


def folder(path: Path, shown: str | None = None) -> Folder:
    """A ruleset's files, read from disk.

    In messages, files of bundled games are shown by the game's name, others by their path.
    """

    def fetch(inner: str) -> bytes:
        return inner_file(*layer(path, inner), LARGEST_FILE + 1)

    bundled_one = path.parent == bundled_folder()
    return Folder(shown or (path.name if bundled_one else str(path)), fetch)


def layer(path: Path, inner: str) -> tuple[Path, str]:
    """The folder in which a file of a ruleset lies, and its path there.

    `base/` leads into the game that an overlay changes: a folder beside it, or a bundled game, unless the
    ruleset has a folder `base` of its own. Raises `OSError` if there is none.
    """
    while inner.startswith(BASE) and not (path / BASE).is_dir():
        name = overlaid(inner_file(path, "game.yaml", LARGEST_FILE + 1))
        places = (path.resolve().parent / name, bundled_folder() / name) if name else ()
        found = next((place for place in places if (place / "game.yaml").is_file()), None)
        if found is None:
            raise FileNotFoundError(2, "there is no game under this overlay")
        path, inner = found, inner.removeprefix(BASE)
    return path, inner


def read_rules(name: str, small: str | None = None) -> tuple[Rules, Report]:
    """The typed rules of a game by name or path, with warnings. Raises `ErrorsReported` or `DiagnosticError`.

    `small` is a preset for a smaller game: its name, or the path of a file.
    """
    from dsl.load import load

    return load(folder(find(name)), wanted(small) if small is not None else None)


def in_language(rules: Rules, language: str | None) -> Rules:
    """The rules with the labels of a language, by default their own. Raises `DiagnosticError`."""
    from dsl.wording import quoted
    from rulewright.messages import NoSuchLanguage

    if language is None:
        return rules
    try:
        return rules.in_language(language)
    except KeyError:
        there = f"the languages are {quoted(rules.languages, 'and')}"
        if len(rules.languages) == 1:
            there = f"the only language is `{rules.language}`"
        hint = did_you_mean(language, rules.languages) or there
        raise DiagnosticError(NoSuchLanguage(NOWHERE, language, hint)) from None


def wanted(small: str) -> ChosenPreset:
    """A preset by name or file. Raises `DiagnosticError` if the file cannot be read."""
    from dsl.declare.presets import ChosenPreset, is_name

    if is_name(small):
        return ChosenPreset(small)
    return ChosenPreset(small, decoded(small, read_bytes(small, LARGEST_FILE)))


def open_game(
    name: str,
    seats: int | None = None,
    options: Mapping[str, str | int] | None = None,
    executor: ExecutorKind | None = None,
    small: str | None = None,
) -> Game:
    """A compiled game. Raises `ErrorsReported` or `DiagnosticError` if it has mistakes.

    Its matches are run by `executor`; where none is named, by the fast one, made for the first match. Only a
    game that is too large for a module has the reference executor then, with a `RuntimeWarning`.
    """
    with garbage_collection_paused():
        from interpreter.compile.program import compile_rules

        rules, _ = read_rules(name, small)
        return worded_game(rules, compile_rules(rules, seats, options), executor)


def scenario_sources(path: Path, refused: Callable[[Diagnostic], None] | None = None) -> list[Source]:
    """The scenario files of a ruleset, sorted by name.

    Calls `refused` with the diagnostic of a file that cannot be read; without it, raises `DiagnosticError`.
    """
    reader, found = folder(path), []
    for name in names_in(path, "scenarios", ".yaml"):
        try:
            found.append(reader.source(f"scenarios/{name}"))
        except DiagnosticError as failed:
            if refused is None:
                raise
            refused(failed.diagnostic)
    return found


def names_in(path: Path, inner: str, ending: str) -> list[str]:
    """The sorted names in a folder of a ruleset with an ending.

    Raises `DiagnosticError` if it cannot be listed.
    """
    shown = f"{folder(path).name}/{inner}"
    at = Span(Source(shown, ""), 0, 0)
    try:
        return inner_names(path, inner, ending, MOST_FILES)
    except Outside:
        raise DiagnosticError(LeadsOutside(at, shown)) from None
    except TooMany:
        raise DiagnosticError(TooMuch(at, shown, MOST_FILES, "files")) from None
    except OSError as error:
        raise DiagnosticError(CannotRead(at, shown, why_not(error))) from None


def files_of(path: Path) -> dict[str, bytes]:
    """All files that are read to load a ruleset, with what it looks like and is about, by path in the folder.

    Raises `ErrorsReported` or `DiagnosticError` if the ruleset has mistakes.
    """
    from dsl.load import load

    reader = folder(path)
    load(reader)
    return reader.files | reader.looks


def source_beside(path: Path, name: str) -> Source | None:
    """An optional file of a ruleset, None if it does not exist.

    Raises `DiagnosticError` if it cannot be read.
    """
    return folder(path).source(name) if os.path.lexists(path / name) else None
