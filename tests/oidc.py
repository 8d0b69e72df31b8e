"""A small OpenID Connect provider on loopback: everybody who asks is the person that the test names."""

from __future__ import annotations

import base64
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

CLIENT, SECRET = "dpot", "the provider's secret"


class Provider:
    """Knows one client; hands out codes that are good once, and identities signed by a key of its own."""

    def __init__(self) -> None:
        from joserfc.jwk import RSAKey

        self.person: dict[str, Any] = {"email": "ann@example.org", "email_verified": True}
        self.key, self.codes, outer = RSAKey.generate_key(2048, {"kid": "1"}), dict[str, str](), self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                path, query = urlsplit(self.path).path, parse_qs(urlsplit(self.path).query)
                if path == "/authorize":
                    outer.codes[code := f"code-{time.monotonic_ns()}"] = query.get("nonce", [""])[0]
                    self.send_response(302)
                    back = urlencode({"code": code, "state": query["state"][0]})
                    self.send_header("Location", f"{query['redirect_uri'][0]}?{back}")
                    self.end_headers()
                else:
                    self.tell({"/.well-known/openid-configuration": outer.about, "/keys": outer.keys}[path]())

            def do_POST(self) -> None:
                form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
                known = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
                assert self.headers["Authorization"] == f"Basic {known}", self.headers["Authorization"]
                self.tell(outer.identity(outer.codes.pop(form["code"][0])))

            def tell(self, content: dict[str, Any]) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.end_headers()
                self.wfile.write(json.dumps(content).encode())

            def log_message(self, *_: Any) -> None: ...

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def about(self) -> dict[str, Any]:
        places = {"authorization_endpoint": "authorize", "token_endpoint": "token", "jwks_uri": "keys"}
        return {
            "issuer": self.address,
            **{name: f"{self.address}/{path}" for name, path in places.items()},
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
        }

    def keys(self) -> dict[str, Any]:
        return {"keys": [self.key.as_dict(private=False)]}

    def identity(self, nonce: str) -> dict[str, Any]:
        from joserfc import jwt

        now = int(time.time())
        claims = {"iss": self.address, "aud": CLIENT, "sub": "1", "iat": now, "exp": now + 600, "nonce": nonce}
        token = jwt.encode({"alg": "RS256", "kid": "1"}, claims | self.person, self.key)
        return {"access_token": "none", "token_type": "Bearer", "expires_in": 600, "id_token": token}

    def secrets(self, app: str) -> str:
        """What the app's secrets.toml says."""
        return "\n".join(
            [
                "[auth]",
                f'redirect_uri = "{app}/oauth2callback"',
                'cookie_secret = "long enough to be a secret of a test"',
                f'client_id = "{CLIENT}"',
                f'client_secret = "{SECRET}"',
                f'server_metadata_url = "{self.address}/.well-known/openid-configuration"',
            ]
        )

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
