"""D020 to D025: rules text that cannot be parsed."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.diagnostics import Label, Mistake


@dataclass(frozen=True)
class TabInRules(Mistake):
    """A rules file contains a tab.

    Editors show tabs with different widths, so a block would look different from what it means.

    Example: a line of a block that begins with a tab instead of four spaces.

        procedure deal
        →move 4 from deck to hand of me

    Indent with spaces; editors can convert the whole file.
    """

    code = "D020"
    slug = "tab"
    title = "a tab cannot be used in rules"
    mend = "indent with spaces"


@dataclass(frozen=True)
class Indentation(Mistake):
    """A line is indented to no level that is open.

    Every line of a block begins in the same column, and definitions begin in the first one.

    Example:

        procedure deal
            move 4 from deck to hand of me
          shuffle deck

    Line it up with the lines of its block.
    """

    code = "D021"
    slug = "indentation"
    title = "this line is indented by {width}, which matches no block above it"
    mend = "{hint}"
    width: int
    hint: str


@dataclass(frozen=True)
class StrangeCharacter(Mistake):
    """A character that the language does not use.

    Rules consist of words, whole numbers, brackets, `+ - * = < >`, commas, dots and clause marks. Words
    are English letters, digits and `_`, so that everybody can type them; what people read at the table
    comes from the labels.

    Example:

        procedure séance

    Use the nearest plain character, and give things their proper names in the labels.
    """

    code = "D022"
    slug = "strange-character"
    title = "{character} has no meaning in rules"
    mend = "{hint}"
    character: str
    hint: str


@dataclass(frozen=True)
class NotAllowedHere(Mistake):
    """The text cannot be parsed at this place.

    Either a word is missing before it, or one is too many, or the statement has another form. The
    language reference shows the form of every statement.

    Example:

        if gold of me = 3
            end game

    `=` writes and `is` compares: `if gold of me is 3`.
    """

    code = "D023"
    slug = "not-allowed-here"
    title = "{why}"
    mend = "{hint}"
    why: str
    hint: str = ""


@dataclass(frozen=True)
class UnclosedBracket(Mistake):
    """A bracket has no partner.

    Inside brackets the end of a line does not count, so a bracket that is not closed swallows the lines
    after it.

    Example:

        value strength(card = card.defence + 1

    Close it where its inside ends, or remove the one that closes nothing.
    """

    code = "D024"
    slug = "unclosed-bracket"
    title = "{why}"
    mend = "{hint}"
    why: str
    hint: str
    other: Label | None = None

    @property
    def others(self) -> tuple[Label, ...]:
        return (self.other,) if self.other is not None else ()


@dataclass(frozen=True)
class MissingBlock(Mistake):
    """A line that opens a block is followed by none.

    What `if`, `while`, `for`, `each`, `repeat`, `else` and `when` govern stands indented under them.

    Example:

        if deck is empty
        end game

    Indent the lines that belong to it; say `nothing` if nothing is to be done.
    """

    code = "D025"
    slug = "missing-block"
    title = "an indented block must follow this line"
    mend = "{hint}"
    hint: str = "indent what belongs to it, or say `nothing`"
