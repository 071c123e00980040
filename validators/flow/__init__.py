"""The graph of a machine: its hops, what is reached, what goes round without getting on."""
