"""The command ``dpot app``: start the app, with what that takes and no more."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from importlib import resources

from dpot_app.serve import servers
from dpot_core.datasets.embedded import embedded


def add_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``app`` to a program's commands; ``options.command(options)`` runs it."""
    app = commands.add_parser("app", help="start the app and print its address")
    words = "who can open it: 0.0.0.0 for a room, by DPOT_PASSWORD, OIDC or PUBLIC=1; this machine only unless given"
    app.add_argument("--address", help=words)
    app.add_argument("--port", type=int, help="8501 or the next that is free unless given")
    words = "behind one address, for a room of more than 50 (docs/scale.md); needs HAProxy; 1 without any unless given"
    app.add_argument("--servers", type=int, metavar="N", help=words)
    app.set_defaults(command=_app)


def _app(options: argparse.Namespace) -> int:
    flags = {"--server.address": options.address, "--server.port": options.port}
    if options.servers is None:
        servers.usable(options.address, options.port)
    given = [part for flag, value in flags.items() if value is not None for part in (flag, str(value))]
    with resources.as_file(embedded()) as project:
        # -P: what lies in the present folder is not part of the app.
        command = [sys.executable, "-P", "-m", "streamlit", "run", str(project.resolve() / "app.py")]
        if options.servers is not None:
            return servers.serve(options.servers, command, options.address, options.port)
        command += given
        if os.name == "posix":
            os.execv(sys.executable, command)  # ending this process ends the app
        return subprocess.run(command).returncode
