"""The table of all pages, and of everything that they can compute and show."""

from __future__ import annotations

from dpot_core.studies import ring
from dpot_core.studies._kit.view import Page, View

#: Page by key, in the order of the app. A page joins with one line.
PAGES: dict[str, Page] = {page.key: page for page in (ring.PAGE,)}

#: View by key, ``page.view``.
VIEWS: dict[str, View] = {view.key: view for page in PAGES.values() for view in page.views}
