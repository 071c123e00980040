"""Which choices a play of a record can mean: a search of what is offered for the steps of a notation."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import assert_never

from dsl.domains import NONE, PieceType, Type
from dsl.numbers import whole
from dsl.wording import shortened
from interpreter import ir
from interpreter.chance import below, merged, stream_key
from interpreter.executor_protocol import PASS, Option, Waiting
from interpreter.formatting import outcome_name
from interpreter.game import Game
from interpreter.messages import Fault
from interpreter.number_ranges import NumberRange
from interpreter.reference.codes import CHANCE
from validators.records.conditions import Conditions, Wanted
from validators.records.mapping import MOST_TIMES
from validators.records.notation import (
    ChooseStep,
    Condition,
    Each,
    Happens,
    Kept,
    OneOf,
    Step,
    Text,
    That,
    Times,
)
from validators.records.parts import Parts, TooMany, Wording

MOST_TRIED = 20_000
"""The most choices that are tried for one play of a record."""
SEED = 0
"""The seed of what a record does not tell."""


@dataclass(frozen=True, slots=True)
class ChoiceMade:
    """A choice on the way."""

    waiting: Waiting
    option: Option


@dataclass(frozen=True, slots=True)
class Drawn:
    """An outcome of chance on the way; `told` by the record, or drawn."""

    stream: str
    outcome: str
    told: bool


Path = tuple["Path", ChoiceMade | Drawn] | None


@dataclass(eq=False, slots=True)
class Cursor:
    """A state with what has led there. `code` says whether an outcome of chance is due.

    `named` has what the names of this play stand for, `kept` of the whole record.
    """

    state: array[int]
    code: int
    named: dict[str, tuple[Type, int]] = field(default_factory=dict)
    path: Path = None
    length: int = 0
    waits: tuple[Waiting, ...] | None = None


@dataclass(frozen=True, slots=True)
class Stuck:
    """A step that nothing offered fits, and where. `asked`: what it is about is what is chosen there."""

    step: Step
    cursor: Cursor
    parts: Parts
    asked: bool

    @property
    def reached(self) -> tuple[bool, int, bool]:
        """How far a play was followed; what must hold says less than a choice that is not offered."""
        return not isinstance(self.step, That), self.cursor.length, self.asked


def own_name(node: ir.Decide) -> str:
    """What a value is chosen for, without the action of which it is a parameter."""
    return node.name.rpartition(".")[2]


@dataclass(eq=False)
class Matcher:
    """Finds choices for plays. `stuck` is the farthest step that nothing fitted in the last search."""

    game: Game
    conditions: Conditions
    wording: Wording
    stuck: Stuck | None = None
    tried: int = 0

    def __post_init__(self) -> None:
        self.executor = self.game.executor
        self.keys = {name: stream_key(SEED, name) for name in self.game.machine.streams}

    def play(self, steps: Sequence[Step], cursor: Cursor, parts: Parts) -> list[Cursor]:
        """Where the steps can lead, each state once. Raises `TooMany`, and `Fault` if the rules fail."""
        self.stuck, self.tried = None, 0
        begun = Cursor(cursor.state, cursor.code, cursor.named, cursor.path, cursor.length, cursor.waits)
        cursors: dict[bytes, Cursor] = {}
        for after in self._ways(tuple((step, parts) for step in steps), begun):
            cursors.setdefault(after.state.tobytes(), after)
            if len(cursors) > 1:
                break
        return list(cursors.values())

    # ---- steps

    def _ways(self, agenda: tuple[tuple[Step, Parts], ...], cursor: Cursor) -> Iterator[Cursor]:
        if not agenda:
            yield cursor
            return
        (step, parts), rest = agenda[0], agenda[1:]
        match step:
            case ChooseStep():
                if step.given is not None and not parts.within(step.given):
                    yield from self._ways(rest, cursor)
                    return
                fits = False
                for after in self._choices(step, cursor, parts):
                    fits = True
                    yield from self._ways(rest, after)
                if step.optional and not fits:
                    yield from self._ways(rest, cursor)
            case Happens():
                after_outcome = self._told(step, cursor, parts)
                if after_outcome is not None:
                    yield from self._ways(rest, after_outcome)
            case That():
                if self._fits(step.where, cursor.state, cursor.named, parts):
                    yield from self._ways(rest, self._keeping(step.keep, cursor))
                else:
                    self._note(step, cursor, parts)
            case OneOf(ways=ways):
                for way in ways:
                    yield from self._ways((*((inner, parts) for inner in way), *rest), cursor)
            case Each(part=part):
                yield from self._each(step, parts.each(part), rest, cursor)
            case Times(part=part, steps=steps) if part is not None:
                number = whole(self.wording.one(Text(f"{{{part}}}", step.span), parts) or "1") or 1
                again = (Times(number, number, None, steps, step.span), parts)
                yield from self._ways((again, *rest) if number <= MOST_TIMES else (), cursor)
            case Times(least=least, most=most, steps=steps):
                if least == 0:
                    yield from self._ways(rest, cursor)
                if most > 0:
                    more = Times(max(least - 1, 0), most - 1, None, steps, step.span)
                    yield from self._ways(
                        (*((inner, parts) for inner in steps), (more, parts), *rest), cursor
                    )
            case _:
                assert_never(step)

    def _each(
        self, step: Each, left: list[Parts], rest: tuple[tuple[Step, Parts], ...], cursor: Cursor
    ) -> Iterator[Cursor]:
        if not left or not step.in_any_order:
            agenda = tuple((inner, parts) for parts in left for inner in step.steps)
            yield from self._ways((*agenda, *rest), cursor)
            return
        for at, parts in enumerate(left):
            for after in self._ways(tuple((inner, parts) for inner in step.steps), cursor):
                yield from self._each(step, left[:at] + left[at + 1 :], rest, after)

    def _note(self, step: Step, cursor: Cursor, parts: Parts) -> None:
        asked = isinstance(step, ChooseStep) and step.name in self._asked(cursor)
        stuck = Stuck(step, cursor, parts, asked)
        if self.stuck is None or stuck.reached > self.stuck.reached:
            self.stuck = stuck

    def _asked(self, cursor: Cursor) -> Iterator[str]:
        """What is chosen where a decision waits, as steps call it."""
        if cursor.code == CHANCE:
            return
        for waiting in self.waiting(cursor):
            node = self.game.machine.decision(waiting.node)
            for part in range(len(waiting.what) or 1):
                bound = self.binding(node, part, waiting)
                if bound is not None:
                    yield bound[0]

    # ---- conditions

    def _fits(
        self, where: Sequence[Condition], s: array[int], named: dict[str, tuple[Type, int]], parts: Parts
    ) -> bool:
        types = {name: kind for name, (kind, _) in named.items()}
        for condition in where:
            word = self.wording.one(condition.wanted, parts)
            if word is None:
                continue
            asked = self.conditions.ask(condition.question, types, condition.span)
            if not self.conditions.fits(self.conditions.wanted(asked, word), s, named):
                return False
        return True

    def _keeping(self, keep: Sequence[Kept], cursor: Cursor) -> Cursor:
        if not keep:
            return cursor
        named = dict(cursor.named)
        for kept in keep:
            asked = self.conditions.ask(kept.question, {n: kind for n, (kind, _) in named.items()}, kept.span)
            value = self.conditions.value(asked, cursor.state, named)
            named[kept.name] = asked.type, NONE if value is None else value
        return Cursor(cursor.state, cursor.code, named, cursor.path, cursor.length, cursor.waits)

    # ---- choices

    def waiting(self, cursor: Cursor) -> tuple[Waiting, ...]:
        if cursor.waits is None:
            cursor.waits = self.executor.waiting(cursor.state)
        return cursor.waits

    def _choices(self, step: ChooseStep, cursor: Cursor, parts: Parts) -> Iterator[Cursor]:
        cursor = self.settled(cursor)
        seat = self.wording.one(step.seat, parts) if step.seat is not None else None
        wanted = self._wanted(step, parts)
        fits = False
        for waiting in self.waiting(cursor):
            if seat is not None and self.game.names.seat(waiting.seat) != seat:
                continue
            for option, named in self._options(step, waiting, cursor, wanted):
                fits = True
                self.tried += 1
                if self.tried > MOST_TRIED:
                    raise TooMany
                before = (
                    self._keeping(step.keep, Cursor(cursor.state, 0, named)).named if step.keep else named
                )
                state = cursor.state[:]
                code = self.executor.choose(state, waiting, option)
                yield Cursor(
                    state, code, before, (cursor.path, ChoiceMade(waiting, option)), cursor.length + 1
                )
        if not fits:
            self._note(step, cursor, parts)

    def _wanted(self, step: ChooseStep, parts: Parts) -> list[tuple[Condition, str]]:
        """The conditions of which the record has the words."""
        words = ((condition, self.wording.one(condition.wanted, parts)) for condition in step.where)
        return [(condition, word) for condition, word in words if word is not None]

    def _options(
        self, step: ChooseStep, waiting: Waiting, cursor: Cursor, wanted: list[tuple[Condition, str]]
    ) -> Iterator[tuple[Option, dict[str, tuple[Type, int]]]]:
        """The options that fit, each with what the names stand for then."""
        if step.name == "pass":
            if PASS in waiting.options:
                yield PASS, cursor.named
            return
        node = self.game.machine.decision(waiting.node)
        parts = {}
        for part in {option[0] for option in waiting.options if option != PASS}:
            bound = self.binding(node, part, waiting)
            if bound is not None and bound[0] == step.name:
                parts[part] = bound[1]
        if not parts:
            return
        types = {name: kind for name, (kind, _) in cursor.named.items()}
        asked: dict[int, list[Wanted]] = {}
        exact: dict[int, int | None] = {}
        for part, variable in parts.items():
            named = types if variable is None else types | {variable[0]: variable[1]}
            each = [
                self.conditions.wanted(self.conditions.ask(c.question, named, c.span), w) for c, w in wanted
            ]
            # the value itself is looked up, and not worked out for each option
            own = [
                w for (c, _), w in zip(wanted, each, strict=True) if variable and c.question == variable[0]
            ]
            own = [w for w in own if not isinstance(w.asked.type, PieceType)]
            asked[part] = [w for w in each if w not in own]
            exact |= {part: own[0].number} if own else {}
        for option in waiting.options:
            part, value = option
            if part not in parts or option == PASS or (part in exact and exact[part] != value):
                continue
            named_now = self._named(cursor, parts[part], value)
            if self._all_fit(asked[part], cursor.state, named_now):
                yield option, named_now
        for numbers in waiting.ranges:
            if numbers.part in exact:
                number = exact[numbers.part]
                if (
                    number is not None
                    and numbers.has(number)
                    and (numbers.part, number) not in waiting.options
                ):
                    named_now = self._named(cursor, parts[numbers.part], number)
                    if self._all_fit(asked[numbers.part], cursor.state, named_now):
                        yield (numbers.part, number), named_now
            elif numbers.part in parts and asked[numbers.part]:
                yield from self._number(numbers, asked[numbers.part], parts[numbers.part], cursor, waiting)

    def _all_fit(self, conditions: list[Wanted], s: array[int], named: dict[str, tuple[Type, int]]) -> bool:
        return all(self.conditions.fits(condition, s, named) for condition in conditions)

    def _named(
        self, cursor: Cursor, variable: tuple[str, Type] | None, value: int
    ) -> dict[str, tuple[Type, int]]:
        if variable is None or value == NONE:
            return cursor.named
        return cursor.named | {variable[0]: (variable[1], value)}

    def binding(
        self, node: ir.Decide | ir.Offer, part: int, waiting: Waiting
    ) -> tuple[str, tuple[str, Type] | None] | None:
        """What a step calls a choice, and the name and type of its value, if it has one."""
        if isinstance(node, ir.Decide):
            return own_name(node), (own_name(node), node.type)
        doing = waiting.what[part]
        if doing is None:
            return None
        parameter = self.game.names.parameter(doing)
        name = self.game.machine.routines[doing[0]].name
        return name, (own_name(parameter), parameter.type) if parameter is not None else None

    def _number(
        self,
        numbers: NumberRange,
        asked: list[Wanted],
        variable: tuple[str, Type] | None,
        cursor: Cursor,
        waiting: Waiting,
    ) -> Iterator[tuple[Option, dict[str, tuple[Type, int]]]]:
        """The number of a range that fits, by halving: the first condition rises with it, or falls."""
        first, wanted = asked[0].asked, asked[0].number
        if wanted is None:
            return

        def value(at: int) -> int:
            named = self._named(cursor, variable, numbers.first + at * numbers.step)
            found = self.conditions.value(first, cursor.state, named)
            return found if found is not None else NONE

        low, high = 0, numbers.size - 1
        rising = value(low) <= value(high)
        while low < high:
            middle = (low + high) // 2
            if value(middle) < wanted if rising else value(middle) > wanted:
                low = middle + 1
            else:
                high = middle
        option = numbers.part, numbers.first + low * numbers.step
        named = self._named(cursor, variable, option[1])
        if option not in waiting.options and self._all_fit(asked, cursor.state, named):
            yield option, named

    # ---- chance

    def _told(self, step: Happens, cursor: Cursor, parts: Parts) -> Cursor | None:
        """After the outcome that a record tells; none if it is not possible now."""
        outcome = self.wording.one(step.outcome, parts)
        if cursor.code == CHANCE and outcome is not None:
            node = self._chance(cursor)
            stream = self.game.machine.streams[node.stream]
            possible = {outcome_name(node, o): o for o, _ in merged(self.executor.outcomes(cursor.state))}
            if stream == step.stream and outcome in possible:
                return self._resolved(cursor, possible[outcome], Drawn(stream, outcome, True))
        self._note(step, cursor, parts)
        return None

    def settled(self, cursor: Cursor) -> Cursor:
        """Where the next decision waits: outcomes that the record does not tell are drawn."""
        while cursor.code == CHANCE:
            node = self._chance(cursor)
            stream = self.game.machine.streams[node.stream]
            weighted = self.executor.outcomes(cursor.state)
            ends = list(accumulate(weight for _, weight in weighted))
            state, word = cursor.state[:], self.game.machine.stream_base + node.stream
            number, state[word] = below(ends[-1], state[word], self.keys[stream])
            outcome = next(o for (o, _), end in zip(weighted, ends, strict=True) if number < end)
            before = Cursor(state, CHANCE, cursor.named, cursor.path, cursor.length)
            cursor = self._resolved(before, outcome, Drawn(stream, outcome_name(node, outcome), False))
        return cursor

    def _resolved(self, cursor: Cursor, outcome: int, drawn: Drawn) -> Cursor:
        state = cursor.state[:]
        code = self.executor.resolve_chance(state, outcome)
        return Cursor(state, code, cursor.named, (cursor.path, drawn), cursor.length + 1)

    def _chance(self, cursor: Cursor) -> ir.Chance:
        return self.game.machine.node(cursor.state[ir.PC], ir.Chance)

    # ---- what was not offered

    def why(self, stuck: Stuck) -> tuple[str, str]:
        """The answer of the referee to a choice that is not offered, and what is."""
        step, cursor = stuck.step, stuck.cursor
        if isinstance(step, Happens):
            outcome = self.wording.one(step.outcome, stuck.parts) or "?"
            due = self.game.machine.streams[self._chance(cursor).stream] if cursor.code == CHANCE else None
            if due is None:
                return f"`{step.stream}` cannot bring `{outcome}`: no outcome of chance is due", ""
            return f"`{step.stream}` cannot bring `{outcome}`: `{due}` is due", ""
        if not isinstance(step, ChooseStep):
            return "what the notation says of it does not hold", ""
        if cursor.state[ir.STATUS]:
            ending = self.game.machine.ending(cursor.state)
            return f"the game is over{f': {ending}' if ending else ''}", ""
        waits = self.waiting(cursor)
        seat = self.wording.one(step.seat, stuck.parts) if step.seat is not None else None
        due_seats = [self.game.names.seat(waiting.seat) for waiting in waits]
        if seat is not None and seat not in due_seats:
            return f"{seat} has nothing to decide now: {', '.join(due_seats)} has", ""
        waiting = next(w for w in waits if seat is None or self.game.names.seat(w.seat) == seat)
        written = self._written(step, waiting, stuck)
        try:
            why, hint = self.game.refusals.why(cursor.state[:], waiting, written)
        except Fault as fault:
            why, hint = fault.diagnostic.message, ""
        return f"{self.game.names.seat(waiting.seat)} cannot choose `{shortened(written)}`: {why}", hint

    def _written(self, step: ChooseStep, waiting: Waiting, stuck: Stuck) -> str:
        """The words of the choice, as far as the record and the rules have them."""
        node = self.game.machine.decision(waiting.node)
        wanted = self._wanted(step, stuck.parts)
        parts: Sequence[int] = range(len(waiting.what)) if isinstance(node, ir.Offer) else (0,)
        for part in parts:
            bound = self.binding(node, part, waiting)
            if bound is None or bound[0] != step.name:
                continue
            said = [step.name] if isinstance(node, ir.Offer) else []
            value = next((word for c, word in wanted if bound[1] and c.question == bound[1][0]), None)
            return " ".join([*said, *([value] if value else [])]) or step.name
        return " ".join([step.name, *(word for _, word in wanted[:1])])
