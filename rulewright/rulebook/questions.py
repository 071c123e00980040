"""Questions about a game with their answers, from its scenarios, to test a rulebook on a reader.

A scenario is a position, what happens in it, and what is then true, and the referee holds it to the rules.
So each of its choices and assertions is a question with a right answer: whether somebody may do something,
what a place or counter has in the end, and what a line of the account comes to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from random import Random
from typing import Literal

from dsl import rules as r
from rulewright.sentences.english import capital
from rulewright.sentences.names import Lexicon
from validators.scenarios.reading import texts
from validators.scenarios.scenario import (
    Assertion,
    ChangedBy,
    Choose,
    Line,
    Refused,
    Scenario,
    ScoreClaim,
    Value,
    Winner,
)

Kind = Literal["may", "may not", "then", "score"]
AS_AT_FIRST = "What a question does not name is as it was before the set-up: nothing lies or counts there."
ADDRESS = re.compile(r"(\w+)(?: of (\w+))?(?: at ([\w ]+))?")
MOST_LINES = 4
"""A question has no more choices before it: a reader has to follow them."""
MOST_SET = 14
"""A position has no more things: longer ones are a test of patience."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is given, what happens and what is asked, in words; the answer and the clauses that decide it."""

    kind: Kind
    given: tuple[str, ...]
    happens: tuple[str, ...]
    asked: str
    answer: str
    clauses: tuple[str, ...]
    scenario: str


def questions_of(lexicon: Lexicon, scenarios: Sequence[Scenario], number: int, seed: int) -> list[Question]:
    """So many questions by a seed, of each kind as many as there are, none from a scenario of another one."""
    random = Random(seed)
    kinds: dict[Kind, list[Question]] = {"may": [], "may not": [], "then": [], "score": []}
    for scenario in random.sample(scenarios, len(scenarios)):
        found = list(_questions(lexicon, scenario))
        if found:
            rarest = min(len(kinds[q.kind]) for q in found)
            chosen = random.choice([q for q in found if len(kinds[q.kind]) == rarest])
            kinds[chosen.kind].append(chosen)
    mixed = [q for row in zip_longest(*kinds.values()) for q in row if q is not None]
    return mixed[:number]


def _questions(lexicon: Lexicon, scenario: Scenario) -> Iterator[Question]:
    """The questions that a scenario answers: of its first choices, and of what is true at its end."""
    if len(scenario.position) > MOST_SET or not (scenario.position or scenario.prepared):
        return
    words = _Words(lexicon)
    given, before = tuple(words.given(scenario)), list[str]()
    chance = tuple(words.chance(scenario))
    for line in scenario.lines[: MOST_LINES + 1]:
        asked = _asked(words, scenario, line)
        if asked is not None and not (before and chance):
            yield replace(asked, given=given, happens=tuple(before))
        if not isinstance(line, Choose):
            if isinstance(line, Refused):
                continue
            return
        before.append(f"{line.seat}: {words.choice(line.written)}")
    if len(scenario.lines) > MOST_LINES:
        return
    for assertion in scenario.then:
        told = _told(words, assertion)
        if told is not None:
            kind, question, answer = told
            clauses = scenario.cites
            yield Question(kind, given, (*before, *chance), question, answer, clauses, scenario.name)


def _asked(words: _Words, scenario: Scenario, line: Line) -> Question | None:
    """Whether somebody may do something, where the first word of it is an action."""
    if not isinstance(line, Choose | Refused) or line.written.split()[0] not in words.lexicon.rules.routines:
        return None
    asked = f"May {line.seat} now choose this: {words.choice(line.written)}?"
    if isinstance(line, Choose):
        return Question("may", (), (), asked, "yes", scenario.cites, scenario.name)
    because = tuple(clause for clause in line.because if clause in words.lexicon.rules.clauses)
    return Question("may not", (), (), asked, "no", because or scenario.cites, scenario.name)


def _told(words: _Words, assertion: Assertion) -> tuple[Kind, str, str] | None:
    match assertion.claim:
        case ScoreClaim(kind="score", line=line, seat=seat, amount=amount):
            what = f"for {words.of_line(line)}" if line else "in all"
            return "score", f"How much does {seat} score {what}?", amount
        case Winner(seats=seats):
            return "score", "Who wins?", ", ".join(seats) or "nobody"
        case Value(question=question, items=items, order="any" | "unsaid") if words.is_place(question):
            answer = ", ".join(map(words.word, items)) or "nothing"
            return "then", f"What is then there or counted: {words.place(question)}?", answer
        case ChangedBy(question=question, amount=amount) if words.is_place(question):
            return "then", f"By how much has this changed then: {words.place(question)}?", f"{amount:+d}"
    return None


@dataclass(frozen=True, slots=True)
class _Words:
    """What is written in scenarios, in the words of the labels."""

    lexicon: Lexicon

    def word(self, name: str) -> str:
        return self.lexicon.label(name) if not name.lstrip("-").isdigit() else name

    def amount(self, name: str) -> str:
        """An item of a position: a mark is there or not."""
        return {"true": "yes", "false": "no"}.get(name) or self.word(name)

    def words(self, written: str) -> str:
        return " ".join(self.word(name) for name in written.split())

    def choice(self, written: str) -> str:
        """`build mill`: the action, then what it is done with."""
        first, _, rest = written.partition(" ")
        return f"{self.word(first)}: {self.words(rest)}" if rest else self.word(first)

    def of_line(self, name: str) -> str:
        return f"“{self.lexicon.score(name)}”"

    def is_place(self, question: str) -> bool:
        """Whether it asks for a place or counter, and not for what the rules compute."""
        found, rules = ADDRESS.fullmatch(question), self.lexicon.rules
        return found is not None and (found[1] in rules.zones or found[1] in rules.counters)

    def place(self, address: str) -> str:
        found = ADDRESS.fullmatch(address)
        if found is None:
            return address
        name, of, at = found.groups()
        own = f"{of}’s " if of else ""
        return f"{own}{self.lexicon.label(name)}{f', {self.words(at)}' if at else ''}"

    def given(self, scenario: Scenario) -> Iterator[str]:
        """The seats and options, whose turn it is and where, and what lies and counts where."""
        if scenario.seats:
            yield f"{scenario.seats} {self.lexicon.player.many}"
        for name, chosen in scenario.options.items():
            yield f"{self._option(name)}: {self.word(chosen)}"
        if scenario.prepared:
            yield "The game has been set up."
        turn = f"{scenario.seat}’s turn" if scenario.seat else ""
        where = ", ".join(self.word(part) for part in scenario.at.text.split(".")) if scenario.at else ""
        if turn or where:
            yield capital(", ".join(part for part in (turn, where) if part))
        for address, value in scenario.position:
            items = ", ".join(map(self.amount, texts(value))) or "nothing"
            yield f"{capital(self.place(address.text))}: {items}"

    def _option(self, name: str) -> str:
        """What an option is called: by its label, or as a ruling by the heading of its clause."""
        option, clauses = self.lexicon.rules.options.get(name), self.lexicon.rules.clauses
        if option is None or self.lexicon.labels.get(name):
            return self.word(name)
        return next((clauses[c].heading for c in option.clauses if c in clauses), self.word(name))

    def chance(self, scenario: Scenario) -> Iterator[str]:
        for stream, outcomes in scenario.chance.items():
            said = ", ".join(self.word(outcome) for outcome in outcomes if outcome)
            yield f"Chance brings, in this order, {self.word(stream)}: {said}"


# ---- as text


def questions_text(title: str, questions: Sequence[Question]) -> str:
    """The questions with their numbers, as Markdown."""
    lines = [f"# {title}: questions", "", AS_AT_FIRST, ""]
    for i, question in enumerate(questions, 1):
        lines += [f"## {i}", ""]
        lines += [f"* {given}" for given in question.given]
        lines += [f"  {n}. {happens}" for n, happens in enumerate(question.happens, 1)]
        lines += ["", f"**{question.asked}**", ""]
    return "\n".join(lines)


def answers_text(rules: r.Rules, questions: Sequence[Question]) -> str:
    """The right answers by their numbers, with what decides them."""
    lines = [f"# {rules.title}: answers", ""]
    for i, question in enumerate(questions, 1):
        headings = (f"{c} {rules.clauses[c].heading}" for c in question.clauses if c in rules.clauses)
        lines.append(f"{i}. **{question.answer}** – {question.scenario} ({'; '.join(headings)})")
    return "\n".join([*lines, ""])
