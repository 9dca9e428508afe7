"""Who may call, and as whom: a bearer token, and on loopback nobody else's web page.

Digests are compared in constant time. On loopback a token file of mode 0600 in the data directory is accepted too;
it is made at the first start unless a key is configured.

Neo4j Browser sends no token with its request for a guide. So what is under ``/browser/`` also opens to a key in the
URL: on loopback, that of the file ``guide-key`` beside the token. It opens nothing else.
"""

import hmac
import os
import re
import secrets
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers

from graphmem.errors import ConfigurationError, Forbidden, Unauthenticated, UnsupportedMediaType, UserRequired
from graphmem.process.hosts import is_loopback
from graphmem.settings import Settings

OPEN_PATHS = frozenset({"/health/live", "/health/ready", "/docs", "/openapi.json"})
GUIDE_PATHS = "/browser/"
"""How the paths begin of what Neo4j Browser reads."""
BODY_TYPES = frozenset({"application/json", "application/x-ndjson"})
_READS = frozenset({"GET", "HEAD", "OPTIONS"})
_LOOPBACK_HOST = re.compile(r"(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?", re.IGNORECASE | re.ASCII)


class Right(StrEnum):
    READ = "read"
    WRITE = "write"
    ADMIN = "admin"


@dataclass(frozen=True, slots=True)
class Principal:
    """Who calls, by key: the groups it may ask for (None: all), its rights, and its user if it is bound to one.

    ``names_user``: whoever reads or writes what users said has to say for which of them.
    """

    groups: frozenset[str] | None = None
    rights: frozenset[Right] = frozenset(Right)
    user: str | None = None
    names_user: bool = False

    def reads(self, group: str, user: str | None) -> str | None:
        """The user as whom the principal reads a group: who is asked for, or whom it is bound to; None reads all.

        Raises:
            Forbidden: the group, reading, or that user is none of its business.
            UserRequired: it has to say for which user.
        """
        return self._as_user(group, user, Right.READ)

    def writes(self, group: str, user: str | None) -> str | None:
        """The user as whom the principal writes to a group; None may change what belongs to any.

        Raises:
            Forbidden: the group, writing, or that user is none of its business.
            UserRequired: it has to say for which user.
        """
        return self._as_user(group, user, Right.WRITE)

    def administers(self, group: str) -> None:
        """Whether it may change what holds for a whole group: its settings, and jobs about all that is in it.

        Raises:
            Forbidden: the group or its administration is none of its business, or it is bound to one user.
        """
        self.enters(group, Right.ADMIN)
        if self.user is not None:
            raise Forbidden(f"This is about the whole group, and this key is {self.user!r}'s only.")

    def enters(self, group: str, right: Right) -> None:
        """Whether it has a right in a group, for whomever.

        Raises:
            Forbidden: it has not.
        """
        if right not in self.rights or (self.groups is not None and group not in self.groups):
            raise Forbidden(f"This key may not {right} group {group!r}.")

    def _as_user(self, group: str, user: str | None, right: Right) -> str | None:
        self.enters(group, right)
        if self.user is not None and user not in (None, self.user):
            raise Forbidden(f"This key is {self.user!r}'s only.")
        if self.user is None and user is None and self.names_user:
            raise UserRequired(
                "Say for which user: `?user=…`, or `user` in the body of a call that has it there. This service "
                "answers nobody who does not say it (api.require_user)."
            )
        return self.user if user is None else user


NOBODY = Principal(groups=frozenset(), rights=frozenset())
"""Whoever asks for what is open to everybody."""


@dataclass(frozen=True, slots=True)
class Gate:
    """What a request must show. ``loopback`` is whether the service is bound to this machine only.

    ``guide`` is the digest of the key that opens what Neo4j Browser reads, where there is one. With ``require_user``
    nobody reads or writes without saying for which user.
    """

    digests: tuple[bytes, ...]
    loopback: bool
    guide: bytes | None = None
    require_user: bool = False

    def check(self, method: str, path: str, headers: Headers, query: str = "") -> Principal:
        """Who calls; raises what is wrong with a request before anything reads its body.

        Raises:
            Forbidden: its Host is not this machine (on loopback), or it is a write from another web page.
            Unauthenticated: no key or token, or a wrong one.
            UnsupportedMediaType: its body is neither JSON nor NDJSON.
        """
        host = headers.get("host", "")
        if self.loopback and not _LOOPBACK_HOST.fullmatch(host):
            raise Forbidden(
                "The Host header must be localhost, 127.0.0.1 or [::1], because the service is bound to it."
            )
        if method not in _READS:
            _check_origin(headers, host)
        principal = NOBODY if path in OPEN_PATHS else self._guided(path, query) or self._principal(headers)
        if method not in _READS:
            _check_body_type(headers)
        return principal

    def _guided(self, path: str, query: str) -> Principal | None:
        """Neo4j Browser, if a guide or a style is asked for with the key that opens them."""
        if self.guide is None or not path.startswith(GUIDE_PATHS):
            return None
        shown = parse_qs(query).get("key", [""])[0]
        guided = Principal(rights=frozenset({Right.READ}), names_user=self.require_user)
        return guided if hmac.compare_digest(_digest(shown), self.guide) else None

    def _principal(self, headers: Headers) -> Principal:
        """The configured key and the token of this machine may do everything."""
        scheme, _, token = headers.get("authorization", "").partition(" ")
        shown = token.strip() if scheme.lower() == "bearer" else headers.get("x-api-key", "")
        if not shown:
            raise Unauthenticated("Send the key or token as `Authorization: Bearer …` or `X-API-Key: …`.")
        digest = _digest(shown)
        matches = [hmac.compare_digest(digest, known) for known in self.digests]
        if not any(matches):
            raise Unauthenticated("The key or token is not one of this service.")
        return Principal(names_user=self.require_user)


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
    return Gate(digests, loopback, _digest(guide) if guide else None, require_user=settings.api.require_user)


def token_file(data_dir: Path) -> Path:
    """Where ``graphmem up`` and the API keep the token of this machine."""
    return data_dir / "secrets" / "api-token"


def guide_key_file(data_dir: Path) -> Path:
    """Where ``graphmem up`` keeps the key of guides for Neo4j Browser."""
    return data_dir / "secrets" / "guide-key"


def _loopback_token(path: Path, *, make: bool) -> str | None:
    try:
        return _read(path) or (_make(path) if make else None)
    except OSError as error:
        raise ConfigurationError(f"The token file {path} cannot be used: {error.strerror}.") from error


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8").strip() if path.is_file() else None


def _make(path: Path) -> str:
    """A new token, in one step and readable by its owner only; that of whoever came first."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(secrets.token_urlsafe(32) + "\n")
    try:
        path.hardlink_to(draft)
    except FileExistsError:
        if not _read(path):
            draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    return _read(path) or ""


def _check_origin(headers: Headers, host: str) -> None:
    origin = headers.get("origin")
    if origin is not None and urlsplit(origin).netloc.lower() != host.lower():
        raise Forbidden("A web page of another origin may not write here.")


def has_body(headers: Headers) -> bool:
    return headers.get("content-length", "0") != "0" or "transfer-encoding" in headers


def _check_body_type(headers: Headers) -> None:
    if has_body(headers) and media_type(headers) not in BODY_TYPES:
        raise UnsupportedMediaType("Send the body as application/json, or episodes as application/x-ndjson.")


def media_type(headers: Headers) -> str:
    return headers.get("content-type", "").partition(";")[0].strip().lower()


def _digest(secret: str) -> bytes:
    return sha256(secret.encode()).digest()
