"""Ignores late updates from the widgets of the page that a reader leaves (a race of Streamlit 1.67).

The browser names the page that it shows in all that it sends, and shows the next one only when the server has begun it.
What is reported in between, by a slider that waits a moment before it tells or by a click on what still stands there,
names the page that is being left, and Streamlit (1.67) takes that for the wish to see it: the click on the link was
lost. Here the report is heard on the page that was asked for.

A link to the page that is being left is a wish. It tells of no control of a page, as a report does of all of them.
"""

from collections.abc import Mapping
from urllib.parse import urlsplit

from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.WidgetStates_pb2 import WidgetState


class PendingNavigation:
    """The last request of one browser."""

    def __init__(self) -> None:
        self._asked: ClientState | None = None  # for the page that it goes to

    def hear(self, said: ClientState, page: str, prefixes: Mapping[str, str]) -> ClientState | None:
        """The page that a message asks for, None for none.

        Args:
            said: the message.
            page: the page whose script was begun last, by its hash, as messages name it.
            prefixes: hash of a page -> what the keys of its controls begin with.
        """
        asked = self._asked
        # With the address of the next page the browser has it.
        if asked is not None and _path(said) != _path(asked):
            asked = None
        again = asked is not None and said.page_script_hash == asked.page_script_hash
        if asked is not None and not again and _reports(said, asked, prefixes.get(said.page_script_hash)):
            return None if said.is_auto_rerun else _on(asked, said)
        self._asked = said if again or said.page_script_hash not in ("", page) else None
        return said


def _path(said: ClientState) -> str:
    return urlsplit(said.context_info.url).path


def _reports(said: ClientState, asked: ClientState, prefix: str | None) -> bool:
    """Whether a message is no wish to see the page that it names."""
    if said.is_history_navigation:
        return False
    before = {state.id: state for state in asked.widget_states.widgets}
    return bool(said.fragment_id) or any(
        f"-{prefix}_" in state.id or before.get(state.id, state) != state or _clicked(state)
        for state in said.widget_states.widgets
    )


def _clicked(state: WidgetState) -> bool:
    return state.WhichOneof("value") == "trigger_value" and state.trigger_value


def _on(asked: ClientState, said: ClientState) -> ClientState:
    """The widgets' reports for the page that was asked for: a run of all of it, since its parts are not known there."""
    heard = ClientState()
    heard.CopyFrom(said)
    heard.ClearField("fragment_id")
    heard.page_script_hash, heard.page_name = asked.page_script_hash, asked.page_name
    heard.query_string, heard.is_history_navigation = asked.query_string, asked.is_history_navigation
    return heard
