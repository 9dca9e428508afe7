"""Answers of the service as tables for a terminal."""

from collections.abc import Iterable, Iterator

from graphmem.answers.audit import AuditRowOut
from graphmem.answers.beliefs import BeliefOut, DiffOut, EvidenceOut, HeldValueOut
from graphmem.answers.claims import ClaimOut, ConflictOut, FactOut
from graphmem.answers.entities import MergeOut, PairOut, ProfileBeliefOut, ProfileOut, ReviewInFull, ReviewOut
from graphmem.answers.episodes import EpisodeOut, OwnedSpanOut, ReadClaim, ReadClauseOut, SessionOut
from graphmem.answers.keys import KeyOut
from graphmem.answers.search import ContextOut, HitOut, PathOut
from graphmem.answers.summaries import EntitySummaryOut, ReflectionOut, SummaryOut
from graphmem.client.cli.printing import REDACTED, Listing, listing
from graphmem.model.interval import day_text
from graphmem.model.key import PREFIX

Row = tuple[str, ...]
Pair = PairOut | ReviewInFull
_PROFILE_ROWS = ("also called", "type", "id of the caller", "first seen", "mentions", "protected", "believed")
_LONGEST = 1_000
"""Characters of a text in a cell."""


def beliefs_table(beliefs: Iterable[BeliefOut], title: str) -> Listing:
    """One belief a row: what, from when to when, and the first sentence that says so."""
    return listing(
        title,
        ("belief", "from", "to", "said", "in these words"),
        "nothing was believed then. Ask about another time or with fewer options, or hand in what to believe: "
        "graphmem ingest.",
        map(_belief, beliefs),
    )


def state_table(values: Iterable[HeldValueOut], title: str) -> Listing:
    """One value a row: what holds, since when, since when that is known, what it replaced, and in which words."""
    return listing(
        title,
        ("belief", "from", "to", "known since", "instead of", "in these words"),
        "nothing was believed then.",
        map(_held_value, values),
    )


def hits_table(hits: Iterable[HitOut], title: str) -> Listing:
    """One hit a row, best first; an episode is its own evidence, and what no longer holds was."""
    return listing(
        title,
        ("score", "found", "from", "to", "said", "in these words"),
        "nothing was found. Ask in other words, about another time, or with fewer options.",
        map(_hit, hits),
    )


def left_out(context: ContextOut) -> Iterator[str]:
    """How large a context is, what it does not have and why; a line each."""
    yield f"{context.tokens} of {context.max_tokens} tokens by {context.tokenizer}."
    for part in context.left_out:
        yield f"Left out: {part.count} × {part.kind} ({part.because})."
        if part.guaranteed:
            yield f"Of these must be known: {', '.join(part.guaranteed)}. Ask for more tokens."


def sessions_table(sessions: Iterable[SessionOut], title: str) -> Listing:
    """One session a row: its name, whose it is, with which agent, about whom, when it was open, and its id."""
    return listing(
        title,
        ("session", "user", "agent", "about", "opened", "closed", "by", "id"),
        "there are none that had begun then. Name a session where you hand in a conversation: graphmem ingest.",
        map(_session, sessions),
    )


def facts_table(facts: Iterable[FactOut], title: str) -> Listing:
    """One fact a row, with its category, whose it is, how much it matters and how sure it is, and its id."""
    return listing(
        title,
        ("fact", "category", "whose", "matters", "sure", "from", "to", "tags", "id"),
        "there are none like that. Say one: graphmem remember; or leave out options, such as --user or --category.",
        map(_fact, facts),
    )


def conflicts_table(conflicts: Iterable[ConflictOut], title: str) -> Listing:
    """One claim a row: what is contested with its evidence, and below it what disputes it."""
    return listing(
        title,
        ("", "says", "said", "sure", "in these words", "claim"),
        "nothing is. No two claims disagree about what is believed.",
        *map(_conflict, conflicts),
    )


def versions_table(versions: Iterable[BeliefOut], title: str) -> Listing:
    """One version of a belief a row: what, when it was true, when it was believed, and in which words."""
    return listing(
        title,
        ("belief", "from", "to", "believed from", "until", "in these words"),
        "nothing was ever believed of that. See what there is: graphmem graph; or leave out options.",
        map(_version, versions),
    )


def diff_table(diff: DiffOut, title: str) -> Listing:
    """One difference a row; of what changed, as it was and as it is."""
    differences = [("began", belief) for belief in diff.began]
    differences += [("ended", belief) for belief in diff.ended]
    for change in diff.changed:
        differences += [("was", change.before), ("is", change.after)]
    return listing(
        title,
        ("", "belief", "from", "to", "said", "in these words"),
        "nothing began, ended or changed. Take instants further apart, or --axis known for what we came to believe.",
        ((kind, *_belief(belief)) for kind, belief in differences),
    )


def owners_table(spans: Iterable[OwnedSpanOut], title: str) -> Listing:
    """One part of a text a row: whose words it is, and by what that was recognised."""
    rows = ((span.owner.name or span.owner.voice, span.form or "", span.text.strip()) for span in spans)
    return listing(title, ("whose words", "recognised by", "words"), "there are none.", rows)


def clauses_table(clauses: Iterable[ReadClauseOut], title: str) -> Listing:
    """One clause a row: its words, how it is said, and what it says, or why it makes no open claim."""
    rows = ((clause.text, clause.status or "", clause.statement or "", clause.dropped or "") for clause in clauses)
    return listing(title, ("clause", "status", "says", "dropped because"), "there are none.", rows)


def read_claims_table(claims: Iterable[ReadClaim], title: str) -> Listing:
    """One claim a row: who, what, of what or whom, from when to when, and in which words."""
    return listing(
        title,
        ("subject", "predicate", "object or value", "from", "to", "unread time", "open", "in these words"),
        "nothing would be claimed. Say it as a plain sentence, such as “I live in Porto.”, or with --speaker.",
        map(_read_claim, claims),
    )


def merges_table(merges: Iterable[MergeOut], title: str) -> Listing:
    """One merge a row: who is part of whom, since when, how that was decided, and its id, to take it back."""
    return listing(
        title,
        ("entity", "is", "of user", "since", "by", "reason", "id"),
        "there are none. Decide that two are the same: graphmem identity merge; or look at what may be: graphmem "
        "identity reviews.",
        map(_merge, merges),
    )


def audit_table(rows: Iterable[AuditRowOut], title: str) -> Listing:
    """One row of the audit a row: when, with which key, from where, what, and how many things of which kind."""
    return listing(title, ("when", "key", "from", "what", "changed"), "there is nothing.", map(_audited, rows))


def _audited(row: AuditRowOut) -> Row:
    changed = ", ".join(f"{things.count} {things.kind.replace('_', ' ')}" for things in row.changed)
    when = row.recorded_at.isoformat(" ", "seconds")
    return (when, row.key or "token", row.address, row.operation, changed or "read")


def keys_table(keys: Iterable[KeyOut], title: str) -> Listing:
    """One key a row: what it may, for which groups, users and agents, whether it still opens, and when it was used."""
    return listing(
        title,
        ("key", "label", "may", "groups", "users", "agents", "made", "ends", "used"),
        "there are none beside that of the settings. Make one: graphmem key make.",
        map(_key, keys),
    )


def _key(key: KeyOut) -> Row:
    ends = f"revoked {day_text(key.revoked_at, '')}" if key.revoked_at else day_text(key.expires_at, "")
    return (
        f"{PREFIX}{key.id}",
        key.label,
        ", ".join(sorted(key.rights)),
        ", ".join(key.groups),
        "all" if key.users is None else ", ".join(key.users) or "none",
        "any" if key.agents is None else ", ".join(key.agents),
        day_text(key.made_at, ""),
        ends,
        day_text(key.used_at, ""),
    )


def reviews_table(reviews: Iterable[ReviewOut], title: str) -> Listing:
    """One pair a row, those that look most alike first, and what speaks for and against it."""
    return listing(
        title,
        ("first", "second", "score", "because", "id"),
        "there are no pairs. Ask about two by name: graphmem identity why FIRST SECOND.",
        ((pair.first.name, pair.second.name, f"{pair.score:+.1f}", _because(pair), pair.id) for pair in reviews),
    )


def pair_table(pair: Pair, title: str) -> Listing:
    """One part of the score a row; they add up to it. What keeps the two apart stands below.

    The weights of some were learnt from pairs of the group.
    """
    learnt = " (learnt here)"
    parts = (
        (part.part, f"{part.level}{learnt if part.refined else ''}", part.first, part.second, f"{part.weight:+.1f}")
        for part in pair.parts
    )
    score = ("score", pair.verdict, f"by {pair.method}", "", f"{pair.score:+.1f}")
    vetoes = (("veto", veto, "", "", "") for veto in pair.vetoes)
    columns = ("part", "agrees", "first", "second", "bits")
    return listing(title, columns, "there is nothing to compare.", parts, [score, *vetoes])


def side_by_side_table(pair: Pair, title: str) -> Listing:
    """What is known of each of the two in a column; below it one neighbour of both a row, with the predicates."""
    first, second = pair.profiles
    profiles = zip(_PROFILE_ROWS, _profile(first), _profile(second), strict=True)
    neighbours = (
        (neighbour.name, ", ".join(neighbour.of_first), ", ".join(neighbour.of_second))
        for neighbour in pair.shared_neighbours
    )
    return listing(title, ("", first.name, second.name), "there is nothing to compare.", profiles, neighbours)


def _profile(profile: ProfileOut) -> tuple[str, ...]:
    return (
        "\n".join(profile.aliases),
        profile.type,
        profile.qualifier,
        day_text(profile.first_seen, ""),
        str(profile.mentions),
        "yes" if profile.protected else "",
        _profile_beliefs(profile),
    )


def _hit(hit: HitOut) -> Row:
    match hit.thing:
        case BeliefOut() as belief:
            what, *row = _belief(belief)
        case EpisodeOut() as episode:
            what, *row = _episode(episode)
        case SummaryOut() | EntitySummaryOut() | ReflectionOut() as made:
            what, row = f"{hit.kind}: {made.content}", []
        case PathOut() as path:
            what, row = _cut(path.says), []
        case _:
            what, row = hit.id, []
    return (f"{hit.score:.4f}", what if hit.held else f"was: {what}", *row)


def _session(session: SessionOut) -> Row:
    who = session.user or "", session.agent or "", session.subject or ""
    opened, closed = day_text(session.opened_at, ""), day_text(session.closed_at, "…")
    return (session.session, *who, opened, closed, session.closed_by or "", session.id)


def _fact(fact: FactOut) -> Row:
    what, since, to, *_ = _belief(fact)
    sure = f"{fact.confidence:.2f}{' (confirmed)' if fact.protected else ''}"
    whose, tags = fact.user or "all", ", ".join(fact.tags)
    return (what, fact.category or "", whose, f"{fact.importance:.1f}", sure, since, to, tags, fact.id)


def _conflict(conflict: ConflictOut) -> Iterator[Row]:
    belief = conflict.belief
    yield ("believed", _cut(belief.statement), "", f"{belief.confidence:.2f}", belief.id, "")
    yield from (("for it", "", *_evidence_cells(evidence)) for evidence in belief.evidence)
    yield from (("against", _cut(claim.statement), *_evidence_cells(claim)) for claim in conflict.disputing)


def _version(version: BeliefOut) -> Row:
    what, since, to, _, words = _belief(version)
    return (what, since, to, day_text(version.recorded_at, ""), day_text(version.superseded_at, "…"), words)


def _held_value(value: HeldValueOut) -> Row:
    what, since, to, _, words = _belief(value.belief)
    instead_of = "; ".join(_cut(before.statement) for before in value.replaced)
    return (what, since, to, day_text(value.known_since, ""), instead_of, words)


def _read_claim(claim: ReadClaim) -> Row:
    what = claim.object.name if claim.object else str(claim.value)
    times = day_text(claim.valid_from, ""), day_text(claim.valid_to, "")
    status = claim.status if claim.open else ""
    return (claim.subject.name, claim.predicate, what, *times, claim.time_unread or "", status, f"“{claim.text}”")


def _merge(merge: MergeOut) -> Row:
    how = merge.method if merge.method == "human" else f"{merge.method} ({merge.score:+.1f})"
    names, since = (merge.member.name, merge.part_of.name), day_text(merge.recorded_at, "")
    return (*names, merge.user or "", since, how, merge.reason, merge.id)


def _profile_beliefs(profile: ProfileOut) -> str:
    lines = list(map(_profile_belief, profile.beliefs))
    more = profile.beliefs_total - len(lines)
    return "\n".join([*lines, *([f"and {more} more"] if more else [])])


def _profile_belief(belief: ProfileBeliefOut) -> str:
    other = belief.entity.name if belief.entity else _cut(str(belief.value))
    return f"{other} {belief.predicate} …" if belief.as_object else f"{belief.predicate} {other}"


def _because(review: ReviewOut) -> str:
    parts = [f"{part.part} {part.level} {part.weight:+.1f}" for part in review.parts if part.level]
    return "; ".join([*parts, *review.vetoes, *([review.refused] if review.refused else [])])


def _belief(belief: BeliefOut) -> tuple[str, str, str, str, str]:
    first = next(iter(belief.evidence), None)
    return (
        _cut(belief.statement) + _marks(belief),
        day_text(belief.valid_from, "?"),
        day_text(belief.valid_to, "…"),
        day_text(first.said_at, "") if first else "",
        _quote(first) if first else "",
    )


def _marks(belief: BeliefOut) -> str:
    """What a reader has to know of a belief beside its statement."""
    status = f" ({belief.status})" if belief.status != "asserted" else " (open)" if belief.open else ""
    return status + (" (contested)" if belief.contested else "")


def _evidence_cells(claim: EvidenceOut | ClaimOut) -> tuple[str, str, str, str]:
    return day_text(claim.said_at, ""), f"{claim.confidence:.2f}", _quote(claim), claim.claim_id


def _quote(claim: EvidenceOut | ClaimOut) -> str:
    return REDACTED if claim.redacted else _quoted(claim.quote)


def _quoted(text: str) -> str:
    return f"“{_cut(text)}”"


def _cut(text: str) -> str:
    """A text, or the beginning of a long one and how long it is."""
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text)} characters)"


def _episode(episode: EpisodeOut) -> tuple[str, str, str, str, str]:
    who = f"{episode.speaker or episode.role} said"
    what = REDACTED if episode.redacted_at else _quoted(episode.content)
    return (who, "", "", day_text(episode.occurred_at, ""), what)
