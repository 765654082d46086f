"""The WebSocket of a table: one session for each connection, from hello to goodbye."""
