"""Static analyses of a machine as a graph: reachability, cycles, conditions, intervals."""
