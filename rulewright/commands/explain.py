"""`rulewright explain`: what a diagnostic means."""

from __future__ import annotations

import inspect
import pkgutil
import re
from importlib import import_module
from string import Formatter

import click

from dsl.diagnostics import REGISTER, Diagnostic, DiagnosticError, did_you_mean
from dsl.source import NOWHERE
from rulewright.messages import NoSuchCode
from rulewright.parameters import json_option
from rulewright.terminal import echo_json

PACKAGES = ("dsl", "interpreter", "validators", "rulewright")
FAMILIES = {
    "C": "commands",
    "D": "the language",
    "R": "the referee",
    "T": "the trace to the rulebook",
    "V": "the validators",
}


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
    register = all_codes()
    found = [_named(register, code)] if code else list(register.values())
    if as_json:
        echo_json([_object(kind) for kind in found])
    elif code:
        click.echo(_explanation(found[0]))
    else:
        letters = sorted({code[0] for code in register})
        click.echo("\n\n".join(_family(letter, register) for letter in letters))


def all_codes() -> dict[str, type[Diagnostic]]:
    """All diagnostics of all packages, sorted by code."""
    for package in PACKAGES:
        module = import_module(package)
        for found in pkgutil.walk_packages(module.__path__, f"{package}."):
            parent, _, name = found.name.rpartition(".")
            if name.startswith("messages") or name == "findings" or parent == "validators.checks":
                import_module(found.name)
    return {code: REGISTER[code] for code in sorted(REGISTER)}


def _named(register: dict[str, type[Diagnostic]], name: str) -> type[Diagnostic]:
    """A diagnostic by code or slug. Raises `DiagnosticError` if there is none."""
    if name.upper() in register:
        return register[name.upper()]
    slugs = {kind.slug: kind for kind in register.values()}
    slug = name.lower().replace("_", "-")
    if slug in slugs:
        return slugs[slug]
    hint = did_you_mean(name.upper(), register) or did_you_mean(slug, slugs)
    raise DiagnosticError(NoSuchCode(NOWHERE, name, hint or "`rulewright explain` lists all codes"))


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


def shape(template: str) -> str:
    """A template with its fields in capitals; empty if it consists of fields only."""
    text = "".join(
        words + (field.upper() if field else "") for words, field, _, _ in Formatter().parse(template)
    )
    return text if re.search(r"[a-z]", text) else ""


# ---- all codes


def _family(letter: str, register: dict[str, type[Diagnostic]]) -> str:
    lines = [click.style(FAMILIES.get(letter, letter), bold=True)]
    lines += [
        f"  {code}  {kind.slug:<24} {_gist(kind)}" for code, kind in register.items() if code[0] == letter
    ]
    return "\n".join(lines)


def _gist(kind: type[Diagnostic]) -> str:
    """The first sentence of the explanation."""
    text = " ".join(inspect.cleandoc(kind.__doc__ or "").split("\n\n")[0].split())
    return re.split(r"(?<=\.)\s", text)[0]


def _object(kind: type[Diagnostic]) -> dict[str, str]:
    return {
        "code": kind.code,
        "slug": kind.slug,
        "severity": str(kind.severity),
        "message": shape(kind.title),
        "help": shape(kind.advice),
        "explanation": inspect.cleandoc(kind.__doc__ or ""),
    }
