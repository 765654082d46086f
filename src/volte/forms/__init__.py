"""Forms without a web framework: their fields, the settings of a person, the game of "Play now"."""
