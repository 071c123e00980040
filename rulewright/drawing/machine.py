"""A compiled machine as a diagram of its stops: decisions, chance, phases and ends."""

from __future__ import annotations

import re

from dsl import rules as r
from dsl.wording import plural
from interpreter import ir
from interpreter.ir.cfg import FLOW
from rulewright.drawing.diagram import Diagram, DiagramNode, Edge, Kind, first_line
from rulewright.drawing.reachability import At, Begun, Cells, Fires, Reachability, Stop

START = "start"
LONGEST = 26
NAMELESS = {"branch": "together", "trigger": "trigger"}
"""The groups of routines that the compiler has named, by kind."""
CHOOSING = re.compile(r"((?:.*?\b)?(?:choose|chooses|choosing))\s+(\w+)")
DOING = re.compile(r"((?:.*?\b)?(?:do|does|doing)(?: one of)?)\s+(.+)")


def machine_diagram(rules: r.Rules, machine: ir.Machine) -> Diagram:
    """A node for each stop and each action or effect; the nodes of the machine between them become edges."""
    walk = Reachability(machine)
    nodes, edges = [DiagramNode(START, Kind.START, "start")], [Edge(START, _id(At(machine.start)))]
    triggers = (Fires(i) for i in range(len(machine.triggers)))
    todo: list[Stop] = [At(machine.start), *(t for t in triggers if walk.after(t))]
    seen = set(todo)
    namer = _Namer(rules, machine, walk)
    while todo:
        stop = todo.pop(0)
        nodes.append(namer.node(stop))
        after = walk.after(stop)
        edges.extend(Edge(_id(stop), _id(target), label) for target, label in after.items())
        todo.extend(target for target in after if target not in seen)
        seen.update(after)
    seats = plural(machine.seats, "seat")
    return Diagram("machine", f"{rules.title}: machine for {seats}", tuple(nodes), tuple(edges))


def _id(stop: Stop) -> str:
    match stop:
        case At(node):
            return f"n{node}"
        case Begun(routine, given, chosen):
            return f"{'offered' if chosen else 'run'}_{routine}_{given}"
        case Cells(node, chosen):
            return f"{'cells' if chosen else 'cell'}_{node}"
        case Fires(trigger):
            return f"when_{trigger}"


class _Namer:
    """Makes the nodes of the diagram of one machine."""

    def __init__(self, rules: r.Rules, machine: ir.Machine, walk: Reachability) -> None:
        self.rules = rules
        self.machine = machine
        self.walk = walk

    def node(self, stop: Stop) -> DiagramNode:
        match stop:
            case At(number):
                return self._at(stop, self.machine.nodes[number])
            case Begun(routine, given, chosen):
                return self._begun(stop, self.machine.routines[routine], given, chosen)
            case Cells(number, _):
                node = self.machine.nodes[number]
                lead, text = _split(first_line(node.span), DOING)
                return self._node(stop, Kind.EFFECT, text, node, lead=lead)
            case Fires(trigger):
                code = self.machine.routines[self.machine.triggers[trigger].routine]
                node = self.machine.nodes[code.entries[0]]
                return self._node(stop, Kind.TRIGGER, first_line(code.span), node)

    def _node(
        self, stop: Stop, kind: Kind, text: str, node: ir.Step, lead: str = "", note: str = ""
    ) -> DiagramNode:
        notes = " ".join(x for x in (note, *node.clauses) if x)
        return DiagramNode(_id(stop), kind, text, lead, notes, self._group(stop), node.span.place)

    def _group(self, stop: Stop) -> str:
        """The routine to which a stop belongs, or nothing for the flow of phases."""
        owner = self.walk.routine(stop)
        if owner == FLOW:
            return ""
        code = self.machine.routines[owner]
        return NAMELESS.get(code.kind, code.name)

    def _begun(self, stop: Begun, code: ir.RoutineCode, given: int, chosen: bool) -> DiagramNode:
        kind = Kind.EFFECT if code.kind == "effect" else Kind.ACTION
        parameter = self.walk.parameter(stop.routine, given) if chosen else None
        text = code.name if parameter is None else f"{code.name}({_last(parameter.name)})"
        return DiagramNode(_id(stop), kind, text, "", " ".join(code.clauses), code.name, code.span.place)

    def _at(self, stop: At, node: ir.Step) -> DiagramNode:
        match node:
            case ir.Decide():
                lead, name = _decision(node)
                return self._node(stop, Kind.DECISION, name, node, lead, self._group(stop))
            case ir.Offer():
                lead, name = _offer(node)
                return self._node(stop, Kind.DECISION, name, node, lead, self._group(stop))
            case ir.Chance():
                stream = self.machine.streams[node.stream]
                return self._node(stop, Kind.CHANCE, stream, node, note=_outcomes(node))
            case ir.EnterPhase(phase=phase):
                return self._node(stop, Kind.PHASE, self.machine.phases[phase], node, "phase")
            case ir.Fork():
                return self._node(stop, Kind.SEATS, "each seat together", node)
            case ir.Iterate():
                return self._node(stop, Kind.SEATS, "each seat in turn", node)
            case ir.Win() | ir.Finish():
                return self._node(stop, Kind.END, first_line(node.span), node)
        return self._node(stop, Kind.END, self._ending(node), node)

    def _ending(self, node: ir.Step) -> str:
        scoring = next((p for p in self.rules.phases.values() if p.span == node.span), None)
        if scoring is None:
            return first_line(node.span)
        return "end" if scoring.scores == "none" else f"end: {scoring.scores} score"


def _decision(node: ir.Decide) -> tuple[str, str]:
    """The verb with its subject, and the name of what is chosen."""
    if node.trial:
        return "choose", _last(node.name)
    found = CHOOSING.match(first_line(node.span))
    return (found[1], found[2]) if found else ("choose", node.name)


def _offer(node: ir.Offer) -> tuple[str, str]:
    text = first_line(node.span)
    if not text.startswith("{"):
        return _split(text, DOING)
    verb = next(v for v in ("may keep doing", "may do", "do one of") if f"{v}:" in node.span.text)
    return verb, node.name


def _split(text: str, verb: re.Pattern[str]) -> tuple[str, str]:
    """The verb and what follows it, shortened where it is long."""
    found = verb.match(text)
    lead, rest = (found[1], found[2]) if found else ("", text)
    return lead, rest if len(rest) <= LONGEST else f"{rest[: LONGEST - 1]}…"


def _outcomes(node: ir.Chance) -> str:
    return f"{len(node.names)} outcomes" if node.names else ""


def _last(name: str) -> str:
    return name.rsplit(".", 1)[-1]
