"""Learning the game: the lesson and the puzzles."""
