"""Pages for one person in a browser without a server: the lesson, puzzles, score sheets, matches.

The handlers and templates of a server make them. `AlonePages` calls these in its own process.
"""
