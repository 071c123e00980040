"""The sections on components and places: pieces, boards, zones, counters, marks and pointers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from dsl import rules as r
from dsl.domains import EnumType
from rulewright.layout.board_svg import boards_with, named
from rulewright.layout.compose import seat_colours
from rulewright.layout.scene import BoardScene
from rulewright.rulebook.directions import directions_text
from rulewright.rulebook.document import (
    Board,
    DocumentBlock,
    DocumentCell,
    DocumentRow,
    Illustration,
    Paragraph,
    Section,
    Table,
    bullets,
    row,
)
from rulewright.rulebook.remarks import table_id
from rulewright.rulebook.sample_match import PlayableGames, belongings
from rulewright.rulebook.tables import has_rows
from rulewright.sentences.by_players import amount, by_players, told, varies
from rulewright.sentences.context import BookContext
from rulewright.sentences.english import capital
from rulewright.sentences.text import Step, link, strong

UNBOUNDED = 99
"""Greatest values from here on stand for no bound: rulesets declare 99 or 9999."""
Declared = r.Counter | r.Pointer | r.Mark

MOST_COUNTS = 4
"""The most numbers of players for which an amount is said side by side."""


def components(ctx: BookContext, picture: Illustration | None) -> Section:
    """Pieces and boards with their numbers."""
    pieces = [_piece(ctx, c) for c in ctx.rules.components.values()]
    blocks: list[DocumentBlock] = [bullets(pieces)] if pieces else []
    blocks += [picture] if picture is not None and pieces else []
    blocks += _boards(ctx)
    return Section("components", ctx.say("chapter-components"), tuple(blocks))


def kinds(ctx: BookContext) -> Table | None:
    """The lists of values that pieces are not named by."""
    of_pieces = {c.classes for c in ctx.rules.components.values()}
    shown = [d for d in ctx.rules.types.values() if _is_list(ctx, d) and tuple(d.names) not in of_pieces]
    rows = tuple(_kind(ctx, d) for d in shown)
    return Table((ctx.say("head-kind"), ctx.say("head-may-be")), rows) if rows else None


def _piece(ctx: BookContext, component: r.Component) -> Step:
    noun = ctx.lexicon.noun(component.name)
    kinds = (decl for decl in ctx.rules.types.values() if tuple(decl.names) == component.classes)
    clauses = dict.fromkeys((*component.clauses, *(clause for decl in kinds for clause in decl.clauses)))
    return Step(f"{strong(capital(noun.many))}: {_number(ctx, component)}.", tuple(clauses))


def from_the_start(ctx: BookContext, games: PlayableGames) -> str:
    """`From the start every player has 13 figures on the mat and 3 cards in hand.`"""
    counts = ctx.folding.config.counts
    owned = {n: belongings(games, n) for n in dict.fromkeys((counts[0], counts[-1]))}
    if owned[counts[0]] != owned[counts[-1]]:
        owned = {n: owned.get(n) or belongings(games, n) for n in counts[:MOST_COUNTS]}
    begun = {c.name: set(c.start) for c in ctx.rules.counters.values()}
    zones = [
        z
        for z in owned[counts[0]]
        if ctx.lexicon.labels.get(z) != ""
        and all(z in f for f in owned.values())
        and begun.get(z) != {f[z] for f in owned.values()}
    ]
    if not zones:
        return ""
    things = [_so_many(ctx, zone, {n: own[zone] for n, own in owned.items()}) for zone in zones]
    if ctx.rules.seats[1] == 1:
        return ctx.say("begins-you", things=ctx.listed(things))
    return ctx.say("begins-every", player=ctx.lexicon.player.one, things=ctx.listed(things))


def _so_many(ctx: BookContext, name: str, numbers: Mapping[int, int]) -> str:
    """`13 figures on the mat`, `1 figure (workers in camp)`, `30 gold`."""
    if name not in ctx.rules.zones:
        unit = ctx.lexicon.unit(name)
        return amount(ctx, numbers, unit.one if set(numbers.values()) == {1} else unit.many)
    noun = ctx.lexicon.noun(ctx.rules.zones[name].component)
    label = ctx.lexicon.zone(name)
    what = noun.one if set(numbers.values()) == {1} else noun.many
    if label.split(" ")[0] in (noun.many, noun.one):
        return amount(ctx, numbers, f"{what}{label[len(label.split(' ')[0]) :]}")
    return f"{amount(ctx, numbers, what)} ({label})"


def _number(ctx: BookContext, component: r.Component) -> str:
    """How many pieces there are, and of which kinds."""
    copies = by_players(ctx, lambda rules: rules.components[component.name].copies)
    number = amount(ctx, {n: sum(each) for n, each in copies.items()})
    one = amount(ctx, {n: each[0] for n, each in copies.items()})
    each = ctx.say("for-each-player", player=ctx.lexicon.player.one)
    for_each = f" {each}" if component.per_seat else ""
    if component.die is not None:
        number = one if len(set(component.copies)) == 1 else number
        return f"{number}{for_each}, {_faces(ctx, component)}"
    if component.per_seat:
        return f"{one}{for_each}"
    kinds = ((name, {n: each[i] for n, each in copies.items()}) for i, name in enumerate(component.classes))
    classes = {name: numbers for name, numbers in kinds if any(numbers.values())}
    if len(classes) < 2:
        return number
    if has_rows(component):
        return _of_kinds(ctx, component, number, classes)
    said = _classes(ctx, classes)
    return said if varies(copies) else f"{number}: {said}"


def _of_kinds(
    ctx: BookContext, component: r.Component, number: str, classes: dict[str, dict[int, int]]
) -> str:
    """`52, all different`, `10 of each of 12 kinds, 120 in all`, or `52 in all, of 25 kinds`."""
    kinds, each = (
        ctx.say("so-many-kinds", number=len(classes)),
        {n for numbers in classes.values() for n in numbers.values()},
    )
    if each == {1}:
        return f"{number}, {link(table_id(component.name), ctx.say('all-different'))}"
    where = link(table_id(component.name), kinds)
    if len(each) == 1:
        return ctx.say("of-each-kind", each=each.pop(), kinds=where, number=number)
    return ctx.say("in-all-of-kinds", number=number, kinds=where)


def _classes(ctx: BookContext, copies: dict[str, dict[int, int]]) -> str:
    """How many there are of each kind."""
    labels = [ctx.lexicon.label(name) for name in copies]
    first, *others = copies.values()
    if all(numbers == first for numbers in others):
        between = ", " if varies(first) else " "
        return f"{amount(ctx, first)}{between}{ctx.say('each-of', labels=ctx.listed(labels))}"
    return ctx.listed([amount(ctx, n, label) for label, n in zip(labels, copies.values(), strict=True)])


def _faces(ctx: BookContext, component: r.Component) -> str:
    labels = [ctx.lexicon.label(c) for c in component.classes]
    if all(label.isdigit() for label in labels):
        return ctx.say("faces-numbers", first=labels[0], last=labels[-1])
    return ctx.say("faces", labels=ctx.listed([ctx.say("quoted", it=label) for label in labels]))


# ---- types


def _is_list(ctx: BookContext, decl: r.TypeDecl) -> bool:
    """Whether a type is a plain list of values; one of numbers only if it cites a clause."""
    hidden = " " in decl.name or decl.name == "seat" or ctx.lexicon.labels.get(decl.name) == ""
    bare = not decl.columns or bool(decl.parts) or decl.base is not None
    plain = decl.shape == "none" and bare
    return plain and not hidden and not _is_board(ctx, decl) and (not decl.numeric or bool(decl.clauses))


def _kind(ctx: BookContext, decl: r.TypeDecl) -> DocumentRow:
    if decl.parts:
        nouns = [ctx.lexicon.noun(kind if column == kind else column).one for column, kind in decl.parts]
        each = f" {ctx.say('with-each')} ".join(ctx.say("one-only", noun=noun) for noun in nouns)
        text = f"{each}: {decl.size}"
        return row(DocumentCell(capital(ctx.lexicon.noun(decl.name).one), decl.clauses), text)
    members = ctx.lexicon.members(decl)
    in_a_row = decl.numeric and members == list(decl.names)
    text = ctx.say("range", low=members[0], high=members[-1]) if in_a_row else ctx.listed(members, "or")
    return row(DocumentCell(capital(ctx.lexicon.noun(decl.name).one), decl.clauses), text)


def _is_board(ctx: BookContext, decl: r.TypeDecl) -> bool:
    look = ctx.rules.look.boards.get(decl.name)
    if look is not None and look.positions:
        return True
    directions = any(decl.name in d.directions for d in ctx.rules.types.values())
    return decl.shape != "none" and not directions


def _boards(ctx: BookContext) -> Iterator[Board]:
    """Each board, with the picture that it shares with others at the first of them."""
    seats, shown = ctx.folding.config.counts[-1], set[str]()
    for decl in ctx.rules.types.values():
        if _is_board(ctx, decl):
            picture = {} if decl.name in shown else boards_with(ctx.rules, decl.name, seats)
            shown |= picture.keys()
            yield _board(ctx, decl, picture, seats)


def _board(ctx: BookContext, decl: r.TypeDecl, picture: dict[str, BoardScene], seats: int) -> Board:
    noun = ctx.lexicon.noun(decl.name)
    fields = amount(
        ctx, {seats: len(decl.present(seats))}, noun.one if len(decl.present(seats)) == 1 else noun.many
    )
    text = _around_text(ctx, decl, fields) or _board_text(ctx, decl, fields, ctx.lexicon.members(decl))
    text += directions_text(ctx, decl)
    names = {name: _places(ctx, ctx.rules.types[name], scene) for name, scene in picture.items()}
    colours = tuple(seat_colours(ctx.rules, seats)["colours"]) if picture else ()
    return Board(noun.one, picture, names, colours, text, decl.clauses)


def _places(ctx: BookContext, decl: r.TypeDecl, scene: BoardScene) -> tuple[str, ...]:
    """What the places are called in the picture."""
    names = (ctx.lexicon.bare(EnumType(decl.name), v) for v in range(decl.lo, decl.hi + 1))
    return tuple(named(scene, i, name, ctx.lexicon.label) for i, name in enumerate(names))


def _around_text(ctx: BookContext, decl: r.TypeDecl, fields: str) -> str:
    """What the corners or edges of another board are; empty for other boards."""
    touched = decl.incident.get("places") or decl.incident.get("ends")
    if touched is None:
        return ""
    other = ctx.rules.types[touched.target]
    many = ctx.lexicon.noun(other.name).many
    if "places" not in decl.incident:
        return ctx.say("between-two", fields=fields, many=many)
    corners = other.incident.get("corners")
    part = "corners" if corners is not None and corners.target == decl.name else "edges"
    return ctx.say(f"{part}-of", fields=fields, many=many)


def _board_text(ctx: BookContext, decl: r.TypeDecl, fields: str, names: list[str]) -> str:
    rows, columns = decl.sides or (0, 0)
    match decl.shape:
        case "grid":
            corners = max(map(len, decl.links), default=0) > 4
            size = ctx.say("board-grid-size", rows=rows, columns=columns) if decl.sides else ""
            if decl.size < rows * columns:
                size = ctx.say("board-grid-part", fields=fields, rows=rows, columns=columns)
            touch = ctx.say("board-touch-corners" if corners else "board-touch")
            return f"{size} {touch}".strip()
        case "hex" if decl.size < rows * columns:
            return ctx.say("board-hex", fields=fields, rows=rows)
        case "hex":
            return ctx.say("board-slanting", fields=fields, rows=rows)
        case "line":
            return ctx.say("board-line", fields=fields, first=names[0], last=names[-1])
        case "ring":
            return ctx.say("board-ring", fields=fields, names=ctx.listed(names))
        case "none":
            return ctx.say("board-list", fields=fields, names=ctx.listed(names))
    return ctx.say("board-graph", fields=fields)


# ---- places


def places(ctx: BookContext) -> Section:
    """Which places have an order, what is hidden, and which numbers end or have bounds."""
    blocks: list[DocumentBlock] = []
    zones = ctx.rules.zones.values()
    if zones:
        plain = {c: None for zone in zones if not _of_place(ctx, zone) for c in zone.var.clauses}
        blocks.append(Paragraph(ctx.say("places-lead"), tuple(plain)))
        blocks += _listed_alike(ctx, [(zone, _of_place(ctx, zone)) for zone in zones])
    noted = [decl for decl in _state_vars(ctx.rules) if _is_used(ctx, decl.name)]
    if noted:
        secret = any(decl.seen_by != "all" for decl in noted)
        plain = {c: None for decl in noted if not _of_number(ctx, decl) for c in decl.var.clauses}
        lead = ctx.say("counted-open-unless" if secret else "counted-open")
        blocks.append(Paragraph(lead, tuple(plain)))
        blocks += _listed_alike(ctx, [(decl, _of_number(ctx, decl)) for decl in noted])
    blocks += [Paragraph(_history(ctx, x)) for x in ctx.rules.histories.values() if not x.is_scratch]
    return Section("places", ctx.say("chapter-places"), tuple(blocks))


def _listed_alike(ctx: BookContext, remarks: Sequence[tuple[r.Zone | Declared, str]]) -> list[DocumentBlock]:
    """Each remark with all of which it is true, in the order of the declarations; none for an empty one."""
    alike: dict[tuple[str, bool], list[r.Zone | Declared]] = {}
    for decl, remark in remarks:
        if remark:
            alike.setdefault((remark, isinstance(decl, r.Zone) and decl.var.of == "seat"), []).append(decl)
    steps = []
    for (remark, own), decls in alike.items():
        names = ctx.listed([_place_or_number(ctx, decl) for decl in decls])
        title = ctx.say("zone-of-each", player=ctx.lexicon.player.one, zone=names) if own else names
        clauses = tuple(dict.fromkeys(clause for decl in decls for clause in decl.var.clauses))
        steps.append(Step(f"{strong(capital(title))}: {remark}.", clauses))
    return [bullets(steps)] if steps else []


def _place_or_number(ctx: BookContext, decl: r.Zone | Declared) -> str:
    return ctx.lexicon.zone(decl.name) if isinstance(decl, r.Zone) else ctx.lexicon.title(decl.name)


def _history(ctx: BookContext, history: r.History) -> str:
    """What a history is, in a sentence."""
    parts = [ctx.say("whose-turn") if x == "active" else ctx.lexicon.label(x) for x in history.parts]
    label = ctx.lexicon.label(history.name)
    return ctx.say("history", label=label, parts=ctx.listed(parts))


def _of_place(ctx: BookContext, zone: r.Zone) -> str:
    """`shuffled; nobody sees it`; empty for an open place without order.

    Nothing is told of its size: rules that move a piece to a full place are wrong.
    """
    said = []
    if zone.order != "open":
        said.append(ctx.say(f"order-{zone.order}"))
    if zone.refill is not None:
        own = ctx.rules.zones[zone.refill].var.of == "seat"
        frame, label = "zone-refill-own" if own else "zone-refill", ctx.lexicon.label(zone.refill)
        said.append(ctx.say(frame, player=ctx.lexicon.player.one, zone=label))
    if zone.seen_by != "all":
        said.append(_seen(ctx, zone))
    return "; ".join(said)


def _seen(ctx: BookContext, zone: r.Zone) -> str:
    """Who sees what lies there, and who may not even count it."""
    seen = ctx.say(f"seen-{zone.seen_by}", player=ctx.lexicon.player.one)
    hidden = zone.seen_by not in ("count", "top") and zone.counted_by != "all"
    return f"{seen}; {ctx.say('not-counted')}" if hidden else seen


# ---- counters, pointers and marks


def _state_vars(rules: r.Rules) -> list[Declared]:
    declared: list[Declared] = [*rules.counters.values(), *rules.pointers.values(), *rules.marks.values()]
    return [decl for decl in declared if not decl.var.is_scratch]


def _is_used(ctx: BookContext, name: str) -> bool:
    """Whether players need to know of it, or a counter is gained from it."""
    return (name in ctx.usage.told and name not in ctx.scratch) or any(
        name == c.bank for c in ctx.rules.counters.values()
    )


def _of_number(ctx: BookContext, decl: Declared) -> str:
    """`until the end of each turn; only its player sees it`; empty if there is nothing to remember."""
    said = [*(_transfers(ctx, decl) if isinstance(decl, r.Counter) else ()), *_lifetime(ctx, decl.var)]
    if decl.seen_by != "all":
        said.append(ctx.say(f"seen-{decl.seen_by}", player=ctx.lexicon.player.one))
    return "; ".join(said)


def _range(ctx: BookContext, counter: r.Counter) -> str:
    if len(set(counter.ranges)) == 1:
        return _from_to(ctx, *counter.ranges[0])
    index = ctx.rules.types.get(counter.var.at or counter.var.of or "")
    if index is None:
        return ""
    pairs = ((ctx.lexicon.label(index.label(v)), counter.ranges[v - index.lo]) for v in index.members)
    return ", ".join(f"{name} {_from_to(ctx, *bounds)}" for name, bounds in pairs)


def _from_to(ctx: BookContext, lo: int, hi: int) -> str:
    if hi >= UNBOUNDED:
        if lo <= -UNBOUNDED:
            return ctx.say("unbounded-below")
        return ctx.say("any-number") if lo == 0 else ctx.say("or-more", low=lo)
    return ctx.say("range", low=lo, high=hi)


def _transfers(ctx: BookContext, counter: r.Counter) -> Iterator[str]:
    """How far a counter goes if that matters, where it is gained from, and what becomes of the rest."""
    if counter.lo < 0 or (counter.at_edge != "error" and counter.hi < UNBOUNDED):
        yield told(ctx, by_players(ctx, lambda rules: _range(ctx, rules.counters[counter.name])))
    if counter.bank is not None and counter.bank != "unlimited":
        yield ctx.say("from-bank", bank=ctx.lexicon.label(counter.bank))
        if counter.paid_anyway:
            yield ctx.say("paid-anyway")
    if counter.at_edge == "clamp" and counter.hi < UNBOUNDED:
        yield ctx.say("no-room-lost")


def _lifetime(ctx: BookContext, var: r.StateVar) -> list[str]:
    match var.lasts:
        case None:
            return []
        case "turn":
            return [ctx.say("until-turn")]
        case "own turn":
            return [ctx.say("until-own-turn", player=ctx.lexicon.player.one)]
        case "action":
            return [ctx.say("until-action")]
        case "round" if "round" not in ctx.rules.phases:
            return [ctx.say("until-round")]
    return [ctx.say("until-phase", phase=ctx.lexicon.label(var.lasts))]
