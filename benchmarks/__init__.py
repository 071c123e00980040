"""How fast the executors are, beside their peers, on the machine this runs on."""
