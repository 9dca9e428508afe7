"""Which of the entities that are near to one by the vectors of their names it is compared with."""

from collections.abc import Iterable

from graphmem.model.matching import MatchingSettings, MatchProfile, Neighbour, Stage
from graphmem.resolve.matching.kinds import are_compatible, kind_of, telling
from graphmem.resolve.matching.names import parsed, share_word


def nearest(profile: MatchProfile, found: Iterable[Neighbour], settings: MatchingSettings) -> dict[str, float]:
    """The nearest that it may be, by id, up to the limit of its type, and all that were found before; with nearness."""
    chosen = settings.of([profile.type]).stage(Stage.EMBEDDING)
    fit = [one for one in found if one.nearness >= chosen.threshold and _may_be(profile, one)]
    fit.sort(key=lambda one: (-one.nearness, one.id))
    now = [one for one in fit if not one.before][: chosen.limit]
    return {one.id: one.nearness for one in (*now, *(one for one in fit if one.before))}


def _may_be(profile: MatchProfile, other: Neighbour) -> bool:
    """Whether types leave it open, and the names share no word: by a word they are found without vectors."""
    kind = kind_of(telling(profile.type, other.type))
    share = share_word(parsed(profile.name, kind), parsed(other.name, kind))
    return are_compatible(profile.type, other.type) and not share
