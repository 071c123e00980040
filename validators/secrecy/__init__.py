"""Noninterference: what a seat cannot see does not influence what it sees.

The test plays. `recorded_run` takes some random steps of a match, `indistinguishable_states` makes states
that differ only in what a seat cannot see, `shadow_run` takes the same steps there, and `noninterference`
compares what the seat is shown in both (`observations`). `hidden_words` and `slots` find what may differ,
`laid_open` what the rules lay open themselves. `visibility` reads the declarations and nothing else: the
views of the referee are what is examined. `taint` runs no match: it finds decisions that depend on hidden
pieces.
"""
