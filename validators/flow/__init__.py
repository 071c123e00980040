"""Static analyses of a machine as a graph: reachability, cycles, conditions, intervals.

`graph` is what all of them and the checks share. `cycles` looks for play without progress, by what nodes
change (`updates`) and what is never empty meanwhile (`filled`). `facts`, `guards` and `intervals` say what is
known of numbers at a node, and `writes` judges by them whether a number can leave its range. `origins`,
`nonempty` and `shown` follow pieces, `simultaneous` the branches of `together`, and `path_text` says a path
in words.

An analysis may take something to be possible that never happens, but not the other way round.
"""
