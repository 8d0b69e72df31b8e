"""Settings of any view, drawn from what their declarations say they may be."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from dpot_app.kit.setting import Declared
from dpot_app.kit.values import ScenarioError, get, hint_at, put
from dpot_app.kit.view import View


@st.composite
def settings_of(draw: Any, view: View) -> Any:
    """The example with every declared setting drawn anew, as far as the view's requirements let it."""
    config = view.example
    for name, known in view.declared.items():
        values = allowed(known, hint_at(config, name), get(config, name))
        if values is not None:
            try:
                changed = put(config, name, draw(values))
                view.check(changed)
            except ScenarioError:
                continue  # does not fit together with what was drawn before
            config = changed
    return config


def allowed(known: Declared, hint: Any, value: Any) -> st.SearchStrategy[Any] | None:
    """What a setting may be; None for text and lists that are checked for their type only."""
    if known.options is not None and known.many:
        return st.lists(st.sampled_from(list(known.options)), unique=True).map(tuple)
    if known.options is not None:
        return st.sampled_from(list(known.options))
    if hint is bool:
        return st.booleans()
    if known.low is None or known.high is None or isinstance(value, tuple):
        return None
    whole = hint is int
    number = st.integers(int(known.low), int(known.high)) if whole else st.floats(known.low, known.high)
    return number if known.empty is None else st.none() | number
