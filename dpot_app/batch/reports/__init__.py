"""One document that holds scenarios with everything that is needed to check them."""

from dpot_app.batch.reports.document import Entry, report, slide
from dpot_app.batch.reports.sheet import Decision, decide, sheet, sheet_markdown
