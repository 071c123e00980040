"""What records of playtests say: where people were refused, asked, thought long, and what they said."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from dsl import rules as r
from dsl.domains import EnumType, PieceType, Type
from interpreter import ir
from interpreter.compile.program import compile_rules
from rulewright.matches.playtests import Happening, PlaytestRecord

MOST_DIGITS = 15
"""Of an answer that counts as a number."""
ENOUGH_TIMES = 5
"""With fewer choices an action comes after the others, however long they took."""


@dataclass(frozen=True, slots=True)
class Actions:
    """What is chosen, by the first words of choices, and the clauses that say it.

    A value that is chosen by itself, such as a card, goes by the name of its decision.
    """

    clauses: Mapping[str, tuple[str, ...]]
    decisions: Mapping[str, str]

    def name(self, word: str) -> str:
        """The action or decision that a choice with this first word belongs to."""
        if word in self.clauses:
            return word
        return self.decisions.get(word, self.decisions.get("0", word) if word.isdecimal() else word)

    def said_by(self, name: str) -> tuple[str, ...]:
        """The clauses of an action or decision."""
        return self.clauses.get(name, ())


def actions_of(rules: r.Rules) -> Actions:
    """The actions of a game with the most seats. Raises `ErrorsReported` or `DiagnosticError`."""
    machine = compile_rules(rules, rules.seats[-1], {})
    clauses: dict[str, tuple[str, ...]] = {
        routine.name: routine.clauses for routine in rules.routines.values() if routine.kind == "action"
    }
    decisions: dict[str, list[str]] = defaultdict(list)
    for node in machine.nodes:
        if isinstance(node, ir.Offer):
            for name in node.names:
                clauses.setdefault(name.partition(".")[0], node.clauses)
        elif isinstance(node, ir.Decide) and "." not in node.name:
            clauses[node.name] = tuple(dict.fromkeys((*clauses.get(node.name, ()), *node.clauses)))
            for value in _values(rules, node.type):
                decisions[value].append(node.name)
    return Actions(clauses, {word: " or ".join(dict.fromkeys(names)) for word, names in decisions.items()})


def _values(rules: r.Rules, kind: Type) -> Sequence[str]:
    """The words of the values of a type; of numbers one for all."""
    match kind:
        case PieceType(component):
            return rules.components[component].classes
        case EnumType(name) if not rules.types[name].numeric:
            return rules.types[name].names
    return ("0",)


@dataclass(frozen=True, slots=True)
class Stumbling:
    """A clause at which people were refused or asked why not: how often, by how many players, and in how
    many matches. Who plays in two matches counts as two.

    `conditions` are those that did not hold, with how often.
    """

    clause: str
    refused: int
    asked: int
    players: int
    matches: int
    conditions: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Thinking:
    """An action: how long was thought about it, in seconds, how often it was taken back, and after hints."""

    action: str
    clauses: tuple[str, ...]
    times: int
    median: float
    ninetieth: float
    undone: int
    hints: int


@dataclass(frozen=True, slots=True)
class Marked:
    """A moment that somebody marked: the entry of the transcript, and the choice before it."""

    match: str
    rules: str
    seat: int
    entry: int
    action: str
    clauses: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers to a question: those that are numbers, and the others."""

    question: str
    numbers: tuple[float, ...]
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """What some records say together. `seats` played, of which `agreed` are recorded."""

    matches: int
    seats: int
    agreed: int
    minutes: float
    stumbling: tuple[Stumbling, ...]
    thinking: tuple[Thinking, ...]
    marks: tuple[Marked, ...]
    answers: tuple[Answers, ...]


def summary(records: Mapping[str, PlaytestRecord], actions: Actions) -> Summary:
    """What records, by the names of their matches, say together."""
    values = records.values()
    return Summary(
        matches=len(records),
        seats=sum(record.seats for record in values),
        agreed=sum(len(record.agreed) for record in values),
        minutes=statistics.median(record.minutes for record in values) if records else 0.0,
        stumbling=_stumbling(values),
        thinking=_thinking(values, actions),
        marks=_marks(records, actions),
        answers=answers_of(values),
    )


def by_rules(records: Mapping[str, PlaytestRecord], last: str) -> dict[str, dict[str, PlaytestRecord]]:
    """The records by the digests of their rules; `last` comes last."""
    found: dict[str, dict[str, PlaytestRecord]] = defaultdict(dict)
    for match, record in sorted(records.items(), key=lambda one: (one[1].rules == last, one[1].rules)):
        found[record.rules][match] = record
    return dict(found)


def hindrances(record: PlaytestRecord) -> list[Happening]:
    """All that a match's players were refused or told of why it would be."""
    return [*record.of("refused"), *record.of("why")]


def _stumbling(records: Iterable[PlaytestRecord]) -> tuple[Stumbling, ...]:
    """By clause, those of most players first; what no clause says goes by an empty one."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    conditions: dict[str, Counter[str]] = defaultdict(Counter)
    for record in records:
        concerned: dict[str, set[int]] = defaultdict(set)
        for one in hindrances(record):
            for clause in one.clauses or ("",):
                counts[clause][one.kind] += 1
                conditions[clause][one.condition] += 1
                concerned[clause].add(one.seat)
        for clause, seats in concerned.items():
            counts[clause]["matches"] += 1
            counts[clause]["players"] += len(seats)
    found = (
        Stumbling(
            clause,
            count["refused"],
            count["why"],
            count["players"],
            count["matches"],
            dict(conditions[clause].most_common()),
        )
        for clause, count in counts.items()
    )
    return tuple(sorted(found, key=lambda one: (-one.players, -one.refused - one.asked, one.clause)))


def _thinking(records: Iterable[PlaytestRecord], actions: Actions) -> tuple[Thinking, ...]:
    """By action, the one with the longest median first."""
    times: dict[str, list[float]] = defaultdict(list)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for record in records:
        for one in record.happened:
            if one.kind in ("time", "undo", "hint"):
                name = actions.name(one.choice)
                counts[name][one.kind] += 1
                if one.kind == "time":
                    times[name].append(one.seconds)
    found = []
    for name, count in counts.items():
        taken = sorted(times[name])
        median = statistics.median(taken) if taken else 0.0
        ninetieth = taken[ceil(0.9 * len(taken)) - 1] if taken else 0.0
        clauses = actions.said_by(name)
        found.append(Thinking(name, clauses, len(taken), median, ninetieth, count["undo"], count["hint"]))
    return tuple(sorted(found, key=lambda one: (one.times < ENOUGH_TIMES, -one.median, one.action)))


def _marks(records: Mapping[str, PlaytestRecord], actions: Actions) -> tuple[Marked, ...]:
    return tuple(
        Marked(match, record.rules, one.seat, one.entry, name, actions.said_by(name), one.text)
        for match, record in records.items()
        for one in record.of("mark")
        for name in [actions.name(one.choice)]
    )


def answers_of(records: Iterable[PlaytestRecord]) -> tuple[Answers, ...]:
    """The answers by question, in the order in which they were asked."""
    said: dict[str, list[str]] = {}
    for record in records:
        for question in record.questions:
            said.setdefault(question, [])
        for one in record.of("answer"):
            if one.text and record.questions:
                said[record.questions[one.question]].append(one.text)
    found = []
    for question, texts in said.items():
        numbers = {i: value for i, text in enumerate(texts) if (value := _number(text)) is not None}
        others = tuple(text for i, text in enumerate(texts) if i not in numbers)
        found.append(Answers(question, tuple(numbers.values()), others))
    return tuple(found)


def _number(text: str) -> float | None:
    """A number of plain digits, with a point or comma, if a text is one."""
    plain = text.strip().removeprefix("-").replace(",", ".", 1)
    is_number = plain.replace(".", "", 1).isdecimal() and len(plain) <= MOST_DIGITS
    return float(text.strip().replace(",", ".", 1)) if is_number else None
