"""The running server: its process, connections and health, and the nodes beside it."""
