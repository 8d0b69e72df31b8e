"""A server on loopback that stands in for the publisher of a data set."""

import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Abandoned(BaseException):
    """What Streamlit raises out of a progress bar is no `Exception` either."""


class Server(ThreadingHTTPServer):
    """Answers each request with the next of its replies, and with the last one from then on.

    A reply is (status, body, headers); a body of several parts is sent slowly.
    """

    daemon_threads = True

    def __init__(self, *replies):
        super().__init__(("127.0.0.1", 0), Handler)
        self.replies, self.requests = list(replies), 0

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}/data.gz"


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        replies = self.server.replies
        status, body, headers = replies[min(self.server.requests, len(replies) - 1)]
        self.server.requests += 1
        parts = [body] if isinstance(body, bytes) else body
        self.send_response(status)
        for name, value in {"Content-Length": str(sum(map(len, parts))), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        for number, part in enumerate(parts):
            if number:
                time.sleep(0.05)
            self.wfile.write(part)
            self.wfile.flush()
        self.close_connection = True

    def log_message(self, *args):
        pass


def leftovers(folders):
    """Names of everything in the folders."""
    return [path.name for folder in folders if folder.exists() for path in folder.rglob("*")]
