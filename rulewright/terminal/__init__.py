"""The terminal: what is printed there, arguments of the command line, exit codes."""
