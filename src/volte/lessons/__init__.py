"""Learning the game: the lesson, puzzles, the rules clerk."""
