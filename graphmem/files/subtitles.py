"""Subtitles and transcripts of talks, WebVTT or SRT. Their times are counted from ``--at``."""

import re
from collections.abc import Iterable, Iterator
from datetime import timedelta
from functools import partial
from io import StringIO
from typing import Any

from graphmem.errors import InvalidInput
from graphmem.files.source import DOCS, Source, library
from graphmem.files.turns import FileTurn
from graphmem.model.episode import EpisodeRole

NAME = "Subtitles"
_SRT = re.compile(r"\s*\d+\s*\n\d+:\d\d:\d\d[,.]\d+[ ]*-->")
_VOICE = re.compile(r"<v(?:\.[^ >]{1,100})?[ ]+([^>]{1,200})>")
_TAG = re.compile(r"</?[a-z][^>]{0,200}>|<\d[\d:.]{1,20}>")
_NAMED = re.compile(r"(?:- ?)?([^\W\d_][\w.'’-]*(?: [^\W\d_][\w.'’-]*){0,3}): +(.+)", re.DOTALL)


def recognises(source: Source) -> bool:
    return source.start.startswith("WEBVTT") or _SRT.match(source.start.replace("\r\n", "\n")) is not None


def read(source: Source) -> Iterator[FileTurn]:
    webvtt: Any = library("webvtt")
    with source.text() as file:
        text = file.read().lstrip("\ufeff").replace("\r\n", "\n")
    kind = "vtt" if text.startswith("WEBVTT") else "srt"
    try:
        captions: Iterable[Any] = list(webvtt.from_buffer(StringIO(text), kind))
    except webvtt.errors.MalformedFileError as error:
        raise InvalidInput(f"{source.path} cannot be read as subtitles: {error}. See {DOCS}.") from error
    return source.turns(partial(_cue, source), enumerate(captions, start=1), "cue")


def _cue(source: Source, _: int, caption: Any) -> Iterator[FileTurn]:
    begin = source.options.at
    after = timedelta(seconds=caption.start_in_seconds)
    for speaker, words in _spoken(str(caption.raw_text)):
        yield FileTurn(
            content=words,
            time=begin + after if begin else None,
            source="subtitles",
            role=EpisodeRole.PARTICIPANT,
            speaker=speaker,
            session=f"subtitles/{source.name}",
        )


def _spoken(raw: str) -> Iterator[tuple[str | None, str]]:
    """The words of a cue, by who says them: by tags, or by a name and a colon in front."""
    first, *voices = _VOICE.split(raw)
    if first.strip():
        words = _TAG.sub("", first).strip()
        named = _NAMED.fullmatch(words)
        yield (named[1], named[2]) if named else (None, words)
    for name, words in zip(voices[::2], voices[1::2], strict=True):
        yield name.strip(), _TAG.sub("", words).strip()
