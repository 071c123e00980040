"""Tables as people keep them: separated text in any usual encoding, workbooks, and the names in them."""
