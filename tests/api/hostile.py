"""Who tells what in tests of leaks: names and texts that try to be a query, and secrets that others are to keep.

A secret is two words: the one may be asked for, and no question has the other, so that no answer may have it either.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

EVERYBODY, READER, OTHER = None, "ann", "ann.zqkeyother zqnotother"
"""The users of a group: the name of one is the beginning of that of the other."""
STRANGERS = (
    "an",
    "Ann",
    "ANN",
    "ann ",
    "ann.",
    "*",
    "ann*",
    "ａｎｎ",
    "аnn",
    "/a.*/",
    "ann OR bo",
    "' OR true //",
    "null",
)
"""As whom nobody has said anything; one looks like the reader, and one is the reader but for a blank at the end."""
ASKED, KEPT = "zqkey", "zqnot"
"""How the two words of a secret begin; the owner's name follows."""


def secret(owner: str) -> str:
    return f"{ASKED}{owner} {KEPT}{owner}"


PIECES = (
    *(
        "*:*",
        "*",
        "?",
        "OR",
        "AND",
        "NOT",
        "TO",
        "&&",
        "||",
        "!",
        "+",
        "-",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "^9",
        "~",
        "~2",
    ),
    *('"', "'", "\\", "\\\\", "/", "//", "/.*/", "/[^x]+/", "`", "$", "$group", "${group}", "%", "%s", "{0}", ":", ";"),
    *("group_token:*", "group_id:*", "audience:*", "audience_token:*", "statement:*", "content:*", "speaker:*", "_all"),
    *("[* TO *]", "[a TO zz}", "{* TO *}", 'group_token:("@token foreign@")', "@token foreign@", "@audience other@"),
    *("group_token:@token foreign@ OR statement:zq*", "+audience_token:@audience other@", 'zq*") OR ("', "zqkey*"),
    *("'}) MATCH (n) RETURN n //", "` DETACH DELETE n //", "' OR 1=1 OR '", "*/ RETURN 1 /*", "\u202eayaM", "\u200b"),
    *("zqkeyother", "zqkeyforeign", "zqkeyreader", "zqkeyothe~1", "ZQKEYOTHER", "zqkey?ther", "/zqnot.*/", "zqn?t*"),
    *("Maya", "maya", "Mаya", "Ｍaya", "May", "Mayas", "Porto", "lives_in", "likes", "when", "I", "my", "İ", "ß", "ǆ"),
    *(
        "null",
        "true",
        "-1",
        "0",
        "NaN",
        "9999-12-31T23:59:59.999999Z",
        "2025-02-03",
        "yesterday",
        "..",
        "%00",
        "😀",
        "é",
    ),
)
QUERIES = st.one_of(
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map(" ".join),
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map("".join),
    st.text(min_size=1, max_size=60),
)
NAMES = (
    *("Maya", "MAYA", "Mаya", "Ｍaya", "May", "Maya2", "Mayas", "OR", "NOT", "Bruno", "Porto", "ß", "SS"),
    *("*:*", "May*", "Maya OR Bruno", 'Maya" OR "', "Maya\\", "/Ma.*/", "group_token:*", "Maya~2", "[* TO *]"),
    *("'}) MATCH (n) DETACH DELETE n //", "Maya\u200b", "\u202eayaM", "$group", "a/b", "..", "Maya?user=bo", "null"),
)
PREDICATES = (
    "lives_in",
    "likes",
    "status",
    "also_known_as",
    "named",
    "born_on",
    "OR",
    "likes*",
    "a/b",
    "'}) //",
    "statement:*",
)
PLACES = ("Porto", "Rome")
SESSIONS = ("s", "s0", "S", "*", "s OR t", "a/b", "'")
SOURCES, TAGS, EXTERNAL = ("crm", "crm*", "*"), ("home", "*", "home OR"), ("7", "7*", "*:*", "a/b", "''")


@dataclass(frozen=True, slots=True)
class Said:
    """Something said by ``user``: an episode, or a claim with a ``value`` or about another thing."""

    user: str | None
    claimed: bool
    subject: str
    predicate: str
    object: str
    value: bool
    day: int
    session: str | None
    number: int
    open: bool

    @property
    def at(self) -> str:
        """No two at once: of what is told at one instant, ids tell what was first."""
        return f"2025-02-{self.day:02}T00:{self.number:02}:00Z"

    def body(self) -> dict[str, Any]:
        """Of two that say the same, each has a number of its own, so that they are two episodes."""
        mine = secret("reader") if self.user == READER else ""
        if not self.claimed:
            about = self.object if self.object in PLACES else PLACES[0]
            content = f"{self.subject} {self.predicate} {about}. {mine} #{self.number}"
            beside = {"tags": [TAGS[self.day % 3]], "source": SOURCES[self.day % 3], "speaker": self.subject}
            return {"content": content, "session": self.session, **beside, **self._beside()}
        target = {"value": self.object} if self.value else {"object": {"name": self.object, "type": "place"}}
        statement = f"{self.subject} {self.predicate} {self.object} {mine} {self.number}."
        beside = {"valid_from": self.at, "statement": statement, "importance": 0.9, "open": self.open}
        return {
            "subject": {"name": self.subject, "type": "person"},
            "predicate": self.predicate,
            **target,
            **beside,
        } | {
            **self._beside(),
            "category": "preference" if self.day % 2 else None,
        }

    def _beside(self) -> dict[str, Any]:
        return {"user": self.user, "occurred_at": self.at, "external_id": f"{EXTERNAL[self.number % 5]} {self.number}"}


@st.composite
def tellings(draw: st.DrawFn) -> tuple[Said, ...]:
    """What everybody and the reader say, about few things, so that they speak of the same."""
    cast = draw(st.lists(st.sampled_from(NAMES), min_size=3, max_size=5, unique=True))
    said = st.tuples(
        st.sampled_from([EVERYBODY, READER]),
        st.booleans(),
        st.sampled_from(cast),
        st.sampled_from(PREDICATES),
        st.sampled_from([*PLACES, *cast]),
        st.booleans(),
        st.integers(1, 27),
        st.sampled_from([None, *SESSIONS]),
    )
    drawn = draw(st.lists(said, min_size=8, max_size=10))
    assume({one[0] for one in drawn} == {EVERYBODY, READER} and len({one[2] for one in drawn}) > 1)
    return tuple(
        Said(*one, number=number, open=one[1] and number % 4 == 0) for number, one in enumerate(drawn, start=1)
    )


def at_once(told: Sequence[Said]) -> list[list[Said]]:
    """What is told in its order, as much at once as is of one kind and for one user."""
    return [list(some) for _, some in groupby(told, key=lambda one: (one.claimed, one.user))]


def secrets(owner: str, user: str | None, told: Sequence[Said], day: int) -> tuple[list[Any], list[Any]]:
    """Episodes and claims in which another speaks of what is told, with the secret in all that a caller may choose."""
    word = secret(owner)
    at, beside = f"2025-02-{day:02}T00:00:00Z", {"user": user, "source": word}
    names = [*dict.fromkeys(one.subject for one in told)]
    episodes = [
        {
            "content": f"{name} likes {KEPT}{owner}. {word} {day}",
            "session": session,
            "speaker": word,
            "tags": [word],
            "metadata": {word: word},
            "external_id": f"{word} {name} {day}",
            "occurred_at": at,
            **beside,
        }
        for name, session in zip(names, (*SESSIONS, word), strict=False)
    ]
    episodes.append({"content": f"Broken {word}", "session": SESSIONS[0], "occurred_at": at, "user": user})
    claims = [
        {"subject": {"name": name, "type": "person"}, "occurred_at": at, **beside, **claim}
        for name in names
        for claim in _claims(owner, name, day)
    ]
    return episodes, claims


def _claims(owner: str, name: str, day: int) -> Iterator[Mapping[str, Any]]:
    """Of one thing: other names, relationships and facts, what it was and will be, a thing of that name with an id."""
    word = secret(owner)
    yield {"predicate": "also_known_as", "value": f"{word} {name}", "importance": 1.0}
    yield {"predicate": word, "value": word, "category": "preference", "attributes": {word: word}, "importance": 1.0}
    yield {"predicate": "lives_in", "object": {"name": word, "type": "place"}, "statement": f"{name} lives in {word}."}
    yield {"predicate": "status", "value": f"{word} {day}", "statement": word}
    yield {"predicate": "born_on", "value": f"{word} 2001", "confidence": 1.0}
    yield {"predicate": "likes", "value": "Porto", "kind": "ends"}
    yield {"predicate": "did", "verb": word, "value": name, "open": True, "statement": f"{word} open {name}"}
    yield {"predicate": "knows", "object": {"name": f"{name} {word}", "type": f"type-{KEPT}{owner}", "id": word}}
    yield {"predicate": "email", "value": "maya@zq.example", "statement": f"{name} {word} writes"}
