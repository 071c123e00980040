"""Random choices: numbers of the choosing generator, and the bit of a set that such a number means."""

from __future__ import annotations

from itertools import pairwise

from interpreter.chance import Choosing
from interpreter.wasm.emit.body import Body
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.nth_bit import nth_bit
from interpreter.wasm.emit.operands import Operand, Variable, select
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import Bits


def pick_number(fx: FunctionContext, total: Operand, k: Variable, often_one: bool = False) -> None:
    """`k` becomes a number below `total`, or 0. Where there is only one, nothing is drawn.

    `often_one`: whether there is only one is hard to predict. Then there is no branch.
    """
    b = fx.b
    with b.temporaries(I32) as (n,):
        b.assign(n, total)
        if often_one:
            pick_always(b, fx.driver.rng, n, k)
            return
        b.assign(k, 0)
        with b.if_(n.gt_s(1)), b.temporaries(I64) as (x,):
            b.assign(fx.driver.rng, _following(x.tee(fx.driver.rng)))
            b.assign(k, _below(x, n))


def pick_always(b: Body, rng: Variable, total: Variable, k: Variable) -> None:
    """The same without a branch, for totals of which nobody can say whether they are one."""
    with b.temporaries(I64) as (x,):
        b.assign(rng, select(_following(x.tee(rng)), x, total.gt_s(1)))
        b.assign(k, _below(x, total))


def _following(x: Operand) -> Operand:
    """The state of the choosing generator after another one."""
    return x * Choosing.MULTIPLIER + Choosing.INCREMENT


def _below(x: Variable, total: Operand) -> Operand:
    """The number below a total that the 32 bits of a state of the choosing generator mean.

    Source: O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms for
    Random Number Generation" (2014): PCG-XSH-RR 64/32.
    """
    bits = ((x ^ x >> 18) >> 27).wrapped().rotr((x >> 59).wrapped())
    return (bits.widened() * total.widened() >> 32).wrapped()


def nth_of_few(fx: FunctionContext, word: Variable, n: Variable) -> Operand:
    """The number of the n-th bit of a word that is set, where there are few; both variables change."""
    b = fx.b
    with b.until(n.eqz()):
        b.assign(word, word & (word - 1))
        b.assign(n, n - 1)
    return word.ctz().wrapped()


def nth_of_words(fx: FunctionContext, words: Bits, n: Operand, bit: Variable) -> None:
    """`bit` becomes the number of the n-th bit of some words that is set.

    The word in which it lies is the last one before which no more than n are set.
    """
    b = fx.b
    with b.temporaries(I64, I32, I32, I32) as (word, before, passed, left):
        b.assign(word, words[0])
        b.assign(bit, 0)
        b.assign(before, 0)
        b.assign(left, n)
        for one, following in pairwise(words):
            b.assign(before, before + one.popcnt().wrapped())
            b.assign(passed, n.ge_s(before))
            b.assign(word, select(following, word, passed))
            b.assign(left, select(n - before, left, passed))
            b.assign(bit, bit + (passed << 6))
        b.assign(bit, bit + nth_bit(fx.builder, b, word, left))
