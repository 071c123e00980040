"""Examples of learning: solvers, policy gradients, self-play."""
