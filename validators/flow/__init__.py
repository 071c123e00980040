"""The graph of a machine: its edges, what is reached, what goes round without getting on."""
