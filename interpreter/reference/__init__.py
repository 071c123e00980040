"""The reference executor: nodes and expressions linked to Python closures; it defines what they mean."""
