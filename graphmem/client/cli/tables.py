"""Answers of the service as tables for a terminal."""

from collections.abc import Iterable, Iterator

from graphmem.answers.beliefs import BeliefOut, DiffOut, EvidenceOut
from graphmem.answers.claims import ClaimOut, ConflictOut, FactOut
from graphmem.answers.entities import MergeOut, PairOut, ProfileBeliefOut, ProfileOut, ReviewInFull, ReviewOut
from graphmem.answers.episodes import EpisodeOut, ReadClaim, ReadClauseOut, SessionOut
from graphmem.answers.search import ContextOut, HitOut
from graphmem.client.cli.listing import Listing
from graphmem.model.instants import day_text

Pair = PairOut | ReviewInFull
_LONGEST = 1_000
"""Characters of a text in a cell."""


def beliefs_table(beliefs: Iterable[BeliefOut], title: str) -> Listing:
    """One belief a row: what, from when to when, and the first sentence that says so."""
    table = Listing(
        title,
        ("belief", "from", "to", "said", "in these words"),
        "nothing was believed then. Ask about another time or with fewer options, or hand in what to believe: "
        "graphmem ingest.",
    )
    for belief in beliefs:
        table.add(*_belief(belief))
    return table


def hits_table(hits: Iterable[HitOut], title: str) -> Listing:
    """One hit a row, best first; an episode is its own evidence, and what no longer holds was."""
    table = Listing(
        title,
        ("score", "found", "from", "to", "said", "in these words"),
        "nothing was found. Ask in other words, about another time, or with fewer options.",
    )
    for hit in hits:
        what, *row = _found(hit)
        table.add(f"{hit.score:.4f}", what if hit.held else f"was: {what}", *row)
    return table


def left_out(context: ContextOut) -> Iterator[str]:
    """How large a context is, what it does not have and why; a line each."""
    yield f"{context.tokens} of {context.max_tokens} tokens by {context.tokenizer}."
    for one in context.left_out:
        yield f"Left out: {one.count} × {one.kind} ({one.because})."


def sessions_table(sessions: Iterable[SessionOut], title: str) -> Listing:
    """One session a row: its name, whose it is, with which agent, about whom, when it was open, and its id."""
    table = Listing(
        title,
        ("session", "user", "agent", "about", "opened", "closed", "by", "id"),
        "there are none that had begun then. Name a session where you hand in a conversation: graphmem ingest.",
    )
    for one in sessions:
        who = one.user or "", one.agent or "", one.subject or ""
        closed = day_text(one.closed_at, "…"), one.closed_by or ""
        table.add(one.session, *who, day_text(one.opened_at, ""), *closed, one.id)
    return table


def facts_table(facts: Iterable[FactOut], title: str) -> Listing:
    """One fact a row, with its category, whose it is, how much it matters and how sure it is, and its id."""
    table = Listing(
        title,
        ("fact", "category", "whose", "matters", "sure", "from", "to", "tags", "id"),
        "there are none like that. Say one: graphmem remember; or leave out options, such as --user or --category.",
    )
    for fact in facts:
        what, since, to, *_ = _belief(fact)
        sure = f"{fact.confidence:.2f}{' (confirmed)' if fact.protected else ''}"
        whose, tags = fact.user or "all", ", ".join(fact.tags)
        table.add(what, fact.category or "", whose, f"{fact.importance:.1f}", sure, since, to, tags, fact.id)
    return table


def conflicts_table(conflicts: Iterable[ConflictOut], title: str) -> Listing:
    """One claim a row: what is contested with its evidence, and below it what disputes it."""
    table = Listing(
        title,
        ("", "says", "said", "sure", "in these words", "claim"),
        "nothing is. No two claims disagree about what is believed.",
    )
    for conflict in conflicts:
        belief = conflict.belief
        table.add("believed", _cut(belief.statement), "", f"{belief.confidence:.2f}", belief.id, "")
        for one in belief.evidence:
            table.add("for it", "", *_said(one))
        for one in conflict.disputing:
            table.add("against", _cut(one.statement), *_said(one))
        table.end_section()
    return table


def versions_table(versions: Iterable[BeliefOut], title: str) -> Listing:
    """One version of a belief a row: what, when it was true, when it was believed, and in which words."""
    table = Listing(
        title,
        ("belief", "from", "to", "believed from", "until", "in these words"),
        "nothing was ever believed of that. See what there is: graphmem graph; or leave out options.",
    )
    for version in versions:
        what, since, to, _, words = _belief(version)
        believed = (day_text(version.recorded_at, ""), day_text(version.superseded_at, "…"))
        table.add(what, since, to, *believed, words)
    return table


def diff_table(diff: DiffOut, title: str) -> Listing:
    """One difference a row; of what changed, as it was and as it is."""
    table = Listing(
        title,
        ("", "belief", "from", "to", "said", "in these words"),
        "nothing began, ended or changed. Take instants further apart, or --axis known for what we came to believe.",
    )
    for kind, beliefs in (("began", diff.began), ("ended", diff.ended)):
        for belief in beliefs:
            table.add(kind, *_belief(belief))
    for change in diff.changed:
        table.add("was", *_belief(change.before))
        table.add("is", *_belief(change.after))
    return table


def clauses_table(clauses: Iterable[ReadClauseOut], title: str) -> Listing:
    """One clause a row: its words, how it is said, and what it says, or why it makes no open claim."""
    table = Listing(
        title,
        ("clause", "status", "says", "dropped because"),
        "there are none.",
    )
    for one in clauses:
        table.add(one.text, one.status or "", one.statement or "", one.dropped or "")
    return table


def read_claims_table(claims: Iterable[ReadClaim], title: str) -> Listing:
    """One claim a row: who, what, of what or whom, from when to when, and in which words."""
    table = Listing(
        title,
        ("subject", "predicate", "object or value", "from", "to", "open", "in these words"),
        "nothing would be claimed. Say it as a plain sentence, such as “I live in Porto.”, or with --speaker.",
    )
    for one in claims:
        what = one.object.name if one.object else str(one.value)
        times = day_text(one.valid_from, ""), day_text(one.valid_to, "")
        kind = one.status if one.open else ""
        table.add(one.subject.name, one.predicate, what, *times, kind, f"“{one.text}”")
    return table


def merges_table(merges: Iterable[MergeOut], title: str) -> Listing:
    """One merge a row: who is part of whom, since when, how that was decided, and its id, to take it back."""
    table = Listing(
        title,
        ("entity", "is", "of user", "since", "by", "reason", "id"),
        "there are none. Decide that two are the same: graphmem identity merge; or look at what may be: graphmem "
        "identity reviews.",
    )
    for merge in merges:
        member, other = merge.member.name, merge.part_of.name
        how = merge.method if merge.method == "human" else f"{merge.method} ({merge.score:+.1f})"
        table.add(member, other, merge.user or "", day_text(merge.recorded_at, ""), how, merge.reason, merge.id)
    return table


def reviews_table(reviews: Iterable[ReviewOut], title: str) -> Listing:
    """One pair a row, those that look most alike first, and what speaks for and against it."""
    table = Listing(
        title,
        ("first", "second", "score", "because", "id"),
        "there are no pairs. Ask about two by name: graphmem identity why FIRST SECOND.",
    )
    for review in reviews:
        names = (review.first.name, review.second.name)
        table.add(*names, f"{review.score:+.1f}", _because(review), review.id)
    return table


def pair_table(pair: Pair, title: str) -> Listing:
    """One part of the score a row; they add up to it. What keeps the two apart stands below.

    The weights of some were learnt from pairs of the group.
    """
    table = Listing(
        title,
        ("part", "agrees", "first", "second", "bits"),
        "there is nothing to compare.",
    )
    for part in pair.parts:
        learnt = " (learnt here)" if part.refined else ""
        table.add(part.part, part.level + learnt, part.first, part.second, f"{part.weight:+.1f}")
    table.end_section()
    table.add("score", pair.verdict, f"by {pair.method}", "", f"{pair.score:+.1f}")
    for veto in pair.vetoes:
        table.add("veto", veto, "", "", "")
    return table


def side_by_side_table(pair: Pair, title: str) -> Listing:
    """What is known of each of the two in a column; below it one neighbour of both a row, with the predicates."""
    first, second = pair.profiles
    table = Listing(
        title,
        ("", first.name, second.name),
        "there is nothing to compare.",
    )
    table.add("also called", *("\n".join(one.aliases) for one in (first, second)))
    table.add("type", first.type, second.type)
    table.add("id of the caller", first.qualifier, second.qualifier)
    table.add("first seen", *(day_text(one.first_seen, "") for one in (first, second)))
    table.add("mentions", *(str(one.mentions) for one in (first, second)))
    table.add("protected", *("yes" if one.protected else "" for one in (first, second)))
    table.add("believed", _profile_beliefs(first), _profile_beliefs(second))
    table.end_section()
    for one in pair.shared_neighbours:
        table.add(one.name, ", ".join(one.of_first), ", ".join(one.of_second))
    return table


def _found(hit: HitOut) -> tuple[str, ...]:
    match hit.thing:
        case BeliefOut() as belief:
            return _belief(belief)
        case EpisodeOut() as episode:
            return _episode(episode)
        case _:
            return (hit.id,)


def _profile_beliefs(profile: ProfileOut) -> str:
    lines = [_profile_belief(belief) for belief in profile.beliefs]
    more = profile.beliefs_total - len(lines)
    return "\n".join([*lines, *([f"and {more} more"] if more else [])])


def _profile_belief(belief: ProfileBeliefOut) -> str:
    other = belief.entity.name if belief.entity else _cut(str(belief.value))
    return f"{other} {belief.predicate} …" if belief.as_object else f"{belief.predicate} {other}"


def _because(review: ReviewOut) -> str:
    parts = [f"{one.part} {one.level} {one.weight:+.1f}" for one in review.parts if one.level]
    return "; ".join([*parts, *review.vetoes, *([review.refused] if review.refused else [])])


def _belief(belief: BeliefOut) -> tuple[str, str, str, str, str]:
    first = next(iter(belief.evidence), None)
    return (
        _cut(belief.statement) + _marks(belief),
        day_text(belief.valid_from, "?"),
        day_text(belief.valid_to, "…"),
        day_text(first.said_at, "") if first else "",
        _quoted(first.quote) if first else "",
    )


def _marks(belief: BeliefOut) -> str:
    """What a reader has to know of a belief beside its statement."""
    said = f" ({belief.status})" if belief.status != "asserted" else " (open)" if belief.open else ""
    return said + (" (contested)" if belief.contested else "")


def _said(claim: EvidenceOut | ClaimOut) -> tuple[str, str, str, str]:
    return day_text(claim.said_at, ""), f"{claim.confidence:.2f}", _quoted(claim.quote), claim.claim_id


def _quoted(text: str) -> str:
    return f"“{_cut(text)}”"


def _cut(text: str) -> str:
    """A text, or the beginning of a long one and how long it is."""
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text)} characters)"


def _episode(episode: EpisodeOut) -> tuple[str, str, str, str, str]:
    return (
        f"{episode.speaker or episode.role} said",
        "",
        "",
        day_text(episode.occurred_at, ""),
        _quoted(episode.content),
    )
