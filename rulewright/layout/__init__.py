"""How a game looks: one scene for the page, the terminal, reports and the generated rulebook."""
