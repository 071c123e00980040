"""Tools for assistants that write rules, over the Model Context Protocol."""
