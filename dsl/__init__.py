"""The language: text to typed rules. Imports nothing of ours."""
