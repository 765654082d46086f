"""Versioned messages between server and clients."""
