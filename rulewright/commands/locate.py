"""`rulewright locate`: the sentences of a rulebook's text, with what is needed to locate clauses in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import click

from dsl.diagnostics import DiagnosticError
from dsl.folder import LARGEST_FILE
from dsl.rules import Rules
from dsl.source import NOWHERE, Source
from dsl.wording import counted
from rulewright.files.reading import read_source
from rulewright.library import read_rules
from rulewright.terminal.output import activity, echo_json
from rulewright.terminal.parameters import json_option, language_option
from validators.trace.alignment import Alignment, align
from validators.trace.claims import Claims, numbers_as_ranges
from validators.trace.fingerprints import fingerprint
from validators.trace.messages import UnknownLanguage
from validators.trace.sentences import Sentence, sentences
from validators.trace.texts import text_named

PER_LINE = 6
LANGUAGE_CODE = 3


@dataclass(frozen=True)
class Located:
    """The sentences of a text; for a game, also the positions of its clauses in it."""

    source: Source
    sentences: tuple[Sentence, ...]
    marks: tuple[str, ...]
    rules: Rules | None = None
    alignment: Alignment | None = None
    claims: Claims | None = None


@click.command(short_help="Number the sentences of a rulebook's text.")
@click.argument("file")
@language_option("The language: hu, ro, en, ...", required=True)
@click.option("--for", "game", metavar="GAME", help="Show which clauses of a game claim each sentence.")
@click.option(
    "--text",
    "name",
    metavar="NAME",
    help="Which of the game's texts this is; default: the only one, or the one of the language.",
)
@click.option(
    "--yaml",
    "as_yaml",
    is_flag=True,
    help="Print what goes into the rulebook file: fingerprints, and places that have moved.",
)
@click.option("--unclaimed", is_flag=True, help="With --for: only sentences that no clause claims.")
@json_option
def locate(
    file: str,
    language: str,
    game: str | None,
    name: str | None,
    as_yaml: bool,
    unclaimed: bool,
    as_json: bool,
) -> None:
    """Number the sentences of a rulebook's text, with their fingerprints.

    The numbers go into `at` of the clauses in `rulebook.yaml`, the fingerprints into its `texts`. No
    sentence has to be copied: a fingerprint tells whether a sentence still reads as it did, and which one is
    most like it, but reveals nothing.

    With --for, each sentence shows the clauses that claim it. If the text is of another edition than the
    one that was located, the clauses are carried over as far as their sentences can be found again.

    \b
    Examples:
      rulewright locate rules.txt --language hu
      rulewright locate rules.txt --language hu --yaml
      rulewright locate rules.txt --language hu --for my_game --unclaimed
    """
    if unclaimed and game is None:
        raise click.UsageError("--unclaimed needs a game: name it with --for")
    with activity(f"reading {file}"):
        found = _located(file, language, game, name)
    if as_json:
        echo_json(_object(found, unclaimed))
    elif as_yaml:
        click.echo(_yaml(found, name or language, language))
    else:
        _show(found, unclaimed)


def _located(file: str, language: str, game: str | None, name: str | None) -> Located:
    if not (language.isalpha() and language.islower() and 2 <= len(language) <= LANGUAGE_CODE):
        raise DiagnosticError(UnknownLanguage(NOWHERE, language))
    source = read_source(file, LARGEST_FILE)
    found = sentences(source, language)
    marks = tuple(fingerprint(sentence.text) for sentence in found)
    if game is None:
        return Located(source, found, marks)
    rules, _ = read_rules(game)
    text = text_named(rules, name, language)
    alignment = align(text.fingerprints, marks) if text.fingerprints else None
    return Located(source, found, marks, rules, alignment, Claims.of(rules, text.name, alignment))


# ---- output


def _show(found: Located, unclaimed: bool) -> None:
    shown = [sentence for sentence in found.sentences if not (unclaimed and _clauses(found, sentence.number))]
    for sentence in shown:
        click.echo(_line(found, sentence))
    click.echo(f"\n{_summary(found)}", err=True)


def _line(found: Located, sentence: Sentence) -> str:
    line = sentence.span.line
    marks = " ".join(_clauses(found, sentence.number))
    clauses = (
        f"{click.style(marks or 'unclaimed', fg='cyan' if marks else 'yellow')}  " if found.claims else ""
    )
    number = click.style(f"{sentence.number:>4}", bold=True)
    return f"{number}  {found.marks[sentence.number - 1]}  line {line:<4} {clauses}{sentence.text}"


def _clauses(found: Located, number: int) -> tuple[str, ...]:
    return found.claims.of_sentence(number) if found.claims is not None else ()


def _summary(found: Located) -> str:
    total = counted(len(found.sentences), "sentence")
    if found.claims is None:
        return total
    free = sum(not _clauses(found, sentence.number) for sentence in found.sentences)
    return f"{total}, {free} of them claimed by no clause" if free else f"{total}, all claimed by a clause"


def _object(found: Located, unclaimed: bool) -> list[dict[str, object]]:
    return [
        {
            "number": sentence.number,
            "place": sentence.span.place,
            "fingerprint": found.marks[sentence.number - 1],
            "text": sentence.text,
            **({"clauses": list(_clauses(found, sentence.number))} if found.claims is not None else {}),
        }
        for sentence in found.sentences
        if not (unclaimed and _clauses(found, sentence.number))
    ]


# ---- output for the rulebook file


def _yaml(found: Located, name: str, language: str) -> str:
    lines = ["texts:", f"  {name}:", f"    language: {language}"]
    lines += ["    fingerprints: >-", *_wrapped(found.marks)]
    moved = _moved_places(found, name)
    if moved:
        lines += ["", "# clauses whose sentences have other numbers now:", *moved]
    return "\n".join(lines)


def _wrapped(marks: Sequence[str]) -> list[str]:
    return ["      " + " ".join(marks[at : at + PER_LINE]) for at in range(0, len(marks), PER_LINE)]


def _moved_places(found: Located, name: str) -> list[str]:
    if found.claims is None or found.rules is None:
        return []
    return [
        f"  {clause.id}: at: {{{name}: {numbers_as_ranges(now)}}}"
        for clause in found.rules.clauses.values()
        for now in [found.claims.of_clause(clause.id)]
        if now and now != tuple(sorted(clause.at.get(found.claims.text, ())))
    ]
