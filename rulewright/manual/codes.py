"""The explanations of codes: every kind of diagnostic with what it says and what it means."""

from __future__ import annotations

import inspect
import pkgutil
import re
from importlib import import_module
from string import Formatter

from dsl.diagnostics import REGISTER, Diagnostic, DiagnosticError, did_you_mean
from dsl.source import NOWHERE
from rulewright.messages import NoSuchCode

PACKAGES = ("dsl", "interpreter", "validators", "rulewright")


FAMILIES = {
    "C": "commands",
    "D": "the language",
    "R": "the referee",
    "T": "the trace to the rulebook",
    "V": "the validators",
}


def all_codes() -> dict[str, type[Diagnostic]]:
    """All diagnostics of all packages, sorted by code."""
    for package in PACKAGES:
        module = import_module(package)
        for found in pkgutil.walk_packages(module.__path__, f"{package}."):
            parent, _, name = found.name.rpartition(".")
            if name.startswith("messages") or name == "findings" or parent == "validators.checks":
                import_module(found.name)
    return {code: REGISTER[code] for code in sorted(REGISTER)}


def code_named(register: dict[str, type[Diagnostic]], name: str) -> type[Diagnostic]:
    """A diagnostic by code or slug. Raises `DiagnosticError` if there is none."""
    if name.upper() in register:
        return register[name.upper()]
    slugs = {kind.slug: kind for kind in register.values()}
    slug = name.lower().replace("_", "-")
    if slug in slugs:
        return slugs[slug]
    hint = did_you_mean(name.upper(), register) or did_you_mean(slug, slugs)
    raise DiagnosticError(NoSuchCode(NOWHERE, name, hint or "`rulewright explain` lists all codes"))


def shape(template: str) -> str:
    """A template with its fields in capitals; empty if it consists of fields only."""
    text = "".join(
        words + (field.upper() if field else "") for words, field, _, _ in Formatter().parse(template)
    )
    return text if re.search(r"[a-z]", text) else ""


def gist(kind: type[Diagnostic]) -> str:
    """The first sentence of the explanation."""
    text = " ".join(inspect.cleandoc(kind.__doc__ or "").split("\n\n")[0].split())
    return re.split(r"(?<=\.)\s", text)[0]


def explained(kind: type[Diagnostic]) -> dict[str, str]:
    return {
        "code": kind.code,
        "slug": kind.slug,
        "severity": str(kind.severity),
        "message": shape(kind.title),
        "help": shape(kind.advice),
        "explanation": inspect.cleandoc(kind.__doc__ or ""),
    }
