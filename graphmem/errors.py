"""Every error that graphmem raises on purpose.

    GraphmemError
    ├── CallerError                  the request is wrong; the same request fails again
    │   ├── InvalidInput             a value cannot be understood or is out of range
    │   │   └── UserRequired         the service takes no call for everybody, and none says for whom it is
    │   ├── Unauthenticated          no key or token, or a wrong one
    │   ├── Forbidden                known caller, refused (scope, Host, Origin)
    │   ├── NotFound                 the named thing is not in this group
    │   ├── Conflict                 the request contradicts what is stored
    │   │   ├── MovesMany            a decision on who is who moves more claims than may be waited for
    │   │   ├── Importing            another run imports the group just now
    │   │   └── Archived             the group is only read
    │   ├── RateLimited              more requests came than may in a minute
    │   ├── QuotaUsed                more came than is taken in a day
    │   ├── GroupFull                the group holds as many episodes as it may
    │   ├── Barred                   what comes in is taken in no more
    │   │   ├── Forgotten            it was forgotten
    │   │   └── OptedOut             it is of a user who opted out
    │   ├── TooLarge                 a body or a text over its limit
    │   ├── BodyTimedOut             a body did not come in time
    │   ├── NotEmbeddable            the embedding model works, and fails at this text
    │   ├── AnswerTooLarge           an answer over its limit; the message says how to ask for less
    │   └── UnsupportedMediaType     the body is of a type this call does not take
    ├── UnavailableError             a server is away; the same request may succeed later
    │   ├── StoreUnavailable         Neo4j does not answer, or fails inside (a full disk, a damaged store)
    │   │   └── TransactionEnded     Neo4j answers, and ended a transaction, over its limits or failing at it
    │   ├── QueueUnavailable         Redis/Valkey does not answer
    │   ├── DiskFull                 too little is free on the disk of the database to write
    │   ├── ModelUnavailable         an embedding or language model does not answer
    │   ├── LeaseLost                another worker has taken the episode over
    │   ├── ContextChanged           a turn came in that was said before the one being digested
    │   └── IdentitiesMoved          it was decided meanwhile that other entities are the same
    ├── ReadingTimedOut              a text took longer to read than it may
    ├── UnusableAnswer               a language model answered, and the answer cannot be used
    ├── Unreadable                   what is asked for is stored, and somebody damaged it from outside
    └── OurError                     graphmem or its installation is broken
        ├── ConfigurationError       a setting, a file or a server version does not fit
        ├── LocalServerError         a managed server cannot be fetched, started or stopped
        ├── QueryDefinitionError     a file under cypher/ is malformed
        └── MigrationError           the schema in the database and in cypher/ disagree

The docstring of a class is its title for people; the message says what to do next.
"""

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import ClassVar, Literal

Category = Literal["caller", "unavailable", "ours"]


class GraphmemError(Exception):
    """Something went wrong in graphmem."""

    category: ClassVar[Category] = "ours"
    status: ClassVar[int] = 500
    slug: ClassVar[str] = "internal"
    retry_after: int | None = None
    """Seconds after which the same request may succeed; None where waiting alone does not help."""

    def __init__(self, message: str | None = None, retry_after: int | None = None) -> None:
        super().__init__(message or self.title())
        if retry_after is not None:
            self.retry_after = retry_after

    @classmethod
    def title(cls) -> str:
        """The first line of the class docstring, without its full stop."""
        return (cls.__doc__ or cls.__name__).splitlines()[0].rstrip(".")


class CallerError(GraphmemError):
    """The request is wrong."""

    category = "caller"
    status = 400
    slug = "bad-request"


class InvalidInput(CallerError):
    """A value in the request cannot be used."""

    status = 422
    slug = "invalid-input"


class UserRequired(InvalidInput):
    """The request says for no user."""

    slug = "user-required"


class Unauthenticated(CallerError):
    """No valid key or token came with the request."""

    status = 401
    slug = "unauthenticated"


class Forbidden(CallerError):
    """The request is refused."""

    status = 403
    slug = "forbidden"


class NotFound(CallerError):
    """What the request names does not exist."""

    status = 404
    slug = "not-found"


class Conflict(CallerError):
    """The request contradicts what is stored."""

    status = 409
    slug = "conflict"


class MovesMany(Conflict):
    """A decision on who is who moves more claims than a request may wait for."""


class Importing(Conflict):
    """The group is being imported by somebody else."""

    slug = "importing"
    retry_after = 10


class Archived(Conflict):
    """The group is archived."""

    slug = "archived"


class Outdated(Conflict):
    """It is not as it was when the caller read it."""

    status = 412
    slug = "precondition-failed"


class RateLimited(CallerError):
    """More requests came than are answered in a minute."""

    status = 429
    slug = "rate-limited"


class QuotaUsed(CallerError):
    """More came in than is taken in a day."""

    status = 429
    slug = "quota-used"


class GroupFull(CallerError):
    """The group holds as many episodes as it may."""

    status = 507
    slug = "group-full"


class Barred(CallerError):
    """What comes in is taken in no more.

    ``each`` has the error of each episode that was refused, by id, where several came in together.
    """

    status = 409
    slug = "barred"

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message)
        self.each: Mapping[str, Barred] = {}


class Forgotten(Barred):
    """What comes in was forgotten. ``tombstones`` are the ids of those that bar it."""

    slug = "forgotten"

    def __init__(self, message: str | None = None, tombstones: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.tombstones = tuple(tombstones)

    def members(self) -> dict[str, object]:
        return {"tombstones": list(self.tombstones)}


class OptedOut(Barred):
    """The user opted out."""

    slug = "opted-out"


class TooLarge(CallerError):
    """The request is over the limit."""

    status = 413
    slug = "too-large"


class BodyTimedOut(CallerError):
    """The body of the request did not come in time."""

    status = 408
    slug = "body-timed-out"


class NotEmbeddable(CallerError):
    """The embedding model fails at this text."""

    status = 422
    slug = "not-embeddable"


class AnswerTooLarge(CallerError):
    """The answer would be over the limit."""

    status = 422
    slug = "answer-too-large"


class UnsupportedMediaType(CallerError):
    """The body is of a type this call does not take."""

    status = 415
    slug = "unsupported-media-type"


class UnavailableError(GraphmemError):
    """A server that graphmem needs does not answer."""

    category = "unavailable"
    status = 503
    slug = "unavailable"
    retry_after = 2


class StoreUnavailable(UnavailableError):
    """Neo4j does not answer, or cannot do its work."""

    slug = "store-unavailable"


class TransactionEnded(StoreUnavailable):
    """Neo4j ended a transaction, which took too long or too much memory, or at which it failed."""


class QueueUnavailable(UnavailableError):
    """The queue (Redis or Valkey) does not answer."""

    slug = "queue-unavailable"


class DiskFull(UnavailableError):
    """Too little is free on the disk of the database: nothing is written."""

    status = 507
    slug = "disk-full"
    retry_after = 30


class ModelUnavailable(UnavailableError):
    """The embedding or language model does not answer."""

    slug = "model-unavailable"


class LeaseLost(UnavailableError):
    """Another worker has taken the episode over."""

    slug = "lease-lost"


class ContextChanged(UnavailableError):
    """A turn came in that was said before the one being digested."""


class IdentitiesMoved(UnavailableError):
    """It was decided meanwhile that other entities are the same."""


class ReadingTimedOut(GraphmemError):
    """Reading the text took longer than it may."""

    status = 503
    slug = "reading-timed-out"


class UnusableAnswer(GraphmemError):
    """The language model gave no answer that can be used."""

    slug = "unusable-answer"


class Unreadable(GraphmemError):
    """What is stored there cannot be read."""

    slug = "unreadable"


class OurError(GraphmemError):
    """Graphmem or its installation is broken."""


class ConfigurationError(OurError):
    """A setting, a file or a server version does not fit."""

    slug = "configuration"


class LocalServerError(OurError):
    """A managed server cannot be fetched, started or stopped."""

    slug = "local-server"


class QueryDefinitionError(OurError):
    """A file under cypher/ is malformed."""

    slug = "query-definition"


class MigrationError(OurError):
    """The schema in the database and the migrations disagree."""

    slug = "migration"


_LISTED = {
    "claim": "beliefs/{id}/evidence",
    "entity": "entities",
    "episode": "episodes",
    "job": "jobs",
    "merge": "merges",
    "receipt": "jobs",
    "review": "reviews",
    "session": "sessions",
    "summary": "summaries",
}
"""By kind of thing, the read of a group that tells which of them there are."""


def no_group(group: str) -> NotFound:
    """The error that a group does not exist."""
    return NotFound(f"There is no group {group!r}. The first episode posted to a group makes it.")


def renamed(name: str) -> NotFound:
    """The error that the group that was made under a name has another one now."""
    return NotFound(f"Group {name!r} has another name now: its administrator knows it.")


def absent(group: str, kind: str, id_: str, which: str = "") -> NotFound:
    """The error that a group has no such thing, or none as ``which`` says; also of what a caller may not see."""
    thing = f"{kind} {id_!r} {which}".rstrip()
    return NotFound(f"Group {group!r} has no {thing}. `GET /v1/groups/{group}/{_LISTED[kind]}` tells which there are.")


def reason_of(error: Exception) -> str:
    """What is said of a failure: title and message of our own errors, of others the class alone, never content."""
    if isinstance(error, GraphmemError):
        return f"{error.title()}: {error}"
    return f"{type(error).__name__} (the log has the details)."


@contextmanager
def as_value_errors() -> Generator[None]:
    """Values that cannot be used are said as pydantic collects it: a validator raises ValueError."""
    try:
        yield
    except InvalidInput as error:
        raise ValueError(str(error)) from error
