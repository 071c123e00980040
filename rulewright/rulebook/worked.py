"""What was played in the sample match, for the book: the prepared table, a turn, an account."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import quoteattr

from rulewright.layout.board_svg import Box, extent
from rulewright.layout.compose import scene
from rulewright.layout.preview import Preview
from rulewright.layout.preview_blocks import Sketch, at, flow
from rulewright.layout.scene import Point, Scene
from rulewright.rulebook.document import Illustration, Paragraph, Section, Steps, Table, row
from rulewright.rulebook.sample_match import SampleMatch
from rulewright.sentences.context import BookContext
from rulewright.sentences.english import capital, sentence
from rulewright.sentences.text import Step, strong

WIDE = 1100.0
"""The width at which pictures of the table are broken into rows."""
PAD = 12.0
MOST_OF_KIND = 6
"""So many pieces of a component are drawn at most."""


def prepared_table(ctx: BookContext, played: SampleMatch) -> Illustration | None:
    """The boards as they stand when play begins, those of each seat once; nothing without boards."""
    game = played.game
    found = scene(game.rules, game.machine.seats)
    preview = Preview(game, played.first, found)
    sketches = [
        _cropped(
            preview.picture(group, 0 if any(found.boards[name].own for name in group) else None),
            extent([found.boards[name] for name in group], _offsets(found, group)),
        )
        for group in found.groups
    ]
    return (
        _framed(flow(sketches, WIDE), ctx.say("table-prepared", game=game.rules.title)) if sketches else None
    )


def pieces(ctx: BookContext, played: SampleMatch) -> Illustration | None:
    """Some pieces of each kind, with a face each; nothing if they look all alike."""
    game = played.game
    preview = Preview(game, played.first, scene(game.rules, game.machine.seats))
    blocks: list[Sketch] = []
    for name, component in game.rules.components.items():
        owned = preview.scene.faces[name].owned
        there = [number for number, copies in enumerate(component.copies) if copies]
        shown = there[:: max(1, -(-len(there) // MOST_OF_KIND))]
        blocks += [preview.piece(name, number, 0 if owned else None) for number in shown]
    return (
        _framed(flow(blocks, WIDE), ctx.say("table-of-pieces", game=game.rules.title))
        if len(blocks) > 1
        else None
    )


def _offsets(found: Scene, group: Sequence[str]) -> list[Point]:
    """Where something lies beside the places of boards."""
    drawn = ((one.board, one.offsets) for of in (found.zones, found.variables) for one in of.values())
    return [offset for board, offsets in drawn if board in group for offset in offsets]


def _cropped(sketch: Sketch, box: Box) -> Sketch:
    """The part of a picture in a box."""
    left, top, width, height = box
    return Sketch(width, height, at(-left, -top, sketch.svg))


def _framed(sketch: Sketch, title: str) -> Illustration:
    width, height = sketch.width + 2 * PAD, sketch.height + 2 * PAD
    return Illustration(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="{-PAD:.1f} {-PAD:.1f} {width:.1f} {height:.1f}" role="img" '
        f"aria-label={quoteattr(title)}>{sketch.svg}</svg>"
    )


def example(ctx: BookContext, played: SampleMatch) -> Section:
    """One turn as it was played."""
    steps = []
    for passage in played.turn:
        facts = tuple(Step(capital(fact)) for fact in passage.facts)
        if passage.head:
            steps.append(Step(capital(passage.head), (), facts, ordered=False))
        else:
            steps += facts
    lead = Paragraph(ctx.say("played-by-chance"))
    return Section(
        "example", ctx.say("chapter-example"), (lead, Steps(tuple(steps))) if steps else (), aside=True
    )


def account(ctx: BookContext, played: SampleMatch) -> tuple[Section, ...]:
    """The accounts of a match that was played to its end, side by side."""
    sheets = played.account
    if not sheets:
        return ()
    seats = [capital(played.names.seat(i)) for i in range(len(sheets))]
    rows = [
        row(capital(ctx.lexicon.score(lines[0][0])), *(str(value) for _, value, _ in lines))
        for lines in zip(*(sheet.lines for sheet in sheets), strict=True)
        if any(value for _, value, _ in lines)
    ]
    rows.append(row(strong(ctx.say("total")), *(strong(str(sheet.total)) for sheet in sheets)))
    ties = zip(*(sheet.tiebreaks for sheet in sheets), strict=True)
    totals = [sheet.total for sheet in sheets]
    if len(set(totals)) < len(totals):
        rows += [row(capital(ctx.lexicon.score(t[0][0])), *(str(v) for _, v in t)) for t in ties]
    names = [capital(played.names.seat(played.game.seat_number(name))) for name in played.winners]
    frame = "wins-one" if len(names) == 1 else "wins-many"
    wins = sentence(ctx.say(frame, names=ctx.listed(names))) if names else ""
    lead = Paragraph(ctx.say("ended-so"))
    after = (Paragraph(wins),) if wins else ()
    blocks = (lead, Table(("", *seats), tuple(rows)), *after)
    return (Section("account", ctx.say("chapter-account"), blocks, aside=True),)
