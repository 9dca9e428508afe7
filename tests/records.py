"""Records of people, each told of twice, with attributes that teach how often records of one person agree."""

from datetime import UTC, datetime, timedelta

from graphmem.model.evidence import StructuredClaim
from graphmem.model.fragment import ThingName

EPOCH = datetime(2025, 1, 1, tzinfo=UTC)
GIVEN = ("Ann", "Bruno", "Clara", "Dmitri", "Elena", "Farid", "Greta", "Hugo", "Ines", "Jonas")
FAMILY = ("Okafor", "Lindqvist", "Moreau", "Tanaka", "Petrov", "Almeida", "Kowalski")
CITIES = ("Rome", "Oslo", "Lima", "Cairo", "Perth", "Quito", "Turin", "Bergen", "Nantes", "Dakar", "Lyon")


def records(number: int) -> list[StructuredClaim]:
    """So many people, each told of twice, by records with five attributes; the second time in another city."""
    return [
        StructuredClaim(
            subject=ThingName(f"{GIVEN[at % 10]} {FAMILY[at % 7]}", "person", f"crm:{2 * at + copy}"),
            predicate=predicate,
            value=value,
            valid_from=EPOCH,
            occurred_at=EPOCH + timedelta(hours=2 * at + copy),
        )
        for at in range(number)
        for copy in range(2)
        for predicate, value in (
            ("born", f"{1950 + at % 50}-{1 + at % 12:02}-{1 + at % 28:02}"),
            ("city", CITIES[(at + 3 * copy) % 11]),
            ("member_code", f"{(at + 1) * 7919 % 1_000_000:06}"),
            ("street", f"{FAMILY[at % 6]} Lane"),
            ("job", GIVEN[(at * 3) % 10] + " works"),
        )
    ]
