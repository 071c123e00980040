"""Fingerprints of sentences, which can be stored where their text, for copyright, cannot.

A fingerprint is two numbers of 32 bits, `1a2b3c4d-5e6f7a8b`. The first is the beginning of the SHA-256 of
the sentence's words, without punctuation and case. The second is a SimHash (Charikar, "Similarity estimation
techniques from rounding algorithms", 2002) over its trigrams: between similar sentences few bits differ.
"""

from __future__ import annotations

from hashlib import blake2s, sha256

from validators.trace.sentences import words_of

BITS = 32
LIKELY = 9
"""The most different bits of similar sentences; unrelated ones differ in about 16."""


def fingerprint(text: str) -> str:
    """The fingerprint of a sentence."""
    words = " ".join(words_of(text))
    return f"{sha256(words.encode()).hexdigest()[:8]}-{_simhash(words):08x}"


def similarity(mark: str) -> int:
    """The SimHash of a fingerprint."""
    return int(mark[9:], 16)


def same(one: str, other: str) -> bool:
    """Whether two fingerprints have the same words."""
    return one[:8] == other[:8]


def _simhash(words: str) -> int:
    padded = f" {words} "
    votes = [0] * BITS
    for at in range(len(padded) - 2):
        hashed = int.from_bytes(blake2s(padded[at : at + 3].encode(), digest_size=4).digest())
        for bit in range(BITS):
            votes[bit] += 1 if hashed >> bit & 1 else -1
    return sum(1 << bit for bit in range(BITS) if votes[bit] > 0)
