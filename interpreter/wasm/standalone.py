"""A module that plays without Python, and tables by which a host in another language reads its memory.

`docs/standalone-module.md` describes both.
"""

from __future__ import annotations

from typing import Any

from dsl import rules as r
from dsl.domains import IntType, Type
from interpreter import ir
from interpreter.decision_marks import decision_marks
from interpreter.events import KINDS
from interpreter.formatting import Formatter
from interpreter.json_values import type_json, where
from interpreter.private_shows import PrivateShows
from interpreter.reference.executor import ReferenceExecutor
from interpreter.refusal_tables import (
    OPEN,
    NeededKnowledge,
    NeedToKnow,
    can_refuse,
    conditions_of,
    in_order,
)
from interpreter.wasm.batches.observe import Observed
from interpreter.wasm.batches.options import has_numbers
from interpreter.wasm.build_config import STANDALONE, BuildConfig
from interpreter.wasm.host.words import host_words
from interpreter.wasm.lower.refusals import VALUES
from interpreter.wasm.module import module
from interpreter.wasm.option_codec import OptionCodec
from interpreter.wasm.option_layout import OptionPart

HEAD = {
    "status": ir.STATUS,
    "node": ir.PC,
    "frame": ir.FP,
    "active": ir.ACTIVE,
    "phase": ir.PHASE,
    "decisions": ir.DECISIONS,
    "winners": ir.WINNERS,
    "forked": ir.FORKED,
    "running": ir.RUNNING,
    "main_frame": ir.MAIN_FP,
    "rotation": ir.ROTATION,
    "fork": ir.FORK,
}
ADDRESSES = (
    "state",
    "initial",
    "size",
    "record",
    "events",
    "menu",
    "menu_words",
    "accounts",
    "out",
    "doing_words",
    "why",
    "failed",
    "work",
)


def standalone(
    machine: ir.Machine,
    rules: r.Rules,
    computed: tuple[ir.Expr, ...] = (),
    seen: Observed | None = None,
    config: BuildConfig = STANDALONE,
) -> tuple[bytes, dict[str, Any]]:
    """The bytes of a module that explains, and its tables, a value for JSON.

    It also computes the values `computed`, in which register 0 holds a seat. With `seen` it writes what a
    seat observes to the address `row`.
    """
    first = ReferenceExecutor(machine).initial_state()
    hosted = tuple(host_words(machine, rules))
    data, layout = module(machine, config, first, seen, computed, hosted=hosted)
    names = ADDRESSES if seen is None else (*ADDRESSES, "row")
    return data, _Tables(machine, rules).all({name: layout[name] for name in names})


class _Tables:
    """Makes the tables of one machine."""

    def __init__(self, machine: ir.Machine, rules: r.Rules) -> None:
        self.mc, self.rules = machine, rules
        self.names = Formatter(rules, machine, labelled=False)
        self.codec = OptionCodec(machine)
        self.marks = decision_marks(rules, machine)
        self.components = list(machine.component_classes)
        self.labelled = r.labelled_numbers(rules.labels)
        self.needed = NeededKnowledge(machine, rules)

    def all(self, addresses: dict[str, int]) -> dict[str, Any]:
        mc = self.mc
        return {
            "format": 1,
            "digest": mc.digest,
            "seats": mc.seats,
            "start": mc.start,
            "map": addresses,
            "head": HEAD,
            "streams": {"first": mc.stream_base, "names": list(mc.streams)},
            "branches": {"first": mc.branches} if mc.branches else None,
            **self._private_shows(),
            "components": self.components,
            "totals": [self._total(name) for name in self.components],
            "places": [self._place(place, sight) for place, sight in zip(mc.places, mc.sights, strict=True)],
            "tops": [i for i, sight in enumerate(mc.sights) if sight.top],
            "variables": [[x.name, x.base, x.size] for x in mc.variables.values()],
            "events": {kind.name: kind.table() for kind in KINDS.values()},
            "routines": [self._routine(i) for i in range(len(mc.routines))],
            "effects": self.rules.effect_component,
            "cells": [[routine, list(arguments)] for routine, arguments in mc.cells],
            "decisions": self._by_node(ir.Decide, ir.Offer),
            "chance": self._by_node(ir.Chance),
            "scores": [_score(x) for x in mc.scores],
            "best": mc.best,
            "counted": [list(lines) for lines in mc.counted],
            "ended": mc.ended,
            "endings": list(mc.endings),
            "invariants": [" ".join(x.span.text.split()) for x in mc.invariants],
            "reasons": {str(i): self._reason(n) for i, n in enumerate(mc.nodes) if can_refuse(n)},
        }

    def _private_shows(self) -> dict[str, Any]:
        """After which decisions and in which routines a seat may be shown something alone."""
        shows = PrivateShows(self.mc)
        found = {"behind": sorted(shows.behind), "routines": sorted(shows.routines)}
        return {"private": found} if any(found.values()) else {}

    # ---- what lies where

    def _total(self, component: str) -> int:
        """The pieces of a component; -1 if they lie nowhere."""
        lies = component in self.mc.place_components.values()
        return self.mc.totals.get(component, -1) if lies else -1

    def _place(self, place: ir.Place, sight: ir.PlaceViewers) -> list[int]:
        component = self.components.index(self.mc.place_components[place.zone])
        return [component, place.kind, place.base, place.classes, place.capacity, sight.seen]

    def _routine(self, number: int) -> list[Any]:
        """Its name, the nodes of its parameters, and its clauses if it has any."""
        routine = self.mc.routines[number]
        clauses = [list(routine.clauses)] if routine.clauses else []
        return [routine.name, [self._parameter(x) for x in self.names.parameters(number)], *clauses]

    def _parameter(self, node: ir.Decide | None) -> int:
        return -1 if node is None else next(i for i, n in enumerate(self.mc.nodes) if n is node)

    # ---- decisions, chance, reasons

    def _by_node(self, *kinds: type[ir.Node]) -> dict[str, Any]:
        """Nodes of some kinds by their numbers."""
        found: dict[str, Any] = {}
        for number, node in enumerate(self.mc.nodes):
            match node:
                case ir.Decide() | ir.Offer() if isinstance(node, kinds):
                    found[str(number)] = self._decision(number, node)
                case ir.Chance() if isinstance(node, kinds):
                    low = [node.low] if node.low else []
                    found[str(number)] = [node.stream, list(node.names) or None, list(node.clauses), *low]
        return found

    def _decision(self, number: int, node: ir.Decide | ir.Offer) -> dict[str, Any]:
        parts = self.codec.layout(number).parts
        numbers = [i for i, part in enumerate(parts) if has_numbers(self.mc, part)]
        found: dict[str, Any] = {
            "name": node.name,
            "offer": int(isinstance(node, ir.Offer)),
            "passing": int(node.passing is not None),
            "clauses": list(node.clauses),
            "at": where(node.span),
            "parts": [[part.lo, part.size, part.first, *_more(part)] for part in parts],
            **({"numbers": numbers} if numbers else {}),
        }
        if isinstance(node, ir.Decide):
            axes = self.names.axes(node.source)
            found |= {
                "type": type_json(node.type),
                "parameter": int(node.trial),
                **({"marks": self.marks[number]} if self.marks[number] else {}),
                "axes": [int(axes.zone), int(axes.of), int(axes.at)],
                "wants": self._conditions(node),
            }
        return found

    def _conditions(self, node: ir.Step) -> list[list[Any]]:
        """The conditions of a node by their numbers, each with where its sides stand in the record."""
        return [
            [
                one.wanted.text,
                [[text, self._side(kind)] for text, _, kind in one.wanted.sides],
                VALUES + one.known,
                parent,
                list(one.wanted.clauses),
                *_words(known),
            ]
            for (one, parent), known in zip(
                in_order(conditions_of(node)), self.needed.of_conditions(node), strict=True
            )
        ]

    def _side(self, kind: Type) -> list[str]:
        """The type of a side; of numbers with labels also the column by which these call them."""
        match kind:
            case IntType(of=of) if of in self.labelled:
                return [*type_json(kind), of]
        return type_json(kind)

    def _reason(self, node: ir.Step) -> list[Any]:
        head = [list(node.clauses), where(node.span)]
        known = _words(self.needed.of_node(node))
        match node:
            case ir.Precondition(demand="outcome", text=name):
                return ["nothing", *head, name, *known]
            case ir.Precondition():
                return ["need", *head, self._conditions(node)]
            case ir.SetWord(name=name) | ir.Transfer(verb="gain", name=name):
                return ["range", *head, name, *known]
            case ir.Transfer(name=name):
                return ["pay", *head, name, *known]
            case ir.Decide(name=name) | ir.Offer(name=name):
                return ["nothing", *head, name.split(".")[-1], *known]
        raise AssertionError(node)


def _words(known: NeedToKnow) -> list[list[int]]:
    """What has to be known, unless all may be told."""
    return [] if known == OPEN else [known.words(VALUES + at for _, _, at in known.pieces)]


def _score(line: ir.ScoreCode) -> list[object]:
    """A line of the account: kind, name, clauses, and of a tie-break of which the lowest decides `lowest`."""
    return [line.kind, line.name, list(line.clauses), *(["lowest"] if line.best == "lowest" else [])]


def _more(part: OptionPart) -> list[int]:
    """How many ranges a part has instead of bits, if it has any."""
    return [part.ranges] if part.ranges else []
