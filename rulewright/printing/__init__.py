"""A game on paper: cards, tokens, boards, sheets and its rulebook, drawn from the rules and their look."""
