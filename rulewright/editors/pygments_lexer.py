"""A lexer of the rules language for Pygments: code blocks in Sphinx, MkDocs, and everything that uses it."""

from __future__ import annotations

from collections.abc import Iterator

from pygments import token
from pygments.lexer import Lexer

from dsl.workspace.token_patterns import classified

TOKENS = {
    "comment": token.Comment.Single,
    "clause": token.Name.Label,
    "definition": token.Keyword.Declaration,
    "keyword": token.Keyword,
    "constant": token.Keyword.Constant,
    "fold": token.Name.Builtin,
    "logic": token.Operator.Word,
    "builtin": token.Name.Builtin.Pseudo,
    "name": token.Name,
    "number": token.Number.Integer,
    "operator": token.Operator,
    "punctuation": token.Punctuation,
}
"""The token type of each class of tokens."""


class RulesLexer(Lexer):  # type: ignore[misc]
    """Rules of games. Pygments finds it by the names `rules` and `rulewright`, and by `*.rules`."""

    name = "Rulewright"
    aliases = ["rulewright", "rules"]  # noqa: RUF012
    filenames = ["*.rules"]  # noqa: RUF012

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, object, str]]:
        """The tokens of a text: offset, type, text. All of the text is in them."""
        at = 0
        for start, end, kind in classified(text):
            if start > at:
                yield at, token.Whitespace, text[at:start]
            yield start, TOKENS[kind], text[start:end]
            at = end
        if at < len(text):
            yield at, token.Whitespace, text[at:]
