"""Strategies of reading: which providers read a text, and which of them make claims."""

from collections.abc import Collection, Mapping
from typing import Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, model_validator

ProviderName = Literal["regex", "names", "reader", "open", "llm"]
"""What reads: identifiers by their form, names, the trained reader, open claims, a language model."""
RESERVED = frozenset({"auto", "off"})
"""Names of no strategy: they say which one is chosen, and that there is none."""


class Composition(BaseModel):
    """A strategy: the providers that read, in this order, and those of them that make claims: all, if none is given."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    providers: tuple[ProviderName, ...] = Field(min_length=1)
    claims: tuple[ProviderName, ...] | None = None

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if len(set(self.providers)) < len(self.providers):
            raise ValueError("Name each provider once.")
        if not self.claiming <= set(self.providers):
            raise ValueError("Providers that make claims are among the providers.")
        return self

    @property
    def claiming(self) -> frozenset[str]:
        """The providers that make claims; the others give names only, as `names` does whatever is set."""
        return frozenset(self.providers if self.claims is None else self.claims) - {"names"}

    @property
    def asks_model(self) -> bool:
        return "llm" in self.providers

    @property
    def parses(self) -> bool:
        return not {"names", "open"}.isdisjoint(self.providers)

    def without(self, off: Collection[str]) -> "Composition | None":
        """The strategy without some providers; None where no other is left."""
        left: tuple[ProviderName, ...] = tuple(provider for provider in self.providers if provider not in off)
        claims: tuple[ProviderName, ...] | None = None
        if self.claims is not None:
            claims = tuple(provider for provider in self.claims if provider not in off)
        return Composition(providers=left, claims=claims) if left else None


OFFLINE_SECONDS = 60.0
"""What each provider but a language model has for a text, unless the settings say otherwise."""


class ProviderSwitch(BaseModel):
    """Whether a provider reads at all, and the seconds that it has for a text; those of a language model for a call.

    None: 60 seconds, and for a language model three quarters of ``jobs.digest_timeout``.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    enabled: bool = True
    timeout: float | None = Field(default=None, gt=0)


STRATEGIES: Mapping[str, Composition] = {
    "fast": Composition(providers=("regex", "reader")),
    "accurate": Composition(providers=("regex", "names", "reader", "open")),
    "llm": Composition(providers=("regex", "llm")),
}
"""Those that are packaged."""


def with_packaged(given: Mapping[str, Composition]) -> dict[str, Composition]:
    """The packaged strategies, and those that are given beside them or instead.

    Raises:
        ValueError: one has a reserved name, or makes no claims.
    """
    if taken := sorted(RESERVED & given.keys()):
        raise ValueError(f"{' and '.join(taken)} cannot be the name of a strategy.")
    if silent := sorted(name for name, composed in given.items() if not composed.claiming):
        raise ValueError(
            f"No provider of the strategy {' and '.join(silent)} makes claims. Name those that do in claims, or leave "
            "it out: then all of them do."
        )
    return {**STRATEGIES, **given}


def switched_off(switches: Mapping[ProviderName, ProviderSwitch]) -> frozenset[str]:
    return frozenset(name for name, switch in switches.items() if not switch.enabled)


def seconds_each(switches: Mapping[ProviderName, ProviderSwitch]) -> dict[str, float]:
    """The seconds that each provider has for a text, but a language model."""
    given = {name: switch.timeout for name, switch in switches.items()}
    return {name: given.get(name) or OFFLINE_SECONDS for name in get_args(ProviderName) if name != "llm"}
