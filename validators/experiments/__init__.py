"""Experiments: matches of bots as pure functions of seeds, tallies that add up, and what they show.

A job (`jobs`) has rules, options, bots (`players`) and seeds. `playing` plays its matches, `recorder` counts
their choices under `choice_names`, and the results are `tallies`. `course`, `comparing`, `targets` and
`study` read tallies by `statistics`, and `findings` sums up. No job knows where it runs:
`rulewright/experiments` carries them out.
"""
