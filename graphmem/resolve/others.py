"""Others of one name: where a text says “the other Anna”, it names somebody else than “Anna” does.

Such a name has a qualifier: the e-mail address that follows it, else the place in the text where it stands.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from graphmem.model.entity import MENTIONED, normalise_name
from graphmem.model.episode import StoredEpisode
from graphmem.model.fragment import Fragment, ProposedClaim, ProposedMention, ThingName

_KIND = "person|man|woman|one|boy|girl|guy|lady|fellow"
_OTHER = re.compile(
    r"\b(?:(?:the|that|this|my|our|his|her|their|some|an)\s+other|another|a(?:n\s+entirely|\s+completely)?\s+different"
    r"|(?:a|the)\s+(?:second|third))"
    rf"(?:\s+(?:{_KIND}),?(?:\s+(?:who|that)\s+is)?(?:\s+also)?\s+(?:called|named)|\s+(?:younger|older|elder))?"
    r"\s+(?:(?:mr|mrs|ms|dr|prof)\.?\s+)?[\"“„«]?$",
    re.IGNORECASE,
)
"""Before a name: “another Anna”, “a second woman called Anna”; “another friend, Anna” is no other Anna."""
_OTHER_ONE = re.compile(
    rf"[\"”“»]?(?:\s*[(\[]|,|\s*[–—-])\s*(?:(?:the\s+other|another|a\s+different|(?:a|the)\s+(?:second|third))\s+(?:{_KIND})"
    r"|not\s+the\s+same(?:\s+(?:person|one))?|no\s+relation)\b(?!\s+(?:of|from|who|that|in)\b)",
    re.IGNORECASE,
)
"""After it: “Anna (the other one)”."""
_LONGEST = 60  # code points of such words
_EMAIL = re.compile(r"\s*[(<,]\s*(?P<address>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)")
_TYPES = frozenset({"person"})
"""“Another Coke” is one more of the same."""


@dataclass(frozen=True, slots=True)
class _Mentioned:
    """Where a name stands in a text, in order, and its qualifier there."""

    starts: Sequence[int]
    qualifiers: Sequence[str]

    def at(self, start: int, end: int) -> str:
        """The qualifier of the one that words in ``[start, end)`` speak of: there, or else the last one before."""
        here = bisect_left(self.starts, start), bisect_left(self.starts, end)
        inside = set(self.qualifiers[slice(*here)])
        if len(inside) == 1:
            return inside.pop()
        return "" if inside or not here[0] else self.qualifiers[here[0] - 1]


def with_others(stored: StoredEpisode, fragment: Fragment) -> Fragment:
    """The fragment, with others of a name told apart from the one that goes by the name alone."""
    marks = {mention: _qualifier(stored, mention) for mention in fragment.mentions}
    if not any(marks.values()):
        return fragment
    mentioned = _mentioned(marks)
    return replace(
        fragment,
        mentions=tuple(replace(one, entity=_told(one.entity, marks[one])) for one in fragment.mentions),
        claims=tuple(_claim(claim, mentioned) for claim in fragment.claims),
    )


def _mentioned(marks: Mapping[ProposedMention, str]) -> Mapping[tuple[str, str], _Mentioned]:
    found: dict[tuple[str, str], dict[int, str]] = defaultdict(dict)
    for mention, qualifier in sorted(marks.items(), key=lambda one: one[0].start):
        found[_key(mention.entity)][mention.start] = qualifier
    return {key: _Mentioned([*some], [*some.values()]) for key, some in found.items()}


def _claim(claim: ProposedClaim, mentioned: Mapping[tuple[str, str], _Mentioned]) -> ProposedClaim:
    def told(name: ThingName) -> ThingName:
        places = mentioned.get(_key(name))
        return name if places is None else _told(name, places.at(claim.quote_start, claim.quote_end))

    return replace(claim, subject=told(claim.subject), object=claim.object and told(claim.object))


def _told(name: ThingName, qualifier: str) -> ThingName:
    return replace(name, qualifier=qualifier) if qualifier and not name.qualifier else name


def _key(name: ThingName) -> tuple[str, str]:
    return name.type, normalise_name(name.name)


def _qualifier(stored: StoredEpisode, mention: ProposedMention) -> str:
    if mention.entity.type not in _TYPES:
        return ""
    content = stored.episode.content
    after = _OTHER_ONE.match(content, mention.end)
    if not after and not _OTHER.search(content[max(0, mention.start - _LONGEST) : mention.start]):
        return ""
    if address := _EMAIL.match(content, after.end() if after else mention.end):
        return f"email:{address['address'].casefold()}"
    return f"{MENTIONED}{stored.id}@{mention.start}"
