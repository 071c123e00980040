"""The differences as text: compact, with colours; and what they mean for saved matches, with examples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import click

from dsl.render import printable
from dsl.rules import Clause
from dsl.wording import counted, plural
from rulewright.versions.logs import Judged
from rulewright.versions.matches import WORDS, blamed, cause, example
from validators.diff.changes import SECTIONS, Change, FactChange, LineEdit
from validators.diff.compare import Comparison
from validators.diff.log_replay.verdicts import KINDS

MARKS = 76
"""The column in which clause marks end, if there is room."""
WIDEST = 100
PARTS = 8
"""The largest number of added or removed parts that are listed."""
EXAMPLES = 3
"""The largest number of saved matches that are shown for a cause."""
SIGNS = {"added": "+", "removed": "-", "renamed": "~", "changed": "~"}
COLOURS = {"+": "green", "-": "red", "~": "yellow"}


def report(comparison: Comparison, names: tuple[str, str], by: str) -> Iterator[str]:
    """The report, by section or by clause."""
    yield click.style(printable(comparison.new.title), bold=True) + f": {names[0]} -> {names[1]}"
    if comparison.same:
        yield "no change in meaning"
        return
    yield from _by_clause(comparison) if by == "clause" else _by_section(comparison.changes)
    yield ""
    yield _summary(comparison)


def _summary(comparison: Comparison) -> str:
    verbs = Counter[str](change.verb for change in comparison.changes)
    return ", ".join(f"{counted(verbs[verb], 'thing')} {verb}" for verb in SIGNS if verbs[verb])


# ---- sections


def _by_section(changes: Sequence[Change]) -> Iterator[str]:
    for section, title in SECTIONS.items():
        found = [change for change in changes if change.section == section]
        if found:
            yield ""
            yield click.style(title, bold=True)
            for change in found:
                yield from _change(change)


def _by_clause(comparison: Comparison) -> Iterator[str]:
    for mark in (*comparison.clauses(), None):
        parts = [part for change in comparison.changes if (part := change.of_clause(mark)) is not None]
        if parts:
            yield ""
            yield click.style(_clause(comparison, mark), bold=True)
            for part in parts:
                yield from _change(part)


def _clause(comparison: Comparison, mark: str | None) -> str:
    if mark is None:
        return "no clause"
    clause: Clause | None = comparison.new.clauses.get(mark) or comparison.old.clauses.get(mark)
    return f"{mark} {clause.heading}".strip() if clause is not None else mark


# ---- one change


def _change(change: Change) -> Iterator[str]:
    """A headline, which includes the facts if they are short; then facts and lines."""
    sign = SIGNS[change.verb]
    head = f"{change.noun} {change.name}".strip()
    if change.was:
        head += f", once {change.was}"
    facts = [_fact(fact) for fact in change.facts]
    inline = "; ".join(facts)
    short = bool(facts) and not change.edits and len(head) + len(inline) < WIDEST and "\n" not in inline
    text = f"{head}: {inline}" if short else head
    yield marked(f"  {click.style(sign, fg=COLOURS[sign])} {printable(text)}", len(text) + 4, change.clauses)
    for fact in () if short else change.facts:
        yield from _long_fact(fact)
    yield from map(_edit, change.edits)


def _fact(fact: FactChange) -> str:
    """`cost 4 -> 5`, `cost 4`, `values - red + blue`; a colon precedes texts with blanks."""
    if fact.parts:
        signs = [f"{sign} {_parts(text)}" for sign, text in (("-", fact.old), ("+", fact.new)) if text]
        return f"{fact.what} {' '.join(signs)}"
    colon = ":" if " " in fact.old + fact.new else ""
    if not fact.old or not fact.new:
        return f"{fact.what}{colon} {fact.new or fact.old}"
    return f"{fact.what}{colon} {fact.old} -> {fact.new}"


def _parts(text: str) -> str:
    """The first parts, and the number of the others."""
    parts = text.split(", ")
    more = f", … and {len(parts) - PARTS} more" if len(parts) > PARTS + 1 else ""
    return ", ".join(parts[: PARTS if more else None]) + more


def _long_fact(fact: FactChange) -> Iterator[str]:
    """A fact on its own line; long texts on one line each."""
    text = _fact(fact)
    if fact.parts or len(text) < WIDEST:
        yield f"      {printable(text)}"
        return
    yield f"      {printable(fact.what)}"
    for sign, side in (("-", fact.old), ("+", fact.new)):
        if side:
            yield click.style(f"        {sign} {printable(side)}", fg=COLOURS[sign])


def _edit(edit: LineEdit) -> str:
    text = f"      {edit.sign} {'  ' * edit.depth}{printable(edit.text)}"
    return marked(click.style(text, fg=COLOURS[edit.sign]), len(text), edit.clauses)


def marked(text: str, width: int, clauses: Sequence[str]) -> str:
    """A text of `width` columns with the marks of its clauses on the right."""
    marks = " ".join(clauses)
    room = max(2, MARKS - width - len(marks))
    return f"{text}{' ' * room}{click.style(marks, fg='cyan')}" if marks else text


# ---- saved matches


def matches_report(judged: Sequence[Judged]) -> Iterator[str]:
    """The number of matches of each kind, and their causes, the most frequent first."""
    yield click.style(plural(len(judged), "saved match"), bold=True)
    for kind in KINDS:
        found = [one for one in judged if one.kind == kind]
        if found:
            one, several, colour = WORDS[kind]
            verdict = one if len(found) == 1 else several
            yield f"  {click.style(f'{len(found)} {verdict}', fg=colour)}"
            if kind != "unaffected":
                yield from _causes(found)
    yield from _foreign(judged)


def _foreign(judged: Sequence[Judged]) -> Iterator[str]:
    number = sum(one.sealed == "neither" for one in judged)
    if number:
        verb = "was" if number == 1 else "were"
        yield f"  {number} of them {verb} written under other rules than these two"


def _causes(judged: Sequence[Judged]) -> Iterator[str]:
    groups: dict[tuple[str, str], list[Judged]] = {}
    for one in judged:
        groups.setdefault(blamed(one), []).append(one)
    for (text, _), matches in sorted(groups.items(), key=lambda pair: -len(pair[1])):
        shown = f"    {len(matches)}: {text}"
        yield marked(printable(shown), len(shown), cause(matches[0]).clauses)
        yield from (f"      {printable(example(one))}" for one in matches[:EXAMPLES])
        if len(matches) > EXAMPLES:
            yield f"      … and {len(matches) - EXAMPLES} more"
