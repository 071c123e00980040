"""The reference executor: plain Python over the machine's nodes, complete and obvious."""
