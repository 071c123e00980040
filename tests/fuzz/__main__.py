"""`python -m tests.fuzz`: inputs at random for so many minutes; what goes wrong is kept for the tests."""

from __future__ import annotations

import argparse
import sys
from datetime import datetime
from functools import partial

from tests.fuzz.campaign import Campaign
from tests.fuzz.trying import FUZZERS


def main() -> int:
    arguments = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    arguments.add_argument(
        "fuzzers", nargs="*", metavar="FUZZER", help=f"of {', '.join(FUZZERS)}; default: all"
    )
    arguments.add_argument("--minutes", type=float, default=10.0)
    arguments.add_argument("--seed", type=int, help="the same seed tries the same inputs; default: the day")
    arguments.add_argument("--jobs", type=int, default=2, help="processes; default: 2")
    given = arguments.parse_args()
    unknown = [name for name in given.fuzzers if name not in FUZZERS]
    if unknown or given.jobs < 1 or given.minutes <= 0:
        arguments.error(f"no fuzzer `{unknown[0]}`" if unknown else "give some time and a process")
    seed = given.seed if given.seed is not None else int(datetime.now().strftime("%Y%m%d"))
    say = partial(print, flush=True)
    campaign = Campaign(tuple(given.fuzzers or FUZZERS), seed, given.jobs, lambda text: say(text))
    return int(campaign.run(60 * given.minutes) > 0)


if __name__ == "__main__":
    sys.exit(main())
