"""A fragment, resolved: every proposed name becomes an entity, every proposed claim a claim on entities.

Resolution is exact: the same group, type and normalised name is the same entity, unless the text says that it is
another one.
"""

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from graphmem.model.claim import Claim
from graphmem.model.dates import written_days
from graphmem.model.entity import MENTIONED, Entity, Mention, TypedBy, as_entities, first_names, normalise_name
from graphmem.model.episode import Episode, StoredEpisode
from graphmem.model.evidence import ResolvedEvidence
from graphmem.model.fragment import AS_PACKAGED, Admission, Fragment, ProposedClaim, ProposedMention, ThingName
from graphmem.model.interval import BEGIN, END
from graphmem.model.persons import alias_of
from graphmem.resolve.namesakes import entity_of

_KIND = "person|man|woman|one|boy|girl|guy|lady|fellow"
_OTHER = re.compile(
    r"\b(?:(?:the|that|this|my|our|his|her|their|some|an)\s+other|another|a(?:n\s+entirely|\s+completely)?\s+different"
    r"|(?:a|the)\s+(?:second|third))"
    rf"(?:\s+(?:{_KIND}),?(?:\s+(?:who|that)\s+is)?(?:\s+also)?\s+(?:called|named)|\s+(?:younger|older|elder))?"
    r"\s+(?:(?:mr|mrs|ms|dr|prof)\.?\s+)?[\"“„«]?$",
    re.IGNORECASE,
)
"""Before a name: “another Anna”, “a second woman called Anna”; “another friend, Anna” is no other Anna."""
_OTHER_ONE = re.compile(
    rf"[\"”“»]?(?:\s*[(\[]|,|\s*[–—-])\s*(?:(?:the\s+other|another|a\s+different|(?:a|the)\s+(?:second|third))\s+(?:{_KIND})"
    r"|not\s+the\s+same(?:\s+(?:person|one))?|no\s+relation)\b(?!\s+(?:of|from|who|that|in)\b)",
    re.IGNORECASE,
)
"""After it: “Anna (the other one)”."""
_LONGEST = 60  # code points of such words
_EMAIL = re.compile(r"\s*[(<,]\s*(?P<address>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)")
_TYPES = frozenset({"person"})
"""“Another Coke” is one more of the same."""


@dataclass(frozen=True, slots=True)
class _Mentioned:
    """Where a name stands in a text, in order, and its qualifier there."""

    starts: Sequence[int]
    qualifiers: Sequence[str]

    def at(self, start: int, end: int) -> str:
        """The qualifier of the one that words in ``[start, end)`` speak of: there, or else the last one before."""
        here = bisect_left(self.starts, start), bisect_left(self.starts, end)
        inside = set(self.qualifiers[slice(*here)])
        if len(inside) == 1:
            return inside.pop()
        return "" if inside or not here[0] else self.qualifiers[here[0] - 1]


def with_others(stored: StoredEpisode, fragment: Fragment) -> Fragment:
    """The fragment, with others of a name told apart from the one that goes by the name alone."""
    marks = {mention: _qualifier(stored, mention) for mention in fragment.mentions}
    if not any(marks.values()):
        return fragment
    mentioned = _mentioned(marks)
    return replace(
        fragment,
        mentions=tuple(
            replace(mention, entity=_with_qualifier(mention.entity, marks[mention])) for mention in fragment.mentions
        ),
        claims=tuple(_claim_of_another(claim, mentioned) for claim in fragment.claims),
    )


def _mentioned(marks: Mapping[ProposedMention, str]) -> Mapping[str, _Mentioned]:
    by_name: dict[str, dict[int, str]] = defaultdict(dict)
    for mention, qualifier in sorted(marks.items(), key=lambda item: item[0].start):
        by_name[_key(mention.entity)][mention.start] = qualifier
    return {key: _Mentioned([*qualifiers], [*qualifiers.values()]) for key, qualifiers in by_name.items()}


def _claim_of_another(claim: ProposedClaim, mentioned: Mapping[str, _Mentioned]) -> ProposedClaim:
    def as_mentioned(name: ThingName) -> ThingName:
        places = mentioned.get(_key(name))
        return name if places is None else _with_qualifier(name, places.at(claim.quote_start, claim.quote_end))

    return replace(claim, subject=as_mentioned(claim.subject), object=claim.object and as_mentioned(claim.object))


def _with_qualifier(name: ThingName, qualifier: str) -> ThingName:
    return replace(name, qualifier=qualifier) if qualifier and not name.qualifier else name


def _key(name: ThingName) -> str:
    return normalise_name(name.name)


def _qualifier(stored: StoredEpisode, mention: ProposedMention) -> str:
    if mention.entity.type not in _TYPES:
        return ""
    content = stored.episode.content
    after = _OTHER_ONE.match(content, mention.end)
    if not after and not _OTHER.search(content[max(0, mention.start - _LONGEST) : mention.start]):
        return ""
    if address := _EMAIL.match(content, after.end() if after else mention.end):
        return f"email:{address['address'].casefold()}"
    return f"{MENTIONED}{stored.id}@{mention.start}"


def resolve(stored: StoredEpisode, fragment: Fragment, admission: Admission = AS_PACKAGED) -> ResolvedEvidence:
    """The evidence that a fragment amounts to.

    Facts below what ``admission`` asks for are left out and counted.

    Claims whose stated times contradict each other, and claims of a thing about itself, are dropped and counted; so is
    one of two that differ in nothing but their attributes: the same words claim one thing.
    """
    episode, fragment = stored.episode, with_others(stored, fragment)
    faults = [(claim, _fault(claim, episode, admission)) for claim in fragment.claims]
    proposed = [claim for claim, fault in faults if fault is None]
    claims, same_words = dict[str, Claim](), 0
    for claim in (_claim(stored, fragment, proposal) for proposal in proposed):
        same_words += claim.id in claims and claims[claim.id].attributes != claim.attributes
        claims[claim.id] = claim
    mentions = dict.fromkeys(
        Mention(
            episode_id=stored.id,
            entity_id=_entity(episode, proposal.entity).id,
            start=proposal.start,
            end=proposal.end,
            text=episode.content[proposal.start : proposal.end],
        )
        for proposal in fragment.mentions
    )
    named = [_entity(episode, name, typed_by) for name, typed_by in _names(fragment, proposed)]
    return ResolvedEvidence(
        entities=as_entities(named),
        mentions=tuple(mentions),
        claims=tuple(claims.values()),
        unread_times=tuple(dict.fromkeys(time.why for time in fragment.unread_times)),
        dropped=Counter(fault for _, fault in faults if fault is not None) + Counter(same_words=same_words),
        known_as=first_names(entity.known_as(episode.user) for entity in named),
    )


def _names(fragment: Fragment, claims: Iterable[ProposedClaim]) -> Iterable[tuple[ThingName, TypedBy]]:
    """The names in what an episode says, and those that a user is said to go by, each with what says its type."""
    for mention in fragment.mentions:
        yield mention.entity, TypedBy.WORDS
    for claim in claims:
        alias = alias_of(claim.subject, claim.predicate, claim.value)
        typed_by = TypedBy.WORDS if claim.open else TypedBy.PREDICATE
        yield from ((name, typed_by) for name in (claim.subject, claim.object, alias) if name is not None)


def _entity(episode: Episode, name: ThingName, typed_by: TypedBy = TypedBy.WORDS) -> Entity:
    return entity_of(episode.group_id, name, episode.occurred_at, typed_by)


def _fault(claim: ProposedClaim, episode: Episode, admission: Admission) -> str | None:
    """Why it is no claim; None if it is one."""
    if not admission.admits(claim):
        return "not_admitted"
    if claim.object is not None and _entity(episode, claim.object).id == _entity(episode, claim.subject).id:
        return "about_itself"
    return None if _start(claim, episode) < (claim.valid_to or END) else "contradicting_times"


def _start(claim: ProposedClaim, episode: Episode) -> datetime:
    """The start that the text states for a claim, BEGIN where its words are unread; else when the claim was said.

    The start of what was over by then is unknown too: “I lived in Rome until 2015”.
    """
    if claim.valid_from is not None:
        return claim.valid_from
    over = claim.kind.asserts and claim.valid_to is not None and claim.valid_to <= episode.occurred_at
    return BEGIN if over else episode.occurred_at


def _claim(stored: StoredEpisode, fragment: Fragment, proposed: ProposedClaim) -> Claim:
    episode = stored.episode
    quote = episode.content[proposed.quote_start : proposed.quote_end]
    asserts = proposed.kind.asserts
    return Claim(
        group_id=episode.group_id,
        episode_id=stored.id,
        kind=proposed.kind,
        subject_id=_entity(episode, proposed.subject).id,
        predicate=proposed.predicate,
        object_id=None if proposed.object is None else _entity(episode, proposed.object).id,
        value=proposed.value,
        statement=proposed.statement,
        quote=quote,
        quote_start=proposed.quote_start,
        quote_end=proposed.quote_end,
        valid_from=_start(proposed, episode),
        valid_to=proposed.valid_to or END if asserts else END,
        from_stated=proposed.valid_from not in (None, BEGIN),
        from_precision=0 if proposed.valid_from in (None, BEGIN) else proposed.from_precision,
        to_stated=asserts and proposed.valid_to is not None,
        time_unread=proposed.time_unread,
        said_at=episode.occurred_at,
        turn=episode.turn,
        confidence=proposed.confidence,
        importance=proposed.importance,
        user=episode.user,
        session=episode.session,
        attributes=dict(proposed.attributes),
        category=proposed.category,
        extractor=fragment.extractor,
        extractor_version=fragment.version,
        open=proposed.open,
        beside=asserts and proposed.beside,
        asserted_by=proposed.asserted_by,
        day="" if proposed.event is None else written_days(*proposed.event),
        event_to=None if proposed.event is None else proposed.event[1].astimezone(UTC),
    )
