"""How a game looks: one scene for the page, the terminal, reports and the generated rulebook.

`compose` makes the `scene` of a game: `areas` and `faces` have what holds without a look, the look of the
ruleset is laid over it. `coordinates` says where the places of a board lie, with `lattice`, `derived`,
`incident` and `bands` for special ones. Faces that are data are laid out by `boxes`. `board_svg`, `preview`
and `heart` are pictures without a page.
"""
