from dpot_core.studies.decide.settings import Config

_SNIPPET = """from dpot_core.studies.decide.results import run
from dpot_core.studies.decide.settings import Config

config = {config!r}
answer = run(config)
found = {{
    # From which epsilon on the target is reached for good. None: it is not; search.best is the best there is.
    (side, name): search.steady
    for side, searched in answer.sides.items()
    for name, search in searched.searches.items()
}}
print(found)
"""


def snippet(config: Config) -> str:
    """Python that computes ``found``, the smallest epsilon by side and mechanism."""
    return _SNIPPET.format(config=config)
