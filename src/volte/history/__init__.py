"""What is left of matches: records, results, ratings, replays, reviews."""
