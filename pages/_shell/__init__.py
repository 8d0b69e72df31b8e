"""What all pages share on the screen: controls in the address bar, guarantee strip, charts, take-away."""

from dpot_core.disclosures import factor, percent
from dpot_core.progress import Progress
from dpot_core.studies._kit.privacy import EPSILONS
from pages._shell.addresses import here, open_prepared
from pages._shell.charts import as_text, draw, from_plotly, on_dark
from pages._shell.controls import Controls
from pages._shell.files import Columns, Rectangle, Upload, columns_of, offer_download, rectangle, upload
from pages._shell.guarantee_strip import disclosure_strip, guarantee_strip
from pages._shell.numbers import link_part, numbers_input
from pages._shell.pins import Offer
from pages._shell.tables import table
from pages._shell.take_away import take_it_away
from pages._shell.teaching import lesson
from pages._shell.work import Job, worked

__all__ = [
    "EPSILONS",
    "Columns",
    "Controls",
    "Job",
    "Offer",
    "Progress",
    "Rectangle",
    "Upload",
    "as_text",
    "columns_of",
    "disclosure_strip",
    "draw",
    "factor",
    "from_plotly",
    "guarantee_strip",
    "here",
    "lesson",
    "link_part",
    "numbers_input",
    "offer_download",
    "on_dark",
    "open_prepared",
    "percent",
    "rectangle",
    "table",
    "take_it_away",
    "upload",
    "worked",
]
