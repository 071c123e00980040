"""Labels of the values of products, made of those of their parts: `ace of hearts`."""

from __future__ import annotations

from dataclasses import replace

from dsl.declare.labels import HOLE
from dsl.rules import Rules, Translation, TypeDecl


def with_product_labels(rules: Rules) -> Rules:
    """The rules with a label for each value of a product that has none, in every language.

    A phrase of the type says how: `face: "{rank} of {suit}"`. Without one the labels of the parts follow
    each other.
    """
    if not any(decl.parts for decl in rules.types.values()):
        return rules
    others = {tag: _translated(rules, other) for tag, other in rules.translations.items()}
    return replace(rules, labels=_labels(rules, rules.labels, rules.phrases), translations=others)


def _translated(rules: Rules, other: Translation) -> Translation:
    known = {**rules.labels, **other.labels}
    made = _labels(rules, known, {**rules.phrases, **other.phrases})
    return replace(other, labels={**other.labels, **{k: v for k, v in made.items() if k not in known}})


def _labels(rules: Rules, labels: dict[str, str], phrases: dict[str, str]) -> dict[str, str]:
    """The labels, and those of the values of all products."""
    made: dict[str, str] = {}
    for decl in rules.types.values():
        for value in decl.members if decl.parts and decl.base is None else ():
            made.setdefault(decl.label(value), _label(rules, decl, value, labels, phrases))
    return {**made, **labels}


def _label(rules: Rules, decl: TypeDecl, value: int, labels: dict[str, str], phrases: dict[str, str]) -> str:
    if decl.label(value) in labels:
        return labels[decl.label(value)]
    shown: dict[str, str] = {}
    for column, name in decl.parts:
        part = rules.types[name]
        at = decl.columns[column].values[value - decl.lo]
        plain = part.label(at)
        known = labels.get(plain, plain.replace("_", " "))
        shown[column] = _label(rules, part, at, labels, phrases) if part.parts else known
    phrase = phrases.get(decl.name, "").partition("|")[0].strip()
    if phrase:
        return HOLE.sub(lambda hole: shown.get(hole[1], hole[1]) + (hole[3] or ""), phrase)
    return (", " if decl.name.startswith("(") else " ").join(shown.values())
