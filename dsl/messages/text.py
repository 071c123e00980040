"""D020 to D025: rules text that cannot be parsed."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.diagnostics import Diagnostic, Label


@dataclass(frozen=True)
class TabInRules(Diagnostic):
    """A rules file contains a tab.

    Editors show tabs with different widths, so the look of a block would not match its meaning.

    Example: a line of a block that begins with a tab instead of four spaces.

        procedure deal
        →move 4 from deck to hand of me

    Indent with spaces; editors can convert the whole file.
    """

    code = "D020"
    slug = "tab"
    title = "tabs are not allowed in rules"
    advice = "indent with spaces"


@dataclass(frozen=True)
class Indentation(Diagnostic):
    """A line's indentation matches no enclosing block.

    Every line of a block begins in the same column, and definitions begin in the first one.

    Example:

        procedure deal
            move 4 from deck to hand of me
          shuffle deck

    Align it with the lines of its block.
    """

    code = "D021"
    slug = "indentation"
    title = "indentation of {width} matches no enclosing block"
    advice = "{hint}"
    width: int
    hint: str


@dataclass(frozen=True)
class StrangeCharacter(Diagnostic):
    """A character is not part of the language.

    Rules consist of words, whole numbers, brackets, `+ - * = < >`, commas, dots and clause marks. Words
    are English letters, digits and `_`, so that everybody can type them; the texts shown to players come
    from the labels.

    Example:

        procedure séance

    Use the nearest plain character, and put proper names in the labels.
    """

    code = "D022"
    slug = "strange-character"
    title = "unexpected character {character}"
    advice = "{hint}"
    character: str
    hint: str


@dataclass(frozen=True)
class NotAllowedHere(Diagnostic):
    """The text cannot be parsed at this place.

    A word is missing before it, there is one too many, or the statement has another form. The language
    reference shows the form of every statement.

    Example:

        if gold of me = 3
            end game

    `=` assigns and `is` compares: `if gold of me is 3`.
    """

    code = "D023"
    slug = "not-allowed-here"
    title = "{why}"
    advice = "{hint}"
    why: str
    hint: str = ""


@dataclass(frozen=True)
class UnclosedBracket(Diagnostic):
    """A bracket is not matched.

    Line ends do not count inside brackets, so an unclosed bracket swallows the lines after it.

    Example:

        value strength(card = card.defence + 1

    Add the missing bracket, or remove the one that closes nothing.
    """

    code = "D024"
    slug = "unclosed-bracket"
    title = "{why}"
    advice = "{hint}"
    why: str
    hint: str
    other: Label | None = None

    @property
    def others(self) -> tuple[Label, ...]:
        return (self.other,) if self.other is not None else ()


@dataclass(frozen=True)
class MissingBlock(Diagnostic):
    """A line that needs a block is not followed by one.

    The body of `if`, `while`, `for`, `each`, `repeat`, `else` and `when` is indented under them.

    Example:

        if deck is empty
        end game

    Indent the lines that belong to it; write `nothing` if there is nothing to do.
    """

    code = "D025"
    slug = "missing-block"
    title = "missing block after this line"
    advice = "{hint}"
    hint: str = "indent the lines that belong to it, or write `nothing`"
