"""Scenarios in a form that is refused now, rewritten so that they say the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from dsl.document import Mapping, Node, Scalar, Sequence
from dsl.load import Questions
from dsl.rules import Rules
from dsl.source import Source, Span
from interpreter.position import UNDER
from validators.scenarios.reading import read_file
from validators.scenarios.running import Result, ScenarioRunner
from validators.scenarios.scenario import ALLOWANCES, Scenario

MOST_CHANGES = 12
"""The most changes of one scenario."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A text that replaces another one, from offset to offset."""

    start: int
    end: int
    text: str

    def of(self, text: str) -> str:
        return text[: self.start] + self.text + text[self.end :]


def updated_scenarios(source: Source, rules: Rules, questions: Questions) -> str:
    """The text of a file of scenarios, in which those that do not hold are rewritten if they hold then.

    Outcomes of chance that nothing draws are removed; what the position has too much of, or that it is
    impossible, is allowed; pieces that were set for a zone as a whole lie on its first places, if it has
    places now. A scenario that does not hold with any of these stays as it is, and so does one that does not
    begin a line, behind a dash.
    """
    runner, text = ScenarioRunner(rules, questions), source.text
    scenarios = read_file(source, rules).scenarios
    starts = [_line(text, scenario.span) for scenario in scenarios]
    parts = [text[: starts[0] if starts else len(text)]]
    for scenario, (start, end) in zip(scenarios, pairwise((*starts, len(text))), strict=True):
        part = text[start:end]
        sound = runner.run(scenario).holds
        parts.append(part if sound else _mended(source.name, part, rules, runner) or part)
    return "".join(parts)


def _mended(name: str, text: str, rules: Rules, runner: ScenarioRunner) -> str | None:
    """The text of a single scenario, rewritten until it holds; none if it never does."""
    scenario = _only_scenario(name, text, rules)
    for _ in range(MOST_CHANGES):
        if scenario is None:
            return None
        result = runner.run(scenario)
        if result.holds:
            return text
        tried = (edit.of(text) for edit in _edits(scenario, result, rules))
        read = ((new, _only_scenario(name, new, rules)) for new in tried)
        text, scenario = next(((new, found) for new, found in read if found is not None), (text, None))
    return None


def _only_scenario(name: str, text: str, rules: Rules) -> Scenario | None:
    """The scenario of a text that holds nothing else that is one."""
    found = read_file(Source(name, text), rules).scenarios
    return found[0] if len(found) == 1 else None


def _edits(scenario: Scenario, result: Result, rules: Rules) -> Iterator[Edit]:
    """What may mend the first mistake of a scenario."""
    if not isinstance(scenario.node, Mapping):
        return
    mistake = result.diagnostic
    if mistake is None:
        for difference in result.differences:
            if difference.unused is not None:
                yield from _without(scenario, scenario.node, *difference.unused)
        return
    for allowance in ALLOWANCES:
        if f"allow: [{allowance}]" in mistake.help or f"[{allowance}]" in mistake.message:
            yield from _allowing(scenario, scenario.node, allowance)
    yield from _placed(scenario, rules)


# ---- outcomes that nothing draws


def _without(scenario: Scenario, node: Mapping, stream: str, number: int) -> Iterator[Edit]:
    """The outcomes of a stream but for its last ones."""
    key, chance = node.key("chance"), node.get("chance")
    if key is None or not isinstance(chance, Mapping):
        return
    kept: list[str] = []
    for name, value in chance.pairs:
        items = value.items if isinstance(value, Sequence) else (value,)
        texts = [_text(item) for item in items]
        texts = texts[: len(texts) - number] if name.text == stream else texts
        if texts:
            kept.append(f"{_text(name)}: [{', '.join(texts)}]")
    source = scenario.span.source
    end = _end(source.text, chance)
    if kept:
        yield Edit(key.span.start, end, f"chance: {{{', '.join(kept)}}}")
    elif _alone(source.text, key):
        yield Edit(_line(source.text, key.span), end + 1, "")


# ---- what is allowed


def _allowing(scenario: Scenario, node: Mapping, allowance: str) -> Iterator[Edit]:
    """`allow` with one entry more, as a key of the scenario."""
    if allowance in scenario.allow:
        return
    text = scenario.span.source.text
    key, there = node.key("allow"), node.get("allow")
    if key is not None and there is not None:
        items = there.items if isinstance(there, Sequence) else (there,)
        entries = ", ".join([*map(_text, items), allowance])
        yield Edit(key.span.start, _end(text, there), f"allow: [{entries}]")
        return
    after = node.key("when") or node.key("then")
    if after is not None and _alone(text, after):
        line = _line(text, after.span)
        yield Edit(line, line, f"{' ' * (after.span.start - line)}allow: [{allowance}]\n")


# ---- zones that have places now


def _placed(scenario: Scenario, rules: Rules) -> Iterator[Edit]:
    """Pieces of a whole zone, on its first places in their order."""
    for address, value in scenario.position:
        zone = rules.zones.get(address.text.split()[0])
        if zone is None or zone.var.at is None or any(x in address.text for x in (" at ", UNDER)):
            continue
        decl = rules.types.get(zone.var.at)
        items = value.items if isinstance(value, Sequence) else (value,)
        texts = [_text(item) for item in items if _text(item) != "none"]
        if decl is None or len(texts) > len(decl.names) or any(text.isdigit() for text in texts):
            continue
        pairs = (f"{place}: {text}" for place, text in zip(decl.names, texts, strict=False))
        source = scenario.span.source.text
        if source[address.span.start : address.span.end] == address.text:
            yield Edit(value.span.start, _end(source, value), f"{{{', '.join(pairs)}}}")


# ---- in the text


def _text(node: Node) -> str:
    """A word as it is written, with its quotes."""
    return node.span.source.text[node.span.start : node.span.end] if isinstance(node, Scalar) else ""


def _end(text: str, node: Node) -> int:
    """Where what is written of a node ends, without the blanks after it."""
    return node.span.start + len(text[node.span.start : node.span.end].rstrip())


def _line(text: str, span: Span) -> int:
    """Where the line of a place begins."""
    return text.rfind("\n", 0, span.start) + 1


def _alone(text: str, key: Scalar) -> bool:
    """Whether a key is the first thing in its line."""
    return not text[_line(text, key.span) : key.span.start].strip()
