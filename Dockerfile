# Two images. The app:      docker build --tag dpot .
# Python and dpot_core:     docker build --tag dpot-science --target science .
#
# The base is named by its exact tag. To hold it to the byte, ask for its digest and give that:
#   docker buildx imagetools inspect python:3.11.14-slim-bookworm
#   docker build --build-arg PYTHON=python:3.11.14-slim-bookworm@sha256:... .
ARG PYTHON=python:3.11.14-slim-bookworm

FROM ${PYTHON} AS base
# Not root, with a number that Kubernetes can check; /kept is all that a server writes, see compose.yaml.
RUN useradd --uid 10001 --create-home --home-dir /srv/dpot dpot && install --directory --owner dpot --mode 700 /kept
ENV PATH=/srv/packages/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    OMP_NUM_THREADS=1 \
    XDG_CACHE_HOME=/kept/cache \
    DPOT_TAG_KEY=/kept/tags.key
WORKDIR /srv/dpot

FROM base AS build
RUN python -m venv /srv/packages
WORKDIR /build
COPY requirements.txt .

# --- the science alone ------------------------------------------------------------------------------------

FROM build AS science-packages
# What dpot_core imports (tests/serve/test_deploy.py), in the pinned versions.
RUN pip install --no-cache-dir --disable-pip-version-check --constraint requirements.txt \
    dp-accounting geopandas highspy numpy opendp openpyxl pandas pillow pooch pot pyarrow pyogrio pyproj requests scipy \
    shapely

FROM base AS science
COPY --from=science-packages /srv/packages /srv/packages
COPY dpot_core /srv/science/dpot_core
COPY data /srv/science/data
ENV PYTHONPATH=/srv/science
USER 10001
CMD ["python", "-c", "import dpot_core as dpot; help(dpot)"]

# --- the app ----------------------------------------------------------------------------------------------

FROM build AS packages
RUN pip install --no-cache-dir --disable-pip-version-check --requirement requirements.txt
COPY . .
RUN pip install --no-cache-dir --disable-pip-version-check --no-deps .

FROM base AS app
COPY --from=packages /srv/packages /srv/packages
USER 10001
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=90s CMD ["python", "-c", "from urllib.request import ProxyHandler, build_opener; build_opener(ProxyHandler({})).open('http://127.0.0.1:8501/_stcore/health', timeout=4)"]
# It ends with a sentence unless DPOT_PASSWORD, accounts or PUBLIC=1 say who may come in (SECURITY.md).
CMD ["dpot", "app", "--address", "0.0.0.0", "--port", "8501"]
