"""Scenes: a table, a replay or a position as one person sees it, to be drawn by a page.

Nothing here knows a web framework.
"""
