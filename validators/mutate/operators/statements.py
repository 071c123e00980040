"""Mutation operators on statements and definitions: what is done is left out, or done in another way."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields
from typing import get_args

from dsl import syntax as s
from dsl.document import Mapping
from dsl.source import Span
from validators.mutate.mutant import TextEdit
from validators.mutate.operator import after, between, first_word, found, led_by, replaced
from validators.mutate.sites import Declared, MutationSite, Written

KEPT = (s.Let, s.Needs, s.Nothing)
"""Without a `let` its name would be unknown; `needs` has an operator of its own."""
SIMPLE = tuple(
    kind for kind in get_args(s.Line) if kind not in KEPT and "block" not in {f.name for f in fields(kind)}
)
"""Statements of one line."""
OTHER_VERBS = {"gain": ("lose",), "pay": ("lose", "gain"), "lose": ("pay", "gain")}
OTHER_FORMS = (
    (re.compile(r"may\s+keep\s+choosing"), "may choose", "may choose"),
    (re.compile(r"may\s+keep\s+doing"), "may do", "may do"),
    (re.compile(r"may\s+choose"), "choose", "chooses"),
    (re.compile(r"may\s+do"), "do", "does"),
    (re.compile(r"(do|does)(\s+one\s+of)?\b"), "may do", "may do"),
)
"""A verb as it is written, and its replacement: for the acting seat, and for another one.

A `choose` without a block is not made optional: its name would be unknown after a pass.
"""
OTHER_STEPS = {"may keep doing": "may do", "may do": "do one of", "do one of": "may do"}
OTHER_PREFIX = {"while": "until", "until": "while"}
UP_TO = r"\bup\s+to\s+$"
TURNS_FROM = re.compile(r"(?P<round>each\s+\w+\s+in\s+turn)\s+from\s+.*?(?P<rest>\s+where\s.*)?", re.DOTALL)


def dropped_statement(site: MutationSite) -> Iterator[TextEdit]:
    """A statement is `nothing`."""
    match site:
        case Written(node=node) if isinstance(node, SIMPLE):
            yield TextEdit(node.span, "nothing")
        case Written(node=s.Offer(block=None, otherwise=None, span=span)):
            yield TextEdit(span, "nothing")


def dropped_line(site: MutationSite) -> Iterator[TextEdit]:
    """A score line, a modifier, a trigger, or a case of a value is missing."""
    match site:
        case Written(node=s.Modify() | s.When() | s.WhenMoves() | s.Score() as node):
            yield TextEdit(_with_parts(node), "")
        case Written(node=s.Case() as case, parent=s.Value(cases=cases)):
            if len(cases) > 1 and case.condition is not None:
                yield TextEdit(_with_parts(case), "")


def _with_parts(node: s.Syntax) -> Span:
    """The span of a node to the end of its last part."""
    return Span(node.span.source, node.span.start, _end(node))


def _end(node: s.Syntax) -> int:
    parts = s.children(node)
    end = node.span.end if isinstance(node, s.Expr | s.Word) or not parts else 0
    return max(end, *(_end(part) for part in parts), 0)


def wrong_verb(site: MutationSite) -> Iterator[TextEdit]:
    """Another verb: `lose` for `gain` or `pay`, `clear` for `set`, `leaves` for `enters`.

    What is paid to a seat goes to the bank.
    """
    match site:
        case Written(node=s.Gain(to=to)) if to is not None:
            yield from replaced(led_by("to", to.span), "")
        case Written(node=s.Gain(subject=None, verb=verb, span=span)):
            yield from replaced(first_word(span), *OTHER_VERBS[verb])
        case Written(node=s.Gain(subject=subject, verb=verb, span=span)) if subject is not None:
            word = first_word(after(subject.span, span))
            yield from replaced(word, *(f"{other}s" for other in OTHER_VERBS[verb]))
        case Written(node=s.SetMark(span=span)):
            yield TextEdit(first_word(span), "clear")
        case Written(node=s.WhenMoves(event=event, name=name, zone=zone)):
            place = found(event, Span(name.span.source, name.span.end, zone.span.start))
            yield from replaced(place, "leaves" if event == "enters" else "enters")
        case Written(
            node=s.Place(end="top" | "bottom" as end, span=span)
            | s.Origin(end="top" | "bottom" as end, span=span)
        ):
            yield TextEdit(first_word(span), "bottom" if end == "top" else "top")


def may_for_must(site: MutationSite) -> Iterator[TextEdit]:
    """`may do` for `do` and the other way round, `may choose` for `choose … if any`, once for repeatedly."""
    match site:
        case Written(node=s.Choose(subject=subject, asked="if any", span=span)):
            verb = _from_verb(subject, span)
            text = re.sub(r"(?<!\s)\s+if\s+any$", "", verb.text)
            yield TextEdit(verb, re.sub(r"^chooses?", "may choose", text))
        case Written(node=s.Choose(subject=subject, span=span)):
            yield from (_if_any(edit, span) for edit in _other_form(subject, span, several=False))
        case Written(node=s.Offer(subject=subject, targets=targets, span=span)):
            yield from _other_form(subject, span, several=len(targets) > 1)
        case Declared(node=Mapping(pairs=pairs), keys=("flow", *_)):
            yield from (
                TextEdit(key.span, OTHER_STEPS[key.text]) for key, _ in pairs if key.text in OTHER_STEPS
            )


def _if_any(edit: TextEdit, header: Span) -> TextEdit:
    """A mandatory choice becomes one with `if any`, since there may be nothing to choose."""
    if edit.new not in ("choose", "chooses"):
        return edit
    rest = Span(header.source, edit.span.start, header.end)
    return TextEdit(rest, edit.new + rest.text[len(edit.old) :] + " if any")


def _other_form(subject: s.Expr | None, span: Span, several: bool) -> Iterator[TextEdit]:
    verb = _from_verb(subject, span)
    for pattern, mine, theirs in OTHER_FORMS:
        written = pattern.match(span.source.text, verb.start)
        if written is not None:
            new = mine if subject is None else theirs
            one_of = " one of" if several and new in ("do", "does") else ""
            yield TextEdit(Span(span.source, verb.start, written.end()), new + one_of)
            return


def _from_verb(subject: s.Expr | None, span: Span) -> Span:
    """A statement from its verb on: without its subject."""
    rest = span if subject is None else after(subject.span, span)
    return Span(span.source, span.end - len(rest.text.lstrip()), span.end)


def up_to_for_exactly(site: MutationSite) -> Iterator[TextEdit]:
    """A set of exactly so many for one of up to so many, and the other way round; exactly so many are moved.

    That fewer may be moved shows nowhere as long as there are enough, and is not tried.
    """
    match site:
        case Written(node=s.Several(number=number, up_to=up_to, span=span)):
            if up_to:
                yield from replaced(_up_to_before(number), "")
            elif not isinstance(number, s.Interval):
                yield TextEdit(Span(span.source, span.start, span.start), "up to ")
        case Written(node=s.MoveCount(up_to=True) | s.RollOver(up_to=True) as node) if (
            node.number is not None
        ):
            yield from replaced(_up_to_before(node.number), "")


def _up_to_before(number: s.Expr) -> Span | None:
    source, start = number.span.source, number.span.start
    match = re.search(UP_TO, source.text[:start])
    return None if match is None else Span(source, match.start(), start)


def while_for_until(site: MutationSite) -> Iterator[TextEdit]:
    """`until` for `while` and the other way round; a block once instead of until something holds."""
    match site:
        case Written(node=s.Prefix(binder=binder, condition=condition, span=span)):
            word = found(r"\b(while|until)\b", between(binder.span, condition.span, span))
            if word is not None:
                yield TextEdit(word, OTHER_PREFIX[word.text])
        case Written(node=s.RepeatUntil(condition=condition, span=span)) if condition is not None:
            yield TextEdit(span, "repeat 1 times")


def wrong_turns(site: MutationSite) -> Iterator[TextEdit]:
    """A round of seats begins with another seat: `from` is missing, in rules and in the flow."""
    match site:
        case Written(node=s.EachTurn(start=start)) if start is not None:
            yield from replaced(led_by("from", start.span), "")
        case Declared(node=Mapping(pairs=pairs), keys=("flow", *_)):
            for key, _ in pairs:
                written = TURNS_FROM.fullmatch(key.span.text)
                if written is not None:
                    yield TextEdit(key.span, written["round"] + (written["rest"] or ""))


def dropped_weight(site: MutationSite) -> Iterator[TextEdit]:
    """Chance chooses each value equally often: the weights are missing."""
    match site:
        case Written(node=s.ChanceChooses(weight=weight)) if weight is not None:
            yield from replaced(led_by(r"by\s+weight", weight.span), "")
