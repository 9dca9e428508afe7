"""Words of a clause that say when, whether or not a rule for dates knows them: “back in the Henderson days”.

They are led by a preposition, or stand alone (“the day we met”), and their head is a noun of time. The words are those
of ``times.toml``.
"""

import re
import tomllib
from collections.abc import Collection, Sequence
from importlib.resources import files
from typing import TypedDict, cast

from graphmem.extract.offline.clauses import hangs
from graphmem.extract.offline.syntax import Parse, Token
from graphmem.extract.offline.tables.words import words


class _Table(TypedDict):
    times: str
    events: str
    lives: str
    entire: str
    happened: str
    around_events: str
    since: str
    lasting: str
    until: str
    no_time: str
    habits: str
    idioms: Sequence[str]


_TABLE = cast("_Table", tomllib.loads((files("graphmem.extract.offline.tables") / "times.toml").read_text("utf-8")))
TIMES, _EVENTS = words(_TABLE["times"]), words(_TABLE["events"])
"""Nouns that are a time; those of what happened once."""
_AROUND_EVENTS, _LIVES, _ENTIRE = words(_TABLE["around_events"]), words(_TABLE["lives"]), words(_TABLE["entire"])
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


def unread(parse: Parse, verb: Token, read: Sequence[tuple[int, int]], leads: Collection[str]) -> str:
    """The first words of time that hang from the verb, led by one of the ``leads``, in which nothing is ``read``."""
    sentence = parse.within(parse.sentence_of(verb))
    for token in sentence:
        top, lead = _time_at(parse, token, verb) if hangs(parse, token, {verb.i}) else (None, "")
        if top is None or lead not in leads:
            continue
        below = [each for each in sentence if parse.hangs_from(each, top) and each.dep != "punct"]
        start, end = below[0].start, below[-1].end
        said = parse.text[start:end]
        is_read = any(first < end and start < last for first, last in read)
        if not is_read and len(said) <= _LONGEST and " ".join(said.casefold().split()) not in _IDIOMS:
            return said
    return ""


def _time_at(parse: Parse, token: Token, verb: Token) -> tuple[Token | None, str]:
    """The top of the words of time at a token, and what leads to them."""
    if token.tag == "IN" and token.dep == "prep":
        return (token if _leads_to_time(parse, token) else None), token.text.casefold()
    if _is_back(parse, token):
        return token, ALONE
    if token.dep != "npadvmod":
        return None, ""
    if _is_entire(parse, token):
        return token, _LASTING
    determined = parse.children(token, "det", "amod", "relcl") and token.lemma not in ("time", "times")
    if not determined or not _is_time(parse, token, TIMES):
        return None, ""
    above = parse.head(token)
    leads = above.i != verb.i and (above.tag == "IN" or _is_back(parse, above))  # “a few weeks before the war”
    return (above if leads else token), ALONE


def _leads_to_time(parse: Parse, lead: Token) -> bool:
    """“since the second moon of the harvest”, “until my burnout”."""
    word = lead.text.casefold()
    nouns = [below for below in parse.children(lead, "pobj", "pcomp") if not below.tag.startswith("VB")]
    return bool(nouns) and (
        word in _BEFORE_TIMES or _is_time(parse, nouns[0], TIMES | _EVENTS if word in _AROUND_EVENTS else TIMES)
    )


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


def _is_entire(parse: Parse, noun: Token) -> bool:
    """“all my life”."""
    beside = {child.text.casefold() for child in parse.children(noun, "det", "amod", "predet")}
    return noun.lemma in _LIVES and not _ENTIRE.isdisjoint(beside)
