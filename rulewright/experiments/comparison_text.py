"""What a comparison says, as text and as JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence

from dsl.wording import counted, listed
from rulewright.experiments.compared import Compared
from rulewright.processes.early_end import Ended
from validators.experiments.comparing import Measure
from validators.experiments.statistics import Interval, SequentialVerdict

VERDICTS = {
    SequentialVerdict.UNDECIDED: "undecided",
    SequentialVerdict.LOWER: "lower",
    SequentialVerdict.SAME: "the same, within {margin}",
    SequentialVerdict.HIGHER: "higher",
}


def comparison_text(found: Compared, titles: tuple[str, str], command: str, note: str = "") -> str:
    """A table of the measures with intervals, and the command that makes it again."""
    old, new = titles
    job, tally = found.plan.job, found.tally
    bots = ", ".join(dict.fromkeys((*job.old.bots, *job.new.bots)))
    lines = [f"old  {old}", f"new  {new}", f"bots {bots}", *([f"note {note}"] if note else []), ""]
    pairs = f"{counted(tally.pairs, 'pair')} with the same chance"
    if found.played:
        seeds = f"seeds {job.first} to {job.first + found.played - 1}"
        pairs += f", {seeds}; {tally.same:,} of them ended the same"
    lines.append(pairs)
    lines += ended_early(found, tally.pairs)
    if not tally.pairs:
        return "\n".join([*lines, "", f"again: {command}"])
    lines += ["", summed_up(found.measures)]
    lines += ["", f"{'':<14}{'old':>10}{'new':>10}   difference"]
    lines += [_line(measure) for measure in found.measures]
    return "\n".join([*lines, "", f"again: {command}"])


def summed_up(measures: Sequence[Measure]) -> str:
    """A sentence: what differs, that nothing does, or that it is not known yet."""
    tested = [measure for measure in measures if not measure.told]
    by = {verdict: [m.name for m in tested if m.verdict is verdict] for verdict in SequentialVerdict}
    changed = [
        f"{m.name} {VERDICTS[m.verdict]}"
        for m in tested
        if m.verdict in (SequentialVerdict.LOWER, SequentialVerdict.HIGHER)
    ]
    open_ones = listed(by[SequentialVerdict.UNDECIDED], "and")
    if changed:
        rest = f"; of {open_ones} it is not known yet" if open_ones else ""
        return f"the new side differs: {listed(changed, 'and')}{rest}"
    if open_ones:
        return f"not decided: {open_ones}; more pairs would tell, by `-n`"
    return "no difference that matters"


def ended_early(found: Ended, pairs: int) -> list[str]:
    """A line that says why so many pairs are all, if play ended before its time."""
    if not found.interrupted and found.failure is None:
        return []
    why = "interrupted" if found.interrupted else "play ended early"
    return [f"{why}: these are the pairs that were finished" if pairs else f"{why} before a pair had ended"]


def nothing_to_compare(as_json: bool, command: str) -> str:
    """What is said of two sides with the same files, options and bots: there is nothing to play."""
    if as_json:
        return json.dumps({"equal": True, "pairs": 0, "measures": [], "again": command}, indent=2)
    return "both sides have the same rules and the same options: every pair would end the same"


def _line(measure: Measure) -> str:
    old, new = (amount(measure, e.mean) for e in (measure.old, measure.new))
    verdict = "" if measure.told else VERDICTS[measure.verdict].format(margin=amount(measure, measure.margin))
    return f"{measure.name:<14}{old:>10}{new:>10}   {spread(measure):<28} {verdict}".rstrip()


def amount(measure: Measure, value: float) -> str:
    """A value in the unit of its measure."""
    return f"{100 * value:z.1f} %" if measure.unit == "share" else f"{value:z.2f}"


def spread(measure: Measure) -> str:
    """The difference with its interval."""
    scale, digits = (100, 1) if measure.unit == "share" else (1, 2)
    found = measure.difference.scaled(scale)
    return f"{found.estimate:+z.{digits}f} ({found.low:+z.{digits}f} to {found.high:+z.{digits}f})"


def comparison_object(found: Compared, command: str, note: str = "") -> dict[str, object]:
    """The comparison for programs; shares are parts of one."""
    job, tally = found.plan.job, found.tally
    return {
        "old": {"digest": job.old.variant.digest, "options": dict(job.old.variant.options)},
        "new": {"digest": job.new.variant.digest, "options": dict(job.new.variant.options)},
        "bots": {"old": list(job.old.bots), "new": list(job.new.bots)},
        "seed": job.first,
        "pairs": tally.pairs,
        "same": tally.same,
        "note": note or None,
        "interrupted": found.interrupted,
        "failure": found.failure.code if found.failure is not None else None,
        "measures": [measure_object(measure) for measure in found.measures] if tally.pairs else [],
        "faults": {text: sorted(fault.seeds) for text, fault in sorted(tally.faults.items())},
        "again": command,
    }


def measure_object(measure: Measure) -> dict[str, object]:
    return {
        "measure": measure.name,
        "unit": measure.unit,
        "old": _rounded(measure.old.mean),
        "new": _rounded(measure.new.mean),
        "difference": interval_object(measure.difference),
        "margin": _rounded(measure.margin),
        "verdict": None if measure.told else str(measure.verdict),
    }


def interval_object(found: Interval) -> dict[str, float | None]:
    return {
        "estimate": _rounded(found.estimate),
        "low": _rounded(found.low),
        "high": _rounded(found.high),
    }


def _rounded(value: float) -> float | None:
    return round(value, 6) if math.isfinite(value) else None
