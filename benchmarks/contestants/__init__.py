"""Who plays: each file knows one engine and how to make it play out games."""
