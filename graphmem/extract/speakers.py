"""Who “I” is in an episode, and whom a written name stands for."""

import re
from itertools import islice

from graphmem.model.episode import ContentType, Episode, EpisodeRole
from graphmem.model.fragment import ALONE, Context, ThingName
from graphmem.model.persons import person_named, person_of_user

IMPERSONAL = frozenset({ContentType.DOCUMENT, ContentType.EVENT, ContentType.SUMMARY})
"""What nobody says, unless it names a speaker."""
NOBODY_SPEAKS = (
    "Nobody is known to speak, so nothing said in the first person was claimed: set `user`, or `speaker`, and post it "
    "again."
)

_TURN = re.compile(r"^[^\S\n]*[A-Z][\w .'’-]{0,30}:\s", re.MULTILINE)


def several_speak(content: str) -> bool:
    """Whether a text is a transcript: more than one of its lines begin with a name and a colon."""
    return next(islice(_TURN.finditer(content), 1, None), None) is not None


def speaker_of(episode: Episode, context: Context = ALONE) -> ThingName | None:
    """Who says “I”: nobody we know in a transcript of several, or in a document without a speaker.

    In a user's own turns that is the person who is the user, by whatever name; else who is named as the speaker. Nobody
    is the speaker of a human's turn without either.
    """
    if episode.speaker is None and episode.content_type in IMPERSONAL:
        return None
    if context.several_speak or several_speak(episode.content):
        return None
    if episode.role is EpisodeRole.USER and episode.user:
        return person_of_user(episode.user, episode.speaker or "")
    own = "" if episode.role.is_human else episode.role.value
    return person_named(episode.speaker or "") or person_named(own)


def is_nobodys(episode: Episode) -> bool:
    """Whether a human speaks of whom nothing says who that is."""
    talks = episode.role.is_human and episode.content_type not in IMPERSONAL
    return talks and not several_speak(episode.content) and speaker_of(episode) is None
