"""An OpenID Connect provider of one's own: a real HTTP server with discovery, tokens, keys and user info."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

CLIENT = "moorage"
KEY, OTHER_KEY = (rsa.generate_private_key(public_exponent=65537, key_size=2048) for _ in range(2))


class OpenId(ThreadingHTTPServer):
    """``claims`` go into every ID token over what belongs there, ``about`` into the user info; ``signed`` signs it."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Call)
        self.claims: dict[str, Any] = {}
        self.about: dict[str, Any] = {}
        self.signed: dict[str, Any] = {"key": KEY, "algorithm": "RS256", "headers": {"kid": "one"}}
        self.without_token = False
        self.nonce = ""
        self.asked: list[str] = []

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def id_token(self) -> str:
        """Signed and good, but for what a test says otherwise."""
        now = int(time.time())
        claims = {
            "iss": self.origin, "aud": CLIENT, "sub": "s-1", "iat": now, "exp": now + 300, "nonce": self.nonce,
            **self.claims,
        }  # fmt: skip
        return jwt.encode({name: said for name, said in claims.items() if said is not None}, **self.signed)


class _Call(BaseHTTPRequestHandler):
    server: OpenId

    def do_GET(self) -> None:
        at, here = urlsplit(self.path), self.server.origin
        self.server.asked.append(at.path)
        if at.path == "/authorize":
            given = {name: words[0] for name, words in parse_qs(at.query).items()}
            self.server.nonce = given.get("nonce", "")
            self.send_response(302)
            self.send_header("Location", f"{given['redirect_uri']}?code=c-1&state={given['state']}")
            self.end_headers()
            return
        public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(KEY.public_key()))
        self._say(
            {
                "/.well-known/openid-configuration": {
                    "issuer": here, "authorization_endpoint": f"{here}/authorize", "token_endpoint": f"{here}/token",
                    "userinfo_endpoint": f"{here}/userinfo", "jwks_uri": f"{here}/keys",
                },
                "/keys": {"keys": [{**public, "kid": "one", "alg": "RS256", "use": "sig"}]},
                "/userinfo": {
                    "sub": "s-1", "preferred_username": "ada", "email": "ada@example.com", "email_verified": True,
                    **self.server.about,
                },
            }[at.path]
        )  # fmt: skip

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        answer = {"access_token": "a-1", "token_type": "Bearer", "expires_in": 300}
        self._say(answer if self.server.without_token else {**answer, "id_token": self.server.id_token()})

    def _say(self, told: object) -> None:
        body = json.dumps(told).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: Any) -> None:
        """Nothing of it is wanted on the tests' terminal."""


@contextmanager
def openid() -> Iterator[OpenId]:
    with OpenId() as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield server
        server.shutdown()
