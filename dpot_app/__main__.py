"""The program ``dpot``, or ``python -m dpot_app``: see `dpot_app.command_line`.

The app starts without the modules of the other commands: to load them takes longer than all else that it does.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Args:
        arguments: of the command line, without the program's name; None for those of this process.

    Returns:
        The exit code.
    """
    given = sys.argv[1:] if arguments is None else list(arguments)
    if given[:1] == ["app"]:
        return _start(given)
    from dpot_app import command_line

    return command_line.main(given)


def _start(given: Sequence[str]) -> int:
    from dpot_app.serve import app_command, servers

    parser = argparse.ArgumentParser(prog="dpot")
    app_command.add_command(parser.add_subparsers())
    options = parser.parse_args(given)
    try:
        code: int = options.command(options)
    except (servers.ServersError, OSError) as problem:
        print(f"dpot: error: {problem}", file=sys.stderr)
        return 2 if isinstance(problem, servers.ServersError) else 1
    return code


if __name__ == "__main__":
    sys.exit(main())
