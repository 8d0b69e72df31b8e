"""The table of all pages, and of everything that they can compute and show."""

from importlib import import_module
from pkgutil import iter_modules

from dpot_app import views as studies
from dpot_app.kit.page import Page
from dpot_app.kit.view import View

#: Pages in the order of lists; those that are not named here follow.
ORDER = ("ring", "geolocation", "mixture", "movies", "population", "metric", "sinkhorn", "decide", "explain", "papers")
_FOLDERS = {module.name for module in iter_modules(studies.__path__) if module.ispkg and module.name[0] != "_"}

#: Page by key. A folder of studies that holds a PAGE is one.
PAGES: dict[str, Page] = {
    name: import_module(f"{studies.__name__}.{name}").PAGE
    for name in (*(name for name in ORDER if name in _FOLDERS), *sorted(_FOLDERS - {*ORDER}))
}

#: View by key, ``page.view``.
VIEWS: dict[str, View] = {view.key: view for page in PAGES.values() for view in page.views}

#: Formulas and exercises by page.
LESSONS = {key: page.lesson for key, page in PAGES.items() if page.lesson is not None}
