"""Accounts: where .streamlit/secrets.toml names an OIDC provider, a reader sees a page only after logging in there."""

import os
from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any

import streamlit as st

from dpot_app.shell.access import by_oidc


def let_in() -> bool:
    """Whether this session may see pages; if it may not, it is drawn how to log in."""
    if not by_oidc():
        return True
    if st.user.is_logged_in and listed(st.user.to_dict()):
        return True
    st.subheader("dpot: what privacy costs, measured in distance", anchor=False)
    if st.user.is_logged_in:
        st.error("This account is not on the list of those who may come in. Ask the operator of this app.")
        st.button("Log out", on_click=st.logout)
        return False
    st.markdown("The operator of this app asks you to log in.")
    providers = [
        name for name, value in st.secrets["auth"].items() if isinstance(value, Mapping) and "client_id" in value
    ]
    for name in providers:
        st.button(f"Log in with {name}", key=f"login_{name}", on_click=st.login, args=(name,))
    if not providers:
        st.button("Log in", key="login", type="primary", on_click=st.login)
    return False


def leave() -> None:
    """A way out, for those who have logged in."""
    if by_oidc():
        name = st.user.to_dict().get("email") or "your account"
        st.sidebar.button("Log out", key="logout", on_click=st.logout, help=f"You are here as {name}.")


def listed(user: Mapping[str, Any]) -> bool:
    """Whether a user is on the list `DPOT_PEOPLE`, such as ``ann@example.org, *@example.com``; without it all are.

    An address counts only if the provider has not said that it is unverified.
    """
    allowed = [one.strip().lower() for one in os.environ.get("DPOT_PEOPLE", "").split(",") if one.strip()]
    if not allowed:
        return True
    address = str(user.get("email") or "").lower()
    return user.get("email_verified", True) is True and any(fnmatchcase(address, one) for one in allowed)
