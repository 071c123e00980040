"""A match under rules that have changed: it is moved to them if it is the same match, else it stays."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.diagnostics import ErrorsReported
from dsl.source import Source
from interpreter import log
from interpreter.match import Match
from interpreter.messages import Fault
from rulewright.serve.games.compiled import Games, ReadRuleset
from rulewright.serve.matches.actions import Prepared, refuse
from rulewright.serve.matches.event_log import queues_of
from rulewright.serve.matches.exports import log_of
from rulewright.serve.matches.live import LiveMatch, RowMaker, new_match
from rulewright.serve.store.storage import Update
from rulewright.versions.logs import Judged
from rulewright.versions.matches import cause, differing, diverging
from validators.diff.compare import compare
from validators.diff.log_replay.verdicts import CompatChecker, Verdict

MOST_NAMED = 12
"""How many clauses and names are told of what has changed."""
SEED = "its seed was committed to for the rules that it began with"


@dataclass(frozen=True)
class Migration:
    """A match under new rules, or why it stays on its own: the step and the clauses that differ."""

    why: str
    match: Match | None = None
    digest: str = ""
    archive: str = ""

    def prepared(self, length: int, live: LiveMatch, at: int) -> Prepared:
        """The migration as an action. Raises `DiagnosticError` if the match has gone on meanwhile."""
        if self.match is None or live.log.length != length:
            refuse("the match has gone on meanwhile")
        maker = RowMaker(length, at)
        hashes = [step.hash for step in self.match.steps]
        maker.add("migrated", None, None, before=live.row.digest, digest=self.digest, hashes=hashes)
        update = Update(digest=self.digest, archive=self.archive)
        return Prepared(self.match, tuple(maker.rows), update)


@dataclass(frozen=True)
class KeptRules:
    """What has changed since the rules on which a match stays: clauses, and names of the rules.

    It says nothing of the match, since the step at which it would differ may be known to one seat alone.
    """

    clauses: tuple[str, ...]
    names: tuple[str, ...]


def kept(live: LiveMatch, read: ReadRuleset) -> KeptRules:
    """What has changed between the rules of a match and those that were read."""
    found = compare(live.game.rules, read.rules)
    changes = [change for change in found.changes if change.section not in ("words", "clauses", "findings")]
    return KeptRules(found.clauses()[:MOST_NAMED], tuple(change.name for change in changes)[:MOST_NAMED])


def migrated(games: Games, live: LiveMatch, read: ReadRuleset) -> Migration:
    """A match under the rules that were read.

    Both versions play its log: choices, offers, events, positions and scores must be the same.
    """
    if live.row.commitment is not None:
        return Migration(SEED)
    try:
        verdict = judged(live, read)
        if verdict.kind != "unaffected":
            return Migration(reason(verdict))
        game = games.game(read.archive.digest, live.row.seats, live.row.options)
        match = new_match(live.row, game)
        match.outcomes = queues_of(live.log.standing, live.log.queues)
        match.start()
        for row in live.log.standing:
            if row.kind == "choice":
                assert row.seat is not None
                match.choose(game.names.seat(row.seat), row.data["words"])
    except (Fault, ErrorsReported) as error:
        return Migration(str(error))
    if [step.text for step in match.steps] != [step.text for step in live.match.steps]:
        return Migration("its words have changed")
    return Migration("", match, read.rules.digest, read.archive.digest)


def judged(live: LiveMatch, read: ReadRuleset) -> Verdict:
    """The verdict on the log of a match under its own rules and those that were read."""
    saved = log.read(Source("log", log_of(live)))
    return CompatChecker(compare(live.game.rules, read.rules)).judge(saved)


def reason(verdict: Verdict) -> str:
    """Which step and which clauses differ."""
    one = Judged("", verdict.kind, verdict.steps, verdict.sealed, verdict.parting, verdict.divergence, None)
    if verdict.diagnostic is not None:
        return verdict.diagnostic.message
    if verdict.divergence is not None:
        text = diverging(verdict.divergence)
    else:
        assert verdict.parting is not None
        text = differing(verdict.parting)
    clauses = " ".join(cause(one).clauses)
    return f"{text} ({clauses})" if clauses else text
