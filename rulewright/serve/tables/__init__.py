"""Open matches with those who look at them, and what each is sent."""
