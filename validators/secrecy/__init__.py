"""Secrecy as a law: what a seat cannot see, the referee does not let it know in any other way."""

from validators.secrecy.noninterference import Leak, leaks

__all__ = ["Leak", "leaks"]
