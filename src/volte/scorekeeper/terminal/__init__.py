"""Score sheets at a terminal."""
