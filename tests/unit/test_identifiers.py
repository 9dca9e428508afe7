"""Identifiers stand out by their form, wherever the punctuation of the sentence leaves them."""

import pytest

from graphmem.extract.identifiers import ADDRESS, DATE, MONEY, UNNAMED, identifiers
from graphmem.extract.overlaps import without_overlaps


def seen(text: str) -> list[tuple[str, str]]:
    return [(span.name.type, text[span.start : span.end]) for span in without_overlaps(identifiers(text))]


@pytest.mark.parametrize(
    ("text", "type_", "written"),
    [
        ("Write to maya@example.com.", "email", "maya@example.com"),
        ("Mine (maya.lopes+shop@mail.example.co.uk), please", "email", "maya.lopes+shop@mail.example.co.uk"),
        ("<ops_team@example.org>", "email", "ops_team@example.org"),
        ("mailto:bruno-x@example.io?", "email", "bruno-x@example.io"),
        ("See https://example.com/a_b/c?d=1&e=%20#f.", "url", "https://example.com/a_b/c?d=1&e=%20#f"),
        ("(see http://example.com/x)", "url", "http://example.com/x"),
        ("It is https://example.com/wiki/Porto_(city)!", "url", "https://example.com/wiki/Porto_(city)"),
        ("“https://example.com/quoted”", "url", "https://example.com/quoted"),
        ("Open www.example.com, then log in.", "url", "www.example.com"),
        ("It is on status.example.io/today; look.", "url", "status.example.io/today"),
        ("order #A-10293", "order", "A-10293"),
        ("Where is my order A-10293?", "order", "A-10293"),
        ("My order number is 4471.", "order", "4471"),
        ("invoice no. 2024/118", "order", "2024/118"),
        ("Booking reference: QX7PLM!", "order", "QX7PLM"),
        ("order 1048576 never came", "order", "1048576"),
        ("ticket 48812", "issue", "48812"),
        ("Any news on case #77, please?", "issue", "77"),
        ("bug BX-204 is back", "issue", "BX-204"),
        ("Call +351 912 345 678.", "phone", "+351 912 345 678"),
        ("+1 (555) 010-0199 is the desk", "phone", "+1 (555) 010-0199"),
        ("(020) 7946 0018", "phone", "(020) 7946 0018"),
        ("555-010-0143, after six", "phone", "555-010-0143"),
        ("020 7946 0018", "phone", "020 7946 0018"),
        ("My phone number is 912345678.", "phone", "912345678"),
        ("Thanks @maya_92!", "person", "@maya_92"),
        ("@bruno, look", "person", "@bruno"),
        ("Training again #running.", "concept", "running"),
        ("#PortoMarathon2026 was fun", "concept", "PortoMarathon2026"),
        ("It cost $1,299.99, sadly.", MONEY, "$1,299.99"),
        ("300 euros", MONEY, "300 euros"),
        ("a €2.5 million loan", MONEY, "€2.5 million"),
        ("only 49.90 EUR", MONEY, "49.90 EUR"),
        ("due 2026-03-01.", DATE, "2026-03-01"),
        ("on 3 May 2024, at noon", DATE, "3 May 2024"),
        ("May 3rd, 2024", DATE, "May 3rd, 2024"),
        ("on 03.05.2024.", DATE, "03.05.2024"),
    ],
)
def test_an_identifier_is_seen_whole_and_alone(text: str, type_: str, written: str) -> None:
    assert seen(text) == [(type_, written)]


@pytest.mark.parametrize(
    "text",
    [
        "We run version 3.11.4 and 2026.09.0.",
        "Ping 192.168.10.254 first.",
        "from 1990-2000, or 10 000 000 of them",
        "It took 1234567 steps.",
        "pages 120-145",
        "In order 3 of us came.",
        "in case 2024 is bad",
        "The order was late.",
        "an order is an order",
        "The case isn't closed",
        "Meet me @ 5pm.",
        "We are #1!",
        "C# and F# are languages.",
        "a@b",
        "user@localhost",
        "e.g. this",
        "The node.js server.",
        "I may 3 times.",
        "100%",
    ],
)
def test_what_only_looks_like_one_is_none(text: str) -> None:
    assert seen(text) == []


def test_a_handle_is_no_part_of_an_email_and_the_other_way_round() -> None:
    assert seen("@maya, write to maya@example.com or https://example.com/@maya") == [
        ("person", "@maya"),
        ("email", "maya@example.com"),
        ("url", "https://example.com/@maya"),
    ]


def test_several_in_one_turn_stand_in_their_order() -> None:
    text = "Order #A-10293 for $20 (ticket 48812): mail a@example.com by 2026-01-31 #late"
    assert [kind for kind, _ in seen(text)] == ["order", MONEY, "issue", "email", DATE, "concept"]
    assert {MONEY, DATE, ADDRESS} == UNNAMED
