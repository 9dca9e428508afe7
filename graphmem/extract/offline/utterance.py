"""One episode being read: who is meant, when it was, and what each match of a verb's pattern claims."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from graphmem.extract.identifiers import ADDRESS, NUMBERED, is_street
from graphmem.extract.offline import clauses, times
from graphmem.extract.offline.clauses import Tense
from graphmem.extract.offline.dates.calendar import Unit
from graphmem.extract.offline.dates.finder import NO_CONTEXT, Bearing, DateContext, Dated, days_of, find_dates
from graphmem.extract.offline.dates.spoken import SpokenDates, spoken_dates
from graphmem.extract.offline.forms import formed
from graphmem.extract.offline.names import MODIFIERS, TYPES, Found, proper
from graphmem.extract.offline.pronouns import antecedent
from graphmem.extract.offline.statements import Assertion, claim_of
from graphmem.extract.offline.syntax import Match, Parse, Token
from graphmem.extract.offline.tables.lexicon import GATHERINGS, PETS
from graphmem.extract.offline.tables.pattern import Aspect, Pattern
from graphmem.extract.offline.tables.patterns import ROWS
from graphmem.extract.offline.tables.predicates import ENDABLE, OF_ADDRESSEE, SYMMETRIC
from graphmem.extract.offline.things import thing
from graphmem.extract.offline.times import TimePhrase
from graphmem.extract.overlaps import Span
from graphmem.model.claim import ClaimKind
from graphmem.model.fragment import ProposedClaim, ThingName

Claimed = tuple[ProposedClaim, tuple[Found, ...]]
"""A claim with the spans it names."""

_FIRST_PERSON = frozenset({"i", "me", "my", "we", "our"})
_SECOND_PERSON = frozenset({"you", "your"})
_OTHERS = {
    "another": "another",
    "other": "the other",
    "different": "a different",
    "second": "a second",
    "third": "a third",
}
"""Words that say that somebody else of that name is meant, and how a sentence says it."""
_ONGOING = (Tense.PRESENT, Tense.PROGRESSIVE, Tense.PERFECT)
_THEN = (Bearing.AT, Bearing.SPAN)
_HAPPENED = times.HAPPENED | {times.ALONE}
_EVENT_LEADS = times.HAPPENED | times.SINCE
_SINGLE = frozenset({"lives_in", "named"})


@dataclass(frozen=True, slots=True)
class Utterance:
    """``news``: whether what happened without a date happened just now, as in talk but not in documents.

    Days are written and counted as in ``context``. ``speaker`` is who “I” is and ``addressee`` who “you” is,
    where that is known; ``called`` may be called by name.
    """

    parse: Parse
    said_at: datetime
    speaker: ThingName | None
    news: bool
    identifiers: tuple[Span, ...] = ()
    context: DateContext = NO_CONTEXT
    addressee: ThingName | None = None
    called: tuple[ThingName, ...] = ()

    def claims(self, match: Match) -> Iterator[Claimed]:
        """What one match of a verb's pattern claims."""
        pattern, path = ROWS[match.rule]
        nodes = [self.parse.tokens[i] for i in match.nodes]
        verb = nodes[0]
        if self._says_another_thing(pattern, verb, nodes):
            return
        noun = self._told_of(pattern, verb)
        if noun is None and not (clauses.asserted(self.parse, verb) and self._voiced(pattern, verb)):
            return
        around = (
            nodes[:1] if pattern.target.type == "deed" else nodes
        )  # when it is to be done is no date of the promise
        dates = self.dates(verb, around)
        assertion = self._assertion(pattern, verb, around, dates, aside=noun is not None)
        if assertion is None or (pattern.predicate == "owns" and clauses.for_another(self.parse, nodes)):
            return
        coarse = any(dated.unit in (Unit.MONTH, Unit.YEAR) for dated in dates) or clauses.for_good(self.parse, verb)
        objects = self._objects(pattern, verb, nodes[len(path)], coarse=coarse)
        for subject in self._subjects(pattern, nodes, noun):
            for found in objects:
                if pattern.literal or found.name != subject.name:
                    for each in (assertion, *_end_of(pattern, assertion)):
                        yield self._claim(pattern, each, nodes, subject, found)

    def _says_another_thing(self, pattern: Pattern, verb: Token, nodes: Sequence[Token]) -> bool:
        """“I live in Faro, not in Tavira”, “I moved my savings to Oslo”, “I left the office at five”."""
        denied = any(self.parse.children(node, "neg") for node in nodes[1:])
        of_a_thing = pattern.alone and clauses.moves_something(self.parse, verb)
        return denied or of_a_thing or (pattern.for_good and clauses.for_a_while(self.parse, verb))

    def _voiced(self, pattern: Pattern, verb: Token) -> bool:
        return clauses.passive(self.parse, verb) == pattern.passive

    def _told_of(self, pattern: Pattern, verb: Token) -> Token | None:
        """The noun that a fact hangs from (“Ana Berg, born in Bonn, …”, “who was born in Bonn”), which is its subject.

        It is presupposed, whatever becomes of the sentence.
        """
        lasting = pattern.aspect is Aspect.FACT or pattern.subject is not None
        noun = clauses.modified(self.parse, verb) if lasting and not verb.quoted else None
        if noun is None or clauses.denied(self.parse, verb):
            return None
        participle = pattern.passive and verb.tag == "VBN" and clauses.subject_of(self.parse, verb) is None
        return noun if participle or (clauses.related(self.parse, verb) and self._voiced(pattern, verb)) else None

    # when -------------------------------------------------------------------------------------------------------------

    @property
    def _spoken(self) -> SpokenDates:
        return spoken_dates(self.parse.text, self.said_at, self.context)

    def _told_at(self, verb: Token) -> datetime:
        """When the clause was said: under a dated heading on its day."""
        return self._spoken.section(verb.start).said_at

    def dates(self, verb: Token, nodes: Sequence[Token]) -> list[Dated]:
        """The dates of the clause; in the present tense an end lies ahead.

        Without one of its own, that of what it says happened then: “after I left Acme in March”.
        """
        dates = self._dates_around(verb, ahead=clauses.tense(self.parse, verb) is not Tense.PAST)
        own = clauses.dates_of(self.parse, nodes, dates)
        return own or [found for each in times.phrases(self.parse, nodes, _EVENT_LEADS) for found in self._event(each)]

    def _dates_around(self, verb: Token, *, ahead: bool = False) -> tuple[Dated, ...]:
        sentence = self.parse.within(self.parse.sentence_of(verb))
        return self._spoken.find(sentence[0].start, sentence[-1].end, ahead=ahead)

    def _event(self, phrase: TimePhrase) -> Iterator[Dated]:
        """The date of the clause that a phrase of time is, if the text says one."""
        dated = self._date_of(phrase.clause) if phrase.clause else None
        if dated is None:
            return
        if apart := times.distance(self.parse, phrase):
            context = replace(self.context, that=days_of(dated, self.said_at.tzinfo))
            found = find_dates(f"{apart} {phrase.lead} that", self.said_at, context=context)
            yield from (replace(each, start=phrase.start, end=phrase.end) for each in found)
        elif phrase.lead == "before":
            return
        elif phrase.lead in times.UNTIL:
            until = replace(dated, valid_from=None, valid_to=dated.valid_from, bearing=Bearing.UNTIL)
            yield replace(until, start=phrase.start, end=phrase.end)
        else:
            bearing = Bearing.SINCE if phrase.lead == "since" else Bearing.AT
            yield replace(dated, bearing=bearing, start=phrase.start, end=phrase.end)

    def _date_of(self, clause: Token) -> Dated | None:
        """When what the clause says happened, by its own words or by those of another that says the same."""
        alike = (token for token in self.parse.tokens if token != clause and self._says_same(token, clause))
        for verb in (clause, *alike):
            found = clauses.dates_of(self.parse, [verb], self._dates_around(verb))
            if dated := next((each for each in found if each.bearing is Bearing.AT), None):
                return dated
        return None

    def _says_same(self, verb: Token, clause: Token) -> bool:
        objects = [
            {each.text for each in self.parse.children(one, "dobj", "attr") if each.proper} for one in (verb, clause)
        ]
        past = verb.tag in ("VBD", "VBN") and clauses.asserted(self.parse, verb)
        return verb.lemma == clause.lemma and past and objects[0] == objects[1] and bool(objects[0])

    def unread(self, verb: Token, nodes: Sequence[Token], leads: Collection[str]) -> TimePhrase | None:
        """Words of the clause that say when, and that nobody could read; those of days to come are read."""
        sentence = self.parse.within(self.parse.sentence_of(verb))
        dates = self._spoken.ground(sentence[0].start, sentence[-1].end)
        read = [(each.start, each.end) for each in dates if each.rough or not each.vague]
        read += [(each.start, each.end) for each in self.dates(verb, nodes)]
        return times.unread(self.parse, nodes, read, leads)

    def words(self, phrase: TimePhrase | None) -> str:
        """The words of a phrase in one line; "" of none."""
        return " ".join(self.parse.text[phrase.start : phrase.end].split()) if phrase else ""

    def began(self, verb: Token, nodes: Sequence[Token]) -> tuple[datetime | None, str]:
        """Since when the clause says that it is so; and the words that say so, where nobody could read them."""
        since = _first(self.dates(verb, nodes), Bearing.SINCE)
        has_been = clauses.tense(self.parse, verb) is Tense.PERFECT
        leads = times.SINCE_OR_FOR if has_been else times.SINCE
        return since, "" if since else self.words(self.unread(verb, nodes, leads))

    def _assertion(
        self, pattern: Pattern, verb: Token, nodes: Sequence[Token], dates: Sequence[Dated], *, aside: bool
    ) -> Assertion | None:
        """How and when the clause says it held; None where it asserts nothing."""
        if aside:
            return Assertion(pattern.kind, _first(dates, Bearing.AT) if pattern.aspect is Aspect.FACT else None)
        unread = self.unread(verb, nodes, _HAPPENED) if pattern.whole else None
        when = (unread.start, unread.end) if unread else None
        if pattern.whole and clauses.narrowed(self.parse, nodes, dates, when):
            return None
        if pattern.aspect in (Aspect.STATE, Aspect.TRAIT):
            return self._lasting(pattern, verb, nodes, dates)
        if clauses.no_longer(self.parse, verb) or clauses.denied(self.parse, verb):
            return None
        if pattern.aspect is Aspect.REQUEST:
            return Assertion(pattern.kind, asked=True) if clauses.requested(self.parse, verb) else None
        happened = self._happened(pattern, verb, nodes, dates)
        return happened and replace(happened, days=self._days(happened, dates))

    def _days(self, assertion: Assertion, dates: Sequence[Dated]) -> tuple[datetime, datetime] | None:
        """The days of the date since which it is so."""
        said = (each for each in dates if each.bearing in _THEN and each.valid_from == assertion.valid_from)
        dated, zone = next(said, None), self.said_at.tzinfo
        return dated and (dated.days.start.astimezone(zone), dated.days.end.astimezone(zone))

    def _lasting(
        self, pattern: Pattern, verb: Token, nodes: Sequence[Token], dates: Sequence[Dated]
    ) -> Assertion | None:
        tense = clauses.tense(self.parse, verb)
        if pattern.refused:
            return Assertion(pattern.kind) if clauses.refused(self.parse, verb) else None
        if clauses.no_longer(self.parse, verb):
            return self._ended(verb, nodes, dates) if _can_end(pattern) else None
        if clauses.denied(self.parse, verb) or pattern.kind is ClaimKind.ENDS:
            return None
        if pattern.aspect is Aspect.TRAIT and tense in (Tense.PRESENT, Tense.PAST):
            since, unread = self.began(verb, nodes) if tense is Tense.PRESENT else (None, "")
            return Assertion(pattern.kind, since, unread=unread)
        if tense is Tense.PAST:
            over = self.words(self.unread(verb, nodes, times.UNTIL)) if _can_end(pattern) else ""
            return _past_state(dates, self._told_at(verb), over)
        return self._ongoing(verb, nodes, dates)

    def _ended(self, verb: Token, nodes: Sequence[Token], dates: Sequence[Dated]) -> Assertion | None:
        """“I no longer work at Acme”, perhaps since some time."""
        unread = self.unread(verb, nodes, _HAPPENED)
        if not clauses.goes_on_no_longer(self.parse, verb):
            return None
        if clauses.narrowed(self.parse, nodes, dates, (unread.start, unread.end) if unread else None):
            return None
        ended = _first(dates, Bearing.AT, Bearing.SINCE)
        return Assertion(ClaimKind.ENDS, ended, unread="" if ended else self.words(unread))

    def _ongoing(self, verb: Token, nodes: Sequence[Token], dates: Sequence[Dated]) -> Assertion | None:
        vague = clauses.misunderstood(self.parse, nodes, dates)
        still, (_, unread) = clauses.still(self.parse, verb), self.began(verb, nodes)
        tense, known = clauses.tense(self.parse, verb), _ahead(dates, self._told_at(verb))
        state = _state(tense, known, vague=vague, still=still, unread=unread)
        if state is None or state.valid_to is not None:
            return state
        return replace(state, unread_end=self.words(self.unread(verb, nodes, times.UNTIL)))

    def _happened(
        self, pattern: Pattern, verb: Token, nodes: Sequence[Token], dates: Sequence[Dated]
    ) -> Assertion | None:
        """Once, at a time that is said or just now; a fact at whatever time."""
        happened = _first(dates, *_THEN)
        unread = "" if happened else self.words(self.unread(verb, nodes, _HAPPENED))
        vague = clauses.misunderstood(self.parse, nodes, dates)
        if unread and clauses.tense(self.parse, verb) is Tense.PAST:
            return Assertion(pattern.kind, unread=unread)
        if vague and pattern.kept and not clauses.subordinate(self.parse, verb):
            return Assertion(ClaimKind.HOLDS) if clauses.tense(self.parse, verb) is Tense.PAST else None
        undated = happened is None and (vague or not self.news or clauses.subordinate(self.parse, verb))
        past = clauses.tense(self.parse, verb) in (Tense.PAST, Tense.PERFECT)
        return Assertion(pattern.kind, happened) if past and (pattern.aspect is Aspect.FACT or not undated) else None

    # who and what -----------------------------------------------------------------------------------------------------

    def _subjects(self, pattern: Pattern, nodes: Sequence[Token], noun: Token | None) -> list[Found]:
        if pattern.speaker:
            plain = _is_plain(self.parse, self.parse.head(nodes[-1]), pattern.modifiers)
            return [found] if plain and (found := self.talking(nodes[-1])) else []
        subject = noun or clauses.subject_of(self.parse, nodes[0])
        if subject is None:
            return []
        alone = noun is not None or subject in nodes[1:2]
        tokens = [subject] if alone else clauses.conjuncts(self.parse, subject)
        if pattern.subject is None:
            if pattern.predicate not in OF_ADDRESSEE and subject.text.casefold() in _SECOND_PERSON:
                return []  # “you like it when …” may be anybody
            first = tokens[:1]
            believable = [token for token in tokens if _is_person(token) or not pattern.person]
            people = [self.somebody(token, people=pattern.people and token in first) for token in believable]
            return [found for found in people if found]
        if pattern.swapped and len(tokens) > 1:
            return []  # a title with an “and” in it
        named = [clauses.identified(self.parse, token) for token in tokens]
        found = [found for token in named if (found := thing(self.parse, token, pattern.subject))]
        return [each for each in found if not (pattern.swapped and clauses.goes_on_before(self.parse, each.start))]

    def talking(self, token: Token) -> Found | None:
        """Who of those that talk to each other the pronoun is."""
        word = token.text.casefold()
        name = self.speaker if word in _FIRST_PERSON else self.addressee if word in _SECOND_PERSON else None
        return Found(name, token.start, token.end, name.name) if name else None

    def somebody(self, token: Token, *, people: bool) -> Found | None:
        """The speaker or a person named, also by a pronoun after the name; “my sister Ana” is Ana.

        “The other Ana” is a person, too, and who is meant is found out by what stands around the name.
        """
        if token.tag.startswith("PRP"):
            return self.talking(token) or self._meant(token)
        if not token.proper:
            named = [child for child in self.parse.children(token, "appos") if child.proper]
            token = named[0] if named and self.parse.children(token, "poss") else token
        believable = token.label in ("PERSON", "") or (people and token.label in TYPES)
        if not token.proper or not believable:
            return None
        found = proper(self.parse, token, "person")
        if found is None or not self.parse.children(token, "det"):
            return found
        words = (word.text.casefold() for word in self.parse.children(token, "det", *MODIFIERS))
        other = next((_OTHERS[word] for word in words if word in _OTHERS), None)
        return None if other is None else replace(found, phrase=f"{other} {found.name.name}")

    def _meant(self, token: Token) -> Found | None:
        """Whom “she” means, at the place of the pronoun."""
        present = [name for name in (self.speaker, self.addressee, *self.called) if name]
        named = antecedent(self.parse, token, present)
        found = proper(self.parse, named, "person") if named else None
        return Found(found.name, token.start, token.end, found.phrase) if found else None

    def _objects(self, pattern: Pattern, verb: Token, token: Token, *, coarse: bool) -> list[Found]:
        """The object and what is coordinated with it, unless that first one is none, or only one can be."""
        members = [token] if token == verb else clauses.conjuncts(self.parse, token)
        found = [self._object(pattern, verb, member, coarse=coarse) for member in members]
        if not found or found[0] is None or (len(found) > 1 and pattern.predicate in _SINGLE):
            return []
        return [each for each in found if each is not None]

    def _object(self, pattern: Pattern, verb: Token, token: Token, *, coarse: bool) -> Found | None:
        if pattern.target.formed:
            return formed(self.parse, token, pattern.target.type, self.identifiers)
        if pattern.target.type == "person" and token.tag == "PRP":
            return self.talking(token)
        if token.label in (pattern.target.undated if coarse else pattern.target.dated):
            return None
        if self._is_identifier(token):
            return None
        found = self._pet(token) if pattern.predicate == "owns" else None
        found = found or thing(self.parse, token, pattern.target)
        return None if found is None or self._is_another(pattern, verb, found) else found

    def _pet(self, noun: Token) -> Found | None:
        """“a dog named Toby”, “a puppy, Max”: who has a name is meant by it."""
        named = [name for clause in self.parse.children(noun, "acl") for name in self.parse.children(clause, "oprd")]
        name = next((each for each in (*named, *self.parse.children(noun, "appos")) if each.proper), None)
        return proper(self.parse, name, "animal") if name and noun.lemma in PETS else None

    def _is_identifier(self, token: Token) -> bool:
        """Whether the word is an address as a whole, or an order with its number: nothing else is called so."""
        return any(formed(self.parse, token, kind, self.identifiers) for kind in (ADDRESS, *NUMBERED))

    def _is_another(self, pattern: Pattern, verb: Token, found: Found) -> bool:
        """Whether what stands there is not what the pattern means."""
        if pattern.predicate == "named":
            return not clauses.whole_name(self.parse, verb, found.start, found.end)
        if "/" in (self.parse.text[found.start - 1 : found.start], self.parse.text[found.end : found.end + 1]):
            return True  # either, or both
        if pattern.predicate == "lives_in" and is_street(found.name.name):
            return True
        if verb.lemma == "know":
            return clauses.set_off(self.parse, found.end)  # “I know Ana, be patient” speaks to her
        return verb.lemma == "attend" and found.name.name.split()[-1].casefold() in GATHERINGS

    # the claim --------------------------------------------------------------------------------------------------------

    def _claim(
        self, pattern: Pattern, assertion: Assertion, nodes: Sequence[Token], subject: Found, found: Found
    ) -> Claimed:
        if pattern.swapped:
            subject, found = found, subject
        if pattern.literal:
            return self.claim(pattern.predicate, assertion, nodes, subject, found, literal=True)
        return self.claim(pattern.predicate, assertion, nodes, subject, found)

    def claim(
        self,
        predicate: str,
        assertion: Assertion,
        nodes: Sequence[Token],
        subject: Found,
        found: Found,
        *,
        literal: bool = False,
    ) -> Claimed:
        """The claim that the clause around ``nodes`` makes; what is said of both alike is the speaker's."""
        if found.name == self.speaker and predicate in SYMMETRIC:
            subject, found = found, subject
        quote = self.quote(nodes)
        claim = claim_of(predicate, assertion, subject, found, quote, speaker=self.speaker, literal=literal)
        return claim, (subject,) if literal else (subject, found)

    def quote(self, nodes: Sequence[Token]) -> tuple[int, int]:
        """The sentence, less what stands on other lines."""
        sentence = self.parse.within(self.parse.sentence_of(nodes[0]))
        first, last = min(node.start for node in nodes), max(node.end for node in nodes)
        start = max(sentence[0].start, self.parse.text.rfind("\n", 0, first) + 1)
        line_end = self.parse.text.find("\n", last)
        end = min(sentence[-1].end, line_end if line_end >= 0 else len(self.parse.text))
        text = self.parse.text[start:end]
        return start + len(text) - len(text.lstrip()), start + len(text.rstrip())


def _is_person(token: Token) -> bool:
    return token.label == "PERSON" or token.tag.startswith("PRP")


def _is_plain(parse: Parse, noun: Token, modifiers: frozenset[str] | None) -> bool:
    """Whether only some words stand before the noun, where that makes a difference."""
    before = [child.text.casefold() for child in parse.children(noun, *MODIFIERS)]
    return modifiers is None or modifiers.issuperset(before)


def _first(dates: Sequence[Dated], *bearings: Bearing) -> datetime | None:
    return next((dated.valid_from for dated in dates if dated.bearing in bearings), None)


def _ahead(dates: Sequence[Dated], said_at: datetime) -> list[Dated]:
    """Without the ends that are past: what still holds has none."""
    return [dated for dated in dates if dated.valid_to is None or dated.valid_to > said_at]


def _state(tense: Tense | None, dates: Sequence[Dated], *, vague: bool, still: bool, unread: str) -> Assertion | None:
    """“I live in Rome”, “I have lived in Rome since 2019”; “I have lived in Rome” alone may be long over."""
    since = _first(dates, Bearing.SINCE)
    until = next((dated.valid_to for dated in dates if dated.bearing is Bearing.UNTIL), None)
    if tense is Tense.PERFECT and since is None and not unread:
        return Assertion(ClaimKind.HOLDS) if vague else None
    if tense not in _ONGOING:
        return None
    holds = still and not unread
    return Assertion(ClaimKind.HOLDS if holds else ClaimKind.STARTS, since, until, unread=unread)


def _can_end(pattern: Pattern) -> bool:
    """Whether “no longer” says an end: who leaves an address may stay in its city."""
    return pattern.predicate in ENDABLE and not (pattern.target.formed and pattern.predicate == "lives_in")


def _end_of(pattern: Pattern, assertion: Assertion) -> Iterator[Assertion]:
    """“I lived in Rome until 2015” also ends what somebody said to have begun at whatever time."""
    if assertion.past and assertion.valid_to and _can_end(pattern):
        yield Assertion(ClaimKind.ENDS, assertion.valid_to)


def _past_state(dates: Sequence[Dated], said_at: datetime, over: str) -> Assertion | None:
    """“I lived in Rome from 2010 to 2015”, “until 2015”; without an end that is said it is not known to be over.

    ``over`` are words that say until when it was so, and that nobody could read: it has ended.
    """
    for dated in dates:
        if dated.bearing is Bearing.SPAN:
            return Assertion(ClaimKind.STARTS, dated.valid_from, dated.valid_to)
        if dated.bearing is Bearing.UNTIL and dated.valid_to and dated.valid_to <= said_at:
            return Assertion(ClaimKind.STARTS, valid_to=dated.valid_to, past=True)
    return Assertion(ClaimKind.ENDS, unread=over) if over else None
