"""Who “I” is in an episode, and whom a written name stands for."""

from graphmem.extract.owners.people import Cast
from graphmem.extract.owners.spans import owned_spans
from graphmem.extract.pieces import readable
from graphmem.model.episode import ContentType, Episode, EpisodeRole
from graphmem.model.fragment import ALONE, Context, ThingName
from graphmem.model.owners import OwnedSpan

LONGEST_NAME = 200
"""In code points."""

IMPERSONAL = frozenset({ContentType.DOCUMENT, ContentType.EVENT, ContentType.SUMMARY})
"""What nobody says, unless it names a speaker."""


def owned_of(episode: Episode, context: Context = ALONE) -> tuple[OwnedSpan, ...]:
    """Whose the parts of an episode's content are."""
    return context.owned or owned_spans(readable(episode.content), cast_of(episode, context))


def cast_of(episode: Episode, context: Context = ALONE) -> Cast:
    """Who may speak in an episode: its speaker, and the people known in its session."""
    speaker, user = speaker_of(episode), episode.role is EpisodeRole.USER
    mine = [name for name in (speaker.name if speaker else "", episode.speaker, episode.user if user else "") if name]
    people = {name.name for name in context.known if name.type == "person"}
    people |= {turn.speaker for turn in context.turns if turn.speaker and turn.role is EpisodeRole.USER}
    return Cast(tuple(dict.fromkeys(mine)), frozenset(people), is_user=user)


def speaker_of(episode: Episode) -> ThingName | None:
    """Who says “I” in their own words: nobody we know in a document without a speaker."""
    if episode.speaker is None and episode.content_type in IMPERSONAL:
        return None
    user = episode.user if episode.role is EpisodeRole.USER else ""
    names = (person_named(written) for written in (episode.speaker or "", user, episode.role.value))
    return next((name for name in names if name), None)


def person_named(written: str) -> ThingName | None:
    name = " ".join(written.split())
    return ThingName(name, "person") if 1 <= len(name) <= LONGEST_NAME and name.isprintable() else None
