"""Answers of the service as tables for a terminal."""

from collections.abc import Iterable, Iterator

from rich.console import Console
from rich.table import Table

from graphmem.answers.beliefs import BeliefOut, EvidenceOut
from graphmem.answers.changes import DiffOut
from graphmem.answers.context import ContextOut
from graphmem.answers.episodes import EpisodeOut
from graphmem.answers.extract import ReadClaim, ReadClauseOut
from graphmem.answers.facts import ConflictOut, FactOut
from graphmem.answers.grounds import ClaimOut
from graphmem.answers.merges import MergeOut
from graphmem.answers.profiles import ProfileBeliefOut, ProfileOut
from graphmem.answers.reviews import PairOut, ReviewInFull, ReviewOut
from graphmem.answers.search import HitOut
from graphmem.answers.sessions import SessionOut
from graphmem.client.days import day

Pair = PairOut | ReviewInFull
_UNFOLDED = 200
"""Columns of what goes into a file or another program, which folds no lines."""
_LONGEST = 1_000
"""Characters of a text in a cell."""


def show(table: Table) -> None:
    """Print a table, in a terminal as wide as that is."""
    console = Console()
    if not console.is_terminal:
        console.width = max(console.width, _UNFOLDED)
    console.print(table)


def beliefs_table(beliefs: Iterable[BeliefOut], title: str) -> Table:
    """One belief a row: what, from when to when, and the first sentence that says so."""
    table = _table(title, "belief", "from", "to", "said", "in these words")
    for belief in beliefs:
        table.add_row(*_belief(belief))
    return table


def hits_table(hits: Iterable[HitOut], title: str) -> Table:
    """One hit a row, best first; an episode is its own evidence, and what no longer holds was."""
    table = _table(title, "score", "found", "from", "to", "said", "in these words")
    for hit in hits:
        what, *row = _belief(hit.belief) if hit.belief else _episode(hit.episode) if hit.episode else (hit.id,)
        table.add_row(f"{hit.score:.4f}", what if hit.held else f"was: {what}", *row)
    return table


def left_out(context: ContextOut) -> Iterator[str]:
    """How large a context is, what it does not have and why; a line each."""
    yield f"{context.tokens} of {context.max_tokens} tokens by {context.tokenizer}."
    for one in context.left_out:
        yield f"Left out: {one.count} × {one.kind} ({one.because})."


def sessions_table(sessions: Iterable[SessionOut], title: str) -> Table:
    """One session a row: its name, whose it is, with which agent, about whom, when it was open, and its id."""
    table = _table(title, "session", "user", "agent", "about", "opened", "closed", "by", "id")
    for one in sessions:
        who = one.user or "", one.agent or "", one.subject or ""
        closed = day(one.closed_at, "…"), one.closed_by or ""
        table.add_row(one.session, *who, day(one.opened_at, ""), *closed, one.id)
    return table


def facts_table(facts: Iterable[FactOut], title: str) -> Table:
    """One fact a row, with its category, whose it is, how much it matters and how sure it is, and its id."""
    table = _table(title, "fact", "category", "whose", "matters", "sure", "from", "to", "tags", "id")
    for fact in facts:
        what, since, to, *_ = _belief(fact)
        sure = f"{fact.confidence:.2f}{' (confirmed)' if fact.protected else ''}"
        whose, tags = fact.user or "all", ", ".join(fact.tags)
        table.add_row(what, fact.category, whose, f"{fact.importance:.1f}", sure, since, to, tags, fact.id)
    return table


def conflicts_table(conflicts: Iterable[ConflictOut], title: str) -> Table:
    """One claim a row: what is contested with its evidence, and below it what disputes it."""
    table = _table(title, "", "says", "said", "sure", "in these words", "claim")
    for conflict in conflicts:
        belief = conflict.belief
        table.add_row("believed", _cut(belief.statement), "", f"{belief.confidence:.2f}", belief.id, "")
        for one in belief.evidence:
            table.add_row("for it", "", *_said(one))
        for one in conflict.disputing:
            table.add_row("against", _cut(one.statement), *_said(one))
        table.add_section()
    return table


def versions_table(versions: Iterable[BeliefOut], title: str) -> Table:
    """One version of a belief a row: what, when it was true, when it was believed, and in which words."""
    table = _table(title, "belief", "from", "to", "believed from", "until", "in these words")
    for version in versions:
        what, since, to, _, words = _belief(version)
        believed = (day(version.recorded_at, ""), day(version.superseded_at, "…"))
        table.add_row(what, since, to, *believed, words)
    return table


def diff_table(diff: DiffOut, title: str) -> Table:
    """One difference a row; of what changed, as it was and as it is."""
    table = _table(title, "", "belief", "from", "to", "said", "in these words")
    for kind, beliefs in (("began", diff.began), ("ended", diff.ended)):
        for belief in beliefs:
            table.add_row(kind, *_belief(belief))
    for change in diff.changed:
        table.add_row("was", *_belief(change.before))
        table.add_row("is", *_belief(change.after))
    return table


def clauses_table(clauses: Iterable[ReadClauseOut], title: str) -> Table:
    """One clause a row: its words, how it is said, and what it says, or why it makes no open claim."""
    table = _table(title, "clause", "status", "says", "dropped because")
    for one in clauses:
        table.add_row(one.text, one.status or "", one.statement or "", one.dropped or "")
    return table


def read_claims_table(claims: Iterable[ReadClaim], title: str) -> Table:
    """One claim a row: who, what, of what or whom, from when to when, and in which words."""
    table = _table(title, "subject", "predicate", "object or value", "from", "to", "open", "in these words")
    for one in claims:
        what = one.object.name if one.object else str(one.value)
        times = day(one.valid_from, ""), day(one.valid_to, "")
        kind = one.status if one.open else ""
        table.add_row(one.subject.name, one.predicate, what, *times, kind, f"“{one.text}”")
    return table


def merges_table(merges: Iterable[MergeOut], title: str) -> Table:
    """One merge a row: who is part of whom, since when, how that was decided, and its id, to take it back."""
    table = _table(title, "entity", "is", "of user", "since", "by", "reason", "id")
    for merge in merges:
        member, other = merge.member.name, merge.part_of.name
        how = merge.method if merge.method == "human" else f"{merge.method} ({merge.score:+.1f})"
        table.add_row(member, other, merge.user or "", day(merge.recorded_at, ""), how, merge.reason, merge.id)
    return table


def reviews_table(reviews: Iterable[ReviewOut], title: str) -> Table:
    """One pair a row, those that look most alike first, and what speaks for and against it."""
    table = _table(title, "first", "second", "score", "because", "id")
    for review in reviews:
        names = (review.first.name, review.second.name)
        table.add_row(*names, f"{review.score:+.1f}", _because(review), review.id)
    return table


def pair_table(pair: Pair, title: str) -> Table:
    """One part of the score a row; they add up to it. What keeps the two apart stands below.

    The weights of some were learnt from pairs of the group.
    """
    table = _table(title, "part", "agrees", "first", "second", "bits")
    for part in pair.parts:
        learnt = " (learnt here)" if part.refined else ""
        table.add_row(part.part, part.level + learnt, part.first, part.second, f"{part.weight:+.1f}")
    table.add_section()
    table.add_row("score", pair.verdict, f"by {pair.method}", "", f"{pair.score:+.1f}")
    for veto in pair.vetoes:
        table.add_row("veto", veto, "", "", "")
    return table


def side_by_side_table(pair: Pair, title: str) -> Table:
    """What is known of each of the two in a column; below it one neighbour of both a row, with the predicates."""
    first, second = pair.profiles
    table = _table(title, "", first.name, second.name)
    table.add_row("also called", *("\n".join(one.aliases) for one in (first, second)))
    table.add_row("type", first.type, second.type)
    table.add_row("id of the caller", first.qualifier, second.qualifier)
    table.add_row("first seen", *(day(one.first_seen, "") for one in (first, second)))
    table.add_row("mentions", *(str(one.mentions) for one in (first, second)))
    table.add_row("protected", *("yes" if one.protected else "" for one in (first, second)))
    table.add_row("believed", _profile_beliefs(first), _profile_beliefs(second))
    table.add_section()
    for one in pair.shared_neighbours:
        table.add_row(one.name, ", ".join(one.of_first), ", ".join(one.of_second))
    return table


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


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left")
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def _belief(belief: BeliefOut) -> tuple[str, str, str, str, str]:
    first = next(iter(belief.evidence), None)
    return (
        _cut(belief.statement) + _marks(belief),
        day(belief.valid_from, "?"),
        day(belief.valid_to, "…"),
        day(first.said_at, "") if first else "",
        _quoted(first.quote) if first else "",
    )


def _marks(belief: BeliefOut) -> str:
    """What a reader has to know of a belief beside its statement."""
    said = f" ({belief.status})" if belief.status != "asserted" else " (open)" if belief.open else ""
    return said + (" (contested)" if belief.contested else "")


def _said(claim: EvidenceOut | ClaimOut) -> tuple[str, str, str, str]:
    return day(claim.said_at, ""), f"{claim.confidence:.2f}", _quoted(claim.quote), claim.claim_id


def _quoted(text: str) -> str:
    return f"“{_cut(text)}”"


def _cut(text: str) -> str:
    """A text, or the beginning of a long one and how long it is."""
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text)} characters)"


def _episode(episode: EpisodeOut) -> tuple[str, str, str, str, str]:
    return f"{episode.speaker or episode.role} said", "", "", day(episode.occurred_at, ""), _quoted(episode.content)
