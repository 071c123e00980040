"""Hints: work that the rules ask for and do not need.

Each kind is found from the machine alone; whether it is worth saving, the measured work decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import networkx as nx

from dsl import rules as r
from dsl.source import NOWHERE, Span
from interpreter import ir
from interpreter.ir.cfg import regions
from interpreter.ir.effects import has_trial
from interpreter.ir.trials import TrialConditions
from interpreter.ir.visit import targets, walk
from interpreter.wasm.emit.marked_body import Marks
from interpreter.wasm.metering import Measured
from validators.profile.flow import HeavyPart, Reach, changes, heavy_parts, reads
from validators.profile.lines import Profile, ProfiledLine, lies_within, place_of, work_within
from validators.usages import usages_of

LEAST = 0.01
"""The share of all work from which on a hint is worth reading."""
LONGEST = 70
"""The most characters of an expression that a message repeats."""


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint: its kind, where it points to and why, and what can be done. `share` is that of the work."""

    kind: str
    span: Span
    message: str
    label: str
    advice: str
    share: float = 0.0


@dataclass(frozen=True, slots=True)
class AskedAt:
    """Where an expression stands; `by` is the line that asks for it, if it stands in a value elsewhere."""

    span: Span
    by: Span | None

    @property
    def line(self) -> str:
        """The line that asks for it."""
        by = self.by or self.span
        return f"{by.source.name}:{by.line}"

    @property
    def text(self) -> str:
        """The expression on one line, and who asks for it."""
        words = " ".join(self.span.source.text[self.span.start : self.span.end].split())
        short = f"`{words}`" if len(words) <= LONGEST else f"`{words[: LONGEST - 3]}...`"
        return short if self.by is None else f"{short}, which {self.line} asks for,"


@dataclass(frozen=True, slots=True)
class Subject:
    """A machine, its rules, where its expressions stand, and what was measured in some decisions."""

    rules: r.Rules
    machine: ir.Machine
    marks: Marks
    measured: Measured
    profile: Profile
    decisions: int

    def asked(self, node: ir.Step, part: HeavyPart) -> AskedAt | None:
        """Where the rules ask for an expression of a node; none if they do not: a statement implies it."""
        for x in (part.expr, *part.around):
            if uses := self.marks.uses.get(id(x)):
                inside = [span for span in uses if lies_within(span, node.span)]
                return AskedAt(inside[-1], None) if inside else AskedAt(uses[0], node.span)
        return None

    def share(self, part: HeavyPart) -> float:
        """The share of the work that an expression can have, with the values that it uses."""
        own = next((x for x in (part.expr, *part.around) if id(x) in self.marks.spans), part.expr)
        spans = (self.marks.spans.get(id(x)) for x in walk(own))
        return self.profile.share(work_within(self.measured, (x for x in spans if x is not None)))


def hints(subject: Subject) -> tuple[Hint, ...]:
    """All hints that are worth reading, those about most work first."""
    found = dict.fromkeys(
        hint
        for hint in (*_in_trials(subject), *_in_loops(subject), *_again(subject))
        if hint.share >= LEAST and hint.span is not NOWHERE
    )
    found |= dict.fromkeys(_late_needs(subject))
    worst: dict[tuple[str, Span], Hint] = {}
    for hint in found:
        key = (hint.kind, hint.span)
        if key not in worst or worst[key].share < hint.share:
            worst[key] = hint
    order = sorted(worst.values(), key=lambda x: (-x.share, x.span.source.name, x.span.start))
    return (*order, *_unread(subject))


# ---- what is the same in each trial


@dataclass(frozen=True, slots=True)
class _Behind:
    """A node behind a parameter that is tried, and what may differ there from value to value.

    `straight`: whichever value is tried, this node follows, if no `needs` before it fails.
    """

    node: ir.Step
    tainted: Reach
    straight: bool


def _decisions(mc: ir.Machine) -> Iterator[ir.Decide]:
    """The parameters whose trials change something; elsewhere what is the same is worked out once."""
    trials = TrialConditions(mc)
    return (
        node
        for node in mc.nodes
        if isinstance(node, ir.Decide) and node.trial and not trials.of_choice(node).exact
    )


def _behind(mc: ir.Machine, decision: ir.Decide) -> Iterator[_Behind]:
    """The nodes from a parameter to the next stop, with what by then may differ from value to value."""
    straight = _straight(mc, decision.next)
    tainted = {decision.next: Reach(frozenset({decision.slot}))}
    waiting = [decision.next]
    while waiting:
        number = waiting.pop()
        node = mc.nodes[number]
        if _stops(node):
            continue
        after = _after(mc, node, tainted[number], number in straight)
        for following in targets(node):
            before = tainted.get(following)
            joined = after if before is None else before | after
            if joined != before:
                tainted[following] = joined
                waiting.append(following)
    for number, reach in tainted.items():
        yield _Behind(mc.nodes[number], reach, number in straight)


def _stops(node: ir.Step) -> bool:
    """Whether a trial may end at a node, or something else than the next one may happen."""
    return isinstance(node, ir.Commit | ir.ChoiceNode | ir.CallNode | ir.NextTrigger)


def _straight(mc: ir.Machine, number: int) -> frozenset[int]:
    """The nodes that follow one by one, before the first that may lead to several."""
    found: set[int] = set()
    while number not in found:
        found.add(number)
        following = targets(mc.nodes[number])
        if _stops(mc.nodes[number]) or len(following) != 1:
            break
        number = following[0]
    return frozenset(found)


def _after(mc: ir.Machine, node: ir.Step, tainted: Reach, straight: bool) -> Reach:
    """What differs behind a node: a word of the frame that is set to what does not differ is the same."""
    if straight and isinstance(node, ir.SetLocal) and not reads(mc, node.value).meets(tainted):
        return Reach(tainted.slots - {node.slot}, tainted.names)
    return tainted | changes(mc, node)


def _late_needs(subject: Subject) -> Iterator[Hint]:
    """A `needs` behind a parameter that does not read it, nor what is done before it."""
    mc = subject.machine
    for decision in _decisions(mc):
        for found in _behind(mc, decision):
            node = found.node
            if (
                isinstance(node, ir.Precondition)
                and node.demand == "need"
                and found.straight
                and not reads(mc, node.condition).meets(found.tainted)
                and _is_tried_much(subject, node.span)
            ):
                asked = AskedAt(node.span if node.asked is NOWHERE else node.asked, None)
                yield Hint(
                    "late-needs",
                    asked.span,
                    f"{asked.text} is tested for each value of `{_parameter(decision)}`, and does not depend "
                    "on it",
                    "the same for every value",
                    "write it as a `needs` of its own, before any other line: then it is tested once",
                    subject.profile.share(_line_at(subject, node.span).in_trials),
                )


def _parameter(decision: ir.Decide) -> str:
    """The name of a parameter without that of its routine."""
    return decision.name.rsplit(".", 1)[-1]


def _line_at(subject: Subject, span: Span) -> ProfiledLine:
    """The line on which something stands."""
    at = place_of(span)
    lines = (x for x in subject.profile.lines if (x.source.name, x.number) == at)
    return next(lines, ProfiledLine(span.source, at[1], 0, 0, 0, 0, 0, 0, 0))


def _is_tried_much(subject: Subject, span: Span) -> bool:
    """Whether a line takes much work in trials, or is tried at every decision, and the lines before it."""
    line = _line_at(subject, span)
    return subject.profile.share(line.in_trials) >= LEAST or line.tried >= max(1, subject.decisions)


def _in_trials(subject: Subject) -> Iterator[Hint]:
    """An expression behind a parameter that is worked out for each of its values, and is always the same."""
    mc = subject.machine
    for decision in _decisions(mc):
        once = _asked_once(mc, decision.next)
        for found in _behind(mc, decision):
            node = found.node
            if isinstance(node, ir.Decide | ir.Offer | ir.Commit) or id(node) in once:
                continue
            if (
                isinstance(node, ir.Precondition)
                and found.straight
                and not reads(mc, node.condition).meets(found.tainted)
            ):
                continue
            for part in heavy_parts(node):
                asked = subject.asked(node, part)
                if asked is not None and not reads(mc, part.expr).meets(found.tainted):
                    yield Hint(
                        "same-in-each-trial",
                        asked.span,
                        f"{asked.text} is worked out for each value of "
                        f"`{_parameter(decision)}`, and does not depend on it",
                        "the same for every value",
                        "ask for it in `where` of the parameter, where it is worked out once, or keep it up "
                        "to date in a mark or counter",
                        subject.share(part),
                    )


def _asked_once(mc: ir.Machine, number: int) -> frozenset[int]:
    """The `needs` at the beginning of a trial, by identity: they are asked before anything changes."""
    found: set[int] = set()
    while isinstance(node := mc.nodes[number], ir.Precondition) and not has_trial(node.condition):
        found.add(id(node))
        number = node.next
    return frozenset(found)


# ---- loops


def _in_loops(subject: Subject) -> Iterator[Hint]:
    """An expression in a loop of statements that no round changes."""
    mc = subject.machine
    graph = nx.DiGraph((i, j) for i, node in enumerate(mc.nodes) for j in targets(node))
    for loop in _loops(graph):
        written = Reach()
        for number in loop:
            written |= changes(mc, mc.nodes[number])
        for number in sorted(loop):
            node = mc.nodes[number]
            for part in heavy_parts(node):
                asked = subject.asked(node, part)
                if asked is not None and not reads(mc, part.expr).meets(written):
                    yield Hint(
                        "same-in-each-round",
                        asked.span,
                        f"{asked.text} is worked out in each round, and no round changes it",
                        "the same in every round",
                        "write a `let` before the loop: then it is worked out once",
                        subject.share(part),
                    )


def _loops(graph: nx.DiGraph[int]) -> Iterator[frozenset[int]]:
    """The loops of a graph, and those within them."""
    for part in nx.strongly_connected_components(graph):
        if len(part) < 2:
            continue
        loop = frozenset(part)
        yield loop
        heads = {j for j in loop if any(i not in loop for i in graph.predecessors(j))}
        if heads:
            yield from _loops(graph.subgraph(loop - heads).copy())


# ---- again and again


def _again(subject: Subject) -> Iterator[Hint]:
    """An expression that has been worked out on every way here, since when nothing has changed it."""
    mc = subject.machine
    for number, known in _known(mc).items():
        node = mc.nodes[number]
        for part in heavy_parts(node):
            first, asked = known.get(part.expr), subject.asked(node, part)
            if first is None or asked is None or first == node.span:
                continue
            line = first.line
            yield Hint(
                "worked-out-again",
                asked.span,
                f"{asked.text} is worked out again, and nothing has changed it",
                f"the same as in line {line}",
                "write a `let` before the first of them, and read that",
                subject.share(part),
            )


def _known(mc: ir.Machine) -> dict[int, dict[ir.Expr, Span]]:
    """For each node the expressions whose values are known before it, and where they were worked out.

    They are those worked out on every way to the node: the ways are followed until nothing changes any more.
    """
    before: dict[int, dict[ir.Expr, Span]] = {}
    sure = {i: [x.expr for x in heavy_parts(node) if x.sure] for i, node in enumerate(mc.nodes)}
    parts, _, _ = regions(mc)
    waiting: list[tuple[int, dict[ir.Expr, Span]]]
    waiting = [(entry, {}) for part in parts for entry in part.entries]
    budget = 40 * len(mc.nodes)
    while waiting and budget:
        budget -= 1
        number, known = waiting.pop()
        met = known if number not in before else {e: s for e, s in before[number].items() if e in known}
        if number in before and len(met) == len(before[number]):
            continue
        before[number] = met
        node = mc.nodes[number]
        written = changes(mc, node)
        after = {**met, **{e: node.span for e in sure[number] if e not in met}}
        after = {e: span for e, span in after.items() if not reads(mc, e).meets(written)}
        waiting += [(x, after) for x in targets(node)]
    return before if not waiting else {}


# ---- state


def _unread(subject: Subject) -> Iterator[Hint]:
    """Counters, marks, pointers and zones that rules change and never read."""
    found, rules = usages_of(subject.rules), subject.rules
    words = {x.name: x.size for x in subject.machine.stores.values()}
    for kind, declared in (
        ("counter", rules.counters),
        ("mark", rules.marks),
        ("pointer", rules.pointers),
    ):
        for name, declaration in declared.items():
            if name in words and name in found.written and name not in found.read:
                yield Hint(
                    "never-read",
                    declaration.var.span,
                    f"the {kind} `{name}` is written and never read",
                    f"words of each position: {words[name]}",
                    "remove it, unless players are to see it: each trial that writes it undoes that",
                )
