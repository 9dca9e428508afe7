"""Names that a text tells apart by the words between them: “Anna and Anne”, “Anna's sister Anne”."""

import re

from graphmem.resolve.matching import vocabulary

_WORDS = re.compile(r"[&\w]+")
_POSSESSIVE = re.compile(r"['’]s?\s")
_BETWEEN_TWO = vocabulary.words("between_two")
_RELATIVES = vocabulary.words("relatives")
_LITTLE = vocabulary.words("little")


def tells_apart(between: str) -> bool:
    """Whether the words between two names say that the one is not the other; a comma may say that they are the same."""
    if re.search(r"[.!?;:()\n]", between.strip(" ").removesuffix(".")):
        return False
    words = [word.casefold() for word in _WORDS.findall(between)]
    telling = [word for word in words if word not in _LITTLE]
    if _POSSESSIVE.match(between):
        return len(telling) == 1 and telling[0] in _RELATIVES
    return bool(telling) and all(word in _BETWEEN_TWO for word in telling)
