"""The form of a condition, if it has one that costs less than the loop. Nothing is emitted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from interpreter import ir
from interpreter.ir.visit import walk
from interpreter.wasm.emit.bit_boards import FEWEST
from interpreter.wasm.lower import const_eval, coverage
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import Range
from interpreter.wasm.sets.bounds import goes_along
from interpreter.wasm.sets.costs import operations, work
from interpreter.wasm.sets.forms import AskedSet, Form, NamedSet, RowSet, TruthSet, all_parts, names_of
from interpreter.wasm.sets.rows import Place, known_of_place, replaced
from interpreter.wasm.sets.tables import MOST_PAIRS, PLACE, Env, Unfit, known_of, known_of_word
from interpreter.wasm.sets.vectors import Vectors

FEWEST_OPERATIONS, MOST_OPERATIONS = 40, 4_000
"""Instructions of a set that is found by a form: where fewer are too many already, and the most."""
FEW_RELATED = 8
"""How many times as many values there are, about, as those that one place is related to."""
BOUND = PLACE + 2
"""The register of a place that is known only while a match is played."""
EARLY = 3
"""How many times as much it would be to ask all values all of a condition as to stop when it is settled."""


def form_of(fx: FunctionContext, e: ir.Expr, reg: int, r: Range) -> Form | None:
    """The form of a condition on a register, if it has one that is not too large."""
    if fx.one_by_one or coverage.notes(fx, e):
        return None
    free = sorted(fx.builder.free_registers(e) - {reg})
    known = tuple((i, *known_of(fx.regs.get(i))) for i in free)
    words = tuple(known_of_word(fx, slot) for slot in _words_read(fx, e))
    name = ("form", id(e), reg, r, known, words)
    if name not in fx.builder.relations:
        fx.builder.relations[name] = e, *_form_of(fx, e, reg, r)
    found: Form | None
    _, found, scalars = fx.builder.relations[name]
    if found is None or not (scalars or isinstance(found, NamedSet)):
        return found
    values = [fx.regs.get(i) for i in free] + [fx.slots.get(slot) for slot in _words_read(fx, e)]
    spans = tuple(None if v is None else (v.span, getattr(v, "least", None)) for v in values)
    seen = ("faults", id(found), fx.present, fx.routine, spans)
    if seen not in fx.builder.relations:
        fx.builder.relations[seen] = found, _may_fault(fx, names_of(found), scalars)
    return None if fx.builder.relations[seen][1] else found


def _words_read(fx: FunctionContext, e: ir.Expr) -> tuple[int, ...]:
    """The words of the frame that an expression reads."""
    name = ("words read", id(e))
    if name not in fx.builder.relations:
        slots = {x.slot for x in walk(e) if isinstance(x, ir.Local)}
        fx.builder.relations[name] = e, tuple(sorted(slots))
    found: tuple[int, ...] = fx.builder.relations[name][1]
    return found


def _may_fault(fx: FunctionContext, names: Sequence[NamedSet], scalars: Sequence[ir.Expr]) -> bool:
    """Whether one of some scalars may fault here, or depends on something that is not known here."""
    known = {*fx.regs, *(x.reg for x in names)}
    if any(not fx.builder.free_registers(x) <= known for x in (*scalars, *(x.value for x in names))):
        return True
    return bool(names or scalars) and fx.breaks_rules(partial(_dry_run, fx, names, scalars))


def _dry_run(fx: FunctionContext, names: Sequence[NamedSet], scalars: Sequence[ir.Expr]) -> None:
    """What nobody uses: to see what it takes to work it out."""
    if names:
        held = const_eval.operand(fx, names[0].value)
        with fx.reg(names[0].reg, held):
            _dry_run(fx, names[1:], scalars)
        fx.drop(held)
        return
    for scalar in scalars:
        fx.num(scalar)
        fx.b.drop()


def _form_of(fx: FunctionContext, e: ir.Expr, reg: int, r: Range) -> tuple[Form | None, tuple[ir.Expr, ...]]:
    """The form, and what must not fault where it is taken."""
    most = min(MOST_OPERATIONS, r.size * work(e) // EARLY)
    if most < FEWEST_OPERATIONS:
        return None, ()
    for vectors, made, share in _candidates(fx, e, reg, r):
        if made is not None:
            found = _with_names(vectors, made)
            if share * operations(found, r) <= most:
                return found, tuple(x for x in _scalars(fx, found) if not const_eval.plain(x))
    return None, ()


def _with_names(vectors: Vectors, form: Form) -> Form:
    """A form behind what is worked out once for it."""
    for name, value in reversed(vectors.names.values()):
        form = vectors.forms.named(name, value, form)
    return form


def _candidates(
    fx: FunctionContext, e: ir.Expr, reg: int, r: Range
) -> Iterator[tuple[Vectors, Form | None, int]]:
    """The forms that a condition may have, and which share of the loop's work they may take."""
    yield *_of_values(fx, e, reg, r), 1
    for place, among in _places(fx, e, reg, r):
        yield *_of_place(fx, e, reg, r, place, among), FEW_RELATED


def _of_values(fx: FunctionContext, e: ir.Expr, reg: int, r: Range) -> tuple[Vectors, Form | None]:
    """The form of a condition by its parts."""
    vectors = Vectors(fx, r)
    try:
        return vectors, vectors.condition(e, Env({reg: tuple(range(r.lo, r.lo + r.size))}), r.all)
    except Unfit:
        return vectors, None


def _places(fx: FunctionContext, e: ir.Expr, reg: int, r: Range) -> Iterator[tuple[Place, Range]]:
    """What is known only while a match is played, and is one of not too many places."""
    if goes_along(e):
        return
    places: list[Place] = [ir.Reg(i) for i in sorted(fx.builder.free_registers(e) - {reg})]
    places += [ir.Local(slot) for slot in _words_read(fx, e)]
    for place in places:
        value, span = known_of_place(fx, place)
        if value is None and span is not None:
            among = Range(span[0], span[1] - span[0] + 1)
            if among.size >= FEWEST and among.size * r.size <= MOST_PAIRS:
                yield place, among


def _of_place(
    fx: FunctionContext, e: ir.Expr, reg: int, r: Range, place: Place, among: Range
) -> tuple[Vectors, Form | None]:
    """The form of a condition on the values and one place: moved from there by what relates them."""
    values = tuple(range(among.lo, among.lo + among.size))
    where = ir.Op("and", ir.Op("==", ir.Reg(BOUND), place), replaced(e, place, ir.Reg(BOUND)))
    vectors = Vectors(fx, r)
    try:
        return vectors, vectors.join(
            BOUND, values, where, Env({reg: tuple(range(r.lo, r.lo + r.size))}), r.all
        )
    except Unfit:
        return vectors, None


def _scalars(fx: FunctionContext, form: Form) -> Iterable[ir.Expr]:
    """What is worked out for a form once, and might fault where it is not asked by the rules."""
    found = dict[int, ir.Expr]()
    for part in all_parts(form):
        match part:
            case TruthSet(condition=condition):
                found[id(condition)] = condition
            case RowSet(number=number) if number is not None:
                found[id(number)] = number
            case AskedSet(condition=ir.Contains(source=source)):
                found[id(source)] = ir.Size(source)
            case AskedSet(condition=ir.Op(left=left, right=right)):
                found |= {id(x): x for x in (left, right) if not fx.reads(x, PLACE)}
                for address in (x.address for x in (left, right) if isinstance(x, ir.Load)):
                    terms = tuple(t for t in address.terms if not fx.reads(t.index, PLACE))
                    found |= {id(t): ir.Spot(ir.Address(address.base, (t,))) for t in terms}
            case _:
                pass
    return found.values()
