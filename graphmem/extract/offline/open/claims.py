"""From a clause that is read to the claim that it makes: who, which predicate, of what or whom, and when."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from graphmem.extract.offline import times
from graphmem.extract.offline.clauses import Tense
from graphmem.extract.offline.dates.finder import Bearing, Dated
from graphmem.extract.offline.names import TYPES, NameMention, is_name, proper
from graphmem.extract.offline.open.clause import told_tense
from graphmem.extract.offline.open.detail import detail
from graphmem.extract.offline.open.possessions import hyphenated
from graphmem.extract.offline.open.predicates import RELATED_TO, Core, canonical, core_of, in_tense, takes_object
from graphmem.extract.offline.open.reader import Clause
from graphmem.extract.offline.open.references import NOUNS
from graphmem.extract.offline.open.statement import Narrator
from graphmem.extract.offline.open.subjects import Who, is_theirs
from graphmem.extract.offline.syntax import Parse, Token
from graphmem.extract.offline.tables.lexicon import VAGUE
from graphmem.extract.offline.tables.open import FIRST_PERSON, PREFERRING, US
from graphmem.extract.offline.tables.roles import PERSONS, ROLES
from graphmem.model.claim import DETAIL, DID, GIVEN_UP, OVERDUE, STATED, VERB, ClaimKind, ClaimStatus, Scalar
from graphmem.model.entity import normalise_name
from graphmem.model.fragment import ProposedClaim, ThingName

_CONFIDENCE = {True: 0.6, False: 0.5}
"""Of what somebody says of themselves, and of others."""
_LONGEST_VALUE = 12
"""In words."""
_LEADING = frozenset({"a", "an", "the", "some", "to", "for", "that"})
"""Before what is claimed, they say nothing."""
_WILLING = frozenset({"wait", "hope", "wish", "want", "dream", "look", "plan"})
"""Verbs that say no more than the predicate: “wishes”, “plans”."""
_DEPENDENT = ("IN", "RP", "RB", "CC", "EX", ",", ":", ".", "HYPH")
"""Of words with which a value does not begin, without the verb before them."""
_LEADING_ON = ("IN", "TO", "CC", "DT", "PRP", "PRP$", "WRB", "WDT", "WP", "MD", ",", "JJ")
_DETERMINERS = ("det", "poss", "predet")
_LEADS = {
    Tense.PAST: times.HAPPENED | {times.ALONE},
    Tense.PERFECT: times.SINCE_OR_FOR,
    Tense.PRESENT: times.SINCE,
    Tense.PROGRESSIVE: times.SINCE,
}
"""What leads to the time since when, or at which, it is so."""
_IMPORTANCE = 0.4
"""Of an open claim: below that of a curated one, which is .5 at least."""


@dataclass(frozen=True, slots=True)
class Open:
    """A claim with the names at spans that it mentions."""

    claim: ProposedClaim
    mentioned: tuple[NameMention, ...]


def claims_of(narrator: Narrator, clause: Clause, speaker: ThingName) -> Iterator[Open]:
    """The claims of a clause: one, or one for each entity of a coordinated object, as in “I saw Ana and Ben”."""
    first = claim_of(narrator, clause, speaker)
    if first is None:
        return
    yield first
    if first.claim.object is None or clause.concerns_speaker:
        return
    core, _, _ = _claimed(narrator, clause)
    for other in _joined(narrator.parse, clause, core.object):
        more = claim_of(narrator, replace(clause, object=other), speaker)
        if more is not None and more.claim.object not in (None, first.claim.object):
            yield more


def claim_of(narrator: Narrator, clause: Clause, speaker: ThingName) -> Open | None:
    """The claim; None where nothing can be named that it is about."""
    if clause.about is None or not isinstance(clause.stand, ClaimStatus):
        return None
    subject = _subject(narrator, clause, speaker)
    if subject is None:
        return None
    asserted = clause.stand is ClaimStatus.ASSERTED
    core, predicate, attributes = _claimed(narrator, clause)
    thing = _entity(narrator, core, speaker) if asserted else None
    if clause.concerns_speaker:
        thing = _named(narrator, clause)
    if thing is not None and thing.name == subject.name:
        thing = None
    claimed_words = _short(_valued(narrator, clause, core))
    value = narrator.phrase(claimed_words) if claimed_words and thing is None else None
    if thing is None and (not value or normalise_name(value) == normalise_name(subject.name.name)):
        return None  # “I'm Petra”, says Petra
    if thing is not None and clause.about.token is not None:
        named = clause.about.token if clause.concerns_speaker else core.object or clause.about.token
        claimed_words = narrator.noun_phrase(_first_joined(narrator.parse, named), together=True)
    if more := detail(narrator, clause, core, claimed_words):
        attributes = (*attributes, (DETAIL, more))
    dated = next(narrator.own_dates(clause.words, clause.verb), None)
    event = _event(narrator, clause, dated)
    claim = ProposedClaim(
        kind=ClaimKind.STARTS,
        subject=subject.name,
        predicate=predicate,
        object=thing.name if thing else None,
        value=value,
        statement=clause.statement,
        quote_start=min(word.start for word in clause.words),
        quote_end=max(word.end for word in clause.words),
        valid_from=event[0] if event else _began(narrator, clause, dated),
        valid_to=_due(narrator, clause, dated),
        confidence=_CONFIDENCE[clause.about.who is not Who.NAMED],
        importance=_IMPORTANCE,
        attributes=attributes,
        event=event,
        time_unread=_unread(narrator, clause) if dated is None else "",
        open=True,
    )
    mentioned = (each for each in (subject, thing) if each is not None)
    return Open(claim, tuple(each for each in mentioned if _is_written(narrator, each)))


def _claimed(narrator: Narrator, clause: Clause) -> tuple[Core, str, tuple[tuple[str, Scalar], ...]]:
    """What is claimed at the core of a clause, under which predicate."""
    asserted = clause.stand is ClaimStatus.ASSERTED
    core = core_of(narrator.parse, clause.verb, done=asserted)
    if clause.object is not None:
        core = replace(core, object=clause.object)
    predicate, attributes = _predicate(narrator, clause, core)
    if predicate == DID and (liked := _liked(narrator, clause)):
        core, (predicate, attributes) = liked, _predicate(narrator, clause, liked)
    if clause.object is None and asserted and not takes_object(core, narrator.folds):
        core = replace(core, object=None)
    return core, predicate, attributes


def _liked(narrator: Narrator, clause: Clause) -> Core | None:
    """Doing what is liked or hated, where no predicate says what is done: “I prefer filing papers early”."""
    acts = narrator.parse.children(clause.verb, "xcomp") if clause.verb.lemma in PREFERRING else []
    return Core(clause.verb, "", "", acts[0]) if acts and acts[0].tag == "VBG" else None


def _is_written(narrator: Narrator, mention: NameMention) -> bool:
    """Whether words name it there: nobody is named by the verb from which he is left out."""
    words = narrator.parse.text[mention.start : mention.end]
    return bool(words) and (
        words.casefold() in FIRST_PERSON | US or mention.name.name.endswith(" ".join(words.split()))
    )


def _joined(parse: Parse, clause: Clause, noun: Token | None) -> tuple[Token, ...]:
    """The other nouns of a coordination with “and” in the clause; none if anything but nouns is coordinated."""
    others: list[Token] = []
    leading = False
    while noun is not None:
        conjuncts = parse.children(noun, "conj")
        leading = leading or bool(parse.children(noun, "cc"))
        others += conjuncts
        noun = conjuncts[-1] if conjuncts else None
    nouns = all(each.tag in NOUNS and each in clause.words for each in others)
    return tuple(others) if leading and nouns else ()


def _first_joined(parse: Parse, noun: Token) -> Token:
    """The first noun of a coordination, or the noun itself."""
    while noun.dep == "conj" and noun.head != noun.i:
        noun = parse.head(noun)
    return noun


def _began(narrator: Narrator, clause: Clause, dated: Dated | None) -> datetime | None:
    """Since when it is so, where that is said."""
    since = dated is not None and dated.bearing is Bearing.SINCE and clause.stand is ClaimStatus.ASSERTED
    if dated is None or not since or narrator.lasted(clause.verb, dated):
        return None
    return dated.valid_from if dated.days.start <= narrator.said_at else None


def _unread(narrator: Narrator, clause: Clause) -> str:
    """Words that say when it happened, and that nobody could read; a clause tells more than when.

    The claim is dated by when it was said: what happened is told of then, whenever it was.
    """
    tense = told_tense(narrator.parse, clause.verb)
    leads = _LEADS.get(tense) if tense else None
    if leads is None or clause.stand is not ClaimStatus.ASSERTED:
        return ""
    read = [(each.start, each.end) for each in narrator.grounded(clause.words)]
    return times.unread(narrator.parse, clause.verb, read, leads)


def _named(narrator: Narrator, clause: Clause) -> NameMention | None:
    """Who or what by name does something to the speaker."""
    token = clause.about.token if clause.about else None
    named = token is not None and token.proper and token.label in TYPES and clause.stand is ClaimStatus.ASSERTED
    return proper(narrator.parse, token, TYPES[token.label]) if token and named else None


def _due(narrator: Narrator, clause: Clause, dated: Dated | None) -> datetime | None:
    """When a plan or a wish has either come true or been given up."""
    if clause.stand not in (ClaimStatus.PLANNED, ClaimStatus.WISHED):
        return None
    ahead = dated is not None and dated.bearing is Bearing.AT and dated.days.end > narrator.said_at
    return dated.days.end + OVERDUE if dated is not None and ahead else narrator.said_at + GIVEN_UP


def possession(narrator: Narrator, noun: Token, speaker: ThingName) -> Open | None:
    """The claim that the speaker has what “my N” names; None where that names nothing."""
    thing = theirs(narrator, noun, speaker)
    if thing is None:
        return None
    plain = thing.name.name.removeprefix(f"{speaker.name}'s ")
    article = "" if noun.tag == "NNS" else "an " if plain[0].casefold() in "aeiou" else "a "
    claim = ProposedClaim(
        kind=ClaimKind.STARTS,
        subject=speaker,
        predicate="has",
        object=thing.name,
        statement=f"{speaker.name} has {article}{plain}.",
        quote_start=thing.start,
        quote_end=thing.end,
        confidence=_CONFIDENCE[True],
        importance=_IMPORTANCE,
        open=True,
    )
    return Open(claim, (thing,))


def _subject(narrator: Narrator, clause: Clause, speaker: ThingName) -> NameMention | None:
    about, parse = clause.about, narrator.parse
    assert about is not None  # noqa: S101
    token = about.token or clause.verb
    match about.who:
        case Who.SPEAKER | Who.WE | Who.CONCERNING:
            return NameMention(speaker, token.start, token.end)
        case Who.THEIRS:
            return theirs(narrator, token, speaker)
        case Who.NAMED:
            return proper(parse, token, TYPES.get(token.label, "person"))


def theirs(narrator: Narrator, noun: Token, speaker: ThingName) -> NameMention | None:
    """“my younger sister” is Ana's younger sister, “our studio” Ana's studio."""
    parse = narrator.parse
    words = [token for token in narrator.noun_phrase(noun) if token.i <= noun.i and token.dep not in _DETERMINERS]
    if not words or noun.tag not in ("NN", "NNS"):
        return None
    between = [each for each in parse.children(noun, "poss") if each.lemma in ROLES]  # “my husband's brother”
    start, end = hyphenated(parse.text, (between or words)[0].start, words[-1].end)
    plain = " ".join(parse.text[start:end].split())
    name = f"{speaker.name}'s {plain}"
    if not is_name(name):
        return None
    person = plain.casefold() in PERSONS or noun.lemma in PERSONS
    return NameMention(ThingName(name, ROLES.get(noun.lemma) or ("person" if person else "concept")), start, end)


def _predicate(narrator: Narrator, clause: Clause, core: Core) -> tuple[str, tuple[tuple[str, Scalar], ...]]:
    if isinstance(clause.stand, ClaimStatus) and clause.stand is not ClaimStatus.ASSERTED:
        return STATED[clause.stand], ()
    manner = tuple(("manner", lemma) for lemma in core.manner[:1])
    predicate = canonical(core, narrator.folds, of_me=clause.concerns_speaker)
    name = in_tense(predicate, told_tense(narrator.parse, clause.verb))
    if name and name != RELATED_TO:
        return name, manner
    return name or DID, (*manner, (VERB, core.raw.replace("_", " ")))


def _entity(narrator: Narrator, core: Core, speaker: ThingName) -> NameMention | None:
    """What the object names, if it is worth meeting again: a name, “my studio”, “pottery class”."""
    token, parse = core.object, narrator.parse
    if token is None or token.lemma in VAGUE:
        return None
    if token.proper:
        return proper(parse, token, TYPES.get(token.label, "concept"))
    if is_theirs(parse, token):
        return theirs(narrator, token, speaker)
    kinds = parse.children(token, "compound")
    if token.tag == "NN" and kinds and all(kind.i < token.i and kind.tag == "NN" for kind in kinds):
        start, end = hyphenated(parse.text, kinds[0].start, token.end)
        name = " ".join(parse.text[start:end].split())
        return NameMention(ThingName(name, "concept"), start, end) if is_name(name) else None
    return None


def _valued(narrator: Narrator, clause: Clause, core: Core) -> tuple[Token, ...]:
    """The object's words, or those of the clause behind its verb or from it on, less the days."""
    from_verb = tuple(word for word in clause.words if word.i >= core.verb.i)
    candidates = (_value_words(narrator, clause, core), from_verb)
    return next((kept for words in candidates if (kept := _timeless(narrator, clause, words))), ())


def _short(words: tuple[Token, ...]) -> tuple[Token, ...]:
    """The first words, without those that lead to what is cut off."""
    kept = words[:_LONGEST_VALUE]
    while len(kept) < len(words) and len(kept) > 1 and kept[-1].tag in _LEADING_ON:
        kept = kept[:-1]
    return kept


def _timeless(narrator: Narrator, clause: Clause, words: tuple[Token, ...]) -> tuple[Token, ...]:
    while words and words[0].text.casefold() in _LEADING and words[0].tag not in NOUNS:
        words = words[1:]
    denied = narrator.parse.children(clause.verb, "neg")
    if clause.stand is ClaimStatus.NEGATED and not denied:  # “has no sister” is not having a sister
        words = tuple(word for word in words if word.tag != "DT" or word.text.casefold() != "no")
    dates = narrator.dates(words, clause.verb) if words else ()
    return tuple(word for word in words if not any(each.start <= word.start < each.end for each in dates))


def _value_words(narrator: Narrator, clause: Clause, core: Core) -> tuple[Token, ...]:
    about, asserted = clause.about, clause.stand is ClaimStatus.ASSERTED
    if about is not None and clause.concerns_speaker and about.token:
        return narrator.noun_phrase(about.token) if asserted else clause.words
    if asserted and core.object is not None and core.object.tag in NOUNS:
        return narrator.noun_phrase(core.object, together=bool(_joined(narrator.parse, clause, core.object)))
    if asserted and core.object is not None and core.object.tag == "VBG" and not core.manner:
        return tuple(word for word in clause.words if narrator.parse.hangs_from(word, core.object))
    behind = tuple(word for word in clause.words if word.i > core.verb.i)
    if asserted and core.verb.lemma == "be" and behind:
        return behind
    acts = core.verb.tag.startswith("VB") and not core.passive
    verb_in_predicate = acts if asserted else core.verb.lemma in _WILLING
    alone = verb_in_predicate and bool(behind) and behind[0].tag not in _DEPENDENT
    return behind if alone else ()


def _event(narrator: Narrator, clause: Clause, dated: Dated | None) -> tuple[datetime, datetime] | None:
    """The days on which it happened, of what is over and was on days that are said."""
    if clause.stand is not ClaimStatus.ASSERTED or dated is None or dated.bearing is not Bearing.AT:
        return None
    over = told_tense(narrator.parse, clause.verb) in (Tense.PAST, Tense.PERFECT)
    if not over or dated.days.start > narrator.said_at:
        return None
    return dated.days.start.astimezone(narrator.zone), dated.days.end.astimezone(narrator.zone)
