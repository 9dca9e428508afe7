"""A group as a guide shows it, and readers of guides that do as Neo4j Browser 5.24 does."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import cache
from html.parser import HTMLParser

from markdown_it import MarkdownIt
from markdown_it.token import Token

from graphmem.api import guide
from graphmem.model.group import Example, NamedEntity, Overview
from graphmem.store.queries import cypher_root, load_queries

FOLDER = cypher_root() / "browser"
SOURCE, GROUPS, STYLE = ((FOLDER / name).read_text("utf-8") for name in ("guide.md", "groups.md", "style.grass"))
SAVED = load_queries(cypher_root(), "browser")
ADDRESS = guide.Address("http://localhost:8464/", "k_e-y")
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)

_MARKUP = (
    re.compile(r"""(\s+(on[^\s=]+)[^\s=]*\s*=\s*("[^"]*"|'[^']*'|[\w\-.:]+\s*))""", re.IGNORECASE),
    re.compile(r"<script\b", re.IGNORECASE),
    re.compile(r"javascript:", re.IGNORECASE),
)


def overview(name: str = "Maya", type_: str = "person", predicate: str = "lives_in") -> Overview:
    """A group in which everything that comes from outside is the caller's."""
    began = datetime(2025, 3, 1, tzinfo=UTC)
    example = Example(
        subject=name,
        predicate=predicate,
        object=name,
        valid_from=began,
        valid_to=datetime(2025, 6, 1, tzinfo=UTC),
        superseded_at=datetime(2026, 2, 1, 8, 30, tzinfo=UTC),
    )
    return Overview(
        group="team-1",
        entities=1200,
        relationships=3400,
        facts=56,
        episodes=78,
        merges=9,
        known=(NamedEntity(id="0a" * 16, name=name, type=type_),),
        types=(type_,),
        first_at=began,
        last_at=NOW,
        ended=example,
        superseded=example,
    )


def rendered(form: guide.Form, about: Overview | None = None) -> str:
    return guide.guide(form, SOURCE, SAVED, about or overview(), ADDRESS, NOW)


def slides(markdown: str) -> list[str]:
    """As Browser cuts a Markdown guide into slides."""
    return re.split(r"\r?\n---\r?\n", markdown)


@cache
def _reader() -> MarkdownIt:
    return MarkdownIt("commonmark").enable("table").enable("strikethrough")


def tokens(markdown: str) -> list[Token]:
    """All tokens of all slides, with those inside of paragraphs."""
    return [inner for slide in slides(markdown) for token in _reader().parse(slide) for inner in _opened(token)]


def _opened(token: Token) -> Iterable[Token]:
    return [token, *(token.children or ())]


def structure(markdown: str) -> list[tuple[str, str]]:
    return [(token.type, token.tag) for token in tokens(markdown)]


def commands(markdown: str) -> list[str]:
    """What runs at a click."""
    return [token.content.strip() for token in tokens(markdown) if token.type == "fence" and "cypher" in token.info]


def words(markdown: str) -> str:
    """What people read."""
    return " ".join(token.content for token in tokens(markdown) if token.type in {"text", "code_inline"})


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        self.found.append(tag)


def tags(text: str) -> list[str]:
    """The elements that a web page would make of it, as Browser does to find a title."""
    reader = _Tags()
    reader.feed(text)
    reader.close()
    return reader.found


def is_left_as_it_is(text: str) -> bool:
    """Whether Browser, which takes scripts and their like out of guides before it reads them, finds none."""
    return not any(markup.search(text) for markup in _MARKUP)
