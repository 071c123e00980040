"""Bots: players that depend on a seed and on what their seat may know, held as strategies.

`names` makes a `bot` of its name, `random` and `search` are the two kinds. A search takes worlds from
`dealing` or from beliefs; while seats choose together, from the position `alone`. `exact` solves decisions
after which few positions can follow (`successors`, `value_iteration`); all others go to `tree_search`, whose
iterations run in the module (`interpreter/wasm/batches/search.py`). `settings` and `budget` say how it
searches, `ranking` which choice is best, `plans` what was decided for the rest of a move. Pages have bots of
their own in `web/backend/bots.js`.
"""
