"""The table in the terminal: seats, the board, the prompt."""
