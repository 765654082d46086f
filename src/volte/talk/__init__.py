"""What people say at tables, and what moderators do about it."""
