"""How pieces look unless a ruleset says: shapes, texts, colours and signs of components."""

from __future__ import annotations

from collections.abc import Iterable

from dsl import rules as r
from dsl.domains import EnumType, IntType
from dsl.rules.look import Shaped
from rulewright.layout.colours import INK, NEUTRAL, PALE, STRONG, Tone, tone_of
from rulewright.layout.figures import figures_of
from rulewright.layout.packs import RED, known_suits, pack_cards, pack_of
from rulewright.layout.scene import Face
from rulewright.layout.signs import signs

MOST_TONES = 8
BLACK_CARD, RED_CARD = Tone("#fdfbf5", "#fdfbf5", INK), Tone("#fdfbf5", "#fdfbf5", "#b3261e")
MEN = tone_of("#fdf8ec"), tone_of("#2a2622")
"""Men of two sides are white and black, which are told apart without a colour."""


def default_faces(rules: r.Rules, seats: tuple[Tone, ...]) -> dict[str, Face]:
    return {name: _face(rules, component, seats) for name, component in rules.components.items()}


def _face(rules: r.Rules, component: r.Component, seats: tuple[Tone, ...]) -> Face:
    pack = pack_of(rules, component)
    suits = known_suits(rules, component, pack) if pack is not None else {}
    tones = _tones(rules, component, seats)
    tones |= {name: RED_CARD if sign in RED else BLACK_CARD for name, sign in suits.items()}
    figures = figures_of(component)
    return Face(
        shape="figure" if figures else _shape(component) if pack is None else "card",
        template=_template(rules, component),
        colours={name: tone.light for name, tone in tones.items()},
        dark={name: tone.light if figures else tone.dark for name, tone in tones.items()},
        ink={name: tone.ink for name, tone in tones.items()},
        icons=suits,
        signs=signs(component.classes),
        cards=pack_cards(rules, component, pack, suits) if pack is not None else {},
        figures=figures,
        owned=_is_owned(rules, component),
    )


def _is_owned(rules: r.Rules, component: r.Component) -> bool:
    of_seats = any(z.var.of == "seat" for z in rules.zones.values() if z.component == component.name)
    return component.die is None and len(component.classes) == 1 and of_seats


def _shape(component: r.Component) -> Shaped:
    """Dice, discs of seats, cards where there is something to read; other kinds are tokens."""
    if component.die is not None:
        return "die"
    if component.per_seat or len(component.classes) == 1:
        return "disc"
    shown = [c for c in component.columns.values() if not isinstance(c.type, EnumType)]
    return "card" if len(shown) > 1 else "tile" if shown else "disc"


def _template(rules: r.Rules, component: r.Component) -> dict[str, str]:
    """The label, and up to two numbers of its table."""
    if component.die is not None or len(component.classes) == 1:
        return {"middle": "{sign}"}
    numbers = [c.name for c in component.columns.values() if _is_read(rules, c)]
    parts = {"middle": "{label}"} | dict(
        zip(("corner", "bottom"), (f"{{{n}}}" for n in numbers), strict=False)
    )
    return parts


def _is_read(rules: r.Rules, column: r.Column) -> bool:
    plain = isinstance(column.type, IntType) and column.keyed_by is None and column.name != "copies"
    return plain and rules.labels.get(column.name) != "" and len(set(column.values)) > 1


def _tones(rules: r.Rules, component: r.Component, seats: tuple[Tone, ...]) -> dict[str, Tone]:
    """By seat, by the first column with few kinds, by class if they are few, or one for all."""
    if component.per_seat and component.die is None:
        return {name: seats[i % len(seats)] for i, name in enumerate(component.classes)}
    if component.die is not None or len(component.classes) == 1:
        return dict.fromkeys(component.classes, NEUTRAL)
    for column in component.columns.values():
        if isinstance(column.type, EnumType) and column.keyed_by is None and not column.type.optional:
            kinds = _distinct(column.values)
            if column.type.type == "seat" and max(kinds) < len(seats):
                own = MEN if len(seats) == 2 and figures_of(component) else seats
                return {n: own[k] for n, k in zip(component.classes, column.values, strict=True)}
            if 1 < len(kinds) <= MOST_TONES:
                chosen = {kind: PALE[i] for i, kind in enumerate(kinds)}
                return {
                    name: chosen[kind] for name, kind in zip(component.classes, column.values, strict=True)
                }
    if len(component.classes) <= MOST_TONES:
        tones = STRONG if not component.columns else PALE
        return {name: tones[i] for i, name in enumerate(component.classes)}
    return dict.fromkeys(component.classes, NEUTRAL)


def _distinct(values: Iterable[int]) -> list[int]:
    return sorted(set(values))
