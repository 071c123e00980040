"""The pieces among which one is drawn at random, as far as each viewer may know.

All follows from what a viewer sees at the draw and from the number of pieces in the game. So it tells nothing
of how the pieces that he does not see are distributed, nor what others know of them.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass

from interpreter.sights import REFEREE
from interpreter.views import Views


@dataclass(frozen=True, slots=True)
class Pool:
    """The pieces among which one is drawn: of each class of a component how many.

    `exact`: all of them lie in the pile, so that each is as likely as any other, whatever anybody has done
    before. Else they are all pieces that the viewer does not see: some of them lie elsewhere, and who put
    them there, or kept them, may have known them.
    """

    component: str
    numbers: tuple[int, ...]
    exact: bool


def pools(views: Views, s: array[int], source: int) -> tuple[Pool | None, ...]:
    """For the referee, the spectators and each seat the pool of a draw from a place; `s` is before it.

    In `together` only the seat that draws has one: what others see at that time would tell when it was.
    """
    machine = views.machine
    component = machine.place_components[machine.places[source].zone]
    return tuple(_pool(views, s, source, component, viewer) for viewer in range(REFEREE, machine.seats))


def _pool(views: Views, s: array[int], source: int, component: str, viewer: int) -> Pool | None:
    kind, numbers = views.host.pool(s, source, viewer, views.machine.component_classes[component])
    return Pool(component, tuple(numbers), kind == 2) if kind else None
