"""What a test needs from the machine: real data, a browser. Absent, it is skipped; in CI that is a failure."""

import os
from typing import NoReturn

import pytest

IN_CI = os.environ.get("CI", "").lower() in {"1", "true"}


def unavailable(reason: str) -> NoReturn:
    """End the running test: skipped with the reason on a user's machine, failed in CI."""
    if IN_CI:
        pytest.fail(f"needed in CI: {reason}", pytrace=False)
    pytest.skip(reason)
