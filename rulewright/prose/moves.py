"""What is done with pieces: moved, drawn, rolled, shown."""

from __future__ import annotations

from dsl import rules as r
from rulewright.prose.changes import quantity
from rulewright.prose.english import article, verb
from rulewright.prose.nominals import Things
from rulewright.prose.stores import into_place, pieces_at, slot_phrase
from rulewright.prose.voice import Voice

HIDDEN_ORDER = ("pile", "stack", "row", "shuffled", "bag")


# ---- pieces


def moved_all(voice: Voice, line: r.MoveAll) -> str:
    to = f"{into_place(voice, line.to)}{at_end(line.end)}"
    found = voice.group(line.source)
    if isinstance(found, Things) and found.single:
        piece = slot_phrase(voice, line.source) if isinstance(line.source, r.InZone) else found.all()
        return f"put {piece}, if there is one, {to}"
    mixed = voice.rules.zones[line.to.zone].order in ("shuffled", "bag")
    return f"put {found.all('from')} {to}{' and mix them in' if mixed else ''}"


def moved(voice: Voice, line: r.MoveCount) -> str:
    decl = voice.rules.zones[line.source.zone]
    source = pieces_at(voice, line.source)
    drawn = "draw" if decl.order in HIDDEN_ORDER else "move"
    piece = voice.lexicon.noun(decl.component)
    number = voice.folding.expr(line.number)
    what = quantity(voice, number, piece, "")
    start = f" from {whole(source)}"
    if line.name is not None:
        voice.name_of(line.name)
        what = article(piece.one)
    place = into_place(voice, line.to)
    if place.startswith(("with ", "among ")):
        place = f"and put {'it' if line.name is not None or what.startswith('1 ') else 'them'} {place}"
    return f"{drawn} {what}{start} {place}{at_end(line.end)}"


def moved_alike(voice: Voice, line: r.MoveAlike) -> str:
    """So many of the pieces that are meant: `put 2 red cubes from the bag …`."""
    found, number = voice.group(line.source), voice.folding.expr(line.number)
    where = f"{into_place(voice, line.to)}{at_end(line.end)}"
    if isinstance(number, r.Const):
        return f"put {found.so_many(str(number.value), number.value == 1)} {where}"
    return f"put as many as {voice.expr(number)} of {found.many()} {where}"


def rolled(voice: Voice, line: r.RollZone) -> str:
    source = pieces_at(voice, line.source)
    if line.number is None and line.source.zone == line.to.zone:
        return f"roll {source.all('in')}"
    if line.number is None:
        return f"roll {source.all('from')} and put them {into_place(voice, line.to)}"
    what = quantity(voice, line.number, voice.lexicon.noun(voice.rules.zones[line.source.zone].component), "")
    them = "it" if what.startswith("1 ") else "them"
    return f"take {what} from {whole(source)}, roll {them}, and put {them} {into_place(voice, line.to)}"


def shown(voice: Voice, zone: r.InZone, to: r.Expr) -> str:
    who, what = voice.expr(to), pieces_at(voice, zone)
    whole = what.place or what.many()
    return f"look at {whole}" if who == "you" else f"{who} {verb(who, 'looks')} at {whole}"


def won(voice: Voice, seat: r.Expr) -> str:
    who = voice.expr(seat)
    return f"{who} {verb(who, 'wins')} the game at once"


def whole(things: Things) -> str:
    """A place as a whole, or what lies there."""
    return things.place or (things.many() if things.subject else f"the {things.many()}")


def at_end(end: r.End | None) -> str:
    return ", at the bottom" if end == "bottom" else ""
