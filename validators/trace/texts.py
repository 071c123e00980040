"""Selection of one of a game's texts."""

from __future__ import annotations

from dsl.diagnostics import DiagnosticError, did_you_mean
from dsl.rules import Rules, Text
from dsl.source import NOWHERE
from validators.trace.messages import NoSuchText

PRINT = "`rulewright locate FILE --language LANGUAGE --yaml` prints an entry for `texts`"


def text_named(rules: Rules, name: str | None, language: str | None = None) -> Text:
    """A text by its name; without a name the only text, or the only one in a language.

    Raises `DiagnosticError` (T314) if there is none, or more than one.
    """
    texts = rules.texts
    if not texts:
        raise DiagnosticError(
            NoSuchText(NOWHERE, f"the rulebook file of `{rules.name}` has no `texts`", PRINT)
        )
    if name is not None and name not in texts:
        raise DiagnosticError(NoSuchText(NOWHERE, f"`{rules.name}` has no text `{name}`", _hint(name, rules)))
    if name is not None:
        return texts[name]
    fitting = [t for t in texts.values() if language in (None, t.language)]
    if len(fitting) == 1:
        return fitting[0]
    what = f"{len(fitting)} texts of `{rules.name}` could be meant" if fitting else (
        f"`{rules.name}` has no text in the language `{language}`")  # fmt: skip
    raise DiagnosticError(NoSuchText(NOWHERE, what, _hint("", rules)))


def _hint(name: str, rules: Rules) -> str:
    listed = ", ".join(f"`{known}`" for known in rules.texts)
    return did_you_mean(name, rules.texts) or f"its texts are {listed}: name one"
