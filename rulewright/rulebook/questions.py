"""Questions about a game with their answers, from its scenarios, to test a rulebook on a reader.

A scenario is a position, what happens in it, and what is then true, and the referee holds it to the rules.
So each of its choices and assertions is a question with a right answer: whether somebody may do something,
what a place or counter has in the end, and what a line of the account comes to.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from random import Random
from typing import Literal

from dsl import rules as r
from rulewright.i18n.messages import Messages
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


def spoken(lexicon: Lexicon) -> Messages:
    """The words around those of the game: in its language, or else in English."""
    return Messages(lexicon.language, "book")


def _questions(lexicon: Lexicon, scenario: Scenario) -> Iterator[Question]:
    """The questions that a scenario answers: of its first choices, and of what is true at its end."""
    if len(scenario.position) > MOST_SET or not (scenario.position or scenario.prepared):
        return
    words = _Words(lexicon, spoken(lexicon))
    given, before = tuple(words.given(scenario)), list[str]()
    chance = tuple(words.chance(scenario))
    for line in scenario.lines[: MOST_LINES + 1]:
        asked = _asked(words, scenario, line)
        if asked is not None and not (before and chance):
            yield replace(asked, given=given, happens=(*before, *chance))
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
    asked = words.say("question-may", seat=line.seat, choice=words.choice(line.written))
    if isinstance(line, Choose):
        return Question("may", (), (), asked, words.say("yes"), scenario.cites, scenario.name)
    because = tuple(clause for clause in line.because if clause in words.lexicon.rules.clauses)
    return Question("may not", (), (), asked, words.say("no"), because or scenario.cites, scenario.name)


def _told(words: _Words, assertion: Assertion) -> tuple[Kind, str, str] | None:
    match assertion.claim:
        case ScoreClaim(kind="score", line=line, seat=seat, amount=amount):
            what = words.lexicon.score(line) if line else ""
            frame = "question-score" if line else "question-score-all"
            return "score", words.say(frame, seat=seat, line=what), amount
        case Winner(seats=seats):
            return "score", words.say("question-wins"), ", ".join(seats) or words.say("question-nobody")
        case Value(question=question, items=items, order="any" | "unsaid") if words.is_place(question):
            asked = words.say("question-then", place=words.place(question))
            return "then", asked, words.things(items)
        case ChangedBy(question=question, amount=amount) if words.is_place(question):
            return "then", words.say("question-changed", place=words.place(question)), f"{amount:+d}"
    return None


@dataclass(frozen=True, slots=True)
class _Words:
    """What is written in scenarios, in the words of the labels."""

    lexicon: Lexicon
    say: Messages

    def things(self, items: Iterable[str]) -> str:
        """What lies somewhere, or how much; a mark is there or not."""
        return ", ".join(map(self.amount, items)) or self.say("question-nothing")

    def word(self, name: str) -> str:
        return self.lexicon.label(name) if not name.lstrip("-").isdigit() else name

    def amount(self, name: str) -> str:
        """An item of a position: a mark is there or not."""
        return self.say("yes" if name == "true" else "no") if name in ("true", "false") else self.word(name)

    def words(self, written: str) -> str:
        return " ".join(self.word(name) for name in written.split())

    def choice(self, written: str) -> str:
        """`build mill`: the action, then what it is done with."""
        first, _, rest = written.partition(" ")
        action = self.word(first).rstrip(":")
        return f"{action}: {self.words(rest)}" if rest else action

    def is_place(self, question: str) -> bool:
        """Whether it asks for a place or counter, and not for what the rules compute."""
        found, rules = ADDRESS.fullmatch(question), self.lexicon.rules
        return found is not None and (found[1] in rules.zones or found[1] in rules.counters)

    def place(self, address: str) -> str:
        found = ADDRESS.fullmatch(address)
        if found is None:
            return address
        name, of, at = found.groups()
        said = f"{self.lexicon.label(name)}{f', {self.words(at)}' if at else ''}"
        return self.say("question-own", seat=of, place=said) if of else said

    def given(self, scenario: Scenario) -> Iterator[str]:
        """The seats and options, whose turn it is and where, and what lies and counts where."""
        if scenario.seats:
            players = self.lexicon.player.one if self.say.language == "hu" else self.lexicon.player.many
            yield self.say("question-seats", number=scenario.seats, players=players)
        for name, chosen in scenario.options.items():
            yield f"{self._option(name)}: {self._reading(name, chosen)}"
        if scenario.prepared:
            yield self.say("question-set-up")
        turn = self.say("question-turn", seat=scenario.seat) if scenario.seat else ""
        where = ", ".join(self.word(part) for part in scenario.at.text.split(".")) if scenario.at else ""
        if turn or where:
            yield capital(", ".join(part for part in (turn, where) if part))
        for address, value in scenario.position:
            yield f"{capital(self.place(address.text))}: {self.things(texts(value))}"

    def _option(self, name: str) -> str:
        """What an option is called: by its label, or as a ruling by the heading of its clause."""
        option, clauses = self.lexicon.rules.options.get(name), self.lexicon.rules.clauses
        if option is None or self.lexicon.labels.get(name):
            return self.word(name)
        return next((clauses[c].heading for c in option.clauses if c in clauses), self.word(name))

    def _reading(self, name: str, chosen: str) -> str:
        """The value of an option; of a ruling what it says."""
        option = self.lexicon.rules.options.get(name)
        said = option.readings.get(chosen) if option is not None and option.readings else None
        return said or self.word(chosen)

    def chance(self, scenario: Scenario) -> Iterator[str]:
        for stream, outcomes in scenario.chance.items():
            said = ", ".join(self.word(outcome) for outcome in outcomes if outcome)
            yield self.say("question-chance", what=self.word(stream), outcomes=said)


# ---- as text


def questions_text(title: str, questions: Sequence[Question], say: Messages) -> str:
    """The questions with their numbers, as Markdown."""
    lines = [f"# {say('questions-title', title=title)}", "", say("questions-lead"), ""]
    for i, question in enumerate(questions, 1):
        lines += [f"## {i}", ""]
        lines += [f"* {given}" for given in question.given]
        lines += [f"  {n}. {happens}" for n, happens in enumerate(question.happens, 1)]
        lines += ["", f"**{question.asked}**", ""]
    return "\n".join(lines)


def answers_text(rules: r.Rules, questions: Sequence[Question], say: Messages) -> str:
    """The right answers by their numbers, with what decides them."""
    lines = [f"# {say('answers-title', title=rules.title)}", ""]
    for i, question in enumerate(questions, 1):
        headings = (f"{c} {rules.clauses[c].heading}" for c in question.clauses if c in rules.clauses)
        lines.append(f"{i}. **{question.answer}** – {question.scenario} ({'; '.join(headings)})")
    return "\n".join([*lines, ""])
