"""Documents in PDF and of Word, each one episode, which the service cuts into passages."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any
from zipfile import ZipFile

from graphmem.errors import InvalidInput, TooLarge
from graphmem.files.archives import BROKEN, is_docx, opened_archive
from graphmem.files.source import DOCS, Source, library
from graphmem.files.turns import FileTurn
from graphmem.model.episode import EpisodeRole

_BROKEN = (*BROKEN, AttributeError, IndexError, KeyError, TypeError)
"""What libraries make of files that are damaged."""
_TEXT, _ABOUT = "word/document.xml", "docProps/core.xml"
_MOST_TEXT = 16 * 1024 * 1024
"""Bytes of the text of a document, unpacked; in Word its marks count, in PDF how it is drawn."""
_MOST_TAGS = 500_000
"""Of a Word document, which is held as a tree."""
_MOST_PAGES = 5_000
_MOST_DRAWN = 1_000_000
"""Operations that draw a PDF. A few can ask for any number, for what is drawn may be drawn again and again."""
PDF, DOCX = "PDF document", "Word document"


def recognises_pdf(source: Source) -> bool:
    return b"%PDF-" in source.head[:1024]


def read_pdf(source: Source) -> Iterator[FileTurn]:
    pypdf: Any = library("pypdf")
    try:
        document = pypdf.PdfReader(source.path)
        pages = _pages(source, document)
        made: datetime | None = document.metadata.creation_date if document.metadata else None
    except (pypdf.errors.PyPdfError, pypdf.errors.DependencyError, *_BROKEN) as error:
        raise InvalidInput(f"{source.path} cannot be read as PDF: {error}. See {DOCS}.") from error
    if not any(pages):
        raise InvalidInput(f"{source.path} has no text, only pictures of it: recognise its text first. See {DOCS}.")
    yield _document(source, "\n\n".join(page for page in pages if page), made)


def _pages(source: Source, document: Any) -> list[str]:
    """The text of each page.

    Raises:
        TooLarge: there are too many, or they take too long to draw.
    """
    _require_at_most(len(document.pages), _MOST_PAGES, "pages", source)
    drawn = unpacked = 0

    def count(*_: object) -> None:
        nonlocal drawn
        drawn += 1
        _require_at_most(drawn, _MOST_DRAWN, "operations that draw it", source)

    texts = list[str]()
    for page in document.pages:
        content = page.get_contents()
        unpacked += len(content.get_data()) if content is not None else 0
        _require_at_most(unpacked, _MOST_TEXT, "bytes that draw it", source)
        texts.append(str(page.extract_text(visitor_operand_before=count) or "").strip())
    return texts


def recognises_docx(source: Source) -> bool:
    return source.head.startswith(b"PK") and is_docx(source.path)


def read_docx(source: Source) -> Iterator[FileTurn]:
    """Read the text and the dates, and nothing else: pictures may be large."""
    docx: Any = library("docx.oxml")
    with opened_archive(source.path) as archive:
        try:
            document = docx.parse_xml(_unpacked(archive, _TEXT, source))
            blocks = [_block(block) for block in document.body.inner_content_elements]
            about = docx.parse_xml(_unpacked(archive, _ABOUT, source)) if _ABOUT in archive.namelist() else None
            made = about.modified_datetime or about.created_datetime if about is not None else None
        except (SyntaxError, *_BROKEN) as error:  # of which lxml's errors of syntax are some
            raise InvalidInput(f"{source.path} cannot be read as a Word document: {error}. See {DOCS}.") from error
    yield _document(source, "\n\n".join(block for block in blocks if block.strip()), made)


def _unpacked(archive: ZipFile, part: str, source: Source) -> bytes:
    _require_at_most(archive.getinfo(part).file_size, _MOST_TEXT, "bytes of text", source)
    written = archive.read(part)
    _require_at_most(written.count(b"<"), _MOST_TAGS, "tags", source)
    return written


def _require_at_most(number: int, most: int, what: str, source: Source) -> None:
    if number > most:
        raise TooLarge(f"{source.path.name} has more than {most:,} {what}. Hand in its text, or parts of it.")


def _block(block: Any) -> str:
    """A paragraph, or the rows of a table, where a cell that spans several is said once."""
    if hasattr(block, "tr_lst"):
        return "\n".join(" | ".join(map(_cell, row.tc_lst)) for row in block.tr_lst)
    return str(block.text)


def _cell(cell: Any) -> str:
    return "\n".join(paragraph.text for paragraph in cell.p_lst)


def _document(source: Source, text: str, made: datetime | None) -> FileTurn:
    named = {"content_type": "document", "metadata": {"file": source.path.name}}
    return FileTurn(content=text, time=made, source="document", role=EpisodeRole.PARTICIPANT, more=named)
