"""How Sphinx makes the site (`scripts/site`).

Its source is the whole checkout, so that links from docs/ to the README or to deploy/ hold as well.
"""

from __future__ import annotations

import gettext
import re
import sys
from importlib import import_module
from inspect import isclass, isroutine
from pathlib import Path
from typing import Any, Final

import sphinx.locale
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.domains.python import PythonDomain
from sphinx.environment import BuildEnvironment
from sphinx.highlighting import lexer_classes
from sphinx.pycode import ModuleAnalyzer

project = "Volte"
project_copyright = "the Volte developers. MIT licence"
root_doc = "docs/index"
include_patterns = ["*.md", "docs/**.md", "deploy/*.md", "benchmarks/*.md", "tests/positions/*.md"]
exclude_patterns = [".*", "build", "dist", "scripts", "src"]

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_enable_extensions = ["html_image"]
myst_heading_anchors = 4  # as forges make them
highlight_language = "text"

# Docstrings are Markdown: what stands between backquotes is code, and a link where the reference
# has such an object.
default_role = "py:obj"
autodoc_default_options = {"members": True, "undoc-members": True, "imported-members": True}
autodoc_inherit_docstrings = False  # those of msgspec and of the standard library
autodoc_member_order = "groupwise"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
add_module_names = False
toc_object_entries_show_parents = "hide"

html_theme = "pydata_sphinx_theme"
html_title = "Volte"
html_extra_path = ["_root"]
html_copy_source = False
html_theme_options = {
    "logo": {"text": "Volte"},
    "header_links_before_dropdown": 6,
    "navbar_align": "left",
    "navbar_persistent": ["search-button"],
    "navigation_depth": 1,  # deeper lists have buttons without names
    "show_toc_level": 2,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}

FORMATS: Final = ("transcript", "volte", "volte-sheet")
"""Ours, in the code blocks of pages; without colours."""

LONG_VALUE: Final = 60
"""Characters of a constant's value from which on it is not shown."""

PLAY: Final = {
    "docs/index": ("../play/en/", "Play now, in your browser"),
    "docs/play.fr": ("../play/fr/", "Jouer maintenant, dans votre navigateur"),
}
"""Buttons that lead to the game, by the page that begins with one: address and text."""

PACKAGES: Final = tuple(
    name
    for page in sorted(Path(__file__).parent.glob("api/*.md"))
    for name in re.findall(r"automodule:: (\S+)$", page.read_text("utf-8"), re.MULTILINE)
)
"""What may be imported: what docs/api has, by `__all__`."""


def french() -> gettext.NullTranslations:
    """What Sphinx and the theme say, in French."""
    theirs, sphinxs = (
        gettext.translation("sphinx", Path(str(module.__file__)).parent / below, ["fr"])
        for module, below in ((import_module(html_theme), "locale"), (sphinx.locale, ""))
    )
    theirs.add_fallback(sphinxs)
    return theirs


FRENCH: Final = french()


def speak_its_language(
    app: Sphinx, page: str, template: str, context: dict[str, Any], tree: object
) -> None:
    """Give a page such as rules.fr.md its `lang`, and French words around it."""
    in_french = page.endswith(".fr")
    context["language"] = "fr" if in_french else "en"
    if in_french:
        context["theme_search_bar_text"] = "Rechercher"
    templates: Any = app.builder.templates
    templates.environment.install_gettext_translations(FRENCH if in_french else app.translator)


def offer_to_play(
    app: Sphinx, page: str, template: str, context: dict[str, Any], tree: object
) -> None:
    """Begin a page with the button that leads to the game, where that is part of the site."""
    if app.config.play and page in PLAY:
        button = '<p><a class="btn btn-primary btn-lg" href="{}">{}</a></p>'.format(*PLAY[page])
        context["body"] = button + context["body"]


def show_constants(app: Sphinx) -> None:
    """Show the constants and the types of a package too, which are written in its modules.

    Sphinx leaves them out, as it looks for what is said of them in the package alone.
    """
    for name in PACKAGES:
        package = import_module(name)
        said = {
            constant: lines
            for module in [*sys.modules]
            if module.startswith(f"{name}.")
            for (owner, constant), lines in ModuleAnalyzer.for_module(module)
            .find_attr_docs()
            .items()
            if not owner
        }
        shown = ModuleAnalyzer.for_module(name).find_attr_docs()
        for constant in getattr(package, "__all__", ()):
            value = getattr(package, constant)
            if not isclass(value) and not isroutine(value):
                hidden = [":meta hide-value:", ""] if len(repr(value)) > LONG_VALUE else []
                shown["", constant] = [*said.get(constant, []), "", *hidden]


def tidy(app: Sphinx, what: str, name: str, it: object, options: object, said: list[str]) -> None:
    """Leave out what Python says of every field of a named tuple, and keep colons as they are."""
    if said and said[0].startswith("Alias for field number"):
        said.clear()
    elif said and ":" in said[0] and what in ("attribute", "data", "property"):
        said[:0] = ["..", ""]  # a comment, or what is before the colon is taken for a type


class PublicNames(PythonDomain):
    """Objects by the names that programs import; `find_public` leads there from their others."""

    def __init__(self, env: BuildEnvironment) -> None:
        super().__init__(env)
        self.known: dict[tuple[Any, ...], Any] = {}

    def note_object(
        self, name: str, objtype: str, node_id: str, aliased: bool = False, location: Any = None
    ) -> None:
        if not aliased:
            super().note_object(name, objtype, node_id, location=location)

    def find_obj(self, env: BuildEnvironment, *asked: Any) -> Any:
        """One of those that a name may mean: they are the same. It is kept, as each is searched for
        among all.
        """
        key = len(self.objects), *asked
        if key not in self.known:
            self.known[key] = super().find_obj(env, *asked)[:1]
        return self.known[key]


def find_public(app: Sphinx, env: BuildEnvironment, node: pending_xref, text: Any) -> Any:
    """Link `volte.cards.card.Card`, as annotations call it, to where the reference has it."""
    *modules, name = node["reftarget"].split(".")
    for length in range(len(modules) - 1, 0, -1):
        target = ".".join([*modules[:length], name])
        found = env.domains.python_domain.resolve_xref(
            env, node["refdoc"], app.builder, "obj", target, node, text
        )
        if found is not None:
            return found
    return None


def setup(app: Sphinx) -> None:
    app.add_domain(PublicNames, override=True)
    lexer_classes.update(dict.fromkeys(FORMATS, lexer_classes["none"]))
    app.connect("builder-inited", show_constants)
    app.connect("autodoc-process-docstring", tidy, priority=400)
    app.connect("missing-reference", find_public)
    app.add_config_value("play", "", "html", str)
    app.connect("html-page-context", offer_to_play)
    app.connect("html-page-context", speak_its_language)
