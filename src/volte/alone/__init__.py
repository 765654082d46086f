"""The rest of the house for one person, in a browser without a server.

The handlers and templates of a server answer here too. `Household` calls them, in its own process.
"""
