"""Bounded exhaustive exploration of all reachable positions.

`explore` is the entry point. `search` goes breadth first over the positions that `stepping` gives, each known
by its `state_key`, and fills a `graph`, on which `liveness` is decided. Symmetries are found in three steps:
`automorphisms` has candidates, `choosing` takes those that seem to hold, and `symmetry_reduction` proves each
while it is used (`renaming` applies them). `traced` lets a state record phases and ends, `findings` and
`witness` say what was found. `playouts` is the sample for games that are too large.
"""
