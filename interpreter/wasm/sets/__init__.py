"""Conditions as sets: what a condition is for all values of an interval at once.

The idea: a condition with a free name over n values is a set of n bits, and each operator of the language is
an operation on sets. `and` is an intersection; `stone at x is me` a row of the board; `stone at step(x, way)`
the same row moved; `any` over known values a union; `count(x in ray …  while …) >= 3` three moved rows, each
within the one before. So what a rule costs follows from what it asks, not from how it is phrased.

    forms.py      the sets as values: an algebra that simplifies itself, and knows bounds of each set
    tables.py     what follows from tables, and what is read off the state for all places at once
    numbers.py    numbers as counts of nested sets, or case by case
    rows.py       what follows from the value and a place that is known only in play: rows of tables
    vectors.py    expressions to forms, by recursion over their parts
    bounds.py     where a condition can hold at all, part by part
    choosing.py   the form that is taken, if one costs less than the loop
    costs.py      what a form costs, beside the loop that it replaces
    emission.py   forms to instructions: what is used twice is worked out once

A rule before and after, on a board of 8 x 8 and for one of its ways:

    any(y in ray(x, way) where stone at y is me)    before: for each x, a walk along its ray
    S>>8 | S>>16 | … | S>>56                         after: the row S of one's own stones, moved

Sources: evaluation of whole columns (Boncz et al., MonetDB/X100, 2005); flattening of nested loops
(Blelloch, NESL, 1993); numbers as counts of sets, as in bit-sliced indexes (O'Neil and Quass, 1997), here in
unary, since they are compared with small ones; moved boards as in programs with bit boards.
"""
