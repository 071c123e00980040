"""Experiments carried out: jobs of `validators/experiments`, here, by processes or by a cluster.

`rulesets` are values that travel, `running` says where jobs run, and `rounds` shares out the time
(`time_limit`). One module for each experiment decides which matches are played: `analysis`, `arena`,
`compared`, `tuning`; with `…_text` for people and `…_object` for programs. `playtests` reads records of
people instead of playing.
"""
