"""What one seat sees, and what follows from it."""

from volte.view.view import KITTY, View, possible_places, project, project_deal, settled

__all__ = ["KITTY", "View", "possible_places", "project", "project_deal", "settled"]
