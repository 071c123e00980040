"""The menu of a decision: its choices with keys, grouped by action, found by key or by words."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from itertools import count

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from dsl.domains import FlagType, PieceType, Type
from interpreter import ir
from interpreter.formatting import fitting
from interpreter.game import Choice, Decision, Game
from rulewright.i18n.messages import Messages
from rulewright.tui.boards import SQUARE
from rulewright.tui.sheets import Sheet, sheet_of
from rulewright.tui.styles import BOLD, DIM, KEY, borderless_table, styled
from rulewright.tui.words import ranges_text, terminal_messages

PASS = "pass"
LETTERS = "abcdefghijklmnoqrstuvwxyz"
FEWEST_OF_A_RUN = 12
INDENT = 2
ROOMY = 110


@dataclass(frozen=True, slots=True)
class Item:
    """A choice with its key, its text within its section, and its help.

    `row` has the cells of its table row, and `rest` what is not in a column of its own.
    """

    key: str
    choice: Choice
    text: str
    kind: Type
    row: tuple[str, ...]
    rest: str
    help: str


@dataclass(frozen=True, slots=True)
class MenuSection:
    """Choices of the same action with different parameters.

    `titles` are the headings of the cells, `title` the one above the rest. `numbers` says which numbers can
    be typed, of those that are too many to list; the items are a few of them.
    """

    heading: str
    titles: tuple[str, ...]
    title: str
    items: tuple[Item, ...]
    numbers: str = ""


@dataclass(frozen=True, slots=True)
class Menu:
    """All choices of a decision; of numbers that are too many to list, those that are typed."""

    game: Game
    decision: Decision
    sections: tuple[MenuSection, ...]

    @property
    def items(self) -> tuple[Item, ...]:
        return tuple(item for section in self.sections for item in section.items)

    def by_key(self, typed: str) -> Item | None:
        return next((item for item in self.items if item.key == typed), None)

    def meant(self, typed: str) -> tuple[Item, ...]:
        """All choices, with the numbers that the typed words name."""
        before = self.decision.waiting
        told = self.game.including(before, typed)
        named = (
            [c for c in self.game.decision(told).choices if c.option not in before.options]
            if told is not before
            else []
        )
        if not named:
            return self.items
        return menu_of(
            self.game,
            replace(self.decision, choices=(*named, *self.decision.choices)),
        ).items

    def fitting(self, typed: str) -> list[Item]:
        """The choices that the typed words can mean: as words of the rules, or else as labels."""
        items = self.meant(typed)
        found = fitting(typed, [item.choice.words for item in items])
        if not found:
            labels = [tuple(item.choice.label.casefold().split()) for item in items]
            found = fitting(typed.casefold(), labels)
        return [items[i] for i in found]


# ---- construction


def menu_of(game: Game, decision: Decision) -> Menu:
    say = terminal_messages(game)
    listed = [choice for choice in decision.choices if not _numbers(say, decision, choice)]
    keys = iter(keys_of(listed, amounts_of(game, decision), bool(decision.ranges)))
    alone = len({one.numbers.part for one in decision.ranges}) == 1
    groups: dict[str, list[Item]] = {}
    numbers: dict[str, str] = {}
    for choice in decision.choices:
        name, of_range = _section_name(game, decision, choice), _numbers(say, decision, choice)
        key = (choice.words[-1] if alone else choice.text) if of_range else next(keys)
        groups.setdefault(name, []).append(_item(game, decision, choice, key))
        if of_range:
            numbers[name] = of_range
    return Menu(
        game,
        decision,
        tuple(
            replace(_section(game, name, found), numbers=numbers.get(name, ""))
            for name, found in groups.items()
        ),
    )


def _numbers(say: Messages, decision: Decision, choice: Choice) -> str:
    """The ranges of numbers that a choice is one of; empty if it is listed."""
    part, number = choice.option
    found = [one.numbers for one in decision.ranges if one.numbers.part == part]
    return ranges_text(say, found) if any(one.has(number) for one in found) else ""


def keys_of(choices: Sequence[Choice], amounts: Set[str] = frozenset(), typed: bool = False) -> list[str]:
    """The keys of the choices, all of one kind; with `typed` a number that is typed is one of very many.

    Numbers that are chosen are their own keys, and squares that occur once are, if there is nothing else but
    actions without a parameter, which are called by their names where these are shown. If there are
    `amounts`, the values of an action, all choices have letters, so that a number that is typed is an
    amount. Others are numbered. `pass` is 0, or `p` if 0 could be something else.
    """
    others = [choice for choice in choices if choice.text != PASS]
    if _are_numbers(others) and not typed:
        keys, zero = [choice.words[-1] for choice in others], "0" in [choice.text for choice in others]
    elif not typed and (named := _by_name(others)) is not None:
        keys, zero = named, False
    elif typed or any(choice.text in amounts for choice in others):
        keys, zero = [_letters(number) for number in range(len(others))], True
    else:
        keys, zero = [str(number) for number, _ in enumerate(others, 1)], False
    found = iter(keys)
    return [("p" if zero else "0") if choice.text == PASS else next(found) for choice in choices]


def _by_name(choices: Sequence[Choice]) -> list[str] | None:
    """Squares, and actions that stand alone; none if there is anything else, or no square.

    An action whose label does not have its name, as in another language, has a number.
    """
    lasts = [choice.words[-1] for choice in choices]
    pairs = [(choice, SQUARE.fullmatch(choice.words[-1]) is not None) for choice in choices]
    moves = any(square and len(choice.words) == 2 for choice, square in pairs)
    plain = all(square or (moves and len(choice.words) == 1) for choice, square in pairs)
    short = all(len(choice.words) < 3 for choice in choices)
    if not (pairs and plain and short and len(set(lasts)) == len(lasts)):
        return None
    numbers = map(str, count(1))
    return [
        last if square or last in choice.label.casefold().split() else next(numbers)
        for last, (choice, square) in zip(lasts, pairs, strict=True)
    ]


def _letters(number: int) -> str:
    """a, b, …, z, aa, ab, …; without `p`, which passes."""
    letters = ""
    while True:
        letters = LETTERS[number % len(LETTERS)] + letters
        number = number // len(LETTERS) - 1
        if number < 0:
            return letters


def _are_numbers(choices: Sequence[Choice]) -> bool:
    return bool(choices) and all(_is_number(choice.text) for choice in choices)


def _is_number(text: str) -> bool:
    return text.removeprefix("-").isdigit()


def amounts_of(game: Game, decision: Decision) -> frozenset[str]:
    """The texts of the choices that give an action a number."""
    found = []
    for choice in decision.choices:
        parameter, words = _parameter_and_words(game, decision, choice)
        piece = parameter is not None and isinstance(parameter.type, PieceType)
        if parameter is not None and not piece and words != choice.words and _is_number(words[-1]):
            found.append(choice.text)
    return frozenset(found)


def _node(game: Game, decision: Decision) -> ir.Decide | ir.Offer:
    return game.machine.decision(decision.waiting.node)


def _item(game: Game, decision: Decision, choice: Choice, key: str) -> Item:
    parameter, words = _parameter_and_words(game, decision, choice)
    kind: Type = parameter.type if parameter is not None else FlagType()
    sheet, help_ = sheet_of(game.names, kind), game.rules.helps.get(words[0], "")
    row, rest = _row_cells(sheet, words[0])
    text = _text(
        [*map(game.names.label, game.names.keys_of(_node(game, decision), choice.words)[-len(words) :])], row
    )
    if parameter is not None and words != choice.words and _is_number(words[0]):
        text = f"{game.names.label(parameter.name.rpartition('.')[2])} {text}"
    return Item(key, choice, text, kind, row, rest, help_)


def _text(labels: Sequence[str], row: Sequence[str]) -> str:
    """The label of the value, then of its place unless that is also a cell of the row."""
    return " ".join([*labels[:1], *(label for label in labels[1:] if label not in row)])


def _parameter_and_words(
    game: Game, decision: Decision, choice: Choice
) -> tuple[ir.Decide | None, tuple[str, ...]]:
    """The parameter that a choice sets, and its words without the action."""
    node = _node(game, decision)
    if isinstance(node, ir.Decide):
        return node, choice.words
    if choice.option[0] < 0 or len(choice.words) == 1:
        return None, choice.words
    return game.names.parameter(decision.waiting.what[choice.option[0]]), choice.words[1:]


def _row_cells(sheet: Sheet, word: str) -> tuple[tuple[str, ...], str]:
    row = sheet.row(word)
    return ((), "") if row is None else (sheet.cells(row), sheet.rest(row))


def _section_name(game: Game, decision: Decision, choice: Choice) -> str:
    """The action of a choice with a parameter; empty for others, which share a section."""
    if choice.text == PASS:
        return PASS
    offer = isinstance(_node(game, decision), ir.Offer)
    return choice.words[0] if offer and len(choice.words) > 1 else ""


def _section(game: Game, name: str, items: list[Item]) -> MenuSection:
    sheet, heading = sheet_of(game.names, items[0].kind), "" if name == PASS else game.names.label(name)
    titles = sheet.titles if items[0].row else ()
    news = [i for i, _ in enumerate(titles) if not all(_is_told(item, i) for item in items)]
    if len(news) < len(titles):
        titles = tuple(titles[i] for i in news)
        items = [replace(item, row=tuple(item.row[i] for i in news)) for item in items]
    return MenuSection(heading, titles, sheet.title if any(item.rest for item in items) else "", tuple(items))


def _is_told(item: Item, column: int) -> bool:
    """Whether the words of a cell are words of the choice itself: `clubs` of `two of clubs`."""
    cell = item.row[column].casefold()
    return not _is_number(cell) and f" {cell} " in f" {item.text.casefold()} "


# ---- rendering


def shown(menu: Menu, console: Console, width: int, height: int) -> RenderableType:
    """The menu in the first layout that fits the height, or else in the shortest.

    The layouts are tables with help, tables, lists, and runs of squares.
    """
    say = terminal_messages(menu.game)
    layouts = [_as_table, _as_list, _as_runs]
    layouts = layouts if width < ROOMY else [_with_help, *layouts]
    options = console.options.update(width=width)
    drawn = [Group(*(layout(section, width, say) for section in menu.sections)) for layout in layouts]
    lengths = [len(console.render_lines(group, options)) for group in drawn]
    fits = [group for group, length in zip(drawn, lengths, strict=True) if length <= height]
    return fits[0] if fits else drawn[lengths.index(min(lengths))]


def _with_help(section: MenuSection, width: int, say: Messages) -> RenderableType:
    if section.numbers or not any(item.help for item in section.items):
        return _as_table(section, width, say)
    return _table(section, [item.help for item in section.items])


def _as_table(section: MenuSection, width: int, say: Messages) -> RenderableType:
    if section.numbers or (not section.titles and not any(item.rest for item in section.items)):
        return _as_list(section, width, say)
    return _table(section, [])


def _table(section: MenuSection, helps: Sequence[str]) -> Table:
    table = borderless_table(2)
    table.show_header = bool(section.heading or section.titles or section.title)
    table.add_column("", justify="right", min_width=INDENT + 2)
    table.add_column(styled(section.heading, BOLD))
    for title in section.titles:
        table.add_column(styled(title, DIM), justify="right")
    rest = any(item.rest for item in section.items)
    if rest:
        table.add_column(styled(section.title, DIM))
    if helps:
        table.add_column("")
    for i, item in enumerate(section.items):
        text = item.text if item.text != item.key else ""
        extra = [*([styled(item.rest)] if rest else []), *([styled(helps[i], DIM)] if helps else [])]
        table.add_row(styled(item.key, KEY), styled(text), *map(styled, item.row), *extra)
    return table


def _as_list(section: MenuSection, width: int, say: Messages) -> RenderableType:
    """`lay (sort, price)` with its choices on the same line, or in columns below if they are too wide."""
    head = _head(section)
    if (run := _amounts(section, say)) is not None:
        return Padding(Text("   ").join([*head, run]), (0, 0, 0, INDENT))
    line = Text("   ").join([*head, *(_entry(item) for item in section.items)])
    if line.cell_len + INDENT <= width:
        return Padding(line, (0, 0, 0, INDENT))
    inner = INDENT * (1 + len(head))
    return Group(
        *(Padding(text, (0, 0, 0, INDENT)) for text in head),
        Padding(_in_columns(section.items, width - inner), (0, 0, 0, inner)),
    )


def _amounts(section: MenuSection, say: Messages) -> Text | None:
    """`11–500 type the number`, for many amounts in a row."""
    if section.numbers:
        return styled(section.numbers, KEY).append_text(styled(f" {say('terminal-type-the-number')}", DIM))
    words = [item.choice.words[-1] for item in section.items]
    if len(words) < FEWEST_OF_A_RUN or not all(_is_number(word) for word in words):
        return None
    first, last = int(words[0]), int(words[-1])
    if last - first != len(words) - 1 or any(item.row or item.rest for item in section.items):
        return None
    return styled(f"{first}–{last}", KEY).append_text(styled(f" {say('terminal-type-the-number')}", DIM))


def _as_runs(section: MenuSection, width: int, say: Messages) -> RenderableType:
    """`place on a1–f1 h1–k1`: adjacent squares of a row are joined."""
    if section.numbers or not all(SQUARE.fullmatch(item.key) for item in section.items):
        return _as_list(section, width, say)
    runs = [styled(text, KEY) for text in _runs([item.key for item in section.items])]
    line = Text("   ").join([*_head(section), *runs])
    return Padding(line, (0, 0, 0, INDENT))


def _runs(squares: Sequence[str]) -> list[str]:
    runs: list[list[str]] = []
    for square in squares:
        if runs and _beside(runs[-1][-1], square):
            runs[-1].append(square)
        else:
            runs.append([square])
    return [run[0] if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs]


def _beside(one: str, other: str) -> bool:
    return one[1:] == other[1:] and ord(other[0]) == ord(one[0]) + 1


def _head(section: MenuSection) -> list[Text]:
    titles = "; ".join(part for part in (", ".join(section.titles), section.title) if part)
    if not section.heading and not titles:
        return []
    head = styled(section.heading, BOLD)
    if titles:
        head.append(" " if section.heading else "")
        head.append_text(styled(f"({titles})", DIM))
    return [head]


def _entry(item: Item, wide: int = 0) -> Text:
    text = styled(item.key.rjust(wide), KEY)
    if item.text != item.key:
        text.append_text(styled(f" {item.text}"))
    details = "; ".join(part for part in (", ".join(item.row), item.rest) if part)
    if details:
        text.append_text(styled(f" ({details})", DIM))
    return text


def _in_columns(items: Sequence[Item], width: int) -> RenderableType:
    """Choices in as many columns as fit the width."""
    key = max(len(item.key) for item in items)
    entries = [_entry(item, key) for item in items]
    wide = max(entry.cell_len for entry in entries) + INDENT
    across = max(1, (width + INDENT) // wide)
    down = -(-len(entries) // across)
    table = Table.grid()
    for _ in range(across):
        table.add_column(width=wide)
    for i in range(down):
        table.add_row(*entries[i::down])
    return table
