"""What calls are made of, how answers are read, and where the service of this machine is: what needs no connection."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from http import HTTPStatus
from pathlib import Path
from typing import Any, Literal, Protocol, Self, TypedDict, TypeVar, cast
from urllib.parse import quote
from uuid import uuid4

import httpx
from pydantic import BaseModel, ValidationError
from pydantic_core import to_jsonable_python

from graphmem.answers.groups import AskedJob, OntologyShown, ReadinessOut, ServicePartOut
from graphmem.client.problems import UnknownAnswer, error_of
from graphmem.model.ontology import Ontology
from graphmem.ontology import ontology_of, written

_PIECE = 64 * 1024
Json = dict[str, Any]
When = date | str | None
"""An instant: an aware datetime, RFC 3339, or a day, which is its first instant in UTC; None is now."""
AnyOntology = Mapping[str, Any] | OntologyShown | Ontology | Iterable[type[BaseModel]]
"""An ontology: as JSON, as answers show it or ``graphmem.ontology.ontology_of`` makes it; or models of its entity types
alone."""


class _NotReadyBody(BaseModel):
    """What is read of the problem document of a service that is not ready."""

    parts: dict[str, ServicePartOut]


@dataclass(frozen=True, slots=True)
class ServiceAddress:
    """Where a service is, and what it is called with."""

    url: str
    token: str | None = field(default=None, repr=False)


def bearing(token: str | Callable[[], str | None] | None) -> Callable[[httpx.Request], httpx.Request]:
    """Puts a key into a request, as a bearer token (RFC 6750)."""

    def with_token(request: httpx.Request) -> httpx.Request:
        if shown := token() if callable(token) else token:
            request.headers["Authorization"] = f"Bearer {shown}"
        return request

    return with_token


@dataclass(frozen=True, slots=True)
class MeantEntity:
    """The id of the entity that is meant. ``taken_for`` has its fuller name by the short one that was asked for."""

    id: str
    taken_for: Mapping[str, str] = field(default_factory=dict[str, str])


class _State(BaseModel):
    """What of ``run/state.json`` a client needs. ``graphmem.local`` writes it, and is not in the light install."""

    api_url: str | None


class UserOption(TypedDict, total=False):
    """As which ``user`` a call is made: what everybody and this user may see; without one, all."""

    user: str | None


class ActOptions(UserOption, total=False):
    """As which ``user`` a fact is changed, and which ``version`` of it, by its id, was read.

    If another one is believed by now, nothing is changed, and ``Outdated`` is raised.
    """

    version: str | None


def if_match(version: str | None) -> dict[str, str]:
    """The header that names the version that was read."""
    return {} if version is None else {"If-Match": f'"{version}"'}


class TimeOptions(UserOption, total=False):
    """What was believed at ``known_at`` to be true at ``valid_at``; by default both are now."""

    valid_at: When
    known_at: When


class BeliefOptions(TimeOptions, total=False):
    """``open`` leaves out what rests on open claims (False), or takes only that (True)."""

    open: bool | None


class GraphOptions(BeliefOptions, total=False):
    """Which part of the believed graph: all of it, or ``depth`` steps around an ``entity``, named by id or by name.

    ``predicate`` and ``type`` are all that it has of beliefs and of entities; ``limit`` is how many beliefs, at most.
    """

    entity: str | None
    depth: int | None
    predicate: Sequence[str]
    type: Sequence[str]
    limit: int | None


def time_options(asked: BeliefOptions) -> TimeOptions:
    """The options of a call that takes all but ``open``."""
    return TimeOptions(user=asked.get("user"), valid_at=asked.get("valid_at"), known_at=asked.get("known_at"))


class Readable(Protocol):
    """A model of answers, of those in ``graphmem.answers``."""

    @classmethod
    def model_validate_json(cls, json_data: bytes, *, extra: Literal["ignore"]) -> Self: ...


class Page(Readable, Protocol):
    """One page of a list."""

    @property
    def next_cursor(self) -> str | None: ...


Hear = Callable[[Sequence[str]], None]
"""Is told what an answer warns of: what is stored and could not be read."""
A = TypeVar("A", bound=Readable)
P = TypeVar("P", bound=Page)


def path_in(group: str, *steps: str) -> str:
    """The path of something in a group."""
    return "/".join(["/v1/groups", *(quote(step, safe="") for step in (group, *steps))])


def given(**values: Any) -> Json:
    """What was given, as JSON; None is what was not."""
    return {name: to_jsonable_python(value) for name, value in values.items() if value is not None}


def pieces_of(file: Path) -> Iterator[bytes]:
    """What is in a file, some of it at a time."""
    with file.open("rb") as opened:
        while piece := opened.read(_PIECE):
            yield piece


def read(answer: httpx.Response, kind: type[A]) -> A:
    """An answer as its model; a newer service may say more than that knows.

    Raises:
        UnknownAnswer: it says less, or something else.
    """
    try:
        return kind.model_validate_json(answer.content, extra="ignore")
    except ValidationError as error:
        raise UnknownAnswer(
            f"{answer.url} did not answer with {kind.__name__} as this client knows it ({error.error_count()} things "
            f"are wrong). Is it graphmem, and of the same release?"
        ) from error


def read_readiness(answer: httpx.Response) -> ReadinessOut:
    """What a service says of itself, also where it says so in a problem document.

    Raises:
        ServiceUnavailable: it is somebody else's answer.
        UnknownAnswer: the answer says less, or something else.
    """
    if answer.status_code == HTTPStatus.OK:
        return read(answer, ReadinessOut)
    try:
        parts = _NotReadyBody.model_validate_json(answer.content).parts
    except ValidationError:
        raise error_of(answer) from None
    return ReadinessOut(status="unavailable", parts=parts)


def warnings_of(answer: httpx.Response) -> list[str]:
    """What an answer says that it could not read: JSON in its ``warnings``, of other formats in headers."""
    if b'"warnings":["' not in answer.content:
        return answer.headers.get_list("graphmem-warning")
    body: object = answer.json()
    warnings = cast("Json", body).get("warnings") if isinstance(body, dict) else None
    return [str(warning) for warning in cast("list[object]", warnings)] if isinstance(warnings, list) else []


def read_decided(answer: httpx.Response, kind: type[A]) -> A | AskedJob:
    """What a decision changed, or the job that a worker carries it out by."""
    return read(answer, AskedJob if answer.status_code == HTTPStatus.ACCEPTED else kind)


def is_named(item: object) -> bool:
    """Whether an episode, claim or fact is the same one however often it is handed in."""
    named: Mapping[str, object] = cast("Mapping[str, object]", item) if isinstance(item, Mapping) else {}
    return named.get("external_id") is not None or named.get("occurred_at") is not None


def key_for(items: Iterable[object]) -> str | None:
    """A new idempotency key for episodes of which none is named.

    Where some are, a key would make others of those.
    """
    return None if any(is_named(item) for item in items) else uuid4().hex


def ontology_body(ontology: AnyOntology) -> object:
    if isinstance(ontology, Mapping | OntologyShown):
        return to_jsonable_python(ontology)
    return written(ontology if isinstance(ontology, Ontology) else ontology_of(ontology))


def address_here(data_dir: Path) -> ServiceAddress | None:
    """The address of the service of a data directory, with its token; None where it was never started, or stopped."""
    try:
        url = _State.model_validate_json((data_dir / "run" / "state.json").read_bytes()).api_url
        token = (data_dir / "secrets" / "api-token").read_text(encoding="utf-8").strip()
    except (OSError, ValidationError):
        return None
    return ServiceAddress(url, token) if url else None
