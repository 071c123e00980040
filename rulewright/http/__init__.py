"""What servers have in common: errors as answers, files that are sent, an orderly end."""
