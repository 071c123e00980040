"""The reader of `records/NAME.yaml`: YAML to a notation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from dsl.declare.nodes import flag, line, mapping, needed, one_of, text, word, words
from dsl.diagnostics import DiagnosticError, did_you_mean
from dsl.document import Mapping, Node, Scalar, Sequence, read
from dsl.messages.records import BadNotation
from dsl.messages.shapes import UnknownKey
from dsl.numbers import whole
from dsl.source import Source, Span
from dsl.wording import quoted
from validators.records.grammar import START, RecordGrammar, read_grammar
from validators.records.notation import (
    ChooseStep,
    Condition,
    Each,
    Given,
    Happens,
    Kept,
    Meaning,
    Notation,
    OneOf,
    Step,
    Text,
    That,
    Times,
    ValueOf,
)

KEYS = ("notation", "files", "begins", "skip", "words", "given", "set_up", "play", "end", "write")
GIVEN = ("seats", "options", "at", "seat", "prepared", "spare", "set")
STEPS = {
    "choose": ("choose", "where", "keep", "seat", "if", "optional"),
    "chance": ("chance", "is"),
    "that": ("that", "keep"),
    "keep": ("keep",),
    "one of": ("one of",),
    "each": ("each", "in any order", "do"),
    "times": ("times", "do"),
}
PART = re.compile(r"\{(\w+)\}")
BUILT_IN = frozenset({"number", "count"})
"""Parts that every part has: which one of its name it is, from 1 on, and how many there are."""
MOST_TIMES = 400
TIMES = re.compile(r"(\d{1,3})\.\.(\d{1,3})")


def read_notation(name: str, source: Source, grammar: Source) -> Notation:
    """The notation that two files describe. Raises `DiagnosticError` with the first mistake."""
    return _Reader(read_grammar(grammar)).notation(name, mapping(read(source), f"`{source.name}`"))


def bad(span: Span, why: str, hint: str = "") -> DiagnosticError:
    """A mistake in a notation."""
    return DiagnosticError(BadNotation(span, why, hint))


def _keys(node: Node | None, where: str, allowed: tuple[str, ...]) -> Mapping:
    found = mapping(node, where)
    for key, _ in found.pairs:
        if key.text not in allowed:
            hint = did_you_mean(key.text, allowed) or f"its keys are {quoted(allowed, 'and')}"
            raise DiagnosticError(UnknownKey(key.span, key.text, where, hint))
    return found


def _pairs(node: Node | None, where: str) -> tuple[tuple[Scalar, Node], ...]:
    return mapping(node, where).pairs if node is not None else ()


def _check_words(words: dict[str, Meaning], node: Mapping) -> None:
    """Raises `DiagnosticError` if the words of a part are said by that part again."""
    for key, _ in _pairs(node.get("words"), "`words`"):
        left, seen = [key.text], set[str]()
        while left:
            within = _said_by(words.get(left.pop())) - seen
            if key.text in within:
                raise bad(key.span, f"the words of `{key.text}` are said by itself", "name a part within it")
            seen |= within
            left += within


def _said_by(meaning: Meaning | None) -> set[str]:
    """The parts by which the words of a part are said."""
    match meaning:
        case Text(text=text):
            return set(PART.findall(text))
        case ValueOf(where=where):
            return {name for condition in where for name in PART.findall(condition.wanted.text)}
        case _:
            return set()


class _Reader:
    """Reads one mapping; every part that it names is one of the grammar."""

    def __init__(self, grammar: RecordGrammar) -> None:
        self.grammar = grammar
        self.kept: set[str] = set()

    def notation(self, name: str, node: Mapping) -> Notation:
        found = _keys(node, "a notation", KEYS)
        begins, skip = found.get("begins"), found.get("skip")
        notation = Notation(
            name=name,
            title=line(needed(found, "notation", "a notation"), "`notation`").text,
            grammar=self.grammar,
            files=tuple(one.text for one in words(found.get("files"), "`files`"))
            if found.get("files")
            else (),
            begins=line(begins, "`begins`").text if begins is not None else None,
            skip=frozenset(self.part(one) for one in words(skip, "`skip`"))
            if skip is not None
            else frozenset(),
            words={
                self.part(key): self.meaning(value) for key, value in _pairs(found.get("words"), "`words`")
            },
            given=self.given(found.get("given")),
            set_up={self.part(k): self.given(v) for k, v in _pairs(found.get("set_up"), "`set_up`")},
            play={
                self.part(k): self.play(k, v)
                for k, v in _pairs(needed(found, "play", "a notation"), "`play`")
            },
            end={self.part(k): self.conditions(v, "`end`") for k, v in _pairs(found.get("end"), "`end`")},
            span=node.span.first_line(),
            write=dict(self.written(key, value) for key, value in _pairs(found.get("write"), "`write`")),
        )
        _check_words(notation.words, found)
        return replace(notation, kept=frozenset(self.kept))

    # ---- parts and texts

    def part(self, node: Scalar) -> str:
        """The name of a part. Raises `DiagnosticError` if the grammar has none of this name."""
        self._check(node.text, node.span)
        return node.text

    def _check(self, name: str, span: Span) -> None:
        if name not in self.grammar.parts and name not in BUILT_IN:
            hint = did_you_mean(name, self.grammar.parts) or "name a rule or a terminal of its grammar"
            raise bad(span, f"unknown part `{name}`: the grammar has none", hint)

    def text(self, node: Node | None, where: str) -> Text:
        found = text(node, where)
        for name in PART.findall(found.text):
            self._check(name, found.span)
        return Text(found.text, found.span)

    def texts(self, node: Node) -> Iterator[Text]:
        """One text, or a list of them."""
        items = node.items if isinstance(node, Sequence) else (node,)
        return (self.text(item, "an item") for item in items)

    def bare(self, node: Node, where: str) -> Text:
        """A text; a bare word that is a part of the grammar stands for it."""
        found = self.text(node, where)
        quoted = isinstance(node, Scalar) and node.quoted
        named = found.text in self.grammar.parts or found.text in BUILT_IN
        return Text(f"{{{found.text}}}", found.span) if named and not quoted else found

    def meaning(self, node: Node) -> Meaning:
        if isinstance(node, Scalar):
            return self.text(node, "a word")
        found = mapping(node, "the words of a part")
        if found.get("of") is not None and isinstance(found.get("where"), Mapping):
            of = word(_keys(node, "a value", ("of", "where")).get("of"), "`of`")
            return ValueOf(of.text, self.conditions(found.get("where"), "`where`"), found.span.first_line())
        return {key.text: word(value, "a word of the rules").text for key, value in found.pairs}

    def conditions(self, node: Node | None, where: str) -> tuple[Condition, ...]:
        return tuple(
            Condition(key.text, self.bare(value, f"a value in {where}"), key.span)
            for key, value in _pairs(node, where)
        )

    def written(self, key: Scalar, node: Node) -> tuple[str, tuple[Text, ...]]:
        """The texts for a play; those for a record have options, `seats` and `plays` in braces."""
        if key.text != START:
            return self.part(key), tuple(self.texts(node))
        items = node.items if isinstance(node, Sequence) else (node,)
        return START, tuple(Text(text(item, "an item").text, item.span) for item in items)

    # ---- how it begins

    def given(self, node: Node | None) -> Given:
        if node is None:
            return Given()
        found = _keys(node, "`given`", GIVEN)
        each = {
            key: self.bare(value, f"`{key}`") for key in ("seats", "at", "seat") if (value := found.get(key))
        }
        return Given(
            **each,
            options=tuple(
                (k.text, self.bare(v, "an option")) for k, v in _pairs(found.get("options"), "`options`")
            ),
            prepared=(value := found.get("prepared")) is not None and flag(value, "`prepared`"),
            spare=(value := found.get("spare")) is not None and flag(value, "`spare`"),
            set=tuple(
                (self.text(key, "an address"), tuple(self.texts(value)))
                for key, value in _pairs(found.get("set"), "`set`")
            ),
        )

    # ---- steps

    def play(self, part: Scalar, node: Node) -> tuple[Step, ...]:
        found = self.steps(node)
        if not found:
            raise bad(
                part.span, f"the play `{part.text}` has no steps", "leave out a part that is not played"
            )
        return found

    def steps(self, node: Node | None) -> tuple[Step, ...]:
        if isinstance(node, Sequence):
            return tuple(self.step(item) for item in node.items)
        return (self.step(node),) if node is not None else ()

    def step(self, node: Node) -> Step:
        found = mapping(node, "a step")
        kind = next((key for key in STEPS if found.get(key) is not None), None)
        if kind is None:
            raise bad(
                found.span.first_line(), "this is no step", f"begin it with {quoted(tuple(STEPS), 'or')}"
            )
        _keys(node, f"a step with `{kind}`", STEPS[kind])
        span = found.span.first_line()
        match kind:
            case "choose":
                return self.choose(found, span)
            case "chance":
                stream = word(found.get("chance"), "`chance`").text
                return Happens(stream, self.bare(needed(found, "is", "a step with `chance`"), "`is`"), span)
            case "that" | "keep":
                return That(self.conditions(found.get("that"), "`that`"), self.keep(found.get("keep")), span)
            case "one of":
                ways = found.get("one of")
                if not isinstance(ways, Sequence):
                    raise bad(span, "`one of` is not a list of ways", "write `one of: [[...], [...]]`")
                return OneOf(tuple(self.steps(way) for way in ways.items), span)
            case "each":
                order = found.get("in any order")
                part = self.part(word(found.get("each"), "`each`"))
                do = self.steps(needed(found, "do", "a step with `each`"))
                return Each(part, order is not None and flag(order, "`in any order`"), do, span)
        times = word(found.get("times"), "`times`")
        if times.text in self.grammar.parts:
            return Times(1, 1, times.text, self.steps(needed(found, "do", "a step with `times`")), span)
        least, most = self.bounds(times)
        return Times(least, most, None, self.steps(needed(found, "do", "a step with `times`")), span)

    def bounds(self, node: Scalar) -> tuple[int, int]:
        found = TIMES.fullmatch(node.text)
        least, most = (int(found[1]), int(found[2])) if found else (whole(node.text) or -1,) * 2
        if not 0 <= least <= most <= MOST_TIMES:
            raise bad(
                node.span, f"`{node.text}` is not a range within 0..{MOST_TIMES}", "write `times: 0..8`"
            )
        return least, most

    def choose(self, found: Mapping, span: Span) -> ChooseStep:
        seat, given, optional = found.get("seat"), found.get("if"), found.get("optional")
        return ChooseStep(
            name=word(found.get("choose"), "`choose`").text,
            where=self.conditions(found.get("where"), "`where`"),
            keep=self.keep(found.get("keep")),
            seat=self.bare(seat, "`seat`") if seat is not None else None,
            given=self.part(word(given, "`if`")) if given is not None else None,
            optional=optional is not None and one_of(optional, "`optional`", ("true", "false")) == "true",
            span=span,
        )

    def keep(self, node: Node | None) -> tuple[Kept, ...]:
        self.kept.update(key.text for key, _ in _pairs(node, "`keep`"))
        return tuple(
            Kept(key.text, text(value, "a kept value").text, value.span)
            for key, value in _pairs(node, "`keep`")
        )
