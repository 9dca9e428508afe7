"""How much callers may ask and hand in."""

from typing import Annotated

from pydantic import Field

from graphmem.settings.tables import Table

Most = Annotated[int, Field(ge=0)]
"""0: no limit."""


class LimitSettings(Table):
    """Limits of each key, group, user of a group, and address. Those of keys are of keys that were made.

    ``api.key`` and the token of this machine have none of their own: they make keys, and act for others.
    """

    key_requests_per_minute: Most = 6_000
    group_requests_per_minute: Most = 0
    address_requests_per_minute: Most = 600
    """Requests from one address without a key that opens."""
    key_requests_at_once: Most = 100
    """Requests of a key that one process answers at a time, such as those that bring a body or wait for digests."""
    key_episodes_per_day: Most = 100_000
    """Episodes, claims and facts handed in, also such as are there already."""
    user_episodes_per_day: Most = 0
    group_episodes_per_day: Most = 0
    key_characters_per_day: Most = 100_000_000
    user_characters_per_day: Most = 0
    group_characters_per_day: Most = 0
    group_episodes: Most = 0
    """Episodes stored in a group, claims and facts among them."""


UNLIMITED = LimitSettings(**dict.fromkeys(LimitSettings.model_fields, 0))
