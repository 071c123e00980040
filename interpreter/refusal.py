"""Refusals: why a choice is not offered, by the first condition that fails, without revealing secrets."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from dsl.domains import NONE, EnumType, FlagType, IntType
from dsl.numbers import whole
from dsl.source import Span
from interpreter import ir
from interpreter.executor_protocol import Option, Waiting
from interpreter.formatting import fitting, open_words
from interpreter.ir.number_ranges import ranges_of
from interpreter.number_ranges import NumberRange, joined, spoken
from interpreter.reference.closures import IntFn
from interpreter.reference.codes import FAIL, OK, STOP
from interpreter.reference.executor import ReferenceExecutor
from interpreter.reference.faults import RUNTIME_ERRORS
from interpreter.refusal_tables import OPEN, NeededKnowledge, NeedToKnow
from interpreter.views import Views
from interpreter.wasm.host.codes import UNKNOWN, UNSEARCHABLE
from interpreter.wording import ConditionBook, ConditionWords, SideWords, place_of, size_of

RefusalKind = Literal[
    "condition",
    "cannot pay",
    "out of range",
    "nothing to choose",
    "no such value",
    "not here",
    "cannot pass",
    "words",
]
"""What refuses a choice. `words`: the text is too short, or too long, to be one of the choices."""

YOU = "you"
MOST_REASONS = 3
"""The most different reasons that are told of an action that no value can be chosen for."""
MOST_EXPLAINED = 200
"""How many values of an action are explained one by one when all of them are refused."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why one choice is not offered.

    `text` is the reason as the asking seat may read it. `condition` is the text of the condition that does
    not hold, or the counter that cannot be paid; empty if the seat may not know it. `clauses` are those of
    the rule that refuses, `span` is its place; none if the seat may not know which one it is. If all values
    of an action are refused, `parts` has the refusal of each.

    The same for whoever says it in other words: `name` of what cannot be paid, leaves its range or could not
    be chosen, `numbers` to be paid and there, `index` of what, if the counter has one for each value of a
    type, and `facts`: the sides of the condition with their values.
    `within` are the clauses and conditions of the rules around the one that is told.
    `said` is the condition in the words of players, and `told` are its sides in these words with their
    values; where the application has no words, they are those of the rules. Of a part, `value` is the value
    that is refused.
    """

    kind: RefusalKind
    text: str
    clauses: tuple[str, ...] = ()
    condition: str = ""
    parts: tuple[Refusal, ...] = ()
    span: Span | None = None
    name: str = ""
    numbers: tuple[int, ...] = ()
    index: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    said: str = ""
    told: tuple[tuple[str, str], ...] = ()
    value: str = ""
    within: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Unmet:
    """A condition that fails, and its number among those of its node."""

    condition: ir.Condition
    number: int


def in_full(found: Refusal) -> str:
    """The text of a refusal; of an action that no value can be chosen for, the few reasons why none can."""
    texts: dict[str, set[str]] = {}
    for part in found.parts:
        texts.setdefault(part.condition or part.text, set()).add(part.text)
    reasons = [min(some) if len(some) == 1 else min(some).partition(", but ")[0] for some in texts.values()]
    if found.kind != "nothing to choose" or not 0 < len(reasons) <= MOST_REASONS:
        return found.text
    return f"nothing can be chosen for it: {'; or '.join(reasons)}"


class Refusals:
    """Explains refusals for one machine. The states that it is given are changed.

    `words` gives the conditions in the words of players; it is called at the first refusal.
    """

    def __init__(
        self, executor: ReferenceExecutor, views: Views, words: Callable[[], ConditionBook] = dict
    ) -> None:
        self.executor = executor
        self.views = views
        self.names = views.names
        self.words = words
        self._numbers = {id(node): i for i, node in enumerate(executor.machine.nodes)}
        self._linked: dict[tuple[int, int], IntFn] = {}
        self._spans: dict[int, list[tuple[IntFn, ...]]] = {}
        self._of_conditions: dict[int, tuple[NeedToKnow, ...]] = {}

    @cached_property
    def _needed(self) -> NeededKnowledge:
        return NeededKnowledge(self.executor.machine, self.views.rules)

    def why(self, s: array[int], waiting: Waiting, written: str) -> tuple[str, str]:
        """The reason why a choice is not offered to the waiting seat, and what to do instead."""
        self._enter_branch(s, waiting)
        node = self.executor.machine.decision(waiting.node)
        offered = list(dict.fromkeys(self._words(s, node, o, waiting) for o in waiting.options))
        matches = fitting(written, offered)
        if len(matches) > 1:
            some = ", ".join(f"`{' '.join(offered[i])}`" for i in matches[:4])
            return f"it may mean {some}", "add more words"
        few = [words for words in offered if not waiting.ranges or whole(words[-1]) is None]
        numbers = [
            f"`{' '.join(words)}` {said}" if words else said for words, said in self._ranges(s, waiting)
        ]
        shown = ", ".join([*(f"`{' '.join(words)}`" for words in few[:8]), *numbers])
        hint = f"offered: {shown}{', ...' if len(few) > 8 else ''}"
        return in_full(self.explain(s, waiting, written, waiting.seat)), hint

    def explain(self, s: array[int], waiting: Waiting, written: str, seat: int) -> Refusal:
        """Why a choice is not offered at a decision, as far as `seat` may know."""
        self._enter_branch(s, waiting)
        node = self.executor.machine.decision(waiting.node)
        if isinstance(node, ir.Offer):
            first, _, rest = written.strip().partition(" ")
            return self._why_offer(s, node, first, rest or None, waiting, seat)
        found = self._why_value(s, node, written, seat)
        first = written.split()[0] if written.split() else ""
        if found.kind == "no such value" and any(
            first == code.name for code in self.executor.machine.routines
        ):
            return replace(found, kind="not here")
        return found

    def explain_value(
        self, s: array[int], waiting: Waiting, action: str | None, value: int | None, seat: int
    ) -> Refusal:
        """Why a value, given as a number, cannot be chosen; with `action`, for an offered action.

        Without a value: why the action cannot be chosen at all.
        """
        self._enter_branch(s, waiting)
        node = self.executor.machine.decision(waiting.node)
        if isinstance(node, ir.Offer):
            return self._why_offer(s, node, action or "", value, waiting, seat)
        if value is None:
            return Refusal("not here", "no action of this name is offered now", node.clauses)
        return self._why_value(s, node, value, seat)

    def _words(
        self, s: array[int], node: ir.Decide | ir.Offer, option: Option, waiting: Waiting
    ) -> tuple[str, ...]:
        """The words of an option, as far as the waiting seat may read them."""
        words = self.names.choice(node, option, waiting.what)
        hidden = self.views.hides_option(s, waiting, option)
        return open_words(words, node) if hidden else words

    def _ranges(self, s: array[int], waiting: Waiting) -> list[tuple[tuple[str, ...], str]]:
        """The numbers that are too many to list, in words: what comes before them, and which they are."""
        node = self.executor.machine.decision(waiting.node)
        found: dict[tuple[str, ...], list[NumberRange]] = {}
        for one in waiting.ranges:
            words = self._words(s, node, (one.part, one.first), waiting)[:-1]
            found.setdefault(words, []).append(one)
        return [(words, spoken(ranges)) for words, ranges in found.items()]

    def _enter_branch(self, s: array[int], waiting: Waiting) -> None:
        if s[ir.FORKED]:
            self.executor.switch(s, waiting.branch)

    # ---- values

    def _candidates(self, s: array[int], node: ir.Decide) -> list[int]:
        """The values that a refusal can tell of: those of a decision, and those that it is selected from;
        of very many numbers a few.
        """
        if node.ranges:
            return [number for one in self._all_numbers(s, node) for number in one.few()]
        self.executor.linker.node = self._numbers[id(node)]
        source = node.source if node.wider is None else node.wider.source
        return [v for v, _ in self.executor.linker.sources.many(source)(s, self.executor.registers)]

    def _evaluate(self, s: array[int], node: ir.Step, expr: ir.Expr) -> int:
        """The value of an expression of a node. It is linked once, since boards make it large."""
        key = (id(node), id(expr))
        if key not in self._linked:
            self.executor.linker.node = self._numbers[id(node)]
            self._linked[key] = self.executor.linker.number(expr)
        return self._linked[key](s, self.executor.registers)

    def _why_value(self, s: array[int], node: ir.Decide, wanted: str | int, seat: int) -> Refusal:
        candidates = self._candidates(s, node)
        why = self._nothing_there(s, node, seat) or "it is not among the values here"
        hidden = self._hides_source(s, node, seat)
        unknown = self._unnamed(node.clauses) if hidden else Refusal("no such value", why, node.clauses)
        if isinstance(wanted, str) and wanted.strip() == "pass" and node.passing is None:
            return Refusal("cannot pass", "it cannot be declined", node.clauses)
        if not self._all_seen(s, node, candidates, seat):
            return Refusal("no such value", f"{why}{self._cite(node.clauses)}", node.clauses)
        if node.ranges:
            number = whole(wanted) if isinstance(wanted, str) else wanted
            return self._why_number(s, node, number, seat) or unknown
        if isinstance(wanted, str):
            found = fitting(wanted, [self.names.candidate(node, v) for v in candidates])
            wanted = candidates[found[0]] if found else NONE
        return self._why_candidate(s, node, wanted, seat) if wanted in candidates else unknown

    def _hides_source(self, s: array[int], node: ir.Decide, seat: int) -> bool:
        """Whether a seat may not know which values a parameter has."""
        return self.views.hides(s, seat, (), self.views.marks_of(node) & UNSEARCHABLE)

    def _nothing_there(self, s: array[int], node: ir.Decide, seat: int) -> str:
        """That nothing at all can be chosen, if it is so; of a range its ends, if the seat may know them."""
        if self._candidates(s, node) or self._hides_source(s, node, seat):
            return ""
        why, source = "nothing can be chosen for it now", node.source
        self.executor.context.failed_state = s
        if not isinstance(source, ir.Between):
            return why
        ends = source.low, source.high
        if not self._knows(self._needed.of_range(node, ends), seat, node):
            return why
        low, high = (self._evaluate(s, node, end) for end in ends)
        return f"{why}: there is no number from {low} to {high}"

    def _all_numbers(self, s: array[int], node: ir.Decide) -> tuple[NumberRange, ...]:
        """The ranges of very many numbers, offered or not."""
        if id(node) not in self._spans:
            assert node.bounds is not None
            source = node.source if node.wider is None else node.wider.source
            ends = ranges_of(source, node.reg, (), node.bounds)
            number = self.executor.linker.number
            self._spans[id(node)] = [tuple(map(number, one)) for one in ends]
        e = self.executor.registers
        found = (tuple(f(s, e) for f in one) for one in self._spans[id(node)])
        return joined((0, first, last, step) for first, last, step in found)

    def _why_number(self, s: array[int], node: ir.Decide, wanted: int | None, seat: int) -> Refusal | None:
        """Why one of very many numbers cannot be chosen; none if it is not even a candidate."""
        if wanted is None or not any(one.has(wanted) for one in self._all_numbers(s, node)):
            return None
        return self._why_candidate(s, node, wanted, seat)

    def _each_value(self, s: array[int], node: ir.Decide, seat: int) -> Iterator[Refusal]:
        """Why each of the first values of a parameter is refused; nothing if some are hidden."""
        candidates = self._candidates(s, node)
        if self._all_seen(s, node, candidates, seat) and not self._hides_source(s, node, seat):
            for value in candidates[:MOST_EXPLAINED]:
                name = " ".join(self.names.candidate(node, value))
                yield replace(self._why_candidate(s, node, value, seat), value=name)

    def _why_candidate(self, s: array[int], node: ir.Decide, value: int, seat: int) -> Refusal:
        self.executor.registers[node.reg] = value
        failing = self._failing(s, node, node.wants)
        if failing or (node.where is not None and not self._evaluate(s, node, node.where)):
            self.executor.context.failed_state = s
            unnamed = self._unnamed(node.clauses)
            if not node.trial:
                text = f"a condition of the choice does not hold{self._cite(node.clauses)}"
                unnamed = replace(unnamed, text=text)
            return self._told_of(failing, "only where", unnamed, seat, node)
        t = s[:]
        fp = t[ir.FP]
        t[fp + node.slot], t[fp + ir.RETURN] = value, OK
        return self._trial(t, node.next, seat, node.clauses)

    def _all_seen(self, s: array[int], node: ir.Decide, candidates: list[int], seat: int) -> bool:
        """Whether a seat sees all pieces that could be chosen; else a reason would reveal the others."""
        return not self.views.hides(s, seat, ((node.type, value) for value in candidates))

    # ---- actions

    def _why_offer(
        self,
        s: array[int],
        node: ir.Offer,
        first: str,
        rest: str | int | None,
        waiting: Waiting,
        seat: int,
    ) -> Refusal:
        routines = [self.executor.machine.routines[w[0]].name if w else "" for w in waiting.what]
        if first == "pass":
            return Refusal("cannot pass", "it cannot be declined", node.clauses)
        if first not in routines:
            return Refusal("not here", "no action of this name is offered now", node.clauses)
        doing = self.executor.doings[waiting.node][routines.index(first)](s)
        if doing is None:
            return Refusal("not here", "it does nothing", node.clauses)
        routine, values, actor = doing
        t = s[:]
        entry = self.executor.stack.enter(t, waiting.node, routine, values, waiting.seat, actor, OK)
        self.executor.context.failure = None
        code = self.executor.trials.probe(t, entry)
        if code == FAIL:
            return self._reason(seat, self.executor.machine.routines[routine].clauses)
        if code != STOP:
            return Refusal("words", "it takes no further words")
        parameter = self.executor.machine.node(self.executor.context.caught, ir.Decide)
        if rest is None:
            why = (
                self._nothing_there(t, parameter, seat)
                or "another word has to follow, if any of its values can be chosen"
            )
            parts = tuple(self._each_value(t, parameter, seat))
            return Refusal("nothing to choose", why, parameter.clauses, parts=parts)
        return self._why_value(t, parameter, rest, seat)

    def _trial(self, t: array[int], pc: int, seat: int, clauses: tuple[str, ...]) -> Refusal:
        """Why a run from a node is refused. Each is a trial of its own: what others cost does not count."""
        self.executor.context.failure = None
        self.executor.context.search = 0
        if self.executor.trials.dry_run(t, pc):
            return Refusal("words", "it is offered in other words")
        return self._reason(seat, clauses)

    # ---- reasons

    def _reason(self, seat: int, clauses: tuple[str, ...]) -> Refusal:
        """The refusal by the node at which the last trial of an action with these clauses failed.

        A seat that may not know all that was read before it is told none of it: not even by what is cited.
        """
        if self.executor.context.failure is None:
            return Refusal("condition", "it cannot be carried out")
        node, amount, found = self.executor.context.failure
        unnamed = self._unnamed(clauses)
        if not self._knows(self._needed.of_node(node), seat, node):
            return unnamed
        marks = node.clauses
        match node:
            case ir.Precondition(demand="outcome", text=name):
                return self._nothing(node, name)
            case ir.Precondition(wants=wants):
                failing = self._failing(self.executor.context.failed_state, node, wants)
                return self._told_of(failing, "needs", unnamed, seat, node)
            case ir.SetWord() | ir.Transfer(verb="gain"):
                why = f"{self._named(node.name)} would leave its range{self._cite(node.clauses)}"
                return Refusal("out of range", why, marks, span=node.span, name=node.name)
            case ir.Transfer():
                name, index = self._named(node.name), self._what_is_paid(node)
                if index:
                    name = f"{name} ({self.names.label(index)})"
                why = f"{amount} {name} must be paid, but there are {found}"
                return Refusal(
                    "cannot pay",
                    f"{why}{self._cite(node.clauses)}",
                    marks,
                    node.name,
                    span=node.span,
                    name=node.name,
                    numbers=(amount, found),
                    index=index,
                )
            case ir.Decide() | ir.Offer():
                return self._nothing(node, node.name.split(".")[-1])
        return Refusal("condition", f"it cannot be carried out{self._cite(node.clauses)}", marks)

    def _named(self, word: str) -> str:
        """What people read for a word of the rules; where the label is empty, the word itself."""
        return self.names.label(word) or word.replace("_", " ")

    def _unnamed(self, clauses: tuple[str, ...]) -> Refusal:
        """What is told of an action that is refused for what a seat may not know."""
        return Refusal("condition", f"it is not allowed now{self._cite(clauses)}", clauses)

    def _nothing(self, node: ir.Step, name: str) -> Refusal:
        why = f"there would be nothing to choose for “{self._named(name)}”{self._cite(node.clauses)}"
        return Refusal("nothing to choose", why, node.clauses, name=name)

    def _failing(
        self, s: array[int], node: ir.Step, wants: tuple[ir.Condition, ...], first: int = 0
    ) -> list[_Unmet]:
        """The condition that fails, its part that does, and so on; `first` is the number of the first."""
        for wanted in wants:
            if not self._evaluate(s, node, wanted.condition):
                return [_Unmet(wanted, first), *self._failing(s, node, wanted.parts, first + 1)]
            first += size_of(wanted)
        return []

    def _told_of(
        self, failing: list[_Unmet], verb: str, unnamed: Refusal, seat: int, node: ir.Decide | ir.Precondition
    ) -> Refusal:
        """The innermost condition that fails, as far as the seat may know that it does."""
        if id(node) not in self._of_conditions:
            self._of_conditions[id(node)] = self._needed.of_conditions(node)
        known, told = self._of_conditions[id(node)], list(failing)
        while told and not self._knows(known[told[-1].number], seat, node):
            told.pop()
        if not told:
            return unnamed
        around = [text for unmet in told[:-1] for text in (*unmet.condition.clauses, unmet.condition.text)]
        return replace(found := self._unmet(verb, told[-1], seat, node), within=(*around, *found.within))

    def _unmet(self, verb: str, unmet: _Unmet, seat: int, node: ir.Decide | ir.Precondition) -> Refusal:
        """A condition that does not hold, with its numbers."""
        wanted = unmet.condition
        values = self._values(wanted, node)
        book = self.words().get(place_of(node.asked), ())
        if unmet.number < len(book):
            words = book[unmet.number]
            verb, own = {"needs": "only if"}.get(verb, verb), self._own_name(seat)
        else:
            words = ConditionWords(wanted.text, tuple(SideWords(text) for text, _, _ in wanted.sides))
            own = None
        said = [
            YOU if v == own and isinstance(kind, EnumType) and kind.type == "seat" else v
            for v, (_, _, kind) in zip(values, wanted.sides, strict=True)
        ]
        told = [(side, v) for side, v in zip(words.sides, said, strict=True) if v not in ("", side.noun)]
        told = [(side, v) for side, v in told if side.noun]
        numbers = "; ".join(self._fact(side, v) for side, v in told)
        clauses = wanted.clauses or node.clauses
        why = f"{verb} {words.said}{f', but {numbers}' if numbers else ''}{self._cite(clauses)}"
        return Refusal(
            "condition",
            why,
            clauses,
            wanted.text,
            span=node.span,
            facts=tuple(
                (text, v) for (text, _, _), v in zip(wanted.sides, values, strict=True) if v not in ("", text)
            ),
            said=words.said,
            told=tuple((side.noun, v) for side, v in told),
            within=(*node.clauses, *wanted.within),
        )

    def _own_name(self, seat: int) -> str | None:
        """The name of the seat that asks, if it is the one that words call `you`."""
        state = self.executor.context.failed_state
        return self.names.seat(seat) if seat >= 0 and state[state[ir.FP] + ir.ME] == seat else None

    def _fact(self, side: SideWords, value: str) -> str:
        """`your gold is 3`; of oneself `you are the dealer`."""
        if value == YOU:
            return f"{YOU} are {side.noun}"
        return f"{side.noun} {_copula(side)} {self.names.label(value)}"

    def _values(self, wanted: ir.Condition, node: ir.Step) -> list[str]:
        """The values of the sides of a condition, as labels know them; empty for one that has none."""
        values: list[str] = []
        for _, side, kind in wanted.sides:
            try:
                value = self._evaluate(self.executor.context.failed_state, node, side)
            except RUNTIME_ERRORS:  # the condition never evaluated this side
                values.append("")
                continue
            there = value != NONE or not isinstance(kind, IntType | FlagType)
            values.append(self.names.keys.value(kind, value) if there else "")
        return values

    def _knows(self, known: NeedToKnow, seat: int, node: ir.Step) -> bool:
        """Whether a seat knows what has to be known, in the state in which a trial failed."""
        if known == OPEN:
            return True
        record = array("i", (self._seen_piece(piece, node) for piece, _, _ in known.pieces))
        words = array("i", known.words(range(len(record))))
        return self.views.host.knows(self.executor.context.failed_state, seat, words, record)

    def _seen_piece(self, piece: ir.Expr, node: ir.Step) -> int:
        try:
            return self._evaluate(self.executor.context.failed_state, node, piece)
        except RUNTIME_ERRORS:  # the condition never evaluated this part
            return UNKNOWN

    def _what_is_paid(self, node: ir.Transfer) -> str:
        """The value of the type at which a counter is paid; empty if there is but one."""
        words, state = self.executor.machine.stores[node.name], self.executor.context.failed_state
        if words.at is None:
            return ""
        terms = (self._evaluate(state, node, term.index) * term.stride for term in node.address.terms)
        return self.names.keys.index(words.at, words.indices(node.address.base + sum(terms))[1])

    def _cite(self, clauses: tuple[str, ...]) -> str:
        return f"  {' '.join(clauses)}" if clauses else ""


def _copula(side: SideWords) -> str:
    return "are" if side.many else "is"
