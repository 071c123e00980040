"""Which constructs a `game.yaml` uses, read off its declarations."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dsl.declare.arithmetic import NUMBERS
from dsl.declare.nodes import is_range
from dsl.declare.state_vars import LIFETIMES
from dsl.document import Mapping, Node, Scalar, Sequence
from dsl.folder import Folder
from dsl.numbers import whole


def declared(game: Mapping, folder: Folder) -> Iterator[str]:
    """The constructs of `game.yaml`."""
    yield from (
        f"`{key}`"
        for key in (
            *(
                "overlay",
                "removes",
                "teams",
                "clauses",
                "labels",
                "look",
                "about",
                "longest",
                "absent",
                "allow",
                "carries",
            ),
            *("provenance", "small"),
        )
        if game.get(key)
    )
    for key in ("labels", "clauses"):
        if isinstance(game.get(key), Mapping):
            yield f"`{key}` in several languages"
    yield from _clauses(game)
    seats = _pairs(game.get("seats")).get("count") or game.get("seats")
    if ".." in _text(seats):
        yield "`seats` in a range"
    if isinstance(seats, Sequence):
        yield "`seats` in a list"
    if any(_computed(_pairs(game.get(section)), section) for section in ("constants", *NUMBERS)):
        yield "arithmetic with constants"
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


def _computed(found: dict[str, Node], section: str) -> bool:
    """Whether a section has a number or range that is computed, or only named."""
    if section == "constants":
        texts = [_text(node) for node in found.values()]
        return any(text and whole(text) is None for text in texts)
    keys = [key for key in NUMBERS[section] if key in ("range", "size", "count", "grid", "hex")]
    written = [_pairs(node).get(key) for node in found.values() for key in keys]
    items = [item for node in written for item in (node.items if isinstance(node, Sequence) else (node,))]
    return any(re.search("[A-Za-z]", _text(item)) for item in items)


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
    known = set(LIFETIMES) - ({"round"} & _pairs(game.get("flow")).keys())
    for section in ("counters", "marks", "pointers"):
        for node in _pairs(game.get(section)).values():
            lasts = _text(_pairs(node).get("lasts"))
            if lasts:
                yield f"`lasts: {lasts}`" if lasts in known else "`lasts` with a phase"


def _constant(found: dict[str, Node]) -> Iterator[str]:
    yield "a constant with `by_seats`" if "by_seats" in found else "a constant"


def _option(found: dict[str, Node]) -> Iterator[str]:
    form = next((f"with `{key}`" for key in ("range", "size", "values") if key in found), "on or off")
    yield f"an option {form}"


def _ruling(found: dict[str, Node]) -> Iterator[str]:
    yield "`rulings`"


def _type(found: dict[str, Node]) -> Iterator[str]:
    plain = found.get("") or found.get("values")
    if plain is not None:
        yield "a type that is a list" if isinstance(plain, Sequence) else "a type that is a range"
    yield from (f"a type with `{key}`" for key in ("table", "rows") if key in found)
    if "product" in found:
        yield "a type that is a product"
    if "order" in found:
        yield "`order: rising` of a type"
    if "without" in found:
        yield "`without`"


OF_HEADERS = {"names": "`names` of a table", "headers": "`headers`", "ignored": "`ignored`"}
"""What is said of the header of a table, by its key."""


def _rows(found: dict[str, Node], folder: Folder) -> Iterator[str]:
    """What a declaration with columns says of them, and whether its rows cite clauses."""
    columns = _pairs(found.get("columns"))
    yield from (_column(node) for node in columns.values())
    yield from ("a column `or none`" for node in columns.values() if _text(node).endswith(" or none"))
    yield from (row for key, row in OF_HEADERS.items() if key in found)
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
    if text.split()[:1] in (["text"], ["label"], ["help"]):
        return "a column `text`"
    if text in ("flag", "effect"):
        return f"a column `{text}`"
    return "a column of numbers" if is_range(text) else "a column of a type"


def _board(found: dict[str, Node]) -> Iterator[str]:
    shape = next(
        key for key in ("line", "ring", "grid", "hex", "graph", "edges_of", "values") if key in found
    )
    yield {"values": "`part_of` with `values`", "edges_of": "`edges_of` with `ends`"}.get(shape, f"`{shape}`")
    yield from (f"`{key}` of a board" for key in ("corners", "edges") if key in found)
    if isinstance(found[shape], Mapping):
        yield "a `hex` of another shape"
    if "without" in found:
        yield "places that are left out"
    if "borders" in found:
        yield "`borders`"
    if _text(found.get("links")).endswith(".csv"):
        yield "`links` from a file"
    if "links" in found and shape != "graph":
        yield "`links` beside another shape"
    if "columns" in found:
        of_places = "table" in found or "rows" in found
        yield "columns of listed places" if of_places else "a board of rows, with columns"
    if "part_of" in found and shape != "values":
        yield "`part_of`"
    if "neighbours" in found:
        yield "`neighbours: all`"
    yield from _directions(found.get("directions"))
    if "drawn" in found:
        whole = _text(found["drawn"]) == "whole"
        yield "`drawn: whole`" if whole else "`drawn` in rows"
        if not whole and isinstance(found["drawn"], Scalar):
            yield "`drawn` from a file"


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
    if isinstance(found.get("at"), Mapping | Sequence):
        yield "several indices"
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
    if isinstance(found.get("at"), Mapping | Sequence):
        yield "several indices"
    if "seen_by" in found:
        yield "a value `seen_by` some"
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
    if "table" in found:
        yield "a table from a file"


def _history(found: dict[str, Node]) -> Iterator[str]:
    yield "a history"


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
    "histories": _history,
}
"""What is said in one declaration of each section of `game.yaml`, key by key."""


# ---- flow


def _phase(found: dict[str, Node]) -> Iterator[str]:
    if "score" in found:
        chosen = isinstance(found["score"], Mapping)
        yield "`score` with its lines" if chosen else f"`score: {_text(found['score'])}`"
    elif "seat" in found:
        yield "`seat: rotates`" if isinstance(found["seat"], Scalar) else "`seat` with `first` and `next`"
    else:
        yield "a phase without a turn"
    if isinstance(found.get("then"), Mapping):
        yield "`then` with conditions"
        if not all(re.fullmatch(r"\w+", case) for case in _pairs(found["then"])):
            yield "`then` with an expression"
    yield from _steps(found.get("do"))


def _steps(node: Node | None) -> Iterator[str]:
    for step in node.items if isinstance(node, Sequence) else ():
        yield from _step(step)


def _step(node: Node) -> Iterator[str]:
    if isinstance(node, Scalar):
        yield "a step that is a procedure"
    for key, value in _pairs(node).items():
        if key.startswith("each"):
            parts = [part for part in ("from", "by", "where") if f" {part} " in key]
            for part in parts or [""]:
                yield f"`each seat in turn{f' {part}' if part else ''}` in the flow"
            yield from _steps(value)
        elif key == "otherwise":
            yield "`otherwise` at an offer" if "do" not in _pairs(node) else "`if` with `do` and `otherwise`"
            yield from _steps(value)
        elif key == "do":
            yield from _steps(value)
        elif key == "if":
            yield "`if` at a step"
        elif key == "at most":
            yield "`at most` at a step"
        elif key in ("with", "named"):
            yield f"`{key}`"
        elif key != "clause":
            yield f"`{key}` in the flow"
