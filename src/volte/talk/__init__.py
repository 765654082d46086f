"""Talk at tables: sayings, mutes, reports, and the measures of moderators."""
