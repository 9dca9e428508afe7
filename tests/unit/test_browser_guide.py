"""The guide and the style of Neo4j Browser, as text."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from graphmem.api import guide
from graphmem.errors import QueryDefinitionError
from graphmem.model.interval import BEGIN, END
from graphmem.model.ontology import DEFAULT_ONTOLOGY
from tests import guides

LIGHT, DARK = "#FFFFFF", "#292C33"
"""What Neo4j Browser draws graphs on."""
RULES = dict(re.findall(r"^([\w.]+) \{\n(.*?)\n\}$", guides.STYLE, re.MULTILINE | re.DOTALL))


def properties(selector: str) -> dict[str, str]:
    """What a rule says, over what the rule for all nodes or all relationships says."""
    everybody = RULES[selector.partition(".")[0]]
    return dict(re.findall(r"^  ([\w-]+): (.*);$", f"{everybody}\n{RULES[selector]}", re.MULTILINE))


def luminance(color: str) -> float:
    parts = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (one / 12.92 if one <= 0.03928 else ((one + 0.055) / 1.055) ** 2.4 for one in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """As of the Web Content Accessibility Guidelines: 1 to 21."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_the_guide_has_nine_slides_each_with_a_heading_and_something_to_click() -> None:
    shown = guides.slides(guides.rendered("md"))
    assert len(shown) == 9
    assert all(re.search(r"^# \w", slide, re.MULTILINE) for slide in shown)
    assert all(guides.commands(slide) for slide in shown)


def test_it_tells_numbers_and_names_of_the_group() -> None:
    text = guides.words(guides.rendered("md"))
    for told in ("1,200", "3,400", "56", "78", "Maya", "person", "1 March 2025", "lives_in", "9"):
        assert told in text


def test_every_saved_query_is_in_it_with_group_and_entity_written_in() -> None:
    commands = guides.commands(guides.rendered("md"))
    literals = {"group": "'team-1'", "entity": f"'{'0a' * 16}'"}
    assert {query.typed(literals) for query in guides.SAVED.values()} <= set(commands)
    assert not any(re.search(r"\$(group|entity)\b", command) for command in commands)


def test_the_parameters_of_a_slide_are_set_on_it() -> None:
    for slide in guides.slides(guides.rendered("md")):
        text = "\n".join(guides.commands(slide))
        assert set(re.findall(r"\$(\w+)", text)) == set(re.findall(r"^:param (\w+) =>", text, re.MULTILINE))


@pytest.mark.parametrize(("title", "picture", "exact"), [
    ("What is believed now", "believed_now", "exactly_now"),
    ("The same on a day", "true_at", "exactly_at"),
])  # fmt: skip
def test_beside_a_picture_to_which_browser_adds_stands_an_exact_table(title: str, picture: str, exact: str) -> None:
    (slide,) = [slide for slide in guides.slides(guides.rendered("md")) if f"# {title}\n" in slide]
    assert {guides.SAVED[name].typed({"group": "'team-1'"}) for name in (picture, exact)} <= set(guides.commands(slide))
    assert "Browser also draws relationships" in guides.words(slide)
    assert "table is exact" in guides.words(slide)


def test_days_are_those_at_which_something_is_to_be_seen() -> None:
    text = guides.rendered("md")
    assert ":param valid_at => datetime('2025-05-31T00:00:00Z')" in text  # a day before it ended
    assert ":param known_at => datetime('2026-02-01T08:29:59.999999Z')" in text  # just before it was superseded


def test_a_group_of_which_nothing_is_known_has_a_guide() -> None:
    empty = replace(guides.overview(), known=(), types=(), first_at=None, last_at=None, ended=None, superseded=None)
    text = guides.rendered("md", empty)
    assert "nobody yet" in text
    assert len(guides.slides(text)) == 9


def test_browser_finds_the_title_and_shows_it_nowhere_else() -> None:
    text = guides.rendered("md")
    found = re.search(r"<title>(.*?)</title>", text)
    assert found
    assert found[1] == "What team-1 remembers"
    assert "<title>" not in guides.words(text)


def test_both_forms_run_the_same() -> None:
    asciidoc = guides.rendered("adoc")
    blocks = re.findall(r"^\[source,cypher\]\n----\n(.*?)\n----$", asciidoc, re.MULTILINE | re.DOTALL)
    assert blocks == guides.commands(guides.rendered("md"))
    assert len(re.findall(r"^== ", asciidoc, re.MULTILINE)) == 9
    assert not re.search(r"^# |^```|^- |\*\*", asciidoc, re.MULTILINE)


def test_a_list_of_groups_opens_the_guide_of_each() -> None:
    text = guide.list_of_groups("md", guides.GROUPS, ["team-1", "a.b"], guides.ADDRESS, more=True)
    assert guides.commands(text) == [f":guide {guides.ADDRESS.guide(group)}" for group in ("team-1", "a.b")]
    assert "first 2" in text
    assert "none yet" in guide.list_of_groups("md", guides.GROUPS, [], guides.ADDRESS, more=False)


@pytest.mark.parametrize("group", ["team'); MATCH", "a b", 'a"', "a\\", "a`", "a\n", "a;", "a{}"])
def test_what_could_end_a_command_is_refused_in_one(group: str) -> None:
    with pytest.raises(QueryDefinitionError, match="ids, instants and addresses"):
        guides.rendered("md", replace(guides.overview(), group=group))


def test_an_unknown_value_or_query_in_the_source_is_named() -> None:
    with pytest.raises(QueryDefinitionError, match="there is no colour"):
        guide.guide("md", "{{colour}}", {}, guides.overview(), guides.ADDRESS, guides.NOW)
    with pytest.raises(QueryDefinitionError, match="there is no lost"):
        guide.guide("md", "```query\nlost\n```", {}, guides.overview(), guides.ADDRESS, guides.NOW)


@pytest.mark.parametrize(("valid_from", "valid_to", "expected"), [
    (datetime(2025, 3, 1, tzinfo=UTC), datetime(2025, 6, 1, tzinfo=UTC), datetime(2025, 5, 31, tzinfo=UTC)),
    (datetime(2025, 3, 1, tzinfo=UTC), datetime(2025, 3, 1, 8, tzinfo=UTC), datetime(2025, 3, 1, tzinfo=UTC)),
    (datetime(2025, 3, 1, tzinfo=UTC), END, datetime(2025, 3, 1, tzinfo=UTC)),
    (BEGIN, END, guides.NOW - timedelta(microseconds=1)),
    (BEGIN, datetime(1, 1, 2, tzinfo=UTC), BEGIN),
])  # fmt: skip
def test_an_example_tells_when_it_was_true(valid_from: datetime, valid_to: datetime, expected: datetime) -> None:
    example = guides.overview().ended
    assert example
    shown = replace(example, valid_from=valid_from, valid_to=valid_to, superseded_at=guides.NOW)
    assert shown.when_true == expected


def test_nodes_are_seen_on_light_and_dark_and_their_names_can_be_read() -> None:
    for selector in (selector for selector in RULES if selector.startswith("node")):
        shown = properties(selector)
        for ground in (LIGHT, DARK):
            assert max(contrast(shown[part], ground) for part in ("color", "border-color")) >= 3, selector
        assert contrast(shown["color"], shown["text-color-internal"]) >= 4.5, selector


def test_relationships_are_seen_on_light_and_dark() -> None:
    for selector in (selector for selector in RULES if selector.startswith("relationship")):
        assert min(contrast(properties(selector)["color"], ground) for ground in (LIGHT, DARK)) >= 3, selector


@pytest.mark.parametrize(("was", "is_now"), [
    ("relationship.SUPERSEDED", "relationship.RELATES_TO"),
    ("relationship.HAD_FACT", "relationship.HAS_FACT"),
    ("relationship.WAS_SAME_AS", "relationship.SAME_AS"),
])  # fmt: skip
def test_what_is_no_longer_believed_is_thin_and_grey_and_says_was(was: str, is_now: str) -> None:
    past, present = properties(was), properties(is_now)
    assert float(past["shaft-width"].removesuffix("px")) < float(present["shaft-width"].removesuffix("px"))
    assert past["caption"].startswith('"was')
    assert "was" not in present["caption"]
    red, green, blue = (int(past["color"][place : place + 2], 16) for place in (1, 3, 5))
    assert max(red, green, blue) - min(red, green, blue) < 20


def test_every_type_of_the_packaged_ontology_has_a_colour_of_its_own() -> None:
    colors = [properties(f"node.{guide.label_of(name)}")["color"] for name in DEFAULT_ONTOLOGY.entity_types]
    assert len(set(colors)) == len(colors) == 11


def test_entities_are_captioned_by_name_relationships_by_predicate_and_facts_are_small() -> None:
    assert properties("node.Entity")["caption"] == '"{name}"'
    assert properties("relationship.RELATES_TO")["caption"] == '"{predicate}"'
    size = {kind: float(properties(f"node.{kind}")["diameter"].removesuffix("px")) for kind in ("Entity", "Fact")}
    assert size["Fact"] * 1.5 < size["Entity"]


def test_browser_reads_every_rule() -> None:
    """It cuts at colons and semicolons, in quotes as well, and takes a comment for part of a selector."""
    for body in RULES.values():
        assert all(line.count(":") == line.count(";") == 1 for line in body.splitlines())
    assert "//" not in guides.STYLE
    assert "/*" not in guides.STYLE
    assert guides.STYLE.count("{\n") == len(RULES)


def test_types_of_an_ontology_of_ones_own_get_rules_in_the_same_colours() -> None:
    added = guide.style(guides.STYLE, ("person", "order_line", "Schiff", "order-line")).removeprefix(guides.STYLE)
    assert re.findall(r"^node\.(\w+) \{$", added, re.MULTILINE) == ["OrderLine", "Schiff"]
    assert re.findall(r"^  color: (.*);$", added, re.MULTILINE)[0] == properties("node.Person")["color"]
