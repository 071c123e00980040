"""What the functions of a host have to know of each decision, as marks."""

from __future__ import annotations

from dsl import rules as r
from interpreter import ir
from interpreter.condition_reads import hides_source
from interpreter.opened import opened_decisions
from interpreter.wasm.host.codes import IN_SIGHT, SECRETLY, UNSEARCHABLE


def decision_marks(rules: r.Rules, machine: ir.Machine) -> dict[int, int]:
    """The marks of each choice of a value, by its node: see `interpreter.wasm.host.codes`."""
    opened = opened_decisions(rules, machine)
    return {
        number: SECRETLY * node.secret
        | IN_SIGHT * (number in opened)
        | UNSEARCHABLE * hides_source(rules, node)
        for number, node in enumerate(machine.nodes)
        if isinstance(node, ir.Decide)
    }
