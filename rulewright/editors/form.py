"""The form of the files of a ruleset: which files have one, and where one differs from it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from dsl.diagnostics import Diagnostic, DiagnosticError
from dsl.document import read
from dsl.folder import LARGEST_FILE
from dsl.grammar import parse_pieces
from dsl.source import Source, Span
from dsl.workspace.formatting import formatted
from dsl.workspace.yaml_form import formatted_yaml
from rulewright.files.reading import read_source
from rulewright.library import find
from rulewright.messages import NotFormatted

ENDINGS = (".rules", ".yaml")
"""The endings of files that have a form."""


def files_with_form(place: str) -> list[Path]:
    """The files of a place: one file, or those of a ruleset. Raises `DiagnosticError` if there is none."""
    path = Path(place)
    if path.suffix in ENDINGS and path.is_file():
        return [path]
    folder = find(place)
    inside = os.path.realpath(folder)  # what a link leads to elsewhere is not the ruleset's
    found = (each for ending in ENDINGS for each in folder.rglob(f"*{ending}"))
    return sorted(each for each in found if Path(os.path.realpath(each)).is_relative_to(inside))


def in_form(source: Source) -> str:
    """The text of a file in its form. What does not parse is left alone."""
    return formatted(source) if source.name.endswith(".rules") else formatted_yaml(source)


def unparsed(source: Source) -> tuple[Diagnostic, ...]:
    """What in a file does not parse, and so has no form."""
    if source.name.endswith(".rules"):
        return tuple(found.diagnostic for found in parse_pieces(source).broken)
    try:
        read(source)
    except DiagnosticError as failed:
        return (failed.diagnostic,)
    return ()


def differences(place: str) -> Iterator[Diagnostic]:
    """What `rulewright format` would change in the files of a place, one for each file."""
    for path in files_with_form(place):
        source = read_source(str(path), LARGEST_FILE)
        if (text := in_form(source)) != source.text:
            yield NotFormatted(first_change(source, text), str(path))


def first_change(source: Source, text: str) -> Span:
    """The first line of a file that would change."""
    new = text.split("\n")
    number = next((n for n, line in enumerate(source.text.split("\n")) if n >= len(new) or line != new[n]), 0)
    return source.span_of_line(number + 1)
