"""Refusals in a sentence: why a choice is not offered. `web/table/refusal.js` says the same in the page."""

from __future__ import annotations

from typing import assert_never

from interpreter.refusal import Refusal, in_full
from rulewright.i18n.messages import FALLBACK
from rulewright.story.names import TableNames

ONESELF = "you"
"""What a refusal calls the seat that asks."""


def refused_text(names: TableNames, refusal: Refusal) -> str:
    """Why something is not offered, with names and numbers. Conditions are worded in English only."""
    if names.messages.language == FALLBACK:
        return in_full(refusal)
    text = _said(names, refusal)
    if refusal.kind == "condition" and refusal.told:
        facts = "; ".join(f"{side}: {_value(names, value)}" for side, value in refusal.told)
        text += f" {names.messages('table-but')} {facts}"
    if refusal.kind == "nothing to choose" and refusal.parts:
        text += " " + "; ".join(dict.fromkeys(refused_text(names, part) for part in refusal.parts))
    return text


def _said(names: TableNames, refusal: Refusal) -> str:
    say = names.messages
    name = names.label(refusal.name) + (f" ({names.label(refusal.index)})" if refusal.index else "")
    match refusal.kind:
        case "cannot pay":
            return say("table-refused-pay", name=name, number=refusal.numbers[0], found=refusal.numbers[1])
        case "out of range":
            return say("table-refused-range", name=name)
        case "nothing to choose":
            if refusal.name:
                return say("table-refused-nothing-of", name=name)
            return say("table-refused-nothing" if refusal.parts else "table-refused-empty")
        case "no such value":
            return say("table-refused-value")
        case "cannot pass":
            return say("table-refused-pass")
        case "words":
            return say("table-refused-words")
        case "condition" if refusal.said:
            return f"{say('table-needed')} {refusal.said}"
        case "condition" | "not here":
            return say("table-refused-now")
    assert_never(refusal.kind)


def _value(names: TableNames, words: str) -> str:
    return names.messages("table-you") if words == ONESELF else names.spoken(None, words)
