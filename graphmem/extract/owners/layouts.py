"""What the layout of lines shows: plays, verses, lines headed by pictures of people, cards and CVs of somebody."""

import re
from collections.abc import Callable, Iterator, Sequence

from graphmem.extract.owners.lines import TextLine, owned
from graphmem.extract.owners.people import FIRST, Cast, cleaned, is_name, is_topic
from graphmem.extract.owners.words import words
from graphmem.model.owners import NOBODY, OwnedSpan, Owner

CARD, PLAY, POEM, PICTURED = "card", "play", "poem", "pictured"

_PART = re.compile(r"\s*(?P<name>[^\W\d_][^\W\d_’' -]*(?:[ ’'-][^\W\d_]+){0,2})(?:\. (?=[^\W\d_(])|\s*$)")
_LEAST_PART, _LONGEST_PART = 4, 80
_PERSON = "[\U0001f466-\U0001f478\U0001f9d1-\U0001f9dd]"
_FACE = "[\U0001f600-\U0001f64f\U0001f400-\U0001f43c\U0001f916\U0001f930-\U0001f93a]"
_PICTURE = re.compile(rf"\s*(?:(?P<person>{_PERSON})[^\s\w:]{{0,8}}(?:\s|:\s)|(?P<face>{_FACE})[^\s\w:]{{0,8}}:\s)")
_TITLED = re.compile(
    r"\s*[\"“«][^\"”»\n]{2,60}[\"”»]\s*(?P<sort>\((?:lyrics|song|poem|verse)\))?\s*(?:by [^/\n]{1,40})?(?P<bar>/|$)"
)
_BAR = re.compile(r"(?P<title>[^/\n]{2,60}?)\s+/\s*/\s")
_VERSE = re.compile(r"\s*[^\W\d_][^\n]{5,68}[^\s.!?:]\s*")
_AGED = re.compile(r"\s*(?P<name>[^\W\d_][^,\n\d]{1,39}),\s(?:1[89]|[2-9]\d)\s*")
_LEAST_VERSES, _MOST_TITLE = 3, 6


def layouts(lines: Sequence[TextLine], cast: Cast) -> list[OwnedSpan]:
    """Whose the lines are that stand in a layout of others' words; documents have headings that look the same."""
    if not cast.talks:
        return []
    paragraphs = [*_paragraphs(lines)]
    return [*_plays(paragraphs), *_pictured(lines), *_of_paragraphs(paragraphs, cast)]


_Paragraph = list[TextLine]


def _paragraphs(lines: Sequence[TextLine]) -> Iterator[_Paragraph]:
    """Lines between empty ones, or between those that are somebody's already."""
    paragraph, end = _Paragraph(), -1
    for line in lines:
        if paragraph and (line.blank or line.start != end + 1):
            yield paragraph
            paragraph = []
        if not line.blank:
            paragraph.append(line)
        end = line.end
    if paragraph:
        yield paragraph


def _covered(paragraph: _Paragraph, owner: Owner, form: str, first: int = 0) -> Iterator[OwnedSpan]:
    yield from owned(paragraph[first].start, paragraph[-1].end, owner, form)


def _plays(paragraphs: Sequence[_Paragraph]) -> Iterator[OwnedSpan]:
    """“HAMLET. I live …”, or such a name above a text: where there are two, or the text begins with a given name."""
    heads = [(part, parts) for part in paragraphs if (parts := _parts(part))]
    names = {name for _, parts in heads for name in parts.values()}
    opening = heads[0][1].get(0, "") if heads and heads[0][0] is paragraphs[0] else ""
    if len(names) > 1 or opening.split(" ")[0].casefold() in words().given:
        for paragraph, parts in heads:
            yield from _covered(paragraph, NOBODY, PLAY, min(parts))


def _parts(paragraph: _Paragraph) -> dict[int, str]:
    """Who speaks from which lines of a paragraph on."""
    return {number: name for number in range(len(paragraph)) if (name := _role(paragraph, number))}


def _role(paragraph: _Paragraph, number: int) -> str:
    """Who speaks in a line of a play, by their name in capitals; "" in other lines."""
    text = paragraph[number].text[:_LONGEST_PART]
    match = _PART.match(text)
    if match is None or not match["name"].isupper() or is_topic(match["name"]):
        return ""
    alone = match.end() == len(text)
    if alone and (number > 0 or len(paragraph) == 1):
        return ""
    given = match["name"].split()[0].casefold() in words().given
    return match["name"] if given or len(match["name"]) >= _LEAST_PART else ""


def _pictured(lines: Sequence[TextLine]) -> Iterator[OwnedSpan]:
    """Lines that pictures of different people head, as their names would."""
    heads = [(line, match["person"] or match["face"]) for line in lines if (match := _PICTURE.match(line.text))]
    if len({picture for _, picture in heads}) > 1:
        for line, _ in heads:
            yield from owned(line.start, line.end, NOBODY, PICTURED)


def _of_paragraphs(paragraphs: Sequence[_Paragraph], cast: Cast) -> Iterator[OwnedSpan]:
    for number, paragraph in enumerate(paragraphs):
        after = paragraphs[number + 1] if number + 1 < len(paragraphs) else []
        if owner := _card(paragraph, cast) or _cv(paragraph, cast):
            yield from _covered(paragraph, owner, CARD)
        elif any(is_poem(paragraph, after, cast) for is_poem in _POEMS):
            yield from owned(paragraph[0].start, (after or paragraph)[-1].end, NOBODY, POEM)
        elif _is_barred(paragraph, cast):
            yield from _covered(paragraph, NOBODY, POEM)


def _card(paragraph: _Paragraph, cast: Cast) -> Owner | None:
    """“Tim, 34” above a text: whom it names."""
    match = _AGED.fullmatch(paragraph[0].text)
    name = cleaned(match["name"]) if match else ""
    return cast.owner(name) if len(paragraph) > 1 and is_name(name) else None


def _cv(paragraph: _Paragraph, cast: Cast) -> Owner | None:
    """“Jana Roth” above “Summary: …”: hers, and nobody's where it need not be a name."""
    name = cleaned(paragraph[0].text[:_LONGEST_PART])
    if len(paragraph) == 1 or len(name.split()) == 1 or not is_name(name):
        return None
    if not words().of_cvs.match(paragraph[1].text.strip()):
        return None
    return cast.owner(name) if cast.is_familiar(name) else NOBODY


def _is_song(paragraph: _Paragraph, after: _Paragraph, _cast: Cast) -> bool:
    """A title in quotation marks that is said to be of a song, above its lines."""
    match = _TITLED.match(paragraph[0].text)
    return bool(match and match["sort"] and len(paragraph) == 1 and not match["bar"] and len(after) > 1)


def _is_verse(paragraph: _Paragraph, after: _Paragraph, cast: Cast) -> bool:
    """A title alone, above lines none of which but the last ends a sentence, and one with a comma."""
    if len(paragraph) > 1 or len(after) < _LEAST_VERSES or not _is_title(paragraph[0].text, cast):
        return False
    verses = [line.text for line in after[:-1]]
    return all(map(_VERSE.fullmatch, verses)) and any(text.rstrip().endswith((",", ";")) for text in verses)


_POEMS: Sequence[Callable[[_Paragraph, _Paragraph, Cast], bool]] = (_is_song, _is_verse)


def _is_barred(paragraph: _Paragraph, cast: Cast) -> bool:
    """Verses with bars between them under a title, which is quoted or has two bars behind it; songs without a gap."""
    text = paragraph[0].text
    titled = _TITLED.match(text)
    if titled:
        bars = len(paragraph) - 1 + text.count(" / ")
        return bool(titled["bar"] or titled["sort"]) and bars > 1
    barred = _BAR.match(text)
    return bool(barred and text.count(" / ") >= _LEAST_VERSES and _is_title(barred["title"], cast))


def _is_title(text: str, cast: Cast) -> bool:
    parts = text.split()
    if not 1 <= len(parts) <= _MOST_TITLE or not text.strip()[-1].isalpha() or not parts[0][0].isupper():
        return False
    greets = re.match(rf"(?:{words().greeting})\b", text.strip(), re.IGNORECASE)
    own = FIRST.search(text) or is_topic(text) or cast.is_me(text)
    return not greets and not own and all(part[0].isupper() for part in parts if len(part) > _LEAST_PART - 1)
