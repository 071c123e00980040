"""The index of a ruleset: what each name in its files means, and where it is declared and used."""
