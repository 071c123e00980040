"""Which constructs a `game.yaml` uses, read off its declarations."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.declare.nodes import is_range
from dsl.declare.state_vars import LIFETIMES
from dsl.document import Mapping, Node, Scalar, Sequence
from dsl.folder import Folder


def declared(game: Mapping, folder: Folder) -> Iterator[str]:
    """The constructs of `game.yaml`."""
    yield from (
        f"`{key}`"
        for key in ("clauses", "labels", "look", "longest", "absent", "allow", "small")
        if game.get(key)
    )
    if isinstance(game.get("labels"), Mapping):
        yield "`labels` in several languages"
    yield from _clauses(game)
    seats = _pairs(game.get("seats")).get("count") or game.get("seats")
    if ".." in _text(seats):
        yield "`seats` in a range"
    for section, read_one in SECTIONS.items():
        for node in _pairs(game.get(section)).values():
            yield from read_one(_pairs(node) if isinstance(node, Mapping) else {"": node})
            yield from _rows(_pairs(node), folder)
    phases = _pairs(game.get("flow"))
    for phase in phases.values():
        yield from _phase(_pairs(phase))
    yield from _lifetimes(game)
    for preset in _pairs(game.get("small")).values():
        for component in _pairs(_pairs(preset).get("components")).values():
            if "keep" in _pairs(component):
                yield "`keep`"


def _pairs(node: Node | None) -> dict[str, Node]:
    return {key.text: value for key, value in node.pairs} if isinstance(node, Mapping) else {}


def _text(node: Node | None) -> str:
    return node.text if isinstance(node, Scalar) else ""


def _clauses(game: Mapping) -> Iterator[str]:
    nested = [node for key, node in game.pairs if key.text != "clauses"]
    while nested:
        node = nested.pop()
        if isinstance(node, Mapping):
            if node.get("clause") is not None:
                yield "`clause` at a declaration"
            nested += [value for _, value in node.pairs]
        elif isinstance(node, Sequence):
            nested += node.items


def _lifetimes(game: Mapping) -> Iterator[str]:
    for section in ("counters", "marks", "pointers"):
        for node in _pairs(game.get(section)).values():
            lasts = _text(_pairs(node).get("lasts"))
            if lasts:
                yield f"`lasts: {lasts}`" if lasts in LIFETIMES else "`lasts` with a phase"


def _constant(found: dict[str, Node]) -> Iterator[str]:
    yield "a constant with `by_seats`" if "by_seats" in found else "a constant"


def _option(found: dict[str, Node]) -> Iterator[str]:
    form = next((f"with `{key}`" for key in ("range", "values") if key in found), "on or off")
    yield f"an option {form}"


def _ruling(found: dict[str, Node]) -> Iterator[str]:
    yield "`rulings`"


def _type(found: dict[str, Node]) -> Iterator[str]:
    plain = found.get("") or found.get("values")
    if plain is not None:
        yield "a type that is a list" if isinstance(plain, Sequence) else "a type that is a range"
    yield from (f"a type with `{key}`" for key in ("table", "rows") if key in found)
    if "without" in found:
        yield "`without`"


def _rows(found: dict[str, Node], folder: Folder) -> Iterator[str]:
    """What a declaration with columns says of them, and whether its rows cite clauses."""
    columns = _pairs(found.get("columns"))
    yield from (_column(node) for node in columns.values())
    yield from ("a column `or none`" for node in columns.values() if _text(node).endswith(" or none"))
    texts = [_text(found.get(key)) for key in ("table", "line", "ring", "graph")]
    heads = [folder.source(text).line(1).split(",") for text in texts if text.endswith(".csv")]
    inline = [key for row in _pairs(found.get("rows")).values() for key in _pairs(row)] if columns else []
    if "clause" not in columns and any("clause" in head for head in (*heads, inline)):
        yield "a column `clause`"


def _column(node: Node) -> str:
    if isinstance(node, Mapping):
        return "a column `each`"
    if isinstance(node, Sequence):
        return "a column with its own list"
    text = _text(node).removesuffix(" or none")
    if text in ("flag", "effect"):
        return f"a column `{text}`"
    return "a column of numbers" if is_range(text) else "a column of a type"


def _board(found: dict[str, Node]) -> Iterator[str]:
    shape = next(key for key in ("line", "ring", "grid", "hex", "graph") if key in found)
    yield f"`{shape}`"
    if "links" in found and shape != "graph":
        yield "`links` beside another shape"
    if "columns" in found:
        yield "a board of rows, with columns"
    if "part_of" in found:
        yield "`part_of`"
    if "neighbours" in found:
        yield "`neighbours: all`"
    yield from _directions(found.get("directions"))
    if "drawn" in found:
        yield "`drawn: whole`" if isinstance(found["drawn"], Scalar) else "`drawn` in rows"


def _directions(node: Node | None) -> Iterator[str]:
    if isinstance(node, Scalar):
        yield "`directions` by one name"
    for value in _pairs(node).values():
        yield "`directions` with steps" if isinstance(value, Mapping) else "chosen `directions`"


def _component(found: dict[str, Node]) -> Iterator[str]:
    kind = next((key for key in ("table", "rows", "kinds", "die") if key in found), "")
    form = f"a component with `{kind}`" if kind in ("table", "rows") else f"`{kind}`"
    yield form if kind else "`count` alone"
    if "copies" in found:
        yield "`copies` by a column" if isinstance(found["copies"], Scalar) else "`copies` by kind"
    if "of" in found:
        yield "a component `of: seat`"


def _zone(found: dict[str, Node]) -> Iterator[str]:
    if "of" in found:
        yield "a zone `of: seat`" if _text(found["of"]) == "seat" else "a zone `of` something else"
    if "at" in found:
        yield "a zone `at`"
    yield from (f"`{key}`" for key in ("size", "counted_by", "when_empty") if key in found)
    if "drawn" in found:
        yield "`drawn: rows` of a zone"
    spoken = ("order", "shows", "seen_by", "start", "shared")
    said = ((key, _text(found.get(key))) for key in spoken)
    yield from (f"`{key}: {text}`" for key, text in said if text not in ("", "open", "face"))


def _counter(found: dict[str, Node]) -> Iterator[str]:
    yield from _store(found, "a counter")
    if not found.keys() & {"of", "at"}:
        yield "a counter of all"
    if isinstance(found.get("range"), Mapping):
        yield "a `range` for each value"
    if "start" in found:
        yield "a `start` for each value" if isinstance(found["start"], Mapping) else "`start` of a counter"
    if "bank" in found:
        yield "`bank`"
    yield from (
        f"`{key}: {_text(found[key])}`"
        for key in ("short", "at_edge")
        if key in found and _text(found[key]) != "error"
    )


def _mark(found: dict[str, Node]) -> Iterator[str]:
    yield "a mark"
    yield from _store(found, "a mark")


def _pointer(found: dict[str, Node]) -> Iterator[str]:
    yield "a pointer"
    yield from _store(found, "a pointer")
    if "start" in found:
        yield "`start` of a pointer"


def _store(found: dict[str, Node], what: str) -> Iterator[str]:
    yield from (f"{what} `{key}`" for key in ("of", "at") if key in found)
    if "shared" in found:
        yield f"`shared: {_text(found['shared'])}`"


def _table(found: dict[str, Node]) -> Iterator[str]:
    yield "a table over several" if isinstance(found["over"], Sequence) else "a table over one thing"
    gives = _text(found["gives"]).removesuffix(" or none")
    yield (
        "`gives` numbers" if is_range(gives) else "`gives: effect`" if gives == "effect" else "`gives` a type"
    )
    if "order" in found:
        yield "`order` of a table"


SECTIONS = {
    "constants": _constant,
    "options": _option,
    "rulings": _ruling,
    "types": _type,
    "boards": _board,
    "components": _component,
    "zones": _zone,
    "counters": _counter,
    "marks": _mark,
    "pointers": _pointer,
    "tables": _table,
}
"""What is said in one declaration of each section of `game.yaml`, key by key."""


# ---- flow


def _phase(found: dict[str, Node]) -> Iterator[str]:
    if "score" in found:
        yield f"`score: {_text(found['score'])}`"
    elif "seat" in found:
        yield "`seat: rotates`"
    else:
        yield "a phase without a turn"
    if isinstance(found.get("then"), Mapping):
        yield "`then` with conditions"
    steps = found.get("do")
    for step in steps.items if isinstance(steps, Sequence) else ():
        yield from _step(step)


def _step(node: Node) -> Iterator[str]:
    if isinstance(node, Scalar):
        yield "a step that is a procedure"
    for key, value in _pairs(node).items():
        if key.startswith("each"):
            yield f"`{'each seat in turn by' if ' by ' in key else 'each seat in turn'}` in the flow"
            for step in value.items if isinstance(value, Sequence) else ():
                yield from _step(step)
        elif key in ("with", "named"):
            yield f"`{key}`"
        elif key != "clause":
            yield f"`{key}` in the flow"
