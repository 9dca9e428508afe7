"""Numbers of registries are written in many ways."""

import pytest

from graphmem.model.matching import MatchingSettings
from graphmem.resolve.matching.identifiers import compare_identifiers, identifiers_of
from tests.profiles import profile


@pytest.mark.parametrize(
    ("predicate", "a", "b"),
    [
        ("cik", "0000320193", "320193"),
        ("order_id", "000471", "471"),
        ("vat_id", "DE 811569869", "811569869"),
        ("vat_number", "ESB-58818501", "B58818501"),
        ("tax_id", "12345676-2-41", "HU12345676"),
        ("doi", "https://doi.org/10.1145/3292500", "doi:10.1145/3292500"),
        ("doi", "http://dx.doi.org/10.1145/3292500", "10.1145/3292500"),
        ("arxiv_id", "https://arxiv.org/abs/2005.14165v4", "arXiv: 2005.14165"),
        ("gtin", "04006381333931", "4006381333931"),
        ("ean", "4006381333931", "4006381333931"),
        ("passport", "x 1234567", "X1234567"),
    ],
)
def test_one_number_is_one(predicate: str, a: str, b: str) -> None:
    found = compare_identifiers(
        profile("a", "organization", **{predicate: a}),
        profile("b", "organization", **{predicate: b}),
        MatchingSettings(),
    )
    assert found.same
    assert not found.different


@pytest.mark.parametrize(
    ("predicate", "a", "b"),
    [
        ("vat_id", "DE811569869", "FR811569869"),
        ("tax_id", "12345676-2-41", "12345677-2-41"),
        ("doi", "10.1145/3292500", "10.1145/3292501"),
        ("arxiv_id", "2005.14165", "2005.14166"),
        ("gtin", "14006381333938", "4006381333931"),
        ("passport", "unknown", "unknown"),
        ("commit", "main", "main"),
    ],
)
def test_another_is_another(predicate: str, a: str, b: str) -> None:
    found = compare_identifiers(
        profile("a", "version", **{predicate: a}), profile("b", "version", **{predicate: b}), MatchingSettings()
    )
    assert not found.same


@pytest.mark.parametrize(
    ("type_", "predicate", "a", "b"),
    [
        ("version", "commit", "0123456789ABCDEF0123456789abcdef01234567", "0123456789abcdef"),
        ("issue", "cve_id", "cve 2019-0708", "CVE-2019-0708"),
    ],
)
def test_what_happened_once_is_a_key_of_what_it_happened_to(type_: str, predicate: str, a: str, b: str) -> None:
    one, other = ({predicate: a}, {predicate: b})
    found = compare_identifiers(profile("a", type_, **one), profile("b", type_, **other), MatchingSettings())
    assert [same.kind for same in found.same] == [predicate]
    assert not identifiers_of(profile("Tom Okafor", **one), MatchingSettings())
