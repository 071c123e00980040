"""Forms of sets say what they are certain to be, and simplify to what they were."""

from __future__ import annotations

from functools import reduce
from operator import and_, or_
from random import Random
from typing import assert_never

import pytest

from interpreter import ir
from interpreter.wasm.lower.values import Range
from interpreter.wasm.sets.forms import (
    AskedSet,
    Difference,
    Form,
    Forms,
    Intersection,
    KnownSet,
    MovedSet,
    NamedSet,
    RowSet,
    TruthSet,
    Union,
)

SIZE = 12
R = Range(0, SIZE)
CONDITIONS = [ir.Local(slot) for slot in range(4)]
PLACE, NUMBER = ir.Local(8), ir.Local(9)
TRUTHS = [ir.Head(word) for word in range(2)]


def value(form: Form, given: dict[int, int]) -> int:
    """The set of a form, if the conditions in it, by identity, have some sets."""
    match form:
        case KnownSet(bits=bits):
            return bits
        case TruthSet(condition=condition) | AskedSet(condition=condition):
            return given[id(condition)]
        case RowSet(place=place, lo=lo, number=number, least=least, numbers=numbers, rows=rows):
            column = 0 if number is None else min(max(given[id(number)], least), least + numbers - 1) - least
            return rows[(given[id(place)] - lo) * numbers + column]
        case NamedSet(form=inner):
            return value(inner, given)
        case MovedSet(form=inner, links=links):
            found = value(inner, given)
            led = ((found & sources) << by if by > 0 else (found & sources) >> -by for by, sources in links)
            return reduce(or_, led)
        case Intersection(parts=parts, within=within):
            return reduce(and_, (value(x, given) for x in parts), within)
        case Union(parts=parts, besides=besides):
            return reduce(or_, (value(x, given) for x in parts), besides)
        case Difference(form=inner, without=other):
            return value(inner, given) & ~value(other, given)
    assert_never(form)


def links(pick: Random) -> tuple[tuple[int, int], ...]:
    """Some distances, and the bits that stay within the interval when they are moved so far."""
    found = {}
    for by in pick.sample(range(-4, 5), 3):
        inside = sum(1 << i for i in range(SIZE) if 0 <= i + by < SIZE)
        found[by] = inside & pick.getrandbits(SIZE)
    return tuple(found.items())


@pytest.mark.parametrize("seed", range(40))
def test_forms_are_what_they_are_made_of(seed: int) -> None:
    pick, forms = Random(seed), Forms(SIZE)
    given = {id(x): pick.getrandbits(SIZE) for x in CONDITIONS}
    given |= {id(x): pick.choice((0, forms.every)) for x in TRUTHS}
    made = [forms.known(pick.getrandbits(SIZE)), *(forms.asked(x, 0, R, 4) for x in CONDITIONS)]
    made += [forms.truth(x) for x in TRUTHS]
    given |= {id(PLACE): pick.randrange(2, 5), id(NUMBER): pick.randrange(-9, 9)}
    rows = tuple(pick.getrandbits(SIZE) for _ in range(3 * 4))
    made += [forms.row(PLACE, 2, None, 0, 1, rows[:3]), forms.row(PLACE, 2, NUMBER, -1, 4, rows)]
    for _ in range(30):
        one, two, moves = pick.choice(made), pick.choice(made), links(pick)
        a, b = value(one, given), value(two, given)
        meant = {
            "all": (forms.all_of([one, two]), a & b),
            "any": (forms.any_of([one, two]), a | b),
            "without": (forms.without(one, two), a & ~b),
            "moved": (
                forms.moved(one, forms, moves),
                reduce(or_, ((a & s) << by if by > 0 else (a & s) >> -by for by, s in moves)),
            ),
        }
        form, bits = meant[pick.choice([*meant])]
        assert value(form, given) == bits
        assert form.certain & ~bits == 0
        assert bits & ~form.possible == 0
        made.append(form)


def test_equal_forms_are_one_object() -> None:
    forms = Forms(SIZE)
    one, two = (forms.asked(x, 0, R, 4) for x in CONDITIONS[:2])
    assert forms.all_of([one, two]) is forms.all_of([two, one])
    assert forms.any_of([one, one]) is one
    assert forms.without(one, forms.everything) is forms.nothing
