"""Explanations of decisions, choices, words and clauses, from the texts of the ruleset."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import assert_never

from rich.text import Text

from dsl import rules as r
from dsl.diagnostics import did_you_mean
from dsl.domains import EffectType, EnumType, FlagType, IntType, NoneType, PieceType, SetType, Type
from interpreter import ir
from interpreter.game import Decision, Game
from interpreter.match import Match
from rulewright.i18n.messages import Messages
from rulewright.tui.menu import Item
from rulewright.tui.sheets import sheet_of
from rulewright.tui.styles import BOLD, DIM, styled
from rulewright.tui.words import terminal_messages


@dataclass(frozen=True, slots=True)
class Explainer:
    """Explains a game by its labels, help texts and clauses."""

    game: Game

    @property
    def say(self) -> Messages:
        return terminal_messages(self.game)

    @property
    def rules(self) -> r.Rules:
        return self.game.rules

    def label(self, word: str) -> str:
        return self.game.names.label(word)

    @property
    def has_clauses(self) -> bool:
        """Whether the clauses are in the language of the labels, so that none is shown in another one."""
        return self.rules.clauses_in == self.rules.language

    # ---- decisions

    def routine(self, decision: Decision) -> r.Routine | None:
        """The action, effect or procedure that contains a decision."""
        span = self.game.machine.nodes[decision.waiting.node].span
        inside = [
            routine
            for routine in self.rules.routines.values()
            if routine.span.source is span.source and routine.span.start <= span.start
        ]
        return max(inside, key=lambda routine: routine.span.start, default=None)

    def question(self, match: Match, decision: Decision) -> str:
        """What a seat is asked: `A: phase 3: actions`, or `A chooses: dice disc (lay)`."""
        say, seat = self.say, self.label(decision.seat)
        routine, step = self.routine(decision), decision.name.rpartition(".")[2]
        phase = self.game.machine.phases[match.state[ir.PHASE]]
        if routine is None:
            is_labelled = f"{phase}.{step}" in self.rules.labels
            what = self.label(f"{phase}.{step}" if is_labelled else step)
            return say("terminal-asked", seat=seat, what=what)
        doing = self._doing(self._acting_piece(match, decision) or routine.name)
        node = self.game.machine.nodes[decision.waiting.node]
        if not isinstance(node, ir.Offer):
            return say("terminal-chooses", seat=seat, what=self._of_set(node, self.label(step)), doing=doing)
        if step in self.rules.labels:
            return say("terminal-asked-doing", seat=seat, what=self.label(step), doing=doing)
        return say("terminal-asked", seat=seat, what=doing)

    def _doing(self, name: str) -> str:
        """What a piece that asks or a routine is called: its label, or its noun in rulebooks."""
        noun = self.rules.nouns.get(name, "").partition(",")[0]
        return noun if noun and name not in self.rules.labels else self.label(name)

    def _of_set(self, node: ir.Node, what: str) -> str:
        """What is asked for; of a value of a set also which: `card, 1 of 2, in the order of the list`."""
        if not isinstance(node, ir.Decide) or node.of_set is None:
            return what
        index, least, most = node.of_set
        if least == most:
            return self.say("terminal-of-set", what=what, index=index, number=most)
        return self.say("terminal-of-set-between", what=what, index=index, least=least, number=most)

    def hint(self, match: Match, decision: Decision) -> str:
        """The help text or the only clause of a decision; empty if there is none."""
        routine = self.routine(decision)
        offered = isinstance(self.game.machine.nodes[decision.waiting.node], ir.Offer)
        names = [decision.name] if offered else []
        names += [n for n in (self._acting_piece(match, decision), routine and routine.name) if n]
        for name in names:
            if name in self.rules.helps:
                return self.rules.helps[name]
        marks = decision.clauses or (routine.clauses if routine else ())
        return self.rules.clauses[marks[0]].says if len(marks) == 1 and self.has_clauses else ""

    def clauses(self, decision: Decision) -> tuple[str, ...]:
        """The clauses of a decision and of its routine."""
        routine = self.routine(decision)
        lines = self._line_clauses(routine) if routine else ()
        return _unique((*decision.clauses, *(routine.clauses if routine else ()), *lines))

    def _acting_piece(self, match: Match, decision: Decision) -> str | None:
        """The name of the piece whose effect asks, if the seat sees it."""
        s, routine = match.state, self.routine(decision)
        if s[ir.FORKED] or routine is None or routine.kind != "effect":
            return None
        piece, component = s[s[ir.FP] + ir.SELF], self._component_with_effects()
        if piece < 0 or component is None:
            return None
        classes = self.game.machine.component_classes[component]
        if not self.game.views.sees(s, piece // classes, decision.waiting.seat):
            return None
        return self.rules.components[component].classes[piece % classes]

    def _component_with_effects(self) -> str | None:
        """The component with effects, if there is exactly one."""
        found = [
            c.name for c in self.rules.components.values()
            if any(isinstance(column.type, EffectType) for column in c.columns.values())
        ]  # fmt: skip
        return found[0] if len(found) == 1 else None

    def _line_clauses(self, routine: r.Routine) -> Iterator[str]:
        """The clauses cited by the lines of a routine, in order."""
        stack = list(reversed(routine.block))
        while stack:
            line = stack.pop()
            yield from line.clauses
            for name in ("otherwise", "block"):
                stack.extend(reversed(getattr(line, name, ())))

    # ---- texts

    def decision(self, match: Match, decision: Decision) -> Iterator[Text]:
        yield styled(self.question(match, decision), BOLD)
        hint = self.hint(match, decision)
        if hint:
            yield styled(hint)
        yield from self.cited(self.clauses(decision))

    def item(self, item: Item) -> Iterator[Text]:
        """A choice: its action, its parameters, and their clauses."""
        words = item.choice.words
        yield styled(f"{item.key}: {item.choice.label}", BOLD)
        for word in _unique(words):
            for text in self._about(word, item.kind):
                yield styled(f"{self.label(word)}: ", DIM).append_text(text) if len(words) > 1 else text
        routine = self.rules.routines.get(words[0])
        marks = (*routine.clauses, *self._line_clauses(routine)) if routine else ()
        yield from self.cited(_unique((*marks, *self._kind_clauses(item.kind))))

    def _about(self, word: str, kind: Type) -> Iterator[Text]:
        text, sheet = self.rules.helps.get(word, ""), sheet_of(self.game.names, kind)
        row = sheet.row(word)
        details = sheet.details(row) if row is not None else ""
        yield from (styled(line) for line in (text, details) if line)

    def _kind_clauses(self, kind: Type) -> tuple[str, ...]:
        match kind:
            case EnumType(name):
                return self.rules.types[name].clauses
            case PieceType(component):
                return self.rules.components[component].clauses
            case IntType() | FlagType() | EffectType() | SetType() | NoneType():
                return ()
        assert_never(kind)

    def cited(self, marks: Iterable[str]) -> Iterator[Text]:
        """Each clause with its heading and summary, where they are in the language of the labels."""
        if not self.has_clauses:
            return
        for mark in marks:
            clause = self.rules.clauses.get(mark)
            if clause is not None:
                head = styled(f"{clause.id} {clause.heading}: ", DIM)
                yield head.append_text(styled(clause.says))

    def word(self, written: str) -> Iterator[Text]:
        """Anything in the game by its word or label: a card, a place, a clause."""
        if written in self.rules.clauses:
            yield from self.cited((written,))
            return
        word = self.find_word(written)
        if word is None:
            labels = (*self.rules.labels, *self.rules.labels.values())
            hint = did_you_mean(written, labels) if self.has_clauses else ""
            unknown = self.say("terminal-unknown-word", typed=written)
            yield styled(f"{unknown}: {hint}" if hint else unknown)
            return
        yield styled(self.label(word), BOLD)
        yield from self._about_word(word)

    def find_word(self, written: str) -> str | None:
        """The word of the rules for a word or a label, in any case; None if there is none."""
        words = _unique((*self.rules.labels, *self.rules.helps, *self._declared()))
        wanted = written.casefold()
        spelled = [w for w in words if wanted in (w.casefold(), self.label(w).casefold())]
        return spelled[0] if spelled else None

    def to_rule_words(self, written: str) -> str:
        """Translates labels to words of the rules: `use Caupona` to `use_trade caupona`."""
        parts = written.split()
        for cut in range(len(parts), 0, -1):
            label, rest = " ".join(parts[:cut]).casefold(), " ".join(parts[cut:])
            for name in self.rules.routines:
                if self.label(name).casefold() == label:
                    return f"{name} {self.find_word(rest) or rest}".strip()
        return self.find_word(written) or written

    def _declared(self) -> Iterator[str]:
        for decl in self.rules.types.values():
            yield from decl.names
        for component in self.rules.components.values():
            yield from component.classes

    def _about_word(self, word: str) -> Iterator[Text]:
        found = list(self._about(word, self._kind(word)))
        routine = self.rules.routines.get(word)
        marks = (*routine.clauses, *self._line_clauses(routine)) if routine else self._declared_by(word)
        yield from found
        yield from self.cited(_unique(marks))

    def _kind(self, word: str) -> Type:
        for component in self.rules.components.values():
            if word in component.classes:
                return PieceType(component.name)
        for decl in self.rules.types.values():
            if word in decl.names and decl.columns:
                return EnumType(decl.name)
        return EnumType("seat")

    def _declared_by(self, word: str) -> tuple[str, ...]:
        """The clauses of a declaration."""
        rules = self.rules
        stores = (rules.zones, rules.counters, rules.marks, rules.pointers)
        for decl in (rules.types.get(word), rules.components.get(word), rules.options.get(word)):
            if decl is not None:
                return decl.clauses
        return next((found[word].var.clauses for found in stores if word in found), ())


def _unique(items: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(items))
