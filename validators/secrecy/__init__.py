"""Noninterference: what a seat cannot see does not influence what it sees."""

from validators.secrecy.noninterference import Leak, leaks

__all__ = ["Leak", "leaks"]
