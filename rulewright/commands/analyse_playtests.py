"""`rulewright analyse --logs`: what records of playtests show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from dsl.load import load
from dsl.render import printable
from dsl.wording import counted
from rulewright.experiments.playtests_folder import FolderShown, shown_by
from rulewright.experiments.playtests_text import comparison_text, newest, summary_text, version_name
from rulewright.terminal.output import activity, complain, diagnostic_objects, echo_json
from rulewright.versions.revisions import open_version


def analyse_playtests(game: str, folder: Path, as_json: bool) -> int:
    """Says what the records of a folder show, and which cannot be read; the exit code."""
    with activity(f"compiling {game}"):
        rules, _ = load(open_version(game))
        shown = shown_by(folder, rules)
    if as_json:
        echo_json({**shown.as_json(), "unread": diagnostic_objects(shown.unread)})
    elif shown.total.matches:
        click.echo("\n".join(_text(shown)))
    if shown.unread:
        complain(list(shown.unread))
    return 1 if shown.unread else 0


def _text(shown: FolderShown) -> Iterator[str]:
    """What all records say, what differs between versions of the rules, and what those of each say."""
    rules, total, parts = shown.rules, shown.total, shown.versions
    of = f"{len(parts)} versions of the rules" if len(parts) > 1 else version_name(next(iter(parts)), rules)
    yield f"{rules.title}: {counted(total.matches, 'match')} of {of}"
    yield from _lines(newest(shown))
    for one in shown.comparisons:
        yield ""
        yield from _lines(comparison_text(one, rules))
    yield ""
    yield from _lines(summary_text(total, rules))
    for digest, part in parts.items() if len(parts) > 1 else ():
        yield f"\n{version_name(digest, rules)}: {counted(part.matches, 'match')}"
        yield from _lines(summary_text(part, rules, said=False))


def _lines(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        yield from map(printable, text.split("\n"))
