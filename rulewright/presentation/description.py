"""The static description of a game: everything a page needs that no choice changes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import Any

from dsl import rules as r
from dsl.domains import EffectType, Type
from dsl.source import Span
from interpreter import ir
from interpreter.computed import is_of_seat, shown_values
from interpreter.game import Game
from interpreter.json_values import type_json, where
from rulewright.layout.compose import scene_json
from rulewright.presentation.drawn_faces import with_drawn_faces
from rulewright.presentation.option_sets import sets_json
from rulewright.presentation.scores import score_viewers
from rulewright.presentation.values import cell_json
from rulewright.provenance import provenance_json
from rulewright.story.labels import labels_of
from rulewright.story.rules import story_rules
from validators.secrecy.taint import TaintAnalysis

FORMAT = 1


def describe(game: Game) -> dict[str, Any]:
    """The description of a compiled game, as JSON. It says nothing about any match."""
    rules, mc = game.rules, game.machine
    hidden = TaintAnalysis(game)
    return {
        "format": FORMAT,
        "game": mc.name,
        "title": rules.title,
        "digest": mc.digest,
        "seats": mc.seats,
        "options": {name: option_value(game.ruleset, name, value) for name, value in mc.options.items()},
        "secrets": has_secrets(game),
        "foreseen": is_foreseen(game),
        **({"carries": _carries(rules.carries)} if rules.carries is not None else {}),
        "seat_names": [game.names.seat(i) for i in range(mc.seats)],
        "languages": list(rules.languages),
        "labels": {tag: labels_of(rules.in_language(tag), mc) for tag in rules.languages},
        "helps": {tag: dict(rules.in_language(tag).helps) for tag in rules.languages},
        **({"conditions": said} if (said := translated_conditions(game)) else {}),
        "types": {name: _type(game, decl) for name, decl in rules.types.items()},
        "components": {name: _component(game, decl) for name, decl in rules.components.items()},
        "zones": {name: _zone(decl) for name, decl in rules.zones.items()},
        "places": [_place(place) for place in mc.places],
        "variables": _variables(rules, mc),
        **({"teams": list(rules.teams)} if rules.teams else {}),
        "tables": {name: _table(game, decl) for name, decl in rules.tables.items()},
        "phases": list(mc.phases),
        "rotating": [name for name in mc.phases if name in rules.phases and takes_turns(rules.phases[name])],
        "routines": {name: _routine(decl) for name, decl in rules.routines.items()},
        "decisions": {str(i): _decision(game, hidden, i) for i, n in enumerate(mc.nodes) if _asks(n)},
        "streams": list(mc.streams),
        "clauses": {tag: _headings(clauses) for tag, clauses in clauses_by_language(rules).items()},
        **(
            {"ends": {str(node): list(found) for node, found in ends.items()}}
            if (ends := game.views.ends)
            else {}
        ),
        "scores": _scores(game),
        "computed": [_computed(value) for value in shown_values(game)],
        "rulings": [_ruling(option) for option in rules.options.values()],
        **({"provenance": found} if (found := provenance_json(rules)) else {}),
        "scene": with_drawn_faces(scene_json(rules, mc), game),
        "story": asdict(story_rules(rules, mc)),
    }


def clauses_by_language(rules: r.Rules) -> dict[str, dict[str, r.Clause]]:
    """The clauses in each language that they are in; those of the chosen language first."""
    own = {rules.clauses_in: rules.clauses} if rules.clauses else {}
    others = {x.clauses_in: x.clauses for x in rules.translations.values() if x.clauses}
    return own | {tag: clauses for tag, clauses in others.items() if tag not in own}


def translated_conditions(game: Game) -> dict[str, dict[str, str]]:
    """The texts of conditions that refuse, and of their sides, by language: from what refusals say to what it
    is in that language; empty for a side that is not worth saying there. Left out: what is the same."""
    others = [tag for tag in game.rules.languages if tag != game.rules.language]
    found = {tag: dict(_translated_conditions(game, tag)) for tag in others}
    return {tag: texts for tag, texts in found.items() if texts}


def _translated_conditions(game: Game, tag: str) -> Iterator[tuple[str, str]]:
    others = game.wording(game.ruleset.in_language(tag), game.machine)
    for place, words in game.condition_words.items():
        for own, other in zip(words, others.get(place, ()), strict=False):
            sides = zip(own.sides, other.sides, strict=False)
            pairs = [(own.said, other.said), *((one.noun, two.noun) for one, two in sides)]
            yield from ((one, two) for one, two in pairs if one != two and one)


def _headings(clauses: Mapping[str, r.Clause]) -> dict[str, str]:
    return {clause.id: clause.heading or clause.says for clause in clauses.values()}


def has_secrets(game: Game) -> bool:
    """Whether seats may see different things: own pieces, shown pieces, or simultaneous choices."""
    some, rules, mc = {"owner", "team", "others"}, game.rules, game.machine
    own = any({zone.seen_by, zone.counted_by} & some for zone in rules.zones.values())
    own |= not some.isdisjoint(rules.hidden_words.values())
    return own or bool(mc.shown or mc.told) or any(isinstance(node, ir.Fork) for node in mc.nodes)


def is_foreseen(game: Game) -> bool:
    """Whether nothing hidden or random comes between the choices of two seats: a plan that one of them makes
    while the other is asked can fail only by what that one chooses."""
    seen = all(zone.seen_by == "all" for zone in game.rules.zones.values())
    chance = any(isinstance(node, ir.Chance) for node in game.machine.nodes)
    return game.machine.seats == 2 and seen and not chance and not has_secrets(game)


def _carries(carries: r.Carries) -> dict[str, Any]:
    return {"of": list(carries.of), "while": carries.goes_on is not None}


def _computed(value: r.Value) -> dict[str, Any]:
    """A value that the table shows, of all or of each seat."""
    return {"name": value.name, "of": "seat" if is_of_seat(value) else None, "type": type_json(value.type)}


def encode(found: Mapping[str, Any]) -> bytes:
    """JSON as short as it can be, the same for equal values."""
    return json.dumps(found, ensure_ascii=False, separators=(",", ":")).encode()


def digest_of(data: bytes) -> str:
    """The name under which an encoded description is cached: 128 bits in hexadecimal."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def option_value(rules: r.Rules, name: str, value: int) -> str:
    """The value of an option in the words of the rules."""
    option = rules.options.get(name)
    return option.text(value) if option is not None else str(value)


def takes_turns(phase: r.Phase) -> bool:
    """Whether a phase goes from seat to seat."""
    return phase.rotates or any(isinstance(step, r.SeatsStep) for step in phase.all_steps())


# ---- declarations


def _columns(game: Game, columns: Iterable[r.Column], rows: int) -> dict[str, Any]:
    """`columns` with their types, and `rows` of cells; a group of columns has a list of cells."""
    found = list(columns)
    return {
        "columns": [{"name": c.name, "type": type_json(c.type), "keyed_by": c.keyed_by} for c in found],
        "rows": [[_cells(game, column, row) for column in found] for row in range(rows)] if found else [],
    }


def _cells(game: Game, column: r.Column, row: int) -> Any:
    cells = [_cell(game, column.type, value) for value in column.cells(row)]
    return cells if column.keyed_by is not None else cells[0]


def _cell(game: Game, kind: Type, value: int) -> int | str | None:
    """A cell; one with an effect has its name and its arguments, in the words of the rules."""
    cell = cell_json(game.machine, kind, value)
    if cell is None or not isinstance(kind, EffectType):
        return cell
    name = str(cell)
    parameters, arguments = game.rules.routines[name].parameters, game.machine.cells[value][1]
    return " ".join(
        [name, *(game.names.value(p.var.type, a) for p, a in zip(parameters, arguments, strict=False))]
    )


def _type(game: Game, decl: r.TypeDecl) -> dict[str, Any]:
    return {
        "lo": decl.lo,
        "names": list(decl.names),
        "numeric": decl.numeric,
        "members": list(decl.members),
        "shape": "" if decl.shape == "none" else decl.shape,
        "sides": list(decl.sides) or None,
        "links": [list(links) for links in decl.links],
        "base": decl.base,
        "clauses": list(decl.clauses),
        **_columns(game, decl.columns.values(), len(decl.names)),
        **_texts(game, decl.name),
    }


def _copies(mc: ir.Machine, component: str) -> list[int]:
    """How many pieces of each class there are in the game."""
    found = [0] * mc.component_classes.get(component, 0)
    for place, class_, number in mc.start_pieces:
        if mc.place_components[mc.places[place].zone] == component:
            found[class_] += number
    return found


def _component(game: Game, decl: r.Component) -> dict[str, Any]:
    classes = list(decl.classes[: game.machine.component_classes.get(decl.name, len(decl.classes))])
    return {
        "classes": classes,
        "copies": [] if decl.die is not None else _copies(game.machine, decl.name),
        "die": decl.die is not None,
        "clauses": list(decl.clauses),
        **_columns(game, decl.columns.values(), len(classes)),
        **_texts(game, decl.name),
    }


def _texts(game: Game, name: str) -> dict[str, Any]:
    """The columns of text of a type or component, if it has any."""
    found = game.rules.text_columns.get(name)
    return {"texts": dict(found)} if found else {}


def _zone(decl: r.Zone) -> dict[str, Any]:
    return {
        "component": decl.component,
        "of": decl.var.of,
        "at": decl.var.at,
        "order": decl.order,
        "capacity": decl.size,
        "seen_by": decl.seen_by,
        "counted_by": decl.counted_by,
        "rows": decl.rows,
        "clauses": list(decl.var.clauses),
    }


def _place(place: ir.Place) -> dict[str, Any]:
    kinds = {ir.SLOT: "slot", ir.COUNTS: "counts", ir.ORDERED: "ordered", ir.BLANK: "blank"}
    return {
        "zone": place.zone,
        "of": place.of,
        "at": place.at,
        "capacity": place.capacity,
        "kind": kinds[place.kind],
    }


def _variables(rules: r.Rules, mc: ir.Machine) -> list[dict[str, Any]]:
    declared = {**rules.counters, **rules.marks, **rules.pointers}
    found, first, hidden = [], 0, rules.hidden_words
    for layout in mc.variables.values():
        decl = declared.get(layout.name)
        found.append(
            {
                "kind": layout.kind,
                "name": layout.name,
                "of": layout.of,
                "at": layout.at,
                "of_lo": layout.of_lo,
                "of_size": layout.of_size,
                "at_lo": layout.at_lo,
                "at_size": layout.at_size,
                "type": type_json(layout.type),
                "low": min((lo for lo, _ in layout.ranges), default=0),
                "high": max((hi for _, hi in layout.ranges), default=0),
                "first": first,
                "clauses": list(decl.var.clauses) if decl is not None else [],
            }
            | ({"seen_by": hidden[layout.name]} if layout.name in hidden else {})
        )
        first += layout.size
    return found


def _table(game: Game, decl: r.Table) -> dict[str, Any]:
    return {
        "over": [type_json(kind) for kind in decl.over_types],
        "ranges": [list(found) for found in decl.over],
        "type": type_json(decl.type),
        "values": [_cell(game, decl.type, value) for value in decl.values],
        "clauses": list(decl.clauses),
    }


def _routine(decl: r.Routine) -> dict[str, Any]:
    return {
        "kind": decl.kind,
        "parameters": [p.var.name for p in decl.parameters],
        "types": [type_json(p.var.type) for p in decl.parameters],
        "clauses": list(decl.clauses),
        "at": where(decl.span),
    }


# ---- decisions


def _asks(node: ir.Step) -> bool:
    return isinstance(node, ir.Decide | ir.Offer)


def _decision(game: Game, hidden: TaintAnalysis, number: int) -> dict[str, Any]:
    """A decision by the number of its node: its name, the routine that contains it, and what it asks for.

    It is `forced` if it is asked again and again, may not be declined, and everybody can know whether it has
    a single value.
    """
    node = game.machine.decision(number)
    within = containing_routine(game.rules, node.span)
    return {
        "name": node.name,
        "within": within.name if within is not None else None,
        "offers": isinstance(node, ir.Offer),
        "type": type_json(node.type) if isinstance(node, ir.Decide) else None,
        "actions": _actions(game.machine, node),
        "passing": node.passing is not None,
        "clauses": list(node.clauses),
        "at": where(node.span),
        **_of_set(node, within),
        **({"forced": True} if _is_forced(hidden, number, node) else {}),
    }


def _is_forced(hidden: TaintAnalysis, number: int, node: ir.Decide | ir.Offer) -> bool:
    again = isinstance(node, ir.Decide) and node.passing is None and hidden.flow.recurs(number)
    return again and not hidden.hides(number)


def _of_set(node: ir.Decide | ir.Offer, within: r.Routine | None) -> dict[str, Any]:
    """Which value of a set a decision is about, how many there are at least and at most, and whether the
    number was chosen with the action, as its only other parameter before."""
    if not isinstance(node, ir.Decide) or node.of_set is None:
        return {}
    match within.parameters if within is not None else ():
        case [number, r.Parameter(several=r.Several(least=r.Read(var=told))) as chosen, *_]:
            own = told == number.var and node.name == f"{within.name}.{chosen.var.name}" if within else False
            return {"of_set": [*node.of_set, own]}
    return {"of_set": [*node.of_set, False]}


def _actions(mc: ir.Machine, node: ir.Decide | ir.Offer) -> list[str]:
    """The actions that may be offered at a node, without those that a cell of a table names."""
    what = node.what if isinstance(node, ir.Offer) else ()
    return [mc.routines[doing.routine].name for doing in what if isinstance(doing, ir.DoRoutine)]


def containing_routine(rules: r.Rules, span: Span) -> r.Routine | None:
    """The action, effect or procedure that contains a span; none for a step of the flow."""
    inside = [
        routine
        for routine in rules.routines.values()
        if routine.span.source is span.source and routine.span.start <= span.start
    ]
    return max(inside, key=lambda routine: routine.span.start, default=None)


# ---- scores and rulings


def _scores(game: Game) -> list[dict[str, Any]]:
    """The score lines and tie-breaks; `known_to` are those who may know it before the end, for each seat."""
    viewers = score_viewers(game)
    return [
        {
            "name": line.name,
            "kind": line.kind,
            "clauses": list(line.clauses),
            "text": _written(line.span),
            "at": where(line.span),
            "known_to": viewers[line.name],
        }
        for line in game.machine.scores
    ]


def _written(span: Span) -> str:
    """The text of a line of the rules, without comments."""
    lines = (line.partition("#")[0].rstrip() for line in span.text.splitlines())
    return "\n".join(line for line in lines if line).strip()


def _ruling(option: r.Option) -> dict[str, Any]:
    return {
        "name": option.name,
        "values": list(option.values),
        "range": None if option.values else _range_of(option),
        "default": option.text(option.default) if option.sets else option.default,
        **({"sets": sets_json(option)} if option.sets else {}),
        "readings": dict(option.readings),
        "why": option.why,
        "clauses": list(option.clauses),
    }


def _range_of(option: r.Option) -> list[int] | None:
    low, high = getattr(option.type, "lo", None), getattr(option.type, "hi", None)
    return [low, high] if low is not None and high is not None else None
