"""What somebody says who answers a question about themselves with a mere “yes” or “no”."""

import re

from graphmem.extract.offline.tables.tenses import PAST_OF

_SO = r"(?:that|it)(?:['’]s| is) (?:right|correct|true|so)"
_YES = re.compile(
    r"(?:(?:oh|ah|well),? )?(?:yes|yeah|yep|yup|yea|aye|correct|right|exactly|indeed|true|absolutely|definitely"
    rf"|of course|{_SO}|you(?:['’]re| are) right|I (?:do|did|am|was|have|will))"
    rf"(?:[\s,.!–—-]+(?:yes|yeah|I (?:do|did|am|was|have|will)|{_SO}|correct|right|exactly|indeed|please|thanks"
    r"|thank you|of course|sure))*[\s.!)]*",
    re.IGNORECASE,
)
_NO = re.compile(
    r"(?:(?:oh|ah|well),? )?(?:no|nope|nah|not any ?more)"
    r"(?:[\s,.!–—-]+(?:no|not any ?more|I (?:do|am)(?:n['’]t| not)(?: any ?more)?|I['’]m not(?: any ?more)?))*[\s.!)]*",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"(?:(?:so|and|ok(?:ay)?|great|nice|wait|oh|ah|hm+|then|now|well|but|sorry|just to (?:check|confirm|be sure)"
    r"|(?:if I remember|as far as I (?:remember|know))(?: right(?:ly)?| correctly)?"
    r"|I (?:think|believe|remember|recall)(?: that)?"
    r"|you (?:said|say|mentioned|told me|wrote|were saying)(?: that)?)[\s,.:!–—-]+)*",
    re.IGNORECASE,
)
_TAG = re.compile(
    r"[\s,;.–—-]+(?:(?:is )?(?:that )?(?:right|correct|true)|yes|no|yeah|eh|huh"
    r"|(?:do|did|are|were|have|is|was|will|would)(?:n['’]t)? (?:you|it|that))\s*\?$",
    re.IGNORECASE,
)
_FORMS = (
    re.compile(r"(?P<verb>do|did|are|were|have|will) (?P<whose>you) (?P<still>still )?(?P<rest>.+)", re.IGNORECASE),
    re.compile(r"(?P<whose>you)(?P<verb>['’](?:re|ve|ll))? (?P<still>still )?(?P<rest>.+)", re.IGNORECASE),
    re.compile(r"(?P<whose>your) (?P<verb>)(?P<still>)(?P<rest>.+)", re.IGNORECASE),
)
_VERBS = {"do": "", "are": "am", "were": "was", "'re": "am", "'ve": "have", "'ll": "will"}
_NOT_ALL = re.compile(
    r"^have\b|\b(?:off|not|without|single|alone|(?<!together )with|part[- ]time|full[- ]time|nights?|days?)\b|\d",
    re.IGNORECASE,
)
"""What a “no” may be said to, and the rest is so all the same: “Do you still live with Tom in Leeds?”"""
_OPEN = re.compile(
    r"\b(?:or|ever|any\w*|who|what|where|when|which|why|how|if|whether|me|us|my|our|I|we)\b|n['’]t\b|[?;:\n]",
    re.IGNORECASE,
)
"""What a mere “yes” leaves open, and words of whoever asks."""
_PAST = {**PAST_OF, "quits": "quit", "stops": "stopped", "splits": "split", "resigns": "resigned", "ends": "ended"}
_MINE = {"you": "me", "your": "my", "yours": "mine", "yourself": "myself", "you're": "I'm", "you've": "I've"}
_YOURS = re.compile(r"\byou(?:rself|rs|r|['’]re|['’]ve)?\b", re.IGNORECASE)


def answered(question: str, answer: str) -> str | None:
    """The sentence that an ``answer`` amounts to; None where it is no mere “yes” or “no”, or leaves open what is so.

    “Yes” to “So you moved to Porto, right?” is “I moved to Porto.”, “No” to “Do you still work at Initech?” is
    “I no longer work at Initech.”: a “no” to what was never said says little.
    """
    yes, no = (form.fullmatch(answer.strip()) is not None for form in (_YES, _NO))
    asked = _OPENING.sub("", _TAG.sub("?", question.strip()), count=1)
    match = next((match for form in _FORMS if (match := form.fullmatch(asked.rstrip("? ")))), None)
    if not (
        asked.endswith("?") and match and (yes or (no and match["still"] and not _NOT_ALL.search(match["rest"])))
    ) or _OPEN.search(match["rest"]):
        return None
    verb = _plain(match["verb"] or "")
    rest = _YOURS.sub(lambda yours: _MINE[_plain(yours[0])], match["rest"])
    if verb == "did":
        done, _, rest = rest.partition(" ")
        if not (verb := _past(done.casefold())):
            return None
    own = "My" if _plain(match["whose"]) == "your" else "I"
    still = match["still"] and ("still" if yes else "no longer")
    return " ".join(f"{own} {_VERBS.get(verb, verb)} {still or ''} {rest}.".split())


def _past(verb: str) -> str:
    """The past of a verb; "" of one that is not known."""
    return next((_PAST[form] for form in (f"{verb}s", f"{verb}es", f"{verb[:-1]}ies") if form in _PAST), "")


def _plain(word: str) -> str:
    return word.casefold().replace("’", "'")
