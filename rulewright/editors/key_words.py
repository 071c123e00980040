"""The keys and words of a ruleset's YAML files, each in a sentence, for schemas, hover and completion."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.editors.shapes import Json

Meanings = Mapping[str, str]

CLAUSE = "The clauses of the rulebook that it renders: `§4.3`, or several with blanks between."
OWNED: Meanings = {
    "of": "One for each value of a type, or for each seat: `of: seat`.",
    "at": "One for each place or value of a type: `at: disc`, or of several: `at: [slot, colour]`.",
    "lasts": "When it goes back to its start: `turn`, `own turn`, `action`, `round`, the name of a phase; or"
    " `moment`, working memory: wherever the rules wait.",
    "seen_by": "Who sees it: `all`, the `owner`, the `others`, the `team` or `nobody`.",
    "shared": "`first come`: all may change it where seats act together.",
}
ROWS: Meanings = {
    "table": "A CSV file with a row for each: the first column names the rows.",
    "rows": "A short table instead of a file: `{smith: {cost: 3}, guard: {}}`.",
    "names": "The header above the names of the rows; by default that of the first column.",
    "headers": "The columns by what stands in the header instead: `{Gold cost: cost}`.",
    "ignored": "Headers of columns that the game does not use: `[Notes]`, or `others` for all.",
    "columns": "The columns with their types: `{cost: 0..12, colour: hue, kept: flag}`.",
}
GAME: Meanings = {
    "game": "The name of the game: one word. Required.",
    "language": "The version of the language in which the rules are written: `1`, also if it is left out.",
    "overlay": "The game that this one changes: a folder beside it, or a bundled game.",
    "removes": "Definitions of the game below that are taken away: `[value flies]`.",
    "title": "The title for people.",
    "seats": "The number of players: `2`, `2..5`, or `[2, 4]`. At most 12. Required.",
    "rules": "The files of rules, read as one: `[main.rules]`. Required.",
    "clauses": "The file with the clauses of the rulebook, or one for each language: "
    "`{en: rulebook.yaml, hu: rulebook.hu.yaml}`. Without it, clause marks are not checked.",
    "labels": "The file with the texts that people read, or one for each language: `{en: labels/en.yaml}`.",
    "look": "The file that says how the game looks on a table.",
    "about": "The file that says what the game is to people who look for one: a line, other names, tags.",
    "longest": "The largest number of decisions of a match; 10000 if it is left out.",
    "allow": "Findings of `rulewright check` that are intended, each with its reason.",
    "provenance": "The rows of tables that are not known to be those of the published game, and why.",
    "teams": "Who plays with whom: `{axis: [A, C], allies: [B, D]}`.",
    "constants": "Numbers that are fixed when a match begins: `{hand_size: 5}`.",
    "options": "Settings that players choose: flags, numbers with a range, one of several values, or some.",
    "rulings": "Places where the rulebook is silent or unclear: readings, the chosen one, and why.",
    "types": "Kinds of values: lists, ranges of numbers, rows of tables, products.",
    "boards": "Types with neighbours: lines, rings, grids, hexes, graphs.",
    "components": "The kinds of physical pieces: cards, tokens, dice, figures.",
    "zones": "Where pieces lie: piles, hands, places of boards.",
    "counters": "Numbers with a range: `{money: {of: seat, range: 0..99}}`.",
    "marks": "What is on or off: `{stung: {lasts: turn}}`.",
    "pointers": "What refers to one value of a type, or to none: `{leader: {to: seat}}`.",
    "tables": "Functions defined by rows: `{price: {over: 0..3, gives: 0..9, rows: [0, 1, 3, 6]}}`.",
    "histories": "Records of positions, to know what has been before.",
    "small": "Presets that make the game smaller, so that all its positions can be explored.",
    "flow": "The phases of the game. A match begins with the first one. Required.",
    "absent": "What is chosen for a seat that stays away.",
    "carries": "What the next match of the same seats begins with: counters, marks and pointers.",
}
DECLARATIONS: Mapping[str, Meanings] = {
    "seats": {
        "count": "The number of players: `2`, or `2..5`.",
        "names": "What seats are called instead of `A`, `B`, …: `[white, black]`.",
    },
    "constants": {"by_seats": "A number for each number of players: `{2: 11, 3: 16}`."},
    "options": {
        "range": "The numbers that it may have: `10..40`.",
        "values": "The words that it may have: `[first, second]`; with `size` also the name of a type.",
        "size": "How many of its values it has, as a set: `10`, or `0..3`.",
        "default": "What applies if nobody chooses; of a set without it the first values.",
    },
    "rulings": {
        "readings": "The possible readings, each in a sentence: `{strict: ..., mild: ...}`.",
        "chosen": "The reading that is played.",
        "why": "The reason for this reading.",
    },
    "types": {
        **ROWS,
        "product": "A value for each combination of the values of several types: `[suit, rank]`.",
        "values": "The values, where other keys stand beside them.",
        "order": "`rising`: the values are written from the lowest to the highest, and can be compared.",
        "without": "Values that are left out for a number of players: `{2: [amber, silk]}`.",
    },
    "boards": {
        **ROWS,
        "line": "Places in a row, the first and last not joined: `6`, a list, or a CSV file.",
        "ring": "Places in a ring: the last is next to the first.",
        "grid": "Rows and columns of squares: `[8, 8]`. Places are called `a1`, `b1`, ….",
        "hex": "Hexagons: rows and columns, `[11, 11]`, or `{side: 3}`.",
        "graph": "Places that `links` join: a list, or a CSV file.",
        "part_of": "The board or type of which these are some values.",
        "edges_of": "The board whose places these edges join.",
        "ends": "The two columns with the places that an edge joins: `[one, other]`.",
        "links": "Neighbours, both ways: `{rome: [gaul, egypt]}`, or a CSV file.",
        "values": "The places of a part of a board.",
        "neighbours": "Which places are neighbours: `all` counts diagonals too.",
        "directions": "The name of the type of its directions, for `step` and `ray`.",
        "borders": "Parts of the board by the directions in which it ends there.",
        "name": "The name of the board of corners or edges.",
        "corners": "The name of the corners of places, which become a board.",
        "edges": "The name of the edges of places, which become a board.",
        "drawn": "How a terminal draws it: `whole`, or rows of places.",
        "without": "Places that are left out.",
    },
    "components": {
        **ROWS,
        "kinds": "The type whose values are the kinds of pieces: `kinds: face`.",
        "count": "How many there are, of each kind if there are kinds.",
        "copies": "How many of each kind: `{apple: 12, wasp: 4}`, or a column with the numbers.",
        "die": "The faces of a die: `1..6`, or a type.",
        "of": "`seat`: each seat has its own.",
        "keep": "In a preset: the kinds that still have pieces.",
    },
    "zones": {
        **OWNED,
        "holds": "The component whose pieces lie here. Required.",
        "size": "The largest number of pieces of a place; a place of size 1 reads as its piece.",
        "order": "`open` without an order, `pile`, `stack` or `row` with one, `shuffled` or `bag` unknown.",
        "shows": "For dice: `nothing` if their faces do not matter there.",
        "seen_by": "Who sees the pieces: `all`, the `owner`, the `others`, the `team`, only their `count`, "
        "the `top`, or `nobody`. Required.",
        "counted_by": "Who knows how many pieces lie here.",
        "start": "`all`: all pieces of the component lie here at the start.",
        "when_empty": "`{refill: discard}`: the zone that refills this one when a draw finds nothing.",
        "drawn": "`rows`: a terminal shows each piece in a row of its own.",
    },
    "counters": {
        **OWNED,
        "range": "The values that it may have: `0..99`. Required.",
        "start": "Its value at the start; 0 if it is left out.",
        "bank": "The counter to which the opposite of every change is booked.",
        "short": "`paid anyway`: a bank that cannot pay in full pays what it has.",
        "at_edge": "What a change beyond its range does: `error`, `clamp`, or `refuse` the action.",
    },
    "marks": OWNED,
    "pointers": {
        **OWNED,
        "to": "The type of the values that it refers to. Required.",
        "start": "The value at the start; none if it is left out.",
    },
    "tables": {
        "over": "Its domain: a range, a type, or a list of them. Required.",
        "gives": "The type of its cells: a range, a type, or `effect`, also `or none`. Required.",
        "rows": "Its rows, one for each value: `{0: 0, 1..3: 2}`, or a list.",
        "table": "A CSV file with its rows.",
        "order": "The direction of its cells along the last key, which `rulewright check` tests.",
    },
    "histories": {
        "of": "What is recorded: names of counters, marks, pointers, zones, values, and `active`. Required.",
        "most": "How many records it holds, at most 10000. Required.",
        "lasts": "`moment`: it holds finds of working memory, and is empty wherever the rules wait.",
    },
    "carries": {
        "of": "The counters, marks and pointers, as they are when a match ends. Required.",
        "while": "The value, true or false, that says at the end whether another match follows.",
    },
    "flow": {
        "seat": "Whose turn the phase is: `rotates`, or `{first: ..., next: ..., where: ...}`.",
        "highest": "The score lines and tie-breaks that count at this end, most wins: `[points, gold]`.",
        "lowest": "The score lines and tie-breaks that count at this end, least wins: `[points, gold]`.",
        "first": "The seat that has the first turn: `next(dealer)`. `A` if it is left out.",
        "next": "The seat that follows `active`; the next one in seat order if it is left out.",
        "where": "Who can have a turn: `not out of seat`.",
        "do": "The steps, carried out in order.",
        "then": "The next phase, or conditions and phases: `{game_over: final, otherwise: turn}`.",
        "score": "The game ends after this phase, and the account decides: `highest`, `lowest` or `none`.",
    },
    "allow": {
        "finding": "The code of the finding: `V304`.",
        "about": "What it is about, as the finding says.",
        "why": "Why it is intended.",
    },
    "provenance": {
        "of": "The type, board, component or table whose rows are meant.",
        "rows": "The names of the rows: `[mill, forge]`. Without it, all are meant.",
        "status": (
            "`reconstructed`: made up so that all that is known of the printed ones holds. `partly`: some "
            "cells are. `unconfirmed`: best knowledge without a source."
        ),
        "why": "Why, in a line that players read.",
    },
}
STEPS: Meanings = {
    "do one of": "The acting seat must do one of these actions.",
    "may do": "The acting seat may do one of these actions, or pass.",
    "may keep doing": "The acting seat may do these actions, one after the other, until it passes.",
    "at most": "How many times, beside `may keep doing`.",
    "with": "The flag option without which the step is left out.",
    "named": "The name of the step in scenarios and drawings.",
    "if": "A condition for the step.",
    "do": "The steps if the condition holds.",
    "otherwise": "The steps if nothing is done, or if the condition does not hold.",
}
FILES: Mapping[str, Meanings] = {
    "rulebook": {
        "rulebook": "Which rulebook it is: title, publisher, language.",
        "brief": "The game in short, for its rulebook: `aim: Whoever has the most {vp} wins (§10.8).`",
        "role": "Who the players are, and what the game is about.",
        "aim": "How one wins.",
        "points": "Where points come from.",
        "end": "When the game ends.",
        "turn": "What a turn or a round consists of.",
        "texts": "The texts of the rulebook that clauses are located in.",
        "clauses": "The clauses, each in own words: `§2.1: {heading: ..., says: ...}`.",
        "heading": "A heading of a few words.",
        "says": "What the clause says, in your own words.",
        "section": "The part of the rulebook where it stands.",
        "page": "The page where it stands.",
        "kind": "What kind of sentence it is. A `rule` must be rendered by a line of the rules.",
        "why": "Why nothing renders it, or why a ruling reads it so.",
        "at": "The sentences of the text that it sums up: `{en: 12..13}`.",
        "numbers": "Why a number of its sentences need not be in the rules: `{36: it is counted}`.",
        "rendered": "Why no line of the rules has its mark.",
        "executed": "Why play need not reach its lines.",
        "asserted": "Why no scenario need test it.",
        "excluded": "Why it is not expected to be rendered, executed or asserted.",
    },
    "translation": {
        "rulebook": "Which rulebook it is: title, publisher, language.",
        "clauses": "The clauses that are translated: `§2.1: {heading: ..., says: ...}`.",
        "heading": "A heading of a few words.",
        "says": "What the clause says.",
        "why": "Why a ruling reads it so.",
        "rulings": "The rulings of the game: `scores: {readings: {shared: ...}, why: ...}`.",
        "readings": "What each reading says.",
        "provenance": "Why rows are not known to be the printed ones: `market: {reconstructed: ...}`.",
    },
    "scenarios": {
        "scenario": "Its name: what it shows, in a sentence.",
        "cites": "The clauses that it tests: `§2.1`, or a list.",
        "given": "The position in which it begins.",
        "seats": "The number of players.",
        "options": "Options and rulings that differ from their defaults.",
        "set": "What lies where and which values there are: `{coins of A: 3}`.",
        "seat": "Whose turn it is.",
        "prepared": "`true`: the game is set up first, with a fixed seed; then `set` is applied.",
        "carried": "What has carried over from the match before; then the whole match follows.",
        "at": "The phase or step at which it starts; without it, the start of the game.",
        "spare": "`true`: there may be more pieces of a kind than the game has.",
        "chance": "What dice and draws bring, in order: `{deck: [ace, two]}`.",
        "when": "What the seats choose, one decision a line: `- A: take`.",
        "then": "What holds in the end: `{coins of A: 5}`.",
        "refused": "A choice that must not be offered: `{A: sell, because: number > 0}`.",
        "expect": "What holds here, in the middle: `{coins of A: 5}`.",
        "possible": "Exactly these outcomes can come next: `{die: [1, 2, 3]}`.",
        "impossible": "Outcomes of which none can come next: `{die: [0, 7]}`.",
        "times": "How often lines are repeated.",
        "lines": "The lines that are repeated.",
        "allow": "What is refused otherwise: `[impossible position]`, `[spare pieces]`, `[unused outcomes]`.",
    },
    "labels": {
        "help": "A sentence more about a name, where people ask for it.",
        "nouns": "How names are called in the middle of sentences: singular and plural.",
        "phrases": "How names are put together: `face: \"{rank} of {suit}\"`.",
    },
    "mutants": {
        "operator": "The kind of mistake.",
        "in": "The definition in which it is put.",
        "clause": "The clause whose lines it is put into.",
        "old": "The words that are changed.",
        "new": "The words that they are changed into.",
        "nth": "Which of several such places.",
        "why": "Why the mistake makes no difference to play.",
    },
    "about": {
        "says": "What the game is, in a line for each language: `{en: Sink the other fleet.}`.",
        "names": "Other names that people may look for: `{en: [draughts], hu: [dáma]}`.",
        "tags": "What kinds of game it is: `[board, abstract]`.",
    },
    "look": {
        "zones": "How zones are drawn, by name.",
        "counters": "How counters are drawn, by name.",
        "marks": "How marks are drawn, by name.",
        "pointers": "How pointers are drawn, by name.",
        "boards": "How boards are drawn, by name: positions or rows of places, cells, colours.",
        "pieces": "How pieces are drawn, by component: shape, face, colours, icons.",
        "together": "Boards that are drawn in one picture.",
        "seats": "The colours of seats.",
        "areas": "The order of the parts of the page.",
        "shown": "Values of the rules that the page shows.",
        "values": "Icons of values, by type: `{good: {wood: sign log}}`.",
    },
}  # fmt: skip
WORDS: Mapping[str, Meanings] = {
    "order": {
        "open": "Without an order: equal pieces are counted together.",
        "pile": "One order, from bottom to top.",
        "stack": "One order, from bottom to top.",
        "row": "One order, from first to last.",
        "shuffled": "No known order: each draw is random.",
        "bag": "No known order: each draw is random.",
        "rising": "From the lowest to the highest.",
    },
    "seen_by": {
        "all": "Everybody sees it.",
        "owner": "Only the seat that has it sees it.",
        "others": "All see it but the seat that has it.",
        "team": "The team of the seat sees it.",
        "nobody": "Nobody sees it, nor how many pieces there are.",
        "count": "Everybody sees how many pieces there are, and nothing else.",
        "top": "Everybody sees the piece on top.",
    },
    "at_edge": {
        "error": "Leaving the range stops the run.",
        "clamp": "The value stays at the end of the range.",
        "refuse": "An action that would leave the range is not offered.",
    },
    "seat": {"rotates": "Each time the phase is entered, the next seat acts."},
    "score": {
        "highest": "Whoever has the most wins.",
        "lowest": "Whoever has the least wins.",
        "none": "The account does not decide.",
    },
}
"""What words mean that stand behind a key."""


def meanings(section: str) -> Meanings:
    """What the keys of the declarations of a section of `game.yaml` mean."""
    return {"clause": CLAUSE, **DECLARATIONS.get(section, {})}


def _described(shape: Json, meaning: str | None) -> Json:
    return shape if meaning is None else {**shape, "description": meaning}


def explained(shape: Json, known: Meanings) -> Json:
    """A shape whose keys have descriptions, in all of its alternatives."""
    found = dict(shape)
    if "properties" in shape:
        found["properties"] = {
            key: inner if isinstance(inner, bool) else _described(explained(inner, known), known.get(key))
            for key, inner in shape["properties"].items()
        }
    for inside in ("anyOf", "oneOf", "allOf"):
        if inside in shape:
            found[inside] = [explained(each, known) for each in shape[inside]]
    for inside in ("items", "additionalProperties", "then", "else"):
        if isinstance(shape.get(inside), dict):
            found[inside] = explained(shape[inside], known)
    if "patternProperties" in shape:
        found["patternProperties"] = {
            key: explained(inner, known) for key, inner in shape["patternProperties"].items()
        }
    return found
