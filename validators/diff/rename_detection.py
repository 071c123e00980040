"""Rename detection: declarations that mean the same under another name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dsl.domains import row_type
from dsl.rules import Column, Component, Rules
from validators.diff.definitions import trigger_lines
from validators.diff.forms import mentioned
from validators.diff.kinds import D, DeclKind
from validators.diff.lines import DiffLine
from validators.diff.names import SAME, Form, RenameMap
from validators.diff.pieces import Owner, TableRow, cells, rows
from validators.diff.version_view import VersionView

Kinds = tuple[DeclKind[Any], ...]
ROUNDS = 20
"""The most rounds of the search; each but the last finds at least one name."""


def renamed(old: Rules, new: Rules, kinds: Kinds) -> RenameMap:
    """The renames between two versions.

    A name without a partner equals every other open name of its kind, so that definitions that call each
    other are found together. In the end each pair must have the same form, with all names replaced.
    """
    named = tuple(kind for kind in kinds if kind.named)
    names = SAME
    for _ in range(ROUNDS):
        more = _more(old, new, named, names)
        if more == names:
            break
        names = more
    return _proved(old, new, named, names)


def _more(old: Rules, new: Rules, kinds: Kinds, names: RenameMap) -> RenameMap:
    """One round: names, then the values and columns of what is known by now."""
    before, now = _sides(old, new, kinds, names)
    found = dict(names.names)
    for kind in kinds:
        found.update(_same_form(kind, before, now))
    names = RenameMap(found, names.values, names.columns)
    before, now = _sides(old, new, kinds, names)
    values = {**names.values, **_rows(before, now), **_values(before, now)}
    return RenameMap(found, values, {**names.columns, **_columns(before, now)})


def _sides(old: Rules, new: Rules, kinds: Kinds, names: RenameMap) -> tuple[VersionView, VersionView]:
    """Both versions, with the names that are still open."""
    taken = set(names.names.values())
    gone = {n: k for n, k in _nouns(old, kinds).items() if n not in names.names}
    come = {n: k for n, k in _nouns(new, kinds).items() if n not in taken}
    left = {n: k for n, k in gone.items() if n not in _nouns(new, kinds)}
    right = {n: k for n, k in come.items() if n not in _nouns(old, kinds)}
    return VersionView(old, RenameMap(names.names, names.values, names.columns, left)), VersionView(
        new, RenameMap(open=right)
    )


def _nouns(rules: Rules, kinds: Kinds) -> dict[str, str]:
    return {name: kind.noun(decl) for kind in kinds for name, decl in kind.found(rules).items()}


def _same_form(kind: DeclKind[D], old: VersionView, new: VersionView) -> Iterator[tuple[str, str]]:
    """Open names of a kind whose declarations have the same form, and no others have it."""
    return _unique_pairs(_open_forms(kind, old), _open_forms(kind, new))


def _open_forms(kind: DeclKind[D], side: VersionView) -> dict[str, Form]:
    found = kind.found(side.rules)
    return {name: kind.form(side, decl) for name, decl in found.items() if name in side.names.open}


def _unique_pairs(old: Mapping[str, Form], new: Mapping[str, Form]) -> Iterator[tuple[str, str]]:
    """An old and a new name for each form that exactly one of each has."""
    before, now = _by_form(old), _by_form(new)
    for form, names in before.items():
        others = now.get(form, [])
        if len(names) == len(others) == 1:
            yield names[0], others[0]


def _by_form(forms: Mapping[str, Form]) -> dict[Form, list[str]]:
    found: dict[Form, list[str]] = {}
    for name, form in forms.items():
        found.setdefault(form, []).append(name)
    return found


# ---- rows, values and columns


def _owners(old: VersionView, new: VersionView) -> Iterator[tuple[str, Owner, str, Owner]]:
    """Types and components of both versions, with the names of the types of their values."""
    for name, decl in old.rules.types.items():
        other = new.rules.types.get(old.names.name(name))
        if " " not in name and other is not None and decl.base is None:
            yield name, decl, other.name, other
    for name, component in old.rules.components.items():
        made = new.rules.components.get(old.names.name(name))
        if made is not None:
            yield row_type(name), component, row_type(made.name), made


def _rows(old: VersionView, new: VersionView) -> dict[tuple[str, str], str]:
    """Rows that are removed, and added ones with the same cells."""
    before, now = rows(old.rules), rows(new.rules)
    found: dict[tuple[str, str], str] = {}
    for owner, _, called, _ in _owners(old, new):
        left = {k: x for k, x in before.items() if k[0] == owner and k not in old.names.values}
        right = {k: x for k, x in now.items() if k[0] == called}
        gone = {k: x for k, x in left.items() if (called, k[1]) not in right}
        taken = {value for (o, _), value in old.names.values.items() if o == owner}
        come = {k: x for k, x in right.items() if (owner, k[1]) not in left and k[1] not in taken}
        pairs = _unique_pairs(_row_forms(old, gone), _row_forms(new, come))
        found.update({(owner, a): b for a, b in pairs})
    return found


def _row_forms(side: VersionView, rows_: Mapping[tuple[str, str], TableRow]) -> dict[str, Form]:
    return {label: tuple((f.what, f.form) for f in cells(side, row)) for (_, label), row in rows_.items()}


def _values(old: VersionView, new: VersionView) -> dict[tuple[str, str], str]:
    """Values without columns: a removed one with an added one at the same position, if it is the only one."""
    found: dict[tuple[str, str], str] = {}
    for owner, a, _, b in _owners(old, new):
        before, now = _plain(a), _plain(b)
        gone = [i for i, v in enumerate(before) if v not in now]
        come = [i for i, v in enumerate(now) if v not in before]
        if len(gone) == 1 and gone == come and len(before) == len(now):
            found.setdefault((owner, before[gone[0]]), now[come[0]])
    return found


def _plain(owner: Owner) -> tuple[str, ...]:
    """The values of a type that is a plain list."""
    if isinstance(owner, Component) or owner.numeric or owner.columns:
        return ()
    return owner.names


def _columns(old: VersionView, new: VersionView) -> dict[tuple[str, str], str]:
    """Columns that are removed, and added ones with the same cells."""
    found: dict[tuple[str, str], str] = {}
    for owner, a, _, b in _owners(old, new):
        left = {n: _cells(old, a, c) for n, c in a.columns.items() if n not in b.columns}
        right = {n: _cells(new, b, c) for n, c in b.columns.items() if n not in a.columns}
        found.update({(owner, name): other for name, other in _unique_pairs(left, right)})
    return found


def _cells(side: VersionView, owner: Owner, column: Column) -> Form:
    names = owner.classes if isinstance(owner, Component) else owner.names
    today = tuple(side.names.value(side.owner(owner), n) for n in names)
    values = tuple(side.value(column.type, v) for v in column.values)
    groups = tuple(tuple(side.value(column.type, v) for v in group) for group in column.groups)
    return (side.type(column.type), today, values, groups)


# ---- proof


def _proved(old: Rules, new: Rules, kinds: Kinds, names: RenameMap) -> RenameMap:
    """The renames without those whose forms differ, or that no common line supports."""
    while True:
        before, now = VersionView(old, names), VersionView(new)
        wrong = {a for a, b in names.names.items() if not _holds(kinds, before, a, now, b)}
        wrong = wrong or _unsupported(kinds, before, now, names)
        if not wrong:
            return names
        kept = {a: b for a, b in names.names.items() if a not in wrong}
        names = RenameMap(kept, names.values, names.columns)


def _holds(kinds: Kinds, old: VersionView, a: str, new: VersionView, b: str) -> bool:
    for kind in kinds:
        before, now = kind.found(old.rules), kind.found(new.rules)
        if a in before and b in now:
            return kind.form(old, before[a]) == kind.form(new, now[b])
    return False


def _unsupported(kinds: Kinds, old: VersionView, new: VersionView, names: RenameMap) -> set[str]:
    """Renames without lines of their own, if both are mentioned in lines but in no common one."""
    bare = {n for kind in kinds for n, d in kind.found(old.rules).items() if not tuple(kind.lines(old, d))}
    before, now = _mentions(kinds, old), _mentions(kinds, new)
    return {
        a
        for a, b in names.names.items()
        if a in bare and (b in before or b in now) and not before.get(b, set()) & now.get(b, set())
    }


def _mentions(kinds: Kinds, side: VersionView) -> dict[str, set[Form]]:
    """The forms of the lines that mention each name."""
    found: dict[str, set[Form]] = {}
    for one in all_lines(kinds, side):
        for name in mentioned(one.form):
            found.setdefault(name, set()).add(one.form)
    return found


def all_lines(kinds: Kinds, side: VersionView) -> Iterator[DiffLine]:
    """Every line of a version, of triggers too."""
    return (line for lines in definitions(kinds, side) for line in lines)


def definitions(kinds: Kinds, side: VersionView) -> Iterator[tuple[DiffLine, ...]]:
    """The lines of every definition of a version, of triggers too."""
    for kind in kinds:
        for decl in kind.found(side.rules).values():
            yield tuple(kind.lines(side, decl))
    for trigger in side.rules.triggers:
        yield tuple(trigger_lines(side, trigger))
