"""The rulebook of a game for a number of seats, a setting of its options, and a language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from dsl import rules as r
from dsl.declare.labels import Labels, read_labels
from dsl.diagnostics import DiagnosticError, Report, did_you_mean
from dsl.document import read
from dsl.elaborate.templates import unknown_placeholders
from dsl.source import NOWHERE
from dsl.wording import quoted
from interpreter.compile.program import configure
from rulewright.library import find, folder, names_in
from rulewright.messages import NoSuchLanguage
from rulewright.rulebook.book import write_book
from rulewright.rulebook.document import Book
from rulewright.sentences.framed.grammars import GRAMMARS
from rulewright.sentences.names import Lexicon
from rulewright.sentences.partial_eval import Configuration


def configured_book(
    game: str, rules: r.Rules, seats: int | None, options: Mapping[str, str], lang: str | None = None
) -> Book:
    """The rulebook of a game for a configuration, in a language or else in that of the rules.

    Raises `DiagnosticError`.
    """
    if lang is None and rules.spoken is not None:
        lang = rules.language
    _, chosen = configure(rules, seats, options)
    rules = rules.configured(seats or rules.seats[1], chosen).in_first_language()
    spoken = rules
    if lang is not None and rules.language_for(lang) is not None:
        told = rules.in_language(lang)
        spoken = replace(
            told, labels=rules.labels, helps=rules.helps, nouns=rules.nouns, phrases=rules.phrases
        )
    lexicon = lexicon_of(game, spoken, lang)
    kept = frozenset(rules.nouns) & frozenset(rules.constants)
    return write_book(lexicon, Configuration(rules, seats, chosen, kept))


def lexicon_of(game: str, found: r.Rules, lang: str | None) -> Lexicon:
    """The lexicon of a language. Raises `DiagnosticError` if the game has no labels for it.

    Where its sentences are English, what has no words in that language keeps those of the first one.
    """
    if lang is None:
        return Lexicon(found, found.labels, found.helps, found.nouns, found.phrases, found.language)
    labels = _labels(game, found, lang)
    report = Report()
    for diagnostic in unknown_placeholders(labels, found):
        report.add(diagnostic)
    report.stop_on_errors()
    if lang.partition("-")[0].lower() in GRAMMARS:
        words = {**found.labels, **labels.names}
        return Lexicon(found, words, labels.helps, labels.nouns, labels.phrases, lang, labels.forms)
    named = labels.names.keys()
    nouns = {name: noun for name, noun in found.nouns.items() if name not in named} | labels.nouns
    phrases = {**found.phrases, **labels.phrases}
    return Lexicon(found, {**found.labels, **labels.names}, labels.helps, nouns, phrases, lang)


def _labels(game: str, rules: r.Rules, lang: str) -> Labels:
    """The labels of a language; none if only the clauses are in it."""
    path = find(game)
    known = [name.removesuffix(".yaml") for name in names_in(path, "labels", ".yaml")]
    if lang not in known and rules.language_for(lang) is not None:
        return Labels()
    if lang not in known:
        there = f"the languages are {quoted(known, 'and')}" if known else "the game has no labels"
        raise DiagnosticError(NoSuchLanguage(NOWHERE, lang, did_you_mean(lang, known) or there))
    return read_labels(read(folder(path).source(f"labels/{lang}.yaml")))
