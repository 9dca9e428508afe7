"""Reflections: what a week brought, in a few sentences, each of which cites the claims that it rests on."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated, Literal, get_args

from pydantic import Field, PositiveInt

from graphmem.model.ids import digest
from graphmem.model.interval import BEGIN
from graphmem.model.summary import DerivedText

WEEKLY = "weekly"
"""The tag of a reflection on a week."""
Weekday = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReflectionPolicy:
    """When reflections are due, and from what on.

    Scheduled on a ``weekday`` at an ``hour`` (UTC), each is about the ``days`` before, of which it looks at the newest
    ``most`` memories. It needs ``least_new`` new ones. Two of one user are ``apart_days`` or more apart. Up to
    ``missed_weeks`` before the last are made up for where no worker ran when they ended.
    """

    weekday: Weekday = "sunday"
    hour: Annotated[int, Field(ge=0, le=23)] = 3
    days: Annotated[int, Field(ge=1, le=366)] = 7
    apart_days: PositiveInt = 6
    least_new: PositiveInt = 3
    most: Annotated[int, Field(ge=1, le=1000)] = 200
    missed_weeks: Annotated[int, Field(ge=0, le=52)] = 4

    @property
    def weekday_number(self) -> int:
        """The number of the weekday on which reflections are made; 0 is Monday."""
        return get_args(Weekday).index(self.weekday)

    def week_of(self, day: date) -> "Week":
        """The week that ends on a day at the scheduled hour."""
        return self.week_until(datetime.combine(day, time(self.hour), UTC))

    def week_until(self, until: datetime) -> "Week":
        """The week that ends at an instant."""
        return Week(since=until - timedelta(days=self.days), until=until)

    def last_scheduled(self, now: datetime) -> "Week":
        """The week that ended at the last scheduled instant."""
        week = self.week_of(now.date() - timedelta(days=(now.weekday() - self.weekday_number) % 7))
        return week if week.until <= now else self.week_of(week.day - timedelta(days=7))

    def scheduled(self, since: datetime, now: datetime) -> list["Week"]:
        """The weeks to reflect on, oldest first: the last, and those before it that were missed after ``since``."""
        last = self.last_scheduled(now)
        earlier = [self.week_of(last.day - timedelta(days=7 * ago)) for ago in range(self.missed_weeks, 0, -1)]
        return [*(week for week in earlier if week.until > since), last]


PACKAGED_REFLECTIONS = ReflectionPolicy()


@dataclass(frozen=True, slots=True, kw_only=True)
class Week:
    """The time that a reflection is about: what was recorded after ``since``, and by ``until``."""

    since: datetime
    until: datetime

    @property
    def day(self) -> date:
        """The day on which it ends: a user has one reflection of a day."""
        return self.until.date()

    def has(self, recorded_at: datetime) -> bool:
        return self.since < recorded_at <= self.until


@dataclass(frozen=True, slots=True, kw_only=True)
class WeeklyClaim:
    """A claim that was recorded in the week, and the entity that it names as its subject, with the newest stamp there.

    ``targets`` are what its object or value may stand for, and ``rows`` the ids of the versions of beliefs of its
    subject and predicate that were believed when the week ended, if they have such a target or were recorded in it.
    """

    id: str
    kind: str
    statement: str
    subject_id: str
    stamp: str
    targets: tuple[str, ...]
    rows: tuple[str, ...]

    def is_of(self, target: str) -> bool:
        """Whether it is about this object or value; one without any ends whatever there is."""
        return target in self.targets or not any(self.targets)


@dataclass(frozen=True, slots=True)
class Ends:
    """What the subject and the object of a claim stand for; a value is no object."""

    subject_id: str
    object_id: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReflectionSentence:
    """A sentence, the ids of the claims that it rests on, and of the beliefs that it states."""

    text: str
    claims: tuple[str, ...]
    beliefs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReflectionText:
    """What a reflection says: a heading, then a line a sentence. ``tokens`` are those of the whole ``content``.

    ``model`` names the language model that wrote it, by the version of a ``prompt``; both are "" where none did.
    """

    content: str
    tokens: int
    sentences: tuple[ReflectionSentence, ...]
    model: str = ""
    prompt: str = ""


NOTHING_TO_REFLECT = ReflectionText(content="", tokens=0, sentences=())


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredReflection(DerivedText):
    """A recorded version of a reflection on what a ``user`` may see, "" for what everybody may.

    ``reflection_id`` is its identity, the same for all its versions. ``new`` of the ``memories`` that it looks at were
    first believed in the week. ``text.content`` is "" where all that it said was withdrawn. ``material`` identifies
    what it was made from.
    """

    id: str
    reflection_id: str
    group_id: str
    user: str
    week: Week
    text: ReflectionText
    memories: int
    new: int
    tags: tuple[str, ...]
    material: str = ""

    @property
    def claims(self) -> tuple[str, ...]:
        """The ids of all claims that it rests on."""
        return tuple(sorted({claim for sentence in self.text.sentences for claim in sentence.claims}))

    def standing(self, withdrawn: Collection[str]) -> list[ReflectionSentence]:
        """The sentences that cite no claim of those ``withdrawn``."""
        return [sentence for sentence in self.text.sentences if not set(sentence.claims) & set(withdrawn)]


ReflectionPosition = tuple[datetime, str]
"""Where a walk over reflections is: when the week of one ended, and the id of its version."""
FIRST_REFLECTION: ReflectionPosition = (BEGIN, "")


def reflection_id(group: str, user: str, day: date) -> str:
    """The identity of a reflection: made again of the same week of the same user, it is the same one."""
    return digest("reflection", group, user, day.isoformat())
