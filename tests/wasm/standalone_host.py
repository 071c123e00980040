"""A host of a module that plays without Python: it reads nothing but the module's memory and its tables.

What hosts in other languages do is done here in Python, as `docs/standalone-module.md` says.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from dsl import rules as r
from dsl.domains import NONE, PieceType
from interpreter import events as ev, ir
from interpreter.events import Event
from interpreter.executor_protocol import PASS, Option
from interpreter.refusal import MOST_EXPLAINED, Refusal
from interpreter.views import Views
from interpreter.wasm.abi import FAULT
from interpreter.wasm.engine import Instance, compile_module
from interpreter.wasm.host.codes import UNSEARCHABLE
from interpreter.wasm.runtime import reasons
from interpreter.wasm.standalone import standalone

Doing = tuple[int, int, tuple[int, ...]]


class Faulted(Exception):
    """The module says that the rules have come to a fault."""

    def __init__(self, record: list[int]) -> None:
        super().__init__(record)
        self.record = record


class Host:
    """One module with its tables. `names` forms words, as a host does from the description of the game."""

    def __init__(self, machine: ir.Machine, rules: r.Rules) -> None:
        data, tables = standalone(machine, rules)
        self.tables: dict[str, Any] = json.loads(json.dumps(tables))
        self.map: dict[str, int] = self.tables["map"]
        self.head: dict[str, int] = self.tables["head"]
        self.instance = Instance(compile_module(data))
        self.free = self.instance.size
        self.views = Views(rules, machine)
        self.names = self.views.names
        self.seats: int = self.tables["seats"]

    # ---- memory

    def words(self, address: int, count: int) -> list[int]:
        return list(array("i", self.instance.read(address, count)))

    def call(self, name: str, *numbers: int) -> int:
        found = self.instance.functions[name](self.map["state"], *numbers)
        if found == FAULT:
            raise Faulted(self.words(self.map["record"], 5))
        return found

    @property
    def state(self) -> list[int]:
        return self.words(self.map["state"], self.map["size"])

    @state.setter
    def state(self, words: list[int]) -> None:
        self.instance.write(self.map["state"], array("i", words).tobytes())

    @cached_property
    def initial(self) -> list[int]:
        return self.words(self.map["initial"], self.map["size"])

    # ---- runs

    def step(self, name: str, *numbers: int) -> tuple[int, list[Event]]:
        """A run to the next stop, and what it tells."""
        self.instance.set_global("event", self.map["events"])
        code = self.call(name, *numbers)
        return code, list(self._events())

    def start(self) -> tuple[int, list[Event]]:
        self.state = self.initial
        return self.step("advance", self.tables["start"])

    def choose(self, node: int, branch: int, option: Option) -> tuple[int, list[Event]]:
        part, value = option
        if option == PASS:
            return self.step("choose", branch, -1, 0)
        low, size, _ = self.decision(node)["parts"][part]
        return self.step("choose", branch, part, size if value == NONE else value - low)

    def _events(self) -> Iterator[Event]:
        count = (self.instance.global_value("event") - self.map["events"]) // 24
        rows = [self.words(self.map["events"] + 24 * i, 6) for i in range(count)]
        for i, (kind, a, b, c, d, _) in enumerate(rows):
            match kind:
                case 1:
                    yield ev.Moved(a, b, c, d, self._component(d))
                case 2:
                    yield ev.Changed(self._variable(a), a, b, c)
                case 3:
                    yield ev.Thrown(self._component(b), a, b)
                case 4:
                    yield ev.Shown(a, tuple(self._shown(rows[i + 1 :])), bool(b))
                case 6:
                    yield ev.Shuffled(a)
                case 7:
                    yield ev.Entered(a)
                case 8:
                    yield ev.Turned(a)
                case 9:
                    yield ev.Ended(a, b)
                case 10:
                    yield ev.Branched(a)
                case 11:
                    yield ev.Told(a, self._variable(b), b, c, bool(d))

    def _shown(self, rows: list[list[int]]) -> Iterator[tuple[int, int, int]]:
        for kind, place, class_, number, *_ in rows:
            if kind != 5:
                return
            yield place, class_, number

    def _component(self, place: int) -> str:
        name: str = self.tables["components"][self.tables["places"][place][0]]
        return name

    def _variable(self, word: int) -> str:
        return next(n for n, base, size in self.tables["variables"] if base <= word < base + size)

    # ---- what waits

    def waiting(self) -> list[tuple[int, int]]:
        """The nodes of the decisions that wait, each with its branch."""
        s = self.state
        if s[self.head["status"]]:
            return []
        if not s[self.head["forked"]]:
            return [(s[self.head["node"]], 0)]
        first = self.tables["branches"]["first"]
        return [(s[first + 3 * i], i) for i in range(self.seats) if s[first + 3 * i + 2] == 1]

    def decision(self, node: int) -> dict[str, Any]:
        found: dict[str, Any] = self.tables["decisions"][str(node)]
        return found

    def seat(self, branch: int) -> int:
        return self.call("seat_at", branch, 0)

    def options(self, node: int, branch: int) -> tuple[Option, ...]:
        self.call("menu", branch, self.map["menu"])
        words = self.instance.read_bytes(self.map["menu"], 8 * self.map["menu_words"])
        found: list[Option] = []
        for i, (low, size, first) in enumerate(self.decision(node)["parts"]):
            bits = int.from_bytes(words[8 * first : 8 * (first + (size + 64) // 64)], "little")
            found += [(i, low + bit if bit < size else NONE) for bit in range(size + 1) if bits >> bit & 1]
        return (*found, PASS) if self.decision(node)["passing"] else tuple(found)

    def doings(self, branch: int) -> list[Doing | None]:
        """The targets of the offer that waits: routine, `self` and arguments."""
        size = self.map["doing_words"]
        rows = [self.words(self.map["out"] + 4 * size * i, size) for i in range(self.call("doings", branch))]
        return [(row[0], row[1], tuple(row[3 : 3 + row[2]])) if row[0] >= 0 else None for row in rows]

    def odds(self) -> list[tuple[int, int]]:
        count = self.call("odds")
        words = self.words(self.map["out"], 2 * count)
        return list(zip(words[::2], words[1::2], strict=True))

    def candidates(self, branch: int, part: int) -> list[int] | None:
        """The values of a choice, or of a target's first parameter; none if it does not come to it."""
        count = self.call("candidates", branch, part)
        return self.words(self.map["out"], count) if count >= 0 else None

    def score(self, seat: int) -> list[int]:
        self.call("account", seat)
        row = len(self.tables["scores"]) + 1
        return self.words(self.map["accounts"] + 4 * row * seat, row)

    # ---- why not

    def explain(self, branch: int, node: int, action: str | None, value: int | None, seat: int) -> Refusal:
        """Why a value cannot be chosen; at an offer, of the action with that name."""
        decision, part = self.decision(node), 0
        if decision["offer"]:
            doings = self.doings(branch)
            names = [self.tables["routines"][d[0]][0] if d else "" for d in doings]
            if action not in names:
                text = "no action of this name is offered now"
                return Refusal("not here", text, tuple(decision["clauses"]))
            part = names.index(action)
        answer = self.call("why", branch, part, NONE)
        if answer != reasons.ASKS:
            clauses = tuple(decision["clauses"])
            if decision["offer"] and (doing := self.doings(branch)[part]):
                clauses = tuple((self.tables["routines"][doing[0]][2:] or [()])[0])
            return self._refusal(answer, clauses, seat)
        parameter = self._record(0)
        clauses = tuple(self.decision(parameter)["clauses"])
        candidates = self.candidates(branch, part)
        assert candidates is not None
        seen = self._sees_all(parameter, candidates, seat)
        marks = self.decision(parameter).get("marks", 0) & UNSEARCHABLE
        hidden = self.views.hides(array("i", self.state), seat, (), marks)
        if value is None:
            seen = seen and not hidden
            parts = tuple(
                self._refusal(self.call("why", branch, part, v), clauses, seat)
                for v in (candidates[:MOST_EXPLAINED] if seen else ())
            )
            text = "another word has to follow, if any of its values can be chosen"
            text = text if candidates or hidden else "nothing can be chosen for it now"
            return Refusal("nothing to choose", text, clauses, parts=parts)
        text = (
            "it is not among the values here" if candidates or hidden else "nothing can be chosen for it now"
        )
        if not seen:
            return Refusal("no such value", text + self._cite(clauses), clauses)
        if value not in candidates and hidden:
            return self._unnamed(clauses)
        if value not in candidates:
            return Refusal("no such value", text, clauses)
        return self._refusal(self.call("why", branch, part, value), clauses, seat)

    def _record(self, word: int) -> int:
        return self.words(self.map["why"] + 4 * word, 1)[0]

    def _cite(self, clauses: tuple[str, ...]) -> str:
        return f"  {' '.join(clauses)}" if clauses else ""

    def _sees_all(self, node: int, pieces: list[int], seat: int) -> bool:
        kind, *component = self.decision(node)["type"]
        piece = PieceType(component[0]) if kind == "piece" else None
        return not self.views.hides(array("i", self.state), seat, ((piece, v) for v in pieces))

    def _classes(self, component: str) -> int:
        number = self.tables["components"].index(component)
        found: int = next(p[3] for p in self.tables["places"] if p[0] == number)
        return found

    def _refusal(self, answer: int, clauses: tuple[str, ...], seat: int) -> Refusal:
        match answer:
            case reasons.OFFERED:
                return Refusal("words", "it is offered in other words")
            case reasons.REFUSED:
                return self._refused(clauses, seat)
            case reasons.UNWANTED:
                return self._unwanted(seat)
            case reasons.NOTHING:
                return Refusal("not here", "it does nothing")
            case reasons.COMPLETE:
                return Refusal("words", "it takes no further words")
        raise AssertionError(answer)

    def _unwanted(self, seat: int) -> Refusal:
        decision = self.decision(self._record(0))
        clauses, text = tuple(decision["clauses"]), "a condition of the choice does not hold"
        unnamed = self._unnamed(clauses, "it is not allowed now" if decision["parameter"] else text)
        return self._told_of(decision["wants"], "only where", unnamed, clauses, seat)

    def _unnamed(self, clauses: tuple[str, ...], text: str = "it is not allowed now") -> Refusal:
        return Refusal("condition", f"{text}{self._cite(clauses)}", clauses)

    def _told_of(
        self,
        wants: list[Any],
        verb: str,
        unnamed: Refusal,
        clauses: tuple[str, ...],
        seat: int,
    ) -> Refusal:
        """The innermost condition that fails, as far as the seat may know."""
        number = self._record(3)
        while number >= 0 and not self._knows(wants[number][5:], seat):
            number = wants[number][3]
        return unnamed if number < 0 else self._unmet(verb, wants[number], clauses)

    def _refused(self, outer: tuple[str, ...], seat: int) -> Refusal:
        number, wanted, there = (self._record(i) for i in range(3))
        if number < 0:
            return Refusal("condition", "it cannot be carried out")
        kind, marks, _, *rest = self.tables["reasons"][str(number)]
        clauses = tuple(marks)
        cite = self._cite(clauses)
        unnamed = self._unnamed(outer)
        if not self._knows(rest[1:], seat):
            return unnamed
        if kind == "need":
            return self._told_of(rest[0], "needs", unnamed, clauses, seat)
        if kind == "nothing":
            text = f"there would be nothing to choose for “{self.names.label(rest[0])}”{cite}"
            return Refusal("nothing to choose", text, clauses, name=rest[0])
        name = self.names.label(rest[0])
        if kind == "range":
            return Refusal("out of range", f"{name} would leave its range{cite}", clauses, name=rest[0])
        numbers, index = (wanted, there), self._index(rest[0])
        shown = f"{name} ({self.names.label(index)})" if index else name
        text = f"{wanted} {shown} must be paid, but there are {there}{cite}"
        return Refusal("cannot pay", text, clauses, rest[0], name=rest[0], numbers=numbers, index=index)

    def _index(self, name: str) -> str:
        """The value of the type at which a counter cannot be paid."""
        words = self.views.machine.variables[name]
        if words.at is None:
            return ""
        return self.names.index(words.at, words.at_lo + self._record(3) % words.at_size)

    def _knows(self, needed: list[list[int]], seat: int) -> bool:
        """Whether a seat knows what has to be known, if anything has."""
        if not needed:
            return True
        free, (words,) = self.free, needed
        self.instance.grow(free + 4 * len(words) + self.map["failed"] - self.map["why"])
        self.instance.write(free, array("i", words).tobytes())
        record = self.instance.read(self.map["why"], (self.map["failed"] - self.map["why"]) // 4)
        self.instance.write(free + 4 * len(words), record)
        knows = self.instance.functions["knows"]
        return bool(knows(self.map["failed"], seat, free, free + 4 * len(words)))

    def _unmet(self, verb: str, condition: list[Any], outer: tuple[str, ...]) -> Refusal:
        text, sides, first, _, clauses, *_ = condition
        clauses = tuple(clauses) or outer
        known, *values = self.words(self.map["why"] + 4 * first, len(sides) + 1)
        facts = []
        for i, ((side, kind), value) in enumerate(zip(sides, values, strict=True)):
            shown = self._value(kind, value)
            if known >> i & 1 and shown != side and (value != NONE or kind[0] != "int"):
                facts.append((side, shown))
        told = "; ".join(f"{side} is {self.names.label(shown)}" for side, shown in facts)
        but = f", but {told}" if facts else ""
        why = f"{verb} {text}{but}{self._cite(clauses)}"
        return Refusal("condition", why, clauses, text, facts=tuple(facts), said=text, told=tuple(facts))

    def _number(self, of: list[str], value: int) -> str:
        """A number, or the key of the label that the numbers of its type or column have."""
        key = ".".join((*of, str(value)))
        return key if key in self.views.rules.labels else str(value)

    def _value(self, kind: list[str], value: int) -> str:
        """A value in words, from its type and the description of the game."""
        if value == NONE or kind[0] == "none":
            return "none"
        match kind[0]:
            case "int":
                return self._number(kind[1:], value)
            case "flag":
                return "true" if value else "false"
            case "enum":
                decl = self.views.rules.types[kind[1]]
                if decl.numeric:
                    return self._number(kind[1:], value)
                return decl.label(value) if decl.lo <= value <= decl.hi else str(value)
            case "piece":
                return self.names.class_name(kind[1], value % self._classes(kind[1]))
            case "effect":
                routine: str = self.tables["routines"][self.tables["cells"][value][0]][0]
                return routine
        raise AssertionError(kind)
