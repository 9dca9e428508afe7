"""Mail: an mbox or one message. Threads are conversations, and what a mail quotes of others is not its own."""

import mailbox
import re
from collections.abc import Iterator
from email import message_from_binary_file
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import EmailMessage
from email.policy import EmailPolicy, default
from email.utils import parseaddr, parsedate_to_datetime
from functools import lru_cache, partial
from html.parser import HTMLParser
from typing import IO, Any, cast

from graphmem.files.source import Source
from graphmem.files.turns import FileTurn
from graphmem.model.episode import EpisodeRole

NAME = "Mail"
_FIELD = re.compile(r"^([A-Za-z][A-Za-z0-9-]{0,60}):", re.MULTILINE)
_IDS = re.compile(r"<[^<>\s]{1,998}>")
_REPLY = re.compile(r"\n[^\n]{0,20}\bOn\b[^\n]{1,300}(?:\n[^\n]{1,200})?\bwrote:\s*(?=\n|$)")
_BELOW = re.compile(
    r"^(?:-{2,}\s*(?:Original|Forwarded) [Mm]essage\s*-{2,}|_{20,}\s*$|From: .{1,200}\n(?:Sent|Date): )", re.MULTILINE
)
_SIGNATURE = re.compile(r"^-- $", re.MULTILINE)
_BREAKS = {"br", "p", "div", "li", "tr", "h1", "h2", "h3"}


def recognises(source: Source) -> bool:
    fields = {name.lower() for name in _FIELD.findall(re.split(r"\r?\n\r?\n", source.start.lstrip(), maxsplit=1)[0])}
    return "from" in fields and not {"date", "message-id", "received"}.isdisjoint(fields)


def read(source: Source) -> Iterator[FileTurn]:
    roots: dict[str, str] = {}
    return source.turns(partial(_turn, source, roots), enumerate(_mails(source), start=1), "mail")


def _mails(source: Source) -> Iterator[EmailMessage]:
    if source.head.startswith(b"From "):
        box = mailbox.mbox(source.path, factory=cast("Any", _read), create=False)
        try:
            yield from cast("Iterator[EmailMessage]", iter(box))
        finally:
            box.close()
    else:
        with source.path.open("rb") as file:
            yield _read(file)


def _read(file: IO[bytes]) -> EmailMessage:
    return cast("EmailMessage", message_from_binary_file(file, policy=_LazyPolicy()))


class _LazyPolicy(EmailPolicy):
    """Takes apart the headers of contents alone, equal ones once: the library does so at every look at one."""

    def header_fetch_parse(self, name: str, value: str) -> Any:
        return _taken_apart(name, value) if name.lower().startswith("content-") else _decoded(value)


@lru_cache(maxsize=4096)
def _taken_apart(name: str, value: str) -> Any:
    return default.header_fetch_parse(name, value)


def _decoded(value: str) -> str:
    plain = value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return " ".join(str(make_header(decode_header(plain))).split())


def _turn(source: Source, roots: dict[str, str], _: int, mail: EmailMessage) -> Iterator[FileTurn]:
    id_ = next(iter(_IDS.findall(_header(mail, "Message-ID"))), None)
    before = [*_IDS.findall(_header(mail, "References")), *_IDS.findall(_header(mail, "In-Reply-To"))]
    root = roots.get(before[0], before[0]) if before else id_
    if id_ and root:
        roots[id_] = root
    name, address = parseaddr(_header(mail, "From"))
    date, subject = _header(mail, "Date"), _header(mail, "Subject")
    attached = sum(1 for _ in mail.iter_attachments()) if mail.is_multipart() else 0
    if attached:
        source.leave_out("attachments", attached)
    yield FileTurn(
        content=_own(source, _body(mail)),
        time=parsedate_to_datetime(date) if date else None,
        source="mail",
        role=EpisodeRole.PARTICIPANT,
        speaker=name or address or None,
        session=f"mail/{root or source.name}",
        id=f"mail/{id_}" if id_ else None,
        more={"metadata": {"subject": subject}} if subject else {},
    )


def _header(mail: EmailMessage, name: str) -> str:
    try:
        return str(mail.get(name) or "")
    except (ValueError, LookupError, HeaderParseError):
        return ""


def _body(mail: EmailMessage) -> str:
    part = mail.get_body(("plain", "html"))
    if part is None:
        return ""
    try:
        text = str(part.get_content())
    except (LookupError, KeyError):
        text = cast("bytes", part.get_payload(decode=True) or b"").decode("latin-1")
    return _without_tags(text) if part.get_content_subtype() == "html" else text


def _own(source: Source, text: str) -> str:
    """What the writer of a mail wrote: not the mail that it answers or passes on, nor the signature."""
    text = "\n" + text.replace("\r\n", "\n")
    own = _BELOW.split(text, maxsplit=1)[0]
    own = _REPLY.sub("\n", own) if re.search(r"^>", own, re.MULTILINE) else _REPLY.split(own, maxsplit=1)[0]
    lines = [line for line in own.split("\n") if not line.startswith(">")]
    if len("\n".join(lines)) < len(text):
        source.leave_out("quotations in mails")
    return _SIGNATURE.split("\n".join(lines), maxsplit=1)[0].strip()


class _Words(HTMLParser):
    """Collects the words of HTML, of quotations as ``>`` lines."""

    def __init__(self) -> None:
        super().__init__()
        self.words, self.hidden, self.quoted = list[str](), 0, 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        self.hidden += tag in ("style", "script", "head")
        self.quoted += tag == "blockquote"
        if tag in _BREAKS or tag == "blockquote":
            self.words.append("\n")

    def handle_endtag(self, tag: str) -> None:
        self.hidden -= tag in ("style", "script", "head")
        self.quoted -= tag == "blockquote"
        if tag == "blockquote":
            self.words.append("\n")

    def handle_data(self, data: str) -> None:
        if not self.hidden and data.strip():
            words = " ".join(data.split())
            begins = not self.words or self.words[-1].endswith("\n")
            self.words.append(
                (f"> {words}" if begins else f" {words}") if self.quoted else f"{'' if begins else ' '}{words}"
            )


def _without_tags(text: str) -> str:
    parser = _Words()
    parser.feed(text)
    return "".join(parser.words)
