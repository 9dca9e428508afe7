"""Extraction without a language model: spaCy for names, a table of patterns for claims.

An honest small set: what is not plainly said gives nothing. The first person is the speaker.
"""

import asyncio
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from graphmem.extract import clauses
from graphmem.extract.clauses import Tense
from graphmem.extract.dates import Bearing, Dated, Unit, find_dates
from graphmem.extract.patterns import ENDED, ROWS, RULES, STATEMENTS, Aspect, Pattern
from graphmem.extract.spans import LONGEST_NAME, TYPES, Found, names, proper, thing
from graphmem.extract.syntax import Match, Parse, Parser, Token
from graphmem.model.claim import Kind
from graphmem.model.entity import normalise_name
from graphmem.model.episode import ContentType, Episode, Role
from graphmem.model.fragment import Fragment, Name, ProposedClaim, ProposedMention

READ_AT_MOST = 50_000
"""Code points of an episode that are read (some five seconds of one core); what follows gives nothing."""

_FIRST_PERSON = frozenset({"i", "me", "my", "we"})
_CONFIDENCE = {True: 0.9, False: 0.7}
"""Of what somebody says of themselves, and of others."""

_ONGOING = (Tense.PRESENT, Tense.PROGRESSIVE, Tense.PERFECT)
_SINGLE = frozenset({"lives_in", "named"})
_UNREADABLE = re.compile(r"[\ud800-\udfff]|\S{500,}")
_TURN = re.compile(r"^\s*[A-Z][\w .'’-]{0,30}:\s", re.MULTILINE)
_IMPERSONAL = frozenset({ContentType.DOCUMENT, ContentType.EVENT, ContentType.SUMMARY})


class OfflineExtractor:
    """An ``Extractor`` that needs no model but spaCy's. Load it with ``warm``, or by the first episode."""

    name = "offline"
    version = "1"

    def __init__(self) -> None:
        self._parser = Parser(RULES)

    def warm(self) -> None:
        """Load the spaCy model now (seconds, in the calling thread)."""
        self._parser.warm()

    async def extract(self, episode: Episode) -> Fragment:
        return await asyncio.to_thread(self._extract, episode)

    def _extract(self, episode: Episode) -> Fragment:
        parse = self._parser.parse(readable(episode.content))
        reading = _Reading(parse, episode.occurred_at, _speaker(episode), episode.content_type not in _IMPERSONAL)
        readings = [claim for match in parse.matches for claim in reading.claims(match)]
        return Fragment(
            mentions=_mentions(parse, [found for _, mentioned in readings for found in mentioned], reading.speaker),
            claims=tuple(dict.fromkeys(claim for claim, _ in readings)),
            extractor=self.name,
            version=self.version,
        )


def readable(content: str) -> str:
    """The content as far as it is read, with what no language has (500 letters in a row, half characters) blanked.

    Offsets stay those of the content.
    """
    if len(content) > READ_AT_MOST:
        cut = max(content.rfind(" ", 0, READ_AT_MOST), content.rfind("\n", 0, READ_AT_MOST))
        content = content[: cut if cut > 0 else READ_AT_MOST]
    return _UNREADABLE.sub(lambda match: " " * len(match[0]), content)


def _speaker(episode: Episode) -> Name | None:
    """Who says “I”: nobody we know in a transcript of several, or in a document without a speaker."""
    if episode.speaker is None and episode.content_type in _IMPERSONAL:
        return None
    if len(_TURN.findall(episode.content, 0, READ_AT_MOST)) > 1:
        return None
    owner = episode.owner if episode.role is Role.USER else ""
    for name in (episode.speaker or "", owner, episode.role.value):
        known = " ".join(name.split())
        if 1 <= len(known) <= LONGEST_NAME and known.isprintable():
            return Name(known, "person")
    return None


@dataclass(frozen=True, slots=True)
class _Sighting:
    """When and how something held, as one clause says it."""

    kind: Kind
    valid_from: datetime | None = None
    valid_to: datetime | None = None


@dataclass(frozen=True, slots=True)
class _Reading:
    """One episode being read."""

    parse: Parse
    said_at: datetime
    speaker: Name | None
    news: bool
    """Whether what happened without a date happened just now, as in talk but not in documents."""

    def claims(self, match: Match) -> Iterator[tuple[ProposedClaim, tuple[Found, ...]]]:
        """What one match claims, each with the spans it names."""
        pattern, path = ROWS[match.rule]
        nodes = [self.parse.tokens[i] for i in match.nodes]
        verb = nodes[0]
        if not clauses.told(self.parse, verb) or clauses.passive(self.parse, verb) != pattern.passive:
            return
        dates = self._dates(verb, nodes)
        sighting = self._sighting(pattern, verb, nodes, dates)
        if sighting is None or (pattern.predicate == "owns" and clauses.for_another(self.parse, nodes)):
            return
        coarse = any(dated.unit in (Unit.MONTH, Unit.YEAR) for dated in dates) or clauses.for_good(self.parse, verb)
        objects = self._objects(pattern, nodes[len(path)], coarse=coarse)
        for subject in self._subjects(pattern, nodes):
            for found in objects:
                if pattern.literal or found.name != subject.name:
                    yield self._claim(pattern, sighting, nodes, subject, found)

    def _dates(self, verb: Token, nodes: Sequence[Token]) -> list[Dated]:
        """The dates of the clause; in the present tense an end lies ahead."""
        sentence = self.parse.within(self.parse.sentence_of(verb))
        start, end = sentence[0].start, sentence[-1].end
        ahead = clauses.tense(self.parse, verb) is not Tense.PAST
        dates = [dated.shifted(start) for dated in find_dates(self.parse.text[start:end], self.said_at, ahead=ahead)]
        return clauses.dates_of(self.parse, nodes, dates)

    def _sighting(
        self, pattern: Pattern, verb: Token, nodes: Sequence[Token], dates: Sequence[Dated]
    ) -> _Sighting | None:
        """How and when the clause says it held; None where it asserts nothing."""
        tense = clauses.tense(self.parse, verb)
        if clauses.no_longer(self.parse, verb):
            ends = pattern.predicate in ENDED and pattern.aspect is Aspect.STATE and tense in _ONGOING
            return _Sighting(Kind.ENDS, _first(dates, Bearing.AT, Bearing.SINCE)) if ends else None
        if clauses.denied(self.parse, verb):
            return None
        if pattern.aspect is Aspect.REQUEST:
            asked = tense is Tense.BARE and clauses.subject_of(self.parse, verb) is None
            return _Sighting(pattern.kind) if asked else None
        vague = clauses.misunderstood(self.parse, nodes, dates)
        if pattern.aspect is Aspect.STATE and tense is Tense.PAST:
            return _past_state(pattern, dates, self.said_at)
        if pattern.aspect is Aspect.STATE:
            return _state(tense, _ahead(dates, self.said_at), vague=vague, still=clauses.still(self.parse, verb))
        happened = _first(dates, Bearing.AT)
        undated = happened is None and (vague or not self.news or clauses.subordinate(self.parse, verb))
        return _Sighting(pattern.kind, happened) if tense in (Tense.PAST, Tense.PERFECT) and not undated else None

    def _subjects(self, pattern: Pattern, nodes: Sequence[Token]) -> list[Found]:
        if pattern.speaker:
            return [found] if (found := self._first_person(nodes[-1])) else []
        subject = clauses.subject_of(self.parse, nodes[0])
        if subject is None:
            return []
        tokens = [subject] if nodes[1].i == subject.i else clauses.conjuncts(self.parse, subject)
        return [found for token in tokens if (found := self._somebody(token, people=pattern.people))]

    def _first_person(self, token: Token) -> Found | None:
        if self.speaker is None or token.text.casefold() not in _FIRST_PERSON:
            return None
        return Found(self.speaker, token.start, token.end, self.speaker.name)

    def _somebody(self, token: Token, *, people: bool) -> Found | None:
        """The speaker or a person named; “my sister Ana” is Ana."""
        if token.tag.startswith("PRP"):
            return self._first_person(token)
        if not token.proper:
            named = [child for child in self.parse.children(token, "appos") if child.proper]
            token = named[0] if named and self.parse.children(token, "poss") else token
        believable = token.label in ("PERSON", "") or (people and token.label in TYPES)
        if not token.proper or not believable or self.parse.children(token, "det"):
            return None
        return proper(self.parse, token, "person")

    def _objects(self, pattern: Pattern, token: Token, *, coarse: bool) -> list[Found]:
        """The object and what is coordinated with it, unless that first one is none, or only one can be."""
        members = clauses.conjuncts(self.parse, token)
        found = [self._object(pattern, member, coarse=coarse) for member in members]
        if not found or found[0] is None or (len(found) > 1 and pattern.predicate in _SINGLE):
            return []
        return [each for each in found if each is not None]

    def _object(self, pattern: Pattern, token: Token, *, coarse: bool) -> Found | None:
        if pattern.target.type == "person" and token.tag == "PRP":
            return self._first_person(token)
        if token.label in pattern.target.dated and not coarse:
            return None
        return thing(self.parse, token, pattern.target)

    def _claim(
        self, pattern: Pattern, sighting: _Sighting, nodes: Sequence[Token], subject: Found, found: Found
    ) -> tuple[ProposedClaim, tuple[Found, ...]]:
        if found.name == self.speaker and not pattern.literal:
            subject, found = found, subject
        start, end = self._quote(nodes)
        claim = ProposedClaim(
            kind=sighting.kind,
            subject=subject.name,
            predicate=pattern.predicate,
            object=None if pattern.literal else found.name,
            value=found.name.name if pattern.literal else None,
            statement=_statement(pattern, sighting, subject, found),
            quote_start=start,
            quote_end=end,
            valid_from=sighting.valid_from,
            valid_to=sighting.valid_to,
            confidence=_CONFIDENCE[subject.name == self.speaker],
        )
        return claim, (subject,) if pattern.literal else (subject, found)

    def _quote(self, nodes: Sequence[Token]) -> tuple[int, int]:
        """The sentence, less what stands on other lines."""
        sentence = self.parse.within(self.parse.sentence_of(nodes[0]))
        first, last = min(node.start for node in nodes), max(node.end for node in nodes)
        start = max(sentence[0].start, self.parse.text.rfind("\n", 0, first) + 1)
        line_end = self.parse.text.find("\n", last)
        end = min(sentence[-1].end, line_end if line_end >= 0 else len(self.parse.text))
        text = self.parse.text[start:end]
        return start + len(text) - len(text.lstrip()), start + len(text.rstrip())


def _first(dates: Sequence[Dated], *bearings: Bearing) -> datetime | None:
    return next((dated.valid_from for dated in dates if dated.bearing in bearings), None)


def _ahead(dates: Sequence[Dated], said_at: datetime) -> list[Dated]:
    """Without the ends that are past: what still holds has none."""
    return [dated for dated in dates if dated.valid_to is None or dated.valid_to > said_at]


def _state(tense: Tense | None, dates: Sequence[Dated], *, vague: bool, still: bool) -> _Sighting | None:
    """“I live in Rome”, “I have lived in Rome since 2019”; “I have lived in Rome” alone may be long over."""
    since = _first(dates, Bearing.SINCE)
    until = next((dated.valid_to for dated in dates if dated.bearing is Bearing.UNTIL), None)
    if tense is Tense.PERFECT and since is None:
        return _Sighting(Kind.HOLDS) if vague else None
    if tense not in _ONGOING:
        return None
    return _Sighting(Kind.HOLDS if still else Kind.STARTS, since, until)


def _past_state(pattern: Pattern, dates: Sequence[Dated], said_at: datetime) -> _Sighting | None:
    """“I lived in Rome from 2010 to 2015”, “until 2015”; without an end that is said it is not known to be over."""
    for dated in dates:
        if dated.bearing is Bearing.SPAN:
            return _Sighting(Kind.STARTS, dated.valid_from, dated.valid_to)
        if (
            dated.bearing is Bearing.UNTIL
            and dated.valid_to
            and dated.valid_to <= said_at
            and pattern.predicate in ENDED
        ):
            return _Sighting(Kind.ENDS, dated.valid_to)
    return None


def _statement(pattern: Pattern, sighting: _Sighting, subject: Found, found: Found) -> str:
    now, past = STATEMENTS.get(f"{pattern.predicate} {found.name.type}") or STATEMENTS[pattern.predicate]
    over = sighting.valid_from is not None and sighting.valid_to is not None
    template = ENDED[pattern.predicate] if sighting.kind is Kind.ENDS else past if over else now
    return f"{subject.phrase} {template.format(found.phrase)}."


def _mentions(parse: Parse, claimed: Sequence[Found], speaker: Name | None) -> tuple[ProposedMention, ...]:
    """The names spaCy sees and those the claims name, which know their types better."""
    known = [found.name for found in claimed] + ([speaker] if speaker else [])
    types = {normalise_name(name.name): name.type for name in known}
    mentions = {(found.start, found.end, found.name) for found in claimed}
    taken = sorted((found.start, found.end) for found in claimed)
    for found in names(parse):
        if not any(start < found.end and found.start < end for start, end in taken):
            kind = types.get(normalise_name(found.name.name), found.name.type)
            mentions.add((found.start, found.end, Name(found.name.name, kind)))
    ordered = sorted(mentions, key=lambda mention: (mention[0], mention[1], mention[2].name, mention[2].type))
    return tuple(ProposedMention(entity=entity, start=start, end=end) for start, end, entity in ordered)
