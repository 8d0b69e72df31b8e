"""What all pages share on the screen: controls in the address bar, guarantee strip, charts, take-away."""

from dpot_core.studies._kit.markdown import as_text
from pages._shell.addresses import here, open_prepared
from pages._shell.asking import ask, ask_among, ask_several
from pages._shell.charts import draw, on_dark
from pages._shell.city_files import city_pieces, own_zones
from pages._shell.controls import Controls
from pages._shell.doors import middleware
from pages._shell.files import Columns, Rectangle, columns_of, needed_upload, offer_download, rectangle, upload
from pages._shell.following import follow, scrubbed
from pages._shell.guarantee_strip import disclosure_strip, guarantee_strip, nothing_strip
from pages._shell.live import Part, Scrub, ahead, picture, screen_of, words
from pages._shell.login import leave, let_in
from pages._shell.navigation import listed
from pages._shell.numbers import numbers_input, text_key
from pages._shell.page import below, drawn, framed, heading, open_tab, show_data_page, show_page, shown, strip, waiting
from pages._shell.people import marks_given, pick
from pages._shell.picture_menu import menus
from pages._shell.room import around, room
from pages._shell.rows import rows_input
from pages._shell.serving import Running, routes
from pages._shell.sidebar import Special, Waiting, sidebar
from pages._shell.starting import get_ready
from pages._shell.street_map import street_map
from pages._shell.tables import table
from pages._shell.teaching import large_type, lesson
from pages._shell.views import Shown, abandoned, computed, loaded, screens, show, watched
