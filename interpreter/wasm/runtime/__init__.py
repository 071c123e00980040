"""The functions of a module, and the module itself."""
