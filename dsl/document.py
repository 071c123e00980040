"""YAML text to located nodes. Every scalar stays text; its meaning comes from where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import yaml

from dsl.diagnostics import Failed
from dsl.messages import BrokenYaml, DuplicateKey, TooDeep, UnsupportedYaml, YamlTrap
from dsl.source import Source, Span

DEEPEST = 30


@dataclass(frozen=True, slots=True)
class Scalar:
    text: str
    span: Span
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Sequence:
    items: tuple[Node, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Mapping:
    pairs: tuple[tuple[Scalar, Node], ...]
    span: Span

    def get(self, key: str) -> Node | None:
        return next((value for name, value in self.pairs if name.text == key), None)

    def key(self, key: str) -> Scalar | None:
        return next((name for name, _ in self.pairs if name.text == key), None)


Node = Scalar | Sequence | Mapping

WORDS = "false or true"
TRAPS = (
    (
        re.compile(r"(?i:yes|no|on|off|y|n)\Z"),
        WORDS,
        "write `true` or `false`, or put the text in quotes",
    ),
    (re.compile(r"[+-]?\d+(:[0-5]?\d)+\Z"), "a number in base sixty", "put it in quotes"),
    (
        re.compile(r"[+-]?0[0-9]+\Z"),
        "a number in base eight",
        "write the number without leading zeros",
    ),
    (re.compile(r"[+-]?0[xob][0-9a-fA-F_]+\Z"), "a number in another base", "write it in base ten"),
    (re.compile(r"[+-]?\d[\d_]*_[\d_]*\Z"), "a number", "write the number without underscores"),
    (re.compile(r"\d{4}-\d{1,2}-\d{1,2}.*\Z"), "a date", "put it in quotes"),
    (re.compile(r"~\Z"), "nothing", "say `none`, or leave the key out"),
    (re.compile(r"(?i:null)\Z"), "nothing", "say `none`, or leave the key out"),
    (re.compile(r"=\Z"), "a default value", "put it in quotes"),
)


def read(source: Source) -> Node:
    """The one document of a source. Raises `Failed` with the first thing that is wrong."""
    try:
        events = yaml.parse(source.text, Loader=yaml.SafeLoader)
        reader = _Reader(source, events)
        return reader.document()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        at = min(mark.index, max(len(source.text) - 1, 0)) if mark else 0
        raise Failed(BrokenYaml(Span(source, at, at + 1), error.problem or "it cannot be parsed")) from None
    except yaml.YAMLError as error:
        raise Failed(BrokenYaml(Span(source, 0, 1), str(error).splitlines()[0])) from None


class _Reader:
    def __init__(self, source: Source, events: Iterator[yaml.Event]) -> None:
        self.source = source
        self.events = events

    def document(self) -> Node:
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                node = self.node(next(self.events), 0)
                next(self.events)
                extra = next(self.events)
                if isinstance(extra, yaml.DocumentStartEvent):
                    raise Failed(UnsupportedYaml(self.span(extra), "a second document"))
                return node
        return Mapping((), Span(self.source, 0, min(1, len(self.source.text))))

    def span(self, event: yaml.Event) -> Span:
        start, end = event.start_mark.index, event.end_mark.index
        return Span(self.source, start, max(end, start))

    def node(self, event: yaml.Event, depth: int) -> Node:
        if depth > DEEPEST:
            raise Failed(TooDeep(self.span(event), DEEPEST))
        if isinstance(event, yaml.AliasEvent):
            raise Failed(UnsupportedYaml(self.span(event), "an alias"))
        if getattr(event, "anchor", None):
            raise Failed(UnsupportedYaml(self.span(event), "an anchor"))
        if getattr(event, "tag", None):
            raise Failed(UnsupportedYaml(self.span(event), "a tag"))
        if isinstance(event, yaml.ScalarEvent):
            return self.scalar(event)
        if isinstance(event, yaml.SequenceStartEvent):
            return self.sequence(event, depth)
        return self.mapping(event, depth)

    def scalar(self, event: yaml.ScalarEvent) -> Scalar:
        quoted = event.style is not None
        scalar = Scalar(event.value, self.span(event), quoted)
        if not quoted:
            for pattern, meaning, hint in TRAPS:
                if pattern.match(event.value):
                    raise Failed(YamlTrap(scalar.span, event.value, meaning, hint))
        return scalar

    def sequence(self, start: yaml.Event, depth: int) -> Sequence:
        items = []
        while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
            items.append(self.node(event, depth + 1))
        return Sequence(tuple(items), self.span(start).to(self.span(event)))

    def mapping(self, start: yaml.Event, depth: int) -> Mapping:
        pairs: list[tuple[Scalar, Node]] = []
        seen: dict[str, Span] = {}
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            key = self.node(event, depth + 1)
            if not isinstance(key, Scalar):
                raise Failed(UnsupportedYaml(key.span, "a key that is not one word"))
            if key.text == "<<":
                raise Failed(UnsupportedYaml(key.span, "a merge key"))
            if key.text in seen:
                raise Failed(DuplicateKey(key.span, key.text, seen[key.text]))
            seen[key.text] = key.span
            pairs.append((key, self.node(next(self.events), depth + 1)))
        return Mapping(tuple(pairs), self.span(start).to(self.span(event)))
