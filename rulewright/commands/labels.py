"""`rulewright labels`: what of a game is not said in a language, and files to fill in."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import click

from dsl import rules as r
from dsl.declare.languages import TAG
from dsl.diagnostics import DiagnosticError
from dsl.document import ANY_TRAP
from dsl.source import NOWHERE
from rulewright.library import read_rules
from rulewright.messages import NoSuchLanguage
from rulewright.terminal.output import activity, complain, echo_json
from rulewright.terminal.parameters import json_option, language_option, make_folder, named_path, write_new
from validators.checks.label_of_nothing import LabelOfNothing, labels_of_nothing, shown_names

NAME = re.compile(r"§?[^\W_][\w.]*")
FINDINGS = 1
"""The exit code where something is missing."""
NAMED = 8
"""The most names that are listed of each kind of text."""
WORDS = ("labels", "help", "nouns", "phrases")
"""The sections of a file of labels; all others are those of the rulebook file."""


class _Said(NamedTuple):
    """A text in the first language, where it stands (`clauses`, `§2`, `says`), and whether another has it."""

    section: str
    name: str
    key: str
    text: str
    translated: bool


@click.command(short_help="Say what of a game is not said in a language, and write files to fill in.")
@click.argument("game")
@language_option("The language: hu, ro, pt-BR, ...", required=True)
@click.option(
    "--into",
    "folder",
    callback=named_path,
    metavar="DIR",
    help="Write what is missing into a folder, as files to translate: labels.CODE.yaml, rulebook.CODE.yaml.",
)
@json_option
@click.pass_context
def labels(ctx: click.Context, game: str, language: str, folder: str | None, as_json: bool) -> None:
    """Say what of a game is not said in a language: labels, help texts, nouns and phrases, clauses, rulings.

    With --into it writes files that have what is missing, in the first language of the game: overwrite each
    text with its translation, and add them to the game's own files, or name them under `labels` and `clauses`
    of game.yaml. What is said of a name that the game does not have is never shown, and is reported (V324).
    The exit code is 1 if anything is missing or reported.

    \b
    Examples:
      rulewright labels GAME --language hu
      rulewright labels GAME --language hu --into to_translate
    """
    if not TAG.fullmatch(language):
        raise DiagnosticError(NoSuchLanguage(NOWHERE, language, "write a tag such as `hu` or `pt-BR`"))
    with activity(f"reading {game}"):
        rules = read_rules(game)[0]
    texts = list(_texts(rules, language))
    missing = [text for text in texts if not text.translated]
    if folder is not None:
        _write(Path(folder), language, missing)
    if as_json:
        echo_json([{"section": t.section, "name": t.name, "key": t.key, "text": t.text} for t in missing])
    else:
        click.echo("\n".join(_summary(texts, language)))
    unknown = _of_nothing(rules, language)
    if unknown:
        complain(unknown)
    if missing or unknown:
        ctx.exit(FINDINGS)


def _of_nothing(rules: r.Rules, language: str) -> list[LabelOfNothing]:
    """Labels, help texts, nouns and phrases of the language for names that the game does not have."""
    where = "" if language == rules.language else f" for `{language}`"
    return [one for one in labels_of_nothing(rules, shown_names(rules)) if one.language == where]


def _texts(rules: r.Rules, language: str) -> Iterator[_Said]:
    """All texts of the first language. A noun is not needed where there is a label, of a column its own."""
    shown = shown_names(rules)
    if language in (rules.language, *rules.translations):
        there = None if language == rules.language else rules.translations[language]
    else:
        there = r.Translation({}, {}, {}, {}, rules.span, texts=rules.translatable)
    found = (rules.labels, rules.helps) if there is None else (there.labels, there.helps)
    for section, ours, theirs in zip(WORDS[:2], (rules.labels, rules.helps), found, strict=True):
        for name, text in ours.items():
            if text and name in shown:
                yield _Said(section, name, "", text, name in theirs)
    known = {} if there is None else {**there.labels, **there.nouns}
    for name, text in rules.nouns.items():
        named = there is None or name in known or name.rpartition(".")[2] in known
        yield _Said("nouns", name, "", text, named)
    for name, text in rules.phrases.items():
        yield _Said("phrases", name, "", text, there is None or name in there.phrases)
    for one in rules.translatable if there is None else there.texts:
        is_said = bool(one.translated) or language == rules.clauses_in
        yield _Said(one.section, one.name, one.key, one.text, is_said)


def _summary(texts: Sequence[_Said], language: str) -> Iterator[str]:
    """A line for each kind of text."""
    kinds: dict[str, list[_Said]] = {}
    for text in texts:
        kind = " ".join((text.section, text.key.partition(".")[0])).strip()
        kinds.setdefault("provenance" if text.section == "provenance" else kind, []).append(text)
    width = max(map(len, kinds), default=0)
    for kind, all_of_it in kinds.items():
        names = list(dict.fromkeys(text.name for text in all_of_it if not text.translated))
        number = sum(not text.translated for text in all_of_it)
        rest = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
        listed = f": {', '.join(names[:NAMED])}{rest}" if names else ""
        yield f"{kind:<{width}}  {len(all_of_it) - number} of {len(all_of_it)} in `{language}`{listed}"


# ---- files to fill in


def _write(folder: Path, language: str, missing: Sequence[_Said]) -> None:
    """Raises `DiagnosticError` if a file is there, or cannot be written."""
    words = [text for text in missing if text.section in WORDS]
    clauses = [text for text in missing if text.section not in WORDS]
    make_folder(folder)
    for name, found in (("labels", words), ("rulebook", clauses)):
        if found:
            head = f"# Not said in `{language}` yet: overwrite each text with its translation."
            path = str(folder / f"{name}.{language}.yaml")
            write_new(path, "\n".join([head, *_yaml(found), ""]).encode())
            click.echo(f"{path}: {len(found)} texts", err=True)


def _yaml(texts: Sequence[_Said]) -> Iterator[str]:
    for section, of_section in groupby(texts, lambda text: text.section):
        if section != "labels":
            yield f"{section}:"
        for name, of_name in groupby(of_section, lambda text: text.name):
            if section in WORDS:
                yield f"{'  ' * (section != 'labels')}{_key(name)}: {_quoted(next(iter(of_name)).text)}"
            else:
                yield from _nested(name, [(text.key, text.text) for text in of_name])


def _nested(name: str, texts: Sequence[tuple[str, str]]) -> Iterator[str]:
    """The texts of a clause or ruling; keys such as `readings.both` lie below each other."""
    if [key for key, _ in texts] == [""]:
        yield f"  {_key(name)}: {_quoted(texts[0][1])}"
        return
    yield f"  {_key(name)}:"
    for first, group in groupby(texts, lambda text: text[0].partition(".")[0]):
        inner = list(group)
        if "." not in inner[0][0]:
            yield f"    {first}: {_quoted(inner[0][1])}"
            continue
        yield f"    {first}:"
        yield from (f"      {_key(key.partition('.')[2])}: {_quoted(text)}" for key, text in inner)


def _key(name: str) -> str:
    """A name as a key in YAML, in quotes if readers might take it for something else."""
    return _quoted(name) if ANY_TRAP.fullmatch(name) or not NAME.fullmatch(name) else name


def _quoted(text: str) -> str:
    """A text as YAML, on one line."""
    return json.dumps(" ".join(text.split()), ensure_ascii=False)
