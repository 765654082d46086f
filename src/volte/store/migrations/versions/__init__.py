"""The steps that make the database, a module for each."""
