"""Parses of episodes: the text as somebody says it, and what its names are the names of as the whole text tells."""

from collections.abc import Sequence

from graphmem.extract.offline.kinds import relabelled
from graphmem.extract.offline.syntax import Parse, Parser, SourceText
from graphmem.extract.pieces import readable
from graphmem.extract.speakers import IMPERSONAL, speaker_of
from graphmem.model.episode import Episode
from graphmem.model.fragment import Context, ThingName

ORGANIZATION = "organization"
Source = tuple[Episode, Context]


def parses(parser: Parser, sources: Sequence[Source]) -> list[Parse]:
    """A parse for each episode: many at once take half the time."""
    raw_parses = parser.parse_each([_source_text(*source) for source in sources])
    return [
        relabelled(parse, _people(speaker_of(episode), context), _organizations(context))
        for parse, (episode, context) in zip(raw_parses, sources, strict=True)
    ]


def _source_text(episode: Episode, context: Context) -> SourceText:
    """The text, and who spoke just before, and may be called by name."""
    names = tuple(sorted({turn.speaker for turn in context.turns if turn.speaker}))
    return SourceText(readable(episode.content), names, talk=episode.content_type not in IMPERSONAL)


def _organizations(context: Context) -> tuple[str, ...]:
    """Names that the session knows to be those of organizations, and of nothing else."""
    others = {name.name for name in context.known if name.type != ORGANIZATION}
    return tuple(name.name for name in context.known if name.type == ORGANIZATION and name.name not in others)


def _people(speaker: ThingName | None, context: Context) -> tuple[str, ...]:
    """The names of who takes part."""
    others = (turn.speaker for turn in context.turns if turn.role.is_human and turn.speaker)
    return (*([speaker.name] if speaker else []), *others)
