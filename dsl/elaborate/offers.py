"""Targets of `do` and `can`: actions, effects, and cells that name an effect."""

from __future__ import annotations

from dsl import rules as r, syntax as s
from dsl.diagnostics import DiagnosticError
from dsl.domains import EffectType, PieceType
from dsl.elaborate.scope import Signature
from dsl.elaborate.typer import Typer
from dsl.messages.statements import CannotOffer, WrongStatement
from dsl.messages.types import WrongArguments, WrongType
from dsl.wording import given, plural


def target(typer: Typer, node: s.Expr, actor: s.Word | None) -> r.Target:
    """An action or effect with some arguments, or a cell that names one."""
    word = node.name if isinstance(node, s.Call) else node if isinstance(node, s.Name) else None
    if word is not None and word.text not in typer.scope.locals:
        signature = typer.scope.signatures.routine(word.text, word.span)
        if signature is not None:
            return _routine_target(typer, node, word.text, signature, actor)
    if isinstance(node, s.ListOf):
        hint = f"list them without brackets: `{', '.join(' '.join(x.span.text.split()) for x in node.items)}`"
        raise DiagnosticError(WrongStatement(node.span, "actions in brackets", hint))
    cell = typer.expr(node)
    if not isinstance(cell.type, EffectType):
        hint = "name an action, or a column of effects"
        raise DiagnosticError(WrongType(node.span, "an action or effect", str(cell.type), hint))
    return r.DoCell(cell, _actor(typer, cell, actor), node.span)


def _actor(typer: Typer, cell: r.Expr, actor: s.Word | None) -> r.Expr | None:
    """The piece that `self` refers to: the one after `as`, or the owner of the column."""
    if actor is not None:
        piece = typer.expr(s.Name(actor.span, actor.text))
        if not isinstance(piece.type, PieceType):
            raise DiagnosticError(WrongType(actor.span, "a piece", str(piece.type)))
        return typer.certain(piece, actor)
    owner = cell.owner if isinstance(cell, r.ColumnOf) else None
    return owner if owner is not None and isinstance(owner.type, PieceType) else None


def _routine_target(
    typer: Typer,
    node: s.Expr,
    name: str,
    signature: Signature,
    actor: s.Word | None,
) -> r.DoRoutine:
    kind, parameters = signature
    if kind == "procedure":
        hint = f"call it: `{name}` on a line of its own, or make it an action"
        raise DiagnosticError(CannotOffer(node.span, name, "a procedure and cannot be offered", hint))
    if actor is not None:
        hint = "`as` gives the piece of an effect in a cell: `do card.power as self`"
        raise DiagnosticError(
            WrongStatement(actor.span, f"`{name}` is named directly, so `as` has no meaning", hint)
        )
    arguments = node.arguments if isinstance(node, s.Call) else ()
    if len(arguments) > len(parameters):
        wanted = f"at most {plural(len(parameters), 'argument')}"
        raise DiagnosticError(WrongArguments(node.span, name, wanted, given(len(arguments))))
    for parameter, argument in zip(parameters, arguments, strict=False):
        if parameter.several is not None:
            why = f"what is chosen as `{parameter.several.whole.group.name}` cannot be given"
            raise DiagnosticError(WrongStatement(argument.span, why, "put what is given before it"))
    for parameter in parameters[len(arguments) :]:
        if parameter.binder is None:
            wanted = f"a `{parameter.var.name}`"
            hint = f"add it, or write `{parameter.var.name} from ...` in the header"
            raise DiagnosticError(WrongArguments(node.span, name, wanted, given(len(arguments)), hint))
    typed = tuple(typer.argument(a, p.var.type) for a, p in zip(arguments, parameters, strict=False))
    return r.DoRoutine(name, typed, node.span)
