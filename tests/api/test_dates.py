"""How a group writes days, over HTTP: shown, set, and read by."""

from collections.abc import Generator

import pytest

from graphmem.client import GraphmemClient
from graphmem.errors import InvalidInput
from tests.api.conftest import Service

SAID_AT = "2025-05-20T10:00:00Z"


@pytest.fixture
def client(service: Service) -> Generator[GraphmemClient]:
    with GraphmemClient(service.url, service.token) as opened:
        yield opened


def starts(client: GraphmemClient, group: str, text: str) -> list[str | None]:
    """When the claims of a text would start."""
    read = client.extract(group, text, speaker="Maya", occurred_at=SAID_AT)
    return [claim.valid_from and claim.valid_from.date().isoformat() for claim in read.claims]


def test_a_group_says_how_it_writes_days_and_is_read_so(client: GraphmemClient, group: str) -> None:
    client.make_group(group)
    usual = client.dates(group)
    assert (usual.month_first, usual.fiscal_year_start, usual.changed_at) == (False, 1, None)
    assert starts(client, group, "I moved to Rome on 05/06/2024.") == ["2024-06-05"]

    own = client.put_dates(group, month_first=True, fiscal_year_start=10)

    assert (own.month_first, own.fiscal_year_start) == (True, 10)
    assert client.put_dates(group, month_first=True, fiscal_year_start=10) == own == client.dates(group)
    assert starts(client, group, "I moved to Rome on 05/06/2024.") == ["2024-05-06"]
    assert starts(client, group, "I moved to Rome in FY24.") == ["2023-10-01"]


def test_a_month_that_there_is_not_is_refused(client: GraphmemClient, group: str) -> None:
    with pytest.raises(InvalidInput, match="fiscal_year_start"):
        client.put_dates(group, fiscal_year_start=13)
