"""How a sentence goes on after its subject: “Ana's parents live in Faro”, where one person lives there."""

import re

from graphmem.extract.offline.tables.words import words
from graphmem.model.fragment import ThingName

_HEAD = re.compile(r"\s+(?:of|on|in|at|for|from|with|to|by|under|near)\s.*", re.IGNORECASE | re.DOTALL)
"""What follows the noun that a verb agrees with: “people on the team”."""
_OF_THEM = re.compile(r"^(?:both|all|most|some|many|two|three)(?: of)?\s+", re.IGNORECASE)
_MANY = words("people children kids men women folks feet grandchildren stepchildren godchildren")
_ONE = words(
    """
    news maths physics series gymnastics athletics diabetes tennis ethics politics economics mathematics measles mumps
    species arthritis premises headquarters gas lens canvas atlas
    """
)
_SINGULAR_ENDINGS = ("ss", "us", "is", "'s", "’s")
_OF_MANY = {
    "is": "are",
    "was": "were",
    "has": "have",
    "does": "do",
    "studies": "study",
    **{
        verb: verb.removesuffix("s")
        for verb in words(
            "lives works reports owns drives speaks likes dislikes prefers takes plans costs numbers asks"
        )
    },
}
_VERB = re.compile(r"(?P<before>(?:no longer )?)(?P<verb>[a-z]+)\b")


def agreeing(subject: ThingName, rest: str) -> str:
    """The rest of a sentence as its verb agrees with the subject."""
    match = _VERB.match(rest)
    if match is None or match["verb"] not in _OF_MANY or not are_many(subject):
        return rest
    return f"{match['before']}{_OF_MANY[match['verb']]}{rest[match.end() :]}"


def are_many(subject: ThingName) -> bool:
    """Whether a subject is more than one: its noun is a plural, and no name, be it written small as “ines”."""
    noun = _HEAD.sub("", _OF_THEM.sub("", subject.name)).split()[-1:]
    if not noun or noun[0] != noun[0].lower():
        return False
    if subject.type in ("person", "animal") and noun[0] == subject.name:
        return False
    return noun[0] in _MANY or (
        noun[0].endswith("s") and noun[0] not in _ONE and not noun[0].endswith(_SINGULAR_ENDINGS)
    )
