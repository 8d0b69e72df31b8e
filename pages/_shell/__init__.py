"""What all pages share on the screen: controls in the address bar, guarantee strip, charts, take-away."""

from pages._shell.charts import as_text, draw, on_dark
from pages._shell.controls import EPSILONS, Controls
from pages._shell.files import Columns, Upload, columns_of, offer_download, upload
from pages._shell.guarantee_strip import guarantee_strip
from pages._shell.numbers import link_part, numbers_input
from pages._shell.tables import table
from pages._shell.take_away import take_it_away
from pages._shell.work import Job, Progress, worked

__all__ = [
    "EPSILONS",
    "Columns",
    "Controls",
    "Job",
    "Progress",
    "Upload",
    "as_text",
    "columns_of",
    "draw",
    "guarantee_strip",
    "link_part",
    "numbers_input",
    "offer_download",
    "on_dark",
    "table",
    "take_it_away",
    "upload",
    "worked",
]
