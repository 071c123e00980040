"""What editors and documents are given of the language: grammars for highlighters, schemas of files."""
