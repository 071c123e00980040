"""Every field of the machine's classes says what it is for; traversals rely on it."""

from __future__ import annotations

from dataclasses import fields
from typing import get_args

import pytest

from interpreter import ir
from interpreter.ir.roles import Role, roles_of
from interpreter.ir.visit import Part

CLASSES = dict.fromkeys((*get_args(Part), *get_args(ir.Step), ir.Node, ir.Condition))


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_every_field_has_a_role(kind: type) -> None:
    assert set(roles_of(kind)) == {f.name for f in fields(kind)}


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_what_holds_expressions_is_no_data(kind: type) -> None:
    shown = {"sides", "wants"}
    names = {one.__name__ for one in get_args(Part)} | {"Expr", "Source", "Doing"}
    for f in fields(kind):
        written = str(f.type).replace("[", " ").replace("]", " ").replace(",", " ").split()
        if names & set(written) and f.name not in shown:
            assert roles_of(kind)[f.name] & (Role.CHILD | Role.WORD), f.name
