"""Frozen dataclasses that are made quickly, for the hundreds of classes of a syntax and of a machine.

`dataclasses.dataclass` compiles six functions for each class, one by one; a command that starts would spend a
sixth of its time on that. Here only `__init__` is compiled, and all other methods are the same functions for
every class. What such a class can do is the same: it has fields, is compared and hashed by them, can be
matched, replaced, copied and pickled, and nobody changes it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from operator import attrgetter
from types import MemberDescriptorType
from typing import Any, Literal, TypeVar, dataclass_transform

Class = TypeVar("Class", bound=type)
NOT_GIVEN: Any = object()
"""Stands for a default that each object gets a new copy of."""


@dataclass_transform(frozen_default=True, field_specifiers=(dataclasses.field,))
def dataclass(
    *, frozen: Literal[True], slots: bool = False, kw_only: bool = False
) -> Callable[[Class], Class]:
    """The same as `dataclasses.dataclass(frozen=True, ...)`, which must not make the bases or subclasses."""

    def made(plain: Class) -> Class:
        if plain.__doc__ is None:
            plain.__doc__ = plain.__name__  # or `dataclasses` would work out a signature to put there
        kind: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)(
            plain
        )
        found = dataclasses.fields(kind)
        methods = {
            "__init__": _init(kind, found),
            "__repr__": _repr,
            "__setattr__": _setattr,
            "__delattr__": _delattr,
            **_comparison(tuple(f.name for f in found if f.compare)),
        }
        if slots:
            methods |= {"__getstate__": _getstate, "__setstate__": _setstate}
        for name, method in methods.items():
            if kind.__dict__.get(name) is None:
                setattr(kind, name, method)
        return kind  # type: ignore[no-any-return]

    return made


def _init(kind: type, found: tuple[dataclasses.Field[Any], ...]) -> Any:
    """`__init__`, which writes around the class's own `__setattr__`: into the slots, where there are some."""
    known: dict[str, Any] = {"_set": object.__setattr__, "_not_given": NOT_GIVEN}
    parameters: dict[bool, list[str]] = {False: [], True: []}
    lines = []
    for f in found:
        value = f.name
        if f.default_factory is not dataclasses.MISSING:
            known[f"_new_{f.name}"] = f.default_factory
            value = f"_new_{f.name}() if {f.name} is _not_given else {f.name}"
        slot = getattr(kind, f.name, None)
        if isinstance(slot, MemberDescriptorType):
            known[f"_set_{f.name}"] = slot.__set__
            lines.append(f" _set_{f.name}(self, {value})\n")
        else:
            lines.append(f" _set(self, {f.name!r}, {value})\n")
        parameters[bool(f.kw_only)].append(f.name + _default(f, known))
    given = ", ".join(["self", *parameters[False], *(["*", *parameters[True]] if parameters[True] else [])])
    if hasattr(kind, "__post_init__"):
        lines.append(" self.__post_init__()\n")
    exec(f"def __init__({given}):\n{''.join(lines) or ' pass'}", known)
    known["__init__"].__qualname__ = f"{kind.__qualname__}.__init__"
    return known["__init__"]


def _default(f: dataclasses.Field[Any], known: dict[str, Any]) -> str:
    """The default of a parameter, which becomes known under a name of its own."""
    if f.default_factory is not dataclasses.MISSING:
        return "=_not_given"
    if f.default is dataclasses.MISSING:
        return ""
    known[f"_default_{f.name}"] = f.default
    return f"=_default_{f.name}"


def _comparison(names: tuple[str, ...]) -> dict[str, Callable[..., Any]]:
    """`__eq__` and `__hash__` by some fields, of objects of one class."""
    if not names:
        key: Callable[[Any], Any] = type
    elif len(names) == 1:
        first = attrgetter(names[0])

        def key(one: Any) -> Any:
            return (first(one),)
    else:
        key = attrgetter(*names)

    def equal(self: Any, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented  # type: ignore[no-any-return]
        return bool(key(self) == key(other))

    return {"__eq__": equal, "__hash__": lambda self: hash(key(self))}


# ---- what all classes have


def _repr(self: Any) -> str:
    shown = (f"{f.name}={getattr(self, f.name)!r}" for f in dataclasses.fields(self) if f.repr)
    return f"{self.__class__.__qualname__}({', '.join(shown)})"


def _setattr(self: Any, name: str, value: object) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _delattr(self: Any, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _getstate(self: Any) -> list[Any]:
    return [getattr(self, f.name) for f in dataclasses.fields(self)]


def _setstate(self: Any, state: list[Any]) -> None:
    for f, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, f.name, value)
