"""What changed between two versions of a ruleset, and what that does to matches played under the old one."""
