"""The story of a match: what has happened, in sentences, as the page tells it (`web/table/sentences.js`)."""
