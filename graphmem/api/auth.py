"""Who may call, and as whom: a key or a token, and on loopback nobody else's web page.

The key of the settings may everything; on loopback so may a token of mode 0600 in the data directory, which is made at
the first start unless a key is configured. With these, keys are made that may less (``graphmem.trust.keys``). Digests
are compared in constant time.

Neo4j Browser sends no token with its request for a guide. So what is under ``/browser/`` also opens to a key in the
URL: on loopback, that of the file ``guide-key`` beside the token. It opens nothing else.
"""

import hmac
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers

from graphmem.errors import ConfigurationError, Forbidden, InvalidInput, Unauthenticated, UnsupportedMediaType
from graphmem.model.key import PREFIX
from graphmem.model.principal import NOBODY, Principal, Right
from graphmem.private_files import ensure_secret, read_secret
from graphmem.process.hosts import is_loopback
from graphmem.settings import Settings
from graphmem.trust.keys import Keys

HEALTH_PATHS = frozenset({"/health/live", "/health/ready"})
OPEN_PATHS = HEALTH_PATHS | {"/docs", "/openapi.json"}
GUIDE_PATHS = "/browser/"
"""How the paths begin of what Neo4j Browser reads."""
BODY_TYPES = frozenset({"application/json", "application/x-ndjson", "application/octet-stream"})
"""None that a web page may send to another origin without asking first (https://fetch.spec.whatwg.org/#simple-header)."""
_MOST_PARAMETERS = 256
"""Of one call; none takes as many."""
_READS = frozenset({"GET", "HEAD", "OPTIONS"})
_PORT = re.compile(r":\d{1,5}$", re.ASCII)
_LOOPBACK_HOST = re.compile(r"(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True, slots=True)
class Gate:
    """What a request must show. ``loopback`` is whether the service is bound to this machine only.

    ``hosts`` are names by which it is called beside those of this machine, in small letters.
    ``guide`` is the digest of the key that opens what Neo4j Browser reads, where there is one. With ``require_user``
    nobody reads or writes without saying for which user.
    """

    digests: tuple[bytes, ...]
    loopback: bool
    guide: bytes | None = None
    require_user: bool = False
    hosts: frozenset[str] = frozenset()

    async def check(self, method: str, path: str, headers: Headers, query: str, keys: Callable[[], Keys]) -> Principal:
        """Who calls; raises what is wrong with a request before anything reads its body.

        Raises:
            Forbidden: its Host is none of the names of this service, or it is a write from another web page.
            Unauthenticated: no key or token, or a wrong one.
            StoreUnavailable: it brings a key that is to be looked up, and Neo4j does not answer.
            UnsupportedMediaType: its body is neither JSON, nor NDJSON, nor a file.
            InvalidInput: it has more parameters than any call takes.
        """
        if query.count("&") >= _MOST_PARAMETERS:
            raise InvalidInput(f"The address has more than {_MOST_PARAMETERS} parameters.")
        host = headers.get("host", "")
        if not self._is_called(host):
            raise Forbidden("The Host header must be localhost, 127.0.0.1, [::1], or one of api.hosts.")
        if method not in _READS:
            _check_origin(headers, host)
        open_to_all = path in OPEN_PATHS
        principal = NOBODY if open_to_all else self._guided(path, query) or await self._principal(headers, keys)
        if method not in _READS:
            _check_body_type(headers)
        return principal

    def _is_called(self, host: str) -> bool:
        """Whether this service is called by this name: a page may have any other name point to this machine."""
        if not self.loopback and not self.hosts:
            return True
        return _LOOPBACK_HOST.fullmatch(host) is not None or _PORT.sub("", host).lower() in self.hosts

    def _guided(self, path: str, query: str) -> Principal | None:
        """Neo4j Browser, if a guide or a style is asked for with the key that opens them."""
        if self.guide is None or not path.startswith(GUIDE_PATHS):
            return None
        shown = parse_qs(query).get("key", [""])[0]
        guided = Principal(rights=frozenset({Right.READ}), names_user=self.require_user)
        return guided if hmac.compare_digest(_digest(shown), self.guide) else None

    async def _principal(self, headers: Headers, keys: Callable[[], Keys]) -> Principal:
        scheme, _, token = headers.get("authorization", "").partition(" ")
        shown = token.strip() if scheme.lower() == "bearer" else headers.get("x-api-key", "")
        if not shown:
            raise Unauthenticated("Send the key or token as `Authorization: Bearer …` or `X-API-Key: …`.")
        digest = _digest(shown)
        matches = [hmac.compare_digest(digest, known) for known in self.digests]
        if any(matches):
            return Principal(names_user=self.require_user)
        if shown.startswith(PREFIX):
            return replace(await keys().principal_of(shown), names_user=self.require_user)
        raise Unauthenticated("The key or token is not one of this service.")


def open_gate(settings: Settings) -> Gate:
    """The gate of a service with these settings.

    Raises:
        ConfigurationError: it would be bound to more than loopback without a key.
    """
    loopback = is_loopback(settings.api.host)
    key = settings.api.key.get_secret_value() if settings.api.key else None
    if not loopback and not key:
        raise ConfigurationError(
            f"The API may not listen on {settings.api.host} without a key. "
            "Set GRAPHMEM_API_KEY, or listen on 127.0.0.1."
        )
    token = _loopback_token(token_file(settings.data_dir), make=key is None) if loopback else None
    guide = _loopback_token(guide_key_file(settings.data_dir), make=False) if loopback else None
    digests = tuple(_digest(secret) for secret in (key, token) if secret)
    return Gate(
        digests,
        loopback,
        _digest(guide) if guide else None,
        require_user=settings.api.require_user,
        hosts=frozenset(map(str.lower, settings.api.hosts)),
    )


def token_file(data_dir: Path) -> Path:
    """Where ``graphmem up`` and the API keep the token of this machine."""
    return data_dir / "secrets" / "api-token"


def guide_key_file(data_dir: Path) -> Path:
    """Where ``graphmem up`` keeps the key of guides for Neo4j Browser."""
    return data_dir / "secrets" / "guide-key"


def _loopback_token(path: Path, *, make: bool) -> str | None:
    try:
        return ensure_secret(path) if make else read_secret(path)
    except OSError as error:
        raise ConfigurationError(f"The token file {path} cannot be used: {error.strerror}.") from error


def _check_origin(headers: Headers, host: str) -> None:
    origin = headers.get("origin")
    if origin is not None and urlsplit(origin).netloc.lower() != host.lower():
        raise Forbidden("A web page of another origin may not write here.")


def has_body(headers: Headers) -> bool:
    return headers.get("content-length", "0") != "0" or "transfer-encoding" in headers


def _check_body_type(headers: Headers) -> None:
    if has_body(headers) and media_type(headers) not in BODY_TYPES:
        raise UnsupportedMediaType(
            "Send the body as application/json, or episodes as application/x-ndjson, files as application/octet-stream."
        )


def media_type(headers: Headers) -> str:
    return headers.get("content-type", "").partition(";")[0].strip().lower()


def _digest(secret: str) -> bytes:
    return sha256(secret.encode()).digest()
