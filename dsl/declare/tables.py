"""Constants, options, rulings, look-up tables and the clauses of the rulebook."""

from __future__ import annotations

from dsl.declare.kinds import cell_value, value_of
from dsl.declare.world import World, interval, is_range, keys, mapping, needed, number, word, words
from dsl.diagnostics import Failed
from dsl.document import Mapping, Node, Scalar, Sequence
from dsl.domains import FLAG, NONE, Cell, Elem, Int, Type
from dsl.messages import RowTwice, TableNotTotal, WrongShape
from dsl.rules import Clause, Constant, Option, Table, TypeDecl


def declare_constant(world: World, name: Scalar, node: Node) -> None:
    """`circle: 16`, or `{by_seats: {2: 11, 3: 16}}`."""
    world.declare(name.text, "a constant", name.span)
    low, high = world.seats
    if isinstance(node, Scalar):
        value = number(node, f"constant `{name.text}`")
        world.constants[name.text] = Constant(
            name.text, dict.fromkeys(range(low, high + 1), value), name.span
        )
        return
    found = keys(world, node, f"constant `{name.text}`", ("by_seats", "clause"))
    world.clause_marks(found.get("clause"))
    table = mapping(needed(found, "by_seats", f"constant `{name.text}`"), "`by_seats`")
    values = {number(k, "a number of seats"): number(v, "a number") for k, v in table.pairs}
    missing = [n for n in range(low, high + 1) if n not in values]
    if missing:
        raise Failed(TableNotTotal(table.span, name.text, f"{missing[0]} seats"))
    world.constants[name.text] = Constant(name.text, values, name.span)


def declare_option(world: World, name: Scalar, node: Node) -> None:
    """`{default: false}`, `{range: 1..36, default: 36}` or `{values: [a, b], default: a}`."""
    where = f"option `{name.text}`"
    found = keys(world, node, where, ("range", "values", "default", "clause"))
    world.declare(name.text, "an option", name.span)
    marks = world.clause_marks(found.get("clause"))
    default = word(needed(found, "default", where), "`default`")
    if found.get("range") is not None:
        low, high = interval(found.get("range"), "`range`")
        value = number(default, "`default`")
        if not low <= value <= high:
            raise Failed(WrongShape(default.span, "`default`", f"within {low}..{high}"))
        world.options[name.text] = Option(name.text, Int(low, high), (), value, name.span, marks)
        return
    given = found.get("values")
    if given is not None:
        values = tuple(s.text for s in words(given, "`values`"))
        world.options[name.text] = _choice(world, name, values, default, marks, {}, "")
        return
    if default.text not in ("true", "false"):
        raise Failed(WrongShape(default.span, "`default`", "`true` or `false`",
                                "or give `values` or a `range`"))  # fmt: skip
    world.options[name.text] = Option(name.text, FLAG, ("false", "true"), int(default.text == "true"),
                                      name.span, marks)  # fmt: skip


def _choice(world: World, name: Scalar, values: tuple[str, ...], default: Scalar, marks: tuple[str, ...],
            readings: dict[str, str], why: str) -> Option:  # fmt: skip
    hidden = f"{name.text}'s reading"
    decl = TypeDecl(hidden, 0, values, False, tuple(range(len(values))), {}, name.span)
    world.types[hidden] = decl
    return Option(name.text, Elem(hidden), values, value_of(decl, default), name.span, marks, readings, why)


def declare_ruling(world: World, name: Scalar, node: Node) -> None:
    where = f"ruling `{name.text}`"
    found = keys(world, node, where, ("clause", "readings", "chosen", "why"))
    world.declare(name.text, "a ruling", name.span)
    readings = {key.text: word(value, "a reading").text
                for key, value in mapping(needed(found, "readings", where), "`readings`").pairs}  # fmt: skip
    chosen = word(needed(found, "chosen", where), "`chosen`")
    why = word(needed(found, "why", where), "`why`").text
    marks = world.clause_marks(found.get("clause"))
    world.options[name.text] = _choice(world, name, tuple(readings), chosen, marks, readings, why)


# ---- look-up tables


def declare_table(world: World, name: Scalar, node: Node) -> None:
    where = f"table `{name.text}`"
    found = keys(world, node, where, ("over", "gives", "rows", "clause"))
    world.declare(name.text, "a table", name.span)
    over = needed(found, "over", where)
    nodes = words(over, "`over`") if isinstance(over, Sequence) else (word(over, "`over`"),)
    domains = [_domain(world, n) for n in nodes]
    gives, decl = _result(world, word(needed(found, "gives", where), "`gives`"))
    values = _rows(world, name, needed(found, "rows", where), domains, gives, decl)
    world.tables[name.text] = Table(
        name.text, tuple((lo, hi) for lo, hi, _, _ in domains), tuple(t for _, _, t, _ in domains), gives,
        tuple(values), name.span, world.clause_marks(found.get("clause")),
    )  # fmt: skip


Domain = tuple[int, int, Type, TypeDecl | None]


def _domain(world: World, node: Scalar) -> Domain:
    if is_range(node.text):
        low, high = interval(node, "`over`")
        return low, high, Int(low, high), None
    decl = world.type_named(node)
    return decl.lo, decl.hi, Elem(decl.name), decl


def _result(world: World, node: Scalar) -> tuple[Type, TypeDecl | None]:
    if is_range(node.text):
        return Int(*interval(node, "`gives`")), None
    optional = node.text.endswith(" or none")
    text = node.text.removesuffix(" or none").strip()
    if text == "effect":
        return Cell(optional), None
    decl = world.type_named(Scalar(text, node.span))
    return Elem(decl.name, optional), decl


def _rows(world: World, name: Scalar, node: Node, domains: list[Domain], gives: Type,
          decl: TypeDecl | None) -> list[int]:  # fmt: skip
    lo, hi, _, row_decl = domains[0]
    rest = domains[1:]
    parts: dict[int, list[int]] = {}
    if isinstance(node, Sequence):
        node = Mapping(
            tuple((Scalar(str(lo + i), item.span), item) for i, item in enumerate(node.items)),
            node.span,
        )
    for key, value in mapping(node, f"the rows of `{name.text}`").pairs:
        cells = _rows(world, name, value, rest, gives, decl) if rest else [
            _cell(world, name, word(value, "a cell"), gives, decl)
        ]  # fmt: skip
        for at in _keys(key, lo, hi, row_decl):
            if at in parts:
                raise Failed(RowTwice(key.span, name.text, key.text))
            parts[at] = cells
    missing = [v for v in range(lo, hi + 1) if v not in parts]
    if missing:
        shown = row_decl.label(missing[0]) if row_decl else str(missing[0])
        raise Failed(TableNotTotal(node.span, name.text, f"`{shown}`"))
    return [cell for v in range(lo, hi + 1) for cell in parts[v]]


def _keys(key: Scalar, lo: int, hi: int, decl: TypeDecl | None) -> range:
    if decl is not None:
        value = value_of(decl, key)
        return range(value, value + 1)
    low, high = interval(key, "a key")
    if low < lo or high > hi:
        raise Failed(WrongShape(key.span, f"the key `{key.text}`", f"within {lo}..{hi}"))
    return range(low, high + 1)


def _cell(world: World, name: Scalar, node: Scalar, gives: Type, decl: TypeDecl | None) -> int:
    match gives:
        case Int(lo, hi):
            value = number(node, f"a cell of `{name.text}`")
            if not lo <= value <= hi:
                raise Failed(WrongShape(node.span, f"a cell of `{name.text}`", f"within {lo}..{hi}"))
            return value
        case Cell(optional):
            return cell_value(world, (node.text, node.span), name.text, optional)
        case Elem(_, optional) if decl is not None:
            return NONE if optional and node.text == "none" else value_of(decl, node)
    raise Failed(WrongShape(node.span, "a cell", str(gives)))


# ---- the rulebook's clauses


def read_clauses(world: World, node: Node) -> dict[str, Clause]:
    found = keys(world, node, "the rulebook file", ("rulebook", "clauses"))
    clauses: dict[str, Clause] = {}
    for key, value in mapping(needed(found, "clauses", "the rulebook file"), "`clauses`").pairs:
        entry = mapping(value, f"clause `{key.text}`")

        def text(name: str, entry: Mapping = entry) -> str:
            item = entry.get(name)
            return word(item, f"`{name}`").text if item is not None else ""

        clauses[key.text] = Clause(key.text, text("kind") or "rule", text("heading"), text("says"), key.span)
    return clauses
