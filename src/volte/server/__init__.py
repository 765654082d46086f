"""The playroom on the web: pages, sessions and live connections."""
