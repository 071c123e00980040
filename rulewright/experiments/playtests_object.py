"""What records of playtests say, as JSON; shares are of one, times in seconds."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from dataclasses import asdict

from dsl import rules as r
from rulewright.experiments.comparison_text import interval_object
from rulewright.experiments.playtests import Answers, Stumbling, Summary
from rulewright.experiments.playtests_compared import ComparedRules, PlaytestChange
from validators.experiments.statistics import wilson


def summary_object(found: Summary, rules: r.Rules) -> dict[str, object]:
    """All that is known of some matches."""
    return {
        "matches": found.matches,
        "seats": found.seats,
        "agreed": found.agreed,
        "minutes": found.minutes,
        "clauses": [_stumbling(one, found.matches, rules) for one in found.stumbling],
        "actions": [asdict(one) for one in found.thinking],
        "marks": [asdict(one) for one in found.marks],
        "answers": [_answers(one) for one in found.answers],
    }


def _stumbling(one: Stumbling, of: int, rules: r.Rules) -> Mapping[str, object]:
    return {
        "clause": one.clause or None,
        "heading": heading(one.clause, rules),
        "refused": one.refused,
        "asked": one.asked,
        "players": one.players,
        "matches": one.matches,
        "share": interval_object(wilson(one.matches, of)),
        "conditions": dict(one.conditions),
    }


def _answers(one: Answers) -> Mapping[str, object]:
    return {
        "question": one.question,
        "numbers": len(one.numbers),
        "median": statistics.median(one.numbers) if one.numbers else None,
        "texts": list(one.texts),
    }


def comparison_object(found: ComparedRules) -> dict[str, object]:
    """What was compared of two versions, the least likely chance first."""
    return {
        "old": found.old,
        "new": found.new,
        "matches": list(found.matches),
        "few": found.few,
        "changes": [_change(one) for one in found.changes],
    }


def _change(one: PlaytestChange) -> Mapping[str, object]:
    return {
        "what": one.what,
        "name": one.name,
        "old": one.old,
        "new": one.new,
        "observed": list(one.observed),
        "difference": interval_object(one.apart) if one.apart is not None else None,
        "p": one.p,
        "verdict": one.verdict or None,
    }


def heading(clause: str, rules: r.Rules) -> str:
    """The heading of a clause; empty if these rules have no such clause."""
    return rules.clauses[clause].heading if clause in rules.clauses else ""
