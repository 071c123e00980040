"""Proofs about rules, machines, runs and rulebooks."""
