"""Names of the old version in the words of the new one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

ROW, READING = " row", " reading"
"""What follows the name of a component or an option in the name of the type of its rows or readings."""

Form = tuple["Form", ...] | str | int | bool | None
"""Something without places, spacing and names of variables: equal forms mean the same."""


@dataclass(frozen=True, slots=True)
class RenameMap:
    """What is called otherwise now: names, values by (owner, value), columns by (owner, column).

    A name in `open` may yet be found under another one: it stands for every open name of its kind.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[tuple[str, str], str] = field(default_factory=dict)
    columns: Mapping[tuple[str, str], str] = field(default_factory=dict)
    open: Mapping[str, str] = field(default_factory=dict)

    def name(self, name: str) -> str:
        """A name as it is now; the same for the hidden types of rows and readings."""
        for hidden in (ROW, READING):
            if name.endswith(hidden):
                return self.name(name.removesuffix(hidden)) + hidden
        if name in self.open:
            return f"? {self.open[name]}"
        return self.names.get(name, name)

    def value(self, owner: str, value: str) -> str:
        return self.values.get((owner, value), value)

    def column(self, owner: str, column: str) -> str:
        return self.columns.get((owner, column), column)

    def word(self, word: str) -> str:
        """A word that may be a name or a value, as labels are given to both."""
        for name in (word, f"phase:{word}", f"score:{word}", f"tiebreak:{word}"):
            if name in self.names:
                return self.names[name].rpartition(":")[2]
        found = {new for (_, old), new in self.values.items() if old == word}
        return found.pop() if len(found) == 1 else word


SAME = RenameMap()
"""Nothing is called otherwise."""


def apart(names: RenameMap, space: str, name: str) -> str:
    """What something is called now whose names are apart from all others: a phase, a line of the account."""
    return names.name(f"{space}:{name}").removeprefix(f"{space}:")
