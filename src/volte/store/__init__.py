"""What is kept: logs of tables, people and their sessions, in SQLite or PostgreSQL."""
