"""Volte: Hearts, les Cœurs and la Dame de Pique, whole."""

__version__ = "0.1.0"
