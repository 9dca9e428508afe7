"""What a model's claim asserts, and the clause of one that asserts nothing but that somebody said so."""

import re
from dataclasses import dataclass
from itertools import chain

from graphmem.extract.llm.folds import base_forms
from graphmem.extract.llm.grounding import find_name
from graphmem.extract.llm.schema import ExtractedClaim
from graphmem.model.claim import STATED, ClaimStatus
from graphmem.model.ontology import Ontology, snake_case

_OF_VERB = {
    "plan": ClaimStatus.PLANNED,
    "intend": ClaimStatus.PLANNED,
    "will": ClaimStatus.PLANNED,
    "want": ClaimStatus.WISHED,
    "wish": ClaimStatus.WISHED,
    "hope": ClaimStatus.WISHED,
    "can": ClaimStatus.ABLE,
}
"""A model may write the status into the predicate: “wants_to_visit”."""
_DENYING = frozenset({"not", "never", "cannot"})
_MORE = ("'s ", "and ", "or ", ",")
"""What follows a name that is not alone the subject."""


@dataclass(frozen=True, slots=True)
class _Wording:
    """``shows``: a sentence with such words says the status; ``lead``: those before the clause; ``plain``: without."""

    shows: re.Pattern[str]
    lead: re.Pattern[str]
    plain: str


def _wording(shows: str, lead: str, plain: str) -> _Wording:
    return _Wording(
        re.compile(rf"\b(?:{shows})", re.IGNORECASE), re.compile(rf"(?:(?:{lead})\s+)+", re.IGNORECASE), plain
    )


_IS = "(?:is |are |was |were )?"
_WORDINGS = {
    ClaimStatus.PLANNED: _wording(
        r"will\b|plan(?:s|ned|ning)?\b|going to\b|about to\b|intend|schedul|arrang|decid|aim(?:s|ing)?\b|set to\b"
        r"|prepar|think(?:s|ing) (?:of|about)\b",
        rf"will|{_IS}(?:going|about|set) to|{_IS}(?:plan(?:s|ning)|intend(?:s|ing)|aim(?:s|ing)) (?:to|on)"
        rf"|{_IS}thinking (?:of|about)|(?:has )?decided to",
        "{} plans: {}.",
    ),
    ClaimStatus.WISHED: _wording(
        r"wish|want|would\b|hop(?:es?|ed|ing)\b|dream|long(?:s|ed|ing)? (?:to|for)\b|look(?:s|ing)? forward|wait",
        rf"{_IS}(?:want(?:s|ed)|wish(?:es|ed|ing)|hop(?:es|ed|ing)|long(?:s|ing)) to|would (?:really )?(?:like|love) to"
        rf"|dream(?:s|ed) of|{_IS}look(?:s|ing) forward to|(?:can't|cannot) wait to",
        "{} wishes: {}.",
    ),
    ClaimStatus.ABLE: _wording(
        r"can\b|could\b|able\b|knows? how\b", rf"can|could|{_IS}able to|knows? how to", "{} can: {}."
    ),
    ClaimStatus.NEGATED: _wording(
        r"not\b|\w+n't\b|cannot\b|never\b|no\b|none\b|nobody\b|nothing\b|without\b|hardly\b|barely\b",
        r"(?:do|does|did|is|are|was|were|has|have|had|can|could|will|would)(?:n't| not| never)"
        r"|cannot|can't|won't|never",
        "It is not so: {} {}.",
    ),
}


def status_of(claim: ExtractedClaim, ontology: Ontology) -> ClaimStatus | None:
    """The status that the model gives, else that of a predicate that the ontology lacks; None of an unknown word.

    What ends was so: it is asserted that it has ended, however the model calls that.
    """
    if claim.ends and claim.status is ClaimStatus.NEGATED:
        return ClaimStatus.ASSERTED
    predicate = snake_case(claim.predicate)
    if claim.status is not ClaimStatus.ASSERTED or predicate in {*ontology.relation_types, *ontology.open_predicates}:
        return claim.status
    return _of_predicate(predicate)


def _of_predicate(predicate: str) -> ClaimStatus:
    words = predicate.split("_")
    if _DENYING.intersection(words):
        return ClaimStatus.NEGATED
    of_verb = (_OF_VERB[base] for base in base_forms(words[0]) if base in _OF_VERB)
    stated = (status for status, name in STATED.items() if words == [name])
    return next(chain(of_verb, stated), ClaimStatus.ASSERTED)


def clause_of(sentence: str, subject: str, status: ClaimStatus) -> str:
    """What is planned, wished, possible or not so, in the words of a sentence that begins with its subject.

    The whole sentence where it begins with more than that: “Maya's trip …”. "" where it begins otherwise, or does not
    show its status.
    """
    sentence = sentence.strip().rstrip(" .!").replace("’", "'")
    about = next((end for start, end in find_name(sentence, subject) if start == 0), 0)
    wording, rest = _WORDINGS[status], sentence[about:].strip()
    if not about or not wording.shows.search(rest):
        return ""
    lead = wording.lead.match(rest)
    return sentence if rest.startswith(_MORE) else rest[lead.end() if lead else 0 :]


def plain_sentence(subject: str, clause: str, status: ClaimStatus) -> str:
    """A sentence that says no more than that the clause was stated."""
    return _WORDINGS[status].plain.format(subject, clause)
