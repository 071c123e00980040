"""Measures how long and how heavy the bundled games are: rulesets/measures.json.

python tools/measure.py             # those whose rules have changed since
python tools/measure.py hex chess   # these

What is measured is described in `rulewright/measures.py`. A game takes up to two minutes.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from rulewright.library import bundled, read_rules
from rulewright.measures import kept_measures, measure, measures_of, measures_path, measures_text


def main(names: list[str]) -> None:
    wanted = names or [name for name in bundled() if measures_of(name, read_rules(name)[0].digest) is None]
    for name in wanted:
        measured = measure(name)
        kept_measures.cache_clear()  # another one may have written meanwhile
        found = {other: one for other, one in kept_measures().items() if other in bundled()}
        measures_path().write_text(measures_text(found | {name: measured}), encoding="utf-8")
        print(name, measured, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
