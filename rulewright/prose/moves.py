"""What is done with pieces: moved, drawn, rolled, shown."""

from __future__ import annotations

from dsl import rules as r
from rulewright.prose.changes import Changes
from rulewright.prose.english import article, verb
from rulewright.prose.nominals import Things

HIDDEN_ORDER = ("pile", "stack", "row", "shuffled", "bag")


class Moves(Changes):
    """The part of saying statements that deals with pieces. `Statements` completes it."""

    # ---- pieces

    def _moved_all(self, line: r.MoveAll) -> str:
        to = f"{self.place(line.to)}{at_end(line.end)}"
        found = self.group(line.source)
        if isinstance(found, Things) and found.single:
            piece = self.slot(line.source) if isinstance(line.source, r.InZone) else found.all()
            return f"put {piece}, if there is one, {to}"
        mixed = self.rules.zones[line.to.zone].order in ("shuffled", "bag")
        return f"put {found.all('from')} {to}{' and mix them in' if mixed else ''}"

    def _moved(self, line: r.MoveCount) -> str:
        decl = self.rules.zones[line.source.zone]
        source = self.zone(line.source)
        drawn = "draw" if decl.order in HIDDEN_ORDER else "move"
        piece = self.lexicon.noun(decl.component)
        number = self.folding.expr(line.number)
        what = self.quantity(number, piece, "")
        start = f" from {whole(source)}"
        if line.name is not None:
            self.name_of(line.name)
            what = article(piece.one)
        place = self.place(line.to)
        if place.startswith(("with ", "among ")):
            place = f"and put {'it' if line.name is not None or what.startswith('1 ') else 'them'} {place}"
        return f"{drawn} {what}{start} {place}{at_end(line.end)}"

    def _moved_alike(self, line: r.MoveAlike) -> str:
        """So many of the pieces that are meant: `put 2 red cubes from the bag …`."""
        found, number = self.group(line.source), self.folding.expr(line.number)
        where = f"{self.place(line.to)}{at_end(line.end)}"
        if isinstance(number, r.Const):
            return f"put {found.so_many(str(number.value), number.value == 1)} {where}"
        return f"put as many as {self.expr(number)} of {found.many()} {where}"

    def _rolled(self, line: r.RollZone) -> str:
        source = self.zone(line.source)
        if line.number is None and line.source.zone == line.to.zone:
            return f"roll {source.all('in')}"
        if line.number is None:
            return f"roll {source.all('from')} and put them {self.place(line.to)}"
        what = self.quantity(line.number, self.lexicon.noun(self.rules.zones[line.source.zone].component), "")
        them = "it" if what.startswith("1 ") else "them"
        return f"take {what} from {whole(source)}, roll {them}, and put {them} {self.place(line.to)}"

    def _shown(self, zone: r.InZone, to: r.Expr) -> str:
        who, what = self.expr(to), self.zone(zone)
        whole = what.place or what.many()
        return f"look at {whole}" if who == "you" else f"{who} {verb(who, 'looks')} at {whole}"

    def _won(self, seat: r.Expr) -> str:
        who = self.expr(seat)
        return f"{who} {verb(who, 'wins')} the game at once"


def whole(things: Things) -> str:
    """A place as a whole, or what lies there."""
    return things.place or (things.many() if things.subject else f"the {things.many()}")


def at_end(end: r.End | None) -> str:
    return ", at the bottom" if end == "bottom" else ""
