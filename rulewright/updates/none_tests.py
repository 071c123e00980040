"""Rules in which a value that may be none is compared or stored without a test, with the test written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from dsl import syntax as s
from dsl.diagnostics import Diagnostic, DiagnosticError, ErrorsReported
from dsl.document import Mapping as Pairs, read
from dsl.folder import Folder
from dsl.grammar import parse
from dsl.load import load
from dsl.messages.types import MayBeNone
from dsl.source import Source, Span, with_replaced
from rulewright.library import folder

MOST_ROUNDS = 40
"""How often the rules are read again: each round shows what the mistakes of the one before have hidden."""


def replaced(path: Path, texts: Mapping[str, str]) -> Folder:
    """A ruleset with other texts for some of its files, by their path within its folder."""
    found = folder(path)

    def fetch(inner: str) -> bytes:
        return texts[inner].encode() if inner in texts else found.fetch(inner)

    return Folder(found.name, fetch)


def with_tests(path: Path, texts: Mapping[str, str]) -> dict[str, str]:
    """The texts of some rules files of a ruleset, with tests where a value may be none (D043).

    `a is b` becomes `(a is b if a exists else b is none)`, and a value is stored only if it exists; a pointer
    is cleared if it does not. Anything else that may be none stays as it is.
    """
    found, left = dict(texts), None
    for _ in range(MOST_ROUNDS):
        mistakes = _mistakes(replaced(path, found))
        if not mistakes or (left is not None and len(mistakes) > left):
            break
        left = len(mistakes)
        pointers, changed = _pointers(path), False
        for name, text in found.items():
            edits = dict(_edits(text, [m.span for m in mistakes if m.span.source.text == text], pointers))
            found[name] = with_replaced(text, edits.items())
            changed |= text != found[name]
        if not changed:
            break
    return found


def _mistakes(ruleset: Folder) -> list[Diagnostic]:
    try:
        load(ruleset)
    except ErrorsReported as stop:
        return [one for one in stop.report if isinstance(one, MayBeNone)]
    except DiagnosticError:
        return []
    return []


def _pointers(path: Path) -> frozenset[str]:
    """The names of the pointers that `game.yaml` declares."""
    document = read(folder(path).source("game.yaml"))
    declared = document.get("pointers") if isinstance(document, Pairs) else None
    return frozenset(name.text for name, _ in declared.pairs) if isinstance(declared, Pairs) else frozenset()


def _edits(text: str, untested: list[Span], pointers: frozenset[str]) -> Iterator[tuple[Span, str]]:
    """What replaces comparisons and assignments in which some spans may be none; of several around one
    another the inner one."""
    taken: list[Span] = []
    for node in _around(parse(Source("rules", text)), {(span.start, span.end) for span in untested}):
        if not any(node.span.start < span.end and span.start < node.span.end for span in taken):
            taken.append(node.span)
            yield (
                node.span,
                _compared(text, node) if isinstance(node, s.Compare) else _stored(text, node, pointers),
            )


def _around(
    definitions: Iterable[s.Definition], wanted: set[tuple[int, int]]
) -> Iterator[s.Compare | s.Assign]:
    """The comparisons and assignments, from the inside out, one part of which is wanted."""
    nodes = [node for definition in definitions for node in s.walk(definition)]
    for node in reversed(nodes):
        match node:
            case s.Compare(op="is" | "is not", left=left, right=right) if {_at(left), _at(right)} & wanted:
                yield node
            case s.Assign(op="=", value=value) if _at(value) in wanted:
                yield node


def _at(node: s.Expr) -> tuple[int, int]:
    return node.span.start, node.span.end


def _compared(text: str, node: s.Compare) -> str:
    whole = text[node.span.start : node.span.end]
    sides = (text[side.span.start : side.span.end] for side in (node.left, node.right))
    left, right = (f"({part})" if " " in part else part for part in sides)
    return f"({whole} if {left} exists else {right} {'is none' if node.op == 'is' else 'exists'})"


def _stored(text: str, node: s.Assign, pointers: frozenset[str]) -> str:
    line = text.rfind("\n", 0, node.span.start) + 1
    indent = " " * (node.span.start - line)
    target, value = (text[part.span.start : part.span.end] for part in (node.target, node.value))
    found = f"if {value} exists\n{indent}    {text[node.span.start : node.span.end]}"
    if target.split()[0] in pointers:
        found += f"\n{indent}else\n{indent}    clear {target}"
    return found
