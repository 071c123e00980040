"""Experiments run: rulesets read, numbers changed, jobs carried out here, by processes or by a cluster."""
