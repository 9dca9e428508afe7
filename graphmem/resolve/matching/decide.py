"""Whether two entities are one: by identifiers, then vetoes, then the score."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from graphmem.model.matching import (
    Agreement,
    Frequencies,
    Judgement,
    MatchingSettings,
    MatchProfile,
    Method,
    Pair,
    Stage,
    TypeSettings,
    Verdict,
)
from graphmem.resolve.matching.identifiers import (
    GIVEN_ID,
    PHONE,
    PHONE_AND_ADDRESS,
    URL,
    Finding,
    compare_identifiers,
    is_given_by_machine,
)
from graphmem.resolve.matching.names import NameKind, ParsedName, kind_of, names_of, telling
from graphmem.resolve.matching.score import (
    TYPE,
    Candidate,
    ComparedNames,
    beside_names,
    compare_best,
    contributions_of,
    probability_of,
    score_of,
    shared_models,
    stages_of,
)
from graphmem.resolve.matching.values import ValueShape, value_of
from graphmem.resolve.matching.vetoes import Veto, is_bare, is_named_by, is_short, vetoes_of_names, vetoes_of_pair
from graphmem.resolve.matching.weights import MatchingWeights, NoFrequencies, Rarity, packaged

_NOT_TOLD: Mapping[Pair, str] = {}
_DEFAULTS = MatchingSettings()
_UNKNOWN = NoFrequencies()
_SAFE_BITS = 3.0
"""What something beside the names has to say before names that are not safely equal are taken for one."""
_STRONG_BITS = 18.0
_TELLING_BITS = 7.0
_LONG_TITLE = 4  # words
_OF_NAMES, _OF_TITLES = (14.0, 7.0), (8.0, 2.5)
"""Bits of attributes together that join two that are merely called alike, and equal names of which one contradicts."""
_SAYING_TYPES = frozenset({"is_a", "type", "kind", "instance_of"})
_AGAINST = -2.0
_UNTOLD = 4.0
"""Bits that a name has to say more where both are described, each by something else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case:
    """All that is known of a pair when it is decided. ``only_near``: nothing but its vectors proposes it."""

    a: MatchProfile
    b: MatchProfile
    names: ComparedNames
    finding: Finding
    contributions: tuple[Agreement, ...]
    vetoes: tuple[Veto, ...]
    stage: Stage | None
    only_near: bool
    settings: TypeSettings

    @property
    def score(self) -> float:
        return score_of(self.contributions)

    @property
    def by_name(self) -> Sequence[MatchProfile]:
        """Both in the order of their names: that of ids is another one in every group."""
        return sorted((self.a, self.b), key=_by_name)


def judge(
    a: MatchProfile,
    b: MatchProfile,
    frequencies: Frequencies = _UNKNOWN,
    *,
    settings: MatchingSettings = _DEFAULTS,
    told_apart: Mapping[Pair, str] = _NOT_TOLD,
    weights: MatchingWeights | None = None,
    nearness: float = 0.0,
) -> Judgement:
    """What is thought of two entities. The order in which they are given does not matter.

    ``told_apart`` are pairs that a text tells apart, each with its reason. ``nearness`` is the cosine of their names'
    vectors, 0 if they are not near.
    """
    a, b = sorted((a, b), key=lambda profile: profile.id)
    rarity = Rarity(frequencies, weights or packaged(), telling(a.type, b.type))
    case = _case(a, b, rarity, settings, told_apart, nearness)
    verdict, method = _decided(case)
    if verdict is Verdict.SAME and (a.protected or b.protected):
        verdict = Verdict.REVIEW
    return Judgement(
        a=a.id,
        b=b.id,
        verdict=verdict,
        stage=case.stage,
        method=method,
        score=case.score,
        probability=probability_of(case.score),
        contributions=case.contributions,
        vetoes=(*(veto.reason for veto in case.vetoes), *_of_ids(case, verdict), *_of_types(case, verdict)),
    )


def _of_ids(case: _Case, verdict: Verdict) -> Iterator[str]:
    """Two that one source has ids for stay two, also by way of a third, unless they are found to be the same."""
    if verdict is not Verdict.SAME and case.a.has_id_beside(case.b):
        yield f"one source has an id for each: {_both(profile.qualifier for profile in case.by_name)}"


def _of_types(case: _Case, verdict: Verdict) -> Iterator[str]:
    """What is taken for two things stays two, also by way of a third, unless it is found to be one."""
    if verdict is not Verdict.SAME and any(agreement.part == TYPE for agreement in case.contributions):
        yield f"the types differ: {_both(profile.type for profile in case.by_name)}"


def _both(values: Iterable[str]) -> str:
    return " and ".join(values)


def _by_name(profile: MatchProfile) -> tuple[str, str, str]:
    return profile.name, profile.qualifier, profile.id


def _case(
    a: MatchProfile,
    b: MatchProfile,
    rarity: Rarity,
    settings: MatchingSettings,
    told_apart: Mapping[Pair, str],
    nearness: float,
) -> _Case:
    kind = kind_of(rarity.type)
    names = compare_best(names_of(a, kind), names_of(b, kind), rarity)
    finding = compare_identifiers(a, b, settings)
    contributions = _with_identifiers(contributions_of(a, b, names, rarity), finding, rarity)
    chosen = settings.of((rarity.type, a.type, b.type))
    candidate = Candidate(names=names, finding=finding, contributions=contributions, nearness=nearness)
    stages = stages_of(candidate, chosen)
    stage = next(stages, None)
    pair, compared = ((a, b), (names.a, names.b)) if _by_name(a) < _by_name(b) else ((b, a), (names.b, names.a))
    return _Case(
        a=a,
        b=b,
        names=names,
        finding=finding,
        contributions=contributions,
        vetoes=(
            *vetoes_of_pair(*pair, told_apart),
            *vetoes_of_names(*compared, rarity, shared_models(a, b, names)),
        ),
        stage=stage,
        only_near=stage is Stage.EMBEDDING and next(stages, None) is None,
        settings=chosen,
    )


def _with_identifiers(contributions: tuple[Agreement, ...], finding: Finding, rarity: Rarity) -> tuple[Agreement, ...]:
    weight = rarity.weights.level("identifier", "exact").weight()
    same = (
        Agreement(
            part=identifier.kind, level="same identifier", weight=weight, of_a=identifier.value, of_b=identifier.value
        )
        for identifier in finding.same
    )
    return (*contributions, *same)


def _decided(case: _Case) -> tuple[Verdict, Method]:
    if case.finding.same:
        return _by_identifier(case), Method.IDENTIFIER
    if case.finding.different:
        return Verdict.DIFFERENT, Method.IDENTIFIER
    if holding := [veto for veto in case.vetoes if _holds(veto, case)]:
        return _by_vetoes(holding, case)
    verdict = _by_score(case)
    return verdict, Method.CONTEXT if verdict is Verdict.REVIEW and _is_left_to_sessions(case) else Method.SCORE


def _by_vetoes(vetoes: list[Veto], case: _Case) -> tuple[Verdict, Method]:
    if all(_is_doubtful(veto, case) for veto in vetoes):
        return Verdict.REVIEW, Method.SCORE
    return Verdict.DIFFERENT, Method.VETO


def _by_identifier(case: _Case) -> Verdict:
    """An equal identifier beats spelling; what contradicts it otherwise is a matter for a person."""
    spelling = [veto for veto in case.vetoes if veto.of_spelling]
    if len(spelling) < len(case.vetoes) or case.finding.different or _dates_differ(case):
        return Verdict.REVIEW
    if _types_differ(case) and all(identifier.kind != GIVEN_ID for identifier in case.finding.same):
        return Verdict.REVIEW
    of_homes = (PHONE_AND_ADDRESS,) if case.names.a.kind is NameKind.PERSON else ()
    shared = all(identifier.kind in (PHONE, URL, *of_homes) for identifier in case.finding.same)
    itself = case.names.a.kind is NameKind.CODE or any(identifier.decisive for identifier in case.finding.same)
    if _agrees_in_nothing(case) and not itself:
        return Verdict.REVIEW  # two lines of one order, two who have one phone
    if shared and (spelling or _says_more(case)):
        return Verdict.REVIEW
    return Verdict.SAME


def _says_more(case: _Case) -> bool:
    """Whether a name of a thing says more than the other one: “iPhone 15 Pro” has the page of the iPhone 15."""
    a, b = case.names.a, case.names.b
    return a.kind is not NameKind.PERSON and not case.names.safe and {*a.words} != {*b.words}


def _dates_differ(case: _Case) -> bool:
    return any(agreement.level == "different" and _is_birth(agreement.part) for agreement in case.contributions)


def _is_birth(part: str) -> bool:
    return not {"birth", "born", "dob", "birthday", "date"}.isdisjoint(part.casefold().split("_"))


def _agrees_in_nothing(case: _Case) -> bool:
    return all(agreement.level == "different" for agreement in case.names.contributions)


def _is_contradicted(case: _Case) -> bool:
    """Whether a date of birth, a date of what is told by its date, or a number that a machine gives is another one."""
    return any(
        (agreement.level == "different" and (_is_birth(agreement.part) or is_given_by_machine(agreement.part)))
        or (case.names.a.kind is NameKind.CODE and agreement.level != "exact" and _is_date(agreement))
        for agreement in beside_names(case.contributions)
    )


def _is_date(agreement: Agreement) -> bool:
    return ValueShape.DATE in (value_of(agreement.of_a).shape, value_of(agreement.of_b).shape)


def _is_of_another_name(case: _Case) -> bool:
    """Whether persons differ in a part of their names, or one is a Jr.: relatives share much else."""
    a, b = case.names.a, case.names.b
    if a.kind is not NameKind.PERSON:
        return False
    other = any(agreement.level == "different" and agreement.part != "middle" for agreement in case.names.contributions)
    return other or a.person.which != b.person.which


def _holds(veto: Veto, case: _Case) -> bool:
    """A name that is spelt as another one gives way where rare values of attributes agree, one of them a code."""
    return not (veto.of_spelling and _is_overwhelming(case))


def _is_doubtful(veto: Veto, case: _Case) -> bool:
    """Whether a person is to say; or the two say it otherwise: one is called as the other."""
    return veto.asks or (veto.of_spelling and is_named_by(case.a, case.b))


def _types_differ(case: _Case) -> bool:
    """Whether one is taken for a thing that the other is not."""
    return any(agreement.part == TYPE and agreement.level == "different" for agreement in case.contributions)


def _is_overwhelming(case: _Case) -> bool:
    beside = beside_names(case.contributions)
    codes = any(
        agreement.level == "exact" and agreement.weight >= _TELLING_BITS and _is_code(agreement.of_a)
        for agreement in beside
    )
    return codes and score_of(beside) >= _STRONG_BITS


def _is_code(text: str) -> bool:
    return sum(character.isdecimal() for character in text) >= 6  # noqa: PLR2004 - as long as a date


def _by_score(case: _Case) -> Verdict:
    """What is near by its embedding has another name, of which the score knows nothing: that is asked about."""
    settings, score = case.settings, case.score
    if case.stage is None or (score < settings.review_from and case.stage is not Stage.EMBEDDING):
        return Verdict.DIFFERENT
    if score < settings.same_from or case.only_near:
        return Verdict.REVIEW
    return Verdict.SAME if _is_well_founded(case) else Verdict.REVIEW


def _is_short_for(short: MatchProfile, name: ParsedName, fuller: ParsedName) -> bool:
    """Whether it is a part of a person's name, which may mean another one elsewhere, and no id says who it is."""
    is_person = name.kind is NameKind.PERSON and not short.qualifier
    return is_person and is_short(name) and not is_short(fuller)


def _is_left_to_sessions(case: _Case) -> bool:
    """Whether one is a short name that is said in sessions, and nothing but that speaks for the pair."""
    a, b, names = case.a, case.b, case.names
    short = (is_bare(names.a) and _is_short_for(a, names.a, names.b) and a.in_sessions) or (
        is_bare(names.b) and _is_short_for(b, names.b, names.a) and b.in_sessions
    )
    return short and not any(agreement.weight > 0 for agreement in beside_names(case.contributions))


def _is_well_founded(case: _Case) -> bool:
    """Whether more than likeness of names speaks for a pair, or they are safely equal and nothing is against it."""
    beside = beside_names(case.contributions)
    models = [agreement for agreement in case.contributions if agreement.part == "model" and agreement.level == "rare"]
    speaks_for = sum(agreement.weight for agreement in (*beside, *models) if agreement.weight > 0)
    if _is_short_for(case.a, case.names.a, case.names.b) or _is_short_for(case.b, case.names.b, case.names.a):
        return False
    if _is_contradicted(case) or _is_of_another_name(case) or _types_differ(case):
        return _is_overwhelming(case)
    if not beside and not models and case.a.values and case.b.values and case.score < case.settings.same_from + _UNTOLD:
        return False
    if case.a.has_id_beside(case.b) and not _tells_beyond_names(beside):
        return False
    return _tells_by_itself(beside) or (bool(models) and speaks_for >= _SAFE_BITS) or _agree_enough(case, beside)


def _agree_enough(case: _Case, beside: Sequence[Agreement]) -> bool:
    """Whether attributes outweigh that two are merely called alike, or that one contradicts equal names."""
    alike, contradicted = _OF_TITLES if _are_long_titles(case) else _OF_NAMES
    if not case.names.safe:
        return score_of(beside) >= alike
    return not _is_spoken_against(beside) or score_of(beside) >= contradicted


def _is_spoken_against(beside: Sequence[Agreement]) -> bool:
    return any(agreement.weight <= _AGAINST for agreement in beside)


def _are_long_titles(case: _Case) -> bool:
    """Whether both are called by so many words that likeness of them says much: titles of papers, descriptions."""
    return case.names.a.kind is NameKind.TEXT and all(
        len(name.words) >= _LONG_TITLE for name in (case.names.a, case.names.b)
    )


def _tells_by_itself(beside: Sequence[Agreement]) -> bool:
    """Whether a date or code that few have agrees: one country, or one employer, is that of many."""
    return any(
        agreement.level == "exact" and agreement.weight >= _TELLING_BITS and _is_telling(agreement)
        for agreement in beside
    )


def _tells_beyond_names(beside: Sequence[Agreement]) -> bool:
    """Whether more than a name speaks for two that one source has ids for, and nothing against them.

    Such a source tells two of one name apart, and may have one twice.
    """
    more = [agreement for agreement in beside if agreement.part not in _SAYING_TYPES]
    speaks_for = score_of(more)
    enough = speaks_for >= _SAFE_BITS or (
        speaks_for > 0 and any(agreement.weight > 0 and _is_telling(agreement) for agreement in more)
    )
    return enough and (not _is_spoken_against(more) or speaks_for >= _TELLING_BITS or _tells_by_itself(more))


def _is_telling(agreement: Agreement) -> bool:
    return value_of(agreement.of_a).shape in (ValueShape.DATE, ValueShape.CODE) or _is_code(agreement.of_a)
