"""How a sentence goes on after its subject: “Ana's parents live in Faro”, where one person lives there."""

import re

from graphmem.extract.offline.tables.words import words

_HEAD = re.compile(r"\s+(?:of|on|in|at|for|from|with|to|by|under|near)\s.*", re.IGNORECASE | re.DOTALL)
"""What follows the noun that a verb agrees with: “people on the team”."""
_MANY = words("people children kids men women folks feet grandchildren stepchildren godchildren")
_ONE = words(
    """
    news maths physics series gymnastics athletics diabetes tennis ethics politics economics mathematics measles mumps
    species arthritis premises headquarters
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


def agreeing(subject: str, rest: str) -> str:
    """The rest of a sentence as its verb agrees with the subject."""
    match = _VERB.match(rest)
    if match is None or match["verb"] not in _OF_MANY or not are_many(subject):
        return rest
    return f"{match['before']}{_OF_MANY[match['verb']]}{rest[match.end() :]}"


def are_many(subject: str) -> bool:
    """Whether a subject is more than one: its noun is a plural, and no name."""
    noun = _HEAD.sub("", subject).split()[-1:]
    if not noun or noun[0] != noun[0].lower():
        return False
    return noun[0] in _MANY or (
        noun[0].endswith("s") and noun[0] not in _ONE and not noun[0].endswith(_SINGULAR_ENDINGS)
    )
