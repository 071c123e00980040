"""The games of a server: their rules, read once, and what is made from them for the page.

Reading, compiling and writing rulebooks takes up to seconds, so it is done in threads, never on the loop.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

from dsl import rules as r
from dsl.diagnostics import DiagnosticError, ErrorsReported
from dsl.domains import FlagType, IntType
from interpreter.bots.names import offered_bots, usual_bot
from interpreter.game import Game
from rulewright.http.errors import ApiError
from rulewright.layout.compose import seat_colours
from rulewright.library import bundled, find, open_game, read_rules
from rulewright.measures import measures_of
from rulewright.presentation.description import clauses_by_language, describe, digest_of, encode
from rulewright.presentation.game_search import finding_json
from rulewright.presentation.option_sets import sets_json
from rulewright.provenance import provenance_json
from rulewright.rulebook.configured import configured_book
from rulewright.serve.cache import RecentlyUsed
from rulewright.serve.ending_work import EndingWork, ServerEnds
from rulewright.serve.errors import GOES_DOWN, of_diagnostics
from rulewright.serve.fair_share import FairShare, Turns
from rulewright.serve.games.bounded_process import BoundedWork
from rulewright.serve.games.compiled import Games
from rulewright.serve.games.documents import picture, rulebook

Result = TypeVar("Result")
Before = Callable[[], None]
"""Called before something is made that takes long; it may refuse."""
MOST_DESCRIPTIONS = 500
MOST_UPLOADED = 200
"""Uploaded games of a list."""
MOST_SEATS = 16
"""Seats of a match."""
MOST_RULEBOOKS = 60
MOST_CONFIGURATIONS = 200
REMEMBERED = 120.0
"""Seconds for which it is remembered that a ruleset of a stranger was refused."""


def _nothing() -> None:
    """What is done before a document that nobody counts."""


@dataclass(frozen=True, slots=True)
class ServedGame:
    """A game that can be played: its id, its name or path, its rules, and whether it is bundled."""

    id: str
    source: str
    rules: r.Rules
    bundled: bool


@dataclass(frozen=True, slots=True)
class Description:
    """A description as JSON, and the hash under which it is served."""

    hash: str
    data: bytes


class Catalogue:
    """The games of a server by id. All methods are called on the loop; what takes long runs in one thread.

    Rulesets of strangers, by their source, are tried in a bounded process first, and what can be made without
    the server is made there.
    """

    def __init__(
        self,
        sources: Mapping[str, str],
        rulesets: Games | None = None,
        is_stranger: Callable[[str], bool] = lambda _: False,
        share: FairShare | None = None,
    ) -> None:
        share = share or FairShare()
        self._turns = Turns(share)
        self.sources = dict(sources)
        self.is_stranger = is_stranger
        self.bounded = BoundedWork(share)
        self._until_the_end = EndingWork()
        self._rulesets = rulesets or Games()
        self._games: dict[str, ServedGame] = {}
        self._thread = ThreadPoolExecutor(1, "rulesets")
        self._descriptions = RecentlyUsed[Description](MOST_DESCRIPTIONS)
        self._by_game = RecentlyUsed[tuple[r.Rules, Description]](MOST_DESCRIPTIONS)
        self._texts = RecentlyUsed[str](MOST_RULEBOOKS)
        self._configurations = RecentlyUsed[Game](MOST_CONFIGURATIONS)
        self._by_processes = RecentlyUsed[Any](MOST_RULEBOOKS)
        self._refused = RecentlyUsed[tuple[float, ApiError]](MOST_CONFIGURATIONS)

    async def in_thread(self, act: Callable[..., Result], *given: Any) -> Result:
        """The result of a function that takes long. Raises `ApiError` for mistakes of rulesets."""

        async def made() -> Result:
            async with self._turns.turn():
                return await asyncio.get_running_loop().run_in_executor(self._thread, act, *given)

        try:
            return await self._until_the_end.result(made())
        except ServerEnds:
            raise ApiError("not-available", GOES_DOWN) from None
        except ErrorsReported as errors:
            raise of_diagnostics(list(errors.report)) from None
        except DiagnosticError as error:
            raise of_diagnostics([error.diagnostic]) from None

    def end(self) -> None:
        """The server goes down: who waits for what is made of a game is refused."""
        self.bounded.end()
        self._until_the_end.end()

    def close(self) -> None:
        """Wait for nothing that is being made."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    # ---- games

    async def games(self) -> list[ServedGame]:
        """All games by title, as they could be read last; those that never could are left out.

        Of those that were uploaded only the last `MOST_UPLOADED`; as they never change, none is read again.
        """
        found = []
        uploaded = [id for id, source in self.sources.items() if self.is_stranger(source)]
        left_out = set(uploaded[:-MOST_UPLOADED])
        for id in [id for id in self.sources if id not in left_out]:
            try:
                found.append(await self.game(id))
            except ApiError:
                found += [self._games[id]] if id in self._games else []
        return sorted(found, key=lambda game: game.rules.title)

    async def game(self, id: str) -> ServedGame:
        """A game by its id; one that lies in a folder, as its files are now. Raises `ApiError`."""
        if id not in self.sources:
            raise ApiError("not-found", "there is no such game here")
        known = self._games.get(id)
        if known is None or not (known.bundled or self.is_stranger(known.source)):
            found = await self.in_thread(self._read, id, self.sources[id])
            if known is None or found.rules is not known.rules:
                self._games[id] = found
                self._forget(id)
        return self._games[id]

    def _forget(self, id: str) -> None:
        """What was made from a game is made again, since its files have changed."""
        for key in [key for key in self._configurations.values if key[0] == id]:
            del self._configurations.values[key]
        for key in [key for key in self._texts.values if key[1] == id]:
            del self._texts.values[key]

    def _read(self, id: str, source: str) -> ServedGame:
        """Read a game; matches of it use the same rules."""
        return ServedGame(id, source, self._rulesets.read(source).rules, source in bundled())

    def add(self, id: str, source: str) -> None:
        """A further game, such as one that was uploaded."""
        self.sources[id] = source

    def remove(self, id: str) -> None:
        """A game is there no more. Its matches continue, on their own rules."""
        self.sources.pop(id, None)
        self._games.pop(id, None)
        self._forget(id)

    async def compiled(self, id: str, seats: int | None, options: Mapping[str, str], before: Before) -> Game:
        """A configuration of a game. Raises `ApiError`."""
        game = await self.game(id)
        key = (id, seats, tuple(sorted(options.items())))
        found = self._configurations.get(key)
        if found is None:
            before()
            if self.is_stranger(game.source):
                await self._by_process(key, game.source, "compiled", seats=seats, options=dict(options))
            found = await self.in_thread(open_game, game.source, seats, dict(options))
            self._configurations.put(key, found)
        return found

    # ---- what is made from them

    async def description(self, game: Game) -> Description:
        """The description of a compiled game."""
        mc = game.machine
        # The digest says nothing of labels and looks, which may change while a folder is served. As long as
        # the rules are kept here, no others have their number.
        key = (mc.digest, mc.seats, tuple(sorted(mc.options.items())), id(game.rules))
        known = self._by_game.get(key)
        if known is None:
            found = await self.in_thread(_described, game)
            known = game.rules, found
            self._by_game.put(key, known)
            self._descriptions.put(found.hash, found)
        return known[1]

    def described(self, hash: str) -> Description | None:
        """The description with a hash, if it was made since the start of the server."""
        return self._descriptions.get(hash)

    async def picture(self, id: str) -> str:
        """A picture of a game as SVG. Raises `ApiError`."""
        game = await self.game(id)
        if self.is_stranger(game.source):
            return str(await self._by_process(("picture", id), game.source, "picture"))
        return await self._text(("picture", id), picture, game.source, game.rules)

    async def clauses(self, id: str, before: Before) -> str:
        """The clauses of a game as JSON, with where its rulebook has them. Raises `ApiError`."""
        game = await self.game(id)
        if self.is_stranger(game.source):
            where = await self._by_process(("clauses", id), game.source, "clauses", before)
            return _clauses(game, where)
        return await self._text(("clauses", id), _clauses, game, before=before)

    async def rulebook(
        self, id: str, seats: int | None, options: Mapping[str, str], lang: str | None, before: Before
    ) -> str:
        """The rulebook of a game as HTML. Raises `ApiError`."""
        game = await self.game(id)
        key = ("rulebook", id, seats, tuple(sorted(options.items())), lang)
        if self.is_stranger(game.source):
            asked = {"seats": seats, "options": dict(options), "lang": lang}
            return str(await self._by_process(key, game.source, "rulebook", before, **asked))
        given = game.source, game.rules, seats, dict(options), lang
        return await self._text(key, rulebook, *given, before=before)

    async def _by_process(
        self, key: object, source: str, what: str, before: Before = _nothing, **asked: object
    ) -> Any:
        """What a bounded process makes of a ruleset; for a while also that it refuses is remembered."""
        refused = self._refused.get(key)
        if refused is not None and time.monotonic() < refused[0]:
            raise refused[1]
        found = self._by_processes.get(key)
        if found is None:
            before()
            try:
                found = await self.bounded.made_of(source, what, **asked)
            except ApiError as error:
                self._refused.put(key, (time.monotonic() + REMEMBERED, error))
                raise
            self._by_processes.put(key, found)
        return found

    async def _text(
        self, key: object, act: Callable[..., str], *given: Any, before: Before = _nothing
    ) -> str:
        found = self._texts.get(key)
        if found is None:
            before()
            found = await self.in_thread(act, *given)
            self._texts.put(key, found)
        return found


def _clauses(game: ServedGame, where: Mapping[str, Sequence[str]] | None = None) -> str:
    """The clauses of a game, and the anchors in its rulebook of what renders them, as JSON."""
    if where is None:
        where = configured_book(game.source, game.rules, None, {}, None).where
    found = {
        clause.id: {
            "heading": clause.heading,
            "text": clause.says,
            "sections": list(where.get(clause.id, ())),
        }
        for clause in game.rules.clauses.values()
    }
    return encode({"clauses": found}).decode()


def _described(game: Game) -> Description:
    data = encode(describe(game))
    return Description(digest_of(data), data)


def sources_of(names: tuple[str, ...]) -> dict[str, str]:
    """The name or path of each game by its id; all bundled games without names. Raises `DiagnosticError`."""
    found: dict[str, str] = {}
    for name in names or bundled():
        path = find(name)
        id, number = path.resolve().name, 1
        while id in found and found[id] != name:
            number += 1
            id = f"{path.resolve().name}-{number}"
        found[id] = name if name in bundled() else str(path.resolve())
    return found


def check_readable(sources: Mapping[str, str]) -> None:
    """Raises `ErrorsReported` or `DiagnosticError` for the first game that has mistakes."""
    for source in sources.values():
        read_rules(source)


# ---- games as JSON


def card(game: ServedGame) -> dict[str, Any]:
    """What the list of games says of one."""
    rulings = sum(bool(option.readings) for option in game.rules.options.values())
    return {
        "game": game.id,
        "title": game.rules.title,
        "seats": list(game.rules.seat_counts),
        "languages": list(game.rules.languages),
        "options": len(game.rules.options) - rulings,
        "rulings": rulings,
        "bundled": game.bundled,
        "provenance": provenance_json(game.rules),
        "picture": f"/api/games/{game.id}/picture.svg?v={game.rules.digest[:12]}",
        "seat_colours": seat_colours(game.rules, min(game.rules.seats[1], MOST_SEATS)),
        **finding_json(game.rules, measures_of(game.id, game.rules.digest) if game.bundled else None),
    }


def page(game: ServedGame, searching: bool) -> dict[str, Any]:
    """What the page of a game is made from; `searching`: bots may search under its rules."""
    rules = game.rules
    options = [_option(option) for option in rules.options.values()]
    cited = {mark for option in rules.options.values() for mark in option.clauses}
    return card(game) | {
        "digest": rules.digest,
        "rulebook": f"/api/games/{game.id}/rulebook",
        "options": [option for option in options if option["kind"] == "option"],
        "rulings": [option for option in options if option["kind"] == "ruling"],
        "bots": list(offered_bots(searching)),
        "usual_bot": usual_bot(searching),
        "labels": {tag: dict(rules.in_language(tag).labels) for tag in rules.languages},
        "clauses": {
            tag: {mark: clauses[mark].heading for mark in sorted(cited & clauses.keys())}
            for tag, clauses in clauses_by_language(rules).items()
        },
        "translations": {
            tag: _translated(other) for tag, other in rules.translations.items() if tag == other.clauses_in
        },
        "teams": [rules.types["team"].label(team) for team in rules.teams],
    }


def _translated(other: r.Translation) -> dict[str, Any]:
    """What rulings say in another language."""
    rulings = {name: option for name, option in other.options.items() if option.readings}
    return {"rulings": {name: {"readings": x.readings, "why": x.why} for name, x in rulings.items()}}


def _option(option: r.Option) -> dict[str, Any]:
    values, limits, default = list(option.values), None, option.text(option.default)
    match option.type:
        case FlagType():
            values, default = ["on", "off"], "on" if option.default else "off"
        case IntType(lo, hi):
            values, limits = [], [lo, hi]
    return {
        "name": option.name,
        "kind": "ruling" if option.readings else "option",
        "values": values or None,
        "range": limits,
        "sets": sets_json(option) or None,
        "default": default,
        "clauses": list(option.clauses),
        "readings": dict(option.readings),
        "why": option.why,
    }
