"""Conditions as clauses: each kind is a frame, and another one where it is denied."""

from __future__ import annotations

from dsl import rules as r
from dsl.domains import NONE, SEAT, EnumType, FlagType, IntType
from dsl.operators import MIRRORED, NEGATED, Comparison
from dsl.rules.needs import operands
from rulewright.sentences.context import BookContext
from rulewright.sentences.expressions import column_template
from rulewright.sentences.framed.groups import (
    NominalGroup,
    bound,
    fillers,
    group,
    index,
    narrowed,
    pieces_at,
    said_if,
    titled,
)
from rulewright.sentences.framed.nominals import CLOSE, MARK, Nominal
from rulewright.sentences.framed.values import (
    all_alike,
    column_fillers,
    column_noun,
    in_place,
    is_in_place,
    stored,
    unit,
)
from rulewright.sentences.framed.words import (
    clause_of,
    marked,
    name_of,
    nominal,
    put_in,
    type_noun,
    var_noun,
    worded,
)
from rulewright.sentences.syntax import Node

ORDER: dict[Comparison, str] = {"<": "less", ">": "more", "<=": "at-most", ">=": "at-least"}


def clauses(ctx: BookContext, node: r.Expr, positive: bool, among: bool) -> list[Node]:
    """The clauses of a conjunction, or one clause."""
    node = ctx.folding.expr(node)
    match node:
        case r.Both(op=op, left=left, right=right) if (op == "and") is positive:
            return [*ctx.clauses(left, positive, True), *ctx.clauses(right, positive, True)]
        case r.Both():
            return [_either(ctx, node, positive)]
        case r.Neg(operand=operand):
            return ctx.clauses(operand, not positive, among)
        case r.UseValue():
            return _value(ctx, node, positive)
    return [_clause(ctx, node, positive).rstrip(",")]


def _not(frame: str, positive: bool) -> str:
    return frame if positive else f"{frame}-not"


def _either(ctx: BookContext, node: r.Both, positive: bool) -> str:
    parts = [said_if(ctx, part, positive) for part in operands(node, node.op)]
    return ctx.say("one-of-these", things=f", {ctx.say('or-again')} ".join(parts))


def _clause(ctx: BookContext, node: r.Expr, positive: bool) -> str:
    match node:
        case r.Const(value=value):
            return ctx.say("always-so" if bool(value) is positive else "never-so")
        case r.Cmp():
            return _compared(ctx, node, positive)
        case r.Empty(collection=collection):
            found = group(ctx, collection)
            return found.empty() if positive else found.exists()
        case r.AnyOf():
            found = bound(ctx, node.binder)
            return found.exists() if positive else found.empty()
        case r.FoldOf():
            return _every(ctx, node, positive)
        case r.ReadStateVar(kind="mark"):
            return mark(ctx, node, positive)
        case r.ColumnOf():
            owner = worded(ctx, node.owner)
            template = column_template(ctx, node)
            assert isinstance(owner, Nominal)
            if template is not None:
                return clause_of(ctx, template, column_fillers(ctx, node, owner), positive)
            return ctx.say(_not("has-it", positive), it=owner, thing=column_noun(ctx, node).one)
        case r.Cond(condition=asked, then=then, otherwise=otherwise):
            return ctx.say(
                "if-so",
                clause=said_if(ctx, asked),
                then=said_if(ctx, then, positive),
                otherwise=said_if(ctx, otherwise, positive),
            )
        case r.IsIn():
            return _is_in(ctx, node, positive)
        case r.CanDo(target=r.DoCell(cell=cell)):
            return ctx.say(_not("can-be-done", positive), it=worded(ctx, cell))
        case r.CanDo(target=r.DoRoutine(routine=routine)):
            title = ctx.lexicon.heading(routine, ctx.rules.routines[routine].clauses)
            return ctx.say(_not("can-be-done", positive), it=f"„{title}”")
        case r.Read(var=var):
            return flag(ctx, var, positive)
        case r.Setting(name=name):
            return ctx.say(_not("is-on", positive), it=f"„{ctx.lexicon.label(name)}”")
    return ctx.say(_not("holds", positive), it=worded(ctx, node))


def flag(ctx: BookContext, var: r.Var, positive: bool) -> str:
    """A local that is true or not: by the phrase of the author, or its name."""
    template = ctx.lexicon.template(var.name)
    if template is not None:
        return clause_of(ctx, template, {}, positive)
    return ctx.say(_not("holds", positive), it=f"„{var_noun(ctx, var).one}”")


def mark(ctx: BookContext, node: r.ReadStateVar | r.Write, positive: bool) -> str:
    """That a mark is there: by the phrase of the author, or its label."""
    decl = ctx.rules.marks[node.name]
    of, at = index(ctx, node.of, decl.var.of), index(ctx, node.at, decl.var.at)
    template = ctx.lexicon.template(node.name)
    if template is not None:
        return clause_of(ctx, template, fillers(decl.var, of, at), positive)
    word = ctx.lexicon.labels.get(node.name) or titled(ctx, node.name, decl.var.clauses).one
    things = [x for x in (of, at) if str(x)]
    if not things:
        return ctx.say(_not("holds", positive), it=f"„{word.strip('„”')}”")
    return ctx.say(_not("is-marked", positive), it=things[-1], word=word)


# ---- comparisons


def _compared(ctx: BookContext, node: r.Cmp, positive: bool) -> str:
    left, right = node.left, node.right
    op: Comparison = node.op
    if isinstance(left, r.Const) and not isinstance(right, r.Const):
        left, right, op = right, left, MIRRORED[op]
    op = op if positive else NEGATED[op]
    left, right = ctx.folding.expr(left), ctx.folding.expr(right)
    if op in ("is", "is not"):
        return _same(ctx, left, right, op == "is")
    counted = _counted(ctx, left, op, right)
    if counted:
        return counted
    return ctx.say(ORDER[op], left=worded(ctx, left), right=worded(ctx, right))


def _counted(ctx: BookContext, left: r.Expr, op: Comparison, right: r.Expr) -> str:
    """How many there are of things, or somebody has of what a counter counts; empty for other numbers."""
    if not isinstance(right, r.Const):
        return ""
    number = right.value
    match left:
        case r.AnyOf(kind="count", binder=binder):
            return _numbered(ctx, bound(ctx, binder), op, number)
        case r.SizeOf(collection=collection):
            return _numbered(ctx, group(ctx, collection), op, number)
        case r.ReadStateVar(kind="counter", name=name) if (
            ctx.rules.counters[name].var.of == "seat"
            and ctx.lexicon.template(name) is None
            and left.at is None
        ):
            owner = index(ctx, left.of, "seat")
            if isinstance(owner, Nominal):
                return _numbered(ctx, NominalGroup(ctx, unit(ctx, name), owner=owner), op, number)
    return ""


def _numbered(ctx: BookContext, things: NominalGroup, op: Comparison, number: int) -> str:
    if (op, number) in (("is", 0), ("<", 1), ("<=", 0)):
        return things.empty()
    if (op, number) in (("is not", 0), (">", 0), (">=", 1)):
        return things.exists()
    least = {">": number + 1, ">=": number}.get(op)
    if least is not None:
        return things.there(ctx.say("so-many-at-least", number=str(least)))
    if op in ("<", "<="):
        return things.there(ctx.say("so-many-at-most", number=str(number - (op == "<"))))
    frame = "so-many-exactly" if op == "is" else "so-many-not"
    return things.there(ctx.say(frame, number=str(number)))


def _same(ctx: BookContext, left: r.Expr, right: r.Expr, positive: bool) -> str:
    if isinstance(right, r.ReadStateVar) and right.kind == "pointer" and not isinstance(left, r.ReadStateVar):
        left, right = right, left
    if isinstance(left.type, FlagType) and isinstance(right.type, FlagType):
        return ctx.say("exactly-if", left=said_if(ctx, left), right=said_if(ctx, right, positive))
    match left, right:
        case _, r.Const(value=value) if value == NONE:
            return _none(ctx, left, positive)
        case r.ColumnOf(), r.Const() if (template := column_template(ctx, left)) and template.compares:
            owner = worded(ctx, left.owner)
            assert isinstance(owner, Nominal)
            said = {**column_fillers(ctx, left, owner), "value": worded(ctx, right)}
            return clause_of(ctx, template, said, positive)
        case ((r.AnyOf() | r.SizeOf() | r.ReadStateVar(kind="counter")), r.Const()):
            if said_ := _counted(ctx, left, "is" if positive else "is not", right):
                return said_
        case r.Special(what="seats_playing"), r.Const(value=number):
            return ctx.say(_not("so-many-play", positive), number=number)
        case r.ClassOf(type=kind, piece=piece), _ if _is_shown(kind):
            return ctx.say(_not("shows", positive), it=worded(ctx, piece), value=worded(ctx, right))
        case r.ClassOf(type=kind, piece=piece), r.Const() if kind != SEAT:
            return ctx.say(_not("is", positive), left=worded(ctx, piece), right=worded(ctx, right))
    if left.type == SEAT:
        return _same_seat(ctx, left, right, positive)
    match left, right:
        case r.FoldOf(kind="distinct"), r.Const(value=1) if positive:
            return all_alike(ctx, left)
    if isinstance(left, r.Arith) and left.op == "mod" and isinstance(right, r.Const) and right.value == 0:
        return ctx.say(_not("multiple", positive), left=worded(ctx, left.left), right=worded(ctx, left.right))
    frame = "is" if isinstance(right, r.Const) else "is-same"
    other = worded(ctx, right)
    if isinstance(left.type, IntType) or (isinstance(other, Nominal) and other.you):
        frame = "equals"
    return ctx.say(_not(frame, positive), left=worded(ctx, left), right=worded(ctx, right))


def _is_shown(kind: object) -> bool:
    """Whether a die or a piece shows what it is: a face, and not a row of a table or an owner."""
    return isinstance(kind, IntType) or (
        isinstance(kind, EnumType) and kind != SEAT and not kind.type.endswith(" row")
    )


def _same_seat(ctx: BookContext, left: r.Expr, right: r.Expr, positive: bool) -> str:
    for a, b in ((left, right), (right, left)):
        if isinstance(a, r.Special) and a.what == "active":
            who = worded(ctx, b)
            mine = isinstance(who, Nominal) and who.you
            return ctx.say(_not("your-turn" if mine else "turn-of", positive), who=who)
    for a, b in ((left, right), (right, left)):
        if isinstance(a, r.ClassOf | r.PlaceOf):
            who = worded(ctx, b)
            mine = isinstance(who, Nominal) and who.you
            return ctx.say(
                _not("is-yours" if mine else "belongs", positive), it=worded(ctx, a.piece), who=who
            )
    one, other = worded(ctx, left), worded(ctx, right)
    for who, what in ((one, other), (other, one)):
        if isinstance(who, Nominal) and who.you:
            return ctx.say(_not("you-are", positive), what=what)
    return ctx.say(_not("is", positive), left=one, right=other)


def _none(ctx: BookContext, left: r.Expr, positive: bool) -> str:
    """Whether there is something at all."""
    match left:
        case r.SlotPiece(zone=zone):
            found = pieces_at(ctx, zone)
            return found.empty() if positive else found.exists()
        case r.ColumnOf():
            said = {"it": worded(ctx, left.owner), "thing": column_noun(ctx, left).one}
            return ctx.say(_not("has-it", not positive), **said)
        case r.Read(var=var):
            return ctx.say(
                "there-is-no" if positive else "there-are", things=var_noun(ctx, var).one, place=""
            ).strip()
        case r.PickOf(binder=binder):
            things = bound(ctx, binder)
            return things.empty() if positive else things.exists()
        case r.ReadStateVar(kind="pointer", name=name):
            return points_nowhere(ctx, left, name, positive)
    thing = worded(ctx, left)
    return ctx.say("there-is-no" if positive else "there-are", things=thing, place="").strip()


def points_nowhere(ctx: BookContext, node: r.ReadStateVar | r.Write, name: str, positive: bool) -> str:
    """That a pointer points at nothing, or at something: `your leader is on no province`."""
    decl, it = ctx.rules.pointers[name], stored(ctx, node)
    if decl.to == "seat":
        return ctx.say("nobody-is" if positive else "nobody-is-not", it=it)
    if decl.var.of is None and decl.var.at is None and not it.fixed:
        return ctx.say("there-is-no" if positive else "there-are", things=it.as_(""), place="").strip()
    place = nominal(ctx, type_noun(ctx, EnumType(decl.to)))
    return ctx.say("is-nowhere" if positive else "is-nowhere-not", it=it, place=place.as_(""))


def found_text(ctx: BookContext, local: r.SetVar) -> str:
    """That there is what a local names from then on: `there is a holder of the office (“rival”)`."""
    there = _none(ctx, ctx.folding.expr(local.value), False)
    ctx.names.pop(local.var, None)
    name = name_of(ctx, local.var).as_("")
    return there if name.one == type_noun(ctx, local.var.type).one else f"{there} („{name}”)"


# ---- membership, all and each


def _is_in(ctx: BookContext, node: r.IsIn, positive: bool) -> str:
    item = worded(ctx, node.item)
    match node.collection:
        case r.Interval(low=low, high=high):
            return ctx.say(
                _not("is-between", positive), it=item, low=worded(ctx, low), high=worded(ctx, high)
            )
        case r.InZone() as zone:
            things = pieces_at(ctx, zone)
            if things.place is not None:
                return ctx.say(_not("is-at", positive), it=item, place=things.place.at())
    found = group(ctx, node.collection)
    if found.parts and not any(isinstance(part, NominalGroup) for part in found.parts):
        return ctx.say(_not("is", positive), left=item, right=found.some())
    return ctx.say(_not("is-one-of", positive), it=item, things=found.many())


def _every(ctx: BookContext, node: r.FoldOf, positive: bool) -> str:
    things = bound(ctx, node.binder)
    with marked(ctx, node.binder.var) as ref:
        said = said_if(ctx, node.body)
        denied = [str(one) for one in ctx.clauses(node.body, False)]
    mark_ = str(ref.id)
    if not positive:
        return narrowed(ctx, mark_, things, denied).exists()
    start = f"{MARK}{mark_}:nom{CLOSE}"
    if said.startswith(start) and said.count(f"{MARK}{mark_}:") == 1:
        return put_in(ctx, said, mark_, things.every(), things.noun.one)
    return ctx.say("for-every", things=things.every(), clause=put_in(ctx, said, mark_, None, things.noun.one))


# ---- flags by name


def _value(ctx: BookContext, node: r.UseValue, positive: bool) -> list[Node]:
    found = ctx.rules.values[node.value]
    template = ctx.lexicon.template(node.value)
    if template is not None:
        said = {p.name: worded(ctx, a) for p, a in zip(found.parameters, node.arguments, strict=True)}
        return [clause_of(ctx, template, said, positive)]
    if is_in_place(ctx, found):
        return in_place(ctx, found, node.arguments, positive)
    word = ctx.lexicon.labels.get(node.value) or titled(ctx, node.value, found.clauses).one
    arguments = [str(worded(ctx, a)) or ctx.say("you") for a in node.arguments]
    about = f" ({', '.join(arguments)})" if arguments else ""
    return [ctx.say(_not("holds", positive), it=f"„{word.strip('„”')}”{about}")]
