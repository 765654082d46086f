"""Matches that are over: records, results, ratings, replays, reviews."""
