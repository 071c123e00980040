"""What is in the box, where it lies, what is counted, and who sees it."""

from __future__ import annotations

from dsl import rules as r
from dsl.domains import EnumType
from rulewright.rulebook.context import BookContext
from rulewright.rulebook.document import (
    Board,
    DocumentBlock,
    DocumentCell,
    DocumentRow,
    Paragraph,
    Section,
    Table,
    link,
)
from rulewright.rulebook.english import article, capital, counted, listed
from rulewright.rulebook.names import Noun
from rulewright.rulebook.tables import has_rows, table_id

SEEN: dict[r.Sight, str] = {
    "all": "everybody sees it",
    "owner": "only its player sees it",
    "nobody": "nobody sees it",
    "count": "nobody sees it; everybody may count it",
}
ORDERS: dict[r.Order, str] = {
    "open": "", "pile": "a pile", "stack": "a stack", "row": "a row", "shuffled": "shuffled, face down",
    "bag": "drawn blindly",
}  # fmt: skip


def components(ctx: BookContext) -> Section:
    """Pieces and boards with their numbers."""
    rows = [_piece(ctx, c) for c in ctx.rules.components.values()]
    blocks: list[DocumentBlock] = [Table(("Piece", "How many"), tuple(rows))] if rows else []
    blocks += [_board(ctx, d) for d in ctx.rules.types.values() if _is_board(ctx, d)]
    kinds = [d for d in ctx.rules.types.values() if _is_list(ctx, d)]
    rows = [
        DocumentRow(
            (
                DocumentCell(capital(ctx.lexicon.noun(d.name).one), d.clauses),
                DocumentCell(_members(ctx, d)),
            )
        )
        for d in kinds
    ]
    blocks += [Table(("Kind", "What it may be"), tuple(rows))] if rows else []
    return Section("components", "What there is", tuple(blocks))


def _is_list(ctx: BookContext, decl: r.TypeDecl) -> bool:
    """A type that is no more than its values; numbers only if they cite a clause."""
    hidden = " " in decl.name or decl.name == "seat" or ctx.lexicon.labels.get(decl.name) == ""
    plain = decl.shape == "none" and not decl.columns and decl.base is None
    return plain and not hidden and (not decl.numeric or bool(decl.clauses))


def _members(ctx: BookContext, decl: r.TypeDecl) -> str:
    if decl.numeric:
        return f"{decl.names[0]} to {decl.names[-1]}"
    return listed(ctx.lexicon.members(decl), "or")


def _is_board(ctx: BookContext, decl: r.TypeDecl) -> bool:
    directions = any(decl.name in d.directions for d in ctx.rules.types.values())
    return decl.shape != "none" and not directions


def _piece(ctx: BookContext, component: r.Component) -> DocumentRow:
    noun = ctx.lexicon.noun(component.name)
    return DocumentRow(
        (DocumentCell(capital(noun.one)), DocumentCell(_number(ctx, component, noun), component.clauses))
    )


def _number(ctx: BookContext, component: r.Component, noun: Noun) -> str:
    number = sum(component.copies)
    if component.die is not None:
        number = component.copies[0] if len(set(component.copies)) == 1 else number
        faces = _faces(ctx, component)
        each = " for each player" if component.per_seat else ""
        return f"{number}{each}, {faces}"
    if component.per_seat:
        return f"{component.copies[0]} for each player"
    kinds = len([c for c in component.copies if c])
    if kinds > 1 and has_rows(component):
        return f"{number}, of {link(table_id(component.name), f'{kinds} kinds')}"
    if kinds > 1:
        return f"{number}: {_kinds(ctx, component)}"
    return str(number)


def _kinds(ctx: BookContext, component: r.Component) -> str:
    pairs = [(c, n) for c, n in zip(component.classes, component.copies, strict=True) if n]
    if len({n for _, n in pairs}) == 1:
        return f"{pairs[0][1]} each of {listed([ctx.lexicon.label(c) for c, _ in pairs])}"
    return listed([f"{n} {ctx.lexicon.label(c)}" for c, n in pairs])


def _faces(ctx: BookContext, component: r.Component) -> str:
    named = [ctx.lexicon.label(c) for c in component.classes]
    if all(n.isdigit() for n in named):
        return f"each with the numbers {named[0]} to {named[-1]}"
    return f"each with the faces {listed([f'“{n}”' for n in named])}"


def _board(ctx: BookContext, decl: r.TypeDecl) -> DocumentBlock:
    noun = ctx.lexicon.noun(decl.name)
    seats = ctx.folding.config.counts[-1]
    fields = counted(len(decl.present(seats)), noun.one, noun.many)
    match decl.shape:
        case "grid":
            said = f"A board of {decl.sides[0]} rows and {decl.sides[1]} columns." if decl.sides else ""
            text = f"{said} {_joined(decl)}"
        case "hex":
            rows = decl.sides[0] if decl.sides else 0
            text = f"A board of {fields} in {rows} slanting rows; each has up to six neighbours."
        case "line":
            names = ctx.lexicon.members(decl)
            text = f"{fields} in a row, from {names[0]} to {names[-1]}."
        case "ring":
            names = ctx.lexicon.members(decl)
            text = f"{fields} in a ring: {listed(names)}; after the last comes the first."
        case _:
            text = f"A board of {fields}, joined by lines."
    places = (ctx.lexicon.bare(EnumType(decl.name), v) for v in range(decl.lo, decl.hi + 1))
    return Board(decl, seats, (noun.one, *places), text.strip(), decl.clauses)


def _joined(decl: r.TypeDecl) -> str:
    most = max((len(x) for x in decl.links), default=0)
    return (
        "Fields that touch at an edge or a corner are neighbours."
        if most > 4
        else "Fields that touch at an edge are neighbours."
    )


# ---- places


def places(ctx: BookContext) -> Section:
    """Where pieces lie, what is counted, and who sees it."""
    blocks: list[DocumentBlock] = []
    zones = [_zone(ctx, z) for z in ctx.rules.zones.values()]
    if zones:
        blocks.append(Table(("Place", "What lies there", "Who sees it"), tuple(zones)))
    counted_ = [_counter(ctx, c) for c in ctx.rules.counters.values() if _counts(ctx, c.name)]
    noted = [_pointer(ctx, p) for p in ctx.rules.pointers.values() if _counts(ctx, p.name)]
    noted += [_mark(ctx, m) for m in ctx.rules.marks.values() if _counts(ctx, m.name)]
    if counted_ or noted:
        blocks.append(Paragraph("What is counted and noted is open to all."))
        blocks.append(Table(("What", "Whose", "How many", "More"), (*counted_, *noted)))
    return Section("places", "Where things lie, and who sees them", tuple(blocks))


def _counts(ctx: BookContext, name: str) -> bool:
    """Whether anything asks about it, or gains it from there."""
    banks = {c.bank for c in ctx.rules.counters.values()}
    return name in ctx.usage.read or name in banks


def _zone(ctx: BookContext, zone: r.Zone) -> DocumentRow:
    noun = ctx.lexicon.noun(zone.component)
    parts = [f"{noun.many if zone.size != 1 else noun.one}"]
    if zone.var.of is not None and zone.var.of != "seat":
        parts.append(f"for each {ctx.lexicon.noun(zone.var.of).one}")
    if zone.var.at is not None:
        parts.append(f"at each {ctx.lexicon.noun(zone.var.at).one}")
    if zone.size is not None and zone.size > 1:
        parts.append(f"(at most {zone.size})")
    what = " ".join(parts)
    order = ORDERS[zone.order]
    more = f"{what}; {order}" if order else what
    if zone.refill is not None:
        more += f"; when a draw finds none, filled again from the {ctx.lexicon.label(zone.refill)}"
    whose = "each player’s " if zone.var.of == "seat" else ""
    name = capital(f"{whose}{ctx.lexicon.zone(zone.name)}")
    return DocumentRow((DocumentCell(name), DocumentCell(more, zone.var.clauses), DocumentCell(_seen(zone))))


def _seen(zone: r.Zone) -> str:
    said = SEEN[zone.seen_by]
    if zone.seen_by in ("owner", "nobody") and zone.counted_by == "all":
        return f"{said}; everybody may count it"
    return said


def _whose(ctx: BookContext, var: r.StateVar) -> str:
    parts = []
    if var.of == "seat":
        parts.append("each player")
    elif var.of is not None:
        parts.append(f"each {ctx.lexicon.noun(var.of).one}")
    if var.at is not None:
        parts.append(f"each {ctx.lexicon.noun(var.at).one}")
    return " and ".join(parts) if parts else "all together"


def _counter(ctx: BookContext, counter: r.Counter) -> DocumentRow:
    return _noted(ctx, counter.var, _range(ctx, counter), _more(ctx, counter))


def _noted(ctx: BookContext, var: r.StateVar, what: str, more: str) -> DocumentRow:
    name = capital(ctx.lexicon.title(var.name))
    return DocumentRow(
        (
            DocumentCell(name),
            DocumentCell(_whose(ctx, var)),
            DocumentCell(what, var.clauses),
            DocumentCell(more),
        )
    )


def _range(ctx: BookContext, counter: r.Counter) -> str:
    if len(set(counter.ranges)) == 1:
        lo, hi = counter.ranges[0]
        return _from_to(lo, hi)
    index = ctx.rules.types.get(counter.var.at or counter.var.of or "")
    if index is None:
        return ""
    pairs = [(ctx.lexicon.label(index.label(v)), counter.ranges[v - index.lo]) for v in index.members]
    return ", ".join(f"{name} {_from_to(*found)}" for name, found in pairs)


def _from_to(lo: int, hi: int) -> str:
    """Bounds that mean something to a player; nobody means 99 or 9999."""
    if hi >= 99:
        return "any number" if lo == 0 else f"{lo} or more"
    return f"{lo} to {hi}"


def _more(ctx: BookContext, counter: r.Counter) -> str:
    parts = []
    if counter.bank is not None and counter.bank != "unlimited":
        parts.append(f"gained from and paid to the {ctx.lexicon.label(counter.bank)}")
        if counter.paid_anyway:
            parts.append("what that lacks is credited all the same")
    if counter.at_edge == "clamp" and counter.hi < 99:
        parts.append("what has no room is lost")
    parts += _lasting(ctx, counter.var)
    return capital("; ".join(parts))


def _lasting(ctx: BookContext, var: r.StateVar) -> list[str]:
    match var.lasts:
        case None:
            return []
        case "turn":
            return ["until the end of each turn"]
        case "own turn":
            return ["until the end of that player’s turn"]
        case "action":
            return ["until the action is over"]
    return [f"until the end of “{ctx.lexicon.label(var.lasts)}”"]


def _pointer(ctx: BookContext, pointer: r.Pointer) -> DocumentRow:
    seat = pointer.to == "seat"
    what = "a player, or nobody" if seat else f"{article(ctx.lexicon.noun(pointer.to).one)}, or none"
    return _noted(ctx, pointer.var, what, capital("; ".join(_lasting(ctx, pointer.var))))


def _mark(ctx: BookContext, mark: r.Mark) -> DocumentRow:
    return _noted(ctx, mark.var, "yes or no", capital("; ".join(_lasting(ctx, mark.var))))
