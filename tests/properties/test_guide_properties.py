"""Names in the guide of Neo4j Browser are data: whatever they are, they stay text."""

import re

from hypothesis import example, given
from hypothesis import strategies as st

from graphmem.api import guide
from tests import guides

HOSTILE = (
    "**bold** _it_ `code` ~~gone~~",
    "[click](javascript:alert(1))",
    "<img src=x onerror=alert(1)>",
    "</pre><script>alert(1)</script>",
    "<title>Mine</title>",
    "a\n---\n# Slide",
    "a\r\n---\r\n# Slide",
    "```cypher\nMATCH (n) DETACH DELETE n\n```",
    "\n----\n[source,cypher]\n----\n:clear\n----",
    "-| - |- -| | |-",
    "| a | b |\n|---|---|",
    "http://elsewhere.example www.elsewhere.example me@elsewhere.example",
    "' OR 1=1 //",
    "\\u0027}) DETACH DELETE (n) //",
    "{{style_url}} {attribute} include::/etc/passwd[] image::x[] +++<b>+++ pass:[<b>] link:x[y] <<a>>",
    " onload = 'x'",
    "&lt;b&gt; &#60;b&#62;",
    "[title]: # 'x'",
    "\u202egnitirw",
    "== Slide",
)
names = st.one_of(
    st.sampled_from(HOSTILE),
    st.text(max_size=80),
    st.text(alphabet="`*_[]()<>&\"'\\#-|=:/{}+!~.$;@ \n\rwa1", max_size=80),
    st.builds("{}{}".format, st.sampled_from(HOSTILE), st.text(max_size=20)),
)
PLAIN = guides.rendered("md", guides.overview("Maya", "person", "knows"))
PLAIN_ASCIIDOC = guides.rendered("adoc", guides.overview("Zebra", "person", "knows"))
TEXT = re.compile(r"(?:[^\W_]|[^\x00-\x7f]| |&#\d{2,3};)*")
"""Letters, digits, blanks, what is no ASCII, and references to the rest."""


@given(name=names)
def test_an_escaped_name_is_letters_blanks_and_references(name: str) -> None:
    text = guide.escaped(name)
    assert TEXT.fullmatch(text)
    assert text.isprintable() or "\u2060" in text


@given(name=names, type_=names, predicate=names)
def test_no_name_changes_what_there_is_to_see_and_to_click(name: str, type_: str, predicate: str) -> None:
    text = guides.rendered("md", guides.overview(f"x{name}", f"x{type_}", f"x{predicate}"))
    assert guides.structure(text) == guides.structure(PLAIN)
    assert guides.commands(text) == guides.commands(PLAIN)
    assert len(guides.slides(text)) == len(guides.slides(PLAIN))


@given(name=names)
def test_no_name_makes_an_element_of_a_page_or_is_taken_for_a_script(name: str) -> None:
    text = guides.rendered("md", guides.overview(name, name, name))
    assert guides.tags(text) == ["title"]
    assert guides.is_left_as_it_is(text)


@given(name=names)
def test_in_asciidoc_too_a_name_stands_where_it_stood_and_lines_stay(name: str) -> None:
    text = guides.rendered("adoc", guides.overview(f"Zebra{name}", "person", "knows"))
    assert text.replace(guide.escaped(f"Zebra{name}"), "Zebra") == PLAIN_ASCIIDOC


@given(name=st.text(alphabet=st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=50))
@example("Ann <ann@example.com> https://a.example www.a.example")
def test_people_read_the_name_as_it_is(name: str) -> None:
    text = guides.words(guides.rendered("md", guides.overview(name)))
    assert name in text.replace("\u2060", "")


@given(name=names)
def test_no_address_in_a_name_becomes_a_link(name: str) -> None:
    text = guides.words(guides.rendered("md", guides.overview(name, name, name)))
    assert not re.search(r"https?://|www\.|\w@\w", text.replace("\u2060", "\x00"), re.IGNORECASE)
