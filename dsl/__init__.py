"""The language: from text to typed rules. Imports no other package of ours."""
