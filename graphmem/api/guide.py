"""The guide of Neo4j Browser: slides from ``cypher/browser/guide.md``, with names, numbers and days of one group.

The source is Markdown with ``{{names}}`` of values and, in fences ``query``, names of saved queries. Out of it comes
Markdown for the Browser that Neo4j ships (5.24), or AsciiDoc for newer ones.

Names are data of others. In text each of their characters that could mean something to Markdown, AsciiDoc or HTML is a
numeric character reference, which all three take for text; Browser also reads the title from Markdown as if it were
HTML. Into commands and queries no name goes at all: only ids, instants and addresses.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal
from urllib.parse import urlencode

from graphmem.errors import QueryDefinitionError
from graphmem.model.entity import label_of
from graphmem.model.group import Example, Overview
from graphmem.store.queries import Query

Form = Literal["md", "adoc"]

_FENCE = re.compile(r"^```(?P<kind>\w+)\n(?P<text>.*?)\n```$", re.MULTILINE | re.DOTALL)
_VALUE = re.compile(r"\{\{(\w+)\}\}")
_LINKS = re.compile(r"(?<=www)(?=\.)|(?<=:)(?=//)|(?=@)", re.IGNORECASE)
_WORD_JOINER = "\u2060"
_PLAIN = re.compile(r"[\w.:/?=&%+\[\]-]*", re.ASCII)
_SELECTOR = re.compile(r"\w+")
_LONGEST_NAME = 60
_MOST_TYPES = 8


@dataclass(frozen=True, slots=True)
class Address:
    """Where the guide is served, and the key that opens it."""

    base_url: str
    key: str

    def guide(self, group: str) -> str:
        return self._of(f"{group}/guide.md")

    def style(self, group: str) -> str:
        return self._of(f"{group}/style.grass")

    def _of(self, path: str) -> str:
        query = f"?{urlencode({'key': self.key})}" if self.key else ""
        return f"{self.base_url.rstrip('/')}/browser/{path}{query}"


def guide(
    form: Form, source: str, saved: Mapping[str, Query], overview: Overview, address: Address, now: datetime
) -> str:
    """The guide of one group."""
    literals = {"group": f"'{_plain(overview.group)}'", "entity": f"'{_plain(_first_id(overview))}'"}
    queries = {name: query.typed(literals) for name, query in saved.items()}
    text = _filled(source, _values(overview, address, now), queries)
    return _in_form(form, f"What {overview.group} remembers", text)


def list_of_groups(form: Form, source: str, groups: list[str], address: Address, *, more: bool) -> str:
    """A slide that opens the guide of each group."""
    note = f"These are the first {len(groups)}." if more else ""
    text = _filled(source, {"shown": note if groups else "There is none yet."}, {})
    commands = [f"```cypher\n:guide {_plain(address.guide(group))}\n```" for group in groups]
    return _in_form(form, "Which memory?", "\n\n".join([text.rstrip(), *commands]) + "\n")


def style(source: str, types: tuple[str, ...]) -> str:
    """The style, with a rule for each of these types that has none: in the colours of those that bring nothing else."""
    rules = re.findall(r"^node\.(\w+) \{\n(  color: .*?)\n\}$", source, re.MULTILINE | re.DOTALL)
    colors = [body for _label, body in rules if "caption" not in body]
    known = {label for label, _body in rules}
    labels = [label for label in dict.fromkeys(map(label_of, types)) if _SELECTOR.fullmatch(label)]
    new = [label for label in labels if label not in known]
    added = [f"\nnode.{label} {{\n{colors[place % len(colors)]}\n}}\n" for place, label in enumerate(new)]
    return source + "".join(added)


def escaped(name: str) -> str:
    """A name as text of Markdown, AsciiDoc or HTML, on one line and not too long; addresses in it are no links."""
    text = " ".join("".join(character if character.isprintable() else " " for character in name).split())
    text = text if len(text) <= _LONGEST_NAME else f"{text[: _LONGEST_NAME - 1].rstrip()}…"
    return "".join(_reference(character) for character in _LINKS.sub(_WORD_JOINER, text))


def _reference(character: str) -> str:
    meant = character.isascii() and not character.isalnum() and character != " "
    return f"&#{ord(character)};" if meant else character


def _values(overview: Overview, address: Address, now: datetime) -> dict[str, str]:
    first = overview.known[0].name if overview.known else "nobody"
    ended, superseded = overview.ended, overview.superseded
    valid_at = ended.when_true if ended else overview.last_at or now
    return {
        "group": escaped(overview.group),
        "entities": f"{overview.entities:,}",
        "relationships": f"{overview.relationships:,}",
        "facts": f"{overview.facts:,}",
        "episodes": f"{overview.episodes:,}",
        "merges": f"{overview.merges:,}",
        "first_day": _day(overview.first_at or now),
        "last_day": _day(overview.last_at or now),
        "most_known": ", ".join(escaped(entity.name) for entity in overview.known) or "nobody yet",
        "types": ", ".join(escaped(name) for name in overview.types[:_MOST_TYPES]) or "none yet",
        "entity": escaped(first),
        "ended": f"Until {_day(ended.valid_to)} it was true that {_sentence(ended)}." if ended else "",
        "superseded": _superseded(superseded) if superseded else "So far no relationship has been taken back.",
        "style_url": address.style(overview.group),
        "valid_at": _instant(valid_at),
        "superseded_valid_at": _instant(superseded.when_true if superseded else valid_at),
        "superseded_known_at": _instant(superseded.last_believed if superseded else now),
        "since": _instant(min(valid_at, now - timedelta(days=1))),
        "until": _instant(now),
    }


def _first_id(overview: Overview) -> str:
    return overview.known[0].id if overview.known else ""


def _superseded(version: Example) -> str:
    return f"On {_day(version.superseded_at)} we gave up a version of: {_sentence(version)}."


def _sentence(belief: Example) -> str:
    return f"{escaped(belief.subject)} – {escaped(belief.predicate)} – {escaped(belief.object)}"


def _day(instant: datetime) -> str:
    return f"{instant.day} {instant:%B} {instant.year}"


def _instant(instant: datetime) -> str:
    return instant.isoformat().replace("+00:00", "Z")


def _plain(value: str) -> str:
    """A value in a command or a query.

    Raises:
        QueryDefinitionError: it has characters that could end the command; the guide puts a name where none may be.
    """
    if not _PLAIN.fullmatch(value):
        raise QueryDefinitionError("guide.md: only ids, instants and addresses may stand in a command.")
    return value


def _filled(source: str, values: Mapping[str, str], queries: Mapping[str, str]) -> str:
    """The source with its values: escaped ones in text, plain ones in commands; and with its queries."""

    def in_fence(fence: re.Match[str]) -> str:
        if fence["kind"] == "query":
            text = _known(queries, fence["text"].strip())
        else:
            text = _VALUE.sub(lambda value: _plain(_known(values, value[1])), fence["text"])
        return f"```cypher\n{text}\n```"

    return _rewritten(source, lambda text: _VALUE.sub(lambda value: _known(values, value[1]), text), in_fence)


def _rewritten(source: str, text: Callable[[str], str], fence: Callable[[re.Match[str]], str]) -> str:
    """What the source becomes where ``fence`` rewrites its fences, and ``text`` all between them."""
    parts: list[str] = []
    end = 0
    for match in _FENCE.finditer(source):
        parts += (text(source[end : match.start()]), fence(match))
        end = match.end()
    return "".join([*parts, text(source[end:])])


def _known(values: Mapping[str, str], name: str) -> str:
    if name not in values:
        raise QueryDefinitionError(f"guide.md: there is no {name}; there are {', '.join(values)}.")
    return values[name]


def _in_form(form: Form, title: str, markdown: str) -> str:
    if form == "adoc":
        return f"= {title}\n\n{_asciidoc(markdown)}"
    # A definition of a link shows nothing, and Browser finds its title anywhere in the text.
    return f'[title]: # "<title>{title}</title>"\n\n{markdown}'


def _asciidoc(markdown: str) -> str:
    """What the sources have of Markdown, in AsciiDoc: headings, lists, bold, code and fences; a section is a slide."""
    return _rewritten(markdown, _asciidoc_text, lambda fence: f"[source,cypher]\n----\n{fence['text']}\n----")


def _asciidoc_text(markdown: str) -> str:
    text = re.sub(r"^---\n+", "", markdown, flags=re.MULTILINE)
    text = re.sub(r"^# ", "== ", text, flags=re.MULTILINE)
    text = re.sub(r"^- ", "* ", text, flags=re.MULTILINE)
    text = re.sub(r"\*\*(.+?)\*\*", r"*\1*", text)
    return re.sub(r"`(.+?)`", r"`+\1+`", text)
