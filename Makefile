# make app    start the app and print its address          make check        style, layout of the source, prose, types
# make test   what must hold, as CI runs it: six minutes   make bench        speed against slow references
# make quick  style, types and the science, in a minute   make screenshots  every page, two widths, two themes
# make nightly  make test and all that takes longer, as one table; PART="wheel corpus" for parts of it
# make lock   recompile the pins from requirements*.in     make mutants      plants bugs in a copy: the tests must notice
# make walk   the three walks of docs, timed               make recipes      follows the recipes of CONTRIBUTING in a copy
# make load   a room of readers: SESSIONS=50 SECONDS=60 HEAVY=0 FAULTS=1, at one server a core or SERVERS=1
# make curves  what Find my epsilon and US population show at first, computed anew (kept in the repository)
# make papers  computes every row of the papers' index anew    make papers-doc  writes docs/papers.md from what is kept
# make papers-thumbnails  small pictures of our figures, for the page Papers
# make dist   wheel and source archive, in dist/, and whether an index would take them
# make docs   the site of the documents and functions, in site/
# make catalogue  all texts of the app as a gettext template, dpot.pot: a translator begins with it
# make vendor bundles the D3 modules that pictures are drawn with (needs npm; its result is kept in the repository)
# make vendor-pdf bundles what makes a PDF of a picture, with its letters (the same)
# make vendor-axe brings the rules of axe-core, which the browser tests hold every page against (the same)

VENV ?= .venv
PY := $(VENV)/bin/python
CANDIDATES := $(PYTHON) python3 python3.13 python3.12 python3.11
ONE_THREAD := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1

.PHONY: app test quick nightly check style format audit bench recipes curves papers papers-doc papers-thumbnails docs catalogue dist mutants screenshots film walk monkey load readme-picture lock vendor vendor-pdf vendor-axe chromium haproxy clean

# The app listens on loopback only; PORT=8600 fixes the port. ADDRESS=0.0.0.0 shows it to the room, and asks who may come
# in: DPOT_PASSWORD in the environment, OIDC, or PUBLIC=1 (SECURITY.md). SERVERS=2 for more than 50 (docs/scale.md).
app: $(VENV)/installed
	@$(if $(PUBLIC),PUBLIC=$(PUBLIC)) $(PY) -m dpot_app app $(if $(ADDRESS),--address $(ADDRESS)) \
		$(if $(PORT),--port $(PORT)) $(if $(SERVERS),--servers $(SERVERS))

# One BLAS thread per process: three test processes share two cores. tests/conftest.py says which tests stay together:
# one process drives the browser, and mostly waits; the others do the rest and then help. They and what tests start
# keep their bytecode even where the environment says not to: compiling it again each time takes half a second and more.
# The types, half a minute without a cache, are checked at the same time.
test: $(VENV)/installed-dev chromium haproxy style
	@$(PY) -m mypy & types=$$!; \
	PYTHONDONTWRITEBYTECODE= $(ONE_THREAD) $(PY) -m pytest -n 3 --dist loadfile --no-loadscope-reorder --durations 5; \
	tests=$$?; wait $$types || { echo "mypy has found errors: see above"; exit 1; }; exit $$tests

# `make test`, the tests that are marked nightly, and programs of tests and benchmarks: tests/nightly.py lists the parts.
nightly: $(VENV)/installed-dev chromium haproxy
	@PYTHONDONTWRITEBYTECODE= $(ONE_THREAD) $(PY) -m tests.nightly $(PART)

check: style
	$(PY) -m mypy

style: $(VENV)/installed-dev
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m tests.prose

format: $(VENV)/installed-dev
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .

# The science is dpot_core; the tests that mirror it are found by their names.
SCIENCE := $(sort $(basename $(notdir $(wildcard dpot_core/[a-z]*))))
quick: style
	@$(PY) -m mypy & types=$$!; \
	$(ONE_THREAD) $(PY) -m pytest -n 2 --hypothesis-profile=quick -m "not slow and not nightly" --durations 3 \
		tests/test_architecture.py $(wildcard $(foreach name,$(SCIENCE),tests/$(name) tests/test_$(name).py))

# Known holes in what is pinned, in an environment of its own: needs a network.
# A package that cannot be looked up is no package without holes: --strict fails then.
audit: | $(PY)
	@folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && $(PY) -m venv "$$folder" && \
	"$$folder/bin/python" -m pip install --quiet --disable-pip-version-check 'pip-audit>=2.9,<3' && \
	"$$folder/bin/python" -m pip_audit --requirement requirements.txt --requirement requirements-dev.txt \
		--no-deps --disable-pip --strict

bench: $(VENV)/installed-dev
	@$(PY) -m benchmarks

# The recipes of CONTRIBUTING.md, followed in a copy: prints what each touches.
recipes: $(VENV)/installed-dev
	@$(PY) -m tests.recipes

# Curves that take long and come with the package; tests/views/decide/test_curves.py and
# tests/views/population/test_guaranteed.py say when they are out of date.
curves: $(VENV)/installed
	@$(ONE_THREAD) $(PY) -m dpot_app.views.decide.make_curves
	@$(ONE_THREAD) $(PY) -m dpot_app.views.population.guaranteed.make

# Every figure of the papers' index, small, for the page Papers: real data (DPOT_DATA), Chromium, ten minutes.
papers-thumbnails: $(VENV)/installed
	@$(ONE_THREAD) $(PY) -m dpot_app.batch.reports.thumbnails

# Our numbers beside those of the papers, from nothing (real data: DPOT_DATA, or after a download), and the document.
papers: $(VENV)/installed
	@$(ONE_THREAD) $(PY) -m dpot_app.views.papers.record

papers-doc: $(VENV)/installed
	@$(PY) -m dpot_app.batch.reports.papers > docs/papers.md

# The documents and the functions with their docstrings as pages that need no server: site/index.html.
docs: $(VENV)/installed-dev
	@$(PY) -m mkdocs build --quiet --strict

# Every text once, with its values, its plural and where it stands; a text that is put together of parts is several.
catalogue: $(VENV)/installed-dev
	@$(PY) -m tests.catalogue > dpot.pot

# In an environment of its own: needs a network. The wheel is made from the source archive, as others would make it.
dist: | $(PY)
	@folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && $(PY) -m venv "$$folder" && \
	"$$folder/bin/python" -m pip install --quiet --disable-pip-version-check 'build>=1.3,<2' 'twine>=6,<8' && \
	rm -rf dist && "$$folder/bin/python" -m build --outdir dist . >/dev/null && \
	"$$folder/bin/python" -m twine check --strict dist/*

# Each planted bug of tests/mutants in a copy of the tree, one at a time: none may go unnoticed.
mutants: $(VENV)/installed-dev
	@$(PY) -m tests.mutants

# Anything is pressed, chosen and typed, at random: no page may break. STEPS=10000, SEED=... does it again.
monkey: $(VENV)/installed-dev
	@$(ONE_THREAD) $(PY) -m tests.monkey $(if $(STEPS),--steps $(STEPS)) $(if $(SEED),--seed $(SEED))

# Readers that move sliders as in a lecture, without browsers: how long they wait, what goes wrong, and the memory.
# FAULTS=1: workers and the server are killed in the middle; then a full disk and a read-only cache, 15 s each, where
# `unshare --mount` is allowed (it says so where not). SERVERS=1 is one server, not one for each core (docs/scale.md).
load: $(VENV)/installed-dev haproxy
	@$(PY) -m tests.load $(if $(SESSIONS),--sessions $(SESSIONS)) $(if $(SECONDS),--seconds $(SECONDS)) \
		$(if $(HEAVY),--heavy $(HEAVY)) $(if $(SERVERS),--servers $(SERVERS)) $(if $(FAULTS),--faults)

screenshots: $(VENV)/installed-dev chromium
	@$(PY) -m tests.browser.screenshots

# The walks of docs/walk.md, lesson.md and researcher.md, timed; makes their pictures again.
walk: $(VENV)/installed-dev chromium
	@$(PY) -m tests.browser.walk

# The README shows the first page, docs/running.md ten seconds of a finger on a slider.
readme-picture: screenshots
	mkdir -p data
	cp screenshots/start-1400x900-light.png data/screenshot.png
	@$(PY) -m tests.browser.film readme

# Pages under a moving finger, a picture every tenth of a second on one sheet each: screenshots/film-*.png.
film: $(VENV)/installed-dev chromium
	@$(PY) -m tests.browser.film

# Pins stay as they are while the ranges allow it; to move all of them up, delete the two .txt files first.
COMPILE := -m uv pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest \
	--custom-compile-command 'make lock'
lock: $(VENV)/uv
	$(PY) $(COMPILE) --extra release --extra login pyproject.toml -o requirements.txt
	$(PY) $(COMPILE) requirements-dev.in -c requirements.txt -o requirements-dev.txt

# D3's modules as one file that browsers load as it is: to install or start the app takes no npm. All versions
# stand here, also of what the modules need themselves; what is bundled is what d3-exports.js names.
D3 := d3-array@3.2.5 d3-color@3.1.1 d3-contour@4.0.3 d3-ease@3.0.2 d3-format@3.1.3 d3-interpolate@3.0.2 \
	d3-path@3.1.1 d3-shape@3.2.1 internmap@2.0.3
ESBUILD := esbuild@0.28.2
LIVE := dpot_app/live/static
vendor:
	@folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && \
	npm install --prefix "$$folder" --ignore-scripts --no-audit --no-fund --loglevel=error $(D3) $(ESBUILD) && \
	cp $(LIVE)/d3-exports.js "$$folder/exports.js" && \
	"$$folder/node_modules/.bin/esbuild" "$$folder/exports.js" --bundle --format=esm --minify --legal-comments=none \
		--target=es2022 --banner:js='/* $(D3) - see LICENSE-d3 - made by `make vendor` */' --outfile=$(LIVE)/d3.js && \
	for name in $(foreach package,$(D3),$(firstword $(subst @, ,$(package)))); do \
		printf '%s\n\n' "$$name"; cat "$$folder/node_modules/$$name/LICENSE"; printf '\n'; \
	done > $(LIVE)/LICENSE-d3

# What makes a PDF of a picture in the browser, with its letters (Source Sans as on the screen), as one file that is
# loaded when a reader asks for a PDF. Three things that jsPDF offers beside and would load on their own stay out.
PDF := jspdf@4.2.1 svg2pdf.js@2.8.1
FONTS := source-sans@3.52.0 dejavu-fonts-ttf@2.37.3
vendor-pdf:
	@folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && \
	npm install --prefix "$$folder" --ignore-scripts --no-audit --no-fund --loglevel=error \
		$(PDF) $(FONTS) subset-font@2.9.0 $(ESBUILD) && \
	cp $(LIVE)/pdf-exports.js "$$folder/exports.js" && cp $(LIVE)/pdf-letters.js "$$folder/letters.mjs" && \
	(cd "$$folder" && node letters.mjs && echo 'export default undefined;' > none.js) && \
	"$$folder/node_modules/.bin/esbuild" "$$folder/exports.js" --bundle --format=esm --minify --legal-comments=none \
		--target=es2022 --loader:.ttf=base64 $(foreach name,canvg dompurify html2canvas,--alias:$(name)="$$folder/none.js") \
		--banner:js='/* $(PDF) $(FONTS) - see LICENSE-pdf - made by `make vendor-pdf` */' \
		--outfile=$(LIVE)/pdf-vendor.js && \
	for name in jspdf svg2pdf.js @babel/runtime fflate fast-png iobuffer cssesc font-family-papandreou specificity \
		svgpath source-sans dejavu-fonts-ttf; do \
		printf '%s\n\n' "$$name"; cat "$$folder/node_modules/$$name"/LICEN[SC]E*; printf '\n\n'; \
	done > $(LIVE)/LICENSE-pdf

# The rules of axe-core, which the browser tests hold every page against; kept in the repository, for tests only.
AXE := axe-core@4.14.1
vendor-axe:
	@folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && \
	npm install --prefix "$$folder" --ignore-scripts --no-audit --no-fund --loglevel=error $(AXE) && \
	mkdir -p tests/browser/axe && for name in axe.min.js LICENSE LICENSE-3RD-PARTY.txt; do \
		cp "$$folder/node_modules/axe-core/$$name" tests/browser/axe/; \
	done

clean:
	rm -rf $(VENV) build dist site dpot.egg-info screenshots .pytest_cache .mypy_cache .ruff_cache .hypothesis

# --- environments -----------------------------------------------------------------------------------------

# Each file below says that a step is done; make repeats the step only when the pins are newer.
$(VENV)/installed: requirements.txt | $(PY)
	$(PY) -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(VENV)/installed-dev: requirements-dev.txt $(VENV)/installed
	$(PY) -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@

# `make lock` must work when there are no pins yet.
$(VENV)/uv: requirements-dev.in | $(PY)
	$(PY) -m pip install --quiet --disable-pip-version-check "$$(grep '^uv' requirements-dev.in)"
	@touch $@

$(PY):
	@for python in $(CANDIDATES); do \
		if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
			echo "Making $(VENV) with $$("$$python" --version)"; \
			"$$python" -m venv --clear "$(VENV)" && exit 0; \
			rm -rf "$(VENV)"; \
			echo "$$python cannot make an environment (Debian: apt install python3-venv)" >&2; \
		fi; \
	done; \
	echo "No usable Python 3.11 or newer among: $(CANDIDATES). Name one: make app PYTHON=/path/to/python3" >&2; \
	exit 1

# The browser tests need Chromium, those of several servers HAProxy. Debian's are installed where we may; elsewhere those
# tests say that they are skipped. $(1): the package; $(2): commands, of which one is enough.
define debian
	@for name in $(2); do \
		command -v "$$name" >/dev/null 2>&1 && exit 0; \
	done; \
	if ! command -v apt-get >/dev/null; then root=none; \
	elif [ "$$(id -u)" = 0 ]; then root=; \
	elif sudo -n true 2>/dev/null; then root="sudo -n"; \
	else root=none; fi; \
	if [ "$$root" = none ]; then \
		echo "No $(1) found and none can be installed from here: tests that need it will be skipped."; \
		[ -z "$$CI" ]; \
	else \
		echo "Installing $(1)"; \
		export DEBIAN_FRONTEND=noninteractive; \
		$$root apt-get update -qq && $$root apt-get install -y -qq --no-install-recommends $(1) >/dev/null; \
	fi
endef
chromium:
	$(call debian,chromium,"$$CHROMIUM" chromium chromium-browser google-chrome)
haproxy:
	$(call debian,haproxy,haproxy /usr/sbin/haproxy)
