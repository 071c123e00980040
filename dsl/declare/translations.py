"""Translations of the rulebook file: the texts of its clauses, and of rulings and `provenance`, in other
languages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

from dsl.declare.languages import clause_files
from dsl.declare.mapping_reader import entry
from dsl.declare.nodes import line, mapping, text as prose
from dsl.declare.rulebook import FACTS, FILE, read_rulebook
from dsl.declare.symbol_table import SymbolTable
from dsl.diagnostics import did_you_mean
from dsl.document import Mapping, Node, Scalar, Sequence, read
from dsl.messages.names import NothingToTranslate
from dsl.overlays import Layers, laid_over
from dsl.rules import NO_LANGUAGE, Rules, TranslatedText, Translation
from dsl.source import Span

OF_GAME = ("rulings", "provenance")
"""The texts of `game.yaml`: `rulings: {NAME: {readings, why}}`, `provenance: {OF: {STATUS: why}}`."""
NOT_TRANSLATED = ("rulebook", "texts")
SECTIONS = (*(key for key in FILE if key not in NOT_TRANSLATED), *OF_GAME)
DEPTH = 2
"""How deep a rulebook file is laid over another one: clauses key by key."""
MOST_HINTS = 20
"""The most mistakes for which similar names are searched."""
TextKey: TypeAlias = "tuple[str, str, str]"
"""Section, name and key of a text: `clauses`, `§2.1`, `says`."""


def read_rulebooks(symbols: SymbolTable, layers: Layers) -> dict[str, tuple[Mapping, Span]]:
    """The rulebook file of each language, overlays over their bases, and where `game.yaml` names it.

    The first is the default. A single file without a language belongs to it. Only the files of the default
    count for the digest. Raises `DiagnosticError`.
    """
    files = [file for layer in layers.texts for file in clause_files(layer)]
    default = next((file.language for file in files if file.language != NO_LANGUAGE), NO_LANGUAGE)
    found: dict[str, tuple[Mapping, Span]] = {}
    for file in files:
        language = default if file.language == NO_LANGUAGE else file.language
        path = symbols.folder.named_in(file.path.span.source, file.path.text)
        if language != default and path not in symbols.folder.files:
            symbols.folder.translations.add(path)
        text = mapping(read(symbols.open(file.path)), "the rulebook file")
        if language in found:
            text = laid_over(found[language][0], text, DEPTH)
        found[language] = text, file.path.span
    return {tag: found[tag] for tag in sorted(found, key=lambda tag: tag != default)}


def with_translated_clauses(symbols: SymbolTable, rules: Rules) -> Rules:
    """The rules with the clauses of each language, those of their own chosen. Mistakes are reported."""
    tags = list(symbols.rulebooks)
    default = tags[0] if tags and tags[0] != NO_LANGUAGE else rules.language
    own = default if rules.language == NO_LANGUAGE else rules.language
    base = _texts_of(next(iter(symbols.rulebooks.values()))[0]) if tags else ()
    before = {key: text for key, text in base if not _is_fact(key)} | dict(_texts_of_game(rules))
    first = Translation(
        {},
        {},
        {},
        {},
        rules.span,
        clauses=rules.clauses,
        options=rules.options,
        provenance=rules.provenance,
        brief=rules.brief,
        clauses_in=default,
        texts=_with_translations(before, {}),
    )
    found = {
        tag: symbols.attempt(_translation, symbols, rules, before, tag, first) or first for tag in tags[1:]
    }
    labels = {tag: first for tag in (default, *found) if tag != own} | rules.translations
    chosen = found.get(own, first)
    return replace(
        rules,
        language=own,
        clauses=chosen.clauses,
        options=chosen.options,
        provenance=chosen.provenance,
        brief=chosen.brief,
        clauses_in=chosen.clauses_in,
        translatable=first.texts,
        translations={tag: _joined(labels[tag], found.get(tag, first)) for tag in labels},
    )


def _joined(labels: Translation, clauses: Translation) -> Translation:
    """A translation of words, and one of clauses."""
    return replace(
        labels,
        clauses=clauses.clauses,
        options=clauses.options,
        provenance=clauses.provenance,
        brief=clauses.brief,
        clauses_in=clauses.clauses_in,
        texts=clauses.texts,
    )


def _translation(
    symbols: SymbolTable, rules: Rules, before: dict[TextKey, Scalar], language: str, first: Translation
) -> Translation:
    """The translation of clauses, rulings and `provenance`; the first if it has texts of nothing there is."""
    (base, _), (file, at) = next(iter(symbols.rulebooks.values())), symbols.rulebooks[language]
    reader = entry(symbols, file, f"the rulebook file for `{language}`", (*FILE, *OF_GAME))
    marks = {key.text: key.span for key, _ in reader.pairs("clauses")}
    texts = dict(_texts_of(file))
    if _strangers(symbols, texts, before):
        return first
    own = Mapping(tuple(pair for pair in file.pairs if pair[0].text not in OF_GAME), file.span)
    book = read_rulebook(symbols, laid_over(base, own, DEPTH))

    def said(section: str, name: str, key: str, text: str) -> str:
        translated = texts.get((section, name, key))
        read_one = line if section == "provenance" else prose
        return read_one(translated, f"`{key}` of `{name}`").text if translated is not None else text

    return Translation(
        {},
        {},
        {},
        {},
        at,
        clauses={mark: replace(it, span=marks.get(mark, it.span)) for mark, it in book.clauses.items()},
        options={
            name: replace(
                option,
                why=said("rulings", name, "why", option.why),
                readings={x: said("rulings", name, f"readings.{x}", t) for x, t in option.readings.items()},
            )
            for name, option in rules.options.items()
        },
        provenance=tuple(
            replace(one, why=said("provenance", one.of, str(one.status), one.why)) for one in rules.provenance
        ),
        brief=book.brief,
        clauses_in=language,
        texts=_with_translations(before, texts),
    )


def _with_translations(
    before: dict[TextKey, Scalar], after: dict[TextKey, Scalar]
) -> tuple[TranslatedText, ...]:
    """The texts that are not empty, with those of another language."""
    found = []
    for key, text in before.items():
        other = after.get(key)
        said, at = (other.text, other.span) if other is not None else ("", text.span)
        found += [TranslatedText(*key, text.text, said, at)] if text.text else []
    return tuple(found)


def _strangers(symbols: SymbolTable, texts: dict[TextKey, Scalar], known: dict[TextKey, Scalar]) -> bool:
    """Reports texts of what there is not: once for each name, or for each key of a name that there is."""
    strange = {key: text for key, text in texts.items() if key not in known}
    keys, names = defaultdict[tuple[str, str], list[str]](list), defaultdict[str, dict[str, None]](dict)
    for section, name, key in known if strange else ():
        keys[section, name].append(key)
        names[section][name] = None
    reported: set[TextKey] = set()
    for (section, name, key), text in strange.items():
        there = keys.get((section, name))
        place = section, name, key if there else ""
        if place in reported:
            continue
        reported.add(place)
        what = f"`{key}` of `{name}`" if there else f"`{name}` among the {section}"
        hint = "remove it: it is the same in every language" if there and _is_fact(place) else ""
        if not hint and len(reported) <= MOST_HINTS:
            hint = did_you_mean(key if there else name, there or names[section])
        symbols.fail(NothingToTranslate(text.span, what, hint or "correct the name, or remove it"))
    return bool(strange)


def _texts_of(file: Mapping) -> Iterator[tuple[TextKey, Scalar]]:
    """The texts of a rulebook file."""
    for section, value in file.pairs:
        if section.text in SECTIONS:
            for path, text in _leaves(value):
                yield (section.text, path[0] if path else "", ".".join(path[1:])), text


def _is_fact(key: TextKey) -> bool:
    return key[0] == "clauses" and key[2].partition(".")[0] in FACTS


def _texts_of_game(rules: Rules) -> Iterator[tuple[TextKey, Scalar]]:
    """The texts of rulings and `provenance`."""
    for name, option in rules.options.items():
        if option.readings:
            yield ("rulings", name, "why"), Scalar(option.why, option.span)
            for reading, text in option.readings.items():
                yield ("rulings", name, f"readings.{reading}"), Scalar(text, option.span)
    for one in rules.provenance:
        yield ("provenance", one.of, str(one.status)), Scalar(one.why, one.span)


def _leaves(node: Node) -> Iterator[tuple[tuple[str, ...], Scalar]]:
    """The texts in a node, with the keys that lead to them."""
    match node:
        case Scalar():
            yield (), node
        case Sequence(items=items):
            pairs = [(str(number), item) for number, item in enumerate(items, 1)]
        case Mapping():
            pairs = [(key.text, value) for key, value in node.pairs]
    if not isinstance(node, Scalar):
        for key, value in pairs:
            for path, text in _leaves(value):
                yield (key, *path), text
