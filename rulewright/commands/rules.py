"""`rulewright rules`: the rules of a game as a rulebook that people can play from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from dsl import rules as r
from dsl.declare.labels import Labels, read_labels
from dsl.diagnostics import DiagnosticError, Report, did_you_mean
from dsl.document import read
from dsl.elaborate.templates import unknown_placeholders
from dsl.source import NOWHERE
from dsl.wording import quoted
from interpreter.compile.program import configure
from rulewright.library import find, folder, names_in, read_rules
from rulewright.messages import NoSuchLanguage
from rulewright.parameters import language_option, print_or_write, reading_options, settings
from rulewright.rulebook.book import write_book
from rulewright.rulebook.document import Book
from rulewright.rulebook.html import html
from rulewright.rulebook.markdown import markdown
from rulewright.rulebook.names import Lexicon
from rulewright.rulebook.partial_eval import Configuration

WRITERS: dict[str, Callable[[Book], str]] = {"md": markdown, "html": html}
SUFFIXES = {".html": "html", ".htm": "html"}


@click.command(short_help="Write the rules as a rulebook.")
@click.argument("game")
@language_option("The labels to use (default: those that the game names).")
@click.option(
    "--format", "form", type=click.Choice(list(WRITERS)),
    help="How it is written (default: as the name of the file says, else md).",
)  # fmt: skip
@reading_options
@click.option("--into", metavar="FILE", help="The file to write (default: standard output).")
def rules(
    game: str,
    language: str | None,
    form: str | None,
    seats: int | None,
    options: tuple[str, ...],
    into: str | None,
) -> None:
    """Write the rules of a game as a rulebook.

    Everything is generated from the rules that the referee plays by: what there is, how the game begins,
    its phases and actions with their conditions, what each card does, the end, the rulings, and an index of
    the rulebook's clauses. With `--seats` it is written for that number of players, else for all.

    \b
    Examples:
      rulewright rules GAME
      rulewright rules GAME --seats 2 --into rules.html
      rulewright rules GAME --language hu --option NAME=VALUE
    """
    found, _ = read_rules(game)
    _, chosen = configure(found, seats, settings(options))
    found = found.configured(seats or found.seats[1], chosen)
    lexicon = lexicon_of(game, found, language)
    kept = frozenset(lexicon.nouns) & frozenset(found.constants)
    book = write_book(lexicon, Configuration(found, seats, chosen, kept))
    text = WRITERS[form or SUFFIXES.get(Path(into or "").suffix.lower(), "md")](book)
    print_or_write(into, text)


def lexicon_of(game: str, found: r.Rules, lang: str | None) -> Lexicon:
    """The lexicon of a language. Raises `DiagnosticError` if the game has no labels for it.

    What has no words in that language keeps those of the first one: the sentences are English anyway.
    """
    if lang is None:
        return Lexicon(found, found.labels, found.helps, found.nouns, found.phrases, found.language)
    labels = _labels(game, lang)
    report = Report()
    for diagnostic in unknown_placeholders(labels, found):
        report.add(diagnostic)
    report.stop_on_errors()
    named = labels.names.keys()
    nouns = {name: noun for name, noun in found.nouns.items() if name not in named} | labels.nouns
    phrases = {**found.phrases, **labels.phrases}
    return Lexicon(found, {**found.labels, **labels.names}, labels.helps, nouns, phrases, lang)


def _labels(game: str, lang: str) -> Labels:
    path = find(game)
    known = [name.removesuffix(".yaml") for name in names_in(path, "labels", ".yaml")]
    if lang not in known:
        there = f"the languages are {quoted(known, 'and')}" if known else "the game has no labels"
        raise DiagnosticError(NoSuchLanguage(NOWHERE, lang, did_you_mean(lang, known) or there))
    return read_labels(read(folder(path).source(f"labels/{lang}.yaml")))
