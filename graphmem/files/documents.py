"""Documents in PDF and of Word, each one episode, which the service cuts into passages."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from graphmem.errors import InvalidInput
from graphmem.files.archives import BROKEN, is_docx, opened_archive, require_size
from graphmem.files.source import DOCS, Source, library
from graphmem.files.turns import FileTurn
from graphmem.model.episode import EpisodeRole

_BROKEN = (*BROKEN, AttributeError, IndexError, KeyError, TypeError)
"""What libraries make of files that are damaged."""
_MOST_UNPACKED = 256 * 1024 * 1024
"""Bytes of a Word document, which is held as a whole."""
PDF, DOCX = "PDF document", "Word document"


def recognises_pdf(source: Source) -> bool:
    return b"%PDF-" in source.head[:1024]


def read_pdf(source: Source) -> Iterator[FileTurn]:
    pypdf: Any = library("pypdf")
    try:
        document = pypdf.PdfReader(source.path)
        pages = [str(page.extract_text() or "").strip() for page in document.pages]
        made: datetime | None = document.metadata.creation_date if document.metadata else None
    except (pypdf.errors.PyPdfError, pypdf.errors.DependencyError, *_BROKEN) as error:
        raise InvalidInput(f"{source.path} cannot be read as PDF: {error}. See {DOCS}.") from error
    if not any(pages):
        raise InvalidInput(f"{source.path} has no text, only pictures of it: recognise its text first. See {DOCS}.")
    yield _document(source, "\n\n".join(page for page in pages if page), made)


def recognises_docx(source: Source) -> bool:
    return source.head.startswith(b"PK") and is_docx(source.path)


def read_docx(source: Source) -> Iterator[FileTurn]:
    docx: Any = library("docx")
    with opened_archive(source.path) as archive:
        require_size(archive, source.path.name, _MOST_UNPACKED)
    try:
        document = docx.Document(str(source.path))
        blocks = [_block(block) for block in document.iter_inner_content()]
    except (docx.opc.exceptions.OpcError, SyntaxError, *_BROKEN) as error:  # of which lxml's errors of syntax are some
        raise InvalidInput(f"{source.path} cannot be read as a Word document: {error}. See {DOCS}.") from error
    text = "\n\n".join(block for block in blocks if block.strip())
    yield _document(source, text, document.core_properties.modified or document.core_properties.created)


def _block(block: Any) -> str:
    """A paragraph, or the rows of a table."""
    if hasattr(block, "rows"):
        return "\n".join(" | ".join(cell.text for cell in row.cells) for row in block.rows)
    return str(block.text)


def _document(source: Source, text: str, made: datetime | None) -> FileTurn:
    named = {"content_type": "document", "metadata": {"file": source.path.name}}
    return FileTurn(content=text, time=made, source="document", role=EpisodeRole.PARTICIPANT, more=named)
