"""What is no speech at all: code, logs, tables, structured texts, subtitles' numbers, blocks that a program put in."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from graphmem.extract.owners.lines import TextLine, owned, paragraph_end
from graphmem.extract.owners.people import FIRST, Cast
from graphmem.extract.owners.words import words
from graphmem.model.owners import NOBODY, OwnedSpan, Owner, Voice

CODE, LOG, TABLE, STRUCTURED, INJECTED, SUBTITLES = "code", "log", "table", "structured", "injected", "subtitles"
MATTER = frozenset({CODE, LOG, TABLE, STRUCTURED})
"""Forms of what has no sentences: no names are looked for there but identifiers."""

_FENCE = re.compile(r"(```+)|^[ \t]*(~~~+)[^\n]*$", re.MULTILINE)
_OPENING_TAG = re.compile(r"<([a-zA-Z][\w.-]{0,40})(?:\s[^<>\n]{0,200})?>")
_COMMIT = re.compile(
    r"(?:commit [0-9a-f]{7,40}\b|[*|/\\ ]*(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40} "
    r"|diff --git |index [0-9a-f]{7,}\.\.|@@ -\d|\+\+\+ [ab/]|--- (?:[ab]/|/dev))"
)
_AUTHORED = re.compile(r"(?:Author|Date|Commit|AuthorDate|Merge|Co-authored-by|Signed-off-by):\s")
_KEYED = re.compile(r"(?:[A-Z][A-Z-]{2,15}|FN|N)(?:;[A-Z=,;-]+)?:[^\s/]")
"""A property of a calendar or a card: “NOTE:I …”."""
_MARKUP = re.compile(
    r"</?(?:p|div|span|li|ul|ol|td|tr|table|h[1-6]|a|img|body|html|head|script|section|article|main)\b[^<>]*>"
)
_COMMENT = re.compile(r"\s*(?://|#|/\*|\*|--|<!--|;;|%|\"\"\"|''')")
_PROSE = re.compile(r"\s*(?:[^\W\d_]+(?:['’-]\w+)*[,;:.!?]?\s+){3}[^\W\d_]")
_STRONG = re.compile(r"[{}()=<>\[\]$@#!|]|;\s*$|^\s*(?:import|from|npm|pip|sudo|docker|git|cd|def|class) ")
_OPERATORS = re.compile(r"[{}=<>]|\w\(")
_ROW = re.compile(r"\s*\|\s*\S")
"""A row of a table, or a quoted line behind a bar."""
_RULE = re.compile(r"\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)+\|?\s*$|\s*[+|][-=+]{4,}")
_CUE = re.compile(r"\s*\d\d?:\d\d(?::\d\d)?[,.]\d{1,3}\s*-->")
_KEY = re.compile(r"[\"'](?:[^\"'\n]{1,40})[\"']\s*:")
_PART = re.compile(
    r"[\"'](role|author|speaker|from|sender|name|user|content|text|message|body)[\"']\s*:\s*"
    r"(?:\"((?:[^\"\\]|\\.)*)\"|'((?:[^'\\]|\\.)*)')",
    re.DOTALL,
)
_YAML = re.compile(r"\s*(?:-\s+)?(role|author|speaker|from|sender|name|content|text|message|body):\s*(.*)")
_MESSAGE = re.compile(r"[\[{\s]{1,20}[\"'](?:role|author|speaker|sender|content|text|message|body)[\"']\s*:")
"""The beginning of messages, which may be cut off."""
_SAYING = frozenset(["content", "text", "message", "body"])
_LEAST_ROWS, _MOST_CELL = 2, 40
_LONGEST_STRUCTURE = 200_000
_MOST_UNCLOSED = 20
"""Brackets that nothing closes: what has more is no JSON, and would be searched to its end for each."""


def matter(text: str, lines: Sequence[TextLine], cast: Cast) -> list[OwnedSpan]:
    """Where a text has none of anybody's sentences; of messages in JSON or YAML, whose each is."""
    spans = [*_fences(text), *_delimited(text), *_tagged(text), *_bracketed(text), *_voices(text), *_templated(text)]
    spans += _structured(text, cast)
    taken = _Taken(spans)
    free = [line for line in lines if not taken.has(line.start, line.end)]
    return [*spans, *_yaml(free, cast), *_injected(text, free), *_of_lines(free)]


class _Taken:
    """Whether a place of a text is in any of some spans."""

    def __init__(self, spans: Sequence[OwnedSpan]) -> None:
        self._spans = sorted(spans, key=lambda span: span.start)
        self._at = 0

    def has(self, start: int, end: int) -> bool:
        """Whether ``[start, end)`` touches one of the spans; places are asked about in the order of the text."""
        while self._at < len(self._spans) and self._spans[self._at].end <= start:
            self._at += 1
        return self._at < len(self._spans) and self._spans[self._at].start < end


def _fences(text: str) -> Iterator[OwnedSpan]:
    start, mark = -1, ""
    for match in _FENCE.finditer(text):
        if start < 0:
            start, mark = match.start(), match[1] or match[2]
        elif (match[1] or match[2]).startswith(mark):
            yield from owned(start, match.end(), NOBODY, CODE)
            start = -1
    if start >= 0:
        yield from owned(start, len(text), NOBODY, CODE)


def _delimited(text: str) -> Iterator[OwnedSpan]:
    """What stands between “--- begin quote ---” and “--- end quote ---”, “<<<” and “>>>”, or triple marks."""
    at = 0
    while match := _DELIMITED.search(text, at):
        closing = _ENDED if match["begun"] else _CLOSING[match[0].strip()[:3]]
        closed = closing.search(text, match.end())
        at = match.end()
        if closed:
            yield from owned(match.start(), closed.end(), NOBODY, INJECTED)
            at = closed.end()


_DELIMITED = re.compile(
    r"^[ \t]*(?:(?P<begun>[-=*_#~<]{2,}[ \t]*(?:begin|start)\w*\b[^\n]{0,40})|<<<+|\[\[\[|\"{3}|'{3}|%%%)[ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)
_ENDED = re.compile(r"^[ \t]*[-=*_#~<]{2,}[ \t]*(?:end|stop)\b[^\n]{0,40}$", re.MULTILINE | re.IGNORECASE)
_CLOSING = {
    opening: re.compile(closing)
    for opening, closing in {"<<<": ">>>+", "[[[": r"\]\]\]", '"""': '"{3}', "'''": "'{3}", "%%%": "%%%"}.items()
}


def _tagged(text: str) -> Iterator[OwnedSpan]:
    """“<memory> … </memory>”, and other tags that programs put around what they put in."""
    at, unclosed = 0, set[str]()
    while match := _OPENING_TAG.search(text, at):
        name = match[1]
        at = match.end()
        known = not words().blocks.isdisjoint(re.split(r"[_.-]", name.casefold()))
        if name in unclosed or (not known and not _may_enclose(name)):
            continue
        closing = text.find(f"</{name}>", match.end())
        unclosed |= {name} if closing < 0 else set[str]()
        if closing >= 0 or known:
            end = closing + len(name) + 3 if closing >= 0 else len(text)
            yield from owned(match.start(), end, NOBODY, INJECTED)
            at = end


def _may_enclose(name: str) -> bool:
    """Whether a tag encloses what is somebody else's, if it is closed."""
    return "_" in name or "-" in name or name.casefold() in words().quoting


def _voices(text: str) -> Iterator[OwnedSpan]:
    """The end of a voice in subtitles, “</v>”."""
    for match in re.finditer(r"</v>", text):
        yield from owned(*match.span(), NOBODY, STRUCTURED)


def _templated(text: str) -> Iterator[OwnedSpan]:
    """A conversation in the marks of a model's prompt, up to the last one: “<|user|>”, “[INST] … [/INST]”."""
    marks = list(_TEMPLATE.finditer(text))
    if marks:
        yield from owned(marks[0].start(), marks[-1].end(), NOBODY, INJECTED)


_TEMPLATE = re.compile(r"<\|[\w ]{1,30}\|>|\[/?INST\]|<</?SYS>>|</?s>")


def _bracketed(text: str) -> Iterator[OwnedSpan]:
    """“[System: …]”; a line that such a bracket heads is a program's to its end."""
    for match in words().bracketed.finditer(text):
        line_end = text.find("\n", match.end())
        heads = ":" not in match[0] and text[max(0, match.start() - 1) : match.start()] in ("", "\n")
        end = (line_end if line_end >= 0 else len(text)) if heads else match.end()
        yield from owned(match.start(), end, NOBODY, INJECTED)


def _structured(text: str, cast: Cast) -> Iterator[OwnedSpan]:
    """JSON: nobody's, but what messages in it say."""
    at = unclosed = 0
    while unclosed < _MOST_UNCLOSED and (match := _OPENS.search(text, at)):
        end = _closes(text, match.start(1))
        at = match.end()
        unclosed += not end
        if not end and _MESSAGE.match(text, match.start(1)):
            end = paragraph_end(text, at, len(text))
        if end and _KEY.search(text, match.start(1), end):
            yield from _messages(text, match.start(1), end, cast)
            at = end


_OPENS = re.compile(r"(?:^|[\s:=(])([\[{])(?=\s*(?:[\"'{\[]|\}|\]))", re.MULTILINE)
_MARKS = re.compile(r"[\[\]{}]|\"(?:[^\"\\\n]|\\.)*\"")


def _closes(text: str, start: int) -> int:
    """Where the bracket at ``start`` is closed; 0 where it is not."""
    depth = 0
    for match in _MARKS.finditer(text, start, min(len(text), start + _LONGEST_STRUCTURE)):
        depth += (match[0] in "[{") - (match[0] in "]}")
        if depth == 0:
            return match.end()
    return 0


def _messages(text: str, start: int, end: int, cast: Cast) -> Iterator[OwnedSpan]:
    who, at = "", start
    for match in _PART.finditer(text, start, end):
        value = 2 if match[2] is not None else 3
        if match[1] not in _SAYING:
            who = match[value]
            continue
        owner = _sender(who, cast)
        yield from owned(at, match.start(value), NOBODY, STRUCTURED)
        yield from owned(match.start(value), match.end(value), owner, STRUCTURED)
        at, who = match.end(value), ""
    yield from owned(at, end, NOBODY, STRUCTURED)


def _sender(name: str, cast: Cast) -> Owner:
    """Who is named beside a message; that it is a user's does not say that it is this one's."""
    owner = _role(name, cast)
    return owner if owner.voice is not Voice.SPEAKER or cast.is_me(name) else NOBODY


def _role(name: str, cast: Cast) -> Owner:
    return cast.owner(name) if name else NOBODY


def _yaml(lines: Sequence[TextLine], cast: Cast) -> Iterator[OwnedSpan]:
    """Lists of role and content: two lines a message, or a block of deeper lines."""
    for number in range(len(lines) - 1):
        head, body = _YAML.fullmatch(lines[number].text), _YAML.fullmatch(lines[number + 1].text)
        if not head or not body or head[1] in _SAYING or body[1] not in _SAYING or not head[2].strip():
            continue
        owner = _role(head[2].strip(" \"'"), cast)
        body_line = lines[number + 1]
        yield from owned(lines[number].start, body_line.start + body.start(2), NOBODY, STRUCTURED)
        yield from owned(body_line.start + body.start(2), _yaml_end(lines, number + 1), owner, STRUCTURED)


def _yaml_end(lines: Sequence[TextLine], number: int) -> int:
    indent = len(lines[number].text) - len(lines[number].text.lstrip())
    last = number
    for after in range(number + 1, len(lines)):
        text = lines[after].text
        if text.strip() and len(text) - len(text.lstrip()) <= indent:
            break
        last = after
    return lines[last].end


def _injected(text: str, lines: Sequence[TextLine]) -> Iterator[OwnedSpan]:
    """What stands under “Relevant memories:”: the paragraph, and the lists that follow."""
    at = 0
    for number, line in enumerate(lines):
        match = words().injected.match(_titled(line.text)) if line.start >= at else None
        if match:
            at = _block_end(text, lines, number, head_only=not line.text.strip()[match.end() :].strip(" *="))
            yield from owned(line.start, at, NOBODY, INJECTED)


def _titled(line: str) -> str:
    """The line; one that is marked as a heading ends with a colon."""
    text = line.strip()
    return f"{text}:" if text.startswith(("#", "=", "**")) and ":" not in text else text


def _block_end(text: str, lines: Sequence[TextLine], number: int, *, head_only: bool) -> int:
    end = paragraph_end(text, lines[number].end, len(text))
    if not head_only or text[lines[number].end : end].strip():
        return end
    after = next((line for line in lines[number + 1 :] if not line.blank), None)
    return paragraph_end(text, after.start, len(text)) if after else end


def _of_lines(lines: Sequence[TextLine]) -> Iterator[OwnedSpan]:
    forms = [_form(line.text) for line in lines]
    _grow(forms, lines)
    for line, form in zip(lines, forms, strict=True):
        if form:
            yield from owned(line.start, line.end, NOBODY, form)
    yield from _separated(lines)


def _form(line: str) -> str:
    line = line[:_LONGEST_LINE]
    return next((form for form, is_of in _FORMS.items() if is_of(line)), "")


def _is_log(line: str) -> bool:
    known = words().logged.match(line) or words().traced.match(line)
    return bool(known or _COMMIT.match(line) or _AUTHORED.match(line))


def _is_structured(line: str) -> bool:
    stamped = words().stamped.fullmatch(line) and not FIRST.search(line)
    return bool(stamped or _KEYED.match(line))


def _is_code(line: str) -> bool:
    if len(_MARKUP.findall(line)) > 1:
        return True
    looks = _STRONG.search(line) and words().coded.match(line.rstrip())
    return bool(looks and (_OPERATORS.search(line) or not _PROSE.match(line)))


_FORMS: Mapping[str, Callable[[str], bool]] = {
    LOG: _is_log,
    TABLE: lambda line: bool(_RULE.match(line) or _ROW.match(line)),
    STRUCTURED: _is_structured,
    SUBTITLES: lambda line: bool(_CUE.match(line)),
    CODE: _is_code,
}
_LONGEST_LINE = 2000


def _grow(forms: list[str], lines: Sequence[TextLine]) -> None:
    """Lines that belong to those beside them: below a stack trace or a commit, comments in code, cues' numbers."""
    for i in range(1, len(forms)):
        forms[i] = forms[i] or _after(forms[i - 1], lines, i)
    for i in range(len(forms) - 2, -1, -1):
        forms[i] = forms[i] or _before(forms[i + 1], lines[i].text)
    inside = False
    for i, line in enumerate(lines):
        inside = not line.blank and (inside or forms[i] == SUBTITLES)
        forms[i] = forms[i] or (SUBTITLES if inside else "")


def _after(form: str, lines: Sequence[TextLine], i: int) -> str:
    """The form that a line has from the line above it."""
    text = lines[i].text
    deeper = text[:1] in (" ", "\t") and not lines[i].blank
    goes_on = {
        LOG: deeper or _is_diff(lines, i) or (lines[i].blank and _goes_on_deeper(lines, i)),
        CODE: deeper or _COMMENT.match(text) is not None,
        TABLE: text.count("|") > 1,
    }
    return form if goes_on.get(form) else ""


def _before(form: str, text: str) -> str:
    """The form that a line has from the line below it."""
    leads = {
        CODE: _COMMENT.match(text) is not None,
        TABLE: "|" in text,
        SUBTITLES: re.fullmatch(r"\s*\d{1,5}\s*", text) is not None,
    }
    return form if leads.get(form) else ""


def _goes_on_deeper(lines: Sequence[TextLine], i: int) -> bool:
    return i + 1 < len(lines) and lines[i + 1].text[:2] in ("  ", "\t")


def _is_diff(lines: Sequence[TextLine], i: int) -> bool:
    before = lines[i - 1].text
    return lines[i].text[:1] in ("+", "-") and (before[:1] in ("+", "-") or _COMMIT.match(before) is not None)


def _separated(lines: Sequence[TextLine]) -> Iterator[OwnedSpan]:
    """CSV and the like: lines of as many cells, without a blank behind what separates them."""
    first, mark, cells = 0, "", 0
    for number in range(len(lines) + 1):
        counted = _cells(lines[number].text) if number < len(lines) else ("", 0)
        if counted != (mark, cells):
            if cells and number - first >= _LEAST_ROWS + 1:
                yield from owned(lines[first].start, lines[number - 1].end, NOBODY, TABLE)
            first, (mark, cells) = number, counted


def _cells(line: str) -> tuple[str, int]:
    for mark in ("\t", ";", ","):
        parts = line.split(mark)
        tight = sum(not part.startswith(" ") for part in parts[1:])
        if len(parts) > 1 and tight == len(parts) - 1 and max(map(len, parts)) <= _MOST_CELL:
            return mark, len(parts)
    return "", 0
