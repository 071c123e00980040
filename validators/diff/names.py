"""Renames: names of the old version in the new one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

ROW, READING = " row", " reading"
"""Suffixes in the names of the hidden types of a component's rows and an option's readings."""

Form = tuple["Form", ...] | str | int | bool | None
"""Rules without spans, spacing and names of variables: equal forms mean the same."""


@dataclass(frozen=True, slots=True)
class RenameMap:
    """Renamed names, values by (owner, value), and columns by (owner, column).

    A name in `open` may still turn out to be renamed; until then it equals every open name of its kind.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[tuple[str, str], str] = field(default_factory=dict)
    columns: Mapping[tuple[str, str], str] = field(default_factory=dict)
    open: Mapping[str, str] = field(default_factory=dict)

    def name(self, name: str) -> str:
        """A name in the new version; also of the hidden types of rows, readings and indices."""
        for hidden in (ROW, READING):
            if name.endswith(hidden):
                return self.name(name.removesuffix(hidden)) + hidden
        if name.startswith("("):
            return f"({', '.join(self._part(part) for part in name.strip('()').split(', '))})"
        if name in self.open:
            return f"? {self.open[name]}"
        return self.names.get(name, name)

    def _part(self, part: str) -> str:
        """One of several indices, `colour` or `here: town`, of which the type may have a new name."""
        column, colon, kind = part.rpartition(": ")
        return f"{column}{colon}{self.name(kind)}"

    def value(self, owner: str, value: str) -> str:
        return self.values.get((owner, value), value)

    def column(self, owner: str, column: str) -> str:
        return self.columns.get((owner, column), column)

    def word(self, word: str) -> str:
        """A word that may be a name or a value, in the new version."""
        for name in (word, f"phase:{word}", f"score:{word}", f"tiebreak:{word}"):
            if name in self.names:
                return self.names[name].rpartition(":")[2]
        renamed = {new for (_, old), new in self.values.items() if old == word}
        return renamed.pop() if len(renamed) == 1 else word


SAME = RenameMap()
"""No renames."""


def apart(names: RenameMap, space: str, name: str) -> str:
    """The new name of something with a namespace of its own: a phase, a score line."""
    return names.name(f"{space}:{name}").removeprefix(f"{space}:")
