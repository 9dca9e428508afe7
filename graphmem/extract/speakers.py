"""Who “I” is in an episode, whose its words are, and whom a written name stands for."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from graphmem.extract.owners.notes import NOTE, named_user, note_edits
from graphmem.extract.owners.people import Cast
from graphmem.extract.owners.rewording import Edit
from graphmem.extract.owners.spans import owned_spans
from graphmem.extract.pieces import readable
from graphmem.model.episode import ContentType, Episode, EpisodeRole
from graphmem.model.fragment import ALONE, Context, ThingName
from graphmem.model.owners import SPEAKER, OwnedSpan, masked
from graphmem.model.persons import person_named, person_of_user

IMPERSONAL = frozenset({ContentType.DOCUMENT, ContentType.EVENT, ContentType.SUMMARY})
"""What nobody says, unless it names a speaker."""
NOBODY_SPEAKS = (
    "Nobody is known to speak, so nothing said in the first person was claimed: set `user`, or `speaker`, and post it "
    "again."
)


def owned_of(episode: Episode, context: Context = ALONE) -> tuple[OwnedSpan, ...]:
    """Whose the parts of an episode's content are."""
    return context.owned or owned_spans(readable(episode.content), cast_of(episode, context))


def cast_of(episode: Episode, context: Context = ALONE) -> Cast:
    """Who may speak in an episode: its speaker, and the people known in its session."""
    speaker, user = speaker_of(episode), episode.role is EpisodeRole.USER
    mine = [name for name in (speaker.name if speaker else "", episode.speaker, episode.user if user else "") if name]
    people = {name.name for name in context.known if name.type == "person"}
    people |= {turn.speaker for turn in context.turns if turn.speaker and turn.role.is_human}
    talks = bool(episode.speaker) or episode.content_type not in IMPERSONAL
    return Cast(tuple(dict.fromkeys(mine)), frozenset(people), is_user=user, talks=talks)


def _said_by_user(episode: Episode, context: Context) -> Episode | None:
    """The episode as its user would say it, its session's subject, whom a note names, or the only one who speaks."""
    nameless = not episode.user and not episode.speaker
    if episode.role is EpisodeRole.USER and not (nameless and episode.subject):
        return episode if episode.content_type not in IMPERSONAL or episode.speaker else None
    users_turn = replace(episode, role=EpisodeRole.USER, speaker=None, content_type=ContentType.MESSAGE)
    if episode.user:
        called = {turn.speaker for turn in context.turns if turn.role is EpisodeRole.USER}
        return replace(users_turn, speaker=called.pop() if len(called) == 1 else None)
    others = {turn.speaker for turn in context.turns if turn.role.is_human and turn.speaker}
    name = episode.subject or _noted_user(episode, context) or (next(iter(others)) if len(others) == 1 else None)
    return replace(users_turn, speaker=name) if name else None


def _noted_user(episode: Episode, context: Context) -> str | None:
    """The user's name by the last note of the session that says it."""
    notes = [episode.content, *(turn.content for turn in reversed(context.turns) if not turn.role.is_human)]
    return next((name for note in notes if (name := named_user(note))), None)


@dataclass(frozen=True, slots=True)
class UserNote:
    """A note on a user: the episode as that user would say it, of which ``edits`` put ``content`` in their words."""

    episode: Episode
    content: str
    edits: tuple[Edit, ...]


def note_of(episode: Episode, context: Context, owned: Sequence[OwnedSpan]) -> UserNote | None:
    """The note on its user that an episode is; None of what is none, or where no user is known."""
    users_turn = _said_by_user(episode, context)
    if users_turn is None:
        return None
    content = masked(episode.content, [span for span in owned if span.owner == SPEAKER])
    edits = note_edits(content, cast_of(users_turn, context), by_user=episode.role is EpisodeRole.USER)
    return UserNote(users_turn, content, edits) if edits else None


def speaker_of(episode: Episode) -> ThingName | None:
    """Who says “I” in their own words: nobody we know in a document without a speaker.

    In a user's own turns that is the person who is the user, by whatever name; else who is named as the speaker. Nobody
    is the speaker of a human's turn without either.
    """
    if episode.speaker is None and episode.content_type in IMPERSONAL:
        return None
    if episode.role is EpisodeRole.USER and episode.user:
        return person_of_user(episode.user, episode.speaker or "")
    own = "" if episode.role.is_human else episode.role.value
    return person_named(episode.speaker or "") or person_named(own)


def is_nobodys(episode: Episode, owned: Sequence[OwnedSpan] = ()) -> bool:
    """Whether a human speaks, in words of their own, of whom nothing says who that is.

    A note on whom the session is about is read as theirs, whoever wrote it.
    """
    if not episode.role.is_human or episode.content_type in IMPERSONAL or speaker_of(episode) is not None:
        return False
    own = [span for span in owned or owned_of(episode) if span.owner == SPEAKER]
    if episode.subject:
        own = [span for span in own if span.form != NOTE]
    return any(map(str.isalnum, masked(episode.content, own)))
