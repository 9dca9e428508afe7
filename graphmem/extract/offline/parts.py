"""An episode as those say it whose words it has: for each its content, all other words blanked, offsets as they are.

What is found in the parts is found in the episode: in the places of its content, and no surer than what is handed on.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from graphmem.extract.findings import Findings
from graphmem.extract.offline.languages import ForeignSpan, foreign_spans, without
from graphmem.extract.offline.repairs import repairs
from graphmem.extract.overlaps import Span
from graphmem.extract.owners.matter import MATTER
from graphmem.extract.owners.notes import NOTE
from graphmem.extract.owners.rewording import Reworded, first_person, reworded
from graphmem.extract.owners.turns import HEAD
from graphmem.extract.pieces import readable
from graphmem.extract.speakers import note_of, owned_of
from graphmem.model.episode import ContentType, Episode, EpisodeRole
from graphmem.model.fragment import Context, ProposedClaim, ThingName, Trace
from graphmem.model.owners import REPORT, REPORTED, SPEAKER, OwnedSpan, Owner, Voice, masked, overlapping

_NAMED = 0.97
"""Confidence in the name at the head of somebody's words."""


@dataclass(frozen=True)
class OwnersPart:
    """An episode as one owner says it. ``claims``: they claim something; ``sentences``: there are any to parse.

    ``wording`` leads back to the places of the whole content.
    """

    episode: Episode
    context: Context
    wording: Reworded
    owned: tuple[OwnedSpan, ...]
    owner: Owner = SPEAKER
    sentences: bool = True

    @property
    def claims(self) -> bool:
        return self.owner.claims

    @cached_property
    def text(self) -> str:
        return readable(self.episode.content)

    @cached_property
    def foreign(self) -> tuple[ForeignSpan, ...]:
        """What is not in English."""
        return tuple(foreign_spans(self.text))

    @cached_property
    def english(self) -> "OwnersPart":
        """The part without what is not in English; offsets stay the same."""
        if not self.foreign:
            return self
        return replace(self, episode=replace(self.episode, content=without(self.text, self.foreign)))

    def claim_in_episode(self, claim: ProposedClaim) -> ProposedClaim:
        """A claim that is read of this part, as one of the episode."""
        start, end = self.wording.place(claim.quote_start, claim.quote_end)
        reports = self.owner.voice is Voice.NAMED or any(
            span.form == REPORT for span in overlapping(self.owned, start, end)
        )
        most = REPORTED if reports else 1.0
        return replace(claim, quote_start=start, quote_end=end, confidence=min(claim.confidence, most))

    def among(self, standing: Collection[ProposedClaim]) -> Callable[[ProposedClaim], bool]:
        """Whether a claim that is read of this part is among those of the episode."""
        return lambda claim: self.claim_in_episode(claim) in standing

    def seen(self, findings: Findings) -> Findings:
        """What a provider sees in this part, in the places of the whole content."""
        if self.is_whole:
            return findings
        spans = tuple(self._placed(span) for span in findings.spans)
        if not self.claims:
            return Findings(spans)
        values = {self.claim_in_episode(claim): self.wording.place(*at) for claim, at in findings.values.items()}
        return Findings(spans, tuple(map(self.claim_in_episode, findings.claims)), values)

    @property
    def is_whole(self) -> bool:
        """Whether nothing was blanked or reworded, and nothing is handed on."""
        return not self.wording.edits and all(not span.form and span.owner == SPEAKER for span in self.owned)

    def _placed(self, span: Span) -> Span:
        start, end = self.wording.place(span.start, span.end)
        return replace(span, start=start, end=end)


def parts(episode: Episode, context: Context) -> tuple[OwnersPart, ...]:
    """The episode as each of its owners says it; as it is where it is all its speaker's own."""
    owned = owned_of(episode, context)
    notes = _note(episode, context, owned)
    if notes is not None:
        owned = tuple(replace(each, form=each.form or NOTE) if each.owner == SPEAKER else each for each in owned)
    if notes is None and all(span.owner == SPEAKER and span.form != REPORT for span in owned):
        wording = reworded(episode.content, repairs(episode.content))
        said = episode if not wording.edits else replace(episode, content=wording.text)
        return (OwnersPart(said, context, wording, tuple(replace(span, form="") for span in owned)),)
    note_parts = [] if notes is None else [replace(notes, owned=owned)]
    return (*note_parts, *_by_owner(episode, context, owned, without=SPEAKER if notes else None))


def _by_owner(
    episode: Episode, context: Context, owned: tuple[OwnedSpan, ...], *, without: Owner | None
) -> Iterator[OwnersPart]:
    for owner in dict.fromkeys(span.owner for span in owned):
        spans = [span for span in owned if span.owner == owner]
        if owner == without:
            continue
        if owner.claims:
            yield _said_by(owner, episode, context, spans, owned)
        else:
            yield from _unclaimed(episode, spans, owned)


def _said_by(
    owner: Owner, episode: Episode, context: Context, spans: Sequence[OwnedSpan], owned: tuple[OwnedSpan, ...]
) -> OwnersPart:
    if owner == SPEAKER:
        content = masked(episode.content, [*spans, *_ends_of_reports(episode.content, owned)])
        wording = reworded(content, repairs(content))
        return OwnersPart(replace(episode, content=wording.text), context, wording, owned)
    content = masked(episode.content, spans)
    edits = [edit for span in spans if span.form == REPORT for edit in first_person(content, span.start, span.end)]
    wording = reworded(content, edits)
    owners_episode = replace(episode, content=wording.text, role=EpisodeRole.PARTICIPANT, speaker=owner.name)
    return OwnersPart(owners_episode, replace(context, turns=(), ids=()), wording, owned, owner)


def _ends_of_reports(content: str, owned: Sequence[OwnedSpan]) -> list[OwnedSpan]:
    """The marks that end sentences of reports: else what the speaker says next would go on with “Ana says”."""
    reports = [span for span in owned if span.form == REPORT and content[span.end - 1] in ".!?…"]
    return [replace(span, start=span.end - 1) for span in reports]


def _unclaimed(episode: Episode, spans: Sequence[OwnedSpan], owned: tuple[OwnedSpan, ...]) -> Iterator[OwnersPart]:
    """What nobody claims has names and identifiers; what is no sentence has identifiers only."""
    nobody = replace(episode, speaker=None, content_type=ContentType.DOCUMENT)
    for sentences in (True, False):
        kept = [span for span in spans if (span.form not in MATTER and span.form != HEAD) is sentences]
        content = masked(episode.content, kept)
        if content.strip():
            masked_episode = replace(nobody, content=content)
            yield OwnersPart(masked_episode, Context(), Reworded(content), owned, spans[0].owner, sentences)


def _note(episode: Episode, context: Context, owned: Sequence[OwnedSpan]) -> OwnersPart | None:
    """A note on the episode's user, as they would say it; None of what is none, or where no user is known."""
    note = note_of(episode, context, owned)
    if note is None:
        return None
    wording = reworded(note.content, note.edits)
    return OwnersPart(replace(note.episode, content=wording.text), replace(context, turns=(), ids=()), wording, ())


def heads(content: str, owned: Sequence[OwnedSpan]) -> Findings:
    """The names that stand at the heads of somebody's words."""
    names = {span.owner.name for span in owned if span.owner.voice is Voice.NAMED}
    spans = [span for head in owned if head.form == HEAD for span in _named(content, head, names)]
    return Findings(tuple(spans))


def _named(content: str, head: OwnedSpan, names: Iterable[str]) -> Iterator[Span]:
    for name in names:
        at = content.find(name, head.start, head.end)
        if at >= 0:
            yield Span(ThingName(name, "person"), at, at + len(name), _NAMED)


def placed(part: OwnersPart, trace: Trace) -> Trace:
    """What is read of a part, in the places of the whole content."""
    return replace(
        trace,
        segments=tuple(replace(each, **_at(part, each.start, each.end)) for each in trace.segments),
        clauses=tuple(replace(each, **_at(part, each.start, each.end)) for each in trace.clauses),
    )


def _at(part: OwnersPart, start: int, end: int) -> dict[str, int]:
    first, last = part.wording.place(start, end)
    return {"start": first, "end": last}
