"""Reviews together: replays that several people follow at the same step, with a leader."""
