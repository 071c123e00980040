"""The host of a match: functions that say what a viewer may know, over a layout that the compiler writes.

A state and the events of a match tell everything. What a viewer sees of a position, what it is told and when,
and what a choice has taught somebody is worked out here and nowhere else. The functions know no game: they
read a table of the places and words of one (`words`). So there is one module of them for all games, which
Python asks, whichever executor runs the match (`reader`), and they stand in each module that plays without
Python, where the page asks them. `docs/standalone-module.md` says how they are called.
"""
