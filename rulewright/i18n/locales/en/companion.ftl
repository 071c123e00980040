# The companion of a physical table.

chance = Dice and cards
chance-companion = from your own box
chance-companion-help = You roll and draw at your table, and tell the referee what came.
companion = From your table
what-came = What came: { $what }?
cancel-choice = Cancel the choice
outcome-unseen = Nobody has seen it
told-so-far = Told so far: { $outcomes }
take-back-answer = Take back the last answer
tell-anew = Tell it anew
error-needs-outcome = The referee waits for what came at your table.
error-not-possible = That cannot be. Tell one of those that are offered, or take back what was told wrongly.
error-contradicts = What was told before says that this cannot be. If that was wrong, take it back.
