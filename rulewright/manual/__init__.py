"""The manual: the documentation by page and section, and the explanations of codes."""
