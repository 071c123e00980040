"""Labels that follow from others: of values of products, `ace of hearts`, and of parts of numeric types."""

from __future__ import annotations

from dataclasses import replace

from dsl.declare.labels import HOLE
from dsl.rules import Rules, Translation, TypeDecl, key_of_number


def with_derived_labels(rules: Rules) -> Rules:
    """The rules with a label for each value of a product that has none, in every language.

    A phrase of the type says how: `face: "{rank} of {suit}"`. Without one the labels of the parts follow
    each other. Numbers of a part of a type are called as those of the type.
    """
    if not any(decl.parts or (decl.base and decl.numeric) for decl in rules.types.values()):
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
        for number in decl.members if decl.numeric and decl.base is not None else ():
            if (said := labels.get(key_of_number(decl.base or "", number))) is not None:
                made[key_of_number(decl.name, number)] = said
    return {**made, **labels}


def _label(rules: Rules, decl: TypeDecl, value: int, labels: dict[str, str], phrases: dict[str, str]) -> str:
    if decl.label(value) in labels:
        return labels[decl.label(value)]
    shown: dict[str, str] = {}
    for column, name in decl.parts:
        part = rules.types[name]
        at = decl.columns[column].values[value - decl.lo]
        plain = key_of_number(part.name, at) if part.numeric else part.label(at)
        known = labels.get(plain, part.label(at).replace("_", " "))
        shown[column] = _label(rules, part, at, labels, phrases) if part.parts else known
    phrase = phrases.get(decl.name, "").partition("|")[0].strip()
    if phrase:
        return HOLE.sub(lambda hole: shown.get(hole[1], hole[1]) + (hole[3] or ""), phrase)
    return (", " if decl.name.startswith("(") else " ").join(shown.values())
