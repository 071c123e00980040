"""`rulewright explain`: what a diagnostic means."""

from __future__ import annotations

import inspect

import click

from dsl.diagnostics import Diagnostic
from rulewright.manual.codes import FAMILIES, all_codes, code_named, explained, gist, shape
from rulewright.terminal.output import activity, echo_json
from rulewright.terminal.parameters import json_option


@click.command(short_help="Explain a diagnostic.")
@click.argument("code", required=False)
@json_option
def explain(code: str | None, as_json: bool) -> None:
    """Explain a diagnostic by its code or name; without one, list them all.

    \b
    Examples:
      rulewright explain D012
      rulewright explain unknown-name
      rulewright explain
    """
    with activity("collecting all diagnostics"):
        register = all_codes()
    found = [code_named(register, code)] if code else list(register.values())
    if as_json:
        echo_json([explained(kind) for kind in found])
    elif code:
        click.echo(_explanation(found[0]))
    else:
        letters = sorted({code[0] for code in register})
        click.echo("\n\n".join(_family(letter, register) for letter in letters))


# ---- one code


def _explanation(kind: type[Diagnostic]) -> str:
    head = click.style(f"{kind.code} {kind.slug}", bold=True) + f" ({kind.severity})"
    parts = [head, inspect.cleandoc(kind.__doc__ or "")]
    parts.extend(
        f"{name}: {text}"
        for name, text in (("message", shape(kind.title)), ("help", shape(kind.advice)))
        if text
    )
    return "\n\n".join(parts)


# ---- all codes


def _family(letter: str, register: dict[str, type[Diagnostic]]) -> str:
    lines = [click.style(FAMILIES.get(letter, letter), bold=True)]
    lines += [
        f"  {code}  {kind.slug:<24} {gist(kind)}" for code, kind in register.items() if code[0] == letter
    ]
    return "\n".join(lines)
