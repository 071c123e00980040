"""Traceability: which rules render, execute and assert each clause of the rulebook.

`trace` is the entry point, with a `clause_row` for each clause. On the side of the rulebook a text becomes
`sentences`, which are aligned with their `fingerprints` (`alignment`) and claimed by clauses (`claims`,
`accounts`). On the side of the rules stand `sites`, what they have `executed`, and what is `rendered`.
`numbers` compares the `numerals` of sentences with the `constants` of lines and the `examples` of scenarios,
`summaries` what clauses say with what their lines do.
"""
