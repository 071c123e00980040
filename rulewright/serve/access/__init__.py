"""Who may do what: origins, cookies, signed links and rates."""
