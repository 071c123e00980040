"""`python -m rulewright`: the same as the command `rulewright`."""

from rulewright.main import main

main(prog_name="rulewright")
