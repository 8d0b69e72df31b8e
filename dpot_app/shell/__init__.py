"""The shell of all pages: controls in the address bar, guarantee strip, charts, take-away."""

import dpot_app.shell.streamlit_patches
from dpot_app.kit.markdown import as_text
from dpot_app.shell.access import middleware
from dpot_app.shell.addresses import here, open_prepared
from dpot_app.shell.asking import ask, ask_among, ask_several
from dpot_app.shell.carried import begin
from dpot_app.shell.charts import draw, on_dark
from dpot_app.shell.city_files import city_pieces, own_zones
from dpot_app.shell.controls import Controls
from dpot_app.shell.files import (
    Columns,
    Rectangle,
    columns_of,
    needed_upload,
    offer_download,
    rectangle,
    take_over,
    upload,
)
from dpot_app.shell.following import follow, scrubbed
from dpot_app.shell.guarantee_strip import disclosure_strip, guarantee_strip, nothing_strip
from dpot_app.shell.live import Part, Scrub, opened, picture, screen_of, words
from dpot_app.shell.login import leave, let_in
from dpot_app.shell.navigation import listed
from dpot_app.shell.numbers import numbers_input, text_key, typed_text
from dpot_app.shell.page import (
    again,
    below,
    drawn,
    framed,
    heading,
    open_tab,
    show_data_page,
    show_page,
    shown,
    strip,
    waiting,
)
from dpot_app.shell.page_frame import page_config, page_frame
from dpot_app.shell.people import marks_given, pick
from dpot_app.shell.picture_menu import menus
from dpot_app.shell.presets import presets, usual
from dpot_app.shell.project import arrive
from dpot_app.shell.rows import rows_input
from dpot_app.shell.serving import Running, routes
from dpot_app.shell.sidebar import Special, Waiting, sidebar
from dpot_app.shell.starting import get_ready, lifespan
from dpot_app.shell.street_map import street_map
from dpot_app.shell.tables import table
from dpot_app.shell.teaching import large_type, lesson
from dpot_app.shell.views import Shown, abandoned, computed, loaded, screens, show, watched
