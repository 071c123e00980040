"""YAML text to nodes with spans. Every scalar stays text; the reader of its key gives it a meaning."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import yaml
from yaml.reader import ReaderError

from dsl.characters import forbidden, named
from dsl.diagnostics import DiagnosticError
from dsl.messages.files import (
    BrokenYaml,
    DuplicateKey,
    ForbiddenCharacter,
    TooDeep,
    UnsupportedYaml,
    YamlTrap,
)
from dsl.source import Source, Span

DEEPEST = 30
LONGEST_TRAP = 60
KEPT = 64
"""Cached documents, for loading many rulesets that share most of their texts."""


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
    named: dict[str, tuple[Scalar, Node]] = field(init=False, repr=False, compare=False)
    """The first pair of each key."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "named", {pair[0].text: pair for pair in reversed(self.pairs)})

    def get(self, key: str) -> Node | None:
        found = self.named.get(key)
        return found[1] if found is not None else None

    def key(self, key: str) -> Scalar | None:
        found = self.named.get(key)
        return found[0] if found is not None else None


Node = Scalar | Sequence | Mapping

QUOTE = "put it in quotes"
NOTHING = "write `none`, or remove the key"
TRAPS = (
    (r"[yYnN]", "false or true", "put the name in quotes, or give it a longer one"),
    (r"(?i:yes|no|on|off)", "false or true", "write `true` or `false`, or put the text in quotes"),
    (r"[+-]?\d+(:[0-5]?\d)+", "a number in base sixty", QUOTE),
    (r"[+-]?0[0-9]+", "a number in base eight", "write the number without leading zeros"),
    (r"[+-]?0[xob][0-9a-fA-F_]+", "a number in another base", "write it in base ten"),
    (r"[+-]?\d[\d_]*_[\d_]*", "a number", "write the number without underscores"),
    (r"\d{4}-\d{1,2}-\d{1,2}.*", "a date", QUOTE),
    (r"~|(?i:null)", "null", NOTHING),
    (r"=", "a default value", QUOTE),
)
"""Bare words that YAML readers convert: their pattern, what they become, the hint."""
ANY_TRAP = re.compile("|".join(f"(?:{pattern})" for pattern, _, _ in TRAPS))

BLOCKS = ("|", ">")
"""Styles of scalars of several lines."""
QUICK: Any = getattr(yaml, "CSafeLoader", None)
"""The YAML parser in C, many times as fast; some installations lack it."""
UNCOMMON = re.compile(r"[^\n -~\u00a1-\u2027\u202a-\ud7ff]|\?|[|>][-+\d]*#")
"""What the two YAML parsers treat differently: some characters, and a `#` in the header of a block."""


@lru_cache(maxsize=KEPT)
def read(source: Source) -> Node:
    """The one document of a source; an empty source is an empty mapping. Cached for the last few.

    Raises `DiagnosticError` with the first error.
    """
    return read_quickly(source) or read_thoroughly(source)


def read_part(span: Span) -> Node:
    """The document that some whole lines of a source are. Raises `DiagnosticError` with the first error."""
    return read_quickly(span.source, span) or read_thoroughly(span.source, span)


def read_quickly(source: Source, part: Span | None = None) -> Node | None:
    """The result of `read_thoroughly`; none if there is an error, or where the two parsers may differ."""
    text = source.text if part is None else part.text
    if QUICK is None or UNCOMMON.search(text):
        return None
    try:
        return _Reader(source, _common(yaml.parse(text, Loader=QUICK)), part).document()
    except (yaml.YAMLError, DiagnosticError):
        return None


def _common(events: Iterator[yaml.Event]) -> Iterator[yaml.Event]:
    """The events. Raises `YAMLError` at a missing value: the two parsers give it different places."""
    for event in events:
        if isinstance(event, yaml.ScalarEvent) and not (event.style or event.value):
            raise yaml.YAMLError
        yield event


def read_thoroughly(source: Source, part: Span | None = None) -> Node:
    """The document, by the YAML parser whose errors can be explained. Raises `DiagnosticError`.

    `part`: the lines that are read, if not all are.
    """
    text, first = (source.text, 0) if part is None else (part.text, part.start)
    try:
        return _Reader(source, yaml.parse(text, Loader=yaml.SafeLoader), part).document()
    except yaml.MarkedYAMLError as error:
        raise DiagnosticError(_explain(source, error, first)) from None
    except ReaderError as error:
        at = Span(source, first + error.position, first + error.position + 1)
        raise DiagnosticError(
            BrokenYaml(at, f"the character U+{ord(at.text):04X} is not allowed in YAML", "remove it")
        ) from None


class _Reader:
    """Builds nodes from the events of one source, or of some lines of it."""

    def __init__(self, source: Source, events: Iterator[yaml.Event], part: Span | None) -> None:
        self.source = source
        self.events = events
        self.first = part.start if part is not None else 0

    def document(self) -> Node:
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                node = self.node(next(self.events), 0)
                next(self.events)
                extra = next(self.events)
                if isinstance(extra, yaml.DocumentStartEvent):
                    raise DiagnosticError(
                        UnsupportedYaml(self.span(extra), "a second document", "write one document per file")
                    )
                return node
        return Mapping((), self.source.beginning)

    def span(self, event: yaml.Event) -> Span:
        start, end = self.marks(event)
        return Span(self.source, start, max(end, start))

    def marks(self, event: yaml.Event) -> tuple[int, int]:
        """The offsets of an event. PyYAML marks all events of a text."""
        start, end = event.start_mark, event.end_mark
        return (self.first + start.index, self.first + end.index) if start and end else (0, 0)

    def node(self, event: yaml.Event, depth: int) -> Node:
        self.check(event, depth)
        if isinstance(event, yaml.ScalarEvent):
            return self.scalar(event)
        if isinstance(event, yaml.SequenceStartEvent):
            return self.sequence(event, depth)
        return self.mapping(event, depth)

    def check(self, event: yaml.Event, depth: int) -> None:
        """Raises `DiagnosticError` for deep nesting, aliases, anchors and tags."""
        if depth > DEEPEST:
            raise DiagnosticError(TooDeep(self.span(event).first_line(), DEEPEST))
        if isinstance(event, yaml.AliasEvent):
            found = "an alias"
        elif getattr(event, "anchor", None):
            found = "an anchor"
        elif getattr(event, "tag", None):
            found = "a tag"
        else:
            return
        raise DiagnosticError(UnsupportedYaml(self.span(event).first_line(), found))

    def scalar(self, event: yaml.ScalarEvent) -> Scalar:
        span = self.trimmed(event, event) if event.style in BLOCKS else self.span(event)
        if event.style == '"' and (offset := forbidden(event.value)) is not None:
            raise DiagnosticError(ForbiddenCharacter(span.first_line(), named(event.value[offset])))
        scalar = Scalar(event.value, span, bool(event.style))
        if scalar.quoted or len(scalar.text) > LONGEST_TRAP or not ANY_TRAP.fullmatch(scalar.text):
            return scalar
        for pattern, meaning, hint in TRAPS:
            if re.fullmatch(pattern, scalar.text):
                raise DiagnosticError(YamlTrap(scalar.span, scalar.text, meaning, hint))
        return scalar

    def sequence(self, start: yaml.Event, depth: int) -> Sequence:
        items = []
        while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
            items.append(self.node(event, depth + 1))
        return Sequence(tuple(items), self.trimmed(start, event))

    def mapping(self, start: yaml.Event, depth: int) -> Mapping:
        pairs: list[tuple[Scalar, Node]] = []
        seen: dict[str, Span] = {}
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            key = self.key(self.node(event, depth + 1))
            if key.text in seen:
                raise DiagnosticError(DuplicateKey(key.span, key.text, seen[key.text]))
            seen[key.text] = key.span
            pairs.append((key, self.node(next(self.events), depth + 1)))
        return Mapping(tuple(pairs), self.trimmed(start, event))

    def trimmed(self, start: yaml.Event, end: yaml.Event) -> Span:
        """The span of a collection or block of text, without trailing blank lines."""
        (first, _), (_, last) = self.marks(start), self.marks(end)
        text = self.source.text
        while last > first and text[last - 1].isspace():
            last -= 1
        return Span(self.source, first, last)

    def key(self, key: Node) -> Scalar:
        if not isinstance(key, Scalar):
            hint = "write keys as single words"
            raise DiagnosticError(
                UnsupportedYaml(key.span.first_line(), "a key that is not a single word", hint)
            )
        if key.text == "<<" and not key.quoted:
            raise DiagnosticError(UnsupportedYaml(key.span, "a merge key"))
        return key


# ---- messages for the errors of PyYAML

INDENT = "align it with the lines of its block"
AFTER_QUOTE = "put quotes around the whole text if it continues after a quote"
COLON = "put text that contains `: ` in quotes; put a blank after the `:` of a key"
SENTENCES = (
    (r"'\\t' that cannot start", "unexpected tab", "indent with spaces"),
    (r"that cannot start any token", "text cannot start with {at}", QUOTE),
    (r"mapping values are not allowed|but got ':'", "unexpected `:`", COLON),
    (r"sequence entries are not allowed", "unexpected `-`", "write each item on a line of its own"),
    (r"unknown escape character", "unknown escape {pair} in double quotes", "use single quotes"),
    (r"expected alphabetic or numeric", "missing name after {before}", QUOTE),
    (r"expected the node content", "missing value before {at}", "write one, or remove the sign"),
    (r"expected '<document start>'", "unexpected text after the end of the document", "remove it"),
)
"""Patterns of PyYAML's messages, with our message and hint: `{at}` is the unexpected character."""
UNCLOSED = (
    (r"expected ',' or '\]'", "unclosed list", "close it with `]`, and separate with `,`"),
    (r"expected ',' or '\}'", "unclosed braces", "close them with `}`, and separate with `,`"),
    (r"unexpected end of stream", "unclosed quote", "end the text with the same quote"),
)
"""The same for errors that belong at the start of something, and are detected far below it."""
COMMENTED = re.compile(r"[:,\[{] +(#\S)")
"""A comment where a value is expected: rather a text such as `#0a0`, without its quotes."""


def _explain(source: Source, error: yaml.MarkedYAMLError, first: int) -> BrokenYaml:
    """What is wrong in the lines of a source that begin at an offset."""
    mark, problem = error.problem_mark, error.problem or "it cannot be parsed"
    at = min(first + mark.index, len(source.text)) if mark is not None else first
    begun = first + error.context_mark.index if error.context_mark is not None else None
    if "expected <block end>" in problem:
        return _misplaced(source, at)
    if begun is not None and "could not find expected ':'" in problem:
        key = source.span_of_line(source.position(begun)[0])
        return BrokenYaml(Span(source, begun, key.end), "missing `:` after this key", "write `key: value`")
    if begun is not None and (found := _commented(source, begun, at)):
        return BrokenYaml(
            Span(source, found.start(1), found.start(1) + 1),
            "`#` begins a comment here",
            "put quotes around a text that begins with `#`",
        )
    if begun is not None and not ("':'" in problem and source.position(begun)[0] == source.position(at)[0]):
        for pattern, why, hint in UNCLOSED:
            if re.search(pattern, problem):
                opened = Span(source, begun, begun + 1)
                return BrokenYaml(opened, why, hint, _visible_at(source, at))
    for pattern, why, hint in SENTENCES:
        if re.search(pattern, problem):
            why = why.replace("{at}", _shown(source, at)).replace("{before}", _shown(source, at - 1))
            why = why.replace("{pair}", f"`{source.text[at - 1 : at + 1]}`")
            return BrokenYaml(_visible_at(source, at), why, hint)
    return BrokenYaml(_visible_at(source, at), f"this is not YAML: {problem}")


def _commented(source: Source, begun: int, at: int) -> re.Match[str] | None:
    """What looks like a text and is a comment, from the line of the beginning to an offset."""
    first = source.text.rfind("\n", 0, min(begun, _visible_at(source, at).start)) + 1
    return COMMENTED.search(source.text, first, at)


def _misplaced(source: Source, at: int) -> BrokenYaml:
    """The error of text after the end of its block, or after a closing quote."""
    line, column = source.position(at)
    if source.line(line)[: column - 1].strip():
        return BrokenYaml(_visible_at(source, at), "unexpected text", AFTER_QUOTE)
    return BrokenYaml(_visible_at(source, at), "indentation differs from the lines above", INDENT)


def _shown(source: Source, at: int) -> str:
    character = source.text[at : at + 1]
    return "a backtick" if character == "`" else f"`{character}`" if character.strip() else "the end"


def _visible_at(source: Source, at: int) -> Span:
    """The span of the character at an offset, or of the last visible one before it."""
    while at > 0 and source.text[at : at + 1] in ("", "\n", " "):
        at -= 1
    return Span(source, at, at + 1)
