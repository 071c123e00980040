"""Run-time support: the functions of a module that no single rule asks for."""
