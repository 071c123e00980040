"""`python -m tests.durability --kills 1000 --faults 100`: what is lost when everything goes wrong."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.durability import faults, kills


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=1000, help="how many processes are killed")
    parser.add_argument("--faults", type=int, default=100, help="how many disks fail")
    parser.add_argument("--seed", type=int, default=1, help="what is tried, and when")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        killed = kills.run(wanted.kills, wanted.seed, Path(folder), _progress)
        print(killed)
        failed = faults.run(wanted.faults, wanted.seed, Path(folder))
        print(failed)
    return int(bool(killed.lost or killed.refused or failed.lost or failed.wrong))


def _progress(tally: kills.Tally) -> None:
    if tally.kills % 50 == 0:
        print(tally, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
