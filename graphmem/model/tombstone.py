"""What is taken in no more: what was forgotten, and whatever is of a user who opted out.

A tombstone is a hash under the secret of the installation and holds no word of what it bars. What was forgotten is
known again by its ``external_id``, else by its session, time and content; and a long content also by itself.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import quote

from graphmem.errors import Barred, Forgotten, OptedOut
from graphmem.model.episode import Episode
from graphmem.model.scope import EVERYBODY

Hash = Callable[..., str]
"""A keyed hash of some parts, in hexadecimal digits."""
LEAST_CHARS = 200
"""Code points of a content that bars by itself: one “ok” that is forgotten must not bar every “ok”."""
_ID_DIGITS = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Tombstone:
    """What bars; ``owner`` is the id of the tombstone of its user, "" of what is everybody's.

    A user who opted out has a tombstone that is its own owner. ``receipt`` says with what it was forgotten, "" where
    nothing was.
    """

    id: str
    owner: str
    receipt: str
    recorded_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """An episode that is to come in, with the ids of the tombstones that would bar it.

    ``owner`` is that of the tombstone which its user has after opting out; "" where it is everybody's. ``fingerprint``
    is the keyed hash of the episode's that a redacted one keeps in its place.
    """

    episode_id: str
    user: str
    owner: str
    things: tuple[str, ...]
    fingerprint: str = ""

    @property
    def ids(self) -> Sequence[str]:
        return (*filter(None, [self.owner]), *self.things)


def owner_id(hashed: Hash, group: str, user: str) -> str:
    """The id of the tombstone of a user who opts out; "" for everybody, who cannot."""
    return "" if user == EVERYBODY else hashed("opted out", group, user)[:_ID_DIGITS]


def entrant_of(hashed: Hash, episode: Episode) -> Entrant:
    """An episode as it comes in. One name is that of what was said and of a structured claim alike."""
    return Entrant(
        episode_id=episode.id,
        user=episode.user,
        owner=owner_id(hashed, episode.group_id, episode.user),
        things=tuple(dict.fromkeys((*_things(hashed, episode), *episode.redacted_as))),
        fingerprint=redacted_fingerprint(hashed, episode.group_id, episode.fingerprint),
    )


def redacted_fingerprint(hashed: Hash, group: str, fingerprint: str) -> str:
    """What a redacted episode has in place of its fingerprint, by which nobody without the secret checks a guess."""
    return hashed("redacted", group, fingerprint)[:_ID_DIGITS]


def _things(hashed: Hash, episode: Episode) -> tuple[str, ...]:
    whose = (episode.group_id, episode.user)
    if episode.external_id is not None:
        things = [hashed("named", *whose, episode.external_id)]
    else:
        things = [hashed("said", *whose, episode.session, episode.occurred_at.isoformat(), episode.content)]
    if len(episode.content) >= LEAST_CHARS:
        things.append(hashed("content", *whose, episode.content))
    return tuple(thing[:_ID_DIGITS] for thing in things)


def entrant_for(hashed: Hash, group: str, user: str) -> Entrant:
    """An episode of a user of which nothing else is known yet."""
    return Entrant(episode_id="", user=user, owner=owner_id(hashed, group, user), things=())


def refusals(group: str, entrants: Iterable[Entrant], tombstones: Mapping[str, Tombstone]) -> dict[str, Barred]:
    """Why entrants may not come in, by the ids of their episodes; ``tombstones`` are those that there are, by id."""
    barred = ((one, [tombstones[id_] for id_ in one.ids if id_ in tombstones]) for one in entrants)
    return {one.episode_id: _refusal(group, one, by) for one, by in barred if by}


def _refusal(group: str, entrant: Entrant, by: Sequence[Tombstone]) -> Barred:
    if by[0].id == entrant.owner:
        path = f"/v1/groups/{group}/users/{quote(entrant.user, safe='')}/opt_out"
        return OptedOut(
            f"{entrant.user!r} opted out on {by[0].recorded_at:%Y-%m-%d}: nothing of theirs comes in, and what is "
            f"there can be read. Where it is to come in: `DELETE {path}`, with a key that may erase."
        )
    ids = [tombstone.id for tombstone in by]
    listed = ", ".join(f'"{id_}"' for id_ in ids)
    return Forgotten(
        f"This was forgotten on {by[0].recorded_at:%Y-%m-%d}, and does not come in again. Where it is to: `POST "
        f'/v1/groups/{group}/tombstones/lift`, with a key that may erase and {{"tombstones": [{listed}]}}.',
        ids,
    )
