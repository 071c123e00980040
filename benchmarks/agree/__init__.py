"""The rules of the classic rulesets, held against OpenSpiel's along random playouts."""
