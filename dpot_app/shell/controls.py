"""Controls whose state lives in the address bar, and the notice when an address cannot be read."""

import math
from collections.abc import Callable, Collection, Mapping
from typing import Any, Literal
from urllib.parse import urlencode

import streamlit as st

from dpot_app.kit.links import entries_by_text, in_words, parameter
from dpot_app.kit.setting import Declared
from dpot_app.shell.addresses import address, has_settings, prepared, take_prepared
from dpot_app.shell.carried import note
from dpot_app.shell.live import Live, Scrub
from dpot_app.shell.teaching import shared_state
from dpot_app.shell.upload import Upload
from dpot_app.shell.widgets import as_number, widget_of
from dpot_app.shell.worded import Words, came_back

# Parameters that every page understands: they belong to none.
SHARED = ("teach_",)

#: Of an address whose page began elsewhere than at the defaults of its settings.
_VERSION = "2"

_NOT_USED = "**Part of the link could not be used.** "


class Controls:
    """The controls of one page.

    The address bar follows every control under ``{page}_{name}``, a link restores it, and it keeps its value while
    another page is shown or while it is hidden. A control that shows what links carry is bound to the query parameter
    by Streamlit, which drops what it cannot read without a word; `notices` says so. Streamlit would write the label of
    an option: where that is another word than its name in links, the parameter is written and read here.

    Args:
        page: the page's short name, the first part of its parameters' names.
    """

    def __init__(self, page: str) -> None:
        self.page = page
        self.files: dict[str, Upload] = {}  # that the reader has brought, by their role; see `dpot_app.shell.files`
        # declarations of settings by dotted name, where the open view has others than their class
        self.instead: Mapping[str, Declared] = {}
        self.mechanism = ""  # short name of the one that is released with; "" where none is asked for
        self.waiting = ""  # what has to be given before anything can be computed, in words; "" for nothing
        self.idle: Collection[str] = ()  # settings that do not count on the open tab, by dotted name: disabled
        self.live = Live(page)  # what of the page follows its sliders
        self.known_words: set[str] = set()  # keys of the field's words that a caption of the page has explained
        self.drawn: list[Any] = []  # each `Shown`, in the order in which it was drawn
        # sliders whose numbers are not the setting's own, by the dotted name of the setting; see `follow`
        self.scrubs: dict[str, Scrub] = {}
        #: Texts that no control holds and links carry all the same, by their names there.
        self.carried: dict[str, str] = {}
        self._state: dict[str, str] = {}
        self._begin: dict[str, Any] = {}  # what widgets hold at first, by key
        self._problems: list[str] = []
        self._unread: dict[str, str] = {}
        self._read: set[str] = set()
        self._worded: set[str] = st.session_state.setdefault(f"{page}_worded", set())  # keys of all there were, `Words`

    def ask(self, known: Declared, begin: Any, **options: Any) -> Any:
        """The value of a setting's widget; links carry it under the declared name.

        Args:
            known: the declaration: of a setting, or of what only the page asks for.
        """
        key, known = self._key(known.link), self.stopping(known)
        self._begin[key] = [*begin] if known.many else 0.0 if begin is None and known.empty is not None else begin
        widget = widget_of(known, begin, key, **options)
        read = widget.read if known.many else lambda raw: widget.read(raw[-1])
        take_prepared(key, read, widget.readable, bound=not widget.worded)
        words = Words(key, self._begin[key], read, widget.readable, many=known.many)
        if widget.worded:
            self._follow(words, known.label)
            bind: dict[str, Any] = {"persist_state": "session"}
        else:
            bind = {"bind": self._check(key, known.label, widget.readable, many=known.many)}
        value = widget.value(widget.draw(key=key, **bind))
        if known.ends or known.exact:
            self._around(key, known, value, disabled=bool(options.get("disabled")))
        written = parameter(known, value)
        texts = [written] if isinstance(written, str) else written
        if widget.worded:
            words.tell(texts)
        return self._keep(key, value, "\n".join(texts), in_words(known, texts) if key in self._unread else "")

    def _follow(self, words: Words, label: str) -> None:
        """Give a control, made next, what the address says: in a session's first run of it, and after Back."""
        self._worded.add(words.key)
        fresh, back = words.key not in st.session_state, came_back()
        if not fresh and not back:
            return
        if words.told:
            st.session_state[words.key] = words.read(words.raw)
        elif back and not fresh:
            st.session_state[words.key] = words.begin
        elif words.raw:
            self._unread[words.key] = label

    def ask_text(self, name: str, known: Declared, begin: str = "", **options: Any) -> str:
        """A line of text, which the address follows; links carry it unless it is empty."""
        key = self._key(name)
        self._begin[key] = begin
        take_prepared(key, lambda raw: raw[-1])
        bind = self._check(key, known.label, lambda raw: True)
        text = str(st.text_input(known.label, begin, key=key, bind=bind, help=known.help, **options)).strip()
        if not text:
            self._read.add(name)
            return ""
        self._keep(key, text, text)
        return text

    def stopping(self, known: Declared) -> Declared:
        """A declaration whose slider also stops where a number was typed in, or where the address has one."""
        if not known.exact or known.low is None or known.high is None:
            return known
        memory = self._key(f"{known.link}_typed")
        key = self._key(known.link)
        raw = as_number(prepared(key) or st.query_params.get(key, ""))
        if known.low <= raw <= known.high and raw not in (known.grid or ()):
            st.session_state[memory] = raw
        typed = st.session_state.get(memory)
        return known if typed is None else known.stopping_at(typed)

    def _around(self, key: str, known: Declared, value: float, *, disabled: bool) -> None:
        """The meaning of a slider's ends, a field for an exact number between them, and a remark about the number."""
        left, middle, right = st.columns((1, 1, 1), vertical_alignment="center", gap="xxsmall")
        if known.ends:
            left.caption(known.ends[0])
            right.caption(known.ends[1], text_alignment="right")
        if known.exact:
            # A report that leaves before the browser was told of a new number brings the old one with it. It would be
            # taken for typed: so whenever another control changes the number, the field is a new one.
            turn, stood = st.session_state.get(f"{key}_field", (0, value))
            turn += stood != value
            st.session_state[f"{key}_field"] = turn, value
            field = f"{key}_{turn}_exact"
            st.session_state[field] = float(value)

            def typed() -> None:
                if st.session_state[f"{key}_field"] != (turn, value):
                    return
                number = st.session_state[field]
                if number not in (known.grid or ()):
                    st.session_state[f"{key}_typed"] = number
                st.session_state[f"{key}_field"] = turn, number
                st.session_state[key] = number

            middle.number_input(
                f"{known.label}, exactly",
                known.low,
                known.high,
                step=None,
                format="%.12g",
                label_visibility="collapsed",
                key=field,
                on_change=typed,
                disabled=disabled,
            )
        if said := known.remark(value):
            st.caption(said)

    def tabs(self, name: str, values: Mapping[str, str]) -> tuple[str, Mapping[str, Any]]:
        """Tabs of which only the open one should be computed and drawn.

        Returns:
            The key of the open tab, and the container of every tab.
        """
        words, key = self._opening(name, values), self._key(name)
        made = st.tabs(list(values.values()), key=key, on_change="rerun")
        containers = dict(zip(values, made, strict=True))
        opened = next((value for value, tab in containers.items() if tab.open), next(iter(values)))
        st.session_state[f"{key}_last"] = opened
        # Once it is there it stays: history.js takes an address without one for no step.
        words.tell([opened], always=bool(words.raw))
        self._keep(key, opened, opened, values[opened])
        return opened, containers

    def opening(self, name: str, values: Mapping[str, str]) -> str:
        """The key of the tab that `tabs` will open, for controls that stand before it."""
        self._opening(name, values)
        label = st.session_state.get(self._key(name))
        return next((value for value, one in values.items() if one == label), next(iter(values)))

    def _opening(self, name: str, values: Mapping[str, str]) -> Words:
        """Let tabs, made later in this run, open with the one that a link, the address or the last visit asks for."""
        key, first = self._key(name), next(iter(values))
        named = entries_by_text(key, Declared("View", options=values))
        last = f"{key}_last"  # Streamlit forgets the tab that is open when another page is
        words = Words(key, values[first], lambda raw: values[named[raw[-1]]], named.__contains__)
        take_prepared(key, words.read, words.readable, bound=False)
        if key not in st.session_state and last in st.session_state:
            st.session_state[key] = values.get(st.session_state[last], values[first])
        self._follow(words, "View")
        return words

    def link(self, **more: str | list[str]) -> str:
        """The address that restores everything on this page, defaults too; ``more``: see `parameter`."""
        return f"{address()}?{urlencode([*self._pairs(more), *shared_state().items()])}"

    def query(self, more: Mapping[str, str | list[str]]) -> str:
        """The parameters of `link` that belong to this page, without a look at the session's state."""
        return urlencode(self._pairs(more))

    def _pairs(self, more: Mapping[str, str | list[str]]) -> list[tuple[str, str]]:
        pairs = [(key, part) for key, text in self._state.items() for part in text.split("\n")]
        for name, text in more.items():
            pairs += [(self._key(name), part) for part in (text if isinstance(text, list) else [text])]
        return pairs

    def parameter(self, name: str) -> str | None:
        """Take a parameter that is not bound to a control out of the address, and return its text."""
        key = self._key(name)
        self._read.add(name)
        text = st.query_params.get(key)
        if text is not None:
            del st.query_params[key]
        return text

    def means_first(self) -> bool:
        """Whether a setting that the address lacks means what the page begins with, and not its default.

        Addresses lack what stands as it began. Those that were there before the page began elsewhere have settings and
        no version: they mean the defaults. What lacks everything is a first visit.
        """
        key = self._key("version")
        kept, told = f"{key}_kept", st.query_params.get(key) == _VERSION
        if told:
            self._read.add("version")
        if kept not in st.session_state:
            st.session_state[kept] = told or not has_settings(self.page)
        elif st.session_state[kept] and not told:
            # Not in the first run: until the page's JavaScript is there, it would be a step of its own for Back.
            self._read.add("version")
            st.query_params[key] = _VERSION
        return bool(st.session_state[kept])

    def forget(self) -> None:
        """Bring back what the settings on the page begin with; the address then leaves them out."""
        for key, begin in self._begin.items():
            st.session_state.pop(f"{key}_typed", None)
            st.session_state[key] = begin

    def shows(self, name: str) -> bool:
        """Whether a control of this name is on the page."""
        return self._key(name) in self._state

    def reads(self, name: str) -> bool:
        """Whether the page has asked for this parameter itself (`parameter`)."""
        return name in self._read

    def refuse(self, name: str, label: str, instead: str) -> None:
        """Say that the parameter ``name`` could not be used, and what is used instead."""
        self._problems.append(f"`{self._key(name)}` holds no valid value of *{label}*; {instead} is used instead.")

    def notices(self, complete: bool = True) -> None:
        """Say which parameters of the address could not be used; call when all controls stand.

        The notice stays until a control is changed. Unless the page is complete, controls that still wait for data
        may use the other parameters later.
        """
        memory = f"{self.page}_link_notice"
        if not complete:
            if self._problems:
                st.warning(_NOT_USED + " ".join(self._problems))
            return
        # Streamlit does so for those that are bound: controls that are hidden leave the address.
        for key in self._worded - self._state.keys():
            st.query_params.pop(key, None)
        if self._problems or memory not in st.session_state:
            # Later runs cannot tell unused parameters: those of a control just hidden are still listed there.
            unused = [
                f"`{_code(key)}` is not used with these settings."
                for key in st.query_params
                if key not in self._state
                and not key.startswith(SHARED)
                and key.removeprefix(f"{self.page}_") not in self._read
            ]
            st.session_state[memory] = ([*self._problems, *unused], dict(self._state))
        lines, state = st.session_state[memory]
        if lines and state == self._state:
            st.warning(_NOT_USED + " ".join(lines))

    def _key(self, name: str) -> str:
        return f"{self.page}_{name}"

    def _check(
        self, key: str, label: str, readable: Callable[[str], bool], *, many: bool = False
    ) -> Literal["query-params"] | None:
        """Remember a parameter that the widget, created next, cannot take as it stands; say how to bind the widget."""
        raw = st.query_params.get_all(key)
        if raw and not (all(map(readable, raw)) and (many or len(raw) == 1)):
            # What the control itself wrote, when it had other options, is no fault of a link.
            if key not in st.session_state:
                self._unread[key] = label
            # Streamlit drops what it cannot read, but fails on an infinite number and on no choice at all: in this
            # run it must not look.
            if any(part == "" or math.isinf(as_number(part)) for part in raw):
                del st.query_params[key]
                return None
        return "query-params"

    def _keep(self, key: str, value: Any, text: str, words: str = "") -> Any:
        """Note the value in use as links write it, and say so if the address asked for something else.

        Args:
            words: the value as the screen has it, where that is something else.
        """
        self._state[key] = text
        note(key.removeprefix(f"{self.page}_"), text)
        if key in self._unread:
            self.refuse(key.removeprefix(f"{self.page}_"), self._unread.pop(key), words or text or "nothing")
        return value


def _code(text: str) -> str:
    """Text from outside that may stand between backticks: it cannot end them, and it is short."""
    return "".join(c for c in text[:40] if c.isalnum() or c in "_-.")
