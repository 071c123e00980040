"""What must be done may be done, what may be done must be, what may be done again is done once."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dsl import syntax as s
from dsl.document import Mapping
from dsl.source import Span
from validators.mutate.mutant import TextEdit
from validators.mutate.operator import Operator, bracketed
from validators.mutate.sites import Declared, MutationSite, Written

FORMS = (
    (r"may\s+keep\s+choosing", "may choose", "may choose"),
    (r"may\s+keep\s+doing", "may do", "may do"),
    (r"may\s+choose", "choose", "chooses"),
    (r"may\s+do", "do", "does"),
    (r"(do|does)(\s+one\s+of)?\b", "may do", "may do"),
)
"""A verb as it is written, and what stands instead: of whoever acts, and of somebody else.

A `choose` without a block cannot be declined, since nothing would bear its name then.
"""
STEPS = {"may keep doing": "may do", "may do": "do one of", "do one of": "may do"}


def mutate(site: MutationSite) -> Iterator[TextEdit]:
    match site:
        case Written(node=s.Choose(subject=subject, if_any=True, span=span)):
            start = _verb(subject, span)
            text = re.sub(r"\s+if\s+any$", "", span.source.text[start : span.end])
            yield TextEdit(Span(span.source, start, span.end), re.sub(r"^chooses?", "may choose", text))
        case Written(node=s.Choose(subject=subject, span=span)):
            yield from (_if_any(edit, span) for edit in _other(subject, span, several=False))
        case Written(node=s.Offer(subject=subject, targets=targets, span=span)):
            yield from _other(subject, span, several=len(targets) > 1)
        case Declared(node=Mapping(pairs=pairs), keys=("flow", *_)):
            yield from (TextEdit(key.span, STEPS[key.text]) for key, _ in pairs if key.text in STEPS)


def _if_any(edit: TextEdit, header: Span) -> TextEdit:
    """What must be chosen, though there may be nothing, is chosen if there is any."""
    if edit.new not in ("choose", "chooses"):
        return edit
    whole = Span(header.source, edit.span.start, header.end)
    return TextEdit(whole, edit.new + whole.text[len(edit.old) :] + " if any")


def _other(subject: s.Expr | None, span: Span, several: bool) -> Iterator[TextEdit]:
    start = _verb(subject, span)
    for pattern, mine, theirs in FORMS:
        found = re.compile(pattern).match(span.source.text, start)
        if found is not None:
            new = mine if subject is None else theirs
            one_of = " one of" if several and new in ("do", "does") else ""
            yield TextEdit(Span(span.source, start, found.end()), new + one_of)
            return


def _verb(subject: s.Expr | None, span: Span) -> int:
    """Where the verb begins: after whose it is."""
    start = span.start if subject is None else bracketed(subject.span, span).end
    return start + len(span.source.text[start:]) - len(span.source.text[start:].lstrip())


OPERATOR = Operator("may-for-must", mutate)
