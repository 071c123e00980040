"""Rows of tables that are not known to be the printed ones, as whoever is offered a game is told of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from dsl.rules import Provenance, RowStatus, Rules
from dsl.wording import declared_singular

STATUS: Final = {
    RowStatus.RECONSTRUCTED: "reconstructed",
    RowStatus.PARTLY: "reconstructed in part",
    RowStatus.UNCONFIRMED: "not confirmed",
}
"""What rows are, in English; other languages have their own words in `rulewright/i18n/locales`."""


def provenance_lines(rules: Rules, say: Callable[..., str] | None = None) -> list[str]:
    """`objective: all 88 rows are reconstructed (the printed table is not public)`, a line for each entry.

    `say` has the messages of another language than English.
    """
    return [_line(rules, one) if say is None else _said(rules, one, say) for one in rules.provenance]


def _said(rules: Rules, one: Provenance, say: Callable[..., str]) -> str:
    told = say(f"provenance-{one.status}", of=_name(rules, one.of), number=one.number, total=one.total)
    return f"{told.removesuffix('.')} ({one.why})"


def _name(rules: Rules, of: str) -> str:
    """Its label; of what choices do not name, which has an empty one, the noun of the rulebook."""
    return rules.labels.get(of) or declared_singular(rules.nouns.get(of, "")) or of.replace("_", " ")


def _line(rules: Rules, one: Provenance) -> str:
    rows = "row is" if one.number == one.total == 1 else "rows are"
    number = f"all {one.total}" if one.number == one.total > 1 else f"{one.number} of {one.total}"
    return f"{_name(rules, one.of)}: {number} {rows} {STATUS[one.status]} ({one.why})"


def provenance_json(rules: Rules) -> list[dict[str, Any]]:
    """The same for a page, which says it in its language."""
    spoken = {tag: rules.in_language(tag) for tag in rules.languages}
    return [
        {
            "of": one.of,
            "names": {tag: _name(other, one.of) for tag, other in spoken.items()},
            "status": str(one.status),
            "number": one.number,
            "total": one.total,
            "why": one.why,
            "reasons": {tag: other.provenance[index].why for tag, other in spoken.items()},
        }
        for index, one in enumerate(rules.provenance)
    ]
