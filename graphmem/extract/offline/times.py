"""Words of a clause that say when, whether or not a rule for dates knows them: “back in the Henderson days”.

They are led by a preposition or a conjunction, or stand alone (“the day we met”), and their head is a noun of time, or
a clause that says what happened then. The words are those of ``times.toml``.
"""

import re
import tomllib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import TypedDict, cast

from graphmem.extract.offline.clauses import Tense, hangs, tense
from graphmem.extract.offline.syntax import Parse, Token
from graphmem.extract.offline.tables.words import words


class _Table(TypedDict):
    times: str
    events: str
    parts: str
    lives: str
    entire: str
    happened: str
    around_events: str
    since: str
    lasting: str
    until: str
    clauses: str
    no_time: str
    habits: str
    idioms: Sequence[str]


_TABLE = cast("_Table", tomllib.loads((files("graphmem.extract.offline.tables") / "times.toml").read_text("utf-8")))
TIMES, _EVENTS = words(_TABLE["times"]), words(_TABLE["events"])
"""Nouns that are a time; those of what happened once."""
_AROUND_EVENTS, _CLAUSES = words(_TABLE["around_events"]), words(_TABLE["clauses"])
_PARTS, _LIVES, _ENTIRE = words(_TABLE["parts"]), words(_TABLE["lives"]), words(_TABLE["entire"])
_NO_TIME, _HABITS = words(_TABLE["no_time"]), words(_TABLE["habits"])
_IDIOMS = frozenset(_TABLE["idioms"])
HAPPENED = words(_TABLE["happened"])
"""What leads to the time at which something happened."""
SINCE = words(_TABLE["since"])
"""What leads to the time since which something is so; of what has been so also ``SINCE_OR_FOR``."""
_LASTING = "for"
SINCE_OR_FOR = SINCE | words(_TABLE["lasting"])
UNTIL = words(_TABLE["until"])
_BEFORE_TIMES = UNTIL | {"since"}
"""What follows these is a time, whatever noun it is: “until my burnout”."""
ALONE = ""
"""The lead of “the day we met”."""
_NAMES_DAY = re.compile(r"\w+iversary|\w+birthday")
_LONGEST = 120


@dataclass(frozen=True, slots=True)
class TimePhrase:
    """Words at ``[start, end)`` of a text that say when; ``clause`` is the verb of what happened then, if any."""

    lead: str
    start: int
    end: int
    clause: Token | None = None


def phrases(parse: Parse, nodes: Sequence[Token], leads: Collection[str]) -> Iterator[TimePhrase]:
    """The phrases of time that hang from ``nodes``, in their order, as far as one of the ``leads`` leads to them."""
    anchors = {node.i for node in nodes}
    for token in parse.within(parse.sentence_of(nodes[0])):
        phrase = _phrase(parse, token, anchors)
        if phrase is not None and phrase.lead in leads and not _is_idiom(parse, phrase):
            yield phrase


def unread(
    parse: Parse, nodes: Sequence[Token], read: Sequence[tuple[int, int]], leads: Collection[str]
) -> TimePhrase | None:
    """The first phrase of time in which nothing is ``read``."""
    time_phrases = phrases(parse, nodes, leads)
    return next(
        (each for each in time_phrases if not any(start < each.end and each.start < end for start, end in read)), None
    )


def _phrase(parse: Parse, token: Token, anchors: set[int]) -> TimePhrase | None:
    if token.tag == "IN" and token.dep == "prep" and hangs(parse, token, anchors):
        return _led(parse, token)
    if _is_back(parse, token) and hangs(parse, token, anchors):
        return _spanning(parse, token, ALONE)
    if token.dep == "npadvmod" and hangs(parse, token, anchors) and _is_entire(parse, token):
        return _spanning(parse, token, _LASTING)
    if token.dep == "npadvmod" and hangs(parse, token, anchors) and _is_time(parse, token, TIMES):
        determined = parse.children(token, "det", "amod", "relcl")
        above = parse.head(token)
        leads = above.tag == "IN" or _is_back(parse, above)  # “a few weeks before the war”, “a while ago”
        top = above if leads and above.i not in anchors else token
        return _spanning(parse, top, ALONE) if determined and token.lemma not in ("time", "times") else None
    if token.dep == "advcl" and parse.head(token).i in anchors:
        return _clause(parse, token)
    return None


def _led(parse: Parse, lead: Token) -> TimePhrase | None:
    """“since the second moon of the harvest”, “after leaving Acme”."""
    word = lead.text.casefold()
    clause = next(iter(parse.children(lead, "pcomp")), None)
    if clause is not None and clause.tag.startswith("VB"):
        return _spanning(parse, lead, word, clause) if word in _CLAUSES else None
    if word in _BEFORE_TIMES and (clause or parse.children(lead, "pobj")):
        return _spanning(parse, lead, word)
    nouns = parse.children(lead, "pobj")
    known = TIMES | _EVENTS if word in _AROUND_EVENTS else TIMES
    is_time = nouns and (_is_time(parse, nouns[0], known) or _is_part_of_time(parse, nouns[0]))
    return _spanning(parse, lead, word) if is_time else None


def _clause(parse: Parse, verb: Token) -> TimePhrase | None:
    """“when the pears were ripe”; “since I love it” is a reason."""
    marks = [mark.text.casefold() for mark in parse.children(verb, "mark", "advmod")]
    lead = next((mark for mark in marks if mark in _CLAUSES), None)
    if lead is None or (lead == "since" and tense(parse, verb) not in (Tense.PAST, Tense.PERFECT)):
        return None
    return _spanning(parse, verb, lead, verb)


def _is_time(parse: Parse, noun: Token, known: Collection[str]) -> bool:
    word = noun.text.casefold()
    beside = [child.text.casefold() for child in parse.children(noun, "det", "amod", "advmod", "nummod", "predet")]
    names_time = word in known or noun.lemma in known or _NAMES_DAY.fullmatch(word) is not None
    time = names_time or noun.label == "DATE"
    return time and word not in _HABITS and _NO_TIME.isdisjoint(beside)


def _is_back(parse: Parse, token: Token) -> bool:
    """The head of “a while ago”, “back then”."""
    word = token.text.casefold()
    return word == "ago" or (word == "then" and any(child.lemma == "back" for child in parse.children(token, "advmod")))


def _is_part_of_time(parse: Parse, noun: Token) -> bool:
    """“the turn of the millennium”, “the height of the crisis”."""
    wholes = [whole for of in parse.children(noun, "prep") for whole in parse.children(of, "pobj") if of.lemma == "of"]
    return noun.lemma in _PARTS and any(_is_time(parse, whole, TIMES | _EVENTS) for whole in wholes)


def _is_entire(parse: Parse, noun: Token) -> bool:
    """“all my life”."""
    beside = {child.text.casefold() for child in parse.children(noun, "det", "amod", "predet")}
    return noun.lemma in _LIVES and not _ENTIRE.isdisjoint(beside)


def _spanning(parse: Parse, top: Token, lead: str, clause: Token | None = None) -> TimePhrase:
    sentence = parse.within(parse.sentence_of(top))
    below = [token for token in sentence if parse.hangs_from(token, top) and token.dep != "punct"]
    return TimePhrase(lead, below[0].start, below[-1].end, clause)


def _is_idiom(parse: Parse, phrase: TimePhrase) -> bool:
    wording = " ".join(parse.text[phrase.start : phrase.end].casefold().split())
    return wording in _IDIOMS or len(wording) > _LONGEST
