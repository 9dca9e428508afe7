"""A model's claim as its turn bears it out, and what it asserts; else an open claim.

Open are those whose predicate neither the ontology nor graphmem knows, and those that assert nothing. ``folds`` names
what is claimed, ``statuses`` tells what is asserted, ``chatter`` what is not worth keeping.
"""

import re
from dataclasses import dataclass, replace
from datetime import UTC

from graphmem.extract.llm.attributes import Span, attributes_of
from graphmem.extract.llm.chatter import is_chatter, with_its_mark
from graphmem.extract.llm.folds import canonical
from graphmem.extract.llm.grounding import bears_out, own_sentence, statement_of, telling
from graphmem.extract.llm.schema import ExtractedClaim
from graphmem.extract.llm.statuses import clause_of, plain_sentence
from graphmem.extract.llm.times import days_said, due, event_of, instant, unread_of, without_days
from graphmem.extract.offline.dates.finder import NO_CONTEXT, DateContext
from graphmem.model.claim import DETAIL, DID, STATED, VERB, ClaimKind, ClaimStatus
from graphmem.model.episode import Episode
from graphmem.model.fragment import ProposedClaim, ThingName
from graphmem.model.interval import BEGIN
from graphmem.model.ontology import Ontology

_LEADING = re.compile(r"\b(?:to|for|with|without|at|in|on|about|from|into|onto|through|by|as|after|before)\b")

_MOST_SURE = {True: 0.6, False: 0.5}
"""Of what somebody says of themselves, and of others, however sure a model is."""
_IMPORTANCE = 0.4
"""Of an open claim: below that of others, which is .5 at least."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounded:
    """A claim of a model; ``span`` is that of its quote.

    ``target`` is an entity that the turn names, ``value`` stands in it. Both are None of an end of nothing in
    particular, and may be of what is planned, wished, possible or not so. Days are written as in ``dates``.
    """

    claim: ExtractedClaim
    status: ClaimStatus
    episode: Episode
    speaker: ThingName | None
    span: Span
    subject: ThingName
    predicate: str
    target: ThingName | None
    value: str | None
    dates: DateContext = NO_CONTEXT

    @property
    def about(self) -> str:
        """The words for what it claims of its subject."""
        return self.target.name if self.target else self.value or ""

    @property
    def text(self) -> str:
        """What a sentence may have names and numbers of: the turn, and the days it speaks of, in full."""
        ahead = self.status in (ClaimStatus.PLANNED, ClaimStatus.WISHED)
        return f"{self.episode.content} {days_said(self.episode, self.dates, ahead=ahead)}"


def asserted(grounded: Grounded, ontology: Ontology, *, happens: bool) -> ProposedClaim:
    """What is so, has ended or, if its predicate tells of what ``happens``, has happened on days that the turn says."""
    claim, episode, (start, end) = grounded.claim, grounded.episode, grounded.span
    dates, words = grounded.dates, claim.valid_from or claim.happened
    event = event_of(claim.happened, episode, dates) if happens and not claim.ends else None
    since = event[0].astimezone(UTC) if event else instant(words, episode, dates)
    until = None if event or claim.ends else instant(claim.valid_to, episode, dates, end=True)
    unread = unread_of(claim.valid_from, episode) if since is None else ""
    subject, predicate, about = grounded.subject.name, grounded.predicate, grounded.about
    statement = statement_of(claim.statement, grounded.text, subject, predicate, about, ends=claim.ends)
    return ProposedClaim(
        kind=ClaimKind.ENDS if claim.ends else ClaimKind.STARTS,
        subject=grounded.subject,
        predicate=grounded.predicate,
        object=grounded.target,
        value=grounded.value,
        statement=statement,
        quote_start=start,
        quote_end=end,
        valid_from=BEGIN if unread and not claim.ends else since,
        time_unread=unread,
        valid_to=None if since and until and until <= since else until,
        confidence=claim.confidence,
        attributes=tuple(sorted(attributes_of(claim, grounded.predicate, episode.content, ontology).items())),
        event=event,
    )


def detail(sentence: str, claimed: str) -> str:
    """The words behind the first preposition that tell something and are not ``claimed``, in alphabetical order.

    “Ana took her dog to the vet.” has “vet”; the days are to be left out before.
    """
    leading = _LEADING.search(sentence)
    words = telling(sentence[leading.end() :]) if leading else []
    known = {word.casefold() for word in telling(claimed)}
    return " ".join(sorted({word.casefold() for word in words} - known))


def opened(grounded: Grounded, ontology: Ontology) -> ProposedClaim | None:
    """The open claim; None of what is not worth keeping, and of what has neither an object nor a value."""
    so = grounded.status is ClaimStatus.ASSERTED
    claim = _asserted(grounded, ontology) if so else _stated(grounded)
    if claim is None:
        return None
    about = grounded.about if so else str(claim.value)
    return None if is_chatter(with_its_mark(grounded.episode.content, grounded.span), claim.predicate, about) else claim


def _asserted(grounded: Grounded, ontology: Ontology) -> ProposedClaim | None:
    """What is so, or has happened; under its own verb where no canonical predicate says it."""
    if not grounded.about:
        return None
    grounded, name = _named(grounded, ontology)
    claim = (
        asserted(replace(grounded, predicate=name), ontology, happens=True)
        if name
        else _under_its_verb(grounded, ontology)
    )
    return _open(_told_apart(claim, grounded), grounded)


def _told_apart(claim: ProposedClaim, grounded: Grounded) -> ProposedClaim:
    """The claim with what its sentence says beside verb and object, as an attribute."""
    sentence = without_days(claim.statement, grounded.episode.local_time)
    more = detail(sentence, f"{grounded.subject.name} {grounded.about}")
    return replace(claim, attributes=tuple(sorted({**dict(claim.attributes), DETAIL: more}.items()))) if more else claim


def _named(grounded: Grounded, ontology: Ontology) -> tuple[Grounded, str]:
    """The canonical predicate, if there is one. What is done to the speaker is told of the speaker: “inspired_by”."""
    target = grounded.target
    if target is None:
        return grounded, canonical(grounded.predicate, "", ontology)
    done_to = canonical(f"{grounded.predicate}_me", "", ontology) if target == grounded.speaker else ""
    if done_to:
        return replace(grounded, subject=target, target=grounded.subject), done_to
    return grounded, canonical(grounded.predicate, target.type, ontology)


def _under_its_verb(grounded: Grounded, ontology: Ontology) -> ProposedClaim:
    claim, verb = asserted(grounded, ontology, happens=True), grounded.predicate.replace("_", " ")
    subject, about = grounded.subject.name, grounded.about
    own = own_sentence(grounded.claim.statement, grounded.text, (subject, about))
    attributes = tuple(sorted({**dict(claim.attributes), VERB: verb}.items()))
    return replace(claim, predicate=DID, statement=own or f"{subject}: {verb} {about}.", attributes=attributes)


def _stated(grounded: Grounded) -> ProposedClaim | None:
    """What is planned, wished, possible or not so, as a clause: it is believed that it was said.

    The clause is that of the model's sentence less its days, where the turn bears it out, else verb and object.
    """
    claim, subject, text = grounded.claim, grounded.subject.name, grounded.text
    sentence = own_sentence(claim.statement, text, (subject,))
    clause = without_days(clause_of(sentence, subject, grounded.status), grounded.episode.local_time)
    if not clause or not bears_out(f"{text} {subject}", clause):
        if not grounded.about:
            return None
        clause = f"{grounded.predicate.replace('_', ' ')} {grounded.about}"
        sentence = plain_sentence(subject, clause, grounded.status)
    (start, end), days = grounded.span, (claim.valid_from, claim.valid_to, claim.happened)
    stated = ProposedClaim(
        kind=ClaimKind.STARTS,
        subject=grounded.subject,
        predicate=STATED[grounded.status],
        value=clause,
        statement=sentence,
        quote_start=start,
        quote_end=end,
        valid_to=due(grounded.span, days, grounded.episode, grounded.dates)
        if grounded.status is ClaimStatus.PLANNED
        else None,
        confidence=claim.confidence,
    )
    return _open(stated, grounded)


def _open(claim: ProposedClaim, grounded: Grounded) -> ProposedClaim:
    most = _MOST_SURE[grounded.subject == grounded.speaker]
    return replace(claim, confidence=min(claim.confidence, most), importance=_IMPORTANCE, open=True)
