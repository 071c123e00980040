"""The examples learn what they say, in small."""
