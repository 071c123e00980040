"""Scenarios: a position, what happens, and what must be true afterwards, in YAML.

`scenario` holds the values, `reading` makes them from YAML, `placing` sets up positions, `running` plays.
`assertions` and `refusals` compare, `weaknesses` says what may hold by accident, `falsify` makes assertions
false.
"""
