"""The formats of files, in the order in which they are tried, and which one a file or folder has."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from graphmem.errors import InvalidInput
from graphmem.files import (
    chatgpt,
    claude,
    claude_code,
    codex,
    discord,
    documents,
    locomo,
    mail,
    messages,
    notes,
    slack,
    subtitles,
    tables,
    telegram,
    whatsapp,
)
from graphmem.files.source import DOCS, Source
from graphmem.files.turns import FileTurn, Notes, ReadingOptions


@dataclass(frozen=True, slots=True)
class Format:
    """``recognises`` looks at the beginning of a file; ``read`` gives its turns in its order, as they are needed."""

    name: str
    recognises: Callable[[Source], bool]
    read: Callable[[Source], Iterator[FileTurn]]


FORMATS = (
    Format(slack.NAME, slack.recognises, slack.read),
    Format(documents.PDF, documents.recognises_pdf, documents.read_pdf),
    Format(documents.DOCX, documents.recognises_docx, documents.read_docx),
    Format(chatgpt.NAME, chatgpt.recognises, chatgpt.read),
    Format(claude.NAME, claude.recognises, claude.read),
    Format(claude.PROJECTS, claude.recognises_projects, claude.read_projects),
    Format(claude_code.NAME, claude_code.recognises, claude_code.read),
    Format(codex.NAME, codex.recognises, codex.read),
    Format(discord.NAME, discord.recognises, discord.read),
    Format(telegram.NAME, telegram.recognises, telegram.read),
    Format(locomo.NAME, locomo.recognises, locomo.read),
    Format(messages.OWN, messages.recognises_own, messages.read_own),
    Format(messages.CHATS, messages.recognises, messages.read),
    Format(subtitles.NAME, subtitles.recognises, subtitles.read),
    Format(mail.NAME, mail.recognises, mail.read),
    Format(whatsapp.NAME, whatsapp.recognises, whatsapp.read),
    Format(tables.NAME, tables.recognises, tables.read),
    Format(notes.MARKDOWN, notes.recognises_markdown, notes.read_markdown),
    Format(notes.DIARY, notes.recognises_diary, notes.read_diary),
)


@dataclass(frozen=True, slots=True)
class Recognised:
    """A file, or the folder of one export, and its format."""

    path: Path
    format: Format

    def turns(self, options: ReadingOptions, notes: Notes) -> Iterator[FileTurn]:
        return self.format.read(Source(self.path, options, notes))


def recognise(path: Path, options: ReadingOptions, notes: Notes) -> list[Recognised]:
    """What a path is: a file, an export that is a folder, or a folder of files, of which others are passed over.

    Raises:
        InvalidInput: nothing there has a format that is known.
    """
    if (found := _format_of(path, options, notes)) is not None:
        return [Recognised(path, found)]
    if not path.is_dir():
        raise _unknown(Source(path, options))
    files = sorted(one for one in path.rglob("*") if one.is_file() and not _is_hidden(one.relative_to(path)))
    known = [Recognised(one, found) for one in files if (found := _format_of(one, options, notes))]
    if not known:
        raise InvalidInput(f"{path} has no file of a format that is known: {_names()}. See {DOCS}.")
    if others := len(files) - len(known):
        notes.left_out["files of no known format"] += others
    return known


def _format_of(path: Path, options: ReadingOptions, notes: Notes) -> Format | None:
    source = Source(path, options, notes)
    if path.is_dir():
        return next((each for each in FORMATS[:1] if each.recognises(source)), None)
    return next((each for each in FORMATS if source.head.strip() and each.recognises(source)), None)


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _names() -> str:
    return ", ".join(each.name for each in FORMATS)


def _unknown(source: Source) -> InvalidInput:
    if not source.head.strip(b"[{ \r\n\t}]"):
        return InvalidInput(f"{source.path} has no messages: it is empty.")
    lines = source.start.split("\n")
    number, seen = next(((number, line) for number, line in enumerate(lines, start=1) if line.strip()), (1, ""))
    return InvalidInput(
        f"{source.path}:{number}: no format is known that begins with {seen.strip()[:60]!r}. Known are: {_names()}. "
        f"How to make one of them: {DOCS}."
    )
