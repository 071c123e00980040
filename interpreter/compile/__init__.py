"""The compiler: from typed rules to a machine, for one number of seats and one setting of the options."""
