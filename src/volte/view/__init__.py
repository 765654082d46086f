"""What one seat sees, and what follows from it."""

from volte.view.deduce import possible_places
from volte.view.project import project, project_deal
from volte.view.settled import settled
from volte.view.view import KITTY, View

__all__ = ["KITTY", "View", "possible_places", "project", "project_deal", "settled"]
