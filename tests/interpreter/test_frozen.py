"""Classes of `dsl.frozen` do what those of `dataclasses` do."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any

import pytest

from dsl.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Point:
    x: int
    y: int = 2
    names: list[str] = dataclasses.field(default_factory=list, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Named(Point):
    name: str = "p"


@dataclass(frozen=True)
class Nothing:
    """No fields."""


@dataclass(frozen=True)
class Checked:
    size: int

    def __post_init__(self) -> None:
        if self.size < 0:
            raise ValueError("negative")


@dataclasses.dataclass(frozen=True, slots=True)
class Plain:
    x: int
    y: int = 2
    names: list[str] = dataclasses.field(default_factory=list, compare=False, repr=False)


def test_as_dataclasses_are() -> None:
    for arguments in ((1,), (1, 3), (1, 2, ["a"])):
        ours, plain = Point(*arguments), Plain(*arguments)
        assert repr(ours) == repr(plain).replace("Plain", "Point")
        assert hash(ours) == hash(plain)
        assert dataclasses.asdict(ours) == dataclasses.asdict(plain)
        assert (ours.x, ours.y, ours.names) == (plain.x, plain.y, plain.names)
    assert [f.name for f in dataclasses.fields(Point)] == [f.name for f in dataclasses.fields(Plain)]
    assert Point.__match_args__ == Plain.__match_args__
    assert Named.__match_args__ == ("x", "y", "names")


def test_compared_by_fields_and_class() -> None:
    assert Point(1) == Point(1, 2, ["other"])
    assert Point(1) != Point(2)
    assert Point(1) != Named(1)
    assert Point(1) != Plain(1)
    assert len({Point(1), Point(1), Named(1), Named(1, name="q")}) == 3
    assert Nothing() == Nothing()
    assert hash(Nothing()) == hash(Nothing())
    assert Point(1).names is not Point(1).names


@pytest.mark.parametrize("one", [Point(1, 5, ["a"]), Named(3, name="z"), Nothing(), Checked(1)])
def test_copied(one: Any) -> None:
    for other in (copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        assert other == one
        assert type(other) is type(one)
    assert dataclasses.replace(one) == one


def test_replaced() -> None:
    assert dataclasses.replace(Named(1), y=7, name="q") == Named(1, 7, name="q")
    with pytest.raises(ValueError, match="negative"):
        dataclasses.replace(Checked(1), size=-1)


@pytest.mark.parametrize("one", [Point(1), Named(1), Checked(1)])
def test_frozen(one: Any) -> None:
    first = dataclasses.fields(one)[0].name
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(one, first, 5)
    with pytest.raises(dataclasses.FrozenInstanceError):
        delattr(one, first)


def test_wrong_arguments() -> None:
    for given, named in (((), {}), ((1, 2, [], 4), {}), ((1,), {"z": 1})):
        with pytest.raises(TypeError, match="__init__"):
            Point(*given, **named)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        Named(1, 2, [], "positional")  # type: ignore[misc]
