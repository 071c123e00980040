"""Follows all records below a folder with the notations of the bundled games, and says what agrees.

`python tools/real_records.py FOLDER [GAME] [--most N]`: N is the most records of each game.
Disagreements are grouped by what they say, with one place for each.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from time import process_time

from rulewright.library import bundled, bundled_folder
from rulewright.records import FOLDER, RecordGame
from validators.records.replaying import Followed

QUOTED = re.compile(r"`[^`]*`")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("game", nargs="?")
    parser.add_argument("--most", type=int, default=None)
    chosen = parser.parse_args()
    for name in (chosen.game,) if chosen.game else bundled():
        if (bundled_folder() / name / FOLDER).is_dir():
            report(name, chosen.folder, chosen.most)


def report(name: str, folder: str, most: int | None) -> None:
    """Print what has become of the records of one game."""
    game = RecordGame(name)
    began, records, plays = process_time(), 0, 0
    reasons: Counter[str] = Counter()
    places: dict[str, str] = {}
    for found in islice(followed(game, folder), most):
        records, plays = records + 1, plays + found.plays
        if found.diagnostic is not None:
            reason = f"{found.diagnostic.code}: {QUOTED.sub('`…`', found.diagnostic.message)}"
            reasons[reason] += 1
            source, start = found.diagnostic.span.source, found.diagnostic.span.start
            places.setdefault(
                reason, f"{source.name}:{source.position(start)[0]}: {found.diagnostic.message}"
            )
    if not records:
        return
    seconds = process_time() - began
    agreed = records - reasons.total()
    each = f"{records / seconds:,.1f} records and {plays / seconds:,.0f} plays in each"
    print(f"{name}: {records:,} records, {plays:,} plays, {agreed:,} agree")
    print(f"{seconds:,.1f} s of the processor, {each}")
    for reason, number in reasons.most_common():
        print(f"{number:>7,}  {reason}\n         {places[reason]}")


def followed(game: RecordGame, folder: str) -> Iterator[Followed]:
    """All records of a game below a folder."""
    for notation, source in game.sources(folder, None):
        yield from game.follow(notation, source)


if __name__ == "__main__":
    main()
