"""A TextMate grammar of the rules language, which Visual Studio Code, GitHub and many editors read."""

from __future__ import annotations

import json
from typing import Any

from dsl.workspace.token_patterns import TokenPattern, plain_tokens, soft_keywords

SCOPE = "source.rulewright"
SCOPES = {
    "comment": "comment.line.number-sign",
    "clause": "entity.other.attribute-name.clause",
    "definition": "storage.type",
    "keyword": "keyword.control",
    "constant": "constant.language",
    "fold": "support.function",
    "logic": "keyword.operator.word",
    "builtin": "variable.language",
    "name": "variable.other",
    "number": "constant.numeric",
    "operator": "keyword.operator",
    "punctuation": "punctuation",
}
"""The scope of each class of tokens, by which themes give colours."""
Json = dict[str, Any]


def grammar() -> Json:
    """The grammar as JSON."""
    contexts = {name: f"line-{name}" for name in soft_keywords() if name}
    repository: Json = {"token": {"patterns": [_match(each) for each in plain_tokens()]}}
    for context, found in soft_keywords().items():
        inner = [_match(each) for each in found]
        if not context:
            inner = [_line(each) if each.opens else _match(each) for each in found]
        name = contexts.get(context, "line")
        repository[name] = {"patterns": [*inner, {"include": "#token"}]}
    return {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "Rulewright",
        "scopeName": SCOPE,
        "fileTypes": ["rules"],
        "patterns": [{"include": "#line"}],
        "repository": repository,
    }


def grammar_text() -> str:
    """The file of the grammar."""
    return json.dumps(grammar(), indent=2, ensure_ascii=False) + "\n"


def _match(pattern: TokenPattern) -> Json:
    return {"match": pattern.regex, "captures": _captures(pattern)}


def _line(pattern: TokenPattern) -> Json:
    """A pattern after which the rest of the line is read in another context."""
    rest = [{"include": f"#line-{pattern.opens}"}]
    return {"begin": pattern.regex, "beginCaptures": _captures(pattern), "end": "$", "patterns": rest}


def _captures(pattern: TokenPattern) -> Json:
    return {
        str(number): {"name": f"{SCOPES[kind]}.rulewright"}
        for number, kind in enumerate(pattern.classes, 1)
        if kind is not None
    }
