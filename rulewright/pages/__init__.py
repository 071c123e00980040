"""HTML pages for browsers, each one file without external resources."""
