"""Who “I” is in an episode, and whom a written name stands for."""

import re
from itertools import islice

from graphmem.model.episode import ContentType, Episode, EpisodeRole
from graphmem.model.fragment import ALONE, Context, ThingName

LONGEST_NAME = 200
"""In code points."""

IMPERSONAL = frozenset({ContentType.DOCUMENT, ContentType.EVENT, ContentType.SUMMARY})
"""What nobody says, unless it names a speaker."""

_TURN = re.compile(r"^[^\S\n]*[A-Z][\w .'’-]{0,30}:\s", re.MULTILINE)


def several_speak(content: str) -> bool:
    """Whether a text is a transcript: more than one of its lines begin with a name and a colon."""
    return next(islice(_TURN.finditer(content), 1, None), None) is not None


def speaker_of(episode: Episode, context: Context = ALONE) -> ThingName | None:
    """Who says “I”: nobody we know in a transcript of several, or in a document without a speaker."""
    if episode.speaker is None and episode.content_type in IMPERSONAL:
        return None
    if context.several_speak or several_speak(episode.content):
        return None
    user = episode.user if episode.role is EpisodeRole.USER else ""
    names = (person_named(written) for written in (episode.speaker or "", user, episode.role.value))
    return next((name for name in names if name), None)


def person_named(written: str) -> ThingName | None:
    name = " ".join(written.split())
    return ThingName(name, "person") if 1 <= len(name) <= LONGEST_NAME and name.isprintable() else None
