"""Why something is not among the hits of a search: the first of the steps that it did not pass."""

from collections.abc import Sequence
from dataclasses import replace

from graphmem.model.hits import Addressed, Lost, SearchTrace, WhyNot
from graphmem.model.scope import Scope
from graphmem.model.search import EPISODE


def why_not(asked: str, versions: Sequence[Addressed], scope: Scope, outcome: SearchTrace) -> WhyNot:
    """Where what an id means was lost. ``versions`` are all that the reader may see of it, of whatever time."""
    if not versions:
        return WhyNot(
            id=asked, lost=Lost.UNKNOWN, detail="There is no such belief or episode that this reader may see."
        )
    version = of_its_time(versions, scope)
    answer = WhyNot(id=asked, lost=None, detail="It is among the hits.", kind=version.kind)
    out_of_time = _out_of_time(version, scope)
    if out_of_time:
        return replace(answer, lost=Lost.TIME, detail=out_of_time)
    if version.fades_at <= scope.awake_at:
        detail = (
            f"It faded at {version.fades_at.isoformat()}: nobody had used it for long. It is believed all the same."
        )
        return replace(answer, lost=Lost.FADED, detail=detail)
    if failed := outcome.failed.get(version.id, ()):
        detail = f"It does not have what the search asks for: {', '.join(failed)}."
        return replace(answer, lost=Lost.FILTER, filters=failed, detail=detail)
    return _ranked(version, answer, outcome)


def of_its_time(versions: Sequence[Addressed], scope: Scope) -> Addressed:
    """The version that is looked for: the newest that the time allows, else that was known by then, else the first."""
    newest_first = sorted(
        versions, key=lambda version: (version.superseded_at, version.recorded_at, version.id), reverse=True
    )
    eligible = [version for version in newest_first if not _out_of_time(version, scope)]
    known = [version for version in newest_first if version.recorded_at <= scope.known_at]
    return (eligible or known or newest_first[::-1])[0]


def _out_of_time(version: Addressed, scope: Scope) -> str:
    """Which of the two times it was not of; nothing, if of both."""
    if version.recorded_at > scope.known_at:
        return f"It was not yet known at known_at: it was recorded at {version.recorded_at.isoformat()}."
    if version.valid_from > scope.valid_at:
        begun = "occurred" if version.kind == EPISODE else "began to hold"
        return f"It lies after valid_at: it {begun} at {version.valid_from.isoformat()}."
    if version.superseded_at <= scope.known_at and (version.kind == EPISODE or not scope.history):
        since = version.superseded_at.isoformat()
        if version.kind == EPISODE:
            return f"It was edited: since {since} another text has its name."
        return f"It was no longer believed at known_at, since {since}; include_history finds it."
    if version.valid_to <= scope.valid_at and not scope.history:
        return f"It had ended by valid_at, at {version.valid_to.isoformat()}; include_history finds it."
    return ""


def _ranked(version: Addressed, answer: WhyNot, outcome: SearchTrace) -> WhyNot:
    if newer := outcome.replaced.get(version.id):
        detail = f"{newer} is a newer version of the same belief, and stands for it."
        return replace(answer, lost=Lost.WORDING, detail=detail, instead=newer)
    for place, item in enumerate((*outcome.ranked, *outcome.insufficient), start=1):
        if version.id in item.other_wordings:
            detail = f"The hit {item.id} says the same, and stands for it."
            return replace(answer, lost=Lost.WORDING, detail=detail, instead=item.id)
        if version.id != item.id:
            continue
        place_known = replace(answer, rank=place, score=item.score, contributions=item.contributions)
        if place > len(outcome.ranked):
            least, has = " or ".join(outcome.least), f"score {item.score:.4f}, relevance {item.relevance:.2f}"
            detail = f"It is below {least}: {has}."
            return replace(place_known, lost=Lost.FILTER, filters=outcome.least, detail=detail)
        if place > outcome.limit:
            return replace(place_known, lost=Lost.RANK, detail=f"It has rank {place}, and limit is {outcome.limit}.")
        return place_known
    return replace(answer, lost=Lost.NOT_FOUND, detail="None of the channels found it among their best.")
