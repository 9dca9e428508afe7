"""From what a model filled in to a fragment: grounded or dropped.

A claim stands on a quote that is found in its episode, on entities that the episode names, and on times in the
episode's own words. The rest is dropped, and counted.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from graphmem.extract.llm.attributes import TurnClaim, entity_type, facts_about, stands, written
from graphmem.extract.llm.chatter import is_passing, is_unsaid, with_its_mark
from graphmem.extract.llm.claims import Grounded, asserted, opened
from graphmem.extract.llm.folds import is_known, renamed
from graphmem.extract.llm.grounding import bears_out, find_name, find_quote
from graphmem.extract.llm.schema import ExtractedClaim, ExtractedEntity, ExtractedFact, Extraction, Sureness
from graphmem.extract.llm.statuses import status_of
from graphmem.extract.offline.dates.episode import dates_of_episode
from graphmem.extract.offline.dates.finder import NO_CONTEXT, DateContext
from graphmem.extract.offline.tables.predicates import CATEGORIES, as_fact
from graphmem.extract.speakers import note_of, owned_of, person_named, speaker_of
from graphmem.model.claim import DETAIL, VERB, AssertedBy, ClaimKind, ClaimStatus
from graphmem.model.dates import EVENTS
from graphmem.model.entity import normalise_name
from graphmem.model.episode import Episode
from graphmem.model.fragment import Context, ProposedClaim, ProposedMention, ThingName
from graphmem.model.ontology import Ontology, snake_case
from graphmem.model.owners import REPORT, REPORTED, OwnedSpan, Voice, masked, overlapping
from graphmem.model.projection.predicate import free_key

LEAST = {Sureness.HIGH: 0.7, Sureness.MEDIUM: 0.3, Sureness.LOW: 0.0}
"""The confidence in a claim or fact from which on a model is so sure of it."""
_YES_OR_NO = frozenset({"yes", "no", "true", "false"})

_PERSON = "person"
_SELF = frozenset({"i", "me", "my", "myself", "mine", "the speaker", "speaker", "user", "the user"})


@dataclass(frozen=True)
class SourceTurn:
    """A turn that was read: the episode, who says “I” in it, where that is known, and whether it makes claims.

    ``owned`` says whose its words are, where not all are its speaker's. Days are written in it as in ``dates``.
    """

    episode: Episode
    speaker: ThingName | None
    claims: bool = True
    owned: tuple[OwnedSpan, ...] = ()
    dates: DateContext = NO_CONTEXT

    @cached_property
    def claimed(self) -> str:
        """What somebody claims of the content, in its places."""
        spans = [span for span in self.owned if span.owner.claims]
        return masked(self.episode.content, spans) if self.owned else self.episode.content

    def said_by(self, start: int, end: int) -> "SourceTurn":
        """The turn as whoever says ``[start, end)`` says it."""
        owners = [span.owner for span in overlapping(self.owned, start, end) if span.owner.voice is Voice.NAMED]
        return replace(self, speaker=person_named(owners[0].name)) if owners else self

    def sureness(self, start: int, end: int) -> float:
        """The most confidence in what is claimed there: what is handed on is not said oneself."""
        spans = overlapping(self.owned, start, end)
        handed_on = any(span.owner.voice is Voice.NAMED or span.form == REPORT for span in spans)
        return REPORTED if handed_on else 1.0


def source_turn(episode: Episode, context: Context, *, claims: bool) -> SourceTurn:
    """An episode as it is to be read: a note on its user in the words of that user."""
    owned = owned_of(episode, context)
    note = note_of(episode, context, owned)
    mixed = any(span.form for span in owned)
    speaker, dates = speaker_of(note.episode if note else episode), dates_of_episode(episode, context)
    return SourceTurn(episode, speaker, claims, owned if mixed else (), dates)


@dataclass(slots=True)
class Proposal:
    """What is proposed from one turn."""

    mentions: list[ProposedMention] = field(default_factory=list[ProposedMention])
    claims: list[ProposedClaim] = field(default_factory=list[ProposedClaim])
    dropped: int = 0


def propose(
    extraction: Extraction,
    turns: Sequence[SourceTurn],
    context: Context,
    ontology: Ontology,
    least: Sureness = Sureness.MEDIUM,
) -> list[Proposal]:
    """One proposal a turn, in their order; what the model is less sure of than ``least`` is dropped."""
    proposals = [Proposal() for _ in turns]
    extraction, unsure = _sure(extraction, LEAST[least])
    names = _Names(extraction.entities, turns, context, ontology)
    if proposals:
        proposals[0].dropped = unsure + names.dropped
    for claim in extraction.claims:
        proposed = _claim(claim, turns, names, ontology)
        _take(proposals, claim.turn, proposed)
        if proposed is not None:
            kept = [name for name, _ in proposed.attributes if name not in (DETAIL, VERB)]
            proposals[claim.turn].dropped += len(claim.attributes) - len(kept)
    for fact in extraction.facts:
        _take(proposals, fact.turn, _fact(fact, turns, names, ontology))
    for number, claim in _claims_of_attributes(names, turns, ontology):
        if claim is None or not _is_claimed(proposals[number].claims, claim):
            _take(proposals, number, claim)
    for proposal, turn in zip(proposals, turns, strict=True):
        _tidy(proposal, turn, names)
    return proposals


def _sure(extraction: Extraction, least: float) -> tuple[Extraction, int]:
    """What the model is sure enough of, and how much it is not."""
    sure = Extraction(
        entities=[entity for entity in extraction.entities if LEAST[entity.confidence] >= least],
        claims=[claim for claim in extraction.claims if claim.confidence >= least],
        facts=[fact for fact in extraction.facts if fact.confidence >= least],
    )
    return sure, _size(extraction) - _size(sure)


def _size(extraction: Extraction) -> int:
    return len(extraction.entities) + len(extraction.claims) + len(extraction.facts)


def _tidy(proposal: Proposal, turn: SourceTurn, names: "_Names") -> None:
    """Everything once, and no claims of a turn that makes none."""
    if not turn.claims:
        proposal.dropped += len(proposal.claims)
        proposal.claims = []
    proposal.claims = list(dict.fromkeys(_handed_on(claim, turn) for claim in proposal.claims))
    proposal.mentions = list(dict.fromkeys(names.mentions(turn.episode.content)))


def _handed_on(claim: ProposedClaim, turn: SourceTurn) -> ProposedClaim:
    """A claim, no surer than it may be of words that are not the speaker's."""
    most = turn.sureness(claim.quote_start, claim.quote_end)
    return replace(claim, confidence=min(claim.confidence, most))


def _take(proposals: Sequence[Proposal], turn: int, claim: ProposedClaim | None) -> None:
    proposal = proposals[turn] if turn < len(proposals) else proposals[0]
    if claim is None:
        proposal.dropped += 1
    else:
        proposal.claims.append(claim)


def _claims_of_attributes(names: "_Names", turns: Sequence[SourceTurn], ontology: Ontology) -> Iterator[TurnClaim]:
    """The attributes and other names of entities as claims, by turns that make claims."""
    texts = [turn.claimed if turn.claims else "" for turn in turns]
    for entity, name in names.kept:
        for number, claim in facts_about(entity, name, texts, ontology):
            yield number, claim and _as_fact(claim)


def _is_claimed(claims: Iterable[ProposedClaim], attribute: ProposedClaim) -> bool:
    """Whether one of the claims says what the attribute says."""
    return any(
        (claim.subject, claim.predicate) == (attribute.subject, attribute.predicate)
        and normalise_name(str(claim.value)) == normalise_name(str(attribute.value))
        for claim in claims
    )


class _Names:
    """The entities of a reading that the turns do name, by every name that they go by.

    ``kept`` are those of the reading, and who speaks even where no turn names them.
    """

    def __init__(
        self, entities: Iterable[ExtractedEntity], turns: Sequence[SourceTurn], context: Context, ontology: Ontology
    ) -> None:
        self._texts = [turn.episode.content for turn in turns]
        self._speakers = {normalise_name(turn.speaker.name): turn.speaker for turn in turns if turn.speaker}
        self._known = {normalise_name(name.name): name for name in context.known}
        self._by_key: dict[str, ThingName] = {}
        self._spellings: dict[str, ThingName] = {}
        self.kept: list[tuple[ExtractedEntity, ThingName]] = []
        self.dropped = sum(not self._keep(entity, ontology) for entity in entities)
        for key, name in self._known.items():
            if key not in self._by_key and self._is_named(name.name):
                self._by_key[key] = name
                self._spellings[name.name] = name

    def _keep(self, entity: ExtractedEntity, ontology: Ontology) -> bool:
        type_, key = entity_type(entity.type), normalise_name(entity.name)
        spellings = [spelling for spelling in (entity.name, *entity.aliases) if self._is_named(spelling)]
        speaker = self._speakers.get(key)
        if not type_ or not ontology.knows_entity(type_):
            return False
        if spellings:
            name = self._known.get(key) or ThingName(self._written(spellings[0]), type_)
            for spelling in (entity.name, *spellings):
                self._by_key.setdefault(normalise_name(spelling), name)
            self._spellings.update(dict.fromkeys(spellings, name))
            self.kept.append((entity, speaker or name))
        elif speaker is not None:
            self.kept.append((entity, speaker))
        return bool(spellings) or speaker is not None

    def _is_named(self, name: str) -> bool:
        return any(find_name(text, name) for text in self._texts)

    def _written(self, name: str) -> str:
        """A name in the characters of a text: in the model's own, where any text has those."""
        writings = [text[start:end] for text in self._texts for start, end in find_name(text, name)]
        return " ".join((name if name in writings else writings[0]).split())

    def name(self, written: str, speaker: ThingName | None) -> ThingName | None:
        key = normalise_name(written)
        if speaker is not None and (key in _SELF or key == normalise_name(speaker.name)):
            return speaker
        return self._by_key.get(key)

    def person(self, written: str | None, speaker: ThingName | None, ontology: Ontology) -> ThingName | None:
        """Whom a fact is about: the speaker where nobody is written.

        Where an ontology has no persons, people have another type.
        """
        name = self.name(written, speaker) if written else speaker
        is_person = name is not None and (name.type == _PERSON or _PERSON not in ontology.entity_types)
        return name if is_person else None

    def mentions(self, text: str) -> Iterator[ProposedMention]:
        """Where the names stand; of names within each other the longest."""
        taken: list[tuple[int, int]] = []
        for spelling, name in sorted(self._spellings.items(), key=lambda item: (-len(item[0]), item[0])):
            for start, end in find_name(text, spelling):
                if not any(start < other_end and other_start < end for other_start, other_end in taken):
                    taken.append((start, end))
                    yield ProposedMention(entity=name, start=start, end=end)


def _claim(
    claim: ExtractedClaim, turns: Sequence[SourceTurn], names: _Names, ontology: Ontology
) -> ProposedClaim | None:
    grounded = _borne_out(claim, turns, names, ontology)
    if grounded is None or is_unsaid(with_its_mark(grounded.episode.content, grounded.span)):
        return None
    known = is_known(grounded.predicate, ontology, grounded.subject.type)
    if known and grounded.status is ClaimStatus.ASSERTED:
        return _as_fact(asserted(grounded, ontology, happens=grounded.predicate in EVENTS))
    others = ontology.open_types or not ontology.relation_types
    return opened(grounded, ontology) if known or others else None


def _borne_out(
    claim: ExtractedClaim, turns: Sequence[SourceTurn], names: _Names, ontology: Ontology
) -> Grounded | None:
    """The claim with what the turn names of it; None without a quote, a subject, or anything claimed of it."""
    grounded, status = _grounded(claim.turn, claim.quote, turns), status_of(claim, ontology)
    if grounded is None or status is None or not snake_case(claim.predicate):
        return None
    turn, span = grounded
    asserts = status is ClaimStatus.ASSERTED
    subject = names.name(claim.subject, turn.speaker)
    target = names.name(claim.object, turn.speaker) if claim.object else None
    wanted = None if target else claim.value or (claim.object if ontology.open_types else None)
    value = _standing(turn.episode.content, wanted)
    if subject is None or subject == target or (asserts and value is None and (wanted or not (target or claim.ends))):
        return None
    predicate = renamed(snake_case(claim.predicate), ontology, subject.type)
    if not ontology.allows(predicate, subject.type, target.type if target else None):
        return None
    return Grounded(
        claim=claim,
        status=status,
        episode=turn.episode,
        speaker=turn.speaker,
        span=span,
        subject=subject,
        predicate=predicate,
        target=target,
        value=value,
        dates=turn.dates,
    )


def _as_fact(claim: ProposedClaim) -> ProposedClaim:
    """The claim with the category and the importance that its predicate has offline."""
    category, importance = as_fact(claim.predicate, claim.subject)
    return replace(claim, category=category, importance=importance)


def _standing(text: str, value: str | None) -> str | None:
    """A value in the text's own characters; None for one that does not stand there."""
    span = stands(text, value) if value else None
    return str(written(text, span, value)) if value and span else None


def _fact(fact: ExtractedFact, turns: Sequence[SourceTurn], names: _Names, ontology: Ontology) -> ProposedClaim | None:
    grounded = _grounded(fact.turn, fact.quote, turns)
    key = snake_case(fact.key)
    if grounded is None or not key:
        return None
    turn, (start, end) = grounded
    quote = with_its_mark(turn.episode.content, (start, end))
    if is_unsaid(quote) or is_passing(quote, key, fact.value):
        return None
    value, span = fact.value, stands(turn.episode.content, fact.value)
    if span is not None:
        value = str(written(turn.episode.content, span, value))
    says = fact.key.replace("_", " ") if fact.value.strip().casefold() in _YES_OR_NO else fact.value
    subject = names.person(fact.about, turn.speaker, ontology)
    if subject is None or not bears_out(turn.episode.content, says):
        return None
    key = renamed(key, ontology, subject.type)
    defined = key in CATEGORIES or is_known(key, ontology, subject.type)
    return ProposedClaim(
        kind=ClaimKind.STARTS,
        subject=subject,
        predicate=key if defined else free_key(fact.category, key),
        value=value,
        statement=f"{subject.name}: {key.replace('_', ' ')} {value}.",
        quote_start=start,
        quote_end=end,
        confidence=fact.confidence,
        importance=fact.importance,
        category=fact.category.value,
        asserted_by=AssertedBy.MODEL if span is None else AssertedBy.PASSING,
    )


def _grounded(turn: int, quote: str, turns: Sequence[SourceTurn]) -> tuple[SourceTurn, tuple[int, int]] | None:
    if turn >= len(turns):
        return None
    span = find_quote(turns[turn].claimed, quote)
    return None if span is None else (turns[turn].said_by(*span), span)
