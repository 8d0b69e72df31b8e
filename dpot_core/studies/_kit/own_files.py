"""People's own files in the Python that they take away: under which names it reads them."""

from collections.abc import Iterator, Mapping


def file_name(role: str) -> str:
    """The name under which exported Python reads the file of a role."""
    return f"{role}.geojson" if role == "zones" else f"{role}.csv"


def reads(role: str) -> str:
    """Python that gives the file's content."""
    return f'Path("{file_name(role)}").read_bytes()'


def reads_if_there(role: str) -> str:
    """Python that gives the content of a file that may be left out, or None."""
    return f'{reads(role)} if Path("{file_name(role)}").is_file() else None'


def given(roles: Mapping[str, bool]) -> Iterator[str]:
    """Lines of Python that make ``files``: the contents by role.

    Args:
        roles: role -> whether the settings cannot do without it.
    """
    if roles:
        yield "from pathlib import Path  # your own files, under these names"
    needed = ", ".join(f"{role!r}: {reads(role)}" for role, needs in roles.items() if needs)
    yield f"files = {{{needed}}}"
    for role in (role for role, needs in roles.items() if not needs):
        yield f'if Path("{file_name(role)}").is_file():  # may be left out'
        yield f"    files[{role!r}] = {reads(role)}"
