"""A playroom for one person, whole in a browser: no server, no database, no network."""
