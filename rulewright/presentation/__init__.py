"""What a page shows of a game and of a match, as JSON: numbers and names of the rules, no sentences.

The page makes the sentences, because their language is a matter of each viewer.
"""
