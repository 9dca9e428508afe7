"""Notes on somebody, as programs keep them: “The user prefers dark mode”, “- works at Acme”, “Location: Lyon”.

They are read as that person would say it: “I prefer dark mode”.
"""

import re
from collections.abc import Iterator, Sequence

from graphmem.extract.owners.lines import TextLine, lines, sentences
from graphmem.extract.owners.people import FIRST, Cast
from graphmem.extract.owners.rewording import (
    Edit,
    first_person,
    first_person_verb,
    is_third_person,
    of_first_person,
    relatives,
)
from graphmem.extract.owners.words import words

NOTE = "note"

_USER = re.compile(r"(?<![\w'’])(?:[Tt]he [Uu]ser|[Uu]ser|USER)(?P<poss>['’]s?)?(?![\w'’]|[-_]\w)")
_BULLET = re.compile(r"\s*(?:[-*•–+]|\d{1,2}[.)])\s+")
_VERB = re.compile(
    r"(?P<before>(?:(?:also|always|currently|never|usually|often|no longer|still|now) )*)(?P<verb>[a-z]+(?:['’]t)?)"
    r"(?= )"
)
_FIELD = re.compile(
    r"(?:\*\*|__)?(?P<name>[^\W\d_][\w /-]{1,30}?)(?P<when>(?: (?:since|until|from|as of|before)) [^:\n]{2,30})?"
    r"(?:\*\*|__)?\s?[:：](?:\*\*|__)?\s+(?=\S)"
)
_NAMED = re.compile(
    r"(?<![\w'’])(?:[Tt]he )?[Uu]ser(?:['’]s (?:(?:full|first|own) )?name is|(?: is|['’]s) (?:called|named)| goes by) "
    r"(?P<name>[^\W\d_][\w.'’-]*(?: [^\W\d_][\w'’-]*){0,3})"
    r"|(?<![\w'’])[Tt]he [Uu]ser is (?P<whole>[^\W\d_][\w'’-]+(?: [^\W\d_][\w'’-]*){1,3})(?=[,.;:()\n]|$)"
)
_GOES_ON = re.compile(r"[.!?] \S|.{120}")
_FAVOURITE = re.compile(r"(?:favou?rite) (?P<thing>[a-z ]{2,24})$", re.IGNORECASE)
_ADDRESSES = re.compile(
    r"(?<![\w'’])(?:you(?:['’](?:re|ve|ll|d))?|yours?|yourself|let['’]s|i|i['’](?:ll|ve|m|d)|my|me)(?![\w'’-])",
    re.IGNORECASE,
)
_HEADING = re.compile(rf"(?:#+\s*)?[^.!?\n]{{0,80}}\b(?:{words().heading})\b[^.!?\n]{{0,60}}:?\s*$", re.IGNORECASE)
_LAST_WORD = re.compile(r"([a-z]+)\s+$", re.IGNORECASE)


def named_user(text: str) -> str | None:
    """The name of the user, where a note says who that is: “The user is Inès Fabre”, “User's name is Zoe”."""
    match = _NAMED.search(text)
    if match is None:
        return None
    names = (match["name"] or match["whole"]).split()
    longest = next((n for n, name in enumerate(names) if not name[0].isupper()), len(names))
    written = " ".join(names[:longest]).rstrip(".'’-")
    is_name = longest == len(names) and len(names) > 1 and not _is_job(names)
    return written if written and (match["name"] or is_name) else None


def _is_job(names: Sequence[str]) -> bool:
    """“The user is Senior Developer”."""
    return any(name.casefold() in words().of_jobs for name in names)


def note_edits(text: str, cast: Cast, *, by_user: bool) -> tuple[Edit, ...]:
    """How a note is to be read in the first person; nothing of a text that is none.

    What a user writes is a note only where all of it is; of an assistant's text, not where it speaks to somebody.
    """
    if by_user and not _is_users_note(text, cast):
        return ()
    if not by_user and (_ADDRESSES.search(_unquoted(text)) or words().software.search(text)):
        return ()
    text_lines = [line for line in lines(text) if not line.blank]
    listed = by_user or _are_listed(text_lines)
    return tuple(edit for line in text_lines for edit in _of_line(text, line, listed=listed))


def _unquoted(text: str) -> str:
    return re.sub(r"[“\"][^”\"\n]*[”\"]", "", text)


def _is_users_note(text: str, cast: Cast) -> bool:
    """Whether all lines are fields, lists or say “the user”; of fields, “Name:” must be the user's."""
    text_lines = [line for line in lines(text) if not line.blank]
    if not text_lines or words().software.search(text):
        return False
    name = next((match for line in text_lines if (match := _field(line.text)) and match[0] == "name"), None)
    if name is not None and cast.mine and not cast.is_me(name[1]) and len(text_lines) > 1:
        return False
    own_lines = [line for line in text_lines if FIRST.search(line.text)]
    forms = [_is_note_line(line.text) for line in text_lines if line not in own_lines]
    return bool(forms) and all(forms) and (not own_lines or _field(text_lines[0].text) is not None)


def _is_note_line(line: str) -> bool:
    rest = line[_bullet(line) :]
    user = _USER.match(rest)
    return bool(user or _field(line) or (_bullet(line) and _third_person(rest)))


def _are_listed(text_lines: Sequence[TextLine]) -> bool:
    """Whether the text is a list: bullets and fields, under a heading perhaps."""
    rest = (
        text_lines[1:]
        if text_lines
        and len(text_lines) > 1
        and not _BULLET.match(text_lines[0].text)
        and _HEADING.fullmatch(text_lines[0].text)
        else text_lines
    )
    return bool(rest) and all(_BULLET.match(line.text) or _field(line.text) or _USER.search(line.text) for line in rest)


def _bullet(line: str) -> int:
    match = _BULLET.match(line)
    return match.end() if match else len(line) - len(line.lstrip())


def _third_person(rest: str) -> re.Match[str] | None:
    match = _VERB.match(rest)
    return match if match and is_third_person(match["verb"]) else None


def _of_line(text: str, line: TextLine, *, listed: bool) -> Iterator[Edit]:
    begins = _bullet(line.text)
    start = line.start + begins
    if listed and (edit := _of_field(line, start)):
        yield edit
        return
    verb = _third_person(line.text[begins:]) if listed and _BULLET.match(line.text) else None
    if verb:
        yield Edit(start + verb.start("verb"), start + verb.end("verb"), first_person_verb(verb["verb"]))
        yield Edit(start, start, "I ")
        return
    yield from _of_sentences(text, start, line.end)


def _of_sentences(text: str, start: int, end: int) -> Iterator[Edit]:
    """Sentences on the user; “she” of the next ones is the same, as long as nobody else is named."""
    meant = False
    for sentence in sentences(text, start, end):
        edits = [*_of_sentence(text, sentence)]
        if not edits and meant and not relatives(sentence.text):
            edits = [*first_person(text, sentence.start, sentence.end)]
        meant = bool(edits)
        yield from edits


def _of_sentence(text: str, sentence: TextLine) -> Iterator[Edit]:
    last = -1
    for match in _USER.finditer(text, sentence.start, sentence.end):
        bare = not match[0].casefold().startswith("the")
        if bare and match.start() != sentence.start and text[match.start() - 2 : match.start()] != ": ":
            continue
        last = match.end()
        yield from _of_user(text, match, sentence)
    if last >= 0 and not relatives(text[sentence.start : sentence.end]):
        yield from first_person(text, last, sentence.end)


def _of_user(text: str, match: re.Match[str], sentence: TextLine) -> Iterator[Edit]:
    if match["poss"]:
        yield Edit(match.start(), match.end(), "My" if match.start() == sentence.start else "my")
    elif _follows_verb(text[max(sentence.start, match.start() - 20) : match.start()]):
        yield Edit(match.start(), match.end(), "me")
    else:
        yield Edit(match.start(), match.end(), "I")
        yield from of_first_person(text, match.end(), sentence.end)


def _follows_verb(before: str) -> bool:
    """Whether “the user” is “me” there: “tell the user”, “of the user”."""
    word = _LAST_WORD.search(before)
    return word is not None and word[1].casefold() in words().before_me


def _field(line: str) -> tuple[str, str] | None:
    """The name of a known field in a line, and what stands in it."""
    match = _FIELD.match(line, _bullet(line))
    key = _key(match["name"]) if match else ""
    known = (key in words().fields or _FAVOURITE.fullmatch(key)) and not _GOES_ON.search(line)
    return (key, line[match.end() :].strip()) if match and known else None


def _key(name: str) -> str:
    return " ".join(name.casefold().replace("-", " ").split()).removeprefix("user's ").removeprefix("the user's ")


def _of_field(line: TextLine, start: int) -> Edit | None:
    match = _FIELD.match(line.text, start - line.start)
    if match is None:
        return None
    key, when = _key(match["name"]), (match["when"] or "").strip()
    favourite = _FAVOURITE.fullmatch(key)
    form = f"My favorite {favourite['thing']} is {{}}" if favourite else words().fields.get(key, "")
    if not form:
        return None
    opening = form.replace("{field}", key).partition("{}")[0]
    return Edit(start, line.start + match.end(), f"{when.capitalize()} {opening}" if when else opening)
